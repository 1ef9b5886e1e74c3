//! Arithmetic on numbers with Groovy's promotion: the wider type of both operands, in which Integer
//! and Long wrap around; a quotient is a BigDecimal.
//!
//! Source: Groovy documentation, "Number type promotion"; Java SE on overflow and `%`.

use std::cmp::Ordering;

use super::decimal::Decimal;
use super::node::BinaryOperator;
use super::value::Value;

/// Two numbers in the type of the wider one.
enum Pair {
    Int(i32, i32),
    Long(i64, i64),
    Big(i128, i128),
    Decimal(Decimal, Decimal),
}

const TOO_LARGE: &str = "a number of the expression has too many digits";
const BY_ZERO: &str = "division by zero";

fn pair(left: &Value, right: &Value) -> Option<Pair> {
    Some(match (left, right) {
        (Value::Decimal(left), _) => Pair::Decimal(*left, decimal(right)?),
        (_, Value::Decimal(right)) => Pair::Decimal(decimal(left)?, *right),
        (Value::Int(left), Value::Int(right)) => Pair::Int(*left, *right),
        (Value::Int(_) | Value::Long(_), Value::Int(_) | Value::Long(_)) => {
            // Both fit, as they are of these types.
            Pair::Long(left.as_integer()? as i64, right.as_integer()? as i64)
        }
        _ => Pair::Big(left.as_integer()?, right.as_integer()?),
    })
}

fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Decimal(value) => Some(*value),
        other => other.as_integer().map(Decimal::of_integer),
    }
}

/// The order of two numbers; `None` where one is none.
pub(super) fn compare(left: &Value, right: &Value) -> Result<Option<Ordering>, String> {
    Ok(Some(match pair(left, right) {
        Some(Pair::Int(left, right)) => left.cmp(&right),
        Some(Pair::Long(left, right)) => left.cmp(&right),
        Some(Pair::Big(left, right)) => left.cmp(&right),
        Some(Pair::Decimal(left, right)) => left.compare(right)?,
        None => return Ok(None),
    }))
}

/// `left operator right` for the operators of arithmetic.
pub(super) fn calculate(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Result<Value, String> {
    let pair = pair(left, right).ok_or_else(|| {
        format!("{} and {} cannot be calculated with", left.type_name(), right.type_name())
    })?;
    match operator {
        BinaryOperator::Divide => divide(pair),
        BinaryOperator::Remainder => remainder(pair),
        BinaryOperator::Power => power(left, right),
        _ => match pair {
            Pair::Int(left, right) => Ok(Value::Int(match operator {
                BinaryOperator::Add => left.wrapping_add(right),
                BinaryOperator::Subtract => left.wrapping_sub(right),
                _ => left.wrapping_mul(right),
            })),
            Pair::Long(left, right) => Ok(Value::Long(match operator {
                BinaryOperator::Add => left.wrapping_add(right),
                BinaryOperator::Subtract => left.wrapping_sub(right),
                _ => left.wrapping_mul(right),
            })),
            Pair::Big(left, right) => {
                let result = match operator {
                    BinaryOperator::Add => left.checked_add(right),
                    BinaryOperator::Subtract => left.checked_sub(right),
                    _ => left.checked_mul(right),
                };
                Ok(Value::Big(result.ok_or(TOO_LARGE)?))
            }
            Pair::Decimal(left, right) => Ok(Value::Decimal(match operator {
                BinaryOperator::Add => left.add(right)?,
                BinaryOperator::Subtract => left.add(right.negate()?)?,
                _ => left.multiply(right)?,
            })),
        },
    }
}

fn divide(pair: Pair) -> Result<Value, String> {
    let (left, right) = match pair {
        Pair::Int(left, right) => {
            (Decimal::of_integer(left.into()), Decimal::of_integer(right.into()))
        }
        Pair::Long(left, right) => {
            (Decimal::of_integer(left.into()), Decimal::of_integer(right.into()))
        }
        Pair::Big(left, right) => (Decimal::of_integer(left), Decimal::of_integer(right)),
        Pair::Decimal(left, right) => (left, right),
    };
    left.divide(right).map(Value::Decimal)
}

/// `%`: the sign of the dividend; of BigIntegers the remainder is never negative.
fn remainder(pair: Pair) -> Result<Value, String> {
    match pair {
        Pair::Int(_, 0) | Pair::Long(_, 0) => Err(BY_ZERO.to_owned()),
        Pair::Int(left, right) => Ok(Value::Int(left.wrapping_rem(right))),
        Pair::Long(left, right) => Ok(Value::Long(left.wrapping_rem(right))),
        Pair::Big(left, right) if right > 0 => Ok(Value::Big(left.rem_euclid(right))),
        Pair::Big(..) => Err("the modulus of a BigInteger must be positive".to_owned()),
        Pair::Decimal(..) => Err("% of a BigDecimal is not supported; use .longValue()".to_owned()),
    }
}

/// `**`: as wide as the result needs, but at least as the base is.
fn power(left: &Value, right: &Value) -> Result<Value, String> {
    let unsupported = "** is supported between an integer and a small positive Integer";
    let (Some(base), Value::Int(exponent)) = (left.as_integer(), right) else {
        return Err(unsupported.to_owned());
    };
    let exponent = u32::try_from(*exponent).map_err(|_| unsupported)?;
    let result = base.checked_pow(exponent).ok_or(TOO_LARGE)?;
    Ok(match (left, i64::try_from(result)) {
        (Value::Int(_), Ok(value)) if i32::try_from(value).is_ok() => Value::Int(value as i32),
        (Value::Long(_), Ok(value)) => Value::Long(value),
        _ => Value::Big(result),
    })
}

/// `left.intdiv(right)`: the fraction is cut.
pub(super) fn divide_whole(left: &Value, right: &Value) -> Result<Value, String> {
    match pair(left, right) {
        Some(Pair::Int(_, 0) | Pair::Long(_, 0) | Pair::Big(_, 0)) => Err(BY_ZERO.to_owned()),
        Some(Pair::Int(left, right)) => Ok(Value::Int(left.wrapping_div(right))),
        Some(Pair::Long(left, right)) => Ok(Value::Long(left.wrapping_div(right))),
        Some(Pair::Big(left, right)) => Ok(Value::Big(left.checked_div(right).ok_or(TOO_LARGE)?)),
        _ => Err("intdiv needs two integers".to_owned()),
    }
}

/// `Math.floorMod(left, right)`.
pub(super) fn floor_mod(left: &Value, right: &Value) -> Result<Value, String> {
    let floor = |left: i128, right: i128| {
        let rest = left % right;
        if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest }
    };
    match pair(left, right) {
        Some(Pair::Int(_, 0) | Pair::Long(_, 0)) => Err(BY_ZERO.to_owned()),
        Some(Pair::Int(left, right)) => Ok(Value::Int(floor(left.into(), right.into()) as i32)),
        Some(Pair::Long(left, right)) => {
            let rest = floor(left.into(), right.into());
            // Java has floorMod(long, int) too, whose result is an int with the same text.
            Ok(Value::Long(rest as i64))
        }
        _ => Err("floorMod needs Integers or Longs".to_owned()),
    }
}

/// Operators on the bits of Integers and Longs.
pub(super) fn bits(operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value, String> {
    let combine = |left: i64, right: i64| match operator {
        BinaryOperator::BitAnd => left & right,
        BinaryOperator::BitOr => left | right,
        _ => left ^ right,
    };
    let unsupported = "operators on bits need Integers or Longs";
    match operator {
        BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => {
            match pair(left, right) {
                Some(Pair::Int(left, right)) => {
                    Ok(Value::Int(combine(left.into(), right.into()) as i32))
                }
                Some(Pair::Long(left, right)) => Ok(Value::Long(combine(left, right))),
                _ => Err(unsupported.to_owned()),
            }
        }
        _ => {
            let distance = right.as_position()? as u32;
            match left {
                Value::Int(value) => Ok(Value::Int(match operator {
                    BinaryOperator::ShiftLeft => value.wrapping_shl(distance),
                    BinaryOperator::ShiftRight => value.wrapping_shr(distance),
                    _ => value.cast_unsigned().wrapping_shr(distance).cast_signed(),
                })),
                Value::Long(value) => Ok(Value::Long(match operator {
                    BinaryOperator::ShiftLeft => value.wrapping_shl(distance),
                    BinaryOperator::ShiftRight => value.wrapping_shr(distance),
                    _ => value.cast_unsigned().wrapping_shr(distance).cast_signed(),
                })),
                _ => Err(unsupported.to_owned()),
            }
        }
    }
}

pub(super) fn negate(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Int(value) => Value::Int(value.wrapping_neg()),
        Value::Long(value) => Value::Long(value.wrapping_neg()),
        Value::Big(value) => Value::Big(value.checked_neg().ok_or(TOO_LARGE)?),
        Value::Decimal(value) => Value::Decimal(value.negate()?),
        other => return Err(format!("{} has no negative", other.type_name())),
    })
}

pub(super) fn absolute(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Int(value) => Value::Int(value.wrapping_abs()),
        Value::Long(value) => Value::Long(value.wrapping_abs()),
        Value::Big(value) => Value::Big(value.checked_abs().ok_or(TOO_LARGE)?),
        Value::Decimal(number) if number.unscaled < 0 => Value::Decimal(number.negate()?),
        Value::Decimal(_) => value.clone(),
        other => return Err(format!("{} has no absolute value", other.type_name())),
    })
}
