//! Rows that have to be in memory before the first of them can be given.

use std::cmp::Ordering;

use super::key::{KeyPart, KeySpec, Keys, compare_keys, decode_keys};
use super::row::{Cell, RowFormat, locate};
use crate::error::StatementError;
use eval::ColumnType;

/// The name of the setting that bounds the memory, for the error text.
pub const MEMORY_LIMIT_SETTING: &str = "merge-memory-limit-bytes";

/// How the rows are sorted.
#[derive(Debug)]
pub(crate) struct SortOrder {
    /// Of rows equal in these only the first is kept; may be empty.
    pub(crate) distinct: Vec<KeySpec>,
    pub(crate) order_by: Vec<KeySpec>,
    /// Only so many rows will be asked for.
    pub(crate) keep: Option<usize>,
    pub(crate) memory_limit_bytes: usize,
}

/// Collects rows, then gives them in order.
#[derive(Debug)]
pub(crate) struct Sorter {
    order: SortOrder,
    format: RowFormat,
    columns: Vec<ColumnType>,
    visible: usize,
    rows: Vec<StoredRow>,
    bytes: Vec<u8>,
    /// Of each row those of `distinct`, then those of `order_by`.
    keys: Vec<KeyPart>,
    cells: Vec<Cell>,
    row_keys: Keys,
    next: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct StoredRow {
    start: usize,
    end: usize,
    /// Where its keys begin in [`Sorter::keys`].
    first_key: usize,
    /// Where its hidden columns begin, counted from `start`.
    visible_end: usize,
}

impl Sorter {
    pub(crate) fn new(
        order: SortOrder,
        format: RowFormat,
        columns: &[ColumnType],
        visible: usize,
    ) -> Self {
        Self {
            order,
            format,
            columns: columns.to_vec(),
            visible,
            rows: Vec::new(),
            bytes: Vec::new(),
            keys: Vec::new(),
            cells: Vec::new(),
            row_keys: Keys::new(),
            next: None,
        }
    }

    /// Whether rows are being given; before, they are collected.
    pub(crate) fn is_sorted(&self) -> bool {
        self.next.is_some()
    }

    /// Keeps a copy of a row.
    ///
    /// # Errors
    /// It does not fit its columns (1835) or the memory (1038).
    pub(crate) fn add(&mut self, row: &[u8]) -> Result<(), StatementError> {
        locate(row, self.format, &self.columns, self.columns.len(), &mut self.cells)?;
        let visible_end =
            self.cells.get(self.visible).map_or(row.len(), |cell| cell.start as usize);
        let (start, first_key) = (self.bytes.len(), self.keys.len());
        for specs in [&self.order.distinct, &self.order.order_by] {
            decode_keys(specs, row, &self.cells, self.format, &mut self.row_keys)?;
            self.keys.extend_from_slice(&self.row_keys);
        }
        self.bytes.extend_from_slice(row);
        self.rows.push(StoredRow { start, end: self.bytes.len(), first_key, visible_end });
        self.bound_memory()
    }

    /// Sorts what was added.
    pub(crate) fn sort(&mut self) {
        if !self.order.distinct.is_empty() {
            self.sort_distinct();
        }
        self.sort_by_order();
        self.next = Some(0);
    }

    /// The next row: its bytes, and where its hidden columns begin.
    pub(crate) fn next_row(&mut self) -> Option<usize> {
        let at = self.next?;
        if at >= self.rows.len() {
            return None;
        }
        self.next = Some(at + 1);
        Some(at)
    }

    /// A row by its number in order: its bytes, and where its hidden columns begin.
    pub(crate) fn row(&self, at: usize) -> (&[u8], usize) {
        let row = &self.rows[at];
        (&self.bytes[row.start..row.end], row.visible_end)
    }

    fn sort_distinct(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        let compare = |a: &StoredRow, b: &StoredRow| self.compare(&self.order.distinct, 0, a, b);
        rows.sort_by(compare);
        rows.dedup_by(|next, kept| compare(next, kept).is_eq());
        self.rows = rows;
    }

    fn sort_by_order(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        let offset = self.order.distinct.len();
        rows.sort_by(|a, b| self.compare(&self.order.order_by, offset, a, b));
        self.rows = rows;
    }

    fn compare(
        &self,
        specs: &[KeySpec],
        offset: usize,
        left: &StoredRow,
        right: &StoredRow,
    ) -> Ordering {
        let keyed = |row: &StoredRow| {
            (&self.keys[row.first_key + offset..], &self.bytes[row.start..row.end])
        };
        compare_keys(specs, keyed(left), keyed(right))
    }

    /// Where only the first rows will be asked for, the others are dropped from time to time.
    fn bound_memory(&mut self) -> Result<(), StatementError> {
        let keep = self.order.keep.filter(|_| self.order.distinct.is_empty());
        let is_above_limit = self.used_bytes() > self.order.memory_limit_bytes;
        if let Some(keep) = keep
            && self.rows.len() > keep
            && (is_above_limit || self.rows.len() >= keep.saturating_mul(2).max(1024))
        {
            self.keep_first(keep);
        }
        if !is_above_limit || self.used_bytes() <= self.order.memory_limit_bytes {
            return Ok(());
        }
        Err(StatementError::new(
            1038,
            "HY001",
            format!(
                "Out of sort memory: the rows that ORDER BY, GROUP BY or DISTINCT have to collect \
                 from several storage units exceed {MEMORY_LIMIT_SETTING} ({}); raise it or narrow \
                 the statement",
                self.order.memory_limit_bytes
            ),
        ))
    }

    fn used_bytes(&self) -> usize {
        self.bytes.len() + size_of_val(self.rows.as_slice()) + size_of_val(self.keys.as_slice())
    }

    fn keep_first(&mut self, keep: usize) {
        self.sort_by_order();
        self.rows.truncate(keep);
        let stride = self.order.distinct.len() + self.order.order_by.len();
        let (mut bytes, mut keys) = (Vec::new(), Vec::new());
        for row in &mut self.rows {
            let start = bytes.len();
            bytes.extend_from_slice(&self.bytes[row.start..row.end]);
            let first_key = keys.len();
            keys.extend_from_slice(&self.keys[row.first_key..row.first_key + stride]);
            *row = StoredRow { start, end: bytes.len(), first_key, ..*row };
        }
        (self.bytes, self.keys) = (bytes, keys);
    }
}
