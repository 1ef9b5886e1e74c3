//! What the statement at hand inserts with generated keys, and what is told of it: the insert id of
//! its answer, and LAST_INSERT_ID().

use std::sync::Arc;

use governance::sequences::Sequence;
use kernel::keys::{KeyColumn, Need};
use kernel::plan::Plan;

use super::Needs;

/// An INSERT into a table with generated keys.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    /// How many rows it has.
    rows: usize,
    /// The first generated number.
    first: Option<u64>,
    /// The number that its last row has of its own.
    last_given: Option<u64>,
    /// The numbered column is AUTO_INCREMENT, so that the storage units tell of it.
    is_auto_increment: bool,
    /// Sequences with their epoch and the greatest number of the statement.
    used: Vec<(Arc<Sequence>, u64, u64)>,
}

impl Inserted {
    /// Rows that have numbers of their own, in a table of one unit.
    pub(crate) fn given() -> Self {
        Self::default()
    }

    /// Before anything was made.
    pub(super) fn of(plan: &Plan, needs: &Needs) -> Self {
        let mut inserted = Self::default();
        for (column, needs) in plan.keys.iter().zip(needs) {
            inserted.rows = needs.len();
            if column.is_auto_increment {
                inserted.is_auto_increment = true;
                inserted.last_given = match needs.last() {
                    Some(Need::Number(number)) => Some(*number),
                    _ => None,
                };
            }
        }
        inserted
    }

    /// Numbers were made for a column; those of the AUTO_INCREMENT column are told.
    pub(super) fn note_generated(&mut self, column: &KeyColumn, numbers: &[u64]) {
        if column.is_auto_increment || !self.is_auto_increment {
            self.first = numbers.first().copied();
        }
    }

    /// The statement uses this number of a sequence, and none greater.
    pub(super) fn note_used(&mut self, sequence: &Arc<Sequence>, number: u64) {
        self.used.push((Arc::clone(sequence), sequence.epoch(), number));
    }

    /// True when the storage unit's answer is not what the client must be told.
    pub(crate) fn changes_answer(&self) -> bool {
        self.first.is_some() && (self.rows > 1 || !self.is_auto_increment)
    }

    /// The insert id of the answer, where the storage unit has told `own`.
    ///
    /// # Source
    /// MySQL 8.4 C API manual, `mysql_insert_id()`: the first generated number; without one, the
    /// number the last row was given.
    pub(crate) fn told(&self, own: u64, affected: u64) -> u64 {
        match (self.first, self.last_given) {
            (Some(first), _) if self.changes_answer() && affected > 0 => first,
            (None, Some(given)) if self.rows > 1 => given,
            _ => own,
        }
    }

    /// LAST_INSERT_ID() after the statement; `None` when it stays what it was: numbers that rows
    /// were given do not count, nor do generated ones of rows that were updated or ignored.
    ///
    /// # Source
    /// MySQL 8.4 manual, `LAST_INSERT_ID()`.
    pub(crate) fn remembered(&self, own: u64, affected: u64) -> Option<u64> {
        let first = self.first.filter(|_| affected > 0)?;
        (self.changes_answer() || own == first).then_some(first)
    }

    /// The same after RETURNING, of which the storage unit tells rows only.
    pub(crate) fn returned(&self, rows: u64) -> Option<u64> {
        self.first.filter(|_| rows > 0)
    }

    /// The statement has ended. A sequence that was restarted meanwhile must not come to its numbers;
    /// one that met a row it did not know of asks the nodes.
    pub(super) fn settle(self, is_duplicate: bool) {
        for (sequence, epoch, number) in self.used {
            if sequence.epoch() != epoch {
                sequence.raise_above(number);
            }
            if is_duplicate && self.first.is_some() {
                sequence.mark_stale();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_and_remembered() {
        let one = Inserted { rows: 1, is_auto_increment: true, ..Inserted::default() };
        let many = Inserted { rows: 3, is_auto_increment: true, ..Inserted::default() };
        let made = |of: &Inserted| Inserted { first: Some(7), ..clone(of) };
        let given = |of: &Inserted| Inserted { last_given: Some(50), ..clone(of) };
        for (inserted, own, affected, told, remembered) in [
            (made(&one), 7, 1, 7, Some(7)),
            // The row was updated by ON DUPLICATE KEY UPDATE, or ignored.
            (made(&one), 3, 2, 3, None),
            (made(&one), 0, 0, 0, None),
            (given(&one), 50, 1, 50, None),
            (made(&many), 9, 3, 7, Some(7)),
            (given(&many), 49, 3, 50, None),
            (given(&made(&many)), 50, 3, 7, Some(7)),
            // A key that is not AUTO_INCREMENT: the unit tells nothing.
            (Inserted { rows: 1, first: Some(8), ..Inserted::default() }, 0, 1, 8, Some(8)),
        ] {
            assert_eq!(inserted.told(own, affected), told, "{inserted:?}");
            assert_eq!(inserted.remembered(own, affected), remembered, "{inserted:?}");
        }
    }

    fn clone(of: &Inserted) -> Inserted {
        Inserted {
            rows: of.rows,
            first: of.first,
            last_given: of.last_given,
            is_auto_increment: of.is_auto_increment,
            used: Vec::new(),
        }
    }
}
