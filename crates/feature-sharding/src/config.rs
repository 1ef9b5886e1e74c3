//! The rule as it is persisted: what DistSQL said, in its order.

use std::collections::BTreeMap;

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use serde::{Deserialize, Serialize};

/// The key of the sharding rule in YAML and in [`DatabaseConfig::rules`].
pub(crate) const RULE_KEY: &str = "SHARDING";

/// All sharded tables of a logical database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardingConfig {
    /// In the order in which they were created.
    pub tables: Vec<TableConfig>,
}

/// One auto table: `t (STORAGE_UNITS(..), SHARDING_COLUMN=c, TYPE(..))`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableConfig {
    /// The logical table.
    pub table: String,
    /// Storage units in the order written: shard `i` lives in unit `i mod m`.
    pub storage_units: Vec<String>,
    /// The sharding column.
    pub sharding_column: String,
    /// How a value chooses its shard.
    pub algorithm: AlgorithmConfig,
}

/// An algorithm with its properties, as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlgorithmConfig {
    /// The type name as written; compared without regard to case.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its properties.
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
}

impl TableConfig {
    /// The names of its units, row expressions such as `ds_${0..3}` written out.
    ///
    /// # Errors
    /// A row expression that cannot be read (10300).
    pub fn unit_names(&self) -> Result<Vec<String>, StatementError> {
        let mut names = Vec::new();
        for written in &self.storage_units {
            let expanded = sql::row_expression::expand(written).map_err(|error| {
                StatementError::new(10300, "44000", format!("Table '{}': {error}", self.table))
            })?;
            names.extend(expanded);
        }
        Ok(names)
    }

    /// The name of its algorithm as SHOW prints it.
    ///
    /// # Source
    /// Inventory 1.3: `<table>_<type>` in lower case.
    pub fn algorithm_name(&self) -> String {
        format!("{}_{}", self.table, self.algorithm.type_name).to_lowercase()
    }
}

impl ShardingConfig {
    /// The stored rule, or an empty one where there is none.
    ///
    /// # Errors
    /// The stored rule has another form.
    pub fn load(value: &serde_json::Value) -> Result<Self, StatementError> {
        serde_json::from_value(value.clone()).map_err(|error| {
            StatementError::new(
                10200,
                "44000",
                format!("The stored sharding rule cannot be read: {error}"),
            )
        })
    }

    /// The rule of a database.
    ///
    /// # Errors
    /// As [`ShardingConfig::load`].
    pub fn of(database: &DatabaseConfig) -> Result<Self, StatementError> {
        database.rules.get(RULE_KEY).map_or_else(|| Ok(Self::default()), Self::load)
    }

    /// Puts the rule into a database; a rule without tables is removed.
    ///
    /// # Errors
    /// Never in practice: the rule is plain data.
    pub fn store(&self, database: &mut DatabaseConfig) -> Result<(), StatementError> {
        if self.tables.is_empty() {
            database.rules.remove(RULE_KEY);
            return Ok(());
        }
        let value = serde_json::to_value(self)
            .map_err(|error| StatementError::new(10200, "44000", error.to_string()))?;
        database.rules.insert(RULE_KEY.to_owned(), value);
        Ok(())
    }

    /// A table's rule.
    pub fn find(&self, table: &str) -> Option<&TableConfig> {
        self.tables.iter().find(|rule| rule.table == table)
    }
}
