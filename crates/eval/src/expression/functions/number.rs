//! ABS, SIGN, SQRT, POW, PI.

use crate::expression::arithmetic::check_operand;
use crate::expression::datum::Datum;
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::node::Node;
use crate::expression::types::{Kind, Type};

/// Whole numbers up to this are doubles, and each product of them is exact.
const EXACT_LIMIT: f64 = 9_007_199_254_740_992.0;

/// `ABS`.
pub(super) fn abs(args: Vec<Node>) -> Result<Node, Unsupported> {
    check_operand(&args[0])?;
    let source = args[0].ty.numeric();
    let kind = source.kind;
    let ty = match kind {
        Kind::Double => Type::double(source.decimals),
        Kind::Decimal => Type::decimal(source.decimals),
        _ => Type::integer(source.is_unsigned),
    };
    let (is_unsigned, decimals) = (source.is_unsigned, source.decimals);
    Ok(Node::call(ty, args, move |frame, nodes| match kind {
        Kind::Double => {
            Ok(nodes[0].double(frame)?.map_or(Datum::Null, |value| Datum::Double(value.abs())))
        }
        Kind::Decimal => match nodes[0].decimal(frame)? {
            Some(value) if value.is_negative() => frame.scaled(Some(value.negated()), decimals),
            Some(value) => frame.scaled(Some(value), decimals),
            None => Ok(Datum::Null),
        },
        _ => match nodes[0].integer(frame)? {
            Some(value) => Datum::integer(value.abs(), is_unsigned),
            None => Ok(Datum::Null),
        },
    }))
}

/// `SIGN`.
pub(super) fn sign(args: Vec<Node>) -> Result<Node, Unsupported> {
    check_operand(&args[0])?;
    let ty = Type::COUNT;
    let is_decimal = args[0].ty.numeric().kind == Kind::Decimal;
    Ok(Node::call(ty, args, move |frame, nodes| {
        if is_decimal {
            return Ok(nodes[0].decimal(frame)?.map_or(Datum::Null, |value| {
                Datum::Int(match (value.is_zero(), value.is_negative()) {
                    (true, _) => 0,
                    (false, true) => -1,
                    (false, false) => 1,
                })
            }));
        }
        Ok(nodes[0].double(frame)?.map_or(Datum::Null, |value| {
            Datum::Int(if value == 0.0 { 0 } else { value.signum() as i64 })
        }))
    }))
}

/// `SQRT`: NULL of numbers below zero.
pub(super) fn square_root(args: Vec<Node>) -> Result<Node, Unsupported> {
    check_operand(&args[0])?;
    Ok(Node::call(Type::DOUBLE, args, |frame, nodes| {
        Ok(match nodes[0].double(frame)? {
            Some(value) if value >= 0.0 => Datum::Double(value.sqrt()),
            _ => Datum::Null,
        })
    }))
}

/// `POW`: where the result is a whole number that is exact; the rest is up to the server's
/// mathematical library.
pub(super) fn power(args: Vec<Node>) -> Result<Node, Unsupported> {
    check_operand(&args[0])?;
    check_operand(&args[1])?;
    Ok(Node::call(Type::DOUBLE, args, |frame, nodes| {
        let Some(base) = nodes[0].double(frame)? else { return Ok(Datum::Null) };
        let Some(exponent) = nodes[1].double(frame)? else { return Ok(Datum::Null) };
        let is_small = (0.0..=64.0).contains(&exponent) && exponent.fract() == 0.0;
        let mut product = 1.0;
        if is_small && base.fract() == 0.0 {
            for _ in 0..exponent as u32 {
                product *= base;
                if product.abs() > EXACT_LIMIT {
                    break;
                }
            }
            if product.abs() <= EXACT_LIMIT && (product != 0.0 || !base.is_sign_negative()) {
                return Ok(Datum::Double(product));
            }
        }
        Err(EvalError::unsupported("a power that is no exact whole number"))
    }))
}

/// `PI()`.
pub(super) fn pi() -> Node {
    Node::constant(Datum::Double(std::f64::consts::PI), Type::double(6))
}
