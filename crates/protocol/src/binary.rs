//! Values and rows of the binary protocol: parameters of COM_STMT_EXECUTE and the rows it sends.

mod row;
mod temporal;

pub use row::{BinaryRow, BinaryRowWriter};

use crate::DecodeError;
use crate::column_type::{ColumnType, ValueType};
use crate::field::{Cursor, write_lenenc_bytes, write_u32, write_u64};

/// A value of the binary protocol.
///
/// # Source
/// `page_protocol_binary_resultset`, section "Binary Protocol Value".
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BinaryValue<'a> {
    /// NULL.
    Null,
    /// A signed integer, whatever its width.
    Int(i64),
    /// An unsigned integer, whatever its width; YEAR too.
    UInt(u64),
    /// FLOAT.
    Float(f32),
    /// DOUBLE.
    Double(f64),
    /// DATE, DATETIME and TIMESTAMP. All zero for the zero date.
    DateTime {
        /// 0 to 9999.
        year: u16,
        /// 0 to 12.
        month: u8,
        /// 0 to 31.
        day: u8,
        /// 0 to 23.
        hour: u8,
        /// 0 to 59.
        minute: u8,
        /// 0 to 59.
        second: u8,
        /// Microseconds.
        micros: u32,
    },
    /// TIME.
    Time {
        /// Whether it is before zero.
        is_negative: bool,
        /// Whole days.
        days: u32,
        /// 0 to 23.
        hours: u8,
        /// 0 to 59.
        minutes: u8,
        /// 0 to 59.
        seconds: u8,
        /// Microseconds.
        micros: u32,
    },
    /// All types that travel as length-prefixed bytes: strings, BLOB, DECIMAL (as text), BIT,
    /// ENUM, SET, JSON, GEOMETRY, VECTOR.
    Bytes(&'a [u8]),
}

/// How a type travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    /// That many bytes.
    Fixed(usize),
    /// One byte of length, then the value.
    Temporal,
    /// A length-encoded integer, then the value.
    Prefixed,
}

fn width(column_type: ColumnType) -> Result<Width, DecodeError> {
    Ok(match column_type {
        ColumnType::NULL => Width::Fixed(0),
        ColumnType::TINY | ColumnType::BOOL => Width::Fixed(1),
        ColumnType::SHORT | ColumnType::YEAR => Width::Fixed(2),
        ColumnType::LONG | ColumnType::INT24 | ColumnType::FLOAT => Width::Fixed(4),
        ColumnType::LONGLONG | ColumnType::DOUBLE => Width::Fixed(8),
        ColumnType::DATE
        | ColumnType::DATETIME
        | ColumnType::TIMESTAMP
        | ColumnType::TIME
        | ColumnType::NEWDATE
        | ColumnType::TIMESTAMP2
        | ColumnType::DATETIME2
        | ColumnType::TIME2 => Width::Temporal,
        ColumnType::DECIMAL
        | ColumnType::VARCHAR
        | ColumnType::BIT
        | ColumnType::VECTOR
        | ColumnType::JSON
        | ColumnType::NEWDECIMAL
        | ColumnType::ENUM
        | ColumnType::SET
        | ColumnType::TINY_BLOB
        | ColumnType::MEDIUM_BLOB
        | ColumnType::LONG_BLOB
        | ColumnType::BLOB
        | ColumnType::VAR_STRING
        | ColumnType::STRING
        | ColumnType::GEOMETRY => Width::Prefixed,
        _ => return Err(DecodeError::Malformed("value of an unknown type")),
    })
}

/// Passes over a value that is not NULL, without reading it.
///
/// # Errors
/// [`DecodeError`] if the value ends early or its type is unknown.
pub fn skip_value(cursor: &mut Cursor<'_>, column_type: ColumnType) -> Result<(), DecodeError> {
    match width(column_type)? {
        Width::Fixed(bytes) => cursor.skip(bytes),
        Width::Temporal => {
            let bytes = cursor.read_u8()?;
            cursor.skip(bytes.into())
        }
        Width::Prefixed => cursor.read_lenenc_bytes().map(|_| ()),
    }
}

/// Reads a value that is not NULL.
///
/// # Errors
/// [`DecodeError`] if the value ends early, is malformed, or its type is unknown.
pub fn read_value<'a>(
    cursor: &mut Cursor<'a>,
    value_type: ValueType,
) -> Result<BinaryValue<'a>, DecodeError> {
    let integer = |signed: i64, unsigned: u64| {
        if value_type.is_unsigned { BinaryValue::UInt(unsigned) } else { BinaryValue::Int(signed) }
    };
    Ok(match value_type.column_type {
        ColumnType::NULL => BinaryValue::Null,
        ColumnType::TINY | ColumnType::BOOL => {
            let byte = cursor.read_u8()?;
            integer((byte as i8).into(), byte.into())
        }
        ColumnType::SHORT => {
            let value = cursor.read_u16()?;
            integer((value as i16).into(), value.into())
        }
        ColumnType::YEAR => BinaryValue::UInt(cursor.read_u16()?.into()),
        ColumnType::LONG | ColumnType::INT24 => {
            let value = cursor.read_u32()?;
            integer((value as i32).into(), value.into())
        }
        ColumnType::LONGLONG => {
            let value = cursor.read_u64()?;
            integer(value as i64, value)
        }
        ColumnType::FLOAT => BinaryValue::Float(f32::from_bits(cursor.read_u32()?)),
        ColumnType::DOUBLE => BinaryValue::Double(f64::from_bits(cursor.read_u64()?)),
        ColumnType::TIME | ColumnType::TIME2 => temporal::read_time(cursor)?,
        other => match width(other)? {
            Width::Temporal => temporal::read_datetime(cursor)?,
            _ => BinaryValue::Bytes(cursor.read_lenenc_bytes()?),
        },
    })
}

/// Appends `value` as `column_type` travels; nothing for NULL, which the bitmap tells.
///
/// # Errors
/// [`DecodeError::Malformed`] if a value of this kind does not travel as that type.
pub fn write_value(
    out: &mut Vec<u8>,
    column_type: ColumnType,
    value: &BinaryValue<'_>,
) -> Result<(), DecodeError> {
    match (width(column_type)?, *value) {
        (_, BinaryValue::Null) | (Width::Fixed(0), _) => {}
        (Width::Fixed(4), BinaryValue::Float(value)) => write_u32(out, value.to_bits()),
        (Width::Fixed(8), BinaryValue::Double(value)) => write_u64(out, value.to_bits()),
        (Width::Fixed(bytes), BinaryValue::Int(value)) if !is_float(column_type) => {
            out.extend_from_slice(&value.to_le_bytes()[..bytes]);
        }
        (Width::Fixed(bytes), BinaryValue::UInt(value)) if !is_float(column_type) => {
            out.extend_from_slice(&value.to_le_bytes()[..bytes]);
        }
        (Width::Temporal, BinaryValue::DateTime { .. } | BinaryValue::Time { .. }) => {
            temporal::write(out, value);
        }
        (Width::Prefixed, BinaryValue::Bytes(bytes)) => write_lenenc_bytes(out, bytes),
        _ => return Err(DecodeError::Malformed("value of another kind than its type")),
    }
    Ok(())
}

fn is_float(column_type: ColumnType) -> bool {
    matches!(column_type, ColumnType::FLOAT | ColumnType::DOUBLE)
}

/// Whether bit `index` of a NULL bitmap is set; false beyond its end.
pub fn is_null(bitmap: &[u8], index: usize) -> bool {
    bitmap.get(index / 8).is_some_and(|byte| byte & (1 << (index % 8)) != 0)
}

#[cfg(test)]
mod tests;
