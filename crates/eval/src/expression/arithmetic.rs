//! `+ - * / DIV %` and unary minus.

use sql::ast::BinaryOp;

use super::context::{Context, Flavour};
use super::datum::{Datum, Evaluated};
use super::error::{EvalError, Unsupported};
use super::node::{Frame, Node, refuse};
use super::types::{Kind, Type};
use crate::Decimal;
use crate::column_type::NOT_FIXED_DECIMALS;
use crate::decimal::Rounding;

/// The longest fraction of a decimal that both servers have.
pub(crate) const MAX_SCALE: u8 = 30;

/// The common type of numbers, and the decimals of the longest fraction among them.
pub(crate) fn numeric_kind(left: &Type, right: &Type) -> (Kind, u8) {
    let (left, right) = (left.numeric(), right.numeric());
    let decimals = left.decimals.max(right.decimals);
    let kind = match (left.kind, right.kind) {
        (Kind::Double, _) | (_, Kind::Double) => Kind::Double,
        (Kind::Decimal, _) | (_, Kind::Decimal) => Kind::Decimal,
        _ => Kind::Integer,
    };
    (kind, decimals)
}

/// An infix operator of numbers.
pub(crate) fn compile(
    op: BinaryOp,
    left: Node,
    right: Node,
    context: &Context,
) -> Result<Node, Unsupported> {
    for node in [&left, &right] {
        check_operand(node)?;
    }
    match op {
        BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Multiply => additive(op, left, right, context),
        BinaryOp::Divide => divide(left, right, context),
        BinaryOp::IntegerDivide => Ok(integer_divide(left, right)),
        BinaryOp::Modulo => modulo(left, right),
        _ => Err(refuse("this operator")),
    }
}

/// Byte strings may be numbers in other clothes (`0x41 + 0`).
pub(crate) fn check_operand(node: &Node) -> Result<(), Unsupported> {
    let is_binary = node.ty.collation.as_ref().is_some_and(|collation| collation.is_binary());
    if is_binary { Err(refuse("arithmetic with byte strings")) } else { Ok(()) }
}

fn checked_scale(decimals: u8) -> Result<u8, Unsupported> {
    if decimals > MAX_SCALE {
        return Err(refuse("a decimal with so long a fraction"));
    }
    Ok(decimals)
}

fn additive(op: BinaryOp, left: Node, right: Node, context: &Context) -> Result<Node, Unsupported> {
    let (kind, decimals) = numeric_kind(&left.ty, &right.ty);
    let scales = (left.ty.numeric().decimals, right.ty.numeric().decimals);
    let ty = match kind {
        Kind::Double => Type::double(decimals),
        Kind::Decimal if op == BinaryOp::Multiply => {
            Type::decimal(checked_scale(scales.0 + scales.1)?)
        }
        Kind::Decimal => Type::decimal(decimals),
        _ => {
            let is_signed = op == BinaryOp::Minus && context.no_unsigned_subtraction;
            let is_unsigned = left.ty.is_unsigned || right.ty.is_unsigned;
            Type::integer(is_unsigned && !is_signed)
        }
    };
    let (is_unsigned, decimals) = (ty.is_unsigned, ty.decimals);
    Ok(Node::call(ty, vec![left, right], move |frame, operands| match kind {
        Kind::Double => double_step(op, frame, operands),
        Kind::Decimal => decimal_step(op, decimals, frame, operands),
        _ => integer_step(op, is_unsigned, frame, operands),
    }))
}

fn integer_step(op: BinaryOp, is_unsigned: bool, frame: &Frame<'_>, nodes: &[Node]) -> Evaluated {
    let Some(left) = nodes[0].integer(frame)? else { return Ok(Datum::Null) };
    let Some(right) = nodes[1].integer(frame)? else { return Ok(Datum::Null) };
    let value = match op {
        BinaryOp::Plus => left + right,
        BinaryOp::Minus => left - right,
        // Both are of 64 bits, and one of 63 where the product is negative.
        _ => left.checked_mul(right).unwrap_or(i128::MAX),
    };
    Datum::integer(value, is_unsigned)
}

fn decimal_step(op: BinaryOp, scale: u8, frame: &Frame<'_>, nodes: &[Node]) -> Evaluated {
    let Some(left) = nodes[0].decimal(frame)? else { return Ok(Datum::Null) };
    let Some(right) = nodes[1].decimal(frame)? else { return Ok(Datum::Null) };
    let value = match op {
        BinaryOp::Plus => Some(left.add(&right)),
        BinaryOp::Minus => Some(left.add(&right.negated())),
        _ => left.multiply(&right),
    };
    frame.scaled(value, scale)
}

fn double_step(op: BinaryOp, frame: &Frame<'_>, nodes: &[Node]) -> Evaluated {
    let Some(left) = nodes[0].double(frame)? else { return Ok(Datum::Null) };
    let Some(right) = nodes[1].double(frame)? else { return Ok(Datum::Null) };
    frame.finite(match op {
        BinaryOp::Plus => left + right,
        BinaryOp::Minus => left - right,
        _ => left * right,
    })
}

fn divide(left: Node, right: Node, context: &Context) -> Result<Node, Unsupported> {
    let (kind, decimals) = numeric_kind(&left.ty, &right.ty);
    let increment = context.division_increment;
    if kind == Kind::Double {
        let decimals = match decimals < NOT_FIXED_DECIMALS {
            true => decimals.saturating_add(increment),
            false => decimals,
        };
        return Ok(Node::call(Type::double(decimals), vec![left, right], |frame, nodes| {
            let operands = (nodes[0].double(frame)?, nodes[1].double(frame)?);
            let (Some(left), Some(right)) = operands else { return Ok(Datum::Null) };
            if right == 0.0 {
                frame.warn();
                return Ok(Datum::Null);
            }
            frame.finite(left / right)
        }));
    }
    let scale = checked_scale(left.ty.numeric().decimals + increment)?;
    Ok(Node::call(Type::decimal(scale), vec![left, right], move |frame, nodes| {
        let Some(left) = nodes[0].decimal(frame)? else { return Ok(Datum::Null) };
        let Some(right) = nodes[1].decimal(frame)? else { return Ok(Datum::Null) };
        if right.is_zero() {
            frame.warn();
            return Ok(Datum::Null);
        }
        // MySQL goes on with the digits of the type, MariaDB with all it has.
        let rounds = frame.context.flavour == Flavour::MySql;
        left.divide(&right, increment)
            .map(|quotient| if rounds { quotient.round(scale) } else { quotient })
            .filter(|quotient| quotient.round(scale).is_showable())
            .map(Datum::Decimal)
            .ok_or_else(|| EvalError::unsupported("a division with so many digits"))
    }))
}

fn integer_divide(left: Node, right: Node) -> Node {
    let is_unsigned = left.ty.is_unsigned || right.ty.is_unsigned;
    let (kind, _) = numeric_kind(&left.ty, &right.ty);
    Node::call(Type::integer(is_unsigned), vec![left, right], move |frame, nodes| {
        if kind == Kind::Integer {
            let Some(left) = nodes[0].integer(frame)? else { return Ok(Datum::Null) };
            let Some(right) = nodes[1].integer(frame)? else { return Ok(Datum::Null) };
            return match right {
                0 => division_by_zero(frame),
                _ if left == i128::from(i64::MIN) => {
                    Err(EvalError::unsupported("DIV of the smallest BIGINT"))
                }
                _ => Datum::integer(left / right, is_unsigned),
            };
        }
        let Some(left) = nodes[0].decimal(frame)? else { return Ok(Datum::Null) };
        let Some(right) = nodes[1].decimal(frame)? else { return Ok(Datum::Null) };
        if right.is_zero() {
            return division_by_zero(frame);
        }
        let quotient =
            left.divide(&right, 0).and_then(|quotient| quotient.to_integer(Rounding::Truncate));
        match quotient {
            Some(quotient) => Datum::integer(quotient, is_unsigned),
            None => Err(EvalError::unsupported("a division with so many digits")),
        }
    })
}

fn division_by_zero(frame: &Frame<'_>) -> Evaluated {
    frame.warn();
    Ok(Datum::Null)
}

/// `%`, `MOD`.
pub(crate) fn modulo(left: Node, right: Node) -> Result<Node, Unsupported> {
    let (kind, decimals) = numeric_kind(&left.ty, &right.ty);
    let is_unsigned = left.ty.is_unsigned;
    let ty = match kind {
        Kind::Double => Type { is_unsigned, ..Type::double(decimals) },
        Kind::Decimal => Type { is_unsigned, ..Type::decimal(decimals) },
        _ => Type::integer(is_unsigned),
    };
    Ok(Node::call(ty, vec![left, right], move |frame, nodes| match kind {
        Kind::Double => {
            let Some(left) = nodes[0].double(frame)? else { return Ok(Datum::Null) };
            let Some(right) = nodes[1].double(frame)? else { return Ok(Datum::Null) };
            if right == 0.0 {
                return division_by_zero(frame);
            }
            frame.finite(left % right)
        }
        Kind::Decimal => {
            let Some(left) = nodes[0].decimal(frame)? else { return Ok(Datum::Null) };
            let Some(right) = nodes[1].decimal(frame)? else { return Ok(Datum::Null) };
            if right.is_zero() {
                return division_by_zero(frame);
            }
            let rest = left.remainder(&right);
            // A negative zero, in some servers and for some numbers of digits.
            if left.is_negative() && rest.is_some_and(|rest| rest.is_zero()) {
                return Err(EvalError::unsupported("a negative zero"));
            }
            frame.scaled(rest, decimals)
        }
        _ => {
            let Some(left) = nodes[0].integer(frame)? else { return Ok(Datum::Null) };
            let Some(right) = nodes[1].integer(frame)? else { return Ok(Datum::Null) };
            match right {
                0 => division_by_zero(frame),
                _ => Datum::integer(left % right, is_unsigned),
            }
        }
    }))
}

/// Unary minus.
pub(crate) fn negate(operand: Node, context: &Context) -> Result<Node, Unsupported> {
    check_operand(&operand)?;
    let source = operand.ty.numeric();
    match source.kind {
        Kind::Double => {
            Ok(Node::call(Type::double(source.decimals), vec![operand], |frame, nodes| {
                nodes[0].double(frame)?.map_or(Ok(Datum::Null), |value| frame.finite(-value))
            }))
        }
        Kind::Decimal => Ok(negated_decimal(operand, source.decimals)),
        _ if operand.is_constant() => negated_constant(operand, context),
        _ => Ok(Node::call(Type::INTEGER, vec![operand], |frame, nodes| {
            match nodes[0].integer(frame)? {
                Some(value) => Datum::integer(-value, false),
                None => Ok(Datum::Null),
            }
        })),
    }
}

fn negated_decimal(operand: Node, decimals: u8) -> Node {
    Node::call(Type::decimal(decimals), vec![operand], move |frame, nodes| {
        match nodes[0].decimal(frame)? {
            Some(value) => frame.scaled(Some(value.negated()), decimals),
            None => Ok(Datum::Null),
        }
    })
}

/// A constant that BIGINT cannot hold with the other sign becomes a decimal, and so does one that
/// is negative already.
fn negated_constant(operand: Node, context: &Context) -> Result<Node, Unsupported> {
    let frame = Frame { row: &super::NoRow, context, warnings: std::cell::Cell::new(0) };
    let value = match operand.integer(&frame) {
        Ok(Some(value)) => value,
        Ok(None) => return Ok(Node::constant(Datum::Null, Type::INTEGER)),
        Err(_) => return Err(refuse("the negative of this constant")),
    };
    let limit = i128::from(i64::MAX) + 1;
    let is_literal = operand.literal().is_some();
    if (0..limit).contains(&value) || (value == limit && is_literal) {
        return match Datum::integer(-value, false) {
            Ok(datum) => Ok(Node::constant(datum, Type::INTEGER)),
            Err(_) => Err(refuse("the negative of this constant")),
        };
    }
    if context.flavour == Flavour::MySql || value > limit || !is_literal {
        return Ok(negated_decimal(operand, 0));
    }
    match Datum::integer(-value, false) {
        Ok(datum) => Ok(Node::constant(datum, Type::INTEGER)),
        Err(_) => {
            Ok(Node::constant(Datum::Decimal(Decimal::from(i64::MIN).negated()), Type::decimal(0)))
        }
    }
}
