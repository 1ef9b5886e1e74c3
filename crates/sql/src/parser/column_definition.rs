//! Columns, keys and constraints of CREATE TABLE and ALTER TABLE.

use super::{Parsed, Parser};
use crate::ast::{ColumnDefinition, Ident, IndexDefinition, IndexKind, TableName};
use crate::{Keyword as K, TokenKind as T};

impl Parser<'_> {
    /// `name type [attribute ..]`.
    pub(super) fn column_definition(&mut self) -> Parsed<ColumnDefinition> {
        let start = self.span().start;
        let name = self.expect_ident()?;
        if self.eat(T::Dot) {
            self.expect_ident_behind_dot()?;
        }
        let type_start = self.span().start;
        self.column_type()?;
        let type_span = self.span_from(type_start);
        let mut column = ColumnDefinition {
            name,
            type_span,
            is_auto_increment: false,
            is_primary_key: false,
            is_unique: false,
            references: None,
            span: type_span,
        };
        self.column_attributes(&mut column)?;
        column.span = self.span_from(start);
        Ok(column)
    }

    /// The type with its length and what belongs to it: `UNSIGNED`, `CHARACTER SET x` and so on.
    fn column_type(&mut self) -> Parsed<()> {
        if !self.at(T::Word) || self.at_keyword(K::Not) {
            return Err(self.error());
        }
        if self.advance_keyword() == K::Serial {
            return Ok(());
        }
        loop {
            match self.keyword() {
                K::Precision | K::Varying | K::Varchar | K::Varbinary | K::Char | K::Nchar => {}
                K::Unsigned | K::Signed | K::Zerofill | K::Binary | K::Ascii | K::Unicode => {}
                K::Byte => {}
                K::Character if self.peek_keyword() == K::Set => {
                    self.advance();
                    self.advance();
                    self.charset_name()?;
                    continue;
                }
                K::Character => {}
                K::Charset | K::Collate => {
                    self.advance();
                    self.charset_name()?;
                    continue;
                }
                _ if self.at(T::LeftParen) => {
                    self.skip_parens()?;
                    continue;
                }
                _ => return Ok(()),
            }
            self.advance();
        }
    }

    /// What follows the type, up to a comma, the closing parenthesis, FIRST, AFTER or PARTITION.
    fn column_attributes(&mut self, column: &mut ColumnDefinition) -> Parsed<()> {
        loop {
            match self.keyword() {
                K::AutoIncrement => column.is_auto_increment = true,
                K::Primary => {
                    self.advance();
                    self.expect_keyword(K::Key)?;
                    column.is_primary_key = true;
                    continue;
                }
                K::Unique => {
                    self.advance();
                    self.eat_keyword(K::Key);
                    column.is_unique = true;
                    continue;
                }
                K::Key => column.is_primary_key = true,
                K::References => {
                    column.references = Some(self.references()?);
                    continue;
                }
                K::Default => {
                    self.advance();
                    self.default_value()?;
                    continue;
                }
                K::Comment => {
                    self.advance();
                    self.expect_string()?;
                    continue;
                }
                K::First | K::After | K::Partition => return Ok(()),
                _ => match self.kind() {
                    T::LeftParen => {
                        self.skip_parens()?;
                        continue;
                    }
                    T::Word | T::String | T::Integer | T::Equal | T::QuotedIdent => {}
                    _ => return Ok(()),
                },
            }
            self.advance();
        }
    }

    /// What follows DEFAULT: a literal, `(expr)`, or a function.
    fn default_value(&mut self) -> Parsed<()> {
        match self.at(T::LeftParen) {
            true => self.skip_parens().map(drop),
            false => self.expr_above(super::infix::binding::BIT_OR).map(drop),
        }
    }

    /// `REFERENCES t [(columns)] [MATCH ..] [ON DELETE|UPDATE ..]`.
    fn references(&mut self) -> Parsed<TableName> {
        self.advance();
        let table = self.table_name()?;
        if self.at(T::LeftParen) {
            self.skip_parens()?;
        }
        loop {
            if self.eat_keyword(K::Match) {
                self.expect_any_ident()?;
            } else if self.at_keyword(K::On) && matches!(self.peek_keyword(), K::Delete | K::Update)
            {
                self.advance();
                self.advance();
                // SET NULL, SET DEFAULT and NO ACTION are two words.
                if self.at_any(&[K::Set, K::No]) {
                    self.advance();
                }
                self.expect_any_ident()?;
            } else {
                return Ok(table);
            }
        }
    }

    /// True where a key or a constraint starts, not a column.
    pub(super) fn at_index_definition(&self) -> bool {
        self.at_any(&[
            K::Constraint,
            K::Primary,
            K::Unique,
            K::Index,
            K::Key,
            K::Fulltext,
            K::Spatial,
            K::Foreign,
            K::Check,
        ])
    }

    /// `[CONSTRAINT [name]] PRIMARY KEY|UNIQUE|INDEX|.. (columns) [options]`.
    pub(super) fn index_definition(&mut self) -> Parsed<IndexDefinition> {
        let start = self.span().start;
        let mut name = None;
        if self.eat_keyword(K::Constraint) {
            self.eat_keywords(&[K::If, K::Not, K::Exists]);
            if self.at_ident() {
                name = Some(self.take_ident());
            }
        }
        let kind = match self.advance_keyword() {
            K::Primary => IndexKind::Primary,
            K::Unique => IndexKind::Unique,
            K::Index | K::Key => IndexKind::Plain,
            K::Fulltext => IndexKind::Fulltext,
            K::Spatial => IndexKind::Spatial,
            K::Foreign => IndexKind::Foreign,
            K::Check => IndexKind::Check,
            _ => return Err(self.error()),
        };
        if matches!(kind, IndexKind::Primary | IndexKind::Foreign) {
            self.expect_keyword(K::Key)?;
        } else if self.at_any(&[K::Index, K::Key]) {
            self.advance();
        }
        self.eat_keywords(&[K::If, K::Not, K::Exists]);
        let mut columns = Vec::new();
        let mut references = None;
        if kind == IndexKind::Check {
            self.skip_parens()?;
        } else {
            if self.at_ident() && !self.at_index_type() {
                let own = self.take_ident();
                name.get_or_insert(own);
            }
            self.index_type()?;
            columns = self.key_parts()?;
            if kind == IndexKind::Foreign && self.at_keyword(K::References) {
                references = Some(self.references()?);
            }
        }
        self.index_options()?;
        Ok(IndexDefinition { kind, name, columns, references, span: self.span_from(start) })
    }

    fn at_index_type(&self) -> bool {
        self.at_keyword(K::Type) && self.peek_kind() == T::Word
    }

    /// `USING BTREE`, if it stands here.
    pub(super) fn index_type(&mut self) -> Parsed<()> {
        if self.at_keyword(K::Using) || self.at_index_type() {
            self.advance();
            self.expect_any_ident()?;
        }
        Ok(())
    }

    /// `(column [(length)] [ASC|DESC] | (expr), ..)`; the columns.
    pub(super) fn key_parts(&mut self) -> Parsed<Vec<Ident>> {
        self.expect(T::LeftParen)?;
        let mut columns = Vec::new();
        loop {
            if self.at(T::LeftParen) {
                self.skip_parens()?;
            } else {
                columns.push(self.expect_ident()?);
                if self.at(T::LeftParen) {
                    self.skip_parens()?;
                }
            }
            // ASC, DESC, and MariaDB's WITHOUT OVERLAPS.
            self.skip_until(|parser| parser.at(T::Comma) || parser.at(T::RightParen))?;
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RightParen)?;
        Ok(columns)
    }

    /// What follows the columns, up to a comma, the closing parenthesis or PARTITION.
    fn index_options(&mut self) -> Parsed<()> {
        while matches!(self.kind(), T::Word | T::String | T::Integer | T::Equal | T::QuotedIdent)
            && !self.at_keyword(K::Partition)
        {
            self.advance();
        }
        Ok(())
    }
}
