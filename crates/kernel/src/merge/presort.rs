//! Rows that the nodes send in no useful order, sorted by their keys before anything else.

use super::key::Keys;
use super::row::Cell;
use super::sorter::Sorter;
use super::sources::{Head, Pulled, RowReader};
use crate::error::StatementError;

/// All rows of all streams, and the one at hand.
#[derive(Debug)]
pub(crate) struct Presort {
    sorter: Sorter,
    /// The row at hand, and whether it was taken.
    current: Option<usize>,
    is_taken: bool,
    cells: Vec<Cell>,
    keys: Keys,
}

impl Presort {
    /// `sorter` sorts whole rows by the keys of the streams.
    pub(crate) fn new(sorter: Sorter) -> Self {
        Self { sorter, current: None, is_taken: false, cells: Vec::new(), keys: Keys::new() }
    }

    pub(crate) fn is_sorted(&self) -> bool {
        self.sorter.is_sorted()
    }

    pub(crate) fn add(&mut self, row: &[u8]) -> Result<(), StatementError> {
        self.sorter.add(row)
    }

    pub(crate) fn sort(&mut self) {
        self.sorter.sort();
    }

    /// The next row; all streams have ended.
    pub(crate) fn peek(&mut self, reader: &RowReader) -> Result<Pulled, StatementError> {
        if self.current.is_none() || self.is_taken {
            self.is_taken = false;
            self.current = self.sorter.next_row();
            if let Some(at) = self.current {
                reader.read(self.sorter.row(at).0, &mut self.cells, &mut self.keys)?;
            }
        }
        Ok(if self.current.is_some() { Pulled::Head(0) } else { Pulled::End })
    }

    pub(crate) fn take(&mut self) {
        self.is_taken = true;
    }

    pub(crate) fn head(&self) -> Head<'_> {
        let row = self.current.map_or(&[][..], |at| self.sorter.row(at).0);
        Head { row, cells: &self.cells, keys: &self.keys }
    }
}
