//! MIN and MAX of partial results.

use std::cmp::Ordering;

use eval::ColumnType;

use super::super::SortKey;
use super::super::key::{KeyPart, KeySpec};
use super::super::row::RowFormat;
use super::super::sources::Head;
use super::State;
use crate::error::StatementError;

/// MIN and MAX: the encoded value that won so far, and its key.
#[derive(Debug)]
pub(super) struct Extreme {
    pub(super) key: KeySpec,
    /// What a new key has to be to win.
    wins: Ordering,
    pub(super) best: Option<KeyPart>,
    pub(super) best_row: Vec<u8>,
    pub(super) value: Vec<u8>,
}

impl Extreme {
    pub(super) fn resolve(
        key: &SortKey,
        wins: Ordering,
        columns: &[ColumnType],
        hidden: usize,
    ) -> Result<State, StatementError> {
        let mut key = KeySpec::resolve(key, columns, hidden)?;
        key.is_descending = false;
        let (best_row, value) = (Vec::new(), Vec::new());
        Ok(State::Extreme(Self { key, wins, best: None, best_row, value }))
    }

    pub(super) fn add(
        &mut self,
        column: usize,
        head: Head<'_>,
        format: RowFormat,
    ) -> Result<(), StatementError> {
        let key_cell = &head.cells[self.key.column];
        if key_cell.is_null || head.cells[column].is_null {
            return Ok(());
        }
        let key = self.key.decode(head.row, head.cells, format)?;
        if let Some(best) = &self.best
            && self.key.compare((&key, head.row), (best, &self.best_row)) != self.wins
        {
            return Ok(());
        }
        self.best_row.clear();
        self.best_row.extend_from_slice(key_cell.encoded(head.row));
        self.best = Some(key.moved_by(key_cell.start));
        self.value.clear();
        self.value.extend_from_slice(head.cells[column].encoded(head.row));
        Ok(())
    }
}
