//! The vocabulary: storage units, data nodes, tables, columns.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Identifies a storage unit as configured at one time. A unit whose connection data changes gets a
/// new id, so that pools can be told apart. Never reused while the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u32);

/// One backend database we connect to.
#[derive(Debug, Clone, PartialEq)]
pub struct StorageUnit {
    /// Its identity.
    pub id: UnitId,
    /// Its name in the logical database.
    pub name: Arc<str>,
    /// How to reach it.
    pub config: Arc<StorageUnitConfig>,
}

/// How to reach a storage unit and how many connections to keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageUnitConfig {
    /// Host name or address.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// The database on that server (the actual database).
    pub database: String,
    /// Who logs in.
    pub user: String,
    /// With what.
    pub password: Secret,
    /// `DISABLED`, `PREFERRED`, `REQUIRED`, `VERIFY_CA`: TLS to the server.
    #[serde(default)]
    pub tls: BackendTls,
    /// Pool limits.
    #[serde(default)]
    pub pool: PoolConfig,
    /// What was given besides, kept for SHOW and EXPORT.
    #[serde(default)]
    pub other_properties: std::collections::BTreeMap<String, String>,
}

/// A text that never shows in logs, errors or `Debug`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(***)")
    }
}

/// TLS towards a storage unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BackendTls {
    /// Never.
    #[default]
    Disabled,
    /// Where the server offers it, without checking its certificate.
    Preferred,
    /// Always, without checking the certificate.
    Required,
    /// Always, checking the certificate against the configured authorities.
    VerifyCa,
}

/// Limits of a pool (inventory 5.6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PoolConfig {
    /// How long a statement waits for a connection, milliseconds.
    pub connection_timeout_ms: u64,
    /// An idle connection above the minimum is closed after this, milliseconds.
    pub idle_timeout_ms: u64,
    /// A connection is not reused after this, milliseconds.
    pub max_lifetime_ms: u64,
    /// Most connections at a time, over all workers and capability classes.
    pub max_size: u32,
    /// Kept open when idle.
    pub min_size: u32,
    /// Refuses writes.
    pub read_only: bool,
}

impl Default for PoolConfig {
    fn default() -> Self {
        Self {
            connection_timeout_ms: 30_000,
            idle_timeout_ms: 60_000,
            max_lifetime_ms: 1_800_000,
            max_size: 50,
            min_size: 1,
            read_only: false,
        }
    }
}

/// Storage unit + actual table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DataNode {
    /// The unit.
    pub unit: UnitId,
    /// The unit's name, for people.
    pub unit_name: Arc<str>,
    /// The table that exists there.
    pub actual_table: Arc<str>,
}

/// A table as read from a storage unit: what `information_schema` says of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableMetadata {
    /// Its actual name.
    pub name: String,
    /// True for a view.
    pub is_view: bool,
    /// In table order.
    pub columns: Vec<ColumnMetadata>,
    /// Column names of the primary key, in key order; empty without one.
    pub primary_key: Vec<String>,
    /// Column lists of the unique keys, the primary one left out.
    pub unique_keys: Vec<Vec<String>>,
}

/// A column as read from a storage unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnMetadata {
    /// Its name.
    pub name: String,
    /// `DATA_TYPE`: `int`, `varchar`, ..., lower case.
    pub data_type: String,
    /// `COLUMN_TYPE`: `int(10) unsigned`, lower case but for enum values.
    pub column_type: String,
    /// `COLLATION_NAME`; empty for types without one.
    pub collation: String,
    /// `IS_NULLABLE`.
    pub is_nullable: bool,
    /// `EXTRA` contains `auto_increment`.
    pub is_auto_increment: bool,
    /// Has a default or is generated.
    pub has_default: bool,
    /// `EXTRA` contains `INVISIBLE`: not part of `*`.
    pub is_invisible: bool,
}

impl ColumnMetadata {
    /// True for the integer types.
    pub fn is_integer(&self) -> bool {
        matches!(
            self.data_type.as_str(),
            "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint" | "year"
        )
    }

    /// True for a numeric column declared UNSIGNED.
    pub fn is_unsigned(&self) -> bool {
        self.column_type.contains("unsigned")
    }

    /// True for types whose values are strings of characters or bytes.
    pub fn is_string(&self) -> bool {
        matches!(
            self.data_type.as_str(),
            "char"
                | "varchar"
                | "tinytext"
                | "text"
                | "mediumtext"
                | "longtext"
                | "binary"
                | "varbinary"
                | "tinyblob"
                | "blob"
                | "mediumblob"
                | "longblob"
                | "enum"
                | "set"
        )
    }
}

/// A table as the client sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct LogicalTable {
    /// Its name.
    pub name: Arc<str>,
    /// Its shape; `None` while no actual table exists (before CREATE TABLE).
    pub metadata: Option<Arc<TableMetadata>>,
    /// Where its rows are.
    pub placement: Placement,
}

/// Where the rows of a logical table are.
#[derive(Debug, Clone, PartialEq)]
pub enum Placement {
    /// All in one unit, under its own name.
    Single(DataNode),
    /// Found in several independent units without a rule: refused until one is chosen.
    Ambiguous(Vec<DataNode>),
    /// Spread over data nodes; index = position in this list = [`crate::plan::RouteUnit::node`].
    Sharded(Arc<[DataNode]>),
    /// The same rows in each of these units, under its own name: read from any, changed in all.
    Broadcast(Arc<[DataNode]>),
}

impl Placement {
    /// Every data node that has rows of the table.
    pub fn nodes(&self) -> &[DataNode] {
        match self {
            Self::Single(node) => std::slice::from_ref(node),
            Self::Ambiguous(nodes) => nodes,
            Self::Sharded(nodes) | Self::Broadcast(nodes) => nodes,
        }
    }
}

impl LogicalTable {
    /// The AUTO_INCREMENT column.
    pub fn auto_increment(&self) -> Option<&ColumnMetadata> {
        self.metadata.as_ref()?.columns.iter().find(|column| column.is_auto_increment)
    }

    /// Finds a column; names are compared without regard to case, as MySQL does.
    pub fn find_column(&self, name: &str) -> Option<(usize, &ColumnMetadata)> {
        let metadata = self.metadata.as_ref()?;
        metadata
            .columns
            .iter()
            .enumerate()
            .find(|(_, column)| column.name.eq_ignore_ascii_case(name))
    }
}
