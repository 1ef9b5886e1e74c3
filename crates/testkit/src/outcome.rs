//! Everything a client can see of the answer to a statement.

use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::{Column, Value};

/// What one result of a statement was.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A result set.
    Rows {
        /// Its columns.
        columns: Vec<ColumnShape>,
        /// Its rows as they came.
        rows: Vec<Vec<Value>>,
        /// The warning count at its end.
        warnings: u16,
    },
    /// An OK packet.
    Done {
        /// Affected rows.
        affected: u64,
        /// The generated key.
        last_insert_id: Option<u64>,
        /// The warning count.
        warnings: u16,
        /// The text, such as `Records: 2  Duplicates: 0  Warnings: 0`.
        info: String,
    },
    /// An error packet.
    Error {
        /// The number.
        code: u16,
        /// The SQLSTATE.
        state: String,
        /// The text.
        message: String,
    },
    /// The connection broke, or no answer came in time.
    Lost(String),
}

/// The parts of a column definition that applications look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnShape {
    /// The name, or its alias.
    pub name: String,
    /// The table, or its alias.
    pub table: String,
    /// The wire type.
    pub kind: ColumnType,
    /// The flags.
    pub flags: ColumnFlags,
    /// The collation's number.
    pub collation: u16,
    /// Digits after the point, or 31 and 39 for "as they come".
    pub decimals: u8,
    /// The display width in bytes.
    pub length: u32,
}

impl ColumnShape {
    pub(crate) fn of(column: &Column) -> Self {
        Self {
            name: column.name_str().into_owned(),
            table: column.table_str().into_owned(),
            kind: column.column_type(),
            flags: column.flags(),
            collation: column.character_set(),
            decimals: column.decimals(),
            length: column.column_length(),
        }
    }
}

impl Outcome {
    /// The error number, where it is an error packet.
    #[must_use]
    pub fn find_error_code(&self) -> Option<u16> {
        match self {
            Self::Error { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// One line for people.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Rows { columns, rows, .. } => {
                format!("{} rows of {} columns", rows.len(), columns.len())
            }
            Self::Done { affected, .. } => format!("OK, {affected} rows affected"),
            Self::Error { code, state, message } => format!("ERROR {code} ({state}): {message}"),
            Self::Lost(why) => format!("no answer: {why}"),
        }
    }
}
