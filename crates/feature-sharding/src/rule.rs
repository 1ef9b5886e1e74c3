//! The checked rule: every unit exists, every algorithm can be built, every node is known.

pub(crate) mod audit;
mod nodes;
mod reference;
mod strategies;
mod table;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::{CatalogStage, Feature};
use kernel::model::{Placement, StorageUnit};

use crate::config::ShardingConfig;
use crate::{algorithms, key_generators};

pub(crate) use nodes::expand as expand_names;
pub(crate) use reference::duplicate as duplicate_reference;
pub(crate) use strategies::Choice;
pub use strategies::Strategies;
pub use table::{Placing, TableRule};

/// All sharded tables of a logical database.
#[derive(Debug)]
pub struct ShardingRule {
    order: Vec<Arc<str>>,
    tables: HashMap<Arc<str>, Arc<TableRule>>,
    /// The reference group of a table.
    groups: HashMap<Arc<str>, usize>,
}

impl ShardingRule {
    /// Checks the rule against the units of its database.
    ///
    /// # Errors
    /// A unit is missing (10102), a data node is malformed (10300) or belongs to two tables (20012),
    /// a table has two rules (10204), an algorithm is missing or refused (10401, 10402, 10404,
    /// 10410), or the tables of a reference group differ (20010).
    pub fn new(config: &ShardingConfig, units: &[StorageUnit]) -> Result<Self, StatementError> {
        check_named(config)?;
        let mut rule = Self { order: Vec::new(), tables: HashMap::new(), groups: HashMap::new() };
        let mut taken = HashSet::new();
        for table in &config.tables {
            let name: Arc<str> = table.table.as_str().into();
            let checked = Arc::new(TableRule::new(config, table, units)?);
            for node in checked.nodes.iter() {
                if !taken.insert((node.unit, node.actual_table.to_lowercase())) {
                    return Err(StatementError::new(
                        20012,
                        "44000",
                        format!(
                            "Data node {}.{} of table '{name}' belongs to two tables, or twice to \
                             one",
                            node.unit_name, node.actual_table
                        ),
                    ));
                }
            }
            if rule.tables.insert(name.clone(), checked).is_some() {
                return Err(duplicate(&table.table));
            }
            rule.order.push(name);
        }
        rule.groups = reference::groups(config, &rule.tables)?;
        Ok(rule)
    }

    /// A table's rule.
    pub fn find(&self, table: &str) -> Option<&Arc<TableRule>> {
        self.tables.get(table)
    }

    /// The rules of two tables where both are of one reference group.
    pub(crate) fn find_bound(
        &self,
        left: &str,
        right: &str,
    ) -> Option<(&Arc<TableRule>, &Arc<TableRule>)> {
        let is_one = left == right || self.groups.get(left)? == self.groups.get(right)?;
        if is_one { Some((self.find(left)?, self.find(right)?)) } else { None }
    }
}

/// What no table uses has a type that exists, too.
fn check_named(config: &ShardingConfig) -> Result<(), StatementError> {
    for algorithm in config.algorithms.values() {
        let is_known = algorithms::ALL
            .iter()
            .any(|entry| entry.type_name.eq_ignore_ascii_case(&algorithm.type_name));
        if !is_known {
            // Builds nothing, as the type is unknown: it words the error.
            algorithms::build(&algorithm.type_name, &algorithm.properties)?;
        }
    }
    for generator in config.key_generators.values() {
        key_generators::kind(generator)?;
    }
    config.auditors.values().try_for_each(audit::check)
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

/// A table has no rule (10202).
pub(crate) fn missing_rule(table: &str) -> StatementError {
    StatementError::new(10202, "44000", format!("Table '{table}' has no sharding rule"))
}
