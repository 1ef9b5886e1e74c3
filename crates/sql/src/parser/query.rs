//! SELECT, and queries made of several.

use super::chain::{height_of, join_operands};
use super::{Parsed, Parser};
use crate::ast::{
    CommonTable, Expr, Ident, Into, Query, QueryBody, Select, SelectItem, SetOperator,
    StatementKind, TableName, TableRef,
};
use crate::{Keyword as K, Span, TokenKind as T, quoting};

impl Parser<'_> {
    pub(super) fn query_statement(&mut self) -> Parsed<StatementKind> {
        Ok(StatementKind::Query(self.query()?))
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
                Ok(StatementKind::Query(query))
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
    pub(super) fn parenthesised_query(&mut self) -> Parsed<Box<Query>> {
        self.expect(T::LeftParen)?;
        let query = self.query()?;
        self.expect(T::RightParen)?;
        Ok(query)
    }

    /// A whole query, `WITH` included.
    pub(super) fn query(&mut self) -> Parsed<Box<Query>> {
        self.enter_query()?;
        let start = self.span().start;
        let (with, is_recursive) = match self.at_keyword(K::With) {
            true => self.with_clause()?,
            false => (Vec::new(), false),
        };
        let mut query = self.query_after_with(start)?;
        query.with = with;
        query.is_recursive = is_recursive;
        self.leave_query();
        Ok(query)
    }

    #[inline(never)]
    fn query_after_with(&mut self, start: u32) -> Parsed<Box<Query>> {
        let outer = std::mem::replace(&mut self.height, 0);
        let mut query = empty_query(start);
        query.body = self.query_primary(&mut query.into)?;
        self.query_tail(&mut query)?;
        self.height = outer.max(self.height + 1);
        Ok(query)
    }

    /// The rest of a query whose first part, `(query)`, is read already.
    pub(super) fn query_from_nested(
        &mut self,
        query: Box<Query>,
        parens: Span,
    ) -> Parsed<Box<Query>> {
        let mut outer = empty_query(parens.start);
        outer.body = QueryBody::Nested(query);
        self.query_tail(&mut outer)?;
        Ok(outer)
    }

    /// Set operations, and the clauses that apply to the whole; the first part is read.
    fn query_tail(&mut self, query: &mut Query) -> Parsed<()> {
        self.set_operations(&mut query.body, &mut query.into)?;
        query.order_by_at = self.previous_end();
        query.order_by = self.order_by()?;
        query.limit_at = self.previous_end();
        query.limit = self.limit()?;
        if self.at_keyword(K::Procedure) {
            self.advance();
            self.expect_ident()?;
            self.skip_parens()?;
        }
        loop {
            match self.keyword() {
                K::Into if query.into.is_none() => query.into = Some(self.result_target()?),
                K::For | K::Lock => {
                    let span = self.lock_clause()?;
                    query.lock = Some(query.lock.map_or(span, |before: Span| before.to(span)));
                }
                _ => break,
            }
        }
        query.span = self.span_from(query.span.start);
        Ok(())
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
            Ok(CommonTable { name, columns, query: *query })
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
    fn set_operations(&mut self, left: &mut QueryBody, into: &mut Option<Into>) -> Parsed<()> {
        self.intersections(left, into)?;
        loop {
            let operator = match self.keyword() {
                K::Union => SetOperator::Union,
                K::Except => SetOperator::Except,
                _ => return Ok(()),
            };
            let is_all = self.set_operator_kind();
            let mut operands = vec![std::mem::replace(left, QueryBody::Values(Vec::new()))];
            loop {
                let mut right = self.query_primary(into)?;
                self.intersections(&mut right, into)?;
                operands.push(right);
                if !self.union_goes_on(operator, is_all) {
                    break;
                }
                self.set_operator_kind();
            }
            self.grow(height_of(operands.len()))?;
            let join = |left, right| set_operation(left, operator, is_all, right);
            *left = join_operands(operands, join).ok_or_else(|| self.error())?;
        }
    }

    /// True at another UNION of the same kind; runs of them are associative.
    fn union_goes_on(&self, operator: SetOperator, is_all: bool) -> bool {
        operator == SetOperator::Union
            && self.at_keyword(K::Union)
            && (self.peek_keyword() == K::All) == is_all
    }

    fn intersections(&mut self, left: &mut QueryBody, into: &mut Option<Into>) -> Parsed<()> {
        while self.at_keyword(K::Intersect) {
            let is_all = self.set_operator_kind();
            let right = self.query_primary(into)?;
            let before = std::mem::replace(left, QueryBody::Values(Vec::new()));
            *left = set_operation(before, SetOperator::Intersect, is_all, right);
            self.grow(1)?;
        }
        Ok(())
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
            _ if self.at(T::LeftParen) => Ok(QueryBody::Nested(self.parenthesised_query()?)),
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
        let mut select = empty_select(start);
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
        Ok(QueryBody::Select(select))
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
        if !self.at_ident() || !self.dot_follows() || self.peek_kind() != T::Dot {
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
            let name = self.expect_ident_behind_dot()?;
            self.advance();
            TableName { database: Some(first), name }
        };
        self.advance();
        Ok(Some(name))
    }

    /// A look at the bytes, cheaper than a token of look-ahead: may a dot follow this token?
    fn dot_follows(&self) -> bool {
        let rest = self.text().get(self.span().end as usize..).unwrap_or_default();
        matches!(rest.trim_ascii_start().first(), Some(b'.' | b'/' | b'*' | b'-' | b'#'))
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
    let (left, right) = (Box::new(left), Box::new(right));
    QueryBody::SetOperation { left, operator, is_all, right }
}

/// A query that starts at `start`, all of it still to be read.
fn empty_query(start: u32) -> Box<Query> {
    Box::new(Query {
        with: Vec::new(),
        is_recursive: false,
        body: QueryBody::Values(Vec::new()),
        order_by: Vec::new(),
        limit: None,
        lock: None,
        into: None,
        span: Span::new(start, start),
        order_by_at: start,
        limit_at: start,
    })
}

/// A select that starts at `start`, all of it still to be read.
fn empty_select(start: u32) -> Box<Select> {
    Box::new(Select {
        distinct: None,
        calc_found_rows: None,
        items: Vec::new(),
        items_end: start,
        from: Vec::new(),
        where_: None,
        group_by: Vec::new(),
        with_rollup: false,
        group_by_span: None,
        having: None,
        having_span: None,
        has_window_clause: false,
        windows: Vec::new(),
        span: Span::new(start, start),
    })
}
