//! Dates and times of the binary protocol: a length, then as many fields as are not zero.
//!
//! # Source
//! `page_protocol_binary_resultset`, sections "MYSQL_TYPE_DATE, …" and "MYSQL_TYPE_TIME".

use super::BinaryValue;
use crate::DecodeError;
use crate::field::{Cursor, write_u16, write_u32};

/// Reads DATE, DATETIME or TIMESTAMP: 0, 4, 7 or 11 bytes.
pub(super) fn read_datetime<'a>(cursor: &mut Cursor<'a>) -> Result<BinaryValue<'a>, DecodeError> {
    let bytes = cursor.read_u8()?;
    if !matches!(bytes, 0 | 4 | 7 | 11) {
        return Err(DecodeError::Malformed("date of a length other than 0, 4, 7 and 11"));
    }
    let (mut year, mut month, mut day) = (0, 0, 0);
    let (mut hour, mut minute, mut second, mut micros) = (0, 0, 0, 0);
    if bytes >= 4 {
        (year, month, day) = (cursor.read_u16()?, cursor.read_u8()?, cursor.read_u8()?);
    }
    if bytes >= 7 {
        (hour, minute, second) = (cursor.read_u8()?, cursor.read_u8()?, cursor.read_u8()?);
    }
    if bytes >= 11 {
        micros = cursor.read_u32()?;
    }
    Ok(BinaryValue::DateTime { year, month, day, hour, minute, second, micros })
}

/// Reads TIME: 0, 8 or 12 bytes.
pub(super) fn read_time<'a>(cursor: &mut Cursor<'a>) -> Result<BinaryValue<'a>, DecodeError> {
    let bytes = cursor.read_u8()?;
    if !matches!(bytes, 0 | 8 | 12) {
        return Err(DecodeError::Malformed("time of a length other than 0, 8 and 12"));
    }
    let (mut is_negative, mut days) = (false, 0);
    let (mut hours, mut minutes, mut seconds, mut micros) = (0, 0, 0, 0);
    if bytes >= 8 {
        (is_negative, days) = (cursor.read_u8()? != 0, cursor.read_u32()?);
        (hours, minutes, seconds) = (cursor.read_u8()?, cursor.read_u8()?, cursor.read_u8()?);
    }
    if bytes >= 12 {
        micros = cursor.read_u32()?;
    }
    Ok(BinaryValue::Time { is_negative, days, hours, minutes, seconds, micros })
}

/// Appends a date or time in its shortest form, as servers do.
pub(super) fn write(out: &mut Vec<u8>, value: &BinaryValue<'_>) {
    match *value {
        BinaryValue::DateTime { year, month, day, hour, minute, second, micros } => {
            let bytes = match () {
                () if micros != 0 => 11,
                () if (hour, minute, second) != (0, 0, 0) => 7,
                () if (year, month, day) != (0, 0, 0) => 4,
                () => 0,
            };
            out.push(bytes);
            if bytes >= 4 {
                write_u16(out, year);
                out.extend_from_slice(&[month, day]);
            }
            if bytes >= 7 {
                out.extend_from_slice(&[hour, minute, second]);
            }
            if bytes >= 11 {
                write_u32(out, micros);
            }
        }
        BinaryValue::Time { is_negative, days, hours, minutes, seconds, micros } => {
            let bytes = match () {
                () if micros != 0 => 12,
                () if (days, hours, minutes, seconds) != (0, 0, 0, 0) => 8,
                () => 0,
            };
            out.push(bytes);
            if bytes >= 8 {
                out.push(is_negative.into());
                write_u32(out, days);
                out.extend_from_slice(&[hours, minutes, seconds]);
            }
            if bytes >= 12 {
                write_u32(out, micros);
            }
        }
        _ => {}
    }
}
