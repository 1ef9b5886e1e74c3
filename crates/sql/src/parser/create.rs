//! CREATE, DROP, TRUNCATE, RENAME.

use super::{Parsed, Parser};
use crate::ast::{
    CreateDatabase, CreateIndex, CreateTable, CreateView, DropDatabase, DropIndex, DropTable,
    DropView, IndexKind, StatementKind, TableName,
};
use crate::{Keyword as K, TokenKind as T};

impl Parser<'_> {
    pub(super) fn create(&mut self) -> Parsed<StatementKind> {
        let verb = self.leading_words();
        let before = self.clone();
        self.advance();
        let or_replace = self.eat_keywords(&[K::Or, K::Replace]);
        let is_temporary = self.eat_keyword(K::Temporary);
        while self.at_word("ONLINE") || self.at_word("OFFLINE") {
            self.advance();
        }
        match self.keyword() {
            K::Table => self.create_table(or_replace, is_temporary),
            K::Sequence => self.create_sequence(),
            _ if is_temporary => Err(self.error()),
            K::Database | K::Schema => self.create_database(),
            K::Spatial if self.at_reference_system() => self.shaped(&verb, Vec::new()),
            K::Index | K::Unique | K::Fulltext | K::Spatial => self.create_index(),
            _ => match self.routine_kind() {
                K::View => self.create_view(),
                K::Trigger => self.create_trigger(),
                K::Absent => {
                    *self = before;
                    self.other()
                }
                kind => self.opaque(&format!("CREATE {}", kind.text())),
            },
        }
    }

    fn at_reference_system(&self) -> bool {
        self.peek(1).0.span.of(self.text()).eq_ignore_ascii_case(b"REFERENCE")
    }

    /// Goes to the word that says what is created or altered, past DEFINER and the like.
    pub(super) fn routine_kind(&mut self) -> K {
        for _ in 0..24 {
            let here = self.keyword();
            match here {
                K::View | K::Trigger | K::Procedure | K::Function | K::Event => return here,
                _ if self.at_word("PACKAGE") => return K::Procedure,
                K::Algorithm | K::Definer | K::Sql | K::Security | K::Aggregate => {}
                K::Invoker | K::Undefined | K::Merge | K::Temptable => {}
                _ if self.at_end()
                    || self.at(T::LeftParen) && self.peek_kind() != T::RightParen =>
                {
                    return K::Absent;
                }
                _ => {}
            }
            self.advance();
        }
        K::Absent
    }

    fn create_table(&mut self, or_replace: bool, is_temporary: bool) -> Parsed<StatementKind> {
        self.advance();
        let if_not_exists = self.eat_keywords(&[K::If, K::Not, K::Exists]);
        let mut table = CreateTable {
            or_replace,
            is_temporary,
            if_not_exists,
            name: self.table_name()?,
            columns: Vec::new(),
            indexes: Vec::new(),
            like: None,
            query: None,
            has_partitions: false,
        };
        if self.eat_keyword(K::Like) {
            table.like = Some(self.table_name()?);
        } else if self.at(T::LeftParen) && self.peek_keyword() == K::Like {
            self.advance();
            self.advance();
            table.like = Some(self.table_name()?);
            self.expect(T::RightParen)?;
        } else {
            if self.at(T::LeftParen) && !self.starts_nested_query() {
                self.table_elements(&mut table)?;
            }
            self.table_options(&mut table)?;
            if table.columns.is_empty() && table.query.is_none() {
                return Err(self.error());
            }
        }
        Ok(StatementKind::CreateTable(Box::new(table)))
    }

    /// `(column, index, ..)`.
    fn table_elements(&mut self, table: &mut CreateTable) -> Parsed<()> {
        self.advance();
        loop {
            if self.at_index_definition() {
                let index = self.index_definition()?;
                table.indexes.push(index);
            } else if self.at_keyword(K::Period) && self.peek_keyword() == K::For {
                self.skip_until(|parser| parser.at(T::Comma) || parser.at(T::RightParen))?;
            } else {
                let column = self.column_definition()?;
                table.columns.push(column);
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RightParen)?;
        Ok(())
    }

    /// Options, PARTITION BY, and the query that fills the table.
    fn table_options(&mut self, table: &mut CreateTable) -> Parsed<()> {
        loop {
            let is_option = self.at_keyword(K::With)
                && matches!(self.peek_keyword(), K::System | K::Versioning);
            self.skip_until(|parser| {
                !is_option
                    && (parser.at_any(&[K::Partition, K::As, K::Select, K::With, K::Values])
                        || parser.at(T::LeftParen) && parser.starts_nested_query())
            })?;
            if self.eat_keyword(K::Partition) {
                table.has_partitions = true;
                self.skip_until(|parser| {
                    parser.at_any(&[K::As, K::Select, K::With, K::Ignore, K::Replace])
                        || parser.at(T::LeftParen) && parser.starts_nested_query()
                })?;
            } else if self.at_keyword(K::With)
                && matches!(self.peek_keyword(), K::System | K::Versioning)
            {
                self.advance();
                self.advance();
            } else if self.at_end() {
                return Ok(());
            } else if self.at_any(&[K::Ignore, K::Replace]) {
                self.advance();
            } else {
                self.eat_keyword(K::As);
                table.query = Some(self.query()?);
                return Ok(());
            }
        }
    }

    fn create_sequence(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keywords(&[K::If, K::Not, K::Exists]);
        let tables = vec![self.table_name()?];
        self.shaped("CREATE SEQUENCE", tables)
    }

    fn create_database(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let if_not_exists = self.eat_keywords(&[K::If, K::Not, K::Exists]);
        let name = self.expect_ident()?;
        self.skip_rest()?;
        Ok(StatementKind::CreateDatabase(CreateDatabase { if_not_exists, name }))
    }

    fn create_index(&mut self) -> Parsed<StatementKind> {
        let kind = self.index_kind();
        self.expect_keyword(K::Index)?;
        self.eat_keywords(&[K::If, K::Not, K::Exists]);
        let name = self.expect_ident()?;
        self.index_type()?;
        self.expect_keyword(K::On)?;
        let table = self.table_name()?;
        let columns = self.key_parts()?;
        self.skip_rest()?;
        Ok(StatementKind::CreateIndex(Box::new(CreateIndex { kind, name, table, columns })))
    }

    /// The word before INDEX, if there is one.
    fn index_kind(&mut self) -> IndexKind {
        let kind = match self.keyword() {
            K::Unique => IndexKind::Unique,
            K::Fulltext => IndexKind::Fulltext,
            K::Spatial => IndexKind::Spatial,
            _ => return IndexKind::Plain,
        };
        self.advance();
        kind
    }

    /// Stands at VIEW.
    pub(super) fn create_view(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keywords(&[K::If, K::Not, K::Exists]);
        let name = self.table_name()?;
        self.optional_ident_list()?;
        self.expect_keyword(K::As)?;
        let query = self.query()?;
        if self.eat_keyword(K::With) {
            if self.at_any(&[K::Cascaded, K::Local]) {
                self.advance();
            }
            self.expect_keyword(K::Check)?;
            self.expect_keyword(K::Option)?;
        }
        Ok(StatementKind::CreateView(Box::new(CreateView { name, query })))
    }

    /// The table of a trigger is known; those of its body are not.
    fn create_trigger(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.skip_until(|parser| parser.at_keyword(K::On))?;
        self.expect_keyword(K::On)?;
        let tables = vec![self.table_name()?];
        self.opaque_with("CREATE TRIGGER", tables)
    }

    pub(super) fn drop(&mut self) -> Parsed<StatementKind> {
        match self.peek_keyword() {
            K::Prepare => return self.deallocate(),
            K::Index => {
                self.advance();
                return self.drop_index();
            }
            K::Table | K::Tables | K::Temporary | K::View | K::Database | K::Schema => {}
            K::Sequence => {
                self.advance();
                self.advance();
                self.eat_keywords(&[K::If, K::Exists]);
                let tables = self.table_names()?;
                return self.shaped("DROP SEQUENCE", tables);
            }
            _ => return self.other(),
        }
        self.advance();
        let is_temporary = self.eat_keyword(K::Temporary);
        let what = self.advance_keyword();
        let if_exists = self.eat_keywords(&[K::If, K::Exists]);
        match what {
            K::Table | K::Tables => {
                let names = self.drop_list()?;
                Ok(StatementKind::DropTable(DropTable { is_temporary, if_exists, names }))
            }
            K::Sequence if is_temporary => {
                let tables = self.table_names()?;
                self.shaped("DROP SEQUENCE", tables)
            }
            _ if is_temporary => Err(self.error()),
            K::View => {
                let names = self.drop_list()?;
                Ok(StatementKind::DropView(DropView { if_exists, names }))
            }
            _ => {
                let name = self.expect_ident()?;
                Ok(StatementKind::DropDatabase(DropDatabase { if_exists, name }))
            }
        }
    }

    /// `t, .. [WAIT n] [RESTRICT|CASCADE]`.
    fn drop_list(&mut self) -> Parsed<Vec<TableName>> {
        let names = self.table_names()?;
        self.wait_option()?;
        if self.at_any(&[K::Restrict, K::Cascade]) {
            self.advance();
        }
        Ok(names)
    }

    fn drop_index(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keywords(&[K::If, K::Exists]);
        let name = match self.at_keyword(K::Primary) {
            true => self.take_ident(),
            false => self.expect_ident()?,
        };
        self.expect_keyword(K::On)?;
        let table = self.table_name()?;
        self.skip_rest()?;
        Ok(StatementKind::DropIndex(DropIndex { name, table }))
    }

    pub(super) fn truncate(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keyword(K::Table);
        let name = self.table_name()?;
        self.wait_option()?;
        Ok(StatementKind::TruncateTable(name))
    }

    pub(super) fn rename(&mut self) -> Parsed<StatementKind> {
        if !matches!(self.peek_keyword(), K::Table | K::Tables) {
            return self.other();
        }
        self.advance();
        self.advance();
        self.eat_keywords(&[K::If, K::Exists]);
        let pairs = self.comma_list(|parser| {
            let from = parser.table_name()?;
            parser.wait_option()?;
            parser.expect_keyword(K::To)?;
            Ok((from, parser.table_name()?))
        })?;
        Ok(StatementKind::RenameTable(pairs))
    }
}
