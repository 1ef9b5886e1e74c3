//! What a response said, as far as a relay needs to know.

use crate::StatusFlags;

/// What a response said. Of several results the last one counts, except for `rows` and `results`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ResponseSummary {
    /// Server status after the statement; unset when it failed, see `error`.
    pub status: StatusFlags,
    /// Rows changed, or found under FOUND_ROWS.
    pub affected_rows: u64,
    /// The first generated AUTO_INCREMENT value, else 0.
    pub last_insert_id: u64,
    /// Warnings of the statement.
    pub warnings: u16,
    /// How it failed, if it did.
    pub error: Option<ErrorSummary>,
    /// Rows of all result sets.
    pub rows: u64,
    /// Columns of the last result set, or of a prepared statement.
    pub columns: u64,
    /// Parameters of a prepared statement.
    pub params: u16,
    /// Id of a prepared statement.
    pub statement_id: u32,
    /// Results: result sets, and OK packets in the place of one.
    pub results: u32,
    /// Whether the last result set came with column definitions; see CACHE_METADATA.
    pub has_metadata: bool,
}

impl ResponseSummary {
    /// Whether the response ended with an ERR packet.
    pub const fn is_err(&self) -> bool {
        self.error.is_some()
    }
}

/// Number and SQLSTATE of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorSummary {
    /// MySQL's error number.
    pub code: u16,
    /// SQLSTATE; `HY000` when the server sent none.
    pub sqlstate: [u8; 5],
}
