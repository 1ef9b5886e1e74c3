//! The one node of a row of an INSERT over explicit data nodes.

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::RowRouter;
use kernel::predicate::{ValueRef, ValueSource};
use smallvec::SmallVec;
use sql::ast::Hint;

use super::{HintValues, by_hints, pick};
use crate::column::Key;
use crate::node_set::NodeSet;
use crate::route::bound::{Bound, BoundColumn};
use crate::rule::{Choice, Strategies, TableRule};

/// Routes a row by its values and by hints.
#[derive(Debug)]
pub(in crate::route) struct StrategyRowRouter {
    rule: Arc<TableRule>,
    strategies: Arc<Strategies>,
    columns: SmallVec<[BoundColumn; 1]>,
    hints: HintValues,
}

impl StrategyRowRouter {
    pub(in crate::route) fn new(
        bound: Bound,
        strategies: Arc<Strategies>,
        hints: &[Hint],
    ) -> Result<Self, StatementError> {
        Ok(Self {
            hints: HintValues::new(hints, &bound.rule.table),
            columns: bound.columns,
            rule: bound.rule,
            strategies,
        })
    }

    fn place(
        &self,
        choice: &Choice,
        count: usize,
        keys: &[Key<'_>],
        hints: &[Key<'static>],
    ) -> Result<u32, StatementError> {
        let several = || {
            StatementError::new(
                20056,
                "44000",
                format!(
                    "A row of table '{}' would be stored on several data nodes; its strategies \
                     must name one: give the sharding values, in a hint where the strategy is HINT",
                    self.rule.table
                ),
            )
        };
        let chosen = match choice {
            Choice::All(1) => Some(0),
            Choice::All(_) => return Err(several()),
            Choice::Columns(columns, algorithm) => algorithm.place(&pick(columns, keys))?,
            Choice::Hint(algorithm) => {
                let mut targets = NodeSet::empty(count as u32);
                by_hints(algorithm.as_ref(), hints, &mut targets)?;
                if targets.len() > 1 {
                    return Err(several());
                }
                (0..count as u32).find(|target| targets.contains(*target))
            }
        };
        chosen.ok_or_else(|| {
            StatementError::new(
                20051,
                "44000",
                format!(
                    "The values of sharding columns ({}) of table '{}' lead to no data node of the \
                     rule",
                    self.rule.columns.join(", "),
                    self.rule.table
                ),
            )
        })
    }
}

impl RowRouter for StrategyRowRouter {
    fn node_of(&self, row: &[ValueRef], values: &dyn ValueSource) -> Result<u32, StatementError> {
        let mut keys: SmallVec<[Key<'_>; 2]> = SmallVec::new();
        for (index, (column, name)) in self.columns.iter().zip(&self.rule.columns).enumerate() {
            let value = row.get(index).map_or(eval::Value::Null, |value| values.value(value));
            keys.push(column.stored(name, value, values.is_utf8())?);
        }
        let strategies = &self.strategies;
        let units = strategies.tables.len();
        let unit = self.place(&strategies.database, units, &keys, &self.hints.database)?;
        let tables = strategies.tables.get(unit as usize);
        let nodes = tables.map_or(&[][..], |tables| &tables.nodes);
        let table = match tables {
            Some(tables) => self.place(&tables.choice, nodes.len(), &keys, &self.hints.table)?,
            None => 0,
        };
        nodes.get(table as usize).copied().ok_or_else(|| {
            let text = format!("Table '{}' has no such data node", self.rule.table);
            StatementError::new(20051, "44000", text)
        })
    }
}
