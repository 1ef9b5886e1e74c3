//! Values while an expression is evaluated, with the types that Groovy gives them.

use super::decimal::Decimal;
use crate::algorithms::java_hash;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::algorithms) enum Value {
    /// `Integer`.
    Int(i32),
    /// `Long`.
    Long(i64),
    /// `BigInteger`, of at most 127 bits.
    Big(i128),
    /// `BigDecimal`.
    Decimal(Decimal),
    /// `String`.
    Text(String),
    /// `Boolean`.
    Boolean(bool),
    /// A list.
    List(Vec<Value>),
}

impl Value {
    /// The narrowest of Integer, Long and BigInteger, as a literal has it.
    pub(in crate::algorithms) fn of_integer(value: i128) -> Self {
        match (i32::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => Self::Int(value),
            (_, Ok(value)) => Self::Long(value),
            _ => Self::Big(value),
        }
    }

    /// What the type is called.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Int(_) => "an Integer",
            Self::Long(_) => "a Long",
            Self::Big(_) => "a BigInteger",
            Self::Decimal(_) => "a BigDecimal",
            Self::Text(_) => "a String",
            Self::Boolean(_) => "a Boolean",
            Self::List(_) => "a List",
        }
    }

    /// `toString()`.
    pub(super) fn print(&self) -> Result<String, String> {
        Ok(match self {
            Self::Int(value) => value.to_string(),
            Self::Long(value) => value.to_string(),
            Self::Big(value) => value.to_string(),
            Self::Decimal(value) => value.print()?,
            Self::Text(text) => text.clone(),
            Self::Boolean(value) => value.to_string(),
            Self::List(_) => return Err("a list is not a name; choose one item".to_owned()),
        })
    }

    /// `hashCode()`.
    pub(super) fn hash(&self) -> Result<i32, String> {
        Ok(match self {
            Self::Int(value) => *value,
            Self::Long(value) => java_hash::of_long(*value),
            Self::Big(value) => java_hash::of_big_integer(*value),
            Self::Decimal(value) => java_hash::of_big_decimal(value.unscaled, value.scale),
            Self::Text(text) => java_hash::of_text(text.as_bytes()),
            Self::Boolean(value) => java_hash::of_boolean(*value),
            Self::List(_) => return Err("the hash of a list is not supported".to_owned()),
        })
    }

    /// What Groovy takes it for in a condition.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Int(value) => *value != 0,
            Self::Long(value) => *value != 0,
            Self::Big(value) => *value != 0,
            Self::Decimal(value) => value.unscaled != 0,
            Self::Text(text) => !text.is_empty(),
            Self::Boolean(value) => *value,
            Self::List(items) => !items.is_empty(),
        }
    }

    /// An integer of any of the three types.
    pub(super) fn as_integer(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(i128::from(*value)),
            Self::Long(value) => Some(i128::from(*value)),
            Self::Big(value) => Some(*value),
            _ => None,
        }
    }

    /// A number without its fraction.
    pub(super) fn truncated(&self) -> Option<i128> {
        match self {
            Self::Decimal(value) => Some(value.truncated()),
            other => other.as_integer(),
        }
    }

    /// A position or a width: an Integer.
    pub(super) fn as_position(&self) -> Result<i64, String> {
        match self {
            Self::Int(value) => Ok(i64::from(*value)),
            Self::Long(value) => Ok(*value),
            other => Err(format!("a position must be an Integer, not {}", other.type_name())),
        }
    }
}
