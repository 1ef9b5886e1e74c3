//! Values that compare by themselves, decoded from text and binary rows.

use std::cmp::Ordering;

use crate::Decimal;
use crate::column_type::{ColumnType, type_code};
use crate::temporal;

/// How the values of a column compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarKind {
    /// Whole numbers, YEAR.
    Integer,
    /// DECIMAL.
    Decimal,
    /// FLOAT, in a binary row four bytes.
    Float,
    /// DOUBLE.
    Double,
    /// DATE, DATETIME, TIMESTAMP.
    DateTime,
    /// TIME.
    Time,
    /// Byte strings and BIT: byte by byte. Not decoded to a [`Scalar`].
    Bytes,
}

/// A decoded value. Values of one [`ScalarKind`] compare with each other.
#[derive(Debug, Clone, Copy)]
pub enum Scalar {
    /// An integer, or a temporal value packed into one.
    Int(i64),
    /// An integer above `i64::MAX`, never a smaller one.
    UInt(u64),
    /// DECIMAL.
    Decimal(Decimal),
    /// FLOAT and DOUBLE.
    Double(f64),
}

impl ScalarKind {
    /// How values of this type compare, or `None` where the type alone does not say: character
    /// strings (their collation does), ENUM and SET, JSON, spatial values.
    pub fn of(column: &ColumnType) -> Option<Self> {
        use type_code::{
            BIT, BLOB, DATE, DATETIME, DECIMAL, DOUBLE, FLOAT, INT24, LONG, LONG_BLOB, LONGLONG,
            MEDIUM_BLOB, NEWDATE, NEWDECIMAL, NULL, SHORT, STRING, TIME, TIMESTAMP, TINY,
            TINY_BLOB, VAR_STRING, VARCHAR, YEAR,
        };
        match column.type_code {
            TINY | SHORT | LONG | LONGLONG | INT24 | YEAR => Some(Self::Integer),
            DECIMAL | NEWDECIMAL => Some(Self::Decimal),
            FLOAT => Some(Self::Float),
            DOUBLE => Some(Self::Double),
            DATE | NEWDATE | DATETIME | TIMESTAMP => Some(Self::DateTime),
            TIME => Some(Self::Time),
            BIT | NULL => Some(Self::Bytes),
            VARCHAR | VAR_STRING | STRING | TINY_BLOB | BLOB | MEDIUM_BLOB | LONG_BLOB => {
                (column.is_binary_charset && !column.is_enum_or_set).then_some(Self::Bytes)
            }
            _ => None,
        }
    }
}

impl Scalar {
    /// Decodes a value of a text row; `None` when it is not of this kind.
    pub fn from_text(kind: ScalarKind, text: &[u8]) -> Option<Self> {
        match kind {
            ScalarKind::Integer => Self::parse_integer(text),
            ScalarKind::Decimal => Decimal::parse(text).map(Self::Decimal),
            ScalarKind::Float | ScalarKind::Double => Self::parse_double(text),
            ScalarKind::DateTime => temporal::pack_date_time_text(text).map(Self::Int),
            ScalarKind::Time => temporal::time_micros_text(text).map(Self::Int),
            ScalarKind::Bytes => None,
        }
    }

    /// Decodes a value of a binary row, without its length prefix if it has one; `None` when it is
    /// not of this kind. `is_unsigned` says how integers are read.
    pub fn from_binary(kind: ScalarKind, is_unsigned: bool, value: &[u8]) -> Option<Self> {
        match kind {
            ScalarKind::Integer => Self::integer_from_binary(is_unsigned, value),
            ScalarKind::Decimal => Decimal::parse(value).map(Self::Decimal),
            ScalarKind::Float => {
                let bytes = value.try_into().ok()?;
                Some(Self::Double(f64::from(f32::from_le_bytes(bytes))))
            }
            ScalarKind::Double => Some(Self::Double(f64::from_le_bytes(value.try_into().ok()?))),
            ScalarKind::DateTime => temporal::pack_date_time_binary(value).map(Self::Int),
            ScalarKind::Time => temporal::time_micros_binary(value).map(Self::Int),
            ScalarKind::Bytes => None,
        }
    }

    /// An unsigned integer.
    pub fn from_u64(value: u64) -> Self {
        i64::try_from(value).map_or(Self::UInt(value), Self::Int)
    }

    /// The number as a double; a decimal is rounded.
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Int(value) => *value as f64,
            Self::UInt(value) => *value as f64,
            Self::Double(value) => *value,
            // A printed decimal always reads as a double.
            Self::Decimal(value) => value.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    fn parse_integer(text: &[u8]) -> Option<Self> {
        let (is_negative, digits) = match text.strip_prefix(b"-") {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if digits.is_empty() {
            return None;
        }
        let magnitude = digits.iter().try_fold(0u64, |value, byte| {
            let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
            value.checked_mul(10)?.checked_add(digit)
        })?;
        if is_negative {
            0i64.checked_sub_unsigned(magnitude).map(Self::Int)
        } else {
            Some(Self::from_u64(magnitude))
        }
    }

    fn parse_double(text: &[u8]) -> Option<Self> {
        let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
        value.is_finite().then_some(Self::Double(value))
    }

    fn integer_from_binary(is_unsigned: bool, value: &[u8]) -> Option<Self> {
        let signed = match *value {
            [a] => i64::from(a.cast_signed()),
            [a, b] => i64::from(i16::from_le_bytes([a, b])),
            [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
            _ => i64::from_le_bytes(value.try_into().ok()?),
        };
        if !is_unsigned {
            return Some(Self::Int(signed));
        }
        let unused_bits = 64 - 8 * value.len() as u32;
        Some(Self::from_u64(signed.cast_unsigned() << unused_bits >> unused_bits))
    }
}

impl Ord for Scalar {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => left.cmp(right),
            (Self::UInt(left), Self::UInt(right)) => left.cmp(right),
            (Self::Int(_), Self::UInt(_)) => Ordering::Less,
            (Self::UInt(_), Self::Int(_)) => Ordering::Greater,
            (Self::Decimal(left), Self::Decimal(right)) => left.cmp(right),
            (Self::Decimal(left), Self::Int(right)) => left.cmp(&Decimal::from(*right)),
            (Self::Decimal(left), Self::UInt(right)) => left.cmp(&Decimal::from(*right)),
            (Self::Int(_) | Self::UInt(_), Self::Decimal(_)) => other.cmp(self).reverse(),
            (Self::Double(_), _) | (_, Self::Double(_)) => {
                compare_doubles(self.to_f64(), other.to_f64())
            }
        }
    }
}

impl PartialOrd for Scalar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scalar {}

/// `-0` equals `0`, as in MySQL; there is no NaN in a result.
fn compare_doubles(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or_else(|| left.total_cmp(&right))
}

/// Compares byte strings as if the shorter one were followed by `pad`, again and again. With an
/// empty `pad` the shorter of two strings that agree so far comes first.
pub fn compare_padded(left: &[u8], right: &[u8], pad: &[u8]) -> Ordering {
    let shared = left.len().min(right.len());
    let so_far = left[..shared].cmp(&right[..shared]);
    if so_far != Ordering::Equal || left.len() == right.len() {
        return so_far;
    }
    if pad.is_empty() {
        return left.len().cmp(&right.len());
    }
    let (rest, order) = if left.len() > shared {
        (&left[shared..], Ordering::Greater)
    } else {
        (&right[shared..], Ordering::Less)
    };
    match rest.iter().cmp(pad.iter().cycle().take(rest.len())) {
        Ordering::Equal => Ordering::Equal,
        Ordering::Greater => order,
        Ordering::Less => order.reverse(),
    }
}

#[cfg(test)]
mod tests;
