//! The sharding column: which values it stores, and which stored values equal a given one.
//!
//! Two questions are asked of a value. What will be stored when it is inserted ([`ShardingColumn::stored`])?
//! Which stored value equals it in a comparison ([`ShardingColumn::compared`])? MySQL answers them
//! differently, and in some spellings not with certainty; then a read asks all nodes and an insert
//! is refused.

mod number;
mod text;

use std::borrow::Cow;

use eval::Value;
use kernel::error::StatementError;
use kernel::model::ColumnMetadata;

pub use text::TextColumn;

/// A value of the sharding column in the form that algorithms read.
#[derive(Debug, Clone, PartialEq)]
pub enum Key<'a> {
    /// An integer. `is_long` when the column's values are Java's Long rather than Integer.
    Integer { value: i128, is_long: bool },
    /// A text, without the padding that its comparison ignores.
    Text(Cow<'a, [u8]>),
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

/// One end of a range of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The first or last integer inside.
    Integer(i128),
    /// No value is inside.
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
    /// A string type.
    Text(TextColumn),
}

impl ShardingColumn {
    /// Reads the type.
    ///
    /// # Errors
    /// A type whose values cannot be placed with certainty (10410).
    pub fn new(table: &str, column: &ColumnMetadata) -> Result<Self, StatementError> {
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
            _ => match TextColumn::new(column) {
                Some(text) => Self::Text(text),
                None => {
                    return Err(StatementError::new(
                        10410,
                        "44000",
                        format!(
                            "Column `{}` of table `{table}` has type {}; only integer and string \
                             columns can be sharding columns",
                            column.name, column.data_type
                        ),
                    ));
                }
            },
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
            Self::Text(column) => column.compared(value, is_utf8, is_canonical),
        }
    }

    /// The least stored integer that is `> value` (`>=` when `is_inclusive`).
    pub fn lower_bound(&self, value: &Value<'_>, is_inclusive: bool) -> Bound {
        self.bound(value, |number| match number {
            number::Number::Exact(value) if is_inclusive => Some(value),
            number::Number::Exact(value) | number::Number::Between(value) => Some(value + 1),
            _ => None,
        })
    }

    /// The greatest stored integer that is `< value` (`<=` when `is_inclusive`).
    pub fn upper_bound(&self, value: &Value<'_>, is_inclusive: bool) -> Bound {
        self.bound(value, |number| match number {
            number::Number::Exact(value) if !is_inclusive => Some(value - 1),
            number::Number::Exact(value) | number::Number::Between(value) => Some(value),
            _ => None,
        })
    }

    fn bound(&self, value: &Value<'_>, pick: impl Fn(number::Number) -> Option<i128>) -> Bound {
        if matches!(value, Value::Null) {
            return Bound::Nothing;
        }
        if !matches!(self, Self::Integer { .. }) {
            return Bound::Uncertain;
        }
        pick(number::compared(value)).map_or(Bound::Uncertain, Bound::Integer)
    }

    /// The least and the greatest integer a row can have, where the column is one of integers.
    pub fn domain(&self) -> Option<(i128, i128)> {
        match self {
            Self::Integer { minimum, maximum, .. } => Some((*minimum, *maximum)),
            _ => None,
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
            Self::Text(column) => column.stored(name, value, is_utf8),
        }
    }
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
