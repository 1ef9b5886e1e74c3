//! The Java values that a key may have been when it was placed.

use super::super::expression::Value;
use crate::column::Key;

/// Values of one column.
pub(super) struct Forms {
    pub(super) values: Vec<Value>,
}

impl Forms {
    /// For a column that the expression does not use.
    pub(super) fn unused() -> Self {
        Self { values: vec![Value::Int(0)] }
    }

    /// The forms in which a row is placed; more than one where the reference's form is that of the
    /// client's text.
    pub(super) fn placed(key: &Key<'_>) -> Option<Self> {
        let values = match key {
            Key::Integer { value, is_long: true } => vec![wide(*value)],
            Key::Integer { value, is_long: false } => vec![Value::of_integer(*value)],
            Key::Text(text) => vec![Value::Text(std::str::from_utf8(text).ok()?.to_owned())],
        };
        Some(Self { values })
    }

    /// All forms that a stored row may have had: a literal is an Integer where it fits, a parameter
    /// may be a Long.
    pub(super) fn possible(key: &Key<'_>) -> Option<Self> {
        match key {
            Key::Integer { value, .. } => {
                let mut values = vec![Value::of_integer(*value)];
                if matches!(values[0], Value::Int(_)) {
                    values.push(wide(*value));
                }
                Some(Self { values })
            }
            _ => Self::placed(key),
        }
    }
}

/// A Long, or a BigInteger where it does not fit.
fn wide(value: i128) -> Value {
    i64::try_from(value).map_or(Value::Big(value), Value::Long)
}
