//! The checked rule: which tables, and in which units their rows are.

use std::collections::HashSet;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::{CatalogStage, Feature};
use kernel::model::{DataNode, Placement, StorageUnit};

use crate::config::BroadcastConfig;

/// All broadcast tables of a logical database.
#[derive(Debug)]
pub struct BroadcastRule {
    tables: Vec<(Arc<str>, Arc<[DataNode]>)>,
}

impl BroadcastRule {
    /// Places every table in every unit. Units that lead to one actual database count once.
    ///
    /// # Errors
    /// A table is given twice (10204).
    pub fn new(config: &BroadcastConfig, units: &[StorageUnit]) -> Result<Self, StatementError> {
        let mut places = HashSet::new();
        let mut distinct = Vec::with_capacity(units.len());
        for unit in units {
            let config = &unit.config;
            if places.insert((config.host.as_str(), config.port, config.database.as_str())) {
                distinct.push(unit);
            }
        }
        let mut seen = HashSet::new();
        let mut tables = Vec::with_capacity(config.tables.len());
        for name in &config.tables {
            if !seen.insert(name) {
                return Err(duplicate(name));
            }
            let table: Arc<str> = name.as_str().into();
            let node = |unit: &StorageUnit| DataNode {
                unit: unit.id,
                unit_name: unit.name.clone(),
                actual_table: table.clone(),
            };
            let nodes = distinct.iter().copied().map(node).collect();
            tables.push((table.clone(), nodes));
        }
        Ok(Self { tables })
    }
}

impl CatalogStage for BroadcastRule {
    fn tables(&self) -> Vec<(Arc<str>, Placement)> {
        let placed = |(name, nodes): &(Arc<str>, Arc<[DataNode]>)| {
            (name.clone(), Placement::Broadcast(nodes.clone()))
        };
        self.tables.iter().map(placed).collect()
    }
}

/// Builds the feature from its stored rule.
pub(crate) fn build(
    value: &serde_json::Value,
    units: &[StorageUnit],
) -> Result<Feature, StatementError> {
    let rule = BroadcastRule::new(&BroadcastConfig::load(value)?, units)?;
    Ok(Feature { name: crate::FEATURE.name, catalog: Some(Arc::new(rule)), route: None })
}

/// A table has a rule already (10204).
pub(crate) fn duplicate(table: &str) -> StatementError {
    StatementError::new(10204, "44000", format!("Table '{table}' is a broadcast table already"))
}
