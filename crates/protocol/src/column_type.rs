//! Column types and column flags, as column definitions and parameters carry them.

use crate::bit_flags::bit_flags;

/// The type of a column or parameter; every byte is one, known or not.
///
/// # Source
/// `field__types_8h` (`enum_field_types`) of the MySQL server documentation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ColumnType(pub u8);

#[allow(missing_docs, reason = "the names are the protocol's own")]
impl ColumnType {
    pub const DECIMAL: Self = Self(0);
    pub const TINY: Self = Self(1);
    pub const SHORT: Self = Self(2);
    pub const LONG: Self = Self(3);
    pub const FLOAT: Self = Self(4);
    pub const DOUBLE: Self = Self(5);
    pub const NULL: Self = Self(6);
    pub const TIMESTAMP: Self = Self(7);
    pub const LONGLONG: Self = Self(8);
    pub const INT24: Self = Self(9);
    pub const DATE: Self = Self(10);
    pub const TIME: Self = Self(11);
    pub const DATETIME: Self = Self(12);
    pub const YEAR: Self = Self(13);
    pub const NEWDATE: Self = Self(14);
    pub const VARCHAR: Self = Self(15);
    pub const BIT: Self = Self(16);
    pub const TIMESTAMP2: Self = Self(17);
    pub const DATETIME2: Self = Self(18);
    pub const TIME2: Self = Self(19);
    pub const TYPED_ARRAY: Self = Self(20);
    pub const VECTOR: Self = Self(242);
    pub const INVALID: Self = Self(243);
    pub const BOOL: Self = Self(244);
    pub const JSON: Self = Self(245);
    pub const NEWDECIMAL: Self = Self(246);
    pub const ENUM: Self = Self(247);
    pub const SET: Self = Self(248);
    pub const TINY_BLOB: Self = Self(249);
    pub const MEDIUM_BLOB: Self = Self(250);
    pub const LONG_BLOB: Self = Self(251);
    pub const BLOB: Self = Self(252);
    pub const VAR_STRING: Self = Self(253);
    pub const STRING: Self = Self(254);
    pub const GEOMETRY: Self = Self(255);
}

/// Properties of a column.
///
/// # Source
/// `group__group__cs__column__definition__flags` of the MySQL server documentation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ColumnFlags(pub u16);

bit_flags!(ColumnFlags, u16);

#[allow(missing_docs, reason = "the names are the protocol's own")]
impl ColumnFlags {
    pub const NOT_NULL: Self = Self(1);
    pub const PRI_KEY: Self = Self(1 << 1);
    pub const UNIQUE_KEY: Self = Self(1 << 2);
    pub const MULTIPLE_KEY: Self = Self(1 << 3);
    pub const BLOB: Self = Self(1 << 4);
    pub const UNSIGNED: Self = Self(1 << 5);
    pub const ZEROFILL: Self = Self(1 << 6);
    pub const BINARY: Self = Self(1 << 7);
    pub const ENUM: Self = Self(1 << 8);
    pub const AUTO_INCREMENT: Self = Self(1 << 9);
    pub const TIMESTAMP: Self = Self(1 << 10);
    pub const SET: Self = Self(1 << 11);
    pub const NO_DEFAULT_VALUE: Self = Self(1 << 12);
    pub const ON_UPDATE_NOW: Self = Self(1 << 13);
    pub const PART_KEY: Self = Self(1 << 14);
    pub const NUM: Self = Self(1 << 15);
}

/// The type of a value in the binary protocol: how many bytes it takes and whether an integer is
/// signed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueType {
    /// Type byte.
    pub column_type: ColumnType,
    /// Whether integers are unsigned.
    pub is_unsigned: bool,
}

impl ValueType {
    /// A type whose integers are signed.
    pub const fn signed(column_type: ColumnType) -> Self {
        Self { column_type, is_unsigned: false }
    }

    /// A type whose integers are unsigned.
    pub const fn unsigned(column_type: ColumnType) -> Self {
        Self { column_type, is_unsigned: true }
    }

    /// Reads the two bytes of a parameter type: the type, and 0x80 for unsigned.
    pub const fn from_bytes(bytes: [u8; 2]) -> Self {
        Self { column_type: ColumnType(bytes[0]), is_unsigned: bytes[1] & 0x80 != 0 }
    }

    /// The two bytes of a parameter type.
    pub const fn to_bytes(self) -> [u8; 2] {
        [self.column_type.0, if self.is_unsigned { 0x80 } else { 0 }]
    }
}
