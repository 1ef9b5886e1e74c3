//! `| & ^ << >> ~`: on 64 bits without sign.

use sql::ast::BinaryOp;

use super::arithmetic::check_operand;
use super::datum::Datum;
use super::error::{EvalError, Unsupported};
use super::node::{Frame, Node, NodeKind, refuse};
use super::types::{Kind, Type};

/// An infix operator of bits.
pub(crate) fn compile(op: BinaryOp, left: Node, right: Node) -> Result<Node, Unsupported> {
    // MySQL combines byte strings byte by byte.
    check_bits(&left)?;
    check_bits(&right)?;
    Ok(Node::call(Type::UNSIGNED, vec![left, right], move |frame, nodes| {
        let Some(left) = bits_of(frame, &nodes[0])? else { return Ok(Datum::Null) };
        let Some(right) = bits_of(frame, &nodes[1])? else { return Ok(Datum::Null) };
        let shift = u32::try_from(right).unwrap_or(u32::MAX);
        Ok(Datum::UInt(match op {
            BinaryOp::BitOr => left | right,
            BinaryOp::BitAnd => left & right,
            BinaryOp::BitXor => left ^ right,
            BinaryOp::ShiftLeft => left.checked_shl(shift).unwrap_or(0),
            _ => left.checked_shr(shift).unwrap_or(0),
        }))
    }))
}

/// `~`.
pub(crate) fn not(operand: Node) -> Result<Node, Unsupported> {
    check_bits(&operand)?;
    Ok(Node::call(Type::UNSIGNED, vec![operand], |frame, nodes| {
        Ok(bits_of(frame, &nodes[0])?.map_or(Datum::Null, |value| Datum::UInt(!value)))
    }))
}

/// Fractions that were computed are rounded at different places.
fn check_bits(node: &Node) -> Result<(), Unsupported> {
    check_operand(node)?;
    let is_given = !matches!(node.kind, NodeKind::Call { .. });
    let is_integer = matches!(node.ty.kind, Kind::Integer | Kind::Null);
    if is_given || is_integer { Ok(()) } else { Err(refuse("the bits of such a value")) }
}

fn bits_of(frame: &Frame<'_>, node: &Node) -> Result<Option<u64>, EvalError> {
    // The servers round a half differently here.
    let is_half = node.ty.kind == Kind::Double
        && node.double(frame)?.is_some_and(|value| value.fract().abs() == 0.5);
    if is_half {
        return Err(EvalError::unsupported("the bits of a half"));
    }
    let value = node.integer(frame)?;
    if node.ty.kind != Kind::Integer && value.is_some_and(|value| i64::try_from(value).is_err()) {
        return Err(EvalError::unsupported("the bits of so great a number"));
    }
    Ok(value.map(|value| value as u64))
}
