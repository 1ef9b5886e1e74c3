//! Expressions whose values are computed when the statement runs.

use std::sync::Arc;

use eval::Value;
use sql::ast::{BinaryOp, Expr, ExprKind, Function, Literal, UnaryOp};

use crate::bind::Binder;
use crate::computed::Computed;
use crate::predicate::ValueRef;

/// How deep an expression may be.
const MAX_DEPTH: usize = 32;

/// Functions that give the same for the same arguments, whatever the session.
const FUNCTIONS: &[&str] = &[
    "ABS",
    "CEIL",
    "CEILING",
    "CHAR_LENGTH",
    "COALESCE",
    "CONCAT",
    "FLOOR",
    "GREATEST",
    "IF",
    "IFNULL",
    "LEAST",
    "LEFT",
    "LENGTH",
    "LOWER",
    "LPAD",
    "LTRIM",
    "MOD",
    "NULLIF",
    "REPLACE",
    "REVERSE",
    "RIGHT",
    "ROUND",
    "RPAD",
    "RTRIM",
    "SIGN",
    "SUBSTRING",
    "TRIM",
    "TRUNCATE",
    "UPPER",
];

impl Binder<'_> {
    /// The value of an expression without columns: a literal, a parameter, or what is computed from
    /// them.
    pub(in crate::bind) fn constant(&self, expr: &Expr) -> Option<ValueRef> {
        self.value(expr).or_else(|| self.computed(expr))
    }

    fn computed(&self, expr: &Expr) -> Option<ValueRef> {
        let mut arguments = Vec::new();
        let expr = self.opened(expr, &mut arguments, MAX_DEPTH)?;
        let computed = Computed { expr, arguments };
        let constants = computed
            .arguments
            .iter()
            .map(|argument| match argument {
                ValueRef::Const(value) => Some(value.clone()),
                _ => None,
            })
            .collect::<Option<Vec<Value<'static>>>>();
        match constants {
            Some(constants) => computed.compute(&constants).map(ValueRef::Const),
            None => Some(ValueRef::Computed(Arc::new(computed))),
        }
    }

    /// The expression with its values as parameters; `None` where it is not sure to be the same
    /// everywhere.
    fn opened(&self, expr: &Expr, arguments: &mut Vec<ValueRef>, depth: usize) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        let mut boxed = |inner: &Expr| self.opened(inner, arguments, depth).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Literal(
                Literal::Number(_) | Literal::String { introducer: None, .. } | Literal::Plain(_),
            )
            | ExprKind::Param(_) => {
                arguments.push(self.value(expr)?);
                ExprKind::Param(arguments.len() as u32 - 1)
            }
            ExprKind::Literal(literal @ (Literal::Null | Literal::Bool(_))) => {
                ExprKind::Literal(literal.clone())
            }
            ExprKind::Nested(inner) => ExprKind::Nested(boxed(inner)?),
            ExprKind::Unary(op @ (UnaryOp::Minus | UnaryOp::Plus), inner) => {
                ExprKind::Unary(*op, boxed(inner)?)
            }
            ExprKind::Binary(left, op, right) if is_sure(*op) => {
                ExprKind::Binary(boxed(left)?, *op, boxed(right)?)
            }
            ExprKind::Cast { expr, type_text } if is_plain_type(type_text) => {
                ExprKind::Cast { expr: boxed(expr)?, type_text: type_text.clone() }
            }
            ExprKind::Function(function) if is_plain(function) => {
                let opened = |arg| self.opened(arg, arguments, depth);
                let args = function.args.iter().map(opened).collect::<Option<Vec<_>>>()?;
                ExprKind::Function(Box::new(Function { args, ..(**function).clone() }))
            }
            _ => return None,
        };
        Some(Expr { kind, span: expr.span })
    }
}

/// Division depends on a variable of the session.
fn is_sure(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Plus
            | BinaryOp::Minus
            | BinaryOp::Multiply
            | BinaryOp::Modulo
            | BinaryOp::IntegerDivide
            | BinaryOp::Concat
    )
}

fn is_plain_type(type_text: &str) -> bool {
    let text = type_text.trim().to_ascii_uppercase();
    let digits = |rest: &str| {
        rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'(' | b')' | b' ' | b','))
    };
    ["SIGNED INTEGER", "UNSIGNED INTEGER", "SIGNED", "UNSIGNED", "CHAR", "DECIMAL"]
        .iter()
        .any(|name| text.strip_prefix(name).is_some_and(digits))
}

fn is_plain(function: &Function) -> bool {
    function.schema.is_none()
        && !function.is_star
        && !function.is_distinct
        && !function.is_windowed
        && function.is_complete
        && function.order_by.is_empty()
        && FUNCTIONS.iter().any(|name| name.eq_ignore_ascii_case(&function.name.value))
}
