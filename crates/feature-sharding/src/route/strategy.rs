//! Routing over explicit data nodes: a strategy chooses units, another the tables in them.

mod known;
mod row;

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::Router;
use kernel::plan::RouteSet;
use kernel::predicate::{Predicate, ValueSource};
use smallvec::SmallVec;
use sql::ast::{Hint, StrategyLevel};

use super::bound::Bound;
use super::condition::Condition;
use super::groups::{Group, groups};
use super::hint;
use crate::algorithms::{Known, TargetAlgorithm};
use crate::column::{Key, ShardingColumn};
use crate::node_set::NodeSet;
use crate::rule::{Choice, Strategies, TableRule};
use known::{Learned, combinations, only_key};

pub(super) use row::StrategyRowRouter;

/// Routes by conditions on the sharding columns and by hints.
#[derive(Debug)]
pub(super) struct StrategyRouter {
    rule: Arc<TableRule>,
    strategies: Arc<Strategies>,
    columns: SmallVec<[ShardingColumn; 2]>,
    groups: Vec<Group>,
    hints: HintValues,
    /// For people.
    reason: String,
}

/// What the statement's comments give to HINT strategies.
#[derive(Debug)]
struct HintValues {
    database: Vec<Key<'static>>,
    table: Vec<Key<'static>>,
}

impl HintValues {
    fn new(hints: &[Hint], table: &str) -> Self {
        Self {
            database: hint::values(hints, table, StrategyLevel::Database),
            table: hint::values(hints, table, StrategyLevel::Table),
        }
    }
}

impl StrategyRouter {
    pub(super) fn new(
        bound: Bound,
        strategies: Arc<Strategies>,
        predicate: Predicate,
        hints: &[Hint],
    ) -> Result<Self, StatementError> {
        let positions = bound.columns.iter().map(|column| column.position).collect::<Vec<_>>();
        let hints = HintValues::new(hints, &bound.rule.table);
        let reason = describe(&bound, &strategies, &predicate, &hints);
        Ok(Self {
            groups: groups(&predicate, &positions),
            columns: bound.columns.into_iter().map(|bound| bound.column).collect(),
            rule: bound.rule,
            strategies,
            hints,
            reason,
        })
    }

    /// The node when the only alternative gives every column one value and every algorithm one
    /// target.
    fn find_only(&self, values: &dyn ValueSource) -> Option<u32> {
        let [group] = self.groups.as_slice() else { return None };
        let mut keys: SmallVec<[Key<'_>; 2]> = SmallVec::new();
        for (leaves, column) in group.columns.iter().zip(&self.columns) {
            keys.push(only_key(leaves, column, values, self.rule.is_canonical)?);
        }
        let unit = only(&self.strategies.database, &keys, &self.hints.database)?;
        let tables = self.strategies.tables.get(unit as usize)?;
        let table = only(&tables.choice, &keys, &self.hints.table)?;
        tables.nodes.get(table as usize).copied()
    }

    /// Adds the nodes of rows that satisfy one alternative.
    fn find(
        &self,
        group: &Group,
        values: &dyn ValueSource,
        nodes: &mut NodeSet,
    ) -> Result<(), StatementError> {
        let mut learned: SmallVec<[Learned<'_>; 2]> = SmallVec::new();
        for (leaves, column) in group.columns.iter().zip(&self.columns) {
            match Learned::new(leaves, column, values, self.rule.is_canonical) {
                Some(one) => learned.push(one),
                None => return Ok(()),
            }
        }
        let mut units = NodeSet::empty(self.strategies.tables.len() as u32);
        choose(&self.strategies.database, &learned, &self.hints.database, &mut units)?;
        for (unit, tables) in (0..).zip(&self.strategies.tables) {
            if !units.contains(unit) {
                continue;
            }
            let mut chosen = NodeSet::empty(tables.nodes.len() as u32);
            choose(&tables.choice, &learned, &self.hints.table, &mut chosen)?;
            for (target, node) in (0..).zip(&tables.nodes) {
                if chosen.contains(target) {
                    nodes.insert(*node);
                }
            }
        }
        Ok(())
    }
}

impl Router for StrategyRouter {
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError> {
        if let Some(node) = self.find_only(values) {
            nodes.0.push(node);
            return Ok(());
        }
        let mut found = NodeSet::empty(self.rule.nodes.len() as u32);
        for group in &self.groups {
            self.find(group, values, &mut found)?;
        }
        found.append_to(nodes);
        Ok(())
    }

    fn reason(&self) -> String {
        self.reason.clone()
    }
}

/// The one target that rows with these values can be in.
fn only(choice: &Choice, keys: &[Key<'_>], hints: &[Key<'static>]) -> Option<u32> {
    match choice {
        Choice::All(1) => Some(0),
        Choice::All(_) => None,
        Choice::Columns(columns, algorithm) => algorithm.find_only(&pick(columns, keys)),
        Choice::Hint(algorithm) => match hints {
            [value] => algorithm.find_only(std::slice::from_ref(value)),
            _ => None,
        },
    }
}

/// The values of some columns.
fn pick<'v>(columns: &[usize], keys: &[Key<'v>]) -> SmallVec<[Key<'v>; 2]> {
    columns.iter().filter_map(|column| keys.get(*column).cloned()).collect()
}

/// Adds the targets that rows can be in of which this is known.
fn choose(
    choice: &Choice,
    learned: &[Learned<'_>],
    hints: &[Key<'static>],
    targets: &mut NodeSet,
) -> Result<(), StatementError> {
    match choice {
        Choice::All(_) => targets.fill(),
        Choice::Columns(columns, algorithm) => {
            let of_columns = columns.iter().filter_map(|column| learned.get(*column));
            let of_columns = of_columns.collect::<SmallVec<[_; 2]>>();
            combinations(&of_columns, targets, |known, targets| algorithm.find(known, targets))?;
        }
        Choice::Hint(algorithm) => by_hints(algorithm.as_ref(), hints, targets)?,
    }
    Ok(())
}

/// Without a value all targets.
fn by_hints(
    algorithm: &dyn TargetAlgorithm,
    hints: &[Key<'static>],
    targets: &mut NodeSet,
) -> Result<(), StatementError> {
    if hints.is_empty() {
        targets.fill();
    }
    hints.iter().try_for_each(|value| algorithm.find(&[Known::Key(value.clone())], targets))
}

fn describe(
    bound: &Bound,
    strategies: &Strategies,
    predicate: &Predicate,
    hints: &HintValues,
) -> String {
    let mut parts = Vec::new();
    for (column, name) in bound.columns.iter().zip(&bound.rule.columns) {
        parts.push(Condition::new(predicate.clone(), column.position).describe(name));
    }
    let is_hint = |choice: &Choice| matches!(choice, Choice::Hint(_));
    if is_hint(&strategies.database) {
        parts.push(format!("{} hints for the unit", hints.database.len()));
    }
    if strategies.tables.iter().any(|unit| is_hint(&unit.choice)) {
        parts.push(format!("{} hints for the table", hints.table.len()));
    }
    if parts.is_empty() {
        parts.push("no strategy".to_owned());
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests;
