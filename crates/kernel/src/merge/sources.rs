//! The streams of rows and the order in which their rows are taken.

use std::cmp::Ordering;
use std::collections::VecDeque;

use eval::ColumnType;

use super::key::{KeyPart, KeySpec, Keys, compare_keys, decode_keys};
use super::row::{Cell, RowBatch, RowFormat, locate};
use super::tournament::Tournament;
use crate::error::StatementError;

/// What the streams have next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pulled {
    /// The head of this stream comes first.
    Head(usize),
    /// This stream has to send more before anything can be said.
    Needs(usize),
    /// All streams have ended.
    End,
}

/// How rows are read: columns, format, which keys.
#[derive(Debug)]
pub(crate) struct RowReader {
    pub(crate) format: RowFormat,
    pub(crate) columns: Vec<ColumnType>,
    pub(crate) keys: Vec<KeySpec>,
    /// How many columns are located in each row.
    pub(crate) located: usize,
}

impl RowReader {
    /// Locates a row's columns and decodes its keys.
    ///
    /// # Errors
    /// The row does not fit its columns.
    pub(crate) fn read(
        &self,
        row: &[u8],
        cells: &mut Vec<Cell>,
        keys: &mut Keys,
    ) -> Result<(), StatementError> {
        locate(row, self.format, &self.columns, self.located, cells)?;
        decode_keys(&self.keys, row, cells, self.format, keys)
    }
}

/// The current row of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Current {
    /// Not looked at, or there is none.
    #[default]
    Missing,
    /// Located, and its keys decoded.
    Loaded,
    /// Given away; still readable.
    Taken,
}

/// One stream: its batches and its current row.
#[derive(Debug, Default)]
struct Stream {
    batches: VecDeque<RowBatch>,
    /// Position of the current row in the first batch.
    position: usize,
    has_ended: bool,
    current: Current,
    cells: Vec<Cell>,
    keys: Keys,
}

impl Stream {
    /// Drops batches that are read, keeping one for its memory.
    fn find_current(&mut self, spent: &mut Vec<RowBatch>) -> bool {
        while let Some(batch) = self.batches.front() {
            if self.position < batch.rows.len() {
                return true;
            }
            spent.extend(self.batches.pop_front());
            self.position = 0;
        }
        false
    }

    fn row(&self) -> &[u8] {
        row_at(&self.batches, self.position)
    }

    /// Makes the current row ready; `false` when a batch is missing.
    fn load(
        &mut self,
        reader: &RowReader,
        spent: &mut Vec<RowBatch>,
    ) -> Result<bool, StatementError> {
        match self.current {
            Current::Loaded => return Ok(true),
            Current::Taken => self.position += 1,
            Current::Missing => {}
        }
        self.current = Current::Missing;
        if !self.find_current(spent) {
            return Ok(self.has_ended);
        }
        let row = row_at(&self.batches, self.position);
        reader.read(row, &mut self.cells, &mut self.keys)?;
        self.current = Current::Loaded;
        Ok(true)
    }

    fn is_loaded(&self) -> bool {
        self.current == Current::Loaded
    }

    fn is_hungry(&self) -> bool {
        let rows: usize = self.batches.iter().map(|batch| batch.rows.len()).sum();
        let read = self.position + usize::from(self.current == Current::Taken);
        !self.has_ended && rows <= read
    }
}

/// A row of the first batch.
fn row_at(batches: &VecDeque<RowBatch>, position: usize) -> &[u8] {
    let Some(batch) = batches.front() else { return &[] };
    let Some(range) = batch.rows.get(position) else { return &[] };
    batch.bytes.get(range.start as usize..range.end as usize).unwrap_or_default()
}

/// All streams. Without keys their rows come stream after stream; with keys in their order, of
/// equal rows that of the lower stream first.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) reader: RowReader,
    /// The streams are in the order of the keys.
    is_ordered: bool,
    streams: Vec<Stream>,
    tournament: Tournament,
    /// The stream whose head was taken and is not replaced yet; at first, none has a head.
    stale: Stale,
    /// Batches that are read, for their memory.
    spent: Vec<RowBatch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stale {
    All,
    Winner,
    None,
}

impl Sources {
    pub(crate) fn new(reader: RowReader, streams: usize, is_ordered: bool) -> Self {
        let streams = std::iter::repeat_with(Stream::default).take(streams).collect();
        let (tournament, spent) = (Tournament::default(), Vec::new());
        let is_ordered = is_ordered && !reader.keys.is_empty();
        Self { reader, is_ordered, streams, tournament, stale: Stale::All, spent }
    }

    pub(crate) fn push(&mut self, stream: usize, batch: RowBatch) -> Option<RowBatch> {
        if let Some(stream) = self.streams.get_mut(stream) {
            stream.batches.push_back(batch);
        }
        self.spent.pop()
    }

    pub(crate) fn finish(&mut self, stream: usize) {
        if let Some(stream) = self.streams.get_mut(stream) {
            stream.has_ended = true;
        }
    }

    /// Whether all rows of this stream are taken and it has not ended.
    pub(crate) fn is_hungry(&self, stream: usize) -> bool {
        self.streams.get(stream).is_some_and(Stream::is_hungry)
    }

    /// Which row comes next.
    ///
    /// # Errors
    /// A row does not fit its columns.
    pub(crate) fn peek(&mut self) -> Result<Pulled, StatementError> {
        if self.is_ordered { self.peek_ordered() } else { self.peek_in_turn() }
    }

    fn peek_in_turn(&mut self) -> Result<Pulled, StatementError> {
        for (position, stream) in self.streams.iter_mut().enumerate() {
            if !stream.load(&self.reader, &mut self.spent)? {
                return Ok(Pulled::Needs(position));
            }
            if stream.is_loaded() {
                return Ok(Pulled::Head(position));
            }
        }
        Ok(Pulled::End)
    }

    fn peek_ordered(&mut self) -> Result<Pulled, StatementError> {
        match self.stale {
            Stale::None => {}
            Stale::Winner => {
                let winner = self.tournament.winner();
                if !self.streams[winner].load(&self.reader, &mut self.spent)? {
                    return Ok(Pulled::Needs(winner));
                }
                let (streams, keys) = (&self.streams, &self.reader.keys);
                self.tournament.replay(|a, b| is_less(streams, keys, a, b));
            }
            Stale::All => {
                for (position, stream) in self.streams.iter_mut().enumerate() {
                    if !stream.load(&self.reader, &mut self.spent)? {
                        return Ok(Pulled::Needs(position));
                    }
                }
                let (streams, keys) = (&self.streams, &self.reader.keys);
                self.tournament.play(streams.len(), |a, b| is_less(streams, keys, a, b));
            }
        }
        self.stale = Stale::None;
        let winner = self.tournament.winner();
        let is_loaded = self.streams.get(winner).is_some_and(Stream::is_loaded);
        Ok(if is_loaded { Pulled::Head(winner) } else { Pulled::End })
    }

    /// Takes the head of the stream that [`Sources::peek`] named. Its row stays readable until the
    /// next call of `peek`.
    pub(crate) fn take(&mut self, stream: usize) {
        self.streams[stream].current = Current::Taken;
        self.stale = Stale::Winner;
    }

    /// The head of a stream.
    pub(crate) fn head(&self, stream: usize) -> Head<'_> {
        let stream = &self.streams[stream];
        Head { row: stream.row(), cells: &stream.cells, keys: &stream.keys }
    }
}

/// A row with what is known of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    pub(crate) row: &'a [u8],
    pub(crate) cells: &'a [Cell],
    pub(crate) keys: &'a [KeyPart],
}

/// Streams that have ended come last.
fn is_less(streams: &[Stream], specs: &[KeySpec], left: u32, right: u32) -> bool {
    let (left, right) = (&streams[left as usize], &streams[right as usize]);
    match (left.is_loaded(), right.is_loaded()) {
        (true, true) => {
            compare_keys(specs, (&left.keys, left.row()), (&right.keys, right.row()))
                == Ordering::Less
        }
        (is_loaded, _) => is_loaded && !right.is_loaded(),
    }
}
