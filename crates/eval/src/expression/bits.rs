//! `| & ^ << >> ~`: on 64 bits without sign.

use sql::ast::BinaryOp;

use super::arithmetic::check_operand;
use super::datum::Datum;
use super::error::Unsupported;
use super::node::Node;
use super::types::Type;

/// An infix operator of bits.
pub(crate) fn compile(op: BinaryOp, left: Node, right: Node) -> Result<Node, Unsupported> {
    // MySQL combines byte strings byte by byte.
    check_operand(&left)?;
    check_operand(&right)?;
    Ok(Node::call(Type::UNSIGNED, vec![left, right], move |frame, nodes| {
        let Some(left) = nodes[0].integer(frame)? else { return Ok(Datum::Null) };
        let Some(right) = nodes[1].integer(frame)? else { return Ok(Datum::Null) };
        let (left, right) = (left as u64, right as u64);
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
    check_operand(&operand)?;
    Ok(Node::call(Type::UNSIGNED, vec![operand], |frame, nodes| {
        Ok(nodes[0].integer(frame)?.map_or(Datum::Null, |value| Datum::UInt(!(value as u64))))
    }))
}
