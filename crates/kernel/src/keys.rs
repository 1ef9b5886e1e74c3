//! Generated keys of an INSERT: which of its rows lack a value, and where the values go once they
//! are made. What makes them has a clock and a memory and is not here.

use std::borrow::Cow;
use std::sync::Arc;

use eval::Value;

use crate::error::StatementError;
use crate::feature::KeyKind;
use crate::model::ColumnMetadata;
use crate::predicate::{ValueRef, ValueSource, borrowed};

/// A column of an INSERT whose values are generated where rows lack them.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyColumn {
    /// The logical database.
    pub database: Arc<str>,
    /// The logical table.
    pub table: Arc<str>,
    /// The column.
    pub column: Arc<str>,
    /// What makes its values.
    pub kind: KeyKind,
    /// The column is AUTO_INCREMENT: NULL (and 0, unless `sql_mode` says otherwise) lack a value.
    pub is_auto_increment: bool,
    /// `sql_mode` has NO_AUTO_VALUE_ON_ZERO.
    pub keeps_zero: bool,
    /// The greatest number the column holds.
    pub max: u64,
    /// What each row says of it.
    pub rows: Vec<RowKey>,
}

/// What a row of an INSERT says of a key column.
#[derive(Debug, Clone, PartialEq)]
pub enum RowKey {
    /// Nothing: a value is generated.
    Lacking,
    /// This.
    Value(ValueRef),
}

/// What one row of one execution needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A value is generated.
    Generated,
    /// It has this number.
    Number(u64),
    /// It has a value of its own that no generated one can meet: negative, beyond the column, text.
    Own,
}

impl KeyColumn {
    /// What the rows of an execution need, in order.
    ///
    /// # Errors
    /// A text that is no number for an AUTO_INCREMENT column (1366): the node would take it for 0
    /// under some `sql_mode`s and generate a number that another node has, too.
    pub fn needs(&self, values: &dyn ValueSource) -> Result<Vec<Need>, StatementError> {
        let need = |(row, key): (usize, &RowKey)| match key {
            RowKey::Lacking => Ok(Need::Generated),
            RowKey::Value(_) if !self.is_auto_increment => Ok(Need::Own),
            RowKey::Value(value) => self.need_of(&values.value(value), row),
        };
        self.rows.iter().enumerate().map(need).collect()
    }

    /// What a row with this value needs.
    ///
    /// # Errors
    /// As [`KeyColumn::needs`].
    pub fn need(&self, value: &Value<'_>) -> Result<Need, StatementError> {
        match self.is_auto_increment {
            true => self.need_of(value, 0),
            false => Ok(Need::Own),
        }
    }

    /// True when no row lacks a value.
    pub fn are_all_given(&self, values: &dyn ValueSource) -> bool {
        self.rows.iter().all(|row| match row {
            RowKey::Lacking => false,
            RowKey::Value(value) => self.is_given(&values.value(value)),
        })
    }

    /// True for a value that leaves nothing to generate.
    pub(crate) fn is_given(&self, value: &Value<'_>) -> bool {
        self.need_of(value, 0) != Ok(Need::Generated)
    }

    /// # Source
    /// MySQL 8.4 manual, "Using AUTO_INCREMENT": NULL and 0 generate a number.
    fn need_of(&self, value: &Value<'_>, row: usize) -> Result<Need, StatementError> {
        let of_text = |text: &str| number_of_text(text);
        let number = match value {
            Value::Null => return Ok(Need::Generated),
            Value::Int(value) => i128::from(*value),
            Value::UInt(value) => i128::from(*value),
            Value::Double(value) => value.round_ties_even() as i128,
            Value::Decimal(text) => of_text(text).unwrap_or(i128::MAX),
            Value::Bytes(text) => {
                let text = String::from_utf8_lossy(text);
                of_text(text.trim()).ok_or_else(|| self.no_number(&text, row))?
            }
        };
        Ok(match u64::try_from(number) {
            Ok(0) if !self.keeps_zero => Need::Generated,
            Ok(number) if number <= self.max => Need::Number(number),
            _ => Need::Own,
        })
    }

    fn no_number(&self, text: &str, row: usize) -> StatementError {
        StatementError::new(
            1366,
            "22007",
            format!(
                "Incorrect integer value: '{text}' for column '{}' at row {}",
                self.column,
                row + 1
            ),
        )
    }
}

/// The number in a text, rounded half away from zero as the servers convert to integers.
fn number_of_text(text: &str) -> Option<i128> {
    if text.bytes().any(|byte| matches!(byte, b'e' | b'E')) {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
        return Some(number.round() as i128);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = whole.trim_start_matches(['+', '-']);
    let is_number = whole.len() - digits.len() <= 1
        && is_digits(digits)
        && is_digits(fraction)
        && !(digits.is_empty() && fraction.is_empty());
    if !is_number {
        return None;
    }
    let up = i128::from(fraction.as_bytes().first().is_some_and(|digit| *digit >= b'5'));
    // More digits than fit are beyond every column.
    let number =
        if digits.is_empty() { 0 } else { digits.parse::<i128>().unwrap_or(i128::MAX - 1) };
    let number = number.saturating_add(up);
    Some(if whole.starts_with('-') { -number } else { number })
}

/// The greatest value of an integer column; of other columns, that of a BIGINT.
pub(crate) fn greatest(column: &ColumnMetadata) -> u64 {
    let bits = match column.data_type.as_str() {
        "tinyint" => 8,
        "smallint" => 16,
        "mediumint" => 24,
        "int" | "integer" => 32,
        _ => 64,
    };
    let unsigned = u64::MAX >> (64 - bits);
    if column.is_unsigned() { unsigned } else { unsigned >> 1 }
}

/// The generated values of one execution.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keys {
    /// By key column of the plan, then by row; `None` where the row has a value of its own.
    pub columns: Vec<Vec<Option<Value<'static>>>>,
}

impl Keys {
    /// The value made for a row; `None` where it has its own.
    pub fn find(&self, column: u16, row: u32) -> Option<&Value<'static>> {
        self.columns.get(usize::from(column))?.get(row as usize)?.as_ref()
    }

    /// True when every row has its own values.
    pub fn is_empty(&self) -> bool {
        self.columns.iter().all(|column| column.iter().all(Option::is_none))
    }
}

/// What is written where a row has a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyText<'k> {
    /// What the client has written.
    Written,
    /// This value.
    Value(&'k Value<'static>),
    /// A parameter; the value for it was made.
    Param { is_made: bool },
}

/// The values of one execution together with its generated keys.
#[derive(Clone, Copy)]
pub struct WithKeys<'a> {
    /// The client's values.
    pub values: &'a dyn ValueSource,
    /// The generated ones.
    pub keys: &'a Keys,
    /// Generated values are parameters of the text.
    pub as_params: bool,
}

impl ValueSource for WithKeys<'_> {
    fn value<'v>(&'v self, value: &'v ValueRef) -> Value<'v> {
        match value {
            ValueRef::Key { column, row, given } => match (self.keys.find(*column, *row), given) {
                (Some(key), _) => borrowed(key),
                (None, Some(given)) => self.values.value(given),
                (None, None) => Value::Null,
            },
            other => self.values.value(other),
        }
    }

    fn is_utf8(&self) -> bool {
        self.values.is_utf8()
    }

    fn key(&self, column: u16, row: u32) -> KeyText<'_> {
        match self.keys.find(column, row) {
            found if self.as_params => KeyText::Param { is_made: found.is_some() },
            Some(key) => KeyText::Value(key),
            None => KeyText::Written,
        }
    }
}

/// A generated value as SQL text: numbers, and words of letters, digits, `_` and `-`.
pub(crate) fn push_literal(value: &Value<'_>, out: &mut Vec<u8>) {
    let text: Cow<'_, str> = match value {
        Value::Int(value) => value.to_string().into(),
        Value::UInt(value) => value.to_string().into(),
        Value::Bytes(text) => format!("'{}'", String::from_utf8_lossy(text)).into(),
        Value::Decimal(text) => Cow::Borrowed(&**text),
        Value::Double(_) | Value::Null => "NULL".into(),
    };
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests;
