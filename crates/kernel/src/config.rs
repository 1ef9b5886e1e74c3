//! What is persisted: logical databases with their units and rules, users, properties.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::StorageUnitConfig;

/// Everything the governance store keeps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// By name.
    pub databases: BTreeMap<String, DatabaseConfig>,
    /// Who may log in.
    pub users: Vec<UserConfig>,
    /// ShardingSphere's properties (inventory 5.5), keys with `-`, values as text.
    pub properties: BTreeMap<String, String>,
}

/// One logical database.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DatabaseConfig {
    /// In order of registration: the first is the default of unruled tables.
    pub units: Vec<NamedUnit>,
    /// One rule a feature, by its YAML key (`SHARDING`, ...), in the feature's own form.
    pub rules: BTreeMap<String, serde_json::Value>,
}

/// A unit with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedUnit {
    /// Its name in the logical database.
    pub name: String,
    /// How to reach it.
    pub config: StorageUnitConfig,
}

/// A user with what is needed to check a password. Clear passwords are not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserConfig {
    /// The name.
    pub name: String,
    /// The host pattern: `%`, `localhost`, `10.0.%`, `10.0.0.0/255.0.0.0`.
    pub host: String,
    /// SHA1(SHA1(password)), for mysql_native_password; empty for an empty password.
    pub native_verifier: Vec<u8>,
    /// SHA256(SHA256(password)), for caching_sha2_password's fast path; empty for an empty password.
    pub sha2_verifier: Vec<u8>,
    /// Which logical databases it may use; `None` for all.
    pub databases: Option<Vec<String>>,
}
