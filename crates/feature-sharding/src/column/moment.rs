//! DATE, DATETIME and TIMESTAMP columns: values as microseconds since 1970-01-01 without a time zone.
//!
//! Source: MySQL 8.4 manual, "Date and Time Literals", "Fractional Seconds in Time Values".

mod calendar;

use std::ops::RangeInclusive;

use eval::Value;
use kernel::error::StatementError;
use kernel::model::ColumnMetadata;

pub use calendar::Civil;
pub(crate) use calendar::{DAY, SECOND};

use super::{Compared, Key};

/// What a temporal column keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// DATE.
    Day,
    /// DATETIME or TIMESTAMP with this many digits of a second's fraction, 0 to 6.
    Fraction(u8),
}

impl Precision {
    /// The distance of two neighbouring values in microseconds.
    fn step(self) -> i64 {
        match self {
            Self::Day => DAY,
            Self::Fraction(digits) => 10_i64.pow(6 - u32::from(digits.min(6))),
        }
    }
}

/// The precision of a temporal type; `None` for other types.
pub(super) fn precision(column: &ColumnMetadata) -> Option<Precision> {
    match column.data_type.as_str() {
        "date" => Some(Precision::Day),
        "datetime" | "timestamp" => {
            let declared = column
                .column_type
                .split_once('(')
                .map_or("0", |(_, rest)| rest.split(')').next().unwrap_or("0"));
            Some(Precision::Fraction(declared.trim().parse().ok().filter(|digits| *digits <= 6)?))
        }
        _ => None,
    }
}

/// The stored value that equals `value`. Only texts that have one meaning everywhere narrow; where
/// a text has more digits than the column, servers differ in whether they round it first.
pub(super) fn compared(precision: Precision, value: &Value<'_>) -> Compared<'static> {
    match value {
        Value::Null => Compared::Nothing,
        Value::Bytes(text) => match parse(text) {
            Some(micros) if micros % precision.step() == 0 => {
                Compared::Key(Key::Moment { micros, precision })
            }
            _ => Compared::Uncertain,
        },
        _ => Compared::Uncertain,
    }
}

/// What is stored for `value`.
///
/// MySQL rounds a fraction that the column cannot keep and MariaDB cuts it, so it is refused. The
/// time of day that a DATE column drops is dropped by both.
pub(super) fn stored(
    precision: Precision,
    name: &str,
    value: &Value<'_>,
) -> Result<Key<'static>, StatementError> {
    let micros = match value {
        Value::Bytes(text) => parse(text),
        _ => None,
    };
    let micros = micros.ok_or_else(|| {
        incorrect(name, "write it as a string of the form 'YYYY-MM-DD' or 'YYYY-MM-DD hh:mm:ss'")
    })?;
    let micros = match precision {
        Precision::Day if micros % SECOND == 0 => micros.div_euclid(DAY) * DAY,
        _ if micros % precision.step() == 0 => micros,
        _ => {
            return Err(incorrect(
                name,
                "it has more digits of the second's fraction than the column keeps",
            ));
        }
    };
    Ok(Key::Moment { micros, precision })
}

/// The moments that a bound can mean: the values of the column around it. `None` where it is not
/// certain.
pub(super) fn bound(precision: Precision, value: &Value<'_>) -> Option<RangeInclusive<i64>> {
    let Value::Bytes(text) = value else { return None };
    let micros = parse(text)?;
    let step = precision.step();
    let below = micros.div_euclid(step) * step;
    Some(below..=if below == micros { micros } else { below + step })
}

/// The moment at which a day begins; `None` where the calendar does not have it.
pub(crate) fn civil_micros(year: i64, month: i64, day: i64) -> Option<i64> {
    calendar::days(year, month, day).map(|days| days * DAY)
}

/// Reads `2024-1-5`, `2024-01-05 10:20:30` and `2024-01-05T10:20:30.123456`: the forms that are the
/// same moment on every server. Others (without delimiters, with two digits of a year, with a time
/// zone) and days that no calendar has are `None`.
pub(crate) fn parse(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let (date, time) = match text.split_once([' ', 'T']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let year = number(parts.next()?, 4..=4)?;
    let month = number(parts.next()?, 1..=2)?;
    let day = number(parts.next()?, 1..=2)?;
    if parts.next().is_some() {
        return None;
    }
    let days = calendar::days(year, month, day)?;
    Some(days * DAY + time.map_or(Some(0), clock)?)
}

fn clock(text: &str) -> Option<i64> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut parts = clock.split(':');
    let hours = number(parts.next()?, 1..=2).filter(|hours| *hours < 24)?;
    let minutes = number(parts.next()?, 1..=2).filter(|minutes| *minutes < 60)?;
    let seconds = number(parts.next()?, 1..=2).filter(|seconds| *seconds < 60)?;
    if parts.next().is_some() {
        return None;
    }
    let fraction = number(fraction, 1..=6)? * 10_i64.pow(6 - fraction.len() as u32);
    Some((hours * 3600 + minutes * 60 + seconds) * SECOND + fraction)
}

fn number(digits: &str, length: RangeInclusive<usize>) -> Option<i64> {
    if !length.contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

fn incorrect(name: &str, advice: &str) -> StatementError {
    StatementError::new(
        1292,
        "22007",
        format!("Incorrect date or time value for sharding column '{name}'; {advice}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_one_meaning() {
        let day = 19_727 * DAY;
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("2024-01-05", Some(day)),
            ("2024-1-5", Some(day)),
            ("2024-01-05 00:00:00", Some(day)),
            ("2024-01-05T01:02:03", Some(day + 3_723 * SECOND)),
            ("2024-01-05 1:2:3.5", Some(day + 3_723 * SECOND + 500_000)),
            ("2024-01-05 23:59:59.000001", Some(day + DAY - SECOND + 1)),
            ("1969-12-31 23:59:59", Some(-SECOND)),
            ("2024-02-29", Some(19_782 * DAY)),
            ("2023-02-29", None),
            ("2024-00-05", None),
            ("0000-00-00", None),
            ("24-01-05", None),
            ("20240105", None),
            ("2024/01/05", None),
            ("2024-01-05 10:20", None),
            ("2024-01-05 24:00:00", None),
            ("2024-01-05 10:20:60", None),
            ("2024-01-05 10:20:30.1234567", None),
            ("2024-01-05 10:20:30.", None),
            ("2024-01-05 10:20:30+00:00", None),
            (" 2024-01-05", None),
            ("2024-01-05 ", None),
            ("-001-01-05", None),
            ("", None),
        ] {
            assert_eq!(parse(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn bounds_take_in_the_values_around_them() {
        let at = |text: &str| parse(text.as_bytes()).unwrap();
        let text = |text: &'static str| Value::Bytes(text.as_bytes().into());
        for (precision, value, lower, upper) in [
            (Precision::Day, "2024-01-05", "2024-01-05", "2024-01-05"),
            (Precision::Day, "2024-01-05 10:00:00", "2024-01-05", "2024-01-06"),
            (
                Precision::Fraction(0),
                "2024-01-05 10:00:00.5",
                "2024-01-05 10:00:00",
                "2024-01-05 10:00:01",
            ),
            (
                Precision::Fraction(3),
                "2024-01-05 10:00:00.5",
                "2024-01-05 10:00:00.5",
                "2024-01-05 10:00:00.5",
            ),
        ] {
            assert_eq!(bound(precision, &text(value)), Some(at(lower)..=at(upper)), "{value}");
        }
        assert_eq!(bound(Precision::Day, &Value::Int(20_240_105)), None);
    }
}
