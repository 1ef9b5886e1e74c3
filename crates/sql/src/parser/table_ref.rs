//! What stands in FROM: tables, derived tables, joins.

use super::{Parsed, Parser};
use crate::ast::{Expr, Ident, Join, JoinKind, Query, TableFactor, TableRef};
use crate::{Keyword as K, TokenKind as T};

/// What a join word leads to.
struct JoinWords {
    kind: JoinKind,
    /// ON or USING must follow.
    needs_condition: bool,
}

impl Parser<'_> {
    /// One member of a FROM list with all its joins.
    pub(super) fn table_ref(&mut self) -> Parsed<TableRef> {
        let factor = self.table_factor()?;
        self.joins(factor)
    }

    /// The joins behind a table that is read already.
    ///
    /// `a JOIN b JOIN c ON x ON y` is `a JOIN (b JOIN c ON x) ON y`: the right side takes what it
    /// can. A join left without a condition then gives back what its right side took too much:
    /// `a JOIN b JOIN c ON x` is `(a JOIN b) JOIN c ON x`.
    fn joins(&mut self, mut left: TableRef) -> Parsed<TableRef> {
        while let Some(words) = self.join_words()? {
            let is_natural = matches!(
                words.kind,
                JoinKind::NaturalInner | JoinKind::NaturalLeft | JoinKind::NaturalRight
            );
            if is_natural {
                let right = self.table_factor()?;
                left = self.join(left, words.kind, right, None, Vec::new());
                self.grow(1)?;
                continue;
            }
            self.enter()?;
            let right = self.table_ref()?;
            self.leave();
            let (on, using) = self.join_condition()?;
            if on.is_none() && using.is_empty() {
                if words.needs_condition {
                    return Err(self.error());
                }
                left = self.join_leftmost(left, words.kind, right);
            } else {
                left = self.join(left, words.kind, right, on, using);
            }
            self.grow(1)?;
        }
        Ok(left)
    }

    /// Goes past `[LEFT|..] JOIN`, if it stands here.
    fn join_words(&mut self) -> Parsed<Option<JoinWords>> {
        let is_natural = self.at_keyword(K::Natural);
        let first = if is_natural { self.peek_keyword() } else { self.keyword() };
        let (kind, needs_condition) = match first {
            K::Join | K::Inner | K::Cross => (JoinKind::Inner, false),
            K::StraightJoin if !is_natural => (JoinKind::Inner, false),
            K::Left => (JoinKind::Left, true),
            K::Right => (JoinKind::Right, true),
            _ => return Ok(None),
        };
        if is_natural {
            self.advance();
        }
        self.advance();
        if matches!(first, K::Left | K::Right) {
            self.eat_keyword(K::Outer);
        }
        if !matches!(first, K::Join | K::StraightJoin) {
            self.expect_keyword(K::Join)?;
        }
        let kind = match kind {
            JoinKind::Inner if is_natural => JoinKind::NaturalInner,
            JoinKind::Left if is_natural => JoinKind::NaturalLeft,
            JoinKind::Right if is_natural => JoinKind::NaturalRight,
            kind => kind,
        };
        Ok(Some(JoinWords { kind, needs_condition }))
    }

    fn join_condition(&mut self) -> Parsed<(Option<Expr>, Vec<Ident>)> {
        if self.eat_keyword(K::On) {
            return Ok((Some(self.expr()?), Vec::new()));
        }
        if self.eat_keyword(K::Using) {
            return Ok((None, self.ident_list()?));
        }
        Ok((None, Vec::new()))
    }

    fn join(
        &self,
        left: TableRef,
        kind: JoinKind,
        right: TableRef,
        on: Option<Expr>,
        using: Vec<Ident>,
    ) -> TableRef {
        let span = self.span_from(left.span().start);
        TableRef::Join(Box::new(Join { left, kind, right, on, using, span }))
    }

    /// Joins `left` with the first table of `right`, and that with the rest of it.
    fn join_leftmost(&self, left: TableRef, kind: JoinKind, right: TableRef) -> TableRef {
        let start = left.span().start;
        let mut taken = Vec::new();
        let mut first = right;
        while let TableRef::Join(join) = first {
            let Join { left, kind, right, on, using, span } = *join;
            taken.push((kind, right, on, using, span));
            first = left;
        }
        let span = left.span().to(first.span());
        let using = Vec::new();
        let mut joined =
            TableRef::Join(Box::new(Join { left, kind, right: first, on: None, using, span }));
        while let Some((kind, right, on, using, mut span)) = taken.pop() {
            span.start = start;
            let join = Join { left: joined, kind, right, on, using, span };
            joined = TableRef::Join(Box::new(join));
        }
        joined
    }

    fn table_factor(&mut self) -> Parsed<TableRef> {
        match self.keyword() {
            K::Lateral if self.peek_kind() == T::LeftParen => {
                let start = self.advance().span.start;
                let query = self.parenthesised_query()?;
                self.derived(query, true, start)
            }
            K::JsonTable if self.peek_kind() == T::LeftParen => {
                let start = self.advance().span.start;
                self.skip_parens()?;
                let alias = self.table_alias()?;
                Ok(TableRef::Function { alias, span: self.span_from(start) })
            }
            _ => match self.kind() {
                T::LeftParen => self.parenthesised_tables(),
                T::LeftBrace => self.odbc_join(),
                _ => self.named_table(),
            },
        }
    }

    /// `(query) alias`, `(t1, t2)`, `(t1 JOIN t2 ..)`.
    fn parenthesised_tables(&mut self) -> Parsed<TableRef> {
        let start = self.span().start;
        if self.starts_query(1) || self.peek_keyword() == K::Values {
            let query = self.parenthesised_query()?;
            return self.derived(query, false, start);
        }
        self.advance();
        self.enter()?;
        let first = self.table_ref()?;
        // `((SELECT ..) UNION ..)`: what looked like a table was the first part of a query.
        let first = match first {
            TableRef::Derived { query, alias: None, span, .. }
                if !matches!(self.kind(), T::Comma) =>
            {
                let query = self.query_from_nested(query, span)?;
                self.expect(T::RightParen)?;
                self.leave();
                return self.derived(query, false, start);
            }
            table => table,
        };
        let mut tables = vec![first];
        while self.eat(T::Comma) {
            tables.push(self.table_ref()?);
        }
        self.expect(T::RightParen)?;
        self.leave();
        Ok(TableRef::Nested(tables, self.span_from(start)))
    }

    /// A derived table whose query is read: its alias and column list.
    fn derived(&mut self, query: Box<Query>, is_lateral: bool, start: u32) -> Parsed<TableRef> {
        let alias = self.table_alias()?;
        if alias.is_some() {
            self.optional_ident_list()?;
        }
        Ok(TableRef::Derived { query, alias, is_lateral, span: self.span_from(start) })
    }

    /// `{OJ a LEFT JOIN b ON ..}`.
    fn odbc_join(&mut self) -> Parsed<TableRef> {
        let start = self.advance().span.start;
        self.enter()?;
        self.expect_ident()?;
        let inner = self.table_ref()?;
        self.expect(T::RightBrace)?;
        self.leave();
        Ok(TableRef::Nested(vec![inner], self.span_from(start)))
    }

    fn named_table(&mut self) -> Parsed<TableRef> {
        let start = self.span().start;
        let name = self.table_name()?;
        let has_partition = self.partition_list()?;
        if self.at_keyword(K::For) && self.peek_keyword() == K::SystemTime {
            self.system_time()?;
        }
        let alias_at = self.previous_end();
        let alias = self.table_alias()?;
        self.index_hints()?;
        let span = self.span_from(start);
        Ok(TableRef::Table(Box::new(TableFactor { name, alias, has_partition, span, alias_at })))
    }

    /// `PARTITION (p, ..)`, if it stands here.
    pub(super) fn partition_list(&mut self) -> Parsed<bool> {
        let is_here = self.eat_keyword(K::Partition);
        if is_here {
            self.ident_list()?;
        }
        Ok(is_here)
    }

    /// `FOR SYSTEM_TIME ALL|AS OF ..|BETWEEN .. AND ..|FROM .. TO ..` of MariaDB.
    fn system_time(&mut self) -> Parsed<()> {
        self.advance();
        self.advance();
        match self.keyword() {
            K::All => {
                self.advance();
            }
            K::As => {
                self.advance();
                self.expect_keyword(K::Of)?;
                self.time_point()?;
            }
            K::Between => {
                self.advance();
                self.time_point()?;
                self.expect_keyword(K::And)?;
                self.time_point()?;
            }
            _ => {
                self.expect_keyword(K::From)?;
                self.time_point()?;
                self.expect_keyword(K::To)?;
                self.time_point()?;
            }
        }
        Ok(())
    }

    fn time_point(&mut self) -> Parsed<()> {
        if self.at_keyword(K::Transaction) {
            self.advance();
        }
        self.expr_above(super::infix::binding::BIT_OR).map(drop)
    }

    /// `[AS] alias`, if it stands here.
    pub(super) fn table_alias(&mut self) -> Parsed<Option<Ident>> {
        if self.eat_keyword(K::As) {
            return Ok(Some(self.expect_ident()?));
        }
        // Words that MySQL lets be names but that go on behind a table in one of the dialects.
        let goes_on = self.at_any(&[K::Returning, K::Offset]);
        match self.at_ident() && !goes_on {
            true => Ok(Some(self.take_ident())),
            false => Ok(None),
        }
    }

    /// `USE|FORCE|IGNORE INDEX|KEY [FOR JOIN|ORDER BY|GROUP BY] (i, ..)`, any number of them.
    fn index_hints(&mut self) -> Parsed<()> {
        while self.at_any(&[K::Use, K::Force, K::Ignore])
            && matches!(self.peek_keyword(), K::Index | K::Key)
        {
            self.advance();
            self.advance();
            if self.eat_keyword(K::For) {
                match self.eat_keyword(K::Join) {
                    true => {}
                    false if self.at_any(&[K::Order, K::Group]) => {
                        self.advance();
                        self.expect_keyword(K::By)?;
                    }
                    false => return Err(self.error()),
                }
            }
            self.skip_parens()?;
        }
        Ok(())
    }
}
