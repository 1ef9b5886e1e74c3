//! The last part of merging: LIMIT, and cutting off hidden columns.

use super::merger::Limit;
use super::row::{Cell, RowFormat, bitmap_len, null_bit};

/// Counts and shapes the rows that are given.
#[derive(Debug)]
pub(crate) struct OutputRows {
    format: RowFormat,
    /// Columns of the rows that come.
    columns: usize,
    /// Columns of the rows that are given.
    visible: usize,
    to_skip: u64,
    /// `None`: no limit.
    to_give: Option<u64>,
    /// Rows behind the limit are counted too.
    counts_all: bool,
    counted: u64,
    shortened: Vec<u8>,
}

impl OutputRows {
    pub(crate) fn new(
        format: RowFormat,
        columns: usize,
        visible: usize,
        limit: Option<Limit>,
        counts_all: bool,
    ) -> Self {
        let to_skip = limit.map_or(0, |limit| limit.offset);
        let to_give = limit.map(|limit| limit.count);
        let (counted, shortened) = (0, Vec::new());
        Self { format, columns, visible, to_skip, to_give, counts_all, counted, shortened }
    }

    /// No further row will be given.
    pub(crate) fn is_full(&self) -> bool {
        self.to_give == Some(0) && !self.counts_all
    }

    /// Counts a row; `false` when it is skipped.
    pub(crate) fn admits_next(&mut self) -> bool {
        self.counted += 1;
        if self.to_skip > 0 {
            self.to_skip -= 1;
            return false;
        }
        match &mut self.to_give {
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
            None => true,
        }
    }

    /// Rows so far, those that were skipped and, where all are counted, those behind the limit.
    pub(crate) fn counted(&self) -> u64 {
        self.counted
    }

    /// The row without its hidden columns, which begin at `visible_end`.
    pub(crate) fn cut<'r>(&'r mut self, row: &'r [u8], visible_end: usize) -> &'r [u8] {
        if self.visible == self.columns {
            return row;
        }
        if self.format == RowFormat::Text {
            return &row[..visible_end];
        }
        let bitmap = bitmap_len(self.visible);
        self.shortened.clear();
        self.shortened.extend_from_slice(&row[..1 + bitmap]);
        for hidden in self.visible..self.columns {
            let (byte, bit) = null_bit(hidden);
            if let Some(byte) = self.shortened.get_mut(byte) {
                *byte &= !bit;
            }
        }
        self.shortened.extend_from_slice(&row[1 + bitmap_len(self.columns)..visible_end]);
        &self.shortened
    }

    /// Where the hidden columns of a row begin whose cells reach to the first of them.
    pub(crate) fn visible_end(&self, row: &[u8], cells: &[Cell]) -> usize {
        cells.get(self.visible).map_or(row.len(), |cell| cell.start as usize)
    }
}
