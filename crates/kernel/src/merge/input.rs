//! The rows of all streams in the order of their keys, whether they come in it or not.

use super::presort::Presort;
use super::row::RowBatch;
use super::sources::{Head, Pulled, RowReader, Sources};
use crate::error::StatementError;

/// What is merged.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) sources: Sources,
    /// Where the streams are not in order, all their rows.
    presort: Option<Presort>,
}

impl Input {
    pub(crate) fn new(sources: Sources, presort: Option<Presort>) -> Self {
        Self { sources, presort }
    }

    pub(crate) fn reader(&self) -> &RowReader {
        &self.sources.reader
    }

    pub(crate) fn push(&mut self, stream: usize, batch: RowBatch) -> Option<RowBatch> {
        self.sources.push(stream, batch)
    }

    /// Which row comes next.
    ///
    /// # Errors
    /// A row does not fit its columns, or the rows that have to be sorted do not fit the memory.
    pub(crate) fn peek(&mut self) -> Result<Pulled, StatementError> {
        let Some(presort) = &mut self.presort else { return self.sources.peek() };
        while !presort.is_sorted() {
            match self.sources.peek()? {
                Pulled::Head(stream) => {
                    presort.add(self.sources.head(stream).row)?;
                    self.sources.take(stream);
                }
                Pulled::Needs(stream) => return Ok(Pulled::Needs(stream)),
                Pulled::End => presort.sort(),
            }
        }
        presort.peek(&self.sources.reader)
    }

    /// Takes the row that [`Input::peek`] named. It stays readable until the next call of `peek`.
    pub(crate) fn take(&mut self, at: usize) {
        match &mut self.presort {
            Some(presort) => presort.take(),
            None => self.sources.take(at),
        }
    }

    /// The row that [`Input::peek`] named.
    pub(crate) fn head(&self, at: usize) -> Head<'_> {
        match &self.presort {
            Some(presort) => presort.head(),
            None => self.sources.head(at),
        }
    }
}
