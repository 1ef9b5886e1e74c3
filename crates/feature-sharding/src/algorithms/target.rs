//! Algorithms of strategies: from values of sharding columns to targets chosen by name.

use std::sync::Arc;

use kernel::error::StatementError;

use super::KeyRange;
use crate::column::Key;
use crate::node_set::NodeSet;

/// The form of a strategy, which decides what its algorithm is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrategyKind {
    /// One column.
    Standard,
    /// Several columns.
    Complex,
    /// The values of a hint; no column.
    Hint,
}

/// What an algorithm of a strategy chooses among.
#[derive(Debug, Clone, Copy)]
pub struct Targets<'a> {
    /// The logical table.
    pub table: &'a str,
    /// The sharding columns in the strategy's order; none for a hint.
    pub columns: &'a [String],
    /// The names: actual tables of one storage unit, or storage units. Position is index.
    pub names: &'a [Arc<str>],
    /// How an algorithm that gives only a number finds its target.
    pub suffix: &'a SuffixRule,
}

/// Shard numbers as the ends of target names: `t_order_` and `07`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SuffixRule {
    /// What stands before the number.
    pub prefix: String,
    /// Numbers with fewer digits are filled with zeros at the left.
    pub digits_min: usize,
}

impl SuffixRule {
    /// The rule that the names of all targets of a table share.
    ///
    /// The prefix is that of the first name, without the digits at its end, but never shorter than
    /// `table` where the name begins with it.
    ///
    /// # Source
    /// Inventory 2.2, "Target lookup for suffix-style algorithms".
    pub fn new<'n>(table: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut names = names.into_iter().peekable();
        let Some(first) = names.peek() else { return Self::default() };
        let without_digits = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let prefix = match first.get(..table.len()) {
            Some(start) if start.eq_ignore_ascii_case(table) => {
                &first[..without_digits.len().max(table.len())]
            }
            _ => without_digits,
        };
        let prefix = prefix.to_owned();
        let digits_min =
            names.map(|name| name.len().saturating_sub(prefix.len())).min().unwrap_or(0);
        Self { prefix, digits_min }
    }

    /// The target of a shard whose number has at least this many digits.
    pub(super) fn name(&self, shard: u32, digits_min: usize) -> String {
        format!("{}{shard:0>width$}", self.prefix, width = self.digits_min.max(digits_min))
    }
}

/// What a statement says of one sharding column.
#[derive(Debug, Clone, PartialEq)]
pub enum Known<'a> {
    /// Nothing certain.
    Anything,
    /// It equals this.
    Key(Key<'a>),
    /// It lies in this range.
    Range(KeyRange),
}

/// Chooses targets by name. Pure: no I/O, no clock, no randomness.
///
/// `keys` and `known` have one entry for each sharding column, in the order of
/// [`Targets::columns`]; for a hint one entry, its value.
pub trait TargetAlgorithm: std::fmt::Debug + Send + Sync {
    /// The target in which a row with these values is stored; `None` when it is not among these
    /// targets (of this unit), as algorithms that only look for a suffix answer.
    ///
    /// # Errors
    /// A value cannot be placed (10440, 20020), or the algorithm names a target that does not
    /// exist (20051).
    fn place(&self, keys: &[Key<'_>]) -> Result<Option<u32>, StatementError>;

    /// Adds the targets that can hold rows of which this is known, however they got there. Rows
    /// that cannot exist add any or none.
    ///
    /// # Errors
    /// A range where the algorithm does not allow one (30001), or a value whose target does not
    /// exist (20051).
    fn find(&self, known: &[Known<'_>], targets: &mut NodeSet) -> Result<(), StatementError>;

    /// The target when only one can hold rows with these values; `None` says nothing.
    fn find_only(&self, keys: &[Key<'_>]) -> Option<u32>;

    /// What two tables of a reference group must have in common to place equal values alike, as
    /// text: the configuration without the names of tables and columns.
    fn shape(&self) -> String;
}

/// A value has no target (10440).
pub(super) fn cannot_place(type_name: &str, reason: &str) -> StatementError {
    StatementError::new(
        10440,
        "44000",
        format!("Sharding algorithm {type_name} cannot place the value: {reason}"),
    )
}

/// The algorithm names a target that does not exist (20051).
pub(super) fn missing_target(name: &str, targets: &[Arc<str>]) -> StatementError {
    let mut known =
        targets.iter().take(NAMED_MAX).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if targets.len() > NAMED_MAX {
        known.push_str(", ...");
    }
    StatementError::new(
        20051,
        "44000",
        format!(
            "The sharding algorithm leads to '{name}', which is not among the targets: {known}"
        ),
    )
}

/// So many targets are named in an error at most.
const NAMED_MAX: usize = 10;
