//! The checked rule: every unit exists, every algorithm can be built, every node is known.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::{CatalogStage, Feature};
use kernel::model::{DataNode, Placement, StorageUnit};

use crate::algorithms::{self, ShardingAlgorithm};
use crate::config::{ShardingConfig, TableConfig};

/// Algorithm property by which an operator declares that equal values of a string column are
/// always written with the same bytes, whatever its collation takes for equal.
const CANONICAL_PROPERTY: &str = "canonical-values";

/// All sharded tables of a logical database.
#[derive(Debug)]
pub struct ShardingRule {
    order: Vec<Arc<str>>,
    tables: HashMap<Arc<str>, Arc<TableRule>>,
}

/// One sharded table.
#[derive(Debug)]
pub struct TableRule {
    /// The logical table.
    pub table: Arc<str>,
    /// The sharding column.
    pub column: String,
    /// Node `i` is shard `i`.
    pub nodes: Arc<[DataNode]>,
    /// How a value chooses its shard.
    pub algorithm: Arc<dyn ShardingAlgorithm>,
    /// Equal values of the column are always written with the same bytes.
    pub is_canonical: bool,
}

impl ShardingRule {
    /// Checks the rule against the units of its database.
    ///
    /// # Errors
    /// A unit is missing (10102), a table has two rules (10204), or its algorithm is refused
    /// (10402, 10404).
    pub fn new(config: &ShardingConfig, units: &[StorageUnit]) -> Result<Self, StatementError> {
        let mut rule = Self { order: Vec::new(), tables: HashMap::new() };
        for table in &config.tables {
            let name: Arc<str> = table.table.as_str().into();
            let checked = Arc::new(TableRule::new(table, units)?);
            if rule.tables.insert(name.clone(), checked).is_some() {
                return Err(duplicate(&table.table));
            }
            rule.order.push(name);
        }
        Ok(rule)
    }

    /// A table's rule.
    pub fn find(&self, table: &str) -> Option<&Arc<TableRule>> {
        self.tables.get(table)
    }
}

impl TableRule {
    fn new(config: &TableConfig, units: &[StorageUnit]) -> Result<Self, StatementError> {
        let find = |name: String| {
            units.iter().find(|unit| *unit.name == *name).ok_or_else(|| missing_unit(&name))
        };
        let units = config.unit_names()?.into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
        if units.is_empty() {
            return Err(missing_unit(""));
        }
        let algorithm: Arc<dyn ShardingAlgorithm> =
            algorithms::build(&config.algorithm.type_name, &config.algorithm.properties)?.into();
        let nodes = (0..algorithm.sharding_count() as usize)
            .zip(units.iter().cycle())
            .map(|(index, unit)| DataNode {
                unit: unit.id,
                unit_name: unit.name.clone(),
                actual_table: format!("{}_{index}", config.table).into(),
            })
            .collect();
        let is_canonical = config
            .algorithm
            .properties
            .get(CANONICAL_PROPERTY)
            .is_some_and(|value| value.eq_ignore_ascii_case("true"));
        Ok(Self {
            table: config.table.as_str().into(),
            column: config.sharding_column.clone(),
            nodes,
            algorithm,
            is_canonical,
        })
    }
}

impl CatalogStage for ShardingRule {
    fn tables(&self) -> Vec<(Arc<str>, Placement)> {
        self.order
            .iter()
            .filter_map(|name| {
                let nodes = self.tables.get(name)?.nodes.clone();
                Some((name.clone(), Placement::Sharded(nodes)))
            })
            .collect()
    }
}

/// Builds the feature from its stored rule.
pub(crate) fn build(
    value: &serde_json::Value,
    units: &[StorageUnit],
) -> Result<Feature, StatementError> {
    let rule = Arc::new(ShardingRule::new(&ShardingConfig::load(value)?, units)?);
    Ok(Feature { name: crate::FEATURE.name, catalog: Some(rule.clone()), route: Some(rule) })
}

/// A storage unit that the rule names does not exist (10102).
pub(crate) fn missing_unit(name: &str) -> StatementError {
    StatementError::new(
        10102,
        "42S02",
        format!("Storage unit '{name}' does not exist; register it before the rule that uses it"),
    )
}

/// A table has a rule already (10204).
pub(crate) fn duplicate(table: &str) -> StatementError {
    StatementError::new(
        10204,
        "44000",
        format!("Table '{table}' has a sharding rule already; use ALTER SHARDING TABLE RULE"),
    )
}
