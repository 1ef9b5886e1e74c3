//! Numbers for AUTO_INCREMENT columns over all nodes of a table: blocks are reserved in the store,
//! and numbers are taken from the block in memory without a lock.
//!
//! A number below the reserved end is never given again, whatever happens to the process.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many numbers are reserved at a time, unless a statement needs more.
pub const BLOCK: u64 = 1000;

/// The numbers of one table. Numbers from `next` up to `end` may be given out.
#[derive(Debug)]
pub struct Sequence {
    /// Its name in the store.
    pub(crate) name: String,
    next: AtomicU64,
    end: AtomicU64,
    /// Rises when the sequence starts again at lower numbers.
    epoch: AtomicU64,
    /// The nodes have to be asked for their greatest value before a number is taken.
    is_stale: AtomicBool,
    /// Held while a block is reserved.
    filling: tokio::sync::Mutex<()>,
}

impl Sequence {
    /// One that has to be started.
    pub fn new(name: String) -> Self {
        Self {
            name,
            next: AtomicU64::new(0),
            end: AtomicU64::new(0),
            epoch: AtomicU64::new(0),
            is_stale: AtomicBool::new(true),
            filling: tokio::sync::Mutex::new(()),
        }
    }

    /// The first of `count` numbers in a row; `None` when a block must be reserved first.
    pub fn take(&self, count: u64) -> Option<u64> {
        if self.is_stale() {
            return None;
        }
        let mut next = self.next.load(Ordering::SeqCst);
        loop {
            let behind = next.checked_add(count)?;
            // Read behind `next`: a restart lowers the end before the next number.
            if next == 0 || behind > self.end.load(Ordering::SeqCst) {
                return None;
            }
            match self.next.compare_exchange(next, behind, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(first) => return Some(first),
                Err(other) => next = other,
            }
        }
    }

    /// A row has this number: no number up to it is given any more.
    pub fn raise_above(&self, number: u64) {
        if number >= self.next.load(Ordering::SeqCst) {
            self.next.fetch_max(number.saturating_add(1), Ordering::SeqCst);
        }
    }

    /// True when less than a quarter of a block is left.
    pub fn is_low(&self) -> bool {
        let left = self.end.load(Ordering::SeqCst);
        left.saturating_sub(self.next.load(Ordering::SeqCst)) < BLOCK / 4
    }

    /// True when the nodes have to be asked first.
    pub fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::SeqCst)
    }

    /// A row that nobody announced had a number of this sequence: the nodes are to be asked.
    pub fn mark_stale(&self) {
        self.is_stale.store(true, Ordering::SeqCst);
    }

    /// Counts the restarts. Who has taken numbers before one and used them after it must
    /// [`Sequence::raise_above`] them.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Waits for the right to reserve; whoever waited should try [`Sequence::take`] again.
    pub async fn lock(&self) -> Filling<'_> {
        Filling { sequence: self, _guard: self.filling.lock().await }
    }

    /// The right to reserve, if nobody has it.
    pub fn try_lock(&self) -> Option<Filling<'_>> {
        Some(Filling { sequence: self, _guard: self.filling.try_lock().ok()? })
    }
}

/// The right to reserve numbers of a sequence.
#[derive(Debug)]
pub struct Filling<'s> {
    sequence: &'s Sequence,
    _guard: tokio::sync::MutexGuard<'s, ()>,
}

impl Filling<'_> {
    /// The nodes have no row with `floor` or a greater number.
    pub fn start(&self, floor: u64) {
        self.sequence.next.fetch_max(floor.max(1), Ordering::SeqCst);
        self.sequence.is_stale.store(false, Ordering::SeqCst);
    }

    /// The table is empty, or its counter was set: the next taker asks the nodes and starts there.
    pub(crate) fn restart(&self) {
        self.sequence.is_stale.store(true, Ordering::SeqCst);
        self.sequence.end.store(0, Ordering::SeqCst);
        self.sequence.next.store(0, Ordering::SeqCst);
        self.sequence.epoch.fetch_add(1, Ordering::SeqCst);
    }

    /// The sequence's name in the store.
    pub(crate) fn name(&self) -> &str {
        &self.sequence.name
    }

    /// The next number as far as it is known in memory.
    pub(crate) fn next(&self) -> u64 {
        self.sequence.next.load(Ordering::SeqCst)
    }

    /// True before the first block of this process.
    pub(crate) fn is_first(&self) -> bool {
        self.sequence.end.load(Ordering::SeqCst) == 0
    }

    /// The store has reserved numbers up to `end`.
    pub(crate) fn reserved(&self, start: u64, end: u64) {
        if self.is_first() {
            self.sequence.next.fetch_max(start, Ordering::SeqCst);
        }
        self.sequence.end.store(end, Ordering::SeqCst);
    }
}

/// All sequences of the process, by table.
#[derive(Debug, Default)]
pub struct Sequences {
    by_name: Mutex<HashMap<String, Arc<Sequence>>>,
}

impl Sequences {
    /// The sequence of a table.
    pub fn find(&self, database: &str, table: &str) -> Arc<Sequence> {
        // No name holds a zero byte.
        let name = format!("{database}\0{table}");
        let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(by_name.entry(name.clone()).or_insert_with(|| Arc::new(Sequence::new(name))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn filled(start: u64, end: u64) -> Sequence {
        let sequence = Sequence::new("d\0t".to_owned());
        {
            let filling = sequence.lock().await;
            filling.start(1);
            filling.reserved(start, end);
        }
        sequence
    }

    #[tokio::test]
    async fn numbers_follow_one_another_up_to_the_reserved_end() {
        let sequence = filled(1, 6).await;
        assert_eq!(sequence.take(1), Some(1));
        assert_eq!(sequence.take(3), Some(2));
        assert_eq!(sequence.take(2), None, "only 5 is left");
        assert_eq!(sequence.take(1), Some(5));
        assert_eq!(sequence.take(1), None);
        assert_eq!(sequence.take(u64::MAX), None);
    }

    #[tokio::test]
    async fn a_row_with_a_number_of_its_own_raises_the_next() {
        let sequence = filled(1, 1001).await;
        sequence.raise_above(41);
        sequence.raise_above(7);
        assert_eq!(sequence.take(1), Some(42));
        sequence.raise_above(5000);
        assert_eq!(sequence.take(1), None, "not reserved");
        sequence.lock().await.reserved(0, 6001);
        assert_eq!(sequence.take(1), Some(5001));
    }

    #[tokio::test]
    async fn a_restart_gives_nothing_until_the_nodes_were_asked() {
        let sequence = filled(1, 1001).await;
        assert_eq!(sequence.take(10), Some(1));
        let epoch = sequence.epoch();
        sequence.lock().await.restart();
        assert_ne!(sequence.epoch(), epoch);
        assert_eq!(sequence.take(1), None);
        let filling = sequence.lock().await;
        filling.start(1);
        filling.reserved(0, 1001);
        assert_eq!(sequence.take(1), Some(1));
    }

    #[test]
    fn threads_never_share_a_number() {
        let sequence = Arc::new(Sequence::new("d\0t".to_owned()));
        let filling = sequence.try_lock().unwrap();
        filling.start(1);
        filling.reserved(1, 40_001);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let sequence = Arc::clone(&sequence);
                std::thread::spawn(move || {
                    (0..10_000).map(|_| sequence.take(1).unwrap()).collect::<Vec<_>>()
                })
            })
            .collect();
        let mut all: Vec<u64> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
        all.sort_unstable();
        assert_eq!(all, (1..=40_000).collect::<Vec<_>>());
    }
}
