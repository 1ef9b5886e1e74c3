//! The route stage: what a statement says about the sharding column becomes a set of nodes.

mod condition;

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::{RouteStage, Router, RowRouter};
use kernel::model::LogicalTable;
use kernel::plan::RouteSet;
use kernel::predicate::{Predicate, ValueRef, ValueSource};
use sql::ast::Hint;

use crate::column::{Compared, ShardingColumn};
use crate::node_set::NodeSet;
use crate::rule::{ShardingRule, TableRule};
use condition::Condition;

impl RouteStage for ShardingRule {
    fn sharding_columns(&self, table: &str) -> Option<Vec<String>> {
        self.find(table).map(|rule| vec![rule.column.clone()])
    }

    fn router(
        &self,
        table: &LogicalTable,
        predicate: Predicate,
        _hints: &[Hint],
    ) -> Result<Arc<dyn Router>, StatementError> {
        let (rule, position, column) = self.bind(table)?;
        Ok(Arc::new(ConditionRouter {
            condition: Condition::new(predicate, position),
            rule,
            column,
        }))
    }

    fn row_router(
        &self,
        table: &LogicalTable,
        _hints: &[Hint],
    ) -> Result<Arc<dyn RowRouter>, StatementError> {
        let (rule, position, column) = self.bind(table)?;
        let columns = table.metadata.as_ref().map(|metadata| &metadata.columns);
        let declared = columns.and_then(|columns| columns.get(position));
        let is_nullable = declared.is_some_and(|declared| declared.is_nullable);
        Ok(Arc::new(ValueRouter { rule, column, is_nullable }))
    }
}

impl ShardingRule {
    /// The rule of a table with the position and type of its sharding column.
    fn bind(
        &self,
        table: &LogicalTable,
    ) -> Result<(Arc<TableRule>, usize, ShardingColumn), StatementError> {
        let rule = self.find(&table.name).ok_or_else(|| {
            StatementError::new(
                20001,
                "44000",
                format!("Table '{}' has no sharding rule", table.name),
            )
        })?;
        let (position, column) = table.find_column(&rule.column).ok_or_else(|| {
            StatementError::new(
                1054,
                "42S22",
                format!(
                    "Table '{}' has no column '{}', which its sharding rule names",
                    table.name, rule.column
                ),
            )
        })?;
        let column = ShardingColumn::new(&table.name, column, rule.is_canonical)?;
        Ok((rule.clone(), position, column))
    }
}

/// Routes by a condition on the sharding column.
#[derive(Debug)]
struct ConditionRouter {
    rule: Arc<TableRule>,
    column: ShardingColumn,
    condition: Condition,
}

impl Router for ConditionRouter {
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError> {
        if let Condition::Equal(value) = &self.condition
            && let Compared::Key(key) =
                self.column.compared(values.value(value), values.is_utf8(), self.rule.is_canonical)
            && let Some(node) = self.rule.algorithm.find_only(&key)
        {
            nodes.0.push(node);
            return Ok(());
        }
        let mut found = NodeSet::empty(self.rule.algorithm.sharding_count());
        self.find(&self.condition, values, &mut found);
        found.append_to(nodes);
        Ok(())
    }

    fn reason(&self) -> String {
        let condition = self.condition.describe(&self.rule.column);
        match &self.column {
            ShardingColumn::Text(column)
                if !column.is_bytewise()
                    && !self.rule.is_canonical
                    && !matches!(self.condition, Condition::All) =>
            {
                format!(
                    "{condition}; its collation does not compare bytes, so that only values of \
                     digits narrow"
                )
            }
            _ => condition,
        }
    }
}

impl ConditionRouter {
    /// Adds the nodes of rows that can satisfy `condition`.
    fn find(&self, condition: &Condition, values: &dyn ValueSource, nodes: &mut NodeSet) {
        match condition {
            Condition::All => nodes.fill(),
            Condition::Nothing => {}
            Condition::Equal(value) => self.find_equal(value, values, nodes),
            Condition::In(list) => {
                for value in list {
                    self.find_equal(value, values, nodes);
                }
            }
            Condition::Range { lower, upper } => {
                self.find_range(lower.as_ref(), upper.as_ref(), values, nodes);
            }
            Condition::And(parts) => {
                let mut all = NodeSet::full(nodes.capacity());
                for part in parts {
                    let mut found = NodeSet::empty(nodes.capacity());
                    self.find(part, values, &mut found);
                    all.intersect(&found);
                }
                nodes.unite(&all);
            }
            Condition::Or(parts) => {
                for part in parts {
                    self.find(part, values, nodes);
                }
            }
        }
    }

    fn find_equal(&self, value: &ValueRef, values: &dyn ValueSource, nodes: &mut NodeSet) {
        let is_utf8 = values.is_utf8();
        match self.column.compared(values.value(value), is_utf8, self.rule.is_canonical) {
            Compared::Key(key) => self.rule.algorithm.find(&key, nodes),
            Compared::Nothing => {}
            Compared::Uncertain => nodes.fill(),
        }
    }

    fn find_range(
        &self,
        lower: Option<&(ValueRef, bool)>,
        upper: Option<&(ValueRef, bool)>,
        values: &dyn ValueSource,
        nodes: &mut NodeSet,
    ) {
        if let Some(range) = self.column.range(end(lower, values), end(upper, values)) {
            self.rule.algorithm.find_range(&range, nodes);
        }
    }
}

/// One end of a range with its value.
fn end<'v>(
    bound: Option<&'v (ValueRef, bool)>,
    values: &'v dyn ValueSource,
) -> Option<(eval::Value<'v>, bool)> {
    bound.map(|(value, is_inclusive)| (values.value(value), *is_inclusive))
}

/// Routes a row by its value.
#[derive(Debug)]
struct ValueRouter {
    rule: Arc<TableRule>,
    column: ShardingColumn,
    is_nullable: bool,
}

impl RowRouter for ValueRouter {
    fn node_of(&self, row: &[ValueRef], values: &dyn ValueSource) -> Result<u32, StatementError> {
        let value = row.first().map_or(eval::Value::Null, |value| values.value(value));
        if !self.is_nullable && matches!(value, eval::Value::Null) {
            let text = format!("Column '{}' cannot be null", self.rule.column);
            return Err(StatementError::new(1048, "23000", text));
        }
        let key = self.column.stored(&self.rule.column, value, values.is_utf8())?;
        self.rule.algorithm.place(&key).map_err(|reason| {
            StatementError::new(
                10440,
                "44000",
                format!(
                    "The value of sharding column '{}' of table '{}' has no place: {reason}",
                    self.rule.column, self.rule.table
                ),
            )
        })
    }
}

#[cfg(test)]
mod tests;
