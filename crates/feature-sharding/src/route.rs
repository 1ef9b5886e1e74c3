//! The route stage: what a statement says about the sharding column becomes a set of nodes.

mod bound;
mod condition;
mod groups;
mod hint;
mod strategy;

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::{GeneratedKey, RouteStage, Router, RowRouter};
use kernel::model::LogicalTable;
use kernel::plan::RouteSet;
use kernel::predicate::{Predicate, ValueRef, ValueSource};
use sql::ast::Hint;

use crate::algorithms::ShardingAlgorithm;
use crate::column::{Compared, ShardingColumn};
use crate::node_set::NodeSet;
use crate::rule::{Placing, ShardingRule, TableRule};
use bound::BoundColumn;
use condition::Condition;
use strategy::{StrategyRouter, StrategyRowRouter};

impl RouteStage for ShardingRule {
    fn sharding_columns(&self, table: &str) -> Option<Vec<String>> {
        self.find(table).map(|rule| rule.columns.clone())
    }

    fn are_bound(&self, left: &LogicalTable, right: &LogicalTable) -> bool {
        let Some((left_rule, right_rule)) = self.find_bound(&left.name, &right.name) else {
            return false;
        };
        if !left_rule.is_placed_by_columns() || !right_rule.is_placed_by_columns() {
            return false;
        }
        let (Ok(left_bound), Ok(right_bound)) = (self.bind(left), self.bind(right)) else {
            return false;
        };
        let is_canonical = left_rule.is_canonical && right_rule.is_canonical;
        left_bound.columns.len() == right_bound.columns.len()
            && left_bound
                .columns
                .iter()
                .zip(&right_bound.columns)
                .all(|(left, right)| left.column.places_as(&right.column, is_canonical))
    }

    fn generated_key(&self, table: &str) -> Option<GeneratedKey> {
        self.find(table)?.generated_key.clone()
    }

    fn audit(
        &self,
        table: &LogicalTable,
        predicate: &Predicate,
        hints: &[Hint],
    ) -> Result<(), StatementError> {
        let Some(rule) = self.find(&table.name) else { return Ok(()) };
        let Some(audit) = &rule.audit else { return Ok(()) };
        let positions = rule.columns.iter().filter_map(|name| Some(table.find_column(name)?.0));
        let has_condition = condition::restricts(predicate, &positions.collect::<Vec<_>>());
        audit.check(&table.name, has_condition, hints)
    }

    fn router(
        &self,
        table: &LogicalTable,
        predicate: Predicate,
        hints: &[Hint],
    ) -> Result<Arc<dyn Router>, StatementError> {
        let bound = self.bind(table)?;
        match &bound.rule.placing {
            Placing::Shards(algorithm) => {
                let algorithm = algorithm.clone();
                let BoundColumn { position, column, .. } = bound.one_column()?;
                Ok(Arc::new(ConditionRouter {
                    condition: Condition::new(predicate, position),
                    rule: bound.rule,
                    algorithm,
                    column,
                }))
            }
            Placing::Strategies(strategies) => {
                let strategies = strategies.clone();
                Ok(Arc::new(StrategyRouter::new(bound, strategies, predicate, hints)?))
            }
        }
    }

    fn row_router(
        &self,
        table: &LogicalTable,
        hints: &[Hint],
    ) -> Result<Arc<dyn RowRouter>, StatementError> {
        let bound = self.bind(table)?;
        match &bound.rule.placing {
            Placing::Shards(algorithm) => {
                let algorithm = algorithm.clone();
                let column = bound.one_column()?;
                Ok(Arc::new(ValueRouter { rule: bound.rule, algorithm, column }))
            }
            Placing::Strategies(strategies) => {
                let strategies = strategies.clone();
                Ok(Arc::new(StrategyRowRouter::new(bound, strategies, hints)?))
            }
        }
    }
}

/// Routes by a condition on the sharding column.
#[derive(Debug)]
struct ConditionRouter {
    rule: Arc<TableRule>,
    algorithm: Arc<dyn ShardingAlgorithm>,
    column: ShardingColumn,
    condition: Condition,
}

impl Router for ConditionRouter {
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError> {
        if let Condition::Equal(value) = &self.condition
            && let Compared::Key(key) =
                self.column.compared(values.value(value), values.is_utf8(), self.rule.is_canonical)
            && let Some(node) = self.algorithm.find_only(&key)
        {
            nodes.0.push(node);
            return Ok(());
        }
        let mut found = NodeSet::empty(self.algorithm.sharding_count());
        self.find(&self.condition, values, &mut found);
        found.append_to(nodes);
        Ok(())
    }

    fn reason(&self) -> String {
        let condition = self.condition.describe(self.name());
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
    fn name(&self) -> &str {
        self.rule.columns.first().map_or("", String::as_str)
    }

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
            Compared::Key(key) => self.algorithm.find(&key, nodes),
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
            self.algorithm.find_range(&range, nodes);
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
    algorithm: Arc<dyn ShardingAlgorithm>,
    column: BoundColumn,
}

impl ValueRouter {
    fn name(&self) -> &str {
        self.rule.columns.first().map_or("", String::as_str)
    }
}

impl RowRouter for ValueRouter {
    fn node_of(&self, row: &[ValueRef], values: &dyn ValueSource) -> Result<u32, StatementError> {
        let value = row.first().map_or(eval::Value::Null, |value| values.value(value));
        let key = self.column.stored(self.name(), value, values.is_utf8())?;
        self.algorithm.place(&key).map_err(|reason| {
            StatementError::new(
                10440,
                "44000",
                format!(
                    "The value of sharding column '{}' of table '{}' has no place: {reason}",
                    self.name(),
                    self.rule.table
                ),
            )
        })
    }
}

#[cfg(test)]
mod tests;
