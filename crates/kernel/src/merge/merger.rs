//! The merger: rows of several streams in, the rows of one server out.

use super::RowMerge;
use super::key::{KeyPart, Keys, compare_keys, resolve_keys};
use super::output::OutputRows;
use super::row::{RowBatch, RowFormat};
use super::sources::{Head, Pulled, RowReader, Sources};
use crate::error::StatementError;
use eval::ColumnType;

/// The bounds of LIMIT, after their values are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Rows that are skipped.
    pub offset: u64,
    /// Rows that are given after those.
    pub count: u64,
}

/// What a [`Merger`] has to know of the rows it gets.
#[derive(Debug, Clone, Copy)]
pub struct MergeInput<'a> {
    /// The columns of every stream, hidden ones included.
    pub columns: &'a [ColumnType],
    /// How the rows are encoded.
    pub format: RowFormat,
    /// How many streams there are.
    pub streams: usize,
    /// [`RowMerge::limit`] with its values.
    pub limit: Option<Limit>,
    /// How many bytes of rows may be kept where rows cannot be streamed.
    pub memory_limit_bytes: usize,
}

/// What happens next.
#[derive(Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The payload of the next merged row.
    Row(&'a [u8]),
    /// This stream has to send more rows ([`Merger::push`]) or end ([`Merger::finish`]).
    Needs(usize),
    /// There are no more rows. Streams that have not ended can be thrown away.
    Done,
}

/// Merges rows. Its driver calls [`Merger::step`] until [`Step::Done`]:
///
/// ```
/// # use kernel::merge::{MergeInput, Merger, RowBatch, RowFormat, RowMerge, Step};
/// # let input = MergeInput {
/// #     columns: &[], format: RowFormat::Text, streams: 1, limit: None, memory_limit_bytes: 0,
/// # };
/// # let mut read = |_stream: usize| None::<RowBatch>;
/// # let mut send = |_row: &[u8]| ();
/// let mut merger = Merger::new(&RowMerge::default(), &input)?;
/// loop {
///     match merger.step()? {
///         Step::Row(payload) => send(payload),
///         Step::Needs(stream) => match read(stream) {
///             Some(batch) => drop(merger.push(stream, batch)),
///             None => merger.finish(stream),
///         },
///         Step::Done => break,
///     }
/// }
/// # Ok::<(), kernel::error::StatementError>(())
/// ```
#[derive(Debug)]
pub struct Merger {
    sources: Sources,
    /// The last row that was given, where only unequal rows are.
    previous: Option<PreviousRow>,
    output: OutputRows,
}

/// What [`Merger::step`] found, before anything is borrowed.
enum Found {
    Head(usize),
    Needs(usize),
    End,
}

impl Merger {
    /// A merger for rows that were planned as `merge`.
    ///
    /// # Errors
    /// The columns are not those that were planned, or one of them has no order.
    pub fn new(merge: &RowMerge, input: &MergeInput<'_>) -> Result<Self, StatementError> {
        if merge.group_by.is_some() || !merge.aggregates.is_empty() {
            return Err(StatementError::unsupported("GROUP BY over several storage units"));
        }
        let columns = input.columns;
        let hidden = merge.hidden.min(columns.len());
        let order_by = resolve_keys(&merge.order_by, columns, hidden)?;
        let distinct = merge.distinct.as_deref();
        let distinct = distinct.map(|keys| resolve_keys(keys, columns, hidden)).transpose()?;
        let visible = columns.len() - hidden;
        let is_distinct = distinct.is_some();
        let keys = distinct.unwrap_or(order_by);
        let located = keys.iter().map(|key| key.column + 1).max().unwrap_or(0);
        let located = if hidden > 0 { located.max(visible + 1) } else { located };
        let reader = RowReader { format: input.format, columns: columns.to_vec(), keys, located };
        Ok(Self {
            sources: Sources::new(reader, input.streams),
            previous: is_distinct.then(PreviousRow::default),
            output: OutputRows::new(input.format, columns.len(), visible, input.limit),
        })
    }

    /// Gives a stream more rows, and back a batch that is not needed any more, for its memory.
    /// Rows are queued: to bound the memory, push only what [`Step::Needs`] or
    /// [`Merger::is_hungry`] ask for.
    pub fn push(&mut self, stream: usize, batch: RowBatch) -> Option<RowBatch> {
        self.sources.push(stream, batch)
    }

    /// A stream has sent its last row.
    pub fn finish(&mut self, stream: usize) {
        self.sources.finish(stream);
    }

    /// Whether all rows of a stream are taken and it has not ended.
    pub fn is_hungry(&self, stream: usize) -> bool {
        self.sources.is_hungry(stream)
    }

    /// Goes on until there is a row, or a stream has to send more.
    ///
    /// # Errors
    /// A row does not fit its columns (1835), or what cannot be streamed exceeds the memory limit
    /// (1038).
    pub fn step(&mut self) -> Result<Step<'_>, StatementError> {
        loop {
            if self.output.is_full() {
                return Ok(Step::Done);
            }
            match self.find()? {
                Found::End => return Ok(Step::Done),
                Found::Needs(stream) => return Ok(Step::Needs(stream)),
                Found::Head(stream) => {
                    if !self.output.admits_next() {
                        continue;
                    }
                    let Head { row, cells, .. } = self.sources.head(stream);
                    return Ok(Step::Row(self.output.cut(row, cells)));
                }
            }
        }
    }

    fn find(&mut self) -> Result<Found, StatementError> {
        loop {
            let stream = match self.sources.peek()? {
                Pulled::Head(stream) => stream,
                Pulled::Needs(stream) => return Ok(Found::Needs(stream)),
                Pulled::End => return Ok(Found::End),
            };
            self.sources.take(stream);
            let Some(previous) = &mut self.previous else { return Ok(Found::Head(stream)) };
            let head = self.sources.head(stream);
            if !previous.equals(&self.sources.reader, head) {
                previous.remember(head);
                return Ok(Found::Head(stream));
            }
        }
    }
}

/// A copy of the last row, to find its equals.
#[derive(Debug, Default)]
struct PreviousRow {
    exists: bool,
    row: Vec<u8>,
    keys: Keys,
}

impl PreviousRow {
    fn equals(&self, reader: &RowReader, head: Head<'_>) -> bool {
        let (own, other): ((&[KeyPart], &[u8]), _) =
            ((&self.keys, &self.row), (head.keys, head.row));
        self.exists && compare_keys(&reader.keys, own, other).is_eq()
    }

    fn remember(&mut self, head: Head<'_>) {
        self.exists = true;
        self.row.clear();
        self.row.extend_from_slice(head.row);
        self.keys.clear();
        self.keys.extend_from_slice(head.keys);
    }
}

#[cfg(test)]
mod tests;
