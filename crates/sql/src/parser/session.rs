//! Transaction control, and what concerns the session: USE, KILL, EXPLAIN, PREPARE.

use super::{Parsed, Parser};
use crate::ast::{
    Begin, Describe, EndTransaction, ExecuteText, Explain, Kill, PrepareText, Statement,
    StatementKind,
};
use crate::{Keyword as K, TokenKind as T};

impl Parser<'_> {
    /// `BEGIN [WORK]`, `START TRANSACTION ..`.
    pub(super) fn begin(&mut self) -> Parsed<StatementKind> {
        if self.at_keyword(K::Begin) {
            if self.peek_keyword() == K::Not {
                return self.opaque("BEGIN NOT ATOMIC");
            }
            self.advance();
            self.eat_keyword(K::Work);
            return Ok(StatementKind::Begin(Begin::default()));
        }
        if self.peek_keyword() != K::Transaction {
            return self.other();
        }
        self.advance();
        self.advance();
        let mut begin = Begin::default();
        if self.at_end() {
            return Ok(StatementKind::Begin(begin));
        }
        loop {
            if self.eat_keyword(K::With) {
                self.expect_keyword(K::Consistent)?;
                self.expect_keyword(K::Snapshot)?;
                begin.with_consistent_snapshot = true;
            } else {
                begin.is_read_only = self.access_mode()?;
            }
            if !self.eat(T::Comma) {
                return Ok(StatementKind::Begin(begin));
            }
        }
    }

    /// `READ ONLY` (true) or `READ WRITE`.
    pub(super) fn access_mode(&mut self) -> Parsed<bool> {
        self.expect_keyword(K::Read)?;
        if self.eat_keyword(K::Only) {
            return Ok(true);
        }
        self.expect_keyword(K::Write)?;
        Ok(false)
    }

    pub(super) fn commit(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keyword(K::Work);
        Ok(StatementKind::Commit(self.end_transaction()?))
    }

    pub(super) fn rollback(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keyword(K::Work);
        if self.eat_keyword(K::To) {
            if self.at_keyword(K::Savepoint) && !matches!(self.peek_kind(), T::End | T::Semicolon) {
                self.advance();
            }
            return Ok(StatementKind::RollbackTo(self.expect_ident()?));
        }
        Ok(StatementKind::Rollback(self.end_transaction()?))
    }

    /// `[AND [NO] CHAIN] [[NO] RELEASE]`.
    fn end_transaction(&mut self) -> Parsed<EndTransaction> {
        let mut end = EndTransaction::default();
        if self.eat_keyword(K::And) {
            end.is_chained = !self.eat_keyword(K::No);
            self.expect_keyword(K::Chain)?;
        }
        if self.eat_keyword(K::No) {
            self.expect_keyword(K::Release)?;
        } else {
            end.is_release = self.eat_keyword(K::Release);
        }
        Ok(end)
    }

    pub(super) fn release_savepoint(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect_keyword(K::Savepoint)?;
        Ok(StatementKind::ReleaseSavepoint(self.expect_ident()?))
    }

    pub(super) fn xa(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let is_verb = self.at_any(&[
            K::Start,
            K::Begin,
            K::End,
            K::Prepare,
            K::Commit,
            K::Rollback,
            K::Recover,
        ]);
        if !is_verb {
            return Err(self.error());
        }
        let verb = self.advance_keyword();
        if verb != K::Recover && !matches!(self.kind(), T::String | T::Hex | T::Bit) {
            return Err(self.error());
        }
        self.skip_rest()?;
        Ok(StatementKind::Xa(verb.text().to_owned()))
    }

    pub(super) fn use_database(&mut self) -> Parsed<StatementKind> {
        self.advance();
        Ok(StatementKind::Use(self.expect_ident()?))
    }

    pub(super) fn kill(&mut self) -> Parsed<StatementKind> {
        if self.peek_keyword() == K::User && self.peek(2).0.kind != T::End {
            return self.other();
        }
        self.advance();
        if self.at_any(&[K::Hard, K::Soft]) && self.peek_kind() != T::End {
            self.advance();
        }
        let is_query = self.eat_keyword(K::Query);
        if is_query {
            self.eat_word("ID");
        } else {
            self.eat_keyword(K::Connection);
        }
        Ok(StatementKind::Kill(Kill { is_query, id: self.expr()? }))
    }

    pub(super) fn prepare(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let name = self.expect_ident()?;
        self.expect_keyword(K::From)?;
        Ok(StatementKind::Prepare(PrepareText { name, source: self.expr()? }))
    }

    pub(super) fn execute(&mut self) -> Parsed<StatementKind> {
        if self.peek_keyword() == K::Immediate {
            return self.opaque("EXECUTE IMMEDIATE");
        }
        let start = self.advance().span.start;
        let name = self.expect_ident()?;
        let using = match self.eat_keyword(K::Using) {
            true => self.exprs()?,
            false => Vec::new(),
        };
        Ok(StatementKind::Execute(ExecuteText { name, using, span: self.span_from(start) }))
    }

    /// `DEALLOCATE|DROP PREPARE name`.
    pub(super) fn deallocate(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect_keyword(K::Prepare)?;
        Ok(StatementKind::Deallocate(self.expect_ident()?))
    }

    /// `EXPLAIN|DESCRIBE|DESC` of a table, a statement, or a connection.
    pub(super) fn explain(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let is_analyze = self.eat_keyword(K::Analyze);
        self.explain_options()?;
        if self.at_keyword(K::For) && self.peek_keyword() == K::Connection {
            self.advance();
            self.advance();
            self.expr()?;
            let explain = Explain { for_connection: true, statement: None, is_analyze };
            return Ok(StatementKind::Explain(Box::new(explain)));
        }
        if let Some(statement) = self.explained()? {
            return Ok(explain_of(statement, is_analyze));
        }
        let table = self.table_name()?;
        let column = match self.kind() {
            T::String => Some(String::from_utf8_lossy(&self.expect_string()?).into_owned()),
            _ if self.at_end() => None,
            _ => Some(self.expect_ident()?.value),
        };
        Ok(StatementKind::Describe(Describe { table, column }))
    }

    fn explain_options(&mut self) -> Parsed<()> {
        let has_more = !matches!(self.peek_kind(), T::End | T::Semicolon | T::Dot);
        if has_more && self.at_any(&[K::Extended, K::Partitions]) {
            self.advance();
        }
        if self.at_keyword(K::Format) && self.peek_kind() == T::Equal {
            self.advance();
            self.advance();
            self.charset_name()?;
        }
        if self.eat_keyword(K::Into) {
            self.expect(T::UserVariable)?;
        }
        if self.at_keyword(K::For) && matches!(self.peek_keyword(), K::Schema | K::Database) {
            self.advance();
            self.advance();
            self.expect_ident()?;
        }
        Ok(())
    }

    /// The statement behind EXPLAIN, if one starts here.
    fn explained(&mut self) -> Parsed<Option<Statement>> {
        let starts = self.at_any(&[
            K::Select,
            K::With,
            K::Values,
            K::Table,
            K::Insert,
            K::Replace,
            K::Update,
            K::Delete,
        ]) || self.at(T::LeftParen);
        if !starts {
            return Ok(None);
        }
        self.statement().map(Some)
    }

    /// `ANALYZE TABLE ..`, and MariaDB's `ANALYZE <statement>`.
    pub(super) fn analyze(&mut self) -> Parsed<StatementKind> {
        let next = self.peek_keyword();
        if matches!(next, K::Table | K::Tables | K::Local | K::NoWriteToBinlog) {
            return self.table_maintenance();
        }
        self.advance();
        self.explain_options()?;
        match self.explained()? {
            Some(statement) => Ok(explain_of(statement, true)),
            None => Err(self.error()),
        }
    }
}

fn explain_of(statement: Statement, is_analyze: bool) -> StatementKind {
    let statement = Some(statement);
    StatementKind::Explain(Box::new(Explain { for_connection: false, statement, is_analyze }))
}
