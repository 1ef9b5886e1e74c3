//! DECIMAL columns with digits behind the point.

use std::borrow::Cow;

use eval::Value;
use kernel::error::StatementError;
use kernel::model::ColumnMetadata;

use super::{Compared, Key};

/// Most digits whose values fit the arithmetic here with room for one more operation.
const DIGITS_MAX: u32 = 36;

/// A DECIMAL type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecimalColumn {
    digits: u32,
    scale: u32,
    is_unsigned: bool,
}

/// A number at the scale of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scaled {
    Exact(i128),
    /// Lies between this number and the next one; the flag tells whether it is rounded up.
    Between(i128, bool),
    /// More digits than any value of the column.
    TooLarge,
}

impl DecimalColumn {
    /// Reads the type; `None` where it is no DECIMAL, or one with too many digits.
    pub(super) fn new(column: &ColumnMetadata) -> Option<Self> {
        if column.data_type != "decimal" && column.data_type != "numeric" {
            return None;
        }
        let (_, rest) = column.column_type.split_once('(')?;
        let (declared, _) = rest.split_once(')')?;
        let (digits, scale) = declared.split_once(',').unwrap_or((declared, "0"));
        let digits = digits.trim().parse().ok().filter(|digits| *digits <= DIGITS_MAX)?;
        let scale = scale.trim().parse().ok().filter(|scale| *scale <= digits)?;
        Some(Self { digits, scale, is_unsigned: column.is_unsigned() })
    }

    /// The greatest value, where all are whole: then it is a column of integers.
    pub(super) fn greatest_integer(self) -> Option<i128> {
        (self.scale == 0).then(|| 10_i128.pow(self.digits) - 1)
    }

    /// Without sign that an unsigned column has no values of.
    pub(super) fn is_unsigned(self) -> bool {
        self.is_unsigned
    }

    fn scaled(self, value: &Value<'_>) -> Option<Scaled> {
        let text: Cow<'_, str> = match value {
            Value::Int(value) => value.to_string().into(),
            Value::UInt(value) => value.to_string().into(),
            Value::Decimal(text) => Cow::Borrowed(text),
            _ => return None,
        };
        self.read(&text)
    }

    /// Reads an optional sign, digits and at most one point.
    fn read(self, text: &str) -> Option<Scaled> {
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || whole.len() + fraction.len() == 0 {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        if whole.len() > (self.digits - self.scale) as usize {
            return Some(Scaled::TooLarge);
        }
        let scale = self.scale as usize;
        let (kept, cut) = fraction.split_at(fraction.len().min(scale));
        // At most `digits` digits, which fit.
        let unscaled: i128 = format!("0{whole}{kept:0<scale$}").parse().ok()?;
        let is_exact = cut.bytes().all(|byte| byte == b'0');
        let is_rounded_away = cut.as_bytes().first().is_some_and(|digit| *digit >= b'5');
        Some(match (is_exact, is_negative) {
            (true, false) => Scaled::Exact(unscaled),
            (true, true) => Scaled::Exact(-unscaled),
            (false, false) => Scaled::Between(unscaled, is_rounded_away),
            (false, true) => Scaled::Between(-unscaled - 1, !is_rounded_away),
        })
    }

    fn key(self, unscaled: i128) -> Key<'static> {
        Key::Decimal { unscaled, scale: self.scale }
    }

    /// The stored value that equals `value`. Approximate numbers and strings compare as
    /// floating-point numbers, to which several decimals are equal.
    pub(super) fn compared(self, value: &Value<'_>) -> Compared<'static> {
        match self.scaled(value) {
            Some(Scaled::Exact(unscaled)) => Compared::Key(self.key(unscaled)),
            Some(Scaled::Between(..) | Scaled::TooLarge) => Compared::Nothing,
            None if matches!(value, Value::Null) => Compared::Nothing,
            None => Compared::Uncertain,
        }
    }

    /// What is stored for `value`: rounded half away from zero.
    pub(super) fn stored(
        self,
        name: &str,
        value: &Value<'_>,
    ) -> Result<Key<'static>, StatementError> {
        let scaled = match value {
            Value::Bytes(text) => std::str::from_utf8(text).ok().and_then(|text| self.read(text)),
            other => self.scaled(other),
        };
        let unscaled = match scaled {
            Some(Scaled::Exact(unscaled)) => unscaled,
            Some(Scaled::Between(below, is_up)) => below + i128::from(is_up),
            Some(Scaled::TooLarge) => return Err(out_of_range(name)),
            None => {
                return Err(StatementError::new(
                    1366,
                    "HY000",
                    format!(
                        "Incorrect decimal value for sharding column '{name}'; write it as a \
                         number without exponent"
                    ),
                ));
            }
        };
        let is_inside = unscaled.unsigned_abs() < 10_u128.pow(self.digits);
        if !is_inside || (self.is_unsigned && unscaled < 0) {
            return Err(out_of_range(name));
        }
        Ok(self.key(unscaled))
    }

    /// Whole numbers around a bound; `None` where it is not certain.
    pub(super) fn bound(self, value: &Value<'_>) -> Option<(i128, i128)> {
        let power = 10_i128.pow(self.scale);
        let (below, above) = match self.scaled(value)? {
            Scaled::Exact(unscaled) => (unscaled, unscaled),
            Scaled::Between(below, _) => (below, below + 1),
            Scaled::TooLarge => return None,
        };
        Some((below.div_euclid(power), -(-above).div_euclid(power)))
    }

    /// Whole numbers below and above all values.
    pub(super) fn domain(self) -> (i128, i128) {
        let greatest = 10_i128.pow(self.digits - self.scale);
        (-greatest, greatest)
    }
}

fn out_of_range(name: &str) -> StatementError {
    StatementError::new(1264, "22003", format!("Out of range value for column '{name}'"))
}
