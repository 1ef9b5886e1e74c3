//! The checked rule of one table.

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::GeneratedKey;
use kernel::model::{DataNode, StorageUnit};

use super::audit::Audit;
use super::nodes;
use super::strategies::{self, Strategies};
use crate::algorithms::{self, ShardingAlgorithm};
use crate::config::{AlgorithmConfig, LayoutConfig, ShardingConfig, TableConfig};
use crate::key_generators;

/// Algorithm property by which an operator declares that equal values of a column are always written
/// with the same bytes, whatever its collation takes for equal.
const CANONICAL_PROPERTY: &str = "canonical-values";

/// One sharded table.
#[derive(Debug)]
pub struct TableRule {
    /// The logical table.
    pub table: Arc<str>,
    /// The sharding columns: those that choose the unit, then the others that choose the table.
    pub columns: Vec<String>,
    /// In the order written; for an auto table node `i` is shard `i`.
    pub nodes: Arc<[DataNode]>,
    /// How values choose a node.
    pub placing: Placing,
    /// Equal values of the columns are always written with the same bytes.
    pub is_canonical: bool,
    /// The column whose values are generated.
    pub generated_key: Option<GeneratedKey>,
    /// What lets statements pass.
    pub(crate) audit: Option<Audit>,
    /// What tables of one reference group have in common.
    pub(crate) shape: String,
}

/// How values choose a node.
#[derive(Debug, Clone)]
pub enum Placing {
    /// One column gives the number of the node.
    Shards(Arc<dyn ShardingAlgorithm>),
    /// One strategy gives the unit, another the table in it.
    Strategies(Arc<Strategies>),
}

impl TableRule {
    /// Checks the rule of one table.
    ///
    /// # Errors
    /// As [`super::ShardingRule::new`].
    pub(super) fn new(
        config: &ShardingConfig,
        table: &TableConfig,
        units: &[StorageUnit],
    ) -> Result<Self, StatementError> {
        let mut rule = match &table.layout {
            LayoutConfig::Auto { storage_units, sharding_column, algorithm } => {
                let definition = named(config, algorithm)?;
                let algorithm: Arc<dyn ShardingAlgorithm> =
                    algorithms::build(&definition.type_name, &definition.properties)?.into();
                let count = algorithm.sharding_count();
                Self {
                    table: table.table.as_str().into(),
                    columns: vec![sharding_column.clone()],
                    nodes: nodes::auto(&table.table, storage_units, count, units)?.into(),
                    placing: Placing::Shards(algorithm),
                    is_canonical: is_canonical(definition),
                    generated_key: None,
                    audit: None,
                    shape: shape(definition),
                }
            }
            LayoutConfig::Explicit { data_nodes, .. } => {
                let nodes: Arc<[DataNode]> =
                    nodes::explicit(&table.table, data_nodes, units)?.into();
                let built = strategies::build(config, table, &nodes)?;
                Self {
                    table: table.table.as_str().into(),
                    columns: built.columns,
                    nodes,
                    placing: Placing::Strategies(Arc::new(built.strategies)),
                    is_canonical: built.is_canonical,
                    generated_key: None,
                    audit: None,
                    shape: built.shape,
                }
            }
        };
        if let Some(key) = config.key_generate(table) {
            let generator = config.key_generators.get(&key.generator).ok_or_else(|| {
                StatementError::new(
                    10402,
                    "44000",
                    format!("There is no key generator '{}'", key.generator),
                )
            })?;
            let kind = key_generators::kind(generator)?;
            rule.generated_key = Some(GeneratedKey { column: key.column.clone(), kind });
        }
        rule.audit = config.audit(table).map(|audit| Audit::new(config, audit)).transpose()?;
        Ok(rule)
    }

    /// True when the values of the sharding columns alone decide the node.
    pub fn is_placed_by_columns(&self) -> bool {
        match &self.placing {
            Placing::Shards(_) => true,
            Placing::Strategies(strategies) => {
                !self.columns.is_empty() && strategies.is_placed_by_columns()
            }
        }
    }
}

/// An algorithm by its name.
///
/// # Errors
/// There is none of the name (10402).
pub(super) fn named<'c>(
    config: &'c ShardingConfig,
    name: &str,
) -> Result<&'c AlgorithmConfig, StatementError> {
    config.algorithms.get(name).ok_or_else(|| {
        StatementError::new(10402, "44000", format!("There is no sharding algorithm '{name}'"))
    })
}

/// What the operator declares of the values.
pub(super) fn is_canonical(algorithm: &AlgorithmConfig) -> bool {
    let declared = algorithm.properties.get(CANONICAL_PROPERTY);
    declared.is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

fn shape(algorithm: &AlgorithmConfig) -> String {
    format!("{} {:?}", algorithm.type_name.to_uppercase(), algorithm.properties)
}
