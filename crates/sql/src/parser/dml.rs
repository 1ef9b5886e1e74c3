//! INSERT, REPLACE, UPDATE, DELETE, LOAD, CALL, DO.

use super::{Parsed, Parser};
use crate::ast::{
    Assignment, Call, CommonTable, Delete, Expr, ExprKind, Ident, Insert, InsertRow, InsertSource,
    Literal, PlainLiteral, StatementKind, TableName, Update,
};
use crate::{Keyword as K, Span, TokenKind as T};

impl Parser<'_> {
    pub(super) fn insert(&mut self) -> Parsed<StatementKind> {
        let is_replace = self.advance_keyword() == K::Replace;
        let (mut is_ignore, mut is_delayed) = (false, false);
        loop {
            match self.keyword() {
                K::LowPriority | K::HighPriority => {}
                K::Delayed => is_delayed = true,
                K::Ignore => is_ignore = true,
                _ => break,
            }
            self.advance();
        }
        self.eat_keyword(K::Into);
        let table = self.table_name()?;
        let has_partition = self.partition_list()?;
        let columns_at = self.previous_end();
        let (columns, columns_span) = match self.at(T::LeftParen) && !self.starts_nested_query() {
            true => self.insert_columns()?,
            false => (None, Span::new(columns_at, columns_at)),
        };
        let source = self.insert_source()?;
        let (row_alias, has_row_alias_columns) = self.row_alias()?;
        let on_duplicate = self.on_duplicate()?;
        let returning = self.returning()?;
        Ok(StatementKind::Insert(Box::new(Insert {
            is_replace,
            is_ignore,
            is_delayed,
            table,
            has_partition,
            columns,
            columns_span,
            source,
            row_alias,
            has_row_alias_columns,
            on_duplicate,
            returning,
        })))
    }

    /// Goes past a word; gives the key word it was.
    pub(super) fn advance_keyword(&mut self) -> K {
        let keyword = self.keyword();
        self.advance();
        keyword
    }

    /// True at `(`s that open a query, not a column list.
    pub(super) fn starts_nested_query(&self) -> bool {
        let mut ahead = 0;
        while self.peek(ahead).0.kind == T::LeftParen {
            ahead += 1;
            // A column list has one parenthesis; two or more are a query's.
            if ahead > 2 {
                return true;
            }
        }
        self.starts_query(ahead) || self.peek(ahead).1 == K::Values
    }

    fn insert_columns(&mut self) -> Parsed<(Option<Vec<crate::ast::ColumnName>>, Span)> {
        let start = self.advance().span.start;
        let columns = match self.at(T::RightParen) {
            true => Vec::new(),
            false => self.comma_list(Self::column_name)?,
        };
        self.expect(T::RightParen)?;
        Ok((Some(columns), self.span_from(start)))
    }

    fn insert_source(&mut self) -> Parsed<InsertSource> {
        match self.keyword() {
            K::Values if self.peek_keyword() != K::Row => self.insert_values(),
            K::Value => self.insert_values(),
            K::Values => {
                self.advance();
                self.insert_rows()
            }
            K::Set => {
                self.advance();
                Ok(InsertSource::Set(self.assignments()?))
            }
            _ => Ok(InsertSource::Query(self.query()?)),
        }
    }

    fn insert_values(&mut self) -> Parsed<InsertSource> {
        self.advance();
        self.insert_rows()
    }

    fn insert_rows(&mut self) -> Parsed<InsertSource> {
        let start = self.span().start;
        let mut rows: Vec<InsertRow> = Vec::with_capacity(1);
        loop {
            let width = rows.last().map_or(4, |row| row.values.len());
            rows.push(self.insert_row(width)?);
            if !self.eat(T::Comma) {
                return Ok(InsertSource::Values { rows, span: self.span_from(start) });
            }
        }
    }

    fn insert_row(&mut self, width: usize) -> Parsed<InsertRow> {
        let start = self.span().start;
        self.eat_keyword(K::Row);
        self.expect(T::LeftParen)?;
        let mut values = Vec::with_capacity(width);
        if !self.at(T::RightParen) {
            loop {
                values.push(self.insert_value()?);
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.expect(T::RightParen)?;
        Ok(InsertRow { values, span: self.span_from(start) })
    }

    /// An expression; MariaDB's IGNORE means DEFAULT there.
    fn insert_value(&mut self) -> Parsed<Expr> {
        if let Some(value) = self.plain_value() {
            return Ok(value);
        }
        match self.at_keyword(K::Ignore) {
            true => {
                let span = self.advance().span;
                Ok(Expr { kind: ExprKind::Default, span })
            }
            false => self.expr(),
        }
    }

    /// A number or string that is a value of its own: the short way for what long INSERTs consist of.
    fn plain_value(&mut self) -> Option<Expr> {
        let is_number = matches!(self.kind(), T::Integer | T::Decimal | T::Float);
        if !(is_number || self.at(T::String))
            || !matches!(self.peek_kind(), T::Comma | T::RightParen)
        {
            return None;
        }
        let plain = if is_number { PlainLiteral::Number } else { PlainLiteral::String };
        let kind = ExprKind::Literal(Literal::Plain(plain));
        Some(Expr { kind, span: self.advance().span })
    }

    /// `AS new[(a, b)]`.
    fn row_alias(&mut self) -> Parsed<(Option<Ident>, bool)> {
        if !self.eat_keyword(K::As) {
            return Ok((None, false));
        }
        let alias = self.expect_ident()?;
        let columns = self.optional_ident_list()?;
        Ok((Some(alias), !columns.is_empty()))
    }

    fn on_duplicate(&mut self) -> Parsed<Vec<Assignment>> {
        if !self.eat_keyword(K::On) {
            return Ok(Vec::new());
        }
        self.expect_keyword(K::Duplicate)?;
        self.expect_keyword(K::Key)?;
        self.expect_keyword(K::Update)?;
        self.assignments()
    }

    /// `RETURNING item, ..` of MariaDB.
    fn returning(&mut self) -> Parsed<Option<Span>> {
        let start = self.span().start;
        if !self.eat_keyword(K::Returning) {
            return Ok(None);
        }
        self.comma_list(Self::select_item)?;
        Ok(Some(self.span_from(start)))
    }

    pub(super) fn assignments(&mut self) -> Parsed<Vec<Assignment>> {
        self.comma_list(|parser| {
            let column = parser.column_name()?;
            if !parser.eat(T::Assign) {
                parser.expect(T::Equal)?;
            }
            Ok(Assignment { column, value: parser.insert_value()? })
        })
    }

    pub(super) fn update(&mut self, with: Vec<CommonTable>) -> Parsed<StatementKind> {
        self.advance();
        self.eat_keyword(K::LowPriority);
        let is_ignore = self.eat_keyword(K::Ignore);
        let tables = self.comma_list(Self::table_ref)?;
        if self.eat_keyword(K::For) {
            self.skip_until(|parser| parser.at_keyword(K::Set))?;
        }
        self.expect_keyword(K::Set)?;
        let assignments = self.assignments()?;
        let where_ = self.where_clause()?;
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        Ok(StatementKind::Update(Box::new(Update {
            with,
            is_ignore,
            tables,
            assignments,
            where_,
            order_by,
            limit,
        })))
    }

    pub(super) fn delete(&mut self, with: Vec<CommonTable>) -> Parsed<StatementKind> {
        self.advance();
        let mut is_ignore = false;
        loop {
            match self.keyword() {
                K::LowPriority => {}
                K::Quick if self.peek_kind() == T::Word => {}
                K::Ignore => is_ignore = true,
                _ => break,
            }
            self.advance();
        }
        let (targets, from) = if self.eat_keyword(K::From) {
            if self.deletes_by_using() {
                let targets = self.comma_list(Self::delete_target)?;
                self.expect_keyword(K::Using)?;
                (targets, self.comma_list(Self::table_ref)?)
            } else {
                (Vec::new(), vec![self.table_ref()?])
            }
        } else {
            let targets = self.comma_list(Self::delete_target)?;
            self.expect_keyword(K::From)?;
            (targets, self.comma_list(Self::table_ref)?)
        };
        if self.eat_keyword(K::For) {
            self.skip_until(|parser| parser.at_any(&[K::Where, K::Order, K::Limit]))?;
        }
        let where_ = self.where_clause()?;
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        let returning = self.returning()?;
        Ok(StatementKind::Delete(Box::new(Delete {
            with,
            is_ignore,
            targets,
            from,
            where_,
            order_by,
            limit,
            returning,
        })))
    }

    /// True if a list of tables with USING behind it follows.
    fn deletes_by_using(&self) -> bool {
        let mut parser = self.clone();
        parser.comma_list(Self::delete_target).is_ok() && parser.at_keyword(K::Using)
    }

    /// `t`, `db.t`, `t.*`.
    fn delete_target(&mut self) -> Parsed<TableName> {
        let first = self.expect_ident()?;
        let mut name = TableName { database: None, name: first };
        if self.eat(T::Dot) && !self.eat(T::Star) {
            let table = self.expect_ident_behind_dot()?;
            name = TableName { database: Some(name.name), name: table };
            if self.eat(T::Dot) {
                self.expect(T::Star)?;
            }
        }
        Ok(name)
    }

    pub(super) fn call(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let name = self.table_name()?;
        let mut args = Vec::new();
        if self.eat(T::LeftParen) {
            if !self.at(T::RightParen) {
                args = self.exprs()?;
            }
            self.expect(T::RightParen)?;
        }
        Ok(StatementKind::Call(Box::new(Call { name, args })))
    }

    /// `DO expr [, expr]`.
    pub(super) fn do_expressions(&mut self) -> Parsed<StatementKind> {
        self.advance();
        Ok(StatementKind::Do(self.exprs()?))
    }
}
