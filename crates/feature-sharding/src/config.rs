//! The rule as it is persisted: what DistSQL or a YAML file said, in its order.

mod stored;

use std::collections::BTreeMap;

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use serde::{Deserialize, Serialize};
use sql::ast::{AlgorithmRole, StrategyLevel};

/// The key of the sharding rule in YAML and in [`DatabaseConfig::rules`].
pub(crate) const RULE_KEY: &str = "SHARDING";

/// All that is said of sharding in a logical database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShardingConfig {
    /// In the order in which they were created.
    pub tables: Vec<TableConfig>,
    /// Groups of tables whose equal values lie together, in the order in which they were created.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceConfig>,
    /// Chooses the unit for explicit tables without a strategy of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_database_strategy: Option<StrategyConfig>,
    /// Chooses the table for explicit tables without a strategy of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_table_strategy: Option<StrategyConfig>,
    /// The column of STANDARD strategies that name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_sharding_column: Option<String>,
    /// For tables without a key generator of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_key_generate: Option<KeyGenerateConfig>,
    /// For tables without auditors of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_audit: Option<AuditConfig>,
    /// Sharding algorithms by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub algorithms: BTreeMap<String, AlgorithmConfig>,
    /// Key generators by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub key_generators: BTreeMap<String, AlgorithmConfig>,
    /// Auditors by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub auditors: BTreeMap<String, AlgorithmConfig>,
}

/// One sharded table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableConfig {
    /// The logical table.
    pub table: String,
    /// Where its rows lie.
    #[serde(flatten)]
    pub layout: LayoutConfig,
    /// Which column gets generated values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_generate: Option<KeyGenerateConfig>,
    /// What lets statements pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditConfig>,
}

/// Where the rows of a table lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LayoutConfig {
    /// `STORAGE_UNITS(..), SHARDING_COLUMN=c, TYPE(..)`.
    Auto {
        /// Units or row expressions in the order written: shard `i` lives in unit `i mod m`. None
        /// means all units.
        storage_units: Vec<String>,
        /// The sharding column.
        sharding_column: String,
        /// The name of the algorithm.
        algorithm: String,
    },
    /// `DATANODES(..)` with strategies.
    Explicit {
        /// Row expressions of `unit.table`.
        data_nodes: Vec<String>,
        /// Chooses the unit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        database_strategy: Option<StrategyConfig>,
        /// Chooses the table in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table_strategy: Option<StrategyConfig>,
    },
}

/// How a unit or a table is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum StrategyConfig {
    /// By one column; without one by the default column.
    Standard {
        /// The column.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column: Option<String>,
        /// The name of the algorithm.
        algorithm: String,
    },
    /// By several columns.
    Complex {
        /// The columns.
        columns: Vec<String>,
        /// The name of the algorithm.
        algorithm: String,
    },
    /// By values in the statement's comments.
    Hint {
        /// The name of the algorithm.
        algorithm: String,
    },
    /// Not at all.
    None,
}

/// Which column gets generated values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyGenerateConfig {
    /// The column.
    pub column: String,
    /// The name of the key generator.
    pub generator: String,
}

/// Which auditors a table has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditConfig {
    /// Their names.
    pub auditors: Vec<String>,
    /// A hint can switch them off.
    pub allow_hint_disable: bool,
}

/// A group of tables whose equal values lie together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceConfig {
    /// Its name.
    pub name: String,
    /// Its tables.
    pub tables: Vec<String>,
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

impl StrategyConfig {
    /// The name of its algorithm.
    pub fn algorithm(&self) -> Option<&str> {
        match self {
            Self::Standard { algorithm, .. }
            | Self::Complex { algorithm, .. }
            | Self::Hint { algorithm } => Some(algorithm),
            Self::None => None,
        }
    }

    /// `STANDARD`, `COMPLEX`, `HINT` or `NONE`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Standard { .. } => "STANDARD",
            Self::Complex { .. } => "COMPLEX",
            Self::Hint { .. } => "HINT",
            Self::None => "NONE",
        }
    }
}

impl TableConfig {
    /// The names of the sharding algorithms it names itself.
    pub fn algorithms(&self) -> Vec<&str> {
        match &self.layout {
            LayoutConfig::Auto { algorithm, .. } => vec![algorithm],
            LayoutConfig::Explicit { database_strategy, table_strategy, .. } => {
                let strategies = [database_strategy, table_strategy].into_iter().flatten();
                strategies.filter_map(StrategyConfig::algorithm).collect()
            }
        }
    }
}

impl ShardingConfig {
    /// The stored rule.
    ///
    /// # Errors
    /// The stored rule has another form.
    pub fn load(value: &serde_json::Value) -> Result<Self, StatementError> {
        serde_json::from_value(stored::upgraded(value.clone())).map_err(|error| {
            StatementError::new(
                10200,
                "44000",
                format!("The stored sharding rule cannot be read: {error}"),
            )
        })
    }

    /// The rule of a database, or an empty one where there is none.
    ///
    /// # Errors
    /// As [`ShardingConfig::load`].
    pub fn of(database: &DatabaseConfig) -> Result<Self, StatementError> {
        database.rules.get(RULE_KEY).map_or_else(|| Ok(Self::default()), Self::load)
    }

    /// Puts the rule into a database; an empty rule is removed.
    ///
    /// # Errors
    /// Never in practice: the rule is plain data.
    pub fn store(&self, database: &mut DatabaseConfig) -> Result<(), StatementError> {
        if *self == Self::default() {
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

    /// The group of a table.
    pub fn find_reference(&self, table: &str) -> Option<&ReferenceConfig> {
        self.references.iter().find(|group| group.tables.iter().any(|name| name == table))
    }

    /// The strategy that chooses for a table: its own or the default one; none for auto tables.
    pub fn strategy<'c>(
        &'c self,
        table: &'c TableConfig,
        level: StrategyLevel,
    ) -> Option<&'c StrategyConfig> {
        let LayoutConfig::Explicit { database_strategy, table_strategy, .. } = &table.layout else {
            return None;
        };
        match level {
            StrategyLevel::Database => database_strategy.as_ref(),
            StrategyLevel::Table => table_strategy.as_ref(),
        }
        .or_else(|| self.default_strategy(level))
    }

    /// The strategy of tables that have none of their own.
    pub fn default_strategy(&self, level: StrategyLevel) -> Option<&StrategyConfig> {
        match level {
            StrategyLevel::Database => self.default_database_strategy.as_ref(),
            StrategyLevel::Table => self.default_table_strategy.as_ref(),
        }
    }

    /// A table's key generator: its own or the default one.
    pub fn key_generate<'c>(&'c self, table: &'c TableConfig) -> Option<&'c KeyGenerateConfig> {
        table.key_generate.as_ref().or(self.default_key_generate.as_ref())
    }

    /// A table's auditors: its own or the default ones.
    pub fn audit<'c>(&'c self, table: &'c TableConfig) -> Option<&'c AuditConfig> {
        table.audit.as_ref().or(self.default_audit.as_ref())
    }

    /// The algorithms of one role by name.
    pub fn named(&self, role: AlgorithmRole) -> &BTreeMap<String, AlgorithmConfig> {
        match role {
            AlgorithmRole::Sharding => &self.algorithms,
            AlgorithmRole::KeyGenerator => &self.key_generators,
            AlgorithmRole::Auditor => &self.auditors,
        }
    }

    /// The algorithms of one role by name, to change them.
    pub fn named_mut(&mut self, role: AlgorithmRole) -> &mut BTreeMap<String, AlgorithmConfig> {
        match role {
            AlgorithmRole::Sharding => &mut self.algorithms,
            AlgorithmRole::KeyGenerator => &mut self.key_generators,
            AlgorithmRole::Auditor => &mut self.auditors,
        }
    }

    /// True when a table names the algorithm itself.
    pub fn uses(table: &TableConfig, role: AlgorithmRole, name: &str) -> bool {
        match role {
            AlgorithmRole::Sharding => table.algorithms().contains(&name),
            AlgorithmRole::KeyGenerator => {
                table.key_generate.as_ref().is_some_and(|key| key.generator == name)
            }
            AlgorithmRole::Auditor => table
                .audit
                .as_ref()
                .is_some_and(|audit| audit.auditors.iter().any(|auditor| auditor == name)),
        }
    }

    /// True when a table or a default names the algorithm.
    pub fn is_used(&self, role: AlgorithmRole, name: &str) -> bool {
        if self.tables.iter().any(|table| Self::uses(table, role, name)) {
            return true;
        }
        match role {
            AlgorithmRole::Sharding => {
                let defaults = [&self.default_database_strategy, &self.default_table_strategy];
                defaults.into_iter().flatten().any(|strategy| strategy.algorithm() == Some(name))
            }
            AlgorithmRole::KeyGenerator => {
                self.default_key_generate.as_ref().is_some_and(|key| key.generator == name)
            }
            AlgorithmRole::Auditor => self
                .default_audit
                .as_ref()
                .is_some_and(|audit| audit.auditors.iter().any(|auditor| auditor == name)),
        }
    }
}
