//! SET in all its forms.

use super::{Parsed, Parser};
use crate::ast::{
    ColumnName, Expr, ExprKind, IsolationLevel, SetItem, StatementKind, VariableScope,
};
use crate::{Keyword as K, TokenKind as T, quoting};

impl Parser<'_> {
    pub(super) fn set(&mut self) -> Parsed<StatementKind> {
        if self.peek_keyword() == K::Statement && self.peek(2).0.kind == T::Word {
            return self.opaque("SET STATEMENT");
        }
        self.advance();
        let mut scope = VariableScope::Unspecified;
        let mut items = Vec::with_capacity(1);
        loop {
            items.push(self.set_item(&mut scope)?);
            if !self.eat(T::Comma) {
                return Ok(StatementKind::Set(items));
            }
        }
    }

    /// One assignment. A scope once written holds for the plain names behind it, too.
    fn set_item(&mut self, scope: &mut VariableScope) -> Parsed<SetItem> {
        match self.kind() {
            T::UserVariable => return self.set_user_variable(),
            T::AtAt => {
                let (scope, name) = self.variable_name()?;
                return self.set_value(scope, name);
            }
            _ => {}
        }
        if let Some(item) = self.set_special()? {
            return Ok(item);
        }
        let is_assigned = matches!(self.peek_kind(), T::Equal | T::Assign | T::Dot);
        if let Some(written) = self.scope_keyword().filter(|_| !is_assigned) {
            self.advance();
            *scope = written;
            if self.at_keyword(K::Transaction) {
                return self.set_transaction(written);
            }
        }
        if self.at_keyword(K::Transaction) && !is_assigned {
            return self.set_transaction(VariableScope::Unspecified);
        }
        let mut name = match self.at_keyword(K::Default) && self.peek_kind() == T::Dot {
            true => self.take_ident().value,
            false => self.expect_ident()?.value,
        };
        if self.eat(T::Dot) {
            name.push('.');
            name.push_str(&self.expect_ident_behind_dot()?.value);
        }
        name.make_ascii_lowercase();
        self.set_value(*scope, name)
    }

    fn set_user_variable(&mut self) -> Parsed<SetItem> {
        if self.span().len() == 1 {
            return Err(self.error());
        }
        let name = quoting::user_variable_name(self.token_text(), self.mode());
        self.advance();
        self.assign_sign()?;
        Ok(SetItem::UserVariable { name, value: self.expr()? })
    }

    fn assign_sign(&mut self) -> Parsed<()> {
        match self.eat(T::Assign) || self.eat(T::Equal) {
            true => Ok(()),
            false => Err(self.error()),
        }
    }

    fn set_value(&mut self, scope: VariableScope, name: String) -> Parsed<SetItem> {
        self.assign_sign()?;
        let value = match self.keyword() {
            K::Default if self.peek_kind() != T::LeftParen => {
                self.advance();
                None
            }
            // Reserved words that are values here: they are kept as a bare word is, a column.
            K::On | K::All | K::Row | K::System | K::Binary
                if matches!(self.peek_kind(), T::End | T::Semicolon | T::Comma) =>
            {
                let name = self.take_ident();
                let span = name.span;
                let column = ColumnName { database: None, table: None, name };
                Some(Expr { kind: ExprKind::Column(column), span })
            }
            _ => Some(self.expr()?),
        };
        Ok(SetItem::Variable { scope, name, value })
    }

    /// The forms that are no assignments of variables.
    fn set_special(&mut self) -> Parsed<Option<SetItem>> {
        let is_assigned = matches!(self.peek_kind(), T::Equal | T::Assign | T::Dot);
        match self.keyword() {
            K::Names if !is_assigned => self.set_names().map(Some),
            K::Character => {
                self.advance();
                self.expect_keyword(K::Set)?;
                self.set_charset().map(Some)
            }
            K::Charset if !is_assigned => {
                self.advance();
                self.set_charset().map(Some)
            }
            K::Password => {
                self.skip_until(|parser| parser.at(T::Comma))?;
                Ok(Some(SetItem::Other("PASSWORD".to_owned())))
            }
            K::Role if !is_assigned => self.set_rest("ROLE").map(Some),
            K::Default if self.peek_keyword() == K::Role => self.set_rest("DEFAULT ROLE").map(Some),
            K::Resource if !is_assigned => self.set_rest("RESOURCE GROUP").map(Some),
            _ => Ok(None),
        }
    }

    /// A form that fills the rest of the statement.
    fn set_rest(&mut self, words: &str) -> Parsed<SetItem> {
        self.skip_rest()?;
        Ok(SetItem::Other(words.to_owned()))
    }

    fn set_names(&mut self) -> Parsed<SetItem> {
        self.advance();
        if self.eat_keyword(K::Default) {
            return Ok(SetItem::Names { charset: None, collation: None });
        }
        let charset = Some(self.charset_name()?);
        let collation = match self.eat_keyword(K::Collate) {
            true => Some(self.charset_name()?),
            false => None,
        };
        Ok(SetItem::Names { charset, collation })
    }

    fn set_charset(&mut self) -> Parsed<SetItem> {
        if self.eat_keyword(K::Default) {
            return Ok(SetItem::Charset(None));
        }
        Ok(SetItem::Charset(Some(self.charset_name()?)))
    }

    /// `TRANSACTION ISOLATION LEVEL ..`, `TRANSACTION READ ONLY|WRITE`, or both.
    fn set_transaction(&mut self, scope: VariableScope) -> Parsed<SetItem> {
        self.advance();
        let (mut isolation, mut read_only) = (None, None);
        loop {
            if self.eat_keyword(K::Isolation) {
                self.expect_keyword(K::Level)?;
                isolation = Some(self.isolation_level()?);
            } else {
                read_only = Some(self.access_mode()?);
            }
            if !self.eat(T::Comma) {
                return Ok(SetItem::Transaction { scope, isolation, read_only });
            }
        }
    }

    fn isolation_level(&mut self) -> Parsed<IsolationLevel> {
        if self.eat_keyword(K::Serializable) {
            return Ok(IsolationLevel::Serializable);
        }
        if self.eat_keywords(&[K::Repeatable, K::Read]) {
            return Ok(IsolationLevel::RepeatableRead);
        }
        self.expect_keyword(K::Read)?;
        if self.eat_keyword(K::Committed) {
            return Ok(IsolationLevel::ReadCommitted);
        }
        self.expect_keyword(K::Uncommitted)?;
        Ok(IsolationLevel::ReadUncommitted)
    }
}
