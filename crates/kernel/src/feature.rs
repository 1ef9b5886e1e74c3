//! What a feature can add to the road, as optional slots.

use std::sync::Arc;

use sql::ast::{DistSql, Hint};

use crate::config::DatabaseConfig;
use crate::error::StatementError;
use crate::model::{Placement, StorageUnit};
use crate::plan::RouteSet;
use crate::predicate::{Predicate, ValueRef, ValueSource};
use crate::replicas::UnitGroup;
use crate::snapshot::LogicalDatabase;

/// One feature of a build, before any rule. The binary's list of these is the only place that names
/// features.
#[derive(Debug, Clone, Copy)]
pub struct FeatureEntry {
    /// `sharding`, ...
    pub name: &'static str,
    /// The rule's key in YAML and in [`DatabaseConfig::rules`], e.g. `SHARDING`.
    pub rule_key: &'static str,
    /// Turns the body of the rule as ShardingSphere's database file has it into the feature's own
    /// form. The error names the key at fault.
    pub from_yaml: fn(&serde_json::Value) -> Result<serde_json::Value, StatementError>,
    /// Builds the groups of units that the rule defines, before any other rule is built: they name
    /// them.
    pub groups: Option<BuildGroups>,
    /// Checks a rule and builds the feature from it. The units are those a rule may name.
    pub build: fn(&serde_json::Value, &[StorageUnit]) -> Result<Feature, StatementError>,
    /// Executes a DistSQL statement of this feature; `None` when it is not one of its own.
    pub distsql:
        fn(&DistSql, &mut DistSqlContext<'_>) -> Option<Result<DistSqlOutcome, StatementError>>,
}

/// Checks a rule and builds its groups from the units of the database.
pub type BuildGroups =
    fn(&serde_json::Value, &[StorageUnit]) -> Result<Vec<UnitGroup>, StatementError>;

/// What a DistSQL statement of a feature sees and may change.
#[derive(Debug)]
pub struct DistSqlContext<'a> {
    /// The database as it is now.
    pub current: &'a LogicalDatabase,
    /// Its configuration; a change here is persisted and swapped in when the outcome is
    /// [`DistSqlOutcome::Changed`].
    pub config: &'a mut DatabaseConfig,
}

/// What a DistSQL statement did.
#[derive(Debug, Clone, PartialEq)]
pub enum DistSqlOutcome {
    /// The configuration changed.
    Changed,
    /// Nothing to do (IF EXISTS and the like).
    Unchanged,
    /// Rows to show.
    Rows(TextTable),
}

/// A small result of text columns, made by the proxy itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextTable {
    /// Column names.
    pub columns: Vec<String>,
    /// Rows; `None` is NULL.
    pub rows: Vec<Vec<Option<String>>>,
}

/// A feature as built from its rule. An empty slot means "not my stage".
#[derive(Debug, Clone)]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// Which logical tables it defines.
    pub catalog: Option<Arc<dyn CatalogStage>>,
    /// Where the rows of its tables are routed.
    pub route: Option<Arc<dyn RouteStage>>,
}

/// Defines logical tables.
pub trait CatalogStage: std::fmt::Debug + Send + Sync {
    /// The logical tables of the rule with where their rows are.
    fn tables(&self) -> Vec<(Arc<str>, Placement)>;
}

/// Routes statements on the tables of a feature.
pub trait RouteStage: std::fmt::Debug + Send + Sync {
    /// The columns of `table` that decide placement, as positions in its metadata, or `None` when
    /// the table is not of this feature.
    fn sharding_columns(&self, table: &str) -> Option<Vec<String>>;

    /// True where both tables are of one binding group: they have as many nodes, node `i` of both
    /// is in the same unit, and rows whose sharding columns compare equal, each with the one at its
    /// place in [`RouteStage::sharding_columns`] of the other, are on nodes of the same number.
    fn are_bound(
        &self,
        _left: &crate::model::LogicalTable,
        _right: &crate::model::LogicalTable,
    ) -> bool {
        false
    }

    /// The column of `table` whose values are generated where an INSERT leaves them out.
    fn generated_key(&self, _table: &str) -> Option<GeneratedKey> {
        None
    }

    /// Whether the table's auditors let a statement pass whose rows satisfy `predicate`.
    ///
    /// # Errors
    /// An auditor blocks it (20090); the text names it.
    fn audit(
        &self,
        _table: &crate::model::LogicalTable,
        _predicate: &Predicate,
        _hints: &[Hint],
    ) -> Result<(), StatementError> {
        Ok(())
    }

    /// A router for statements on `table` whose rows satisfy `predicate`, under the hints of the
    /// statement's comments.
    ///
    /// # Errors
    /// The algorithm cannot place values of the column's type.
    fn router(
        &self,
        table: &crate::model::LogicalTable,
        predicate: Predicate,
        hints: &[Hint],
    ) -> Result<Arc<dyn Router>, StatementError>;

    /// A router for the rows of an INSERT into `table`.
    ///
    /// # Errors
    /// As [`RouteStage::router`].
    fn row_router(
        &self,
        table: &crate::model::LogicalTable,
        hints: &[Hint],
    ) -> Result<Arc<dyn RowRouter>, StatementError>;
}

/// A column whose values the proxy generates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedKey {
    /// The column.
    pub column: String,
    /// What makes its values.
    pub kind: KeyKind,
}

/// What makes the values of a generated key. The state behind it (clock, last number, blocks) is the
/// process's and outlives every snapshot, so that a rule change never gives a value twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyKind {
    /// 41 bits of milliseconds, 10 of the worker, 12 of a sequence.
    Snowflake {
        /// 0 to 1023; `None` for the number of this node.
        worker: Option<u16>,
        /// The greatest first sequence number of a millisecond, 0 to 4095.
        max_vibration_offset: u16,
        /// How far the clock may be set back, milliseconds.
        max_tolerated_setback_ms: u64,
    },
    /// 32 hexadecimal digits, random.
    Uuid,
    /// 21 letters, random.
    NanoId,
    /// AUTO_INCREMENT over all nodes: blocks of numbers from the store.
    Sequence,
}

/// Finds the nodes that can hold matching rows.
pub trait Router: std::fmt::Debug + Send + Sync {
    /// Adds the nodes. An empty set is right when no row can match.
    ///
    /// # Errors
    /// A value cannot be placed.
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError>;

    /// Why these nodes, for PREVIEW and EXPLAIN, e.g. `id = 5`, `no condition on id`.
    fn reason(&self) -> String;
}

/// Finds the one node of a row that is inserted.
pub trait RowRouter: std::fmt::Debug + Send + Sync {
    /// The node of a row with these values of [`RouteStage::sharding_columns`], in that order.
    /// Values are converted to the column's type first.
    ///
    /// # Errors
    /// NULL or a value that belongs to no node.
    fn node_of(&self, row: &[ValueRef], values: &dyn ValueSource) -> Result<u32, StatementError>;
}
