//! The rule as it is persisted, whatever dialect it was written in.

use std::collections::BTreeMap;

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The key of the rule in YAML and in [`DatabaseConfig::rules`].
pub(crate) const RULE_KEY: &str = "READWRITE_SPLITTING";

/// All groups of a logical database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SplittingConfig {
    /// In the order in which they were created.
    pub groups: Vec<GroupConfig>,
}

/// A primary and its replicas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupConfig {
    /// Its name.
    pub name: String,
    /// The storage unit that is changed.
    pub write_unit: String,
    /// The storage units that are read.
    pub read_units: Vec<String>,
    /// Those of them that were taken out of the rotation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disabled_units: Vec<String>,
    /// `PRIMARY`, `FIXED` or `DYNAMIC`; without it the load balancer's name decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transactional_reads: Option<String>,
    /// How a replica is chosen; in turn without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_balancer: Option<BalancerConfig>,
}

/// A load balancer with its properties.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BalancerConfig {
    /// `ROUND_ROBIN`, ..., as written.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its properties.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
}

impl SplittingConfig {
    /// The stored rule.
    ///
    /// # Errors
    /// The stored rule has another form (10200).
    pub fn load(value: &Value) -> Result<Self, StatementError> {
        Self::deserialize(value).map_err(|error| invalid(&error.to_string()))
    }

    /// The rule of a database, or an empty one where there is none.
    ///
    /// # Errors
    /// As [`SplittingConfig::load`].
    pub fn of(database: &DatabaseConfig) -> Result<Self, StatementError> {
        database.rules.get(RULE_KEY).map_or_else(|| Ok(Self::default()), Self::load)
    }

    /// Puts the rule into a database; a rule without groups is removed.
    pub fn store(&self, database: &mut DatabaseConfig) {
        if self.groups.is_empty() {
            database.rules.remove(RULE_KEY);
        } else {
            database.rules.insert(RULE_KEY.to_owned(), self.to_value());
        }
    }

    /// The form that is stored.
    pub(crate) fn to_value(&self) -> Value {
        serde_json::json!({ "groups": self.groups })
    }

    /// A group by its name.
    pub(crate) fn find(&self, name: &str) -> Option<&GroupConfig> {
        self.groups.iter().find(|group| group.name == name)
    }
}

/// The rule cannot be used (10200).
pub(crate) fn invalid(why: &str) -> StatementError {
    StatementError::new(10200, "44000", format!("Invalid readwrite-splitting rule: {why}"))
}
