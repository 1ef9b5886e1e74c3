//! Merging the rows of several nodes into the rows of one server.
//!
//! The plan says how ([`MergePlan`], [`RowMerge`]); a [`Merger`] does it, fed with the rows of each
//! node by whoever drives it; answers without rows are added up in a [`Summary`].
//!
//! **Invariant:** no I/O; besides what was pushed and not yet taken, memory is bounded.

mod aggregate;
mod collation;
mod formula;
mod grouping;
mod input;
mod key;
mod merger;
mod number;
mod output;
mod presort;
mod previous;
mod row;
mod sorter;
mod sources;
mod summary;
mod temporal_text;
mod tournament;

pub(crate) use collation::padding;
pub(crate) use formula::check as check_formula;
pub use merger::{Limit, MergeInput, Merger, Step};
pub use row::{RowBatch, RowFormat};
pub use sorter::MEMORY_LIMIT_SETTING;
pub use summary::Summary;

use eval::Value;
use sql::ast::Expr;

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
/// The order in which the nodes have to send their rows is that of `group_by` and then of `within`;
/// without them, that of `distinct`; without that, of `order_by`. Merged rows come out in the order
/// of `order_by`: where it is a prefix of the order the nodes send (same columns, same directions)
/// they stream, otherwise they are sorted in memory. So a plan puts the keys of ORDER BY first into
/// `group_by` or `distinct` where they are among them.
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
    /// What the nodes group and order their rows by besides, so that one group has several rows of
    /// a node: for aggregates with DISTINCT, which are added once for equal keys, and for those that
    /// have an order of their own.
    pub within: Vec<SortKey>,
    /// The nodes send rows in no useful order: they are sorted before they are grouped or made
    /// distinct.
    pub is_unordered: bool,
    /// Columns that are combined within a group.
    pub aggregates: Vec<AggregateColumn>,
    /// Columns that are computed from those of a group, after its aggregates.
    pub computed: Vec<(ColumnPosition, Formula)>,
    /// HAVING: groups for which it does not hold are left out.
    pub having: Option<Formula>,
    /// Of rows with these keys equal only the first is given.
    pub distinct: Option<Vec<SortKey>>,
    /// All rows are counted, also those behind the limit (`SQL_CALC_FOUND_ROWS`).
    pub counts_all: bool,
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
    /// By the result column's own type, and where that is a character string, by the sort keys in
    /// the column `weights`; the name of their collation is the value of the column `collation`.
    ByValue { weights: ColumnPosition, collation: ColumnPosition },
}

/// An expression on the columns of a merged row. In `expr`, a column with the name `3` is the fourth
/// of `slots`, and a parameter the one of `arguments` with its number.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// The expression.
    pub expr: Expr,
    /// The columns it is about.
    pub slots: Vec<FormulaSlot>,
    /// Literals and parameters that are known when the statement runs.
    pub arguments: Vec<ValueRef>,
}

/// A column of an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulaSlot {
    /// Where it stands.
    pub column: ColumnPosition,
    /// Of a character string, its collation.
    pub collation: String,
}

/// What of a merge is known only when the statement runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MergeValues {
    /// The bounds of LIMIT.
    pub limit: Option<Limit>,
    /// The arguments of all formulas one after the other, those of [`RowMerge::computed`] first.
    pub arguments: Vec<Value<'static>>,
}

/// One aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateColumn {
    /// Where the result stands.
    pub column: ColumnPosition,
    /// What is computed.
    pub function: AggregateFunction,
    /// Of rows equal in [`RowMerge::group_by`] and [`RowMerge::within`] only the first is added.
    pub is_distinct: bool,
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
    /// GROUP_CONCAT: the texts one after the other. Refused where one server would cut the result:
    /// its bytes stand in `length`, the bytes it may have in `max_length`.
    GroupConcat { separator: Vec<u8>, length: ColumnPosition, max_length: ColumnPosition },
    /// The variance and its kin, from hidden columns with COUNT, AVG and VAR_POP of the argument.
    Variance {
        kind: VarianceKind,
        count: ColumnPosition,
        mean: ColumnPosition,
        variance: ColumnPosition,
    },
}

/// Which measure of deviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VarianceKind {
    /// VAR_POP, VARIANCE.
    Population,
    /// VAR_SAMP.
    Sample,
    /// STD, STDDEV, STDDEV_POP.
    PopulationDeviation,
    /// STDDEV_SAMP.
    SampleDeviation,
}
