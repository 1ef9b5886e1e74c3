//! ALTER.

use super::{Parsed, Parser};
use crate::ast::{AlterAction, AlterTable, Ident, IndexKind, StatementKind};
use crate::{Keyword as K, TokenKind as T};

impl Parser<'_> {
    pub(super) fn alter(&mut self) -> Parsed<StatementKind> {
        let verb = self.leading_words();
        let before = self.clone();
        self.advance();
        while self.at_word("ONLINE") || self.at_word("OFFLINE") || self.at_keyword(K::Ignore) {
            self.advance();
        }
        match self.keyword() {
            K::Table => self.alter_table(),
            K::Sequence => {
                self.advance();
                self.eat_keywords(&[K::If, K::Exists]);
                let tables = vec![self.table_name()?];
                self.shaped("ALTER SEQUENCE", tables)
            }
            K::Database | K::Schema | K::User => self.shaped(&verb, Vec::new()),
            K::Procedure | K::Function => self.shaped(&verb, Vec::new()),
            _ => match self.routine_kind() {
                K::View => self.create_view(),
                K::Event => self.opaque("ALTER EVENT"),
                _ => {
                    *self = before;
                    self.other()
                }
            },
        }
    }

    fn alter_table(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keywords(&[K::If, K::Exists]);
        let name = self.table_name()?;
        self.wait_option()?;
        let mut actions = Vec::new();
        while !self.at_end() {
            self.alter_action(&mut actions)?;
            // PARTITION BY stands behind the last action without a comma.
            if !self.eat(T::Comma) && !self.at_keyword(K::Partition) && !self.at_end() {
                return Err(self.error());
            }
        }
        Ok(StatementKind::AlterTable(Box::new(AlterTable { name, actions })))
    }

    fn alter_action(&mut self, actions: &mut Vec<AlterAction>) -> Parsed<()> {
        let action = match self.keyword() {
            K::Add => return self.alter_add(actions),
            K::Drop => self.alter_drop()?,
            K::Modify => {
                self.advance();
                self.column_words(&[K::If, K::Exists]);
                let column = self.column_definition()?;
                self.column_place()?;
                AlterAction::ModifyColumn(column)
            }
            K::Change => {
                self.advance();
                self.column_words(&[K::If, K::Exists]);
                let old = self.expect_ident()?;
                let column = self.column_definition()?;
                self.column_place()?;
                AlterAction::ChangeColumn(old, column)
            }
            K::Rename => self.alter_rename()?,
            K::Alter => self.alter_alter()?,
            K::Exchange if self.peek_keyword() == K::Partition => self.exchange_partition()?,
            _ if self.at_partition_action() => AlterAction::Partition(self.action_text()?),
            _ => AlterAction::Other(self.action_text()?),
        };
        actions.push(action);
        Ok(())
    }

    /// The text of an action that is not modelled.
    fn action_text(&mut self) -> Parsed<crate::Span> {
        let start = self.span().start;
        self.skip_until(|parser| {
            parser.at(T::Comma) || parser.at_keyword(K::Partition) && parser.span().start > start
        })?;
        // `TRUNCATE PARTITION p`: the word is part of the action, not the clause at the end.
        if self.at_keyword(K::Partition) && self.peek_keyword() != K::By {
            self.skip_until(|parser| parser.at(T::Comma) && parser.peek_kind() != T::Word)?;
        } else if self.at_keyword(K::Partition) && self.previous_end() <= start {
            self.skip_rest()?;
        }
        Ok(self.span_from(start))
    }

    fn at_partition_action(&self) -> bool {
        matches!(
            self.keyword(),
            K::Truncate
                | K::Reorganize
                | K::Coalesce
                | K::Analyze
                | K::Check
                | K::Optimize
                | K::Rebuild
                | K::Repair
                | K::Discard
                | K::Import
        ) && self.peek_keyword() == K::Partition
            || self.at_keyword(K::Partition)
            || self.at_word("REMOVE")
    }

    /// `[COLUMN] [IF [NOT] EXISTS]`.
    fn column_words(&mut self, condition: &[K]) {
        self.eat_keyword(K::Column);
        self.eat_keywords(condition);
    }

    /// `FIRST`, `AFTER column`.
    fn column_place(&mut self) -> Parsed<()> {
        if !self.eat_keyword(K::First) && self.eat_keyword(K::After) {
            self.expect_ident()?;
        }
        Ok(())
    }

    fn alter_add(&mut self, actions: &mut Vec<AlterAction>) -> Parsed<()> {
        let start = self.span().start;
        if self.peek_keyword() == K::Partition {
            actions.push(AlterAction::Partition(self.action_text()?));
            return Ok(());
        }
        self.advance();
        if self.at_index_definition() {
            let index = self.index_definition()?;
            actions.push(AlterAction::AddIndex(index));
            return Ok(());
        }
        let is_versioning = self.at_keyword(K::System) && self.peek_keyword() == K::Versioning;
        let is_period = self.at_keyword(K::Period) && self.peek_keyword() == K::For;
        if is_versioning || is_period {
            self.skip_until(|parser| parser.at(T::Comma))?;
            actions.push(AlterAction::Other(self.span_from(start)));
            return Ok(());
        }
        self.column_words(&[K::If, K::Not, K::Exists]);
        if !self.eat(T::LeftParen) {
            let column = self.column_definition()?;
            self.column_place()?;
            actions.push(AlterAction::AddColumn(column));
            return Ok(());
        }
        loop {
            let action = match self.at_index_definition() {
                true => AlterAction::AddIndex(self.index_definition()?),
                false => AlterAction::AddColumn(self.column_definition()?),
            };
            actions.push(action);
            if !self.eat(T::Comma) {
                self.expect(T::RightParen)?;
                return Ok(());
            }
        }
    }

    fn alter_drop(&mut self) -> Parsed<AlterAction> {
        let start = self.span().start;
        if self.peek_keyword() == K::Partition {
            return Ok(AlterAction::Partition(self.action_text()?));
        }
        self.advance();
        let kind = match self.keyword() {
            K::Primary => {
                self.advance();
                self.expect_keyword(K::Key)?;
                return Ok(AlterAction::DropIndex(IndexKind::Primary, None));
            }
            K::Index | K::Key => IndexKind::Plain,
            K::Foreign => {
                self.advance();
                IndexKind::Foreign
            }
            K::Check | K::Constraint => IndexKind::Check,
            K::System | K::Period if self.peek_kind() == T::Word => {
                self.skip_until(|parser| parser.at(T::Comma))?;
                return Ok(AlterAction::Other(self.span_from(start)));
            }
            _ => {
                self.column_words(&[K::If, K::Exists]);
                let name = self.expect_ident()?;
                self.drop_behaviour();
                return Ok(AlterAction::DropColumn(name));
            }
        };
        self.advance();
        self.eat_keywords(&[K::If, K::Exists]);
        let name: Ident = match self.at_keyword(K::Primary) {
            true => self.take_ident(),
            false => self.expect_ident()?,
        };
        Ok(AlterAction::DropIndex(kind, Some(name)))
    }

    fn drop_behaviour(&mut self) {
        if self.at_any(&[K::Restrict, K::Cascade]) {
            self.advance();
        }
    }

    fn alter_rename(&mut self) -> Parsed<AlterAction> {
        let start = self.advance().span.start;
        if self.eat_keyword(K::Column) {
            self.eat_keywords(&[K::If, K::Exists]);
            let old = self.expect_ident()?;
            self.expect_keyword(K::To)?;
            return Ok(AlterAction::RenameColumn(old, self.expect_ident()?));
        }
        if self.at_any(&[K::Index, K::Key]) {
            self.skip_until(|parser| parser.at(T::Comma))?;
            return Ok(AlterAction::Other(self.span_from(start)));
        }
        if !self.eat_keyword(K::To) && !self.eat_keyword(K::As) {
            self.eat(T::Equal);
        }
        Ok(AlterAction::Rename(self.table_name()?))
    }

    /// `ALTER [COLUMN] c SET DEFAULT ..|DROP DEFAULT`, `ALTER INDEX i VISIBLE`, `ALTER CHECK ..`.
    fn alter_alter(&mut self) -> Parsed<AlterAction> {
        let start = self.advance().span.start;
        let is_column = !self.at_any(&[K::Index, K::Key, K::Check, K::Constraint]);
        let column = if is_column {
            self.column_words(&[K::If, K::Exists]);
            Some(self.expect_ident()?)
        } else {
            None
        };
        self.skip_until(|parser| parser.at(T::Comma))?;
        Ok(match column {
            Some(name) => AlterAction::AlterColumn(name),
            None => AlterAction::Other(self.span_from(start)),
        })
    }

    /// `EXCHANGE PARTITION p WITH TABLE t [WITH|WITHOUT VALIDATION]`.
    fn exchange_partition(&mut self) -> Parsed<AlterAction> {
        self.advance();
        self.advance();
        self.expect_ident()?;
        self.expect_keyword(K::With)?;
        self.expect_keyword(K::Table)?;
        let table = self.table_name()?;
        self.skip_until(|parser| parser.at(T::Comma))?;
        Ok(AlterAction::ExchangePartition(table))
    }
}
