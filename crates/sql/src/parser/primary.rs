//! Operands: literals, columns, variables, parentheses, prefix operators, CASE, INTERVAL.

use super::infix::binding;
use super::{Parsed, Parser};
use crate::ast::{
    ColumnName, Expr, ExprKind, Ident, Literal, SystemVariable, UnaryOp, VariableScope,
};
use crate::{Keyword as K, Span, TokenKind as T, quoting};

impl Parser<'_> {
    /// One operand with its prefix operators.
    pub(super) fn prefix(&mut self) -> Parsed<Expr> {
        match self.kind() {
            T::Word => self.prefix_word(),
            T::Integer | T::Decimal | T::Float => {
                let number = quoting::text_at(self.text(), self.span());
                Ok(self.literal(Literal::Number(number)))
            }
            T::String | T::NationalString | T::Introducer | T::Hex | T::Bit => {
                self.string_literal()
            }
            T::Param => {
                let kind = ExprKind::Param(self.param_count());
                Ok(Expr { kind, span: self.advance().span })
            }
            T::QuotedIdent | T::Dot => self.column_or_call(),
            T::LeftParen => self.parenthesised(),
            T::Minus => self.unary(UnaryOp::Minus, binding::NEGATE),
            T::Plus => self.unary(UnaryOp::Plus, binding::NEGATE),
            T::Tilde => self.unary(UnaryOp::BitNot, binding::NEGATE),
            T::Bang => self.unary(UnaryOp::Not, binding::BANG),
            T::UserVariable => self.user_variable(),
            T::AtAt => self.system_variable(),
            T::NullEscape => Ok(self.literal(Literal::Null)),
            T::LeftBrace => self.braced(),
            _ => Err(self.error()),
        }
    }

    fn prefix_word(&mut self) -> Parsed<Expr> {
        match self.keyword() {
            K::Absent => self.column_or_call(),
            K::Null => Ok(self.literal(Literal::Null)),
            K::True => Ok(self.literal(Literal::Bool(true))),
            K::False => Ok(self.literal(Literal::Bool(false))),
            K::Not => {
                let high = self.mode().high_not_precedence;
                self.unary(UnaryOp::Not, if high { binding::BANG } else { binding::NOT })
            }
            K::Case => self.case(),
            K::Exists => self.exists(),
            K::Interval => self.interval(),
            K::Binary => self.binary_cast(),
            K::Match => self.match_against(),
            K::Row if self.peek_kind() == T::LeftParen => self.row(),
            K::Default if self.peek_kind() != T::LeftParen => {
                Ok(Expr { kind: ExprKind::Default, span: self.advance().span })
            }
            K::Date => self.temporal("DATE"),
            K::Time => self.temporal("TIME"),
            K::Timestamp => self.temporal("TIMESTAMP"),
            K::Next if self.peek_keyword() == K::Value => self.next_value(),
            _ => self.column_or_call(),
        }
    }

    fn literal(&mut self, literal: Literal) -> Expr {
        Expr { kind: ExprKind::Literal(literal), span: self.advance().span }
    }

    fn unary(&mut self, op: UnaryOp, least: u8) -> Parsed<Expr> {
        let start = self.advance().span.start;
        let operand = Box::new(self.expr_above(least)?);
        Ok(Expr { kind: ExprKind::Unary(op, operand), span: self.span_from(start) })
    }

    /// Strings (adjacent ones are one), hexadecimal and bit literals, with an introducer if any.
    #[inline(never)]
    fn string_literal(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        let introducer = match self.kind() {
            T::Introducer => Some(quoting::text_at(self.text(), self.advance().span)),
            T::NationalString => Some("_utf8".to_owned()),
            _ => None,
        };
        let literal = match (self.kind(), introducer) {
            (T::Hex, None) => Literal::Hex(self.digits(4)),
            (T::Bit, None) => Literal::Bit(self.digits(1)),
            (T::Hex, introducer) => Literal::String { value: self.digits(4), introducer },
            (T::Bit, introducer) => Literal::String { value: self.digits(1), introducer },
            (T::String | T::NationalString, introducer) => {
                let mut value = self.expect_string()?;
                while self.at(T::String) {
                    quoting::push_unescaped(self.token_text(), self.mode(), &mut value);
                    self.advance();
                }
                Literal::String { value, introducer }
            }
            _ => return Err(self.error()),
        };
        Ok(Expr { kind: ExprKind::Literal(literal), span: self.span_from(start) })
    }

    fn digits(&mut self, bits_per_digit: u32) -> Vec<u8> {
        let value = quoting::digits_value(self.token_text(), bits_per_digit);
        self.advance();
        value
    }

    /// `DATE '..'`; without the string the word is a name.
    #[inline(never)]
    fn temporal(&mut self, keyword: &'static str) -> Parsed<Expr> {
        if self.peek_kind() != T::String {
            return self.column_or_call();
        }
        let start = self.advance().span.start;
        let value = String::from_utf8_lossy(&self.expect_string()?).into_owned();
        let kind = ExprKind::Literal(Literal::Temporal { keyword, value });
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// A name: a call if a parenthesis follows, else a column.
    fn column_or_call(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        if self.eat(T::Dot) {
            let table = self.expect_ident_behind_dot()?;
            self.expect(T::Dot)?;
            let name = self.expect_ident_behind_dot()?;
            return Ok(self.column(None, Some(table), name, start));
        }
        if self.keyword().is_reserved() {
            return self.reserved_call();
        }
        if self.at(T::QuotedIdent) && !self.at_ident() {
            return Err(self.error());
        }
        let first = self.take_ident();
        match self.kind() {
            T::LeftParen => self.call_of(None, first),
            T::Dot => self.qualified(first),
            _ => Ok(self.column(None, None, first, start)),
        }
    }

    /// `a.b`, `a.b.c`, `db.function(..)`. Stands at the first dot.
    #[inline(never)]
    fn qualified(&mut self, first: Ident) -> Parsed<Expr> {
        let start = first.span.start;
        self.advance();
        let second = self.expect_ident_behind_dot()?;
        if self.at(T::LeftParen) {
            return self.call_of(Some(first), second);
        }
        if !self.eat(T::Dot) {
            return Ok(self.column(None, Some(first), second, start));
        }
        let third = self.expect_ident_behind_dot()?;
        Ok(self.column(Some(first), Some(second), third, start))
    }

    fn column(
        &self,
        database: Option<Ident>,
        table: Option<Ident>,
        name: Ident,
        start: u32,
    ) -> Expr {
        let kind = ExprKind::Column(ColumnName { database, table, name });
        Expr { kind, span: self.span_from(start) }
    }

    /// `[[database.]table.]column` where only a column may stand.
    pub(super) fn column_name(&mut self) -> Parsed<ColumnName> {
        self.eat(T::Dot);
        let first = self.expect_ident()?;
        if !self.eat(T::Dot) {
            return Ok(ColumnName { database: None, table: None, name: first });
        }
        let second = self.expect_ident_behind_dot()?;
        if !self.eat(T::Dot) {
            return Ok(ColumnName { database: None, table: Some(first), name: second });
        }
        let name = self.expect_ident_behind_dot()?;
        Ok(ColumnName { database: Some(first), table: Some(second), name })
    }

    /// `(query)`, `(expr)`, `(expr, expr)`.
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        if self.starts_query(1) {
            let query = self.parenthesised_query()?;
            return Ok(Expr { kind: ExprKind::Subquery(query), span: self.span_from(start) });
        }
        self.advance();
        let first = self.expr()?;
        if self.eat(T::RightParen) {
            return Ok(Expr {
                kind: ExprKind::Nested(Box::new(first)),
                span: self.span_from(start),
            });
        }
        if self.at(T::Comma) {
            return self.row_after(first, start);
        }
        // `((SELECT 1) UNION ..)`: what looked like a value was the first part of a query.
        match first {
            Expr { kind: ExprKind::Subquery(query), span } => {
                let query = self.query_from_nested(query, span)?;
                self.expect(T::RightParen)?;
                Ok(Expr { kind: ExprKind::Subquery(query), span: self.span_from(start) })
            }
            _ => Err(self.error()),
        }
    }

    #[inline(never)]
    fn row_after(&mut self, first: Expr, start: u32) -> Parsed<Expr> {
        let mut values = vec![first];
        while self.eat(T::Comma) {
            values.push(self.expr()?);
        }
        self.expect(T::RightParen)?;
        Ok(Expr { kind: ExprKind::Row(values), span: self.span_from(start) })
    }

    /// `ROW(a, b)`.
    #[inline(never)]
    fn row(&mut self) -> Parsed<Expr> {
        let start = self.advance().span.start;
        self.advance();
        let values = self.exprs()?;
        self.expect(T::RightParen)?;
        Ok(Expr { kind: ExprKind::Row(values), span: self.span_from(start) })
    }

    #[inline(never)]
    fn user_variable(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        if self.span().len() == 1 {
            return Err(self.error());
        }
        let name = quoting::user_variable_name(self.token_text(), self.mode());
        self.advance();
        let kind = if self.eat(T::Assign) {
            let value = Box::new(self.expr()?);
            ExprKind::Assign { variable: name, value }
        } else {
            ExprKind::UserVariable(name)
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    #[inline(never)]
    fn system_variable(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        let (scope, name) = self.variable_name()?;
        let kind = ExprKind::SystemVariable(SystemVariable { scope, name });
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// `@@[scope.]name[.name]`; the name in lower case.
    #[inline(never)]
    pub(super) fn variable_name(&mut self) -> Parsed<(VariableScope, String)> {
        self.expect(T::AtAt)?;
        let scope = match self.scope_keyword() {
            Some(scope) if self.peek_kind() == T::Dot => {
                self.advance();
                self.advance();
                scope
            }
            _ => VariableScope::Unspecified,
        };
        let mut name = self.expect_ident()?.value.to_ascii_lowercase();
        if self.eat(T::Dot) {
            name.push('.');
            name.push_str(&self.expect_ident_behind_dot()?.value.to_ascii_lowercase());
        }
        Ok((scope, name))
    }

    /// The scope that the current word is.
    pub(super) fn scope_keyword(&self) -> Option<VariableScope> {
        match self.keyword() {
            K::Global => Some(VariableScope::Global),
            K::Session | K::Local => Some(VariableScope::Session),
            K::Persist | K::PersistOnly => Some(VariableScope::Persist),
            _ => None,
        }
    }

    /// `BINARY expr`.
    #[inline(never)]
    fn binary_cast(&mut self) -> Parsed<Expr> {
        let start = self.advance().span.start;
        let expr = Box::new(self.expr_above(binding::NEGATE)?);
        let kind = ExprKind::Cast { expr, type_text: "BINARY".to_owned() };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    #[inline(never)]
    fn exists(&mut self) -> Parsed<Expr> {
        let start = self.advance().span.start;
        if !self.at(T::LeftParen) {
            return Err(self.error());
        }
        let query = self.parenthesised_query()?;
        Ok(Expr { kind: ExprKind::Exists(query), span: self.span_from(start) })
    }

    #[inline(never)]
    fn case(&mut self) -> Parsed<Expr> {
        let start = self.advance().span.start;
        let operand = match self.at_keyword(K::When) {
            true => None,
            false => Some(Box::new(self.expr()?)),
        };
        let mut branches = Vec::new();
        while self.eat_keyword(K::When) {
            let when = self.expr()?;
            self.expect_keyword(K::Then)?;
            branches.push((when, self.expr()?));
        }
        if branches.is_empty() {
            return Err(self.error());
        }
        let otherwise = match self.eat_keyword(K::Else) {
            true => Some(Box::new(self.expr()?)),
            false => None,
        };
        self.expect_keyword(K::End)?;
        let kind = ExprKind::Case { operand, branches, otherwise };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// `INTERVAL expr unit`, or the function `INTERVAL(n, a, b, ..)`.
    #[inline(never)]
    fn interval(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        self.enter()?;
        let name = self.take_ident();
        let mut expr = if self.at(T::LeftParen) { self.prefix()? } else { self.expr()? };
        if let ExprKind::Row(args) = expr.kind {
            self.leave();
            return Ok(self.plain_call(name, args));
        }
        expr = self.infix_chain(expr, binding::LOWEST)?;
        let unit = self.interval_unit()?;
        self.leave();
        let kind = ExprKind::Interval { expr: Box::new(expr), unit };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// A unit such as DAY or MINUTE_SECOND, in upper case.
    pub(super) fn interval_unit(&mut self) -> Parsed<String> {
        let text = self.token_text();
        let word = text.strip_prefix(b"SQL_TSI_").unwrap_or(text);
        let is_unit =
            self.at(T::Word) && UNITS.iter().any(|unit| unit.as_bytes().eq_ignore_ascii_case(word));
        if !is_unit {
            return Err(self.error());
        }
        let unit = quoting::text_at(self.text(), self.advance().span);
        Ok(unit.to_ascii_uppercase())
    }

    /// `MATCH (columns) AGAINST (expr [modifier])`, the columns with or without parentheses.
    #[inline(never)]
    fn match_against(&mut self) -> Parsed<Expr> {
        let start = self.advance().span.start;
        let in_parens = self.eat(T::LeftParen);
        let columns = self.comma_list(Self::column_name)?;
        if in_parens {
            self.expect(T::RightParen)?;
        }
        self.expect_keyword(K::Against)?;
        self.expect(T::LeftParen)?;
        let against = Box::new(self.expr_above(binding::BIT_OR)?);
        self.skip_until(|parser| parser.at(T::RightParen))?;
        self.expect(T::RightParen)?;
        Ok(Expr { kind: ExprKind::Match { columns, against }, span: self.span_from(start) })
    }

    /// ODBC's `{d '..'}`, `{t '..'}`, `{ts '..'}`, `{fn expr}`.
    #[inline(never)]
    fn braced(&mut self) -> Parsed<Expr> {
        let start = self.advance().span.start;
        let word = self.expect_any_ident()?.value.to_ascii_lowercase();
        let inner = self.expr()?;
        self.expect(T::RightBrace)?;
        let span = Span::new(start, self.previous_end());
        let keyword = match word.as_str() {
            "d" => "DATE",
            "t" => "TIME",
            "ts" => "TIMESTAMP",
            _ => return Ok(Expr { kind: ExprKind::Nested(Box::new(inner)), span }),
        };
        let kind = match inner.kind {
            ExprKind::Literal(Literal::String { value, .. }) => {
                let value = String::from_utf8_lossy(&value).into_owned();
                ExprKind::Literal(Literal::Temporal { keyword, value })
            }
            _ => ExprKind::Nested(Box::new(inner)),
        };
        Ok(Expr { kind, span })
    }

    /// The name of a character set or a collation: a name, a string, or BINARY, or DEFAULT.
    pub(super) fn charset_name(&mut self) -> Parsed<String> {
        match self.kind() {
            T::String => Ok(String::from_utf8_lossy(&self.expect_string()?).into_owned()),
            _ if self.at_any(&[K::Binary, K::Default]) => Ok(self.take_ident().value),
            _ => Ok(self.expect_ident()?.value),
        }
    }
}

/// # Source
/// MySQL 8.4 manual, "Temporal Intervals".
const UNITS: [&str; 20] = [
    "MICROSECOND",
    "SECOND",
    "MINUTE",
    "HOUR",
    "DAY",
    "WEEK",
    "MONTH",
    "QUARTER",
    "YEAR",
    "SECOND_MICROSECOND",
    "MINUTE_MICROSECOND",
    "MINUTE_SECOND",
    "HOUR_MICROSECOND",
    "HOUR_SECOND",
    "HOUR_MINUTE",
    "DAY_MICROSECOND",
    "DAY_SECOND",
    "DAY_MINUTE",
    "DAY_HOUR",
    "YEAR_MONTH",
];
