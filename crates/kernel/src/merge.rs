//! Merging the rows of several nodes into the rows of one server.
//!
//! The plan says how ([`MergePlan`], [`RowMerge`]); a [`Merger`] does it, fed with the rows of each
//! node by whoever drives it; answers without rows are added up in a [`Summary`].
//!
//! **Invariant:** no I/O; besides what was pushed and not yet taken, memory is bounded.

mod aggregate;
mod grouping;
mod key;
mod merger;
mod number;
mod output;
mod previous;
mod row;
mod sorter;
mod sources;
mod summary;
mod tournament;

pub use merger::{Limit, MergeInput, Merger, Step};
pub use row::{RowBatch, RowFormat};
pub use sorter::MEMORY_LIMIT_SETTING;
pub use summary::Summary;

use crate::predicate::ValueRef;

/// What happens to the rows of several nodes.
#[derive(Debug, Clone, PartialEq)]
pub enum MergePlan {
    /// Rows of all nodes one after the other.
    Concatenate,
    /// No rows: affected rows are added up, the first non-zero insert id and all warnings kept.
    Summarize,
    /// No rows, and the same change on every node: the answer of the first of them.
    Same,
    /// Ordered, grouped, limited.
    Rows(Box<RowMerge>),
}

/// How rows are merged. Column positions are those of the rows the nodes send: the visible columns
/// first, hidden ones behind them.
///
/// The order in which the nodes have to send their rows is that of `group_by` (and then of the key
/// of [`AggregateFunction::Distinct`]); without it, that of `distinct`; without that, of `order_by`. Merged rows come out in the order of `order_by`: where
/// it is a prefix of the order the nodes send (same columns, same directions) they stream, otherwise
/// they are sorted in memory. So a plan puts the keys of ORDER BY first into `group_by` or
/// `distinct` where they are among them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowMerge {
    /// How many columns the client sees when the select list has no wildcard; hidden columns are
    /// the last [`RowMerge::hidden`] ones in any case.
    pub hidden: usize,
    /// The order in which the merged rows come out; empty where none is asked for.
    pub order_by: Vec<SortKey>,
    /// Rows with equal keys become one. An empty list, or `None` with aggregates: one row in all,
    /// even if no node sends any.
    pub group_by: Option<Vec<SortKey>>,
    /// Columns that are combined within a group.
    pub aggregates: Vec<AggregateColumn>,
    /// Of rows with these keys equal only the first is given.
    pub distinct: Option<Vec<SortKey>>,
    /// Rows skipped and given, after all else.
    pub limit: Option<(Option<ValueRef>, ValueRef)>,
}

/// Which column of a row, counted from the first, or from the first hidden one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnPosition {
    /// Counted from the first column.
    Visible(usize),
    /// Counted from the first hidden column (behind a wildcard, positions are not known before).
    Hidden(usize),
}

/// One key of an order or a group.
#[derive(Debug, Clone, PartialEq)]
pub struct SortKey {
    /// The column that is compared.
    pub column: ColumnPosition,
    /// How.
    pub compare: Comparison,
    /// `DESC`.
    pub is_descending: bool,
}

/// How two values of a key column compare.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// By the result column's own type: numbers as numbers, temporal values as such, byte strings
    /// as bytes. A character string compared this way is an error of the plan.
    ByType,
    /// The column holds sort keys (`WEIGHT_STRING(x)`): bytes, the shorter one padded with `pad`
    /// (empty for collations without padding).
    SortKey { pad: Vec<u8> },
}

/// One aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateColumn {
    /// Where the result stands.
    pub column: ColumnPosition,
    /// What is computed.
    pub function: AggregateFunction,
}

/// Aggregates that can be combined from partial results.
#[derive(Debug, Clone, PartialEq)]
pub enum AggregateFunction {
    /// COUNT: partial counts are added.
    Count,
    /// SUM: partial sums are added; exact for exact types.
    Sum,
    /// MIN, compared as the key says (its column may be a hidden sort key).
    Min(SortKey),
    /// MAX.
    Max(SortKey),
    /// AVG: from a hidden SUM and a hidden COUNT column.
    Avg { sum: ColumnPosition, count: ColumnPosition },
    /// BIT_AND, BIT_OR, BIT_XOR.
    BitAnd,
    /// See [`AggregateFunction::BitAnd`].
    BitOr,
    /// See [`AggregateFunction::BitAnd`].
    BitXor,
    /// The DISTINCT form of COUNT, SUM or AVG of one expression. The nodes group and order their rows
    /// by the group and by this key, the expression; of rows with equal keys only the first counts.
    /// All DISTINCT forms of a statement have the same key.
    Distinct {
        /// What is computed.
        function: Box<AggregateFunction>,
        /// The expression.
        key: SortKey,
    },
}
