//! Statements that are read for their shape only: leading words, and the tables they name.

use super::{Parsed, Parser};
use crate::ast::{Other, StatementKind, TableMaintenance, TableName};
use crate::{Keyword as K, TokenKind as T, quoting};

impl Parser<'_> {
    /// A statement that no other function reads in depth.
    pub(super) fn other(&mut self) -> Parsed<StatementKind> {
        let (first, second) = (self.keyword(), self.peek_keyword());
        match (first, second) {
            (K::Grant | K::Revoke, _) => self.grant(),
            (K::Handler, _) => {
                self.advance();
                let tables = vec![self.table_name()?];
                self.shaped("HANDLER", tables)
            }
            (K::Flush, _) => self.flush(),
            (K::Cache, K::Index) => {
                self.advance();
                self.advance();
                let tables = self.tables_with_options()?;
                self.shaped("CACHE INDEX", tables)
            }
            (K::Load, K::Index) => {
                self.advance();
                self.advance();
                self.expect_keyword(K::Into)?;
                self.expect_keyword(K::Cache)?;
                let tables = self.tables_with_options()?;
                self.shaped("LOAD INDEX", tables)
            }
            _ if self.at_known_verb() => {
                let stands_alone = self.at_word("SHUTDOWN") || self.at_word("RESTART");
                if matches!(self.peek_kind(), T::End | T::Semicolon) && !stands_alone {
                    self.advance();
                    return Err(self.error());
                }
                let verb = self.leading_words();
                self.shaped(&verb, Vec::new())
            }
            _ => Err(self.error()),
        }
    }

    /// Statements without tables, known by their first word.
    fn at_known_verb(&self) -> bool {
        const VERBS: [&str; 29] = [
            "BACKUP",
            "BINLOG",
            "CHANGE",
            "CLONE",
            "GET",
            "HELP",
            "IMPORT",
            "INSTALL",
            "KILL",
            "LOCK",
            "PURGE",
            "RESET",
            "RESIGNAL",
            "RESTART",
            "SHUTDOWN",
            "SIGNAL",
            "SLAVE",
            "START",
            "STOP",
            "UNINSTALL",
            "UNLOCK",
            "DIAGNOSTICS",
            "RENAME",
            "ALTER",
            "DROP",
            "CREATE",
            "SET",
            "EXPORT",
            "CHECKPOINT",
        ];
        let known = VERBS.iter().any(|verb| self.at_word(verb));
        known && !matches!(self.peek_kind(), T::Equal | T::Dot | T::Comma)
    }

    /// The first word, and the second if it is a key word, in upper case.
    pub(super) fn leading_words(&self) -> String {
        let mut words = quoting::text_at(self.text(), self.span());
        let (second, keyword) = self.peek(1);
        if keyword != K::Absent {
            words.push(' ');
            words.push_str(&quoting::text_at(self.text(), second.span));
        }
        words.make_ascii_uppercase();
        words
    }

    /// The rest has no tables but `tables`.
    pub(super) fn shaped(&mut self, verb: &str, tables: Vec<TableName>) -> Parsed<StatementKind> {
        self.skip_rest()?;
        let verb = verb.to_owned();
        Ok(StatementKind::Other(Other { verb, tables, tables_are_complete: true }))
    }

    /// The rest may name any table: the whole text is taken, semicolons of a body included.
    pub(super) fn opaque(&mut self, verb: &str) -> Parsed<StatementKind> {
        self.opaque_with(verb, Vec::new())
    }

    /// As [`Self::opaque`], with the tables that are known.
    pub(super) fn opaque_with(
        &mut self,
        verb: &str,
        tables: Vec<TableName>,
    ) -> Parsed<StatementKind> {
        let mut end = None;
        while !self.at(T::End) {
            if matches!(self.kind(), T::Error(_)) {
                return Err(self.error());
            }
            // The last semicolon is the statement's own.
            if self.at(T::Semicolon) && self.peek_kind() == T::End {
                end = Some(());
                break;
            }
            self.advance();
        }
        debug_assert!(end.is_some() || self.at(T::End));
        let verb = verb.to_owned();
        Ok(StatementKind::Other(Other { verb, tables, tables_are_complete: false }))
    }

    /// `GRANT .. ON [TABLE] t TO ..`; a grant on `*` names whatever is there.
    fn grant(&mut self) -> Parsed<StatementKind> {
        let verb = self.advance_keyword().text();
        self.skip_until(|parser| parser.at_any(&[K::On, K::To, K::From]))?;
        let mut tables = Vec::new();
        if self.eat_keyword(K::On) {
            if self.at_any(&[K::Function, K::Procedure]) && self.peek_kind() != T::Dot {
                return self.shaped(verb, tables);
            }
            self.eat_keyword(K::Table);
            let is_wild =
                self.at(T::Star) || (self.peek_kind() == T::Dot && self.peek(2).0.kind == T::Star);
            if is_wild {
                return self.opaque(verb);
            }
            // `ON 'u'@'h'` of GRANT PROXY has no table.
            if self.at_ident() && !matches!(self.peek_kind(), T::UserVariable) {
                tables.push(self.table_name()?);
            }
        }
        self.shaped(verb, tables)
    }

    /// `FLUSH TABLES [t, ..] ..`, `FLUSH LOGS` and the like.
    fn flush(&mut self) -> Parsed<StatementKind> {
        let verb = "FLUSH";
        self.advance();
        if self.at_any(&[K::Local, K::NoWriteToBinlog]) {
            self.advance();
        }
        if !self.eat_keyword(K::Tables) && !self.eat_keyword(K::Table) {
            return match self.at_end() {
                true => Err(self.error()),
                false => self.shaped(verb, Vec::new()),
            };
        }
        if !self.at_ident() {
            return self.shaped("FLUSH TABLES", Vec::new());
        }
        let tables = self.table_names()?;
        self.shaped("FLUSH TABLES", tables)
    }

    /// `t [options], ..`.
    fn tables_with_options(&mut self) -> Parsed<Vec<TableName>> {
        self.comma_list(|parser| {
            let name = parser.table_name()?;
            parser.skip_until(|parser| parser.at(T::Comma))?;
            Ok(name)
        })
    }

    /// `ANALYZE|OPTIMIZE|CHECK|CHECKSUM|REPAIR [NO_WRITE_TO_BINLOG|LOCAL] TABLE t, .. [options]`.
    pub(super) fn table_maintenance(&mut self) -> Parsed<StatementKind> {
        let verb = self.advance_keyword().text();
        if self.at_any(&[K::Local, K::NoWriteToBinlog]) {
            self.advance();
        }
        if !self.at_any(&[K::Table, K::Tables, K::View]) {
            return Err(self.error());
        }
        self.advance();
        let tables = self.table_names()?;
        self.skip_rest()?;
        Ok(StatementKind::TableMaintenance(TableMaintenance { verb, tables }))
    }

    /// `LOCK TABLES t [AS a] READ|WRITE, ..`.
    pub(super) fn lock(&mut self) -> Parsed<StatementKind> {
        if !matches!(self.peek_keyword(), K::Table | K::Tables) {
            return self.other();
        }
        self.advance();
        self.advance();
        let tables = self.comma_list(|parser| {
            let name = parser.table_name()?;
            parser.table_alias()?;
            if parser.eat_keyword(K::Read) {
                parser.eat_keyword(K::Local);
            } else {
                parser.eat_keyword(K::LowPriority);
                parser.eat_word("CONCURRENT");
                parser.expect_keyword(K::Write)?;
            }
            Ok(name)
        })?;
        self.wait_option()?;
        Ok(StatementKind::LockTables(tables))
    }

    /// `WAIT n`, `NOWAIT` of MariaDB.
    pub(super) fn wait_option(&mut self) -> Parsed<()> {
        if self.at_word("WAIT") && self.peek_kind() == T::Integer {
            self.advance();
            self.advance();
        } else {
            self.eat_keyword(K::Nowait);
        }
        Ok(())
    }

    pub(super) fn unlock(&mut self) -> Parsed<StatementKind> {
        if !matches!(self.peek_keyword(), K::Table | K::Tables) {
            return self.other();
        }
        self.advance();
        self.advance();
        Ok(StatementKind::UnlockTables)
    }
}
