//! Numbers of rows: read for adding up, written as a column's type wants them.

use std::io::Write as _;

use eval::{ColumnType, Decimal, Scalar, ScalarKind, type_code, write_double};

use super::row::{Cell, RowFormat, malformed_row, write_string};
use crate::error::StatementError;

/// Reads a number; `None` for NULL.
///
/// # Errors
/// The column does not hold numbers (30001), or this value is none (1835).
pub(crate) fn read_number(
    column: &ColumnType,
    format: RowFormat,
    cell: &Cell,
    row: &[u8],
) -> Result<Option<Scalar>, StatementError> {
    let Some(value) = cell.value(row) else { return Ok(None) };
    let kind = number_kind(column)?;
    let number = match format {
        RowFormat::Text => Scalar::from_text(kind, value),
        RowFormat::Binary => Scalar::from_binary(kind, column.is_unsigned, value),
    };
    number.map(Some).ok_or_else(malformed_row)
}

/// How a column's numbers are read.
///
/// # Errors
/// It does not hold numbers.
pub(crate) fn number_kind(column: &ColumnType) -> Result<ScalarKind, StatementError> {
    use ScalarKind::{Decimal, Double, Float, Integer};
    match ScalarKind::of(column) {
        Some(kind @ (Integer | Decimal | Float | Double)) => Ok(kind),
        _ => Err(StatementError::unsupported(
            "Combining the results of an aggregate function over several storage units is only \
             supported where they are numbers",
        )),
    }
}

/// The sum of two numbers of one column.
///
/// # Errors
/// An integer or a double that is too large (1690).
pub(crate) fn add_numbers(left: Scalar, right: Scalar) -> Result<Scalar, StatementError> {
    match (left, right) {
        (Scalar::Decimal(left), Scalar::Decimal(right)) => Ok(Scalar::Decimal(left.add(&right))),
        (Scalar::Double(left), Scalar::Double(right)) => {
            let sum = left + right;
            if sum.is_finite() { Ok(Scalar::Double(sum)) } else { Err(out_of_range("DOUBLE")) }
        }
        _ => {
            let sum = whole(left)
                .zip(whole(right))
                .and_then(|(left, right)| left.checked_add(right))
                .and_then(|sum| match i64::try_from(sum) {
                    Ok(sum) => Some(Scalar::Int(sum)),
                    Err(_) => u64::try_from(sum).ok().map(Scalar::from_u64),
                });
            sum.ok_or_else(|| out_of_range("BIGINT"))
        }
    }
}

fn out_of_range(name: &str) -> StatementError {
    let text = format!("{name} value is out of range in the sum over several storage units");
    StatementError::new(1690, "22003", text)
}

fn whole(number: Scalar) -> Option<i128> {
    match number {
        Scalar::Int(value) => Some(value.into()),
        Scalar::UInt(value) => Some(value.into()),
        Scalar::Decimal(_) | Scalar::Double(_) => None,
    }
}

/// The exact form of a number that is not a double.
pub(crate) fn to_decimal(number: Scalar) -> Option<Decimal> {
    match number {
        Scalar::Int(value) => Some(value.into()),
        Scalar::UInt(value) => Some(value.into()),
        Scalar::Decimal(value) => Some(value),
        Scalar::Double(_) => None,
    }
}

/// Appends a number as a value of this column, length prefix included.
pub(crate) fn write_number(
    number: Scalar,
    column: &ColumnType,
    format: RowFormat,
    out: &mut Vec<u8>,
) {
    let binary = format == RowFormat::Binary;
    match column.type_code {
        type_code::DOUBLE if binary => out.extend_from_slice(&number.to_f64().to_le_bytes()),
        type_code::FLOAT if binary => {
            out.extend_from_slice(&(number.to_f64() as f32).to_le_bytes());
        }
        type_code::TINY
        | type_code::SHORT
        | type_code::YEAR
        | type_code::LONG
        | type_code::INT24
        | type_code::LONGLONG
            if binary =>
        {
            let bytes = (whole(number).unwrap_or_default() as u64).to_le_bytes();
            out.extend_from_slice(&bytes[..integer_width(column.type_code)]);
        }
        _ => {
            let mut text = Vec::with_capacity(24);
            write_text(number, column, &mut text);
            write_string(&text, out);
        }
    }
}

fn write_text(number: Scalar, column: &ColumnType, text: &mut Vec<u8>) {
    match (number, column.type_code) {
        (_, type_code::DOUBLE | type_code::FLOAT) => {
            write_double(number.to_f64(), column.decimals, text);
        }
        (Scalar::Double(value), _) => write_double(value, column.decimals, text),
        (Scalar::Int(value), _) => write!(text, "{value}").expect("a Vec takes all writes"),
        (Scalar::UInt(value), _) => write!(text, "{value}").expect("a Vec takes all writes"),
        (Scalar::Decimal(value), _) => value.write(text),
    }
}

fn integer_width(code: u8) -> usize {
    match code {
        type_code::TINY => 1,
        type_code::SHORT | type_code::YEAR => 2,
        type_code::LONG | type_code::INT24 => 4,
        _ => 8,
    }
}
