//! DistSQL: statements about storage units and rules (inventory, section 1).
//!
//! Only the grammar is known here; what a rule means, its feature knows.

use std::collections::BTreeMap;

use crate::Span;

/// Properties as written, values as text whatever their literal form was.
pub type Properties = BTreeMap<String, String>;

/// A DistSQL statement.
#[derive(Debug, Clone, PartialEq)]
pub enum DistSql {
    /// `REGISTER STORAGE UNIT [IF NOT EXISTS] ..`, `ADD RESOURCE`.
    RegisterStorageUnit {
        if_not_exists: bool,
        units: Vec<StorageUnitDefinition>,
    },
    /// `ALTER STORAGE UNIT`.
    AlterStorageUnit {
        units: Vec<StorageUnitDefinition>,
    },
    /// `UNREGISTER STORAGE UNIT [IF EXISTS] a, b [IGNORE SINGLE, BROADCAST TABLES]`.
    UnregisterStorageUnit {
        if_exists: bool,
        names: Vec<String>,
        ignore_single_tables: bool,
        ignore_broadcast_tables: bool,
    },
    /// `SHOW STORAGE UNITS [FROM db] [LIKE ..]`, also `WHERE USAGE_COUNT = n`.
    ShowStorageUnits {
        database: Option<String>,
        like: Option<String>,
        usage_count: Option<u64>,
    },
    /// `SHOW RULES USED STORAGE UNIT u [FROM db]`.
    ShowRulesUsedStorageUnit {
        unit: String,
        database: Option<String>,
    },
    CreateShardingTableRule {
        if_not_exists: bool,
        rules: Vec<ShardingTableRuleDefinition>,
    },
    AlterShardingTableRule {
        rules: Vec<ShardingTableRuleDefinition>,
    },
    DropShardingTableRule {
        if_exists: bool,
        tables: Vec<String>,
    },
    /// `SHOW SHARDING TABLE RULES` or `RULE t`.
    ShowShardingTableRules {
        table: Option<String>,
        database: Option<String>,
    },
    /// `SHOW SHARDING TABLE NODES [t]`.
    ShowShardingTableNodes {
        table: Option<String>,
        database: Option<String>,
    },
    /// `SHOW SHARDING TABLE RULES USED ALGORITHM|KEY GENERATOR|AUDITOR n`.
    ShowShardingTableRulesUsed {
        role: AlgorithmRole,
        name: String,
        database: Option<String>,
    },
    /// `CREATE SHARDING TABLE REFERENCE RULE [IF NOT EXISTS] n (a, b), ..`; older:
    /// `CREATE SHARDING BINDING TABLE RULES (a, b), ..`.
    CreateShardingTableReferenceRule {
        if_not_exists: bool,
        rules: Vec<ReferenceDefinition>,
    },
    /// `ALTER SHARDING TABLE REFERENCE RULE n (a, b), ..`.
    AlterShardingTableReferenceRule {
        rules: Vec<ReferenceDefinition>,
    },
    /// `DROP SHARDING TABLE REFERENCE RULE [IF EXISTS] n, ..`.
    DropShardingTableReferenceRule {
        if_exists: bool,
        names: Vec<String>,
    },
    /// `SHOW SHARDING TABLE REFERENCE RULES` or `RULE n`.
    ShowShardingTableReferenceRules {
        name: Option<String>,
        database: Option<String>,
    },
    /// `CREATE DEFAULT SHARDING DATABASE|TABLE STRATEGY [IF NOT EXISTS] (..)`.
    CreateDefaultShardingStrategy {
        level: StrategyLevel,
        if_not_exists: bool,
        strategy: StrategyDefinition,
    },
    AlterDefaultShardingStrategy {
        level: StrategyLevel,
        strategy: StrategyDefinition,
    },
    DropDefaultShardingStrategy {
        level: StrategyLevel,
        if_exists: bool,
    },
    ShowDefaultShardingStrategy {
        database: Option<String>,
    },
    /// `CREATE SHARDING ALGORITHM|KEY GENERATOR|AUDITOR [IF NOT EXISTS] n (TYPE(..)), ..`.
    CreateShardingAlgorithm {
        role: AlgorithmRole,
        if_not_exists: bool,
        algorithms: Vec<(String, AlgorithmDefinition)>,
    },
    AlterShardingAlgorithm {
        role: AlgorithmRole,
        algorithms: Vec<(String, AlgorithmDefinition)>,
    },
    DropShardingAlgorithm {
        role: AlgorithmRole,
        if_exists: bool,
        names: Vec<String>,
    },
    /// `SHOW [UNUSED] SHARDING ALGORITHMS|KEY GENERATORS|AUDITORS`.
    ShowShardingAlgorithms {
        role: AlgorithmRole,
        is_unused_only: bool,
        database: Option<String>,
    },
    /// `SHOW SHARDING ALGORITHM PLUGINS`, `SHOW KEY GENERATE ALGORITHM PLUGINS`.
    ShowShardingAlgorithmPlugins {
        role: AlgorithmRole,
    },
    /// `COUNT SHARDING RULE`.
    CountShardingRule {
        database: Option<String>,
    },
    /// `CREATE BROADCAST TABLE RULE [IF NOT EXISTS] a, b`; older: `CREATE SHARDING BROADCAST TABLE
    /// RULES (a, b)`.
    CreateBroadcastTableRule {
        if_not_exists: bool,
        tables: Vec<String>,
    },
    /// `ALTER SHARDING BROADCAST TABLE RULES (a, b)`: these tables and no others.
    AlterBroadcastTableRule {
        tables: Vec<String>,
    },
    /// `DROP BROADCAST TABLE RULE [IF EXISTS] a, b`; without tables all of them (older form).
    DropBroadcastTableRule {
        if_exists: bool,
        tables: Vec<String>,
    },
    ShowBroadcastTableRules {
        database: Option<String>,
    },
    CountBroadcastRule {
        database: Option<String>,
    },
    CreateReadwriteSplittingRule {
        if_not_exists: bool,
        rules: Vec<ReadwriteSplittingDefinition>,
    },
    AlterReadwriteSplittingRule {
        rules: Vec<ReadwriteSplittingDefinition>,
    },
    DropReadwriteSplittingRule {
        if_exists: bool,
        names: Vec<String>,
    },
    /// `SHOW READWRITE_SPLITTING RULES` or `RULE n`.
    ShowReadwriteSplittingRules {
        name: Option<String>,
        database: Option<String>,
    },
    /// `SHOW STATUS FROM READWRITE_SPLITTING RULES` or `RULE n`.
    ShowReplicaStatus {
        name: Option<String>,
        database: Option<String>,
    },
    /// `ALTER READWRITE_SPLITTING RULE [n] ENABLE|DISABLE unit`.
    SwitchReplica {
        rule: Option<String>,
        unit: String,
        is_enabled: bool,
        database: Option<String>,
    },
    CountReadwriteSplittingRule {
        database: Option<String>,
    },
    /// `SHOW LOAD BALANCE ALGORITHM PLUGINS`.
    ShowLoadBalancerPlugins,
    /// What the session says of all its reads.
    ReadwriteSplittingHint(ReadwriteSplittingHint),
    /// `SHOW SINGLE TABLES [LIKE ..]`, `SHOW SINGLE TABLE t`.
    ShowSingleTables {
        like: Option<String>,
        table: Option<String>,
        database: Option<String>,
    },
    /// `LOAD SINGLE TABLE ds.t, ..`; each item as written, parts joined by `.`.
    LoadSingleTable {
        items: Vec<String>,
    },
    /// `UNLOAD SINGLE TABLE t, ..`, `*` for all.
    UnloadSingleTable {
        tables: Vec<String>,
    },
    SetDefaultSingleTableStorageUnit {
        unit: Option<String>,
    },
    ShowDefaultSingleTableStorageUnit {
        database: Option<String>,
    },
    /// `SHOW UNLOADED SINGLE TABLES [FROM db]`.
    ShowUnloadedSingleTables {
        database: Option<String>,
    },
    /// `COUNT SINGLE TABLE`, `COUNT SINGLE_TABLE RULE`.
    CountSingleTable {
        database: Option<String>,
    },
    /// `REFRESH DATABASE METADATA [db]`, `REFRESH TABLE METADATA [t]`.
    RefreshMetadata {
        database: Option<String>,
        table: Option<String>,
    },
    /// `SET DIST VARIABLE name = value`.
    SetDistVariable {
        name: String,
        value: String,
    },
    /// `SHOW DIST VARIABLES [LIKE ..]`, `SHOW DIST VARIABLE WHERE NAME = x`.
    ShowDistVariables {
        name: Option<String>,
        like: Option<String>,
    },
    /// `PREVIEW sql`: the rest of the text. `EXPLAIN ROUTE sql` tells the reason, too.
    Preview {
        sql: String,
        span: Span,
        with_reason: bool,
    },
    /// `SHOW AUTHORITY RULE`.
    ShowAuthorityRule,
    /// `SHOW COMPUTE NODE MODE`, `SHOW COMPUTE NODES`, `SHOW COMPUTE NODE INFO`.
    ShowComputeNodes {
        what: &'static str,
    },
    /// A statement of the inventory that has no meaning yet: its leading words in upper case,
    /// e.g. `CREATE ENCRYPT RULE`. It is refused by name rather than as a syntax error.
    Unsupported {
        words: String,
    },
}

/// One unit of REGISTER/ALTER.
#[derive(Debug, Clone, PartialEq)]
pub struct StorageUnitDefinition {
    /// Its name.
    pub name: String,
    /// Host name or address.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// The database on that server.
    pub database: String,
    /// `URL="jdbc:mysql://.."` parameters behind `?`, empty for the HOST form.
    pub url_parameters: BTreeMap<String, String>,
    /// Who logs in.
    pub user: String,
    /// With what.
    pub password: String,
    /// Pool properties.
    pub properties: Properties,
}

/// `TYPE(NAME=.., PROPERTIES(..))`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlgorithmDefinition {
    /// The type name as written.
    pub name: String,
    /// Its properties.
    pub properties: Properties,
}

/// One group of CREATE/ALTER READWRITE_SPLITTING RULE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadwriteSplittingDefinition {
    /// Its name.
    pub name: String,
    /// `WRITE_STORAGE_UNIT`; empty with [`ReadwriteSplittingDefinition::discovery`].
    pub write_unit: String,
    /// `READ_STORAGE_UNITS`.
    pub read_units: Vec<String>,
    /// `AUTO_AWARE_RESOURCE`: the rule of database discovery that knows the units.
    pub discovery: Option<String>,
    /// `TRANSACTIONAL_READ_QUERY_STRATEGY`, as written.
    pub transactional_reads: Option<String>,
    /// `TYPE(..)`.
    pub load_balancer: Option<AlgorithmDefinition>,
}

/// `SET|SHOW|CLEAR READWRITE_SPLITTING HINT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadwriteSplittingHint {
    /// `SOURCE = auto|write`.
    Set {
        /// All reads of the session go to the primary.
        to_primary: bool,
    },
    /// `STATUS`.
    Show,
    /// Back to auto.
    Clear,
}

/// What a named algorithm of the sharding rule is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlgorithmRole {
    /// Places rows.
    Sharding,
    /// Makes values of a column.
    KeyGenerator,
    /// Lets statements pass or not.
    Auditor,
}

/// What a default strategy chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrategyLevel {
    /// The storage unit.
    Database,
    /// The actual table.
    Table,
}

/// One group of CREATE/ALTER SHARDING TABLE REFERENCE RULE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceDefinition {
    /// Its name; older dialects give none.
    pub name: Option<String>,
    /// The tables of the group.
    pub tables: Vec<String>,
}

/// One table of CREATE/ALTER SHARDING TABLE RULE.
#[derive(Debug, Clone, PartialEq)]
pub struct ShardingTableRuleDefinition {
    /// The logical table.
    pub table: String,
    /// Auto table or explicit nodes.
    pub layout: ShardingLayout,
    /// `KEY_GENERATE_STRATEGY(COLUMN=.., TYPE(..))`.
    pub key_generator: Option<(String, AlgorithmDefinition)>,
    /// `AUDIT_STRATEGY(.., ALLOW_HINT_DISABLE=..)`.
    pub audit: Option<(Vec<AlgorithmDefinition>, bool)>,
}

/// How a sharded table is laid out.
#[derive(Debug, Clone, PartialEq)]
pub enum ShardingLayout {
    /// `STORAGE_UNITS(..), SHARDING_COLUMN=c, TYPE(..)`.
    Auto { units: Vec<String>, column: String, algorithm: AlgorithmDefinition },
    /// `DATANODES(..) [, DATABASE_STRATEGY(..)] [, TABLE_STRATEGY(..)]`.
    Explicit {
        /// Row expressions.
        data_nodes: Vec<String>,
        /// By what the unit is chosen.
        database_strategy: Option<StrategyDefinition>,
        /// By what the table is chosen.
        table_strategy: Option<StrategyDefinition>,
    },
}

/// `TYPE=.., SHARDING_COLUMN(S)=.., SHARDING_ALGORITHM(..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct StrategyDefinition {
    /// `STANDARD`, `COMPLEX`, `HINT`, `NONE`, in upper case.
    pub kind: String,
    /// Sharding columns.
    pub columns: Vec<String>,
    /// The algorithm.
    pub algorithm: Option<AlgorithmDefinition>,
}
