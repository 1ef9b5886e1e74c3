//! SELECT, and queries made of several.

use super::{Parsed, Parser};
use crate::ast::{
    CommonTable, Expr, Ident, Into, Query, QueryBody, Select, SelectItem, SetOperator,
    StatementKind, TableName, TableRef,
};
use crate::{Keyword as K, Span, TokenKind as T, quoting};

impl Parser<'_> {
    pub(super) fn query_statement(&mut self) -> Parsed<StatementKind> {
        Ok(StatementKind::Query(Box::new(self.query()?)))
    }

    /// `WITH .. SELECT|UPDATE|DELETE`.
    pub(super) fn with_statement(&mut self) -> Parsed<StatementKind> {
        let start = self.span().start;
        let (with, is_recursive) = self.with_clause()?;
        match self.keyword() {
            K::Update => self.update(with),
            K::Delete => self.delete(with),
            _ => {
                let mut query = self.query_after_with(start)?;
                query.with = with;
                query.is_recursive = is_recursive;
                Ok(StatementKind::Query(Box::new(query)))
            }
        }
    }

    /// True if a query starts at the token `ahead`; a parenthesis is not enough. `VALUES (..)` is a
    /// function where an expression may stand, so it needs the word ROW behind it.
    pub(super) fn starts_query(&self, ahead: u32) -> bool {
        match self.peek(ahead).1 {
            K::Select | K::With | K::Table => true,
            K::Values => self.peek(ahead + 1).1 == K::Row,
            _ => false,
        }
    }

    /// `(query)`.
    pub(super) fn parenthesised_query(&mut self) -> Parsed<Query> {
        self.expect(T::LeftParen)?;
        let query = self.query()?;
        self.expect(T::RightParen)?;
        Ok(query)
    }

    /// A whole query, `WITH` included.
    pub(super) fn query(&mut self) -> Parsed<Query> {
        let start = self.span().start;
        let (with, is_recursive) = match self.at_keyword(K::With) {
            true => self.with_clause()?,
            false => (Vec::new(), false),
        };
        let mut query = self.query_after_with(start)?;
        query.with = with;
        query.is_recursive = is_recursive;
        Ok(query)
    }

    #[inline(never)]
    fn query_after_with(&mut self, start: u32) -> Parsed<Query> {
        self.enter()?;
        let outer = std::mem::replace(&mut self.height, 0);
        let mut into = None;
        let body = self.query_primary(&mut into)?;
        let query = self.query_tail(body, into, start)?;
        self.height = outer.max(self.height + 1);
        self.leave();
        Ok(query)
    }

    /// The rest of a query whose first part, `(query)`, is read already.
    pub(super) fn query_from_nested(&mut self, query: Query, parens: Span) -> Parsed<Query> {
        self.query_tail(QueryBody::Nested(Box::new(query)), None, parens.start)
    }

    /// Set operations, and the clauses that apply to the whole.
    fn query_tail(&mut self, body: QueryBody, mut into: Option<Into>, start: u32) -> Parsed<Query> {
        let body = self.set_operations(body, &mut into)?;
        let order_by_at = self.previous_end();
        let order_by = self.order_by()?;
        let limit_at = self.previous_end();
        let limit = self.limit()?;
        if self.at_keyword(K::Procedure) {
            self.advance();
            self.expect_ident()?;
            self.skip_parens()?;
        }
        let mut lock = None;
        loop {
            match self.keyword() {
                K::Into if into.is_none() => into = Some(self.result_target()?),
                K::For | K::Lock => {
                    let span = self.lock_clause()?;
                    lock = Some(lock.map_or(span, |before: Span| before.to(span)));
                }
                _ => break,
            }
        }
        Ok(Query {
            with: Vec::new(),
            is_recursive: false,
            body,
            order_by,
            limit,
            lock,
            into,
            span: self.span_from(start),
            order_by_at,
            limit_at,
        })
    }

    fn with_clause(&mut self) -> Parsed<(Vec<CommonTable>, bool)> {
        self.advance();
        let is_recursive = self.eat_keyword(K::Recursive);
        let tables = self.comma_list(|parser| {
            let name = parser.expect_ident()?;
            let columns = parser.optional_ident_list()?;
            parser.expect_keyword(K::As)?;
            let query = parser.parenthesised_query()?;
            if parser.eat_word("CYCLE") {
                parser.skip_until(|parser| parser.at_keyword(K::Restrict))?;
                parser.expect_keyword(K::Restrict)?;
            }
            Ok(CommonTable { name, columns, query })
        })?;
        Ok((tables, is_recursive))
    }

    /// `(a, b)`, or nothing.
    pub(super) fn optional_ident_list(&mut self) -> Parsed<Vec<Ident>> {
        match self.at(T::LeftParen) {
            true => self.ident_list(),
            false => Ok(Vec::new()),
        }
    }

    /// `(a, b)`.
    pub(super) fn ident_list(&mut self) -> Parsed<Vec<Ident>> {
        self.expect(T::LeftParen)?;
        let names = self.comma_list(|parser| parser.expect_ident())?;
        self.expect(T::RightParen)?;
        Ok(names)
    }

    /// UNION and EXCEPT, from the left; INTERSECT binds tighter.
    fn set_operations(
        &mut self,
        mut left: QueryBody,
        into: &mut Option<Into>,
    ) -> Parsed<QueryBody> {
        left = self.intersections(left, into)?;
        loop {
            let operator = match self.keyword() {
                K::Union => SetOperator::Union,
                K::Except => SetOperator::Except,
                _ => return Ok(left),
            };
            let is_all = self.set_operator_kind();
            let right = self.query_primary(into)?;
            let right = self.intersections(right, into)?;
            left = set_operation(left, operator, is_all, right);
            self.grow(1)?;
        }
    }

    fn intersections(&mut self, mut left: QueryBody, into: &mut Option<Into>) -> Parsed<QueryBody> {
        while self.at_keyword(K::Intersect) {
            let is_all = self.set_operator_kind();
            let right = self.query_primary(into)?;
            left = set_operation(left, SetOperator::Intersect, is_all, right);
            self.grow(1)?;
        }
        Ok(left)
    }

    /// Goes past the operator and `ALL` or `DISTINCT`; true for ALL.
    fn set_operator_kind(&mut self) -> bool {
        self.advance();
        let is_all = self.eat_keyword(K::All);
        if !is_all {
            self.eat_keyword(K::Distinct);
        }
        is_all
    }

    fn query_primary(&mut self, into: &mut Option<Into>) -> Parsed<QueryBody> {
        match self.keyword() {
            K::Select => self.select(into),
            K::Values => self.values(),
            K::Table => {
                self.advance();
                Ok(QueryBody::Table(self.table_name()?))
            }
            _ if self.at(T::LeftParen) => {
                Ok(QueryBody::Nested(Box::new(self.parenthesised_query()?)))
            }
            _ => Err(self.error()),
        }
    }

    /// `VALUES ROW(..), ..`, and MariaDB's `VALUES (..), ..`.
    fn values(&mut self) -> Parsed<QueryBody> {
        self.advance();
        let rows = self.comma_list(|parser| {
            parser.eat_keyword(K::Row);
            parser.expect(T::LeftParen)?;
            let row = parser.exprs()?;
            parser.expect(T::RightParen)?;
            Ok(row)
        })?;
        Ok(QueryBody::Values(rows))
    }

    #[inline(never)]
    fn select(&mut self, into: &mut Option<Into>) -> Parsed<QueryBody> {
        let start = self.advance().span.start;
        let mut select = Select {
            distinct: None,
            calc_found_rows: None,
            items: Vec::new(),
            items_end: 0,
            from: Vec::new(),
            where_: None,
            group_by: Vec::new(),
            with_rollup: false,
            group_by_span: None,
            having: None,
            having_span: None,
            has_window_clause: false,
            windows: Vec::new(),
            span: Span::default(),
        };
        self.select_options(&mut select);
        select.items = self.comma_list(Self::select_item)?;
        select.items_end = self.previous_end();
        if self.at_keyword(K::Into) {
            *into = Some(self.result_target()?);
        }
        if self.eat_keyword(K::From) {
            select.from = self.table_refs()?;
        }
        select.where_ = self.where_clause()?;
        self.group_clauses(&mut select)?;
        select.span = self.span_from(start);
        Ok(QueryBody::Select(Box::new(select)))
    }

    fn select_options(&mut self, select: &mut Select) {
        loop {
            match self.keyword() {
                K::Distinct | K::Distinctrow => select.distinct = Some(self.span()),
                K::SqlCalcFoundRows => select.calc_found_rows = Some(self.span()),
                K::All
                | K::HighPriority
                | K::StraightJoin
                | K::SqlSmallResult
                | K::SqlBigResult => {}
                // Not reserved: an option only if the select list is still to come.
                K::SqlBufferResult | K::SqlCache | K::SqlNoCache
                    if !matches!(self.peek_kind(), T::Comma | T::Dot | T::End)
                        && self.peek_keyword() != K::From => {}
                _ => return,
            }
            self.advance();
        }
    }

    /// `*`, `t.*`, or an expression with its alias.
    pub(super) fn select_item(&mut self) -> Parsed<SelectItem> {
        let start = self.span().start;
        if self.eat(T::Star) {
            return Ok(SelectItem::Wildcard { table: None, span: self.span_from(start) });
        }
        if let Some(table) = self.qualified_star()? {
            return Ok(SelectItem::Wildcard { table: Some(table), span: self.span_from(start) });
        }
        let expr = self.expr()?;
        let alias = self.item_alias()?;
        Ok(SelectItem::Expr { expr, alias, span: self.span_from(start) })
    }

    /// `t.*` or `db.t.*`, if that is what stands here.
    fn qualified_star(&mut self) -> Parsed<Option<TableName>> {
        if !self.at_ident() || self.peek_kind() != T::Dot {
            return Ok(None);
        }
        let is_star = match self.peek(2).0.kind {
            T::Star => true,
            T::Word | T::QuotedIdent => {
                self.peek(3).0.kind == T::Dot && self.peek(4).0.kind == T::Star
            }
            _ => false,
        };
        if !is_star {
            return Ok(None);
        }
        let first = self.expect_ident()?;
        self.advance();
        let name = if self.at(T::Star) {
            TableName { database: None, name: first }
        } else {
            let name = self.expect_any_ident()?;
            self.advance();
            TableName { database: Some(first), name }
        };
        self.advance();
        Ok(Some(name))
    }

    /// `[AS] name`, `[AS] 'text'`.
    fn item_alias(&mut self) -> Parsed<Option<Ident>> {
        let has_as = self.eat_keyword(K::As);
        if matches!(self.kind(), T::String | T::NationalString) {
            let value = quoting::unescape_string(self.token_text(), self.mode());
            let value = String::from_utf8_lossy(&value).into_owned();
            return Ok(Some(Ident { value, span: self.advance().span }));
        }
        match self.at_ident() {
            true => Ok(Some(self.take_ident())),
            false if has_as => Err(self.error()),
            false => Ok(None),
        }
    }

    pub(super) fn table_refs(&mut self) -> Parsed<Vec<TableRef>> {
        if self.at_keyword(K::Dual) {
            self.advance();
            return Ok(Vec::new());
        }
        self.comma_list(Self::table_ref)
    }

    pub(super) fn where_clause(&mut self) -> Parsed<Option<Expr>> {
        match self.eat_keyword(K::Where) {
            true => Ok(Some(self.expr()?)),
            false => Ok(None),
        }
    }

    /// GROUP BY, HAVING, WINDOW.
    fn group_clauses(&mut self, select: &mut Select) -> Parsed<()> {
        if self.at_keyword(K::Group) {
            let start = self.advance().span.start;
            self.expect_keyword(K::By)?;
            // MySQL 8 also has GROUP BY ROLLUP (a, b).
            let has_prefix = self.at_word("ROLLUP") && self.peek_kind() == T::LeftParen;
            if has_prefix {
                self.advance();
            }
            select.group_by = self.order_items()?;
            select.with_rollup = has_prefix || self.eat_keywords(&[K::With, K::Rollup]);
            select.group_by_span = Some(self.span_from(start));
        }
        if self.at_keyword(K::Having) {
            let start = self.advance().span.start;
            select.having = Some(self.expr()?);
            select.having_span = Some(self.span_from(start));
        }
        if self.eat_keyword(K::Window) {
            select.has_window_clause = true;
            select.windows = self.comma_list(|parser| {
                let name = parser.expect_ident()?;
                parser.expect_keyword(K::As)?;
                Ok((name, parser.window_spec()?))
            })?;
        }
        Ok(())
    }
}

fn set_operation(
    left: QueryBody,
    operator: SetOperator,
    is_all: bool,
    right: QueryBody,
) -> QueryBody {
    QueryBody::SetOperation { left: Box::new(left), operator, is_all, right: Box::new(right) }
}
