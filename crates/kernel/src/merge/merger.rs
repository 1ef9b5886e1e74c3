//! The merger: rows of several streams in, the rows of one server out.

use eval::ColumnType;
use eval::expression::Context;

use super::aggregate::Aggregate;
use super::formula::Compiled;
use super::grouping::Grouping;
use super::input::Input;
use super::key::{KeySpec, resolve_keys};
use super::output::OutputRows;
use super::presort::Presort;
use super::previous::PreviousRow;
use super::row::{RowBatch, RowFormat};
use super::sorter::{SortOrder, Sorter};
use super::sources::{Head, Pulled, RowReader, Sources};
use super::{MergeValues, RowMerge, SortKey};
use crate::error::StatementError;

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
    /// The values of LIMIT and of the formulas.
    pub values: &'a MergeValues,
    /// What expressions depend on.
    pub context: &'a Context,
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
/// #     columns: &[], format: RowFormat::Text, streams: 1, memory_limit_bytes: 0,
/// #     values: &Default::default(), context: &Default::default(),
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
    input: Input,
    /// The last row of the streams, where only unequal ones are taken.
    previous: Option<PreviousRow>,
    grouping: Option<Grouping>,
    sorter: Option<Sorter>,
    output: OutputRows,
}

/// Where a row was found, before anything is borrowed.
enum Found {
    /// At the head of this stream.
    Head(usize),
    /// The group that was closed.
    Group,
    /// This row of the sorter.
    Sorted(usize),
    Needs(usize),
    End,
}

impl Merger {
    /// A merger for rows that were planned as `merge`.
    ///
    /// # Errors
    /// The columns are not those that were planned, or one of them has no order.
    pub fn new(merge: &RowMerge, input: &MergeInput<'_>) -> Result<Self, StatementError> {
        let (columns, format) = (input.columns, input.format);
        let keys = MergeKeys::resolve(merge, columns)?;
        let hidden = merge.hidden.min(columns.len());
        let visible = columns.len() - hidden;
        let aggregates = merge.aggregates.iter();
        let aggregates: Vec<_> = aggregates
            .map(|aggregate| Aggregate::resolve(aggregate, columns, hidden))
            .collect::<Result<_, _>>()?;
        let is_grouped = merge.group_by.is_some() || !aggregates.is_empty();
        let is_distinct = merge.distinct.is_some() && !is_grouped;

        let kept_by = input.values.limit.filter(|_| !merge.counts_all);
        let keep = kept_by.and_then(|limit| limit.offset.checked_add(limit.count));
        let order = SortOrder {
            distinct: keys.distinct,
            order_by: keys.order_by,
            keep: keep.and_then(|keep| usize::try_from(keep).ok()),
            memory_limit_bytes: input.memory_limit_bytes,
        };
        let is_unordered = merge.is_unordered
            || (is_grouped || is_distinct) && keys.streams.iter().any(|key| key.is_long(columns));
        let presort = (is_unordered && !keys.streams.is_empty()).then(|| {
            let order = SortOrder {
                distinct: Vec::new(),
                order_by: keys.streams.clone(),
                keep: None,
                memory_limit_bytes: input.memory_limit_bytes,
            };
            Presort::new(Sorter::new(order, format, columns, visible))
        });
        let is_sorted = !(order.distinct.is_empty() && order.order_by.is_empty());
        let sorter = is_sorted.then(|| Sorter::new(order, format, columns, visible));
        let group_keys = keys.group_keys;
        let width = if is_sorted { columns.len() } else { visible };
        let mut grouping = is_grouped.then(|| Grouping::new(aggregates, group_keys, width));
        if let Some(grouping) = &mut grouping {
            let (computed, having) = Compiled::all(merge, input)?;
            grouping.compute(computed, having);
        }

        let located = match keys.streams.iter().map(KeySpec::columns_end).max() {
            _ if is_grouped => columns.len(),
            last_key => last_key.unwrap_or(0).max(if hidden > 0 { visible + 1 } else { 0 }),
        };
        let reader = RowReader { format, columns: columns.to_vec(), keys: keys.streams, located };
        Ok(Self {
            input: Input::new(Sources::new(reader, input.streams, presort.is_none()), presort),
            previous: is_distinct.then(PreviousRow::default),
            grouping,
            sorter,
            output: OutputRows::new(
                format,
                columns.len(),
                visible,
                input.values.limit,
                merge.counts_all,
            ),
        })
    }

    /// Gives a stream more rows, and back a batch that is not needed any more, for its memory.
    /// Rows are queued: to bound the memory, push only what [`Step::Needs`] or
    /// [`Merger::is_hungry`] ask for.
    pub fn push(&mut self, stream: usize, batch: RowBatch) -> Option<RowBatch> {
        self.input.push(stream, batch)
    }

    /// A stream has sent its last row.
    pub fn finish(&mut self, stream: usize) {
        self.input.sources.finish(stream);
    }

    /// Whether all rows of a stream are taken and it has not ended.
    pub fn is_hungry(&self, stream: usize) -> bool {
        self.input.sources.is_hungry(stream)
    }

    /// How many rows there were, those that LIMIT skipped included: all with
    /// [`RowMerge::counts_all`], otherwise as many as were looked at.
    pub fn counted_rows(&self) -> u64 {
        self.output.counted()
    }

    /// Goes on until there is a row, or a stream has to send more.
    ///
    /// # Errors
    /// A row does not fit its columns (1835), or what cannot be streamed exceeds the memory limit
    /// (1038).
    pub fn step(&mut self) -> Result<Step<'_>, StatementError> {
        let found = loop {
            if self.output.is_full() {
                return Ok(Step::Done);
            }
            match self.find()? {
                Found::End => return Ok(Step::Done),
                Found::Needs(stream) => return Ok(Step::Needs(stream)),
                found => {
                    if self.output.admits_next() {
                        break found;
                    }
                }
            }
        };
        Ok(match (found, &self.grouping, &self.sorter) {
            (Found::Head(stream), ..) => {
                let Head { row, cells, .. } = self.input.head(stream);
                let visible_end = self.output.visible_end(row, cells);
                Step::Row(self.output.cut(row, visible_end))
            }
            (Found::Group, Some(grouping), _) => Step::Row(grouping.row()),
            (Found::Sorted(at), _, Some(sorter)) => {
                let (row, visible_end) = sorter.row(at);
                Step::Row(self.output.cut(row, visible_end))
            }
            _ => Step::Done,
        })
    }

    /// The next row before LIMIT.
    fn find(&mut self) -> Result<Found, StatementError> {
        let Some(mut sorter) = self.sorter.take() else { return self.find_streamed() };
        let found = self.find_sorted(&mut sorter);
        self.sorter = Some(sorter);
        found
    }

    fn find_sorted(&mut self, sorter: &mut Sorter) -> Result<Found, StatementError> {
        while !sorter.is_sorted() {
            match (self.find_streamed()?, &self.grouping) {
                (Found::Needs(stream), _) => return Ok(Found::Needs(stream)),
                (Found::Head(stream), _) => sorter.add(self.input.head(stream).row)?,
                (Found::Group, Some(grouping)) => sorter.add(grouping.row())?,
                _ => sorter.sort(),
            }
        }
        Ok(sorter.next_row().map_or(Found::End, Found::Sorted))
    }

    /// The next row before sorting.
    fn find_streamed(&mut self) -> Result<Found, StatementError> {
        loop {
            let stream = match self.input.peek()? {
                Pulled::Head(stream) => stream,
                Pulled::Needs(stream) => return Ok(Found::Needs(stream)),
                Pulled::End => return self.end_of_streams(),
            };
            let (reader, head) = (self.input.reader(), self.input.head(stream));
            if let Some(grouping) = &mut self.grouping {
                if grouping.ends_before(reader, head) {
                    if grouping.close(reader)? {
                        return Ok(Found::Group);
                    }
                    continue;
                }
                grouping.add(reader, head)?;
                self.input.take(stream);
                continue;
            }
            let is_repeated = self.previous.as_mut().is_some_and(|row| row.repeats(reader, head));
            self.input.take(stream);
            if !is_repeated {
                return Ok(Found::Head(stream));
            }
        }
    }

    fn end_of_streams(&mut self) -> Result<Found, StatementError> {
        let reader = self.input.reader();
        let has_group = match &mut self.grouping {
            Some(grouping) => grouping.end(reader)?,
            None => false,
        };
        Ok(if has_group { Found::Group } else { Found::End })
    }
}

/// The keys of all parts of a merge.
struct MergeKeys {
    /// The order in which the streams send their rows.
    streams: Vec<KeySpec>,
    /// How many of these are the keys of a group.
    group_keys: usize,
    /// What rows are compared by that have to be made distinct after grouping.
    distinct: Vec<KeySpec>,
    /// What rows are sorted by that do not come in the order that is asked for.
    order_by: Vec<KeySpec>,
}

impl MergeKeys {
    fn resolve(merge: &RowMerge, columns: &[ColumnType]) -> Result<Self, StatementError> {
        let hidden = merge.hidden.min(columns.len());
        let resolve = |keys: &[SortKey]| resolve_keys(keys, columns, hidden);
        let order_by = resolve(&merge.order_by)?;
        let distinct = merge.distinct.as_deref().map(resolve).transpose()?;
        let is_grouped = merge.group_by.is_some() || !merge.aggregates.is_empty();
        if !is_grouped {
            let streams = distinct.unwrap_or_else(|| order_by.clone());
            let order_by = if streams.starts_with(&order_by) { Vec::new() } else { order_by };
            return Ok(Self { streams, group_keys: 0, distinct: Vec::new(), order_by });
        }
        let mut streams = resolve(merge.group_by.as_deref().unwrap_or_default())?;
        let group_keys = streams.len();
        // Rows that hold all group keys are distinct already.
        let is_in = |key: &KeySpec, keys: &[KeySpec]| keys.iter().any(|k| k.column == key.column);
        let distinct =
            distinct.filter(|keys| !streams.iter().all(|key| is_in(key, keys))).unwrap_or_default();
        let is_ordered =
            streams.is_empty() || (distinct.is_empty() && streams.starts_with(&order_by));
        let order_by = if is_ordered { Vec::new() } else { order_by };
        streams.extend(resolve(&merge.within)?);
        Ok(Self { streams, group_keys, distinct, order_by })
    }
}

#[cfg(test)]
mod tests;
