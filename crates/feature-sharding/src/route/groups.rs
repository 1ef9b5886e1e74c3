//! A predicate as alternatives, each saying something of every sharding column at once: what
//! algorithms over several columns need.

use kernel::predicate::{Predicate, ValueRef};
use smallvec::SmallVec;

/// More alternatives than this are not told apart.
const ALTERNATIVES_MAX: usize = 64;

/// One condition on one column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Leaf {
    /// One of these values.
    In(SmallVec<[ValueRef; 1]>),
    /// A range; the flag says whether the end itself is inside.
    Range { lower: Option<(ValueRef, bool)>, upper: Option<(ValueRef, bool)> },
}

/// What one alternative says: for each sharding column conditions that all hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Group {
    pub(super) columns: SmallVec<[SmallVec<[Leaf; 1]>; 2]>,
}

/// The alternatives; a row that satisfies `predicate` satisfies one of them. `columns` are the
/// positions of the sharding columns.
pub(super) fn groups(predicate: &Predicate, columns: &[usize]) -> Vec<Group> {
    let anything = || Group { columns: columns.iter().map(|_| SmallVec::new()).collect() };
    expand(predicate, columns).unwrap_or_else(|| vec![anything()])
}

/// `None` where there are too many.
fn expand(predicate: &Predicate, columns: &[usize]) -> Option<Vec<Group>> {
    let empty = || Group { columns: columns.iter().map(|_| SmallVec::new()).collect() };
    let leaf = |column: &usize, leaf: Leaf| {
        let mut group = empty();
        for (known, leaves) in columns.iter().zip(&mut group.columns) {
            if known == column {
                leaves.push(leaf.clone());
            }
        }
        Some(vec![group])
    };
    match predicate {
        Predicate::Never => Some(Vec::new()),
        // Rows without a value are not placed by it.
        Predicate::Any | Predicate::IsNull { .. } => Some(vec![empty()]),
        Predicate::Equal { column, value } => {
            leaf(column, Leaf::In(SmallVec::from_iter([value.clone()])))
        }
        Predicate::In { column, values } => {
            leaf(column, Leaf::In(values.iter().cloned().collect()))
        }
        Predicate::Range { column, lower, upper } => {
            leaf(column, Leaf::Range { lower: lower.clone(), upper: upper.clone() })
        }
        Predicate::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(expand(part, columns)?);
                if all.len() > ALTERNATIVES_MAX {
                    return None;
                }
            }
            Some(all)
        }
        Predicate::And(parts) => {
            let mut all = vec![empty()];
            for part in parts {
                // What cannot be told apart restricts nothing; the other parts still do.
                let Some(part) = expand(part, columns) else { continue };
                if all.len() * part.len() <= ALTERNATIVES_MAX {
                    all = product(&all, &part);
                }
            }
            Some(all)
        }
    }
}

fn product(left: &[Group], right: &[Group]) -> Vec<Group> {
    let mut all = Vec::with_capacity(left.len() * right.len());
    for left in left {
        for right in right {
            let mut both = left.clone();
            for (leaves, more) in both.columns.iter_mut().zip(&right.columns) {
                leaves.extend(more.iter().cloned());
            }
            all.push(both);
        }
    }
    all
}
