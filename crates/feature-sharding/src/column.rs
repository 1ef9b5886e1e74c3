//! The sharding column: which values it stores, and which stored values equal a given one.
//!
//! Two questions are asked of a value. What will be stored when it is inserted ([`ShardingColumn::stored`])?
//! Which stored value equals it in a comparison ([`ShardingColumn::compared`])? MySQL answers them
//! differently, and in some spellings not with certainty; then a read asks all nodes and an insert
//! is refused.

mod decimal;
mod moment;
mod number;
mod range;
mod text;

use std::borrow::Cow;

use eval::Value;
use kernel::error::StatementError;
use kernel::model::ColumnMetadata;

pub use decimal::DecimalColumn;
#[cfg(test)]
pub(crate) use moment::parse as parse_moment;
pub use moment::{Civil, Precision};
pub(crate) use moment::{DAY, SECOND, civil_micros};
pub use text::TextColumn;

/// A value of the sharding column in the form that algorithms read.
#[derive(Debug, Clone, PartialEq)]
pub enum Key<'a> {
    /// An integer. `is_long` when the column's values are Java's Long rather than Integer.
    Integer { value: i128, is_long: bool },
    /// A text, without the padding that its comparison ignores.
    Text(Cow<'a, [u8]>),
    /// A number `unscaled / 10^scale` of a column with digits behind the point.
    Decimal { unscaled: i128, scale: u32 },
    /// A moment in microseconds since 1970-01-01, without a time zone.
    Moment { micros: i64, precision: Precision },
}

/// Which stored values equal a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Compared<'a> {
    /// Exactly this one.
    Key(Key<'a>),
    /// None.
    Nothing,
    /// Cannot be told.
    Uncertain,
}

/// What is known of a sharding column's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShardingColumn {
    /// An integer type with its least and greatest value.
    Integer { minimum: i128, maximum: i128, is_long: bool },
    /// YEAR: numbers of two digits mean years of four.
    Year,
    /// DECIMAL with digits behind the point.
    Decimal(DecimalColumn),
    /// DATE, DATETIME, or TIMESTAMP of which the operator declares that all sessions use one time
    /// zone.
    Moment(Precision),
    /// A string type.
    Text(TextColumn),
}

impl ShardingColumn {
    /// Reads the type. `is_canonical` is the operator's word that equal values are always written
    /// alike; for a TIMESTAMP, which means another moment in every time zone, that all sessions use
    /// one zone without daylight saving.
    ///
    /// # Errors
    /// A type whose values cannot be placed with certainty (10410).
    pub fn new(
        table: &str,
        column: &ColumnMetadata,
        is_canonical: bool,
    ) -> Result<Self, StatementError> {
        let unsigned = column.is_unsigned();
        let integer = |bits: u32| {
            let (minimum, maximum) = if unsigned {
                (0, (1_i128 << bits) - 1)
            } else {
                (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
            };
            Self::Integer { minimum, maximum, is_long: bits == 64 }
        };
        Ok(match column.data_type.as_str() {
            "tinyint" => integer(8),
            "smallint" => integer(16),
            "mediumint" => integer(24),
            "int" | "integer" => integer(32),
            "bigint" => integer(64),
            "year" => Self::Year,
            "timestamp" if !is_canonical => {
                return Err(refused(
                    table,
                    column,
                    "a row's TIMESTAMP reads differently in every session's time zone; use \
                     DATETIME, or declare with the algorithm's property 'canonical-values'=true \
                     that all sessions use one time zone without daylight saving",
                ));
            }
            _ => Self::other(table, column)?,
        })
    }

    fn other(table: &str, column: &ColumnMetadata) -> Result<Self, StatementError> {
        if let Some(decimal) = DecimalColumn::new(column) {
            return Ok(match decimal.greatest_integer() {
                None => Self::Decimal(decimal),
                Some(maximum) => Self::Integer {
                    minimum: if decimal.is_unsigned() { 0 } else { -maximum },
                    maximum,
                    is_long: true,
                },
            });
        }
        if let Some(precision) = moment::precision(column) {
            return Ok(Self::Moment(precision));
        }
        TextColumn::new(column).map(Self::Text).ok_or_else(|| {
            refused(
                table,
                column,
                "sharding columns can be integers, decimals of up to 36 digits, strings, YEAR, \
                 DATE, DATETIME and TIMESTAMP",
            )
        })
    }

    /// The stored value that equals `value`. `is_utf8` tells the character set of strings.
    pub fn compared<'v>(
        &self,
        value: Value<'v>,
        is_utf8: bool,
        is_canonical: bool,
    ) -> Compared<'v> {
        match self {
            Self::Integer { minimum, maximum, is_long } => match number::compared(&value) {
                number::Number::Exact(value) if (*minimum..=*maximum).contains(&value) => {
                    Compared::Key(Key::Integer { value, is_long: *is_long })
                }
                number::Number::Exact(_) | number::Number::Between(_) | number::Number::Null => {
                    Compared::Nothing
                }
                number::Number::Uncertain => Compared::Uncertain,
            },
            Self::Year => match number::compared(&value) {
                number::Number::Exact(value @ 1901..=2155) => {
                    Compared::Key(Key::Integer { value, is_long: false })
                }
                number::Number::Null => Compared::Nothing,
                _ => Compared::Uncertain,
            },
            Self::Decimal(column) => column.compared(&value),
            Self::Moment(precision) => moment::compared(*precision, &value),
            Self::Text(column) => column.compared(value, is_utf8, is_canonical),
        }
    }

    /// True when values that compare equal in both columns have one place in tables laid out alike.
    /// `is_canonical` when the operator declares that equal values are written with the same bytes.
    pub fn places_as(&self, other: &Self, is_canonical: bool) -> bool {
        match (self, other) {
            (Self::Integer { is_long, .. }, Self::Integer { is_long: other, .. }) => {
                is_long == other
            }
            (Self::Text(column), Self::Text(other)) => {
                column.reads_as(other) && (is_canonical || column.is_bytewise())
            }
            (one, other) => one == other,
        }
    }

    /// What is stored when `value` is inserted.
    ///
    /// # Errors
    /// NULL, or a value of which the stored form is not certain; the error says what to write.
    pub fn stored<'v>(
        &self,
        name: &str,
        value: Value<'v>,
        is_utf8: bool,
    ) -> Result<Key<'v>, StatementError> {
        if matches!(value, Value::Null) {
            return Err(StatementError::new(
                20020,
                "44000",
                format!("Sharding column `{name}` needs a value that is not NULL"),
            ));
        }
        match self {
            Self::Integer { minimum, maximum, is_long } => {
                let value = number::stored(&value).ok_or_else(|| incorrect_integer(name))?;
                if !(*minimum..=*maximum).contains(&value) {
                    return Err(StatementError::new(
                        1264,
                        "22003",
                        format!("Out of range value for column '{name}'"),
                    ));
                }
                Ok(Key::Integer { value, is_long: *is_long })
            }
            Self::Year => match number::compared(&value) {
                number::Number::Exact(value @ 1901..=2155) => {
                    Ok(Key::Integer { value, is_long: false })
                }
                _ => Err(StatementError::new(
                    1264,
                    "22003",
                    format!("Sharding column '{name}' needs a year of four digits, 1901 to 2155"),
                )),
            },
            Self::Decimal(column) => column.stored(name, &value),
            Self::Moment(precision) => moment::stored(*precision, name, &value),
            Self::Text(column) => column.stored(name, value, is_utf8),
        }
    }
}

/// A type that cannot place (10410).
fn refused(table: &str, column: &ColumnMetadata, reason: &str) -> StatementError {
    StatementError::new(
        10410,
        "44000",
        format!(
            "Column `{}` of table `{table}` has type {}, which cannot shard: {reason}",
            column.name, column.data_type
        ),
    )
}

fn incorrect_integer(name: &str) -> StatementError {
    StatementError::new(
        1366,
        "HY000",
        format!("Incorrect integer value for sharding column '{name}'; write it as a whole number"),
    )
}

#[cfg(test)]
mod tests;
