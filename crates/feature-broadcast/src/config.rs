//! The rule as it is persisted, which is also how ShardingSphere's file has it.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The key of the broadcast rule in YAML and in [`DatabaseConfig::rules`].
pub(crate) const RULE_KEY: &str = "BROADCAST";

/// All broadcast tables of a logical database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BroadcastConfig {
    /// In the order in which they were created.
    pub tables: Vec<String>,
}

impl BroadcastConfig {
    /// The stored rule.
    ///
    /// # Errors
    /// The stored rule has another form (10200).
    pub fn load(value: &Value) -> Result<Self, StatementError> {
        if value.is_null() {
            return Ok(Self::default());
        }
        Self::deserialize(value).map_err(|error| invalid(&error.to_string()))
    }

    /// The rule of a database, or an empty one where there is none.
    ///
    /// # Errors
    /// As [`BroadcastConfig::load`].
    pub fn of(database: &DatabaseConfig) -> Result<Self, StatementError> {
        database.rules.get(RULE_KEY).map_or_else(|| Ok(Self::default()), Self::load)
    }

    /// Puts the rule into a database; a rule without tables is removed.
    pub fn store(self, database: &mut DatabaseConfig) {
        if self.tables.is_empty() {
            database.rules.remove(RULE_KEY);
        } else {
            let body = serde_json::json!({ "tables": self.tables });
            database.rules.insert(RULE_KEY.to_owned(), body);
        }
    }
}

/// Reads the body of `- !BROADCAST`.
///
/// # Errors
/// An unknown key or a wrong type (10200).
pub(crate) fn from_yaml(body: &Value) -> Result<Value, StatementError> {
    let config = BroadcastConfig::load(body)?;
    Ok(serde_json::json!({ "tables": config.tables }))
}

/// The rule cannot be read (10200).
fn invalid(why: &str) -> StatementError {
    StatementError::new(10200, "44000", format!("Invalid broadcast rule: {why}"))
}
