//! Expressions that are values: literals and parameters.

mod computed;

use std::borrow::Cow;

use eval::Value;
use sql::ast::{Expr, ExprKind, Literal, PlainLiteral, UnaryOp};
use sql::fingerprint::{LiteralKind, literals_in};
use sql::{Span, quoting};

use super::Binder;
use crate::predicate::ValueRef;
use crate::values::number;

/// The expression without the parentheses around it.
pub(super) fn unwrapped(mut expr: &Expr) -> &Expr {
    while let ExprKind::Nested(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

impl Binder<'_> {
    /// The value of a literal or parameter; `None` for any other expression, and for literals whose
    /// type depends on their context.
    pub(super) fn value(&self, expr: &Expr) -> Option<ValueRef> {
        let expr = unwrapped(expr);
        match &expr.kind {
            ExprKind::Param(index) => Some(ValueRef::Param(u16::try_from(*index).ok()?)),
            ExprKind::Literal(literal) => self.literal(literal, expr.span, false),
            ExprKind::Unary(sign @ (UnaryOp::Minus | UnaryOp::Plus), inner) => {
                let inner = unwrapped(inner);
                match &inner.kind {
                    ExprKind::Literal(literal @ Literal::Number(_)) => {
                        self.literal(literal, inner.span, *sign == UnaryOp::Minus)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn literal(&self, literal: &Literal, span: Span, negated: bool) -> Option<ValueRef> {
        let inside = literals_in(self.literals, span);
        match self.literals.get(inside.clone())? {
            [] => match literal {
                Literal::Plain(plain) => self.plain(*plain, span.of(self.text), negated),
                literal => constant(literal, negated),
            },
            [one] if one.span == span => match one.kind {
                LiteralKind::Integer | LiteralKind::Decimal | LiteralKind::Float => {
                    Some(ValueRef::Literal { index: inside.start as u16, negated })
                }
                LiteralKind::String => {
                    Some(ValueRef::Literal { index: inside.start as u16, negated: false })
                }
                LiteralKind::Hex | LiteralKind::Bit | LiteralKind::Comment => None,
            },
            _ => None,
        }
    }
}

impl Binder<'_> {
    /// A literal that was left in the text.
    fn plain(&self, plain: PlainLiteral, raw: &[u8], negated: bool) -> Option<ValueRef> {
        Some(ValueRef::Const(match plain {
            PlainLiteral::Number => number(str::from_utf8(raw).ok()?, negated).into_owned(),
            PlainLiteral::String => {
                Value::Bytes(Cow::Owned(quoting::unescape_string(raw, self.context.sql_mode)))
            }
        }))
    }
}

/// A literal that is part of the plan's key.
fn constant(literal: &Literal, negated: bool) -> Option<ValueRef> {
    Some(ValueRef::Const(match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Int(i64::from(*value)),
        Literal::Number(written) => number(written, negated).into_owned(),
        Literal::String { value, introducer: None } => Value::Bytes(Cow::Owned(value.clone())),
        Literal::String { .. }
        | Literal::Hex(_)
        | Literal::Bit(_)
        | Literal::Temporal { .. }
        | Literal::Plain(_) => return None,
    }))
}
