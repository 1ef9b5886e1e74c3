//! Explicit data nodes: one strategy chooses the unit, another the table in it.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::model::DataNode;
use smallvec::SmallVec;
use sql::ast::StrategyLevel;

use super::table::{is_canonical, named};
use crate::algorithms::{self, StrategyKind, SuffixRule, TargetAlgorithm, Targets};
use crate::config::{ShardingConfig, StrategyConfig, TableConfig};

/// How the values of a row choose its node.
#[derive(Debug)]
pub struct Strategies {
    /// Chooses among the units, numbered in the order in which the nodes name them.
    pub(crate) database: Choice,
    /// For each unit what chooses in it.
    pub(crate) tables: Vec<UnitTables>,
}

/// The tables of one unit.
#[derive(Debug)]
pub(crate) struct UnitTables {
    /// Chooses among them.
    pub(crate) choice: Choice,
    /// The node of each.
    pub(crate) nodes: Vec<u32>,
}

/// Chooses among targets.
#[derive(Debug, Clone)]
pub(crate) enum Choice {
    /// Not at all: a row can be in any of so many.
    All(u32),
    /// By columns, as positions in the table's sharding columns.
    Columns(SmallVec<[usize; 2]>, Arc<dyn TargetAlgorithm>),
    /// By values of hints.
    Hint(Arc<dyn TargetAlgorithm>),
}

/// What [`build`] gives.
pub(super) struct Built {
    pub(super) strategies: Strategies,
    pub(super) columns: Vec<String>,
    pub(super) is_canonical: bool,
    pub(super) shape: String,
}

impl Strategies {
    /// True when the values of the sharding columns alone decide the node.
    pub(crate) fn is_placed_by_columns(&self) -> bool {
        let is_by_columns =
            |choice: &Choice| matches!(choice, Choice::Columns(..) | Choice::All(1));
        is_by_columns(&self.database) && self.tables.iter().all(|unit| is_by_columns(&unit.choice))
    }
}

/// Builds the strategies of a table over its nodes.
///
/// # Errors
/// A strategy lacks its column or algorithm (10200, 10402), or its algorithm is refused.
pub(super) fn build(
    config: &ShardingConfig,
    table: &TableConfig,
    nodes: &[DataNode],
) -> Result<Built, StatementError> {
    let mut builder =
        Builder { config, table: &table.table, columns: Vec::new(), shape: String::new() };
    let (units, in_units) = by_unit(nodes);
    let database = config.strategy(table, StrategyLevel::Database);
    let suffix = SuffixRule::new("", units.iter().map(|name| &**name));
    let database_choice = builder.choice(database, &units, &suffix)?;
    builder.describe(database, &database_choice);
    let strategy = config.strategy(table, StrategyLevel::Table);
    let suffix = SuffixRule::new(&table.table, nodes.iter().map(|node| &*node.actual_table));
    let mut tables = Vec::with_capacity(units.len());
    let mut known: HashMap<Vec<Arc<str>>, Choice> = HashMap::new();
    for positions in in_units {
        let names: Vec<Arc<str>> =
            positions.iter().map(|node| nodes[*node as usize].actual_table.clone()).collect();
        let choice = match known.get(&names) {
            Some(choice) => choice.clone(),
            None => builder.choice(strategy, &names, &suffix)?,
        };
        known.insert(names, choice.clone());
        tables.push(UnitTables { choice, nodes: positions });
    }
    if let Some(unit) = tables.first() {
        builder.describe(strategy, &unit.choice);
    }
    let algorithms = [database, strategy].into_iter().flatten().filter_map(|s| s.algorithm());
    let is_canonical = algorithms
        .map(|name| named(config, name).map(is_canonical))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .all(|is_canonical| is_canonical);
    Ok(Built {
        strategies: Strategies { database: database_choice, tables },
        is_canonical: is_canonical && !builder.columns.is_empty(),
        columns: builder.columns,
        shape: builder.shape,
    })
}

/// The units in the order in which nodes name them, with the nodes in each.
fn by_unit(nodes: &[DataNode]) -> (Vec<Arc<str>>, Vec<Vec<u32>>) {
    let mut units: Vec<Arc<str>> = Vec::new();
    let mut in_units: Vec<Vec<u32>> = Vec::new();
    for (index, node) in (0..).zip(nodes) {
        match units.iter().position(|unit| *unit == node.unit_name) {
            Some(unit) => in_units[unit].push(index),
            None => {
                units.push(node.unit_name.clone());
                in_units.push(vec![index]);
            }
        }
    }
    (units, in_units)
}

struct Builder<'c> {
    config: &'c ShardingConfig,
    table: &'c str,
    columns: Vec<String>,
    shape: String,
}

impl Builder<'_> {
    fn choice(
        &mut self,
        strategy: Option<&StrategyConfig>,
        names: &[Arc<str>],
        suffix: &SuffixRule,
    ) -> Result<Choice, StatementError> {
        let (kind, columns, algorithm) = match strategy {
            None | Some(StrategyConfig::None) => return Ok(Choice::All(names.len() as u32)),
            Some(StrategyConfig::Standard { column, algorithm }) => {
                let column = column.as_ref().or(self.config.default_sharding_column.as_ref());
                let column = column.ok_or_else(|| self.lacks("SHARDING_COLUMN"))?;
                (StrategyKind::Standard, vec![column.clone()], algorithm)
            }
            Some(StrategyConfig::Complex { columns, algorithm }) => {
                (StrategyKind::Complex, columns.clone(), algorithm)
            }
            Some(StrategyConfig::Hint { algorithm }) => (StrategyKind::Hint, Vec::new(), algorithm),
        };
        let definition = named(self.config, algorithm)?;
        let targets = Targets { table: self.table, columns: &columns, names, suffix };
        let (type_name, properties) = (&definition.type_name, &definition.properties);
        let algorithm: Arc<dyn TargetAlgorithm> =
            algorithms::build_target(kind, type_name, properties, &targets)?.into();
        if kind == StrategyKind::Hint {
            return Ok(Choice::Hint(algorithm));
        }
        let positions = columns.into_iter().map(|column| self.position(column)).collect();
        Ok(Choice::Columns(positions, algorithm))
    }

    fn position(&mut self, column: String) -> usize {
        let found = self.columns.iter().position(|known| known.eq_ignore_ascii_case(&column));
        found.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        })
    }

    fn lacks(&self, what: &str) -> StatementError {
        let text = format!("A strategy of table '{}' lacks {what}", self.table);
        StatementError::new(10200, "44000", text)
    }

    fn describe(&mut self, strategy: Option<&StrategyConfig>, choice: &Choice) {
        let kind = strategy.map_or("NONE", StrategyConfig::kind);
        let text = match choice {
            Choice::All(count) => format!("{kind} {count}; "),
            Choice::Columns(columns, algorithm) => {
                format!("{kind} {columns:?} {}; ", algorithm.shape())
            }
            Choice::Hint(algorithm) => format!("{kind} {}; ", algorithm.shape()),
        };
        self.shape.push_str(&text);
    }
}
