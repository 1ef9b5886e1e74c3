//! What a result column is, as far as its values are concerned.

/// Type bytes of column definitions.
///
/// # Source
/// MySQL 9.4 internals, `enum_field_types`:
/// <https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html>
pub mod type_code {
    /// DECIMAL of servers before 5.0.
    pub const DECIMAL: u8 = 0;
    /// TINYINT.
    pub const TINY: u8 = 1;
    /// SMALLINT.
    pub const SHORT: u8 = 2;
    /// INT.
    pub const LONG: u8 = 3;
    /// FLOAT.
    pub const FLOAT: u8 = 4;
    /// DOUBLE.
    pub const DOUBLE: u8 = 5;
    /// The type of a bare NULL.
    pub const NULL: u8 = 6;
    /// TIMESTAMP.
    pub const TIMESTAMP: u8 = 7;
    /// BIGINT.
    pub const LONGLONG: u8 = 8;
    /// MEDIUMINT.
    pub const INT24: u8 = 9;
    /// DATE.
    pub const DATE: u8 = 10;
    /// TIME.
    pub const TIME: u8 = 11;
    /// DATETIME.
    pub const DATETIME: u8 = 12;
    /// YEAR.
    pub const YEAR: u8 = 13;
    /// DATE inside the server.
    pub const NEWDATE: u8 = 14;
    /// VARCHAR inside the server.
    pub const VARCHAR: u8 = 15;
    /// BIT.
    pub const BIT: u8 = 16;
    /// VECTOR.
    pub const VECTOR: u8 = 242;
    /// JSON.
    pub const JSON: u8 = 245;
    /// DECIMAL.
    pub const NEWDECIMAL: u8 = 246;
    /// ENUM inside the server.
    pub const ENUM: u8 = 247;
    /// SET inside the server.
    pub const SET: u8 = 248;
    /// TINYBLOB, TINYTEXT.
    pub const TINY_BLOB: u8 = 249;
    /// MEDIUMBLOB, MEDIUMTEXT.
    pub const MEDIUM_BLOB: u8 = 250;
    /// LONGBLOB, LONGTEXT.
    pub const LONG_BLOB: u8 = 251;
    /// BLOB, TEXT.
    pub const BLOB: u8 = 252;
    /// VARCHAR, VARBINARY.
    pub const VAR_STRING: u8 = 253;
    /// CHAR, BINARY, ENUM, SET.
    pub const STRING: u8 = 254;
    /// Spatial types.
    pub const GEOMETRY: u8 = 255;
}

/// The number of decimals of a column whose decimals are not fixed, e.g. DOUBLE.
pub(crate) const NOT_FIXED_DECIMALS: u8 = 31;

const UNSIGNED_FLAG: u16 = 0x20;
const ENUM_FLAG: u16 = 0x100;
const SET_FLAG: u16 = 0x800;
const BINARY_CHARSET: u16 = 63;

/// The type of a result column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnType {
    /// See [`type_code`].
    pub type_code: u8,
    /// The UNSIGNED flag.
    pub is_unsigned: bool,
    /// The column's character set is `binary` (also of numbers and temporal values).
    pub is_binary_charset: bool,
    /// ENUM and SET come as strings but do not sort as such.
    pub is_enum_or_set: bool,
    /// Digits after the point; 31 and above: not fixed.
    pub decimals: u8,
    /// Display width in bytes.
    pub length: u32,
}

impl ColumnType {
    /// From the fields of a column definition.
    pub fn new(type_code: u8, flags: u16, charset: u16, length: u32, decimals: u8) -> Self {
        let is_enum_or_set = flags & (ENUM_FLAG | SET_FLAG) != 0
            || matches!(type_code, self::type_code::ENUM | self::type_code::SET);
        Self {
            type_code,
            is_unsigned: flags & UNSIGNED_FLAG != 0,
            is_binary_charset: charset == BINARY_CHARSET,
            is_enum_or_set,
            decimals,
            length,
        }
    }

    /// Text whose order is that of its collation.
    pub fn is_character_string(&self) -> bool {
        use type_code::{BLOB, LONG_BLOB, MEDIUM_BLOB, STRING, TINY_BLOB, VAR_STRING, VARCHAR};
        !self.is_binary_charset
            && !self.is_enum_or_set
            && matches!(
                self.type_code,
                VARCHAR | VAR_STRING | STRING | TINY_BLOB | BLOB | MEDIUM_BLOB | LONG_BLOB
            )
    }

    /// The types whose value in a binary row has a length of its own in front.
    pub fn is_length_prefixed(&self) -> bool {
        use type_code::{
            BIT, BLOB, DECIMAL, ENUM, GEOMETRY, JSON, LONG_BLOB, MEDIUM_BLOB, NEWDECIMAL, SET,
            STRING, TINY_BLOB, VAR_STRING, VARCHAR, VECTOR,
        };
        matches!(
            self.type_code,
            DECIMAL
                | NEWDECIMAL
                | VARCHAR
                | BIT
                | ENUM
                | SET
                | TINY_BLOB
                | MEDIUM_BLOB
                | LONG_BLOB
                | BLOB
                | VAR_STRING
                | STRING
                | GEOMETRY
                | JSON
                | VECTOR
        )
    }
}
