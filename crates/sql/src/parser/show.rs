//! SHOW.

use super::{Parsed, Parser};
use crate::ast::{Ident, Show, ShowFilter, ShowKind, StatementKind, TableName, VariableScope};
use crate::{Keyword as K, TokenKind as T, quoting};

impl Parser<'_> {
    pub(super) fn show(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let show = match self.known_show()? {
            Some(show) => show,
            None => self.other_show()?,
        };
        Ok(StatementKind::Show(Box::new(show)))
    }

    fn known_show(&mut self) -> Parsed<Option<Show>> {
        let scope = self.scope_keyword();
        let is_full = self.at_keyword(K::Full);
        let is_extended = self.at_keyword(K::Extended);
        let subject = match scope.is_some() || is_full || is_extended {
            true => self.peek_keyword(),
            false => self.keyword(),
        };
        if is_extended && subject == K::Full {
            self.advance();
            return self.known_show();
        }
        let is_known = matches!(
            subject,
            K::Tables
                | K::Columns
                | K::Fields
                | K::Index
                | K::Indexes
                | K::Keys
                | K::Processlist
                | K::Variables
                | K::Status
                | K::Databases
                | K::Schemas
                | K::Create
                | K::Table
                | K::Warnings
                | K::Errors
                | K::Count
        );
        if !is_known {
            return Ok(None);
        }
        if scope.is_some() || is_full || is_extended {
            self.advance();
        }
        let scope = scope.unwrap_or(VariableScope::Unspecified);
        let kind = match subject {
            K::Databases | K::Schemas => ShowKind::Databases,
            K::Tables => ShowKind::Tables { is_full },
            K::Variables => ShowKind::Variables { scope },
            K::Status => ShowKind::Status { scope },
            K::Processlist => ShowKind::ProcessList { is_full },
            K::Columns | K::Fields => {
                return self.show_of_table(|table| ShowKind::Columns { table, is_full });
            }
            K::Index | K::Indexes | K::Keys => {
                return self.show_of_table(|table| ShowKind::Index { table });
            }
            K::Table => {
                if self.peek_keyword() != K::Status {
                    return Ok(None);
                }
                self.advance();
                ShowKind::TableStatus
            }
            K::Create => return self.show_create(),
            _ => return self.show_conditions(),
        };
        self.advance();
        let database = self.shown_database()?;
        self.show_end(kind, database).map(Some)
    }

    /// `COLUMNS FROM t [FROM db] ..` and the like; stands at the subject.
    fn show_of_table(&mut self, kind: impl FnOnce(TableName) -> ShowKind) -> Parsed<Option<Show>> {
        self.advance();
        if !self.eat_keyword(K::From) {
            self.expect_keyword(K::In)?;
        }
        let table = self.table_name()?;
        let database = self.shown_database()?;
        self.show_end(kind(table), database).map(Some)
    }

    fn shown_database(&mut self) -> Parsed<Option<Ident>> {
        match self.eat_keyword(K::From) || self.eat_keyword(K::In) {
            true => Ok(Some(self.expect_ident()?)),
            false => Ok(None),
        }
    }

    /// `LIKE ..` or `WHERE ..`.
    fn show_end(&mut self, kind: ShowKind, database: Option<Ident>) -> Parsed<Show> {
        let filter = if self.eat_keyword(K::Like) {
            Some(ShowFilter::Like(self.expect_string()?))
        } else {
            self.where_clause()?.map(ShowFilter::Where)
        };
        Ok(Show { kind, database, filter, limit: None })
    }

    fn show_create(&mut self) -> Parsed<Option<Show>> {
        let subject = self.peek_keyword();
        if !matches!(subject, K::Table | K::View | K::Database | K::Schema) {
            return Ok(None);
        }
        self.advance();
        self.advance();
        let kind = match subject {
            K::Table => ShowKind::CreateTable(self.table_name()?),
            K::View => ShowKind::CreateView(self.table_name()?),
            _ => {
                self.eat_keywords(&[K::If, K::Not, K::Exists]);
                ShowKind::CreateDatabase(self.expect_ident()?)
            }
        };
        Ok(Some(Show { kind, database: None, filter: None, limit: None }))
    }

    /// `[COUNT(*)] WARNINGS|ERRORS [LIMIT ..]`.
    fn show_conditions(&mut self) -> Parsed<Option<Show>> {
        let is_count = self.eat_keyword(K::Count);
        if is_count {
            self.expect(T::LeftParen)?;
            self.expect(T::Star)?;
            self.expect(T::RightParen)?;
        }
        let kind = if self.eat_keyword(K::Errors) {
            ShowKind::Errors { is_count }
        } else {
            self.expect_keyword(K::Warnings)?;
            ShowKind::Warnings { is_count }
        };
        let limit = if is_count { None } else { self.limit()? };
        Ok(Some(Show { kind, database: None, filter: None, limit }))
    }

    /// The words up to a name or a filter; what follows is read as far as it is FROM, LIKE or
    /// WHERE, and else passed over.
    fn other_show(&mut self) -> Parsed<Show> {
        if !self.at(T::Word) {
            return Err(self.error());
        }
        let is_create = self.at_keyword(K::Create);
        let mut words = String::new();
        while self.at(T::Word)
            && !self.at_any(&[K::From, K::In, K::Like, K::Where, K::For, K::Limit])
            && !(is_create && words.contains(' '))
        {
            if !words.is_empty() {
                words.push(' ');
            }
            let word = quoting::text_at(self.text(), self.advance().span);
            words.push_str(&word.to_ascii_uppercase());
        }
        let kind = ShowKind::Other { words };
        let names_database = self.at_any(&[K::From, K::In]) && self.peek_kind() != T::String;
        let database = if names_database { self.shown_database()? } else { None };
        let show = self.show_end(kind, database)?;
        self.skip_rest()?;
        Ok(show)
    }
}
