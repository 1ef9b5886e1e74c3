//! The row before the current one, to find repeated rows.

use super::key::{Keys, compare_keys};
use super::sources::{Head, RowReader};

/// A copy of the last row, to find its equals.
#[derive(Debug, Default)]
pub(crate) struct PreviousRow {
    exists: bool,
    row: Vec<u8>,
    keys: Keys,
}

impl PreviousRow {
    /// Whether a row equals the one before it; if not, it takes its place.
    pub(crate) fn repeats(&mut self, reader: &RowReader, head: Head<'_>) -> bool {
        let own = (self.keys.as_slice(), self.row.as_slice());
        if self.exists && compare_keys(&reader.keys, own, (head.keys, head.row)).is_eq() {
            return true;
        }
        self.exists = true;
        self.row.clear();
        self.row.extend_from_slice(head.row);
        self.keys.clear();
        self.keys.extend_from_slice(head.keys);
        false
    }
}
