//! When two answers count as equal, and how they differ.
//!
//! DOUBLE and FLOAT may differ in the last places, as sums depend on their order. All else is
//! compared exactly: names, types, flags, collations, lengths, values, counts, error numbers.

use mysql_async::Value;
use mysql_async::consts::{ColumnFlags, ColumnType};

use crate::outcome::{ColumnShape, Outcome};

/// Relative difference up to which two floating point numbers are the same: a few units in the
/// last of 15 digits.
const DOUBLE_TOLERANCE: f64 = 4e-15;
/// The same for FLOAT.
const FLOAT_TOLERANCE: f64 = 1e-6;

/// Whether the order of rows counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// As sent.
    AsSent,
    /// As a bag.
    Any,
}

/// The first difference between what was expected and what came, in words; `None` where there is
/// none.
#[must_use]
pub fn find_difference(
    expected: &[Outcome],
    actual: &[Outcome],
    order: RowOrder,
) -> Option<String> {
    if expected.len() != actual.len() {
        let list = |outcomes: &[Outcome]| {
            outcomes.iter().map(Outcome::summary).collect::<Vec<_>>().join(" | ")
        };
        return Some(format!("expected [{}], got [{}]", list(expected), list(actual)));
    }
    expected.iter().zip(actual).find_map(|(expected, actual)| one(expected, actual, order))
}

fn one(expected: &Outcome, actual: &Outcome, order: RowOrder) -> Option<String> {
    match (expected, actual) {
        (
            Outcome::Rows { columns, rows, warnings },
            Outcome::Rows { columns: other_columns, rows: other_rows, warnings: other_warnings },
        ) => columns_differ(columns, other_columns)
            .or_else(|| rows_differ(columns, rows, other_rows, order))
            .or_else(|| {
                (warnings != other_warnings)
                    .then(|| format!("expected {warnings} warnings, got {other_warnings}"))
            }),
        (Outcome::Done { .. }, Outcome::Done { .. }) => {
            (expected != actual).then(|| format!("expected {expected:?}, got {actual:?}"))
        }
        (
            Outcome::Error { code, state, .. },
            Outcome::Error { code: other_code, state: other_state, .. },
        ) if code == other_code && state == other_state => None,
        _ => Some(format!("expected {}, got {}", expected.summary(), actual.summary())),
    }
}

fn columns_differ(expected: &[ColumnShape], actual: &[ColumnShape]) -> Option<String> {
    if expected.len() != actual.len() {
        return Some(format!("expected {} columns, got {}", expected.len(), actual.len()));
    }
    expected
        .iter()
        .zip(actual)
        .find(|(expected, actual)| visible(expected) != visible(actual))
        .map(|(expected, actual)| format!("expected column {expected:?}, got {actual:?}"))
}

/// A column without the flags that tell how a server stores it. That of binary values says of
/// numbers and times whether they came through a temporary table of the server.
fn visible(column: &ColumnShape) -> ColumnShape {
    let is_text = matches!(
        column.kind,
        ColumnType::MYSQL_TYPE_VAR_STRING
            | ColumnType::MYSQL_TYPE_STRING
            | ColumnType::MYSQL_TYPE_BLOB
    );
    let binary = if is_text { ColumnFlags::BINARY_FLAG } else { ColumnFlags::empty() };
    let flags = ColumnFlags::NOT_NULL_FLAG
        | ColumnFlags::UNSIGNED_FLAG
        | ColumnFlags::ZEROFILL_FLAG
        | binary
        | ColumnFlags::BLOB_FLAG
        | ColumnFlags::ENUM_FLAG
        | ColumnFlags::SET_FLAG
        | ColumnFlags::PRI_KEY_FLAG
        | ColumnFlags::AUTO_INCREMENT_FLAG;
    ColumnShape { flags: column.flags & flags, ..column.clone() }
}

fn rows_differ(
    columns: &[ColumnShape],
    expected: &[Vec<Value>],
    actual: &[Vec<Value>],
    order: RowOrder,
) -> Option<String> {
    if expected.len() != actual.len() {
        return Some(format!("expected {} rows, got {}", expected.len(), actual.len()));
    }
    let sorted = |rows: &[Vec<Value>]| {
        let mut rows: Vec<Vec<Value>> = rows.to_vec();
        if order == RowOrder::Any {
            rows.sort_by_cached_key(|row| sort_key(columns, row));
        }
        rows
    };
    let (expected, actual) = (sorted(expected), sorted(actual));
    expected.iter().zip(&actual).enumerate().find_map(|(index, (expected, actual))| {
        let same = expected.len() == actual.len()
            && columns
                .iter()
                .zip(expected.iter().zip(actual))
                .all(|(column, (expected, actual))| same_value(column, expected, actual));
        let place = match order {
            RowOrder::AsSent => "row",
            RowOrder::Any => "sorted row",
        };
        (!same).then(|| {
            format!("{place} {}: expected {}, got {}", index + 1, show(expected), show(actual))
        })
    })
}

/// Floating point numbers take part rounded, so that nearly equal ones sort alike.
fn sort_key(columns: &[ColumnShape], row: &[Value]) -> Vec<String> {
    let key = |(column, value): (&ColumnShape, &Value)| match as_double(column, value) {
        Some(number) => format!("{number:.9e}"),
        None => value.as_sql(true),
    };
    columns.iter().zip(row).map(key).collect()
}

fn same_value(column: &ColumnShape, expected: &Value, actual: &Value) -> bool {
    if expected == actual {
        return true;
    }
    let (Some(expected), Some(actual)) = (as_double(column, expected), as_double(column, actual))
    else {
        return false;
    };
    let tolerance = match column.kind {
        ColumnType::MYSQL_TYPE_FLOAT => FLOAT_TOLERANCE,
        _ => DOUBLE_TOLERANCE,
    };
    (expected - actual).abs() <= tolerance * expected.abs().max(actual.abs())
}

fn as_double(column: &ColumnShape, value: &Value) -> Option<f64> {
    if !matches!(column.kind, ColumnType::MYSQL_TYPE_DOUBLE | ColumnType::MYSQL_TYPE_FLOAT) {
        return None;
    }
    match value {
        Value::Double(number) => Some(*number),
        Value::Float(number) => Some(f64::from(*number)),
        Value::Bytes(text) => std::str::from_utf8(text).ok()?.parse().ok(),
        _ => None,
    }
}

fn show(row: &[Value]) -> String {
    let cells: Vec<String> = row.iter().map(|value| value.as_sql(false)).collect();
    format!("({})", cells.join(", "))
}

#[cfg(test)]
mod tests;
