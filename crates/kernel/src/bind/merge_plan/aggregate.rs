//! Aggregates over several nodes: how partial results are combined.

use sql::ast::{Expr, ExprKind, Function, SelectItem};

use super::SelectMerge;
use crate::bind::survey::Survey;
use crate::bind::value::unwrapped;
use crate::error::StatementError;
use crate::merge::{
    AggregateColumn, AggregateFunction, ColumnPosition, Comparison, SortKey, VarianceKind,
};

/// Aggregate functions of MySQL and MariaDB.
const AGGREGATES: &[&str] = &[
    "ANY_VALUE",
    "AVG",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "COUNT",
    "GROUPING",
    "GROUP_CONCAT",
    "JSON_ARRAYAGG",
    "JSON_OBJECTAGG",
    "MAX",
    "MEDIAN",
    "MIN",
    "STD",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "ST_COLLECT",
    "SUM",
    "VARIANCE",
    "VAR_POP",
    "VAR_SAMP",
];

/// True for a call that combines rows.
pub(in crate::bind) fn is_aggregate(function: &Function) -> bool {
    function.schema.is_none()
        && AGGREGATES.iter().any(|name| name.eq_ignore_ascii_case(&function.name.value))
}

/// The call when the whole expression is one.
pub(super) fn as_aggregate(expr: &Expr) -> Option<&Function> {
    match &unwrapped(expr).kind {
        ExprKind::Function(function) if is_aggregate(function) => Some(function),
        _ => None,
    }
}

/// True where an aggregate stands anywhere in the expression.
pub(super) fn contains_aggregate(expr: &Expr) -> bool {
    let mut survey = Survey::without_queries();
    survey.expr(expr);
    survey.functions.iter().any(|(function, _)| is_aggregate(function))
}

/// Aggregates of which equal arguments can be left out.
fn can_be_distinct(name: &str) -> bool {
    ["AVG", "COUNT", "GROUP_CONCAT", "SUM"].contains(&name)
}

/// The measure of deviation with this name.
fn variance_kind(name: &str) -> Option<VarianceKind> {
    Some(match name {
        "VARIANCE" | "VAR_POP" => VarianceKind::Population,
        "VAR_SAMP" => VarianceKind::Sample,
        "STD" | "STDDEV" | "STDDEV_POP" => VarianceKind::PopulationDeviation,
        "STDDEV_SAMP" => VarianceKind::SampleDeviation,
        _ => return None,
    })
}

impl SelectMerge<'_> {
    /// Whether the SELECT aggregates.
    pub(super) fn has_aggregates(&self) -> bool {
        let items = self.select.items.iter().filter_map(|item| match item {
            SelectItem::Expr { expr, .. } => Some(expr),
            SelectItem::Wildcard { .. } => None,
        });
        items
            .chain(self.query.order_by.iter().map(|item| &item.expr))
            .chain(&self.select.having)
            .any(contains_aggregate)
    }

    /// How the partial results in `column` are combined.
    pub(super) fn aggregate(
        &mut self,
        expr: &Expr,
        function: &Function,
        column: ColumnPosition,
    ) -> Result<AggregateColumn, StatementError> {
        let name = function.name.value.to_ascii_uppercase();
        let is_extreme = name == "MIN" || name == "MAX";
        let is_distinct = function.is_distinct && !is_extreme;
        if !function.is_complete || (is_distinct && !can_be_distinct(&name)) {
            return Err(self.refuse(&self.shown(expr)));
        }
        if is_distinct || !function.order_by.is_empty() {
            self.need_within(expr, function)?;
        }
        let before = |name: &str| format!("{name}({}", if is_distinct { "DISTINCT " } else { "" });
        let argument = function.args.first();
        let combined = match (name.as_str(), argument) {
            ("COUNT", _) => AggregateFunction::Count,
            ("SUM", _) => AggregateFunction::Sum,
            ("BIT_AND", _) => AggregateFunction::BitAnd,
            ("BIT_OR", _) => AggregateFunction::BitOr,
            ("BIT_XOR", _) => AggregateFunction::BitXor,
            ("AVG", Some(argument)) => {
                let sum = self.hide(argument, &before("SUM"), ")")?;
                AggregateFunction::Avg { sum, count: self.hide(argument, &before("COUNT"), ")")? }
            }
            ("MIN", Some(_)) => AggregateFunction::Min(self.extreme_key(expr, column)?),
            ("MAX", Some(_)) => AggregateFunction::Max(self.extreme_key(expr, column)?),
            ("GROUP_CONCAT", Some(_)) => self.group_concat(expr, function)?,
            (_, Some(argument)) => match variance_kind(&name) {
                Some(kind) => AggregateFunction::Variance {
                    kind,
                    count: self.hide(argument, "COUNT(", ")")?,
                    mean: self.hide(argument, "AVG((", ") + 0e0)")?,
                    variance: self.hide(argument, "VAR_POP(", ") + 0e0")?,
                },
                None => return Err(self.refuse(&format!("The aggregate {name}"))),
            },
            _ => return Err(self.refuse(&format!("The aggregate {name}"))),
        };
        Ok(AggregateColumn { column, function: combined, is_distinct })
    }

    /// GROUP_CONCAT, whose length is watched so that no server would cut it.
    fn group_concat(
        &mut self,
        expr: &Expr,
        function: &Function,
    ) -> Result<AggregateFunction, StatementError> {
        let separator = function.separator.clone().unwrap_or_else(|| b",".to_vec());
        if !separator.is_ascii() {
            return Err(self.refuse("GROUP_CONCAT with a separator that is not ASCII"));
        }
        let length = self.hide(expr, "LENGTH(", ")")?;
        let max_length = self.hidden.add("@@group_concat_max_len".to_owned());
        Ok(AggregateFunction::GroupConcat { separator, length, max_length })
    }

    /// By what partial minima are compared.
    fn extreme_key(
        &mut self,
        expr: &Expr,
        column: ColumnPosition,
    ) -> Result<SortKey, StatementError> {
        let key = self.key(expr, Some(column), false)?;
        Ok(key.unwrap_or(SortKey { column, compare: Comparison::ByType, is_descending: false }))
    }
}
