//! The type an expression has before any row is seen.

use std::sync::Arc;

use crate::column_type::{ColumnType, NOT_FIXED_DECIMALS, type_code};

/// The families of types that compute alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The type of a bare NULL.
    Null,
    /// TINYINT to BIGINT, and truth values.
    Integer,
    /// DECIMAL.
    Decimal,
    /// DOUBLE.
    Double,
    /// Character and byte strings.
    Text,
    /// DATE.
    Date,
    /// DATETIME, TIMESTAMP.
    DateTime,
    /// TIME.
    Time,
}

impl Kind {
    pub(crate) fn is_temporal(self) -> bool {
        matches!(self, Self::Date | Self::DateTime | Self::Time)
    }
}

/// How strongly a string holds to its collation; the lower one wins.
///
/// # Source
/// MySQL 8.4 manual, "Collation Coercibility in Expressions".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coercibility {
    /// A COLLATE clause.
    Explicit,
    /// A column.
    Implicit,
    /// A literal.
    Coercible,
    /// A number as text.
    Numeric,
    /// NULL.
    Ignorable,
}

/// The collation of a string and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collation {
    /// The name, in lower case, e.g. `utf8mb4_bin`; `binary` for byte strings.
    pub name: Arc<str>,
    /// How strong it is.
    pub coercibility: Coercibility,
}

impl Collation {
    /// True for byte strings.
    pub(crate) fn is_binary(&self) -> bool {
        &*self.name == "binary"
    }

    /// The character set, `utf8` written as `utf8mb3`.
    pub(crate) fn charset(&self) -> &str {
        match self.name.split_once('_').map_or(&*self.name, |(charset, _)| charset) {
            "utf8" => "utf8mb3",
            charset => charset,
        }
    }

    /// True where the bytes of a value are those the server computes with.
    pub(crate) fn keeps_bytes(&self) -> bool {
        matches!(self.charset(), "binary" | "utf8mb4" | "utf8mb3" | "ascii")
    }
}

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Its family.
    pub kind: Kind,
    /// UNSIGNED.
    pub is_unsigned: bool,
    /// An integer type narrower than BIGINT.
    pub is_narrow: bool,
    /// Digits behind the point; of temporal values those of the seconds; 31 where they are as many
    /// as the value has.
    pub decimals: u8,
    /// Of strings.
    pub collation: Option<Collation>,
}

impl Type {
    const fn plain(kind: Kind, decimals: u8) -> Self {
        Self { kind, is_unsigned: false, is_narrow: false, decimals, collation: None }
    }

    /// The type of NULL.
    pub const NULL: Self = Self::plain(Kind::Null, 0);
    /// BIGINT.
    pub const INTEGER: Self = Self::plain(Kind::Integer, 0);
    /// BIGINT UNSIGNED.
    pub const UNSIGNED: Self = Self {
        kind: Kind::Integer,
        is_unsigned: true,
        is_narrow: false,
        decimals: 0,
        collation: None,
    };
    /// INT: lengths, positions, parts of dates.
    pub(crate) const COUNT: Self = Self {
        kind: Kind::Integer,
        is_unsigned: false,
        is_narrow: true,
        decimals: 0,
        collation: None,
    };
    /// DOUBLE.
    pub const DOUBLE: Self = Self::plain(Kind::Double, NOT_FIXED_DECIMALS);
    /// DATE.
    pub const DATE: Self = Self::plain(Kind::Date, 0);

    /// An integer type.
    pub fn integer(is_unsigned: bool) -> Self {
        Self { is_unsigned, ..Self::INTEGER }
    }

    /// DECIMAL with so many digits behind the point.
    pub fn decimal(decimals: u8) -> Self {
        Self::plain(Kind::Decimal, decimals)
    }

    /// DOUBLE with fixed decimals, or 31.
    pub fn double(decimals: u8) -> Self {
        Self::plain(Kind::Double, decimals.min(NOT_FIXED_DECIMALS))
    }

    /// DATETIME with fractional seconds.
    pub fn date_time(decimals: u8) -> Self {
        Self::plain(Kind::DateTime, decimals)
    }

    /// TIME with fractional seconds.
    pub fn time(decimals: u8) -> Self {
        Self::plain(Kind::Time, decimals)
    }

    /// A string.
    pub fn text(collation: Collation) -> Self {
        Self {
            kind: Kind::Text,
            is_unsigned: false,
            is_narrow: false,
            decimals: NOT_FIXED_DECIMALS,
            collation: Some(collation),
        }
    }

    /// A string column or literal with this collation.
    pub fn text_of(collation: &str, coercibility: Coercibility) -> Self {
        let name = Arc::from(collation.to_ascii_lowercase());
        Self::text(Collation { name, coercibility })
    }

    /// The type of a column of a result, `collation` being that of the column where it is a string.
    /// `None` for the types whose values mean different things in different places (ENUM, SET, BIT,
    /// YEAR, JSON, spatial values) and for FLOAT.
    pub fn of_column(column: &ColumnType, collation: &str) -> Option<Self> {
        use type_code as code;
        let decimals = column.decimals;
        Some(match column.type_code {
            code::TINY | code::SHORT | code::LONG | code::LONGLONG | code::INT24 => {
                let is_narrow = column.type_code != code::LONGLONG;
                Self { is_narrow, ..Self::integer(column.is_unsigned) }
            }
            code::DECIMAL | code::NEWDECIMAL => {
                Self { is_unsigned: column.is_unsigned, ..Self::decimal(decimals) }
            }
            code::DOUBLE => Self { is_unsigned: column.is_unsigned, ..Self::double(decimals) },
            code::NULL => Self::NULL,
            code::DATE | code::NEWDATE => Self::DATE,
            code::DATETIME | code::TIMESTAMP => Self::date_time(decimals),
            code::TIME => Self::time(decimals),
            code::VARCHAR
            | code::VAR_STRING
            | code::STRING
            | code::TINY_BLOB
            | code::BLOB
            | code::MEDIUM_BLOB
            | code::LONG_BLOB
                if !column.is_enum_or_set =>
            {
                let collation = if column.is_binary_charset { "binary" } else { collation };
                Self::text_of(collation, Coercibility::Implicit)
            }
            _ => return None,
        })
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.decimals < NOT_FIXED_DECIMALS
    }

    /// What the type is to arithmetic: strings are doubles, temporal values integers, or decimals
    /// where they have fractional seconds.
    pub(crate) fn numeric(&self) -> Self {
        match self.kind {
            Kind::Integer | Kind::Decimal | Kind::Double => self.clone(),
            Kind::Text => Self::DOUBLE,
            Kind::Null => Self::double(0),
            Kind::Date | Kind::DateTime | Kind::Time if self.decimals == 0 => Self::INTEGER,
            Kind::Date | Kind::DateTime | Kind::Time => Self::decimal(self.decimals),
        }
    }
}
