//! Whether rows whose sharding columns compare equal are on nodes of the same number.

use kernel::feature::RouteStage;
use kernel::model::LogicalTable;

use crate::column::ShardingColumn;
use crate::rule::ShardingRule;

/// True where values of both tables that compare equal are placed by the same bytes or numbers.
pub(super) fn equal_values_meet(
    rule: &ShardingRule,
    left: &LogicalTable,
    right: &LogicalTable,
) -> bool {
    let is_same_table = left.name == right.name;
    if !is_same_table && !rule.are_bound(&left.name, &right.name) {
        return false;
    }
    let (Some(a), Some(b)) = (rule.find(&left.name), rule.find(&right.name)) else { return false };
    let columns = left.find_column(&a.column).zip(right.find_column(&b.column));
    let Some(((_, left_column), (_, right_column))) = columns else { return false };
    let kinds = ShardingColumn::new(&left.name, left_column)
        .and_then(|kind| Ok((kind, ShardingColumn::new(&right.name, right_column)?)));
    match kinds {
        Ok((
            ShardingColumn::Integer { is_long: left, .. },
            ShardingColumn::Integer { is_long: right, .. },
        )) => left == right,
        Ok((ShardingColumn::Year, ShardingColumn::Year)) => true,
        Ok((ShardingColumn::Text(left), ShardingColumn::Text(right))) => {
            let is_canonical = a.is_canonical && b.is_canonical;
            left_column.collation == right_column.collation
                && left_column.data_type == right_column.data_type
                && (is_canonical || (left.is_bytewise() && right.is_bytewise()))
        }
        _ => false,
    }
}
