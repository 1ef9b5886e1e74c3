//! Expressions: operands and the operators between them, by precedence climbing.

use super::chain::{height_of, join_operands};
use super::infix::{Infix, binding};
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, IsTest, OrderItem};
use crate::{Keyword as K, TokenKind as T};

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.expr_above(binding::LOWEST)
    }

    /// An expression whose operators bind at least as tightly as `least`.
    pub(super) fn expr_above(&mut self, least: u8) -> Parsed<Expr> {
        self.enter()?;
        let outer = std::mem::replace(&mut self.height, 0);
        let left = self.prefix()?;
        let expr = self.infix_chain(left, least)?;
        self.height = outer.max(self.height + 1);
        self.leave();
        Ok(expr)
    }

    /// `expr, expr, ..`
    pub(super) fn exprs(&mut self) -> Parsed<Vec<Expr>> {
        self.comma_list(Self::expr)
    }

    /// The operators behind an operand that is read already.
    pub(super) fn infix_chain(&mut self, mut left: Expr, least: u8) -> Parsed<Expr> {
        while let Some((binds, infix)) = self.infix() {
            if binds < least {
                break;
            }
            left = match infix {
                Infix::Logical(op) => self.logical_chain(left, op, binds)?,
                Infix::Compare(op) => self.comparison(left, op)?,
                Infix::Binary(op) => {
                    self.advance();
                    let right = self.expr_above(binds + 1)?;
                    binary(left, op, right)
                }
                other => self.predicate(left, other)?,
            };
            self.grow(1)?;
        }
        Ok(left)
    }

    /// `left AND .. AND ..`: one operator of AND and OR, as often as it comes.
    fn logical_chain(&mut self, left: Expr, op: BinaryOp, binds: u8) -> Parsed<Expr> {
        self.advance();
        let right = self.expr_above(binds + 1)?;
        if !self.at_logical(op) {
            return Ok(binary(left, op, right));
        }
        let mut operands = vec![left, right];
        while self.at_logical(op) {
            self.advance();
            operands.push(self.expr_above(binds + 1)?);
        }
        self.grow(height_of(operands.len()))?;
        join_operands(operands, |left, right| binary(left, op, right)).ok_or_else(|| self.error())
    }

    fn at_logical(&self, op: BinaryOp) -> bool {
        matches!(self.infix(), Some((_, Infix::Logical(here))) if here == op)
    }

    fn comparison(&mut self, left: Expr, op: BinaryOp) -> Parsed<Expr> {
        self.advance();
        let quantifier = self.keyword();
        let is_quantified = matches!(quantifier, K::Any | K::Some | K::All)
            && self.peek_kind() == T::LeftParen
            && self.starts_query(2);
        if !is_quantified {
            let right = self.expr_above(binding::PREDICATE)?;
            return Ok(binary(left, op, right));
        }
        self.advance();
        let query = self.parenthesised_query()?;
        let span = self.span_from(left.span.start);
        let all = quantifier == K::All;
        Ok(Expr { kind: ExprKind::Quantified { expr: Box::new(left), op, all, query }, span })
    }

    #[inline(never)]
    fn predicate(&mut self, left: Expr, infix: Infix) -> Parsed<Expr> {
        let start = left.span.start;
        let negated = infix == Infix::Not;
        self.advance();
        let infix = if negated {
            let behind = self.infix().map(|(_, behind)| behind);
            self.advance();
            behind.unwrap_or(infix)
        } else {
            infix
        };
        let expr = Box::new(left);
        let kind = match infix {
            Infix::Is => self.is_test(expr)?,
            Infix::In => self.in_list(expr, negated)?,
            Infix::Between => {
                let low = self.boxed_above(binding::BIT_OR)?;
                self.expect_keyword(K::And)?;
                let high = self.boxed_above(binding::PREDICATE)?;
                ExprKind::Between { expr, negated, low, high }
            }
            Infix::Like => {
                let pattern = self.boxed_above(binding::BIT_OR)?;
                let escape = match self.eat_keyword(K::Escape) {
                    true => Some(self.boxed_above(binding::BIT_OR)?),
                    false => None,
                };
                ExprKind::Like { expr, negated, pattern, escape }
            }
            Infix::Regexp => {
                let pattern = self.boxed_above(binding::BIT_OR)?;
                ExprKind::Regexp { expr, negated, pattern }
            }
            Infix::SoundsLike => {
                self.advance();
                let right = self.boxed_above(binding::BIT_OR)?;
                ExprKind::Binary(expr, BinaryOp::SoundsLike, right)
            }
            Infix::MemberOf => {
                self.advance();
                let right = self.boxed_above(binding::BIT_OR)?;
                ExprKind::Binary(expr, BinaryOp::MemberOf, right)
            }
            Infix::Collate => ExprKind::Collate { expr, collation: self.charset_name()? },
            _ => return Err(self.error()),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn boxed_above(&mut self, least: u8) -> Parsed<Box<Expr>> {
        self.expr_above(least).map(Box::new)
    }

    fn is_test(&mut self, expr: Box<Expr>) -> Parsed<ExprKind> {
        let negated = self.eat_keyword(K::Not);
        let test = match self.keyword() {
            K::Null => IsTest::Null,
            K::True => IsTest::True,
            K::False => IsTest::False,
            K::Unknown => IsTest::Unknown,
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(ExprKind::Is { expr, negated, test })
    }

    fn in_list(&mut self, expr: Box<Expr>, negated: bool) -> Parsed<ExprKind> {
        if !self.at(T::LeftParen) {
            return Err(self.error());
        }
        if self.starts_query(1) {
            let query = self.parenthesised_query()?;
            return Ok(ExprKind::InSubquery { expr, negated, query });
        }
        self.advance();
        // A level of its own: reading the list takes as much stack as two others.
        self.enter()?;
        let mut list = self.exprs()?;
        self.leave();
        if let [Expr { kind: ExprKind::Subquery(_), .. }] = list.as_slice()
            && let Some(Expr { kind: ExprKind::Subquery(query), span }) = list.pop()
        {
            let query = self.query_from_nested(query, span)?;
            self.expect(T::RightParen)?;
            return Ok(ExprKind::InSubquery { expr, negated, query });
        }
        self.expect(T::RightParen)?;
        Ok(ExprKind::InList { expr, negated, list })
    }

    /// `expr [ASC|DESC], ..` of ORDER BY and GROUP BY.
    pub(super) fn order_items(&mut self) -> Parsed<Vec<OrderItem>> {
        self.comma_list(|parser| {
            let expr = parser.expr()?;
            let is_descending = parser.eat_keyword(K::Desc);
            if !is_descending {
                parser.eat_keyword(K::Asc);
            }
            Ok(OrderItem { expr, is_descending })
        })
    }
}

fn binary(left: Expr, op: BinaryOp, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(Box::new(left), op, Box::new(right)), span }
}
