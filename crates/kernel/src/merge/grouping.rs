//! Groups of equal neighbours, each made one row.

use super::aggregate::{Aggregate, RowShape};
use super::formula::Compiled;
use super::key::{Keys, compare_keys};
use super::previous::PreviousRow;
use super::row::{Cell, RowFormat, TEXT_NULL, bitmap_len, null_bit};
use super::sources::{Head, RowReader};
use crate::error::StatementError;

/// The current group.
#[derive(Debug)]
pub(crate) struct Grouping {
    aggregates: Vec<Aggregate>,
    /// How many of the streams' keys are those of the group.
    group_keys: usize,
    /// Without group keys there is one group, even if there are no rows.
    is_owed: bool,
    /// The last row, where aggregates have DISTINCT.
    previous: Option<PreviousRow>,
    /// Columns of the rows that are made; the hidden ones behind them are left out.
    width: usize,
    is_open: bool,
    first: FirstRow,
    /// New values by column; `None`: that of the first row.
    replaced: Vec<Option<Replaced>>,
    encoded: Vec<u8>,
    row: Vec<u8>,
    computed: Vec<Compiled>,
    having: Option<Compiled>,
}

/// A copy of the first row of the group, which gives the columns that are not combined.
#[derive(Debug, Default)]
struct FirstRow {
    row: Vec<u8>,
    cells: Vec<Cell>,
    keys: Keys,
}

/// A value in [`Grouping::encoded`].
#[derive(Debug, Clone, Copy)]
struct Replaced {
    start: usize,
    end: usize,
    is_null: bool,
}

impl Grouping {
    pub(crate) fn new(aggregates: Vec<Aggregate>, group_keys: usize, width: usize) -> Self {
        let has_distinct = aggregates.iter().any(|aggregate| aggregate.is_distinct);
        Self {
            aggregates,
            group_keys,
            is_owed: group_keys == 0,
            previous: has_distinct.then(PreviousRow::default),
            width,
            is_open: false,
            first: FirstRow::default(),
            replaced: Vec::new(),
            encoded: Vec::new(),
            row: Vec::new(),
            computed: Vec::new(),
            having: None,
        }
    }

    /// What is made of the columns of each group, and which groups are wanted.
    pub(crate) fn compute(&mut self, computed: Vec<Compiled>, having: Option<Compiled>) {
        self.computed = computed;
        self.having = having;
    }

    /// Whether there is a group and this row is not of it.
    pub(crate) fn ends_before(&self, reader: &RowReader, head: Head<'_>) -> bool {
        self.is_open
            && compare_keys(
                &reader.keys[..self.group_keys],
                (&self.first.keys, &self.first.row),
                (head.keys, head.row),
            )
            .is_ne()
    }

    /// Adds a row to the group, or begins one with it.
    ///
    /// # Errors
    /// A value is not of its column's type, or a sum is too large for it.
    pub(crate) fn add(&mut self, reader: &RowReader, head: Head<'_>) -> Result<(), StatementError> {
        if !self.is_open {
            self.is_open = true;
            self.is_owed = false;
            self.first.copy(head);
            self.aggregates.iter_mut().for_each(Aggregate::reset);
        }
        let is_repeated = self.previous.as_mut().is_some_and(|row| row.repeats(reader, head));
        let shape = RowShape { columns: &reader.columns, format: reader.format };
        let counted = |aggregate: &&mut Aggregate| !(is_repeated && aggregate.is_distinct);
        let mut aggregates = self.aggregates.iter_mut().filter(counted);
        aggregates.try_for_each(|aggregate| aggregate.add(head, shape))
    }

    /// Ends the group at the end of all rows; `false` when there is none.
    ///
    /// # Errors
    /// See [`Grouping::close`].
    pub(crate) fn end(&mut self, reader: &RowReader) -> Result<bool, StatementError> {
        if !self.is_open && !self.is_owed {
            return Ok(false);
        }
        if !self.is_open {
            let null = Cell { is_null: true, ..Cell::default() };
            self.first.row.clear();
            self.first.cells = vec![null; reader.columns.len()];
            self.aggregates.iter_mut().for_each(Aggregate::reset);
        }
        self.is_owed = false;
        self.close(reader)
    }

    /// Ends the group and makes its row; `false` where HAVING leaves it out.
    ///
    /// # Errors
    /// An expression has no value.
    pub(crate) fn close(&mut self, reader: &RowReader) -> Result<bool, StatementError> {
        self.is_open = false;
        let shape = RowShape { columns: &reader.columns, format: reader.format };
        self.encoded.clear();
        self.replaced.clear();
        self.replaced.resize(reader.columns.len(), None);
        for aggregate in &self.aggregates {
            let start = self.encoded.len();
            let is_null = !aggregate.write(shape, &mut self.encoded);
            let end = self.encoded.len();
            self.replaced[aggregate.column] = Some(Replaced { start, end, is_null });
            if let Some((column, value)) = aggregate.key_value() {
                self.encoded.extend_from_slice(value.unwrap_or_default());
                let (start, end) = (end, self.encoded.len());
                self.replaced[column] = Some(Replaced { start, end, is_null: value.is_none() });
            }
        }
        if !self.compute_columns(shape)? {
            return Ok(false);
        }
        self.row.clear();
        match reader.format {
            RowFormat::Text => self.write_text_row(),
            RowFormat::Binary => self.write_binary_row(),
        }
        Ok(true)
    }

    /// Computes what is made of the columns of the group, and whether it is wanted.
    fn compute_columns(&mut self, shape: RowShape<'_>) -> Result<bool, StatementError> {
        let mut encoded = Vec::new();
        let mut results = Vec::with_capacity(self.computed.len());
        let group = |column: usize| self.value(column);
        for formula in &self.computed {
            let start = encoded.len();
            let is_null = !formula.write(shape, &group, &mut encoded)?;
            results.push((formula.target, start..encoded.len(), is_null));
        }
        if let Some(having) = &self.having
            && !having.holds(shape, &group)?
        {
            return Ok(false);
        }
        let base = self.encoded.len();
        self.encoded.extend_from_slice(&encoded);
        for (column, range, is_null) in results {
            let (start, end) = (base + range.start, base + range.end);
            self.replaced[column] = Some(Replaced { start, end, is_null });
        }
        Ok(true)
    }

    /// The row of the group that was closed last.
    pub(crate) fn row(&self) -> &[u8] {
        &self.row
    }

    /// The encoded value of a column; `None` for NULL.
    fn value(&self, column: usize) -> Option<&[u8]> {
        match self.replaced[column] {
            Some(value) => (!value.is_null).then(|| &self.encoded[value.start..value.end]),
            None => {
                let cell = &self.first.cells[column];
                (!cell.is_null).then(|| cell.encoded(&self.first.row))
            }
        }
    }

    fn write_text_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        for column in 0..self.width {
            row.extend_from_slice(self.value(column).unwrap_or(&[TEXT_NULL]));
        }
        self.row = row;
    }

    fn write_binary_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        row.resize(1 + bitmap_len(self.width), 0);
        for column in 0..self.width {
            match self.value(column) {
                Some(value) => row.extend_from_slice(value),
                None => {
                    let (byte, bit) = null_bit(column);
                    row[byte] |= bit;
                }
            }
        }
        self.row = row;
    }
}

impl FirstRow {
    fn copy(&mut self, head: Head<'_>) {
        self.row.clear();
        self.row.extend_from_slice(head.row);
        self.cells.clear();
        self.cells.extend_from_slice(head.cells);
        self.keys.clear();
        self.keys.extend_from_slice(head.keys);
    }
}
