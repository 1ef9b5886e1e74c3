//! Values read as numbers, the way an integer column compares and stores them.

use eval::Value;

/// A value as an integer column sees it in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// An integer.
    Exact(i128),
    /// Lies between this integer and the next one.
    Between(i128),
    /// NULL.
    Null,
    /// Cannot be told with certainty.
    Uncertain,
}

/// Below this, a DOUBLE represents every integer, and no two integers round to one DOUBLE.
const EXACT_DOUBLE: f64 = 9_007_199_254_740_992.0;
/// More digits than any integer column has.
const MAX_DIGITS: usize = 30;

/// The value in a comparison with an integer column.
///
/// # Source
/// MySQL 8.4 manual, "Type Conversion in Expression Evaluation": an integer and a string compare
/// as floating-point numbers, an integer and a decimal exactly.
pub(super) fn compared(value: &Value<'_>) -> Number {
    match value {
        Value::Null => Number::Null,
        Value::Int(value) => Number::Exact(i128::from(*value)),
        Value::UInt(value) => Number::Exact(i128::from(*value)),
        Value::Decimal(text) => decimal(text),
        Value::Double(value) => double(*value),
        Value::Bytes(text) => match plain_integer(text) {
            Some(value) if value.unsigned_abs() < 1 << 53 => Number::Exact(value),
            _ => Number::Uncertain,
        },
    }
}

/// The integer that is stored for the value.
///
/// # Source
/// MySQL 8.4 manual, "Rounding Behavior": for inserts into integer columns exact values are rounded
/// half away from zero. Approximate values are stored only where they are whole, as their rounding
/// depends on the platform.
pub(super) fn stored(value: &Value<'_>) -> Option<i128> {
    match value {
        Value::Null => None,
        Value::Int(value) => Some(i128::from(*value)),
        Value::UInt(value) => Some(i128::from(*value)),
        Value::Decimal(text) => rounded(text),
        Value::Double(value) => match double(*value) {
            Number::Exact(value) => Some(value),
            _ => None,
        },
        Value::Bytes(text) => plain_integer(text),
    }
}

/// An optional minus sign and digits, nothing else.
fn plain_integer(text: &[u8]) -> Option<i128> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || digits.len() > MAX_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0_i128, |value, digit| value * 10 + i128::from(digit - b'0'));
    Some(if digits.len() == text.len() { value } else { -value })
}

/// Sign, whole part and fraction of a decimal text.
fn split(text: &str) -> Option<(bool, i128, &str)> {
    let (is_negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || whole.len() + fraction.len() == 0 {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { plain_integer(whole.as_bytes())? };
    Some((is_negative, whole, fraction))
}

fn decimal(text: &str) -> Number {
    let Some((is_negative, whole, fraction)) = split(text) else { return Number::Uncertain };
    let is_whole = fraction.bytes().all(|byte| byte == b'0');
    match (is_whole, is_negative) {
        (true, false) => Number::Exact(whole),
        (true, true) => Number::Exact(-whole),
        (false, false) => Number::Between(whole),
        (false, true) => Number::Between(-whole - 1),
    }
}

fn rounded(text: &str) -> Option<i128> {
    let (is_negative, whole, fraction) = split(text)?;
    let value = whole + i128::from(fraction.as_bytes().first().is_some_and(|digit| *digit >= b'5'));
    Some(if is_negative { -value } else { value })
}

fn double(value: f64) -> Number {
    if value.is_nan() || value.abs() >= EXACT_DOUBLE {
        return Number::Uncertain;
    }
    let floor = value.floor();
    if floor == value { Number::Exact(value as i128) } else { Number::Between(floor as i128) }
}
