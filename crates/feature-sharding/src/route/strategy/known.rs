//! What a statement says of one sharding column, with its values.

use kernel::error::StatementError;
use kernel::predicate::ValueSource;
use smallvec::SmallVec;

use crate::algorithms::{KeyRange, Known};
use crate::column::{Compared, Key, ShardingColumn};
use crate::node_set::NodeSet;
use crate::route::end;
use crate::route::groups::Leaf;

/// More combinations of values than this are not looked at one by one.
const COMBINATIONS_MAX: usize = 10_000;

/// What is known of one column.
#[derive(Debug, Clone)]
pub(super) enum Learned<'v> {
    /// Nothing certain.
    Anything,
    /// One of these.
    Keys(SmallVec<[Key<'v>; 2]>),
    /// In this range.
    Range(KeyRange),
}

impl<'v> Learned<'v> {
    /// What conditions that all hold say; `None` where no row satisfies them.
    pub(super) fn new(
        leaves: &'v [Leaf],
        column: &ShardingColumn,
        values: &'v dyn ValueSource,
        is_canonical: bool,
    ) -> Option<Self> {
        let mut learned = Self::Anything;
        for leaf in leaves {
            let more = match leaf {
                Leaf::In(list) => {
                    let mut keys = SmallVec::new();
                    let mut is_certain = true;
                    for value in list {
                        let value = values.value(value);
                        match column.compared(value, values.is_utf8(), is_canonical) {
                            Compared::Key(key) => keys.push(key),
                            Compared::Nothing => {}
                            Compared::Uncertain => is_certain = false,
                        }
                    }
                    if is_certain { Self::Keys(keys) } else { Self::Anything }
                }
                Leaf::Range { lower, upper } => {
                    let (lower, upper) = (end(lower.as_ref(), values), end(upper.as_ref(), values));
                    Self::Range(column.range(lower, upper)?)
                }
            };
            learned = learned.and(more);
        }
        match &learned {
            Self::Keys(keys) if keys.is_empty() => None,
            _ => Some(learned),
        }
    }

    /// What both say together, or at least one of them.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Anything, other) => other,
            (one, Self::Anything) => one,
            (Self::Keys(mut keys), Self::Keys(others)) => {
                keys.retain(|key| others.contains(key));
                Self::Keys(keys)
            }
            (Self::Keys(mut keys), Self::Range(range))
            | (Self::Range(range), Self::Keys(mut keys)) => {
                keys.retain(|key| !is_outside(key, &range));
                Self::Keys(keys)
            }
            (Self::Range(one), Self::Range(_)) => Self::Range(one),
        }
    }
}

fn is_outside(key: &Key<'_>, range: &KeyRange) -> bool {
    match (key, range) {
        (Key::Integer { value, .. }, KeyRange::Integers { lower, upper }) => {
            !(*lower..=*upper).contains(value)
        }
        _ => false,
    }
}

/// The key where the conditions name exactly one.
pub(super) fn only_key<'v>(
    leaves: &'v [Leaf],
    column: &ShardingColumn,
    values: &'v dyn ValueSource,
    is_canonical: bool,
) -> Option<Key<'v>> {
    let [Leaf::In(list)] = leaves else { return None };
    let [value] = list.as_slice() else { return None };
    match column.compared(values.value(value), values.is_utf8(), is_canonical) {
        Compared::Key(key) => Some(key),
        Compared::Nothing | Compared::Uncertain => None,
    }
}

/// Asks `find` for every combination of the columns' values; for all targets where there are too
/// many.
pub(super) fn combinations(
    columns: &[&Learned<'_>],
    targets: &mut NodeSet,
    mut find: impl FnMut(&[Known<'_>], &mut NodeSet) -> Result<(), StatementError>,
) -> Result<(), StatementError> {
    let counts = columns.iter().map(|column| match column {
        Learned::Keys(keys) => keys.len(),
        Learned::Anything | Learned::Range(_) => 1,
    });
    let counts = counts.collect::<SmallVec<[usize; 2]>>();
    let total = counts.iter().try_fold(1_usize, |total, count| total.checked_mul(*count));
    let Some(total) = total.filter(|total| *total <= COMBINATIONS_MAX) else {
        targets.fill();
        return Ok(());
    };
    for mut index in 0..total {
        let mut known: SmallVec<[Known<'_>; 2]> = SmallVec::new();
        for (column, count) in columns.iter().zip(&counts) {
            known.push(match column {
                Learned::Anything => Known::Anything,
                Learned::Range(range) => Known::Range(*range),
                Learned::Keys(keys) => Known::Key(keys[index % count].clone()),
            });
            index /= count;
        }
        find(&known, targets)?;
    }
    Ok(())
}
