//! The Java values that a key may have been when it was placed.

use super::super::expression::Value;
use crate::column::{Civil, Key, Precision, SECOND};

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
            Key::Moment { micros, precision } => moment(*micros, *precision),
            Key::Decimal { .. } => return None,
        };
        Some(Self { values })
    }

    /// All forms that a stored row may have had: a literal is an Integer where it fits, a parameter
    /// may be a Long.
    pub(super) fn possible(key: &Key<'_>) -> Option<Self> {
        match key {
            Key::Integer { value, .. } => {
                let mut values = vec![Value::of_integer(*value)];
                // A parameter of an unsigned column has the bits of a Long.
                if !matches!(values[0], Value::Long(_)) {
                    values.push(Value::Long(*value as i64));
                }
                Some(Self { values })
            }
            _ => Self::placed(key),
        }
    }
}

/// The texts in which clients and drivers write a moment.
fn moment(micros: i64, precision: Precision) -> Vec<Value> {
    let civil = Civil::new(micros);
    let date = format!("{:04}-{:02}-{:02}", civil.year, civil.month, civil.day);
    let is_midnight = civil.micros == 0;
    let clock = format!("{date} {:02}:{:02}:{:02}", civil.hour(), civil.minute(), civil.second());
    let fraction = format!("{:06}", civil.micros % SECOND);
    let mut texts = Vec::new();
    if is_midnight {
        texts.push(date);
    }
    if fraction == "000000" {
        texts.push(clock.clone());
        // As Java prints a Timestamp.
        texts.push(format!("{clock}.0"));
    } else {
        texts.push(format!("{clock}.{}", fraction.trim_end_matches('0')));
    }
    if let Precision::Fraction(digits @ 1..=6) = precision {
        texts.push(format!("{clock}.{}", &fraction[..usize::from(digits)]));
    }
    texts.dedup();
    texts.into_iter().map(Value::Text).collect()
}

/// A Long, or a BigInteger where it does not fit.
fn wide(value: i128) -> Value {
    i64::try_from(value).map_or(Value::Big(value), Value::Long)
}
