//! What the tests of this crate share, and the statements that need no storage unit.

use std::collections::BTreeMap;
use std::sync::Arc;

use governance::Governance;
use governance::yaml::ConfigFiles;
use kernel::config::{DatabaseConfig, NamedUnit};
use kernel::feature::{CatalogStage, DistSqlContext, DistSqlOutcome, Feature, FeatureEntry};
use kernel::model::{
    BackendTls, ColumnMetadata, DataNode, Placement, PoolConfig, Secret, StorageUnit,
    StorageUnitConfig, TableMetadata,
};
use kernel::snapshot::UnitMetadata;
use sql::SqlMode;
use sql::ast::{CreateDatabase, DropDatabase, Ident};

use super::*;

/// A feature with one table `t_user`, as soon as a table rule was created, on units `a` and `b`.
const PAIR: &[FeatureEntry] = &[FeatureEntry {
    name: "pair",
    rule_key: "PAIR",
    from_yaml: |rule| Ok(rule.clone()),
    groups: None,
    build: build_pair,
    distsql: pair_distsql,
}];

fn pair_distsql(
    statement: &DistSql,
    context: &mut DistSqlContext<'_>,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    Some(Ok(match statement {
        DistSql::CreateShardingTableRule { .. } => {
            context.config.rules.insert("PAIR".to_owned(), serde_json::json!({}));
            DistSqlOutcome::Changed
        }
        DistSql::DropShardingTableRule { .. } => {
            context.config.rules.remove("PAIR");
            DistSqlOutcome::Unchanged
        }
        DistSql::CountShardingRule { .. } => DistSqlOutcome::Rows(TextTable {
            columns: vec!["database".to_owned()],
            rows: vec![vec![Some(context.current.name.to_string())]],
        }),
        DistSql::ShowShardingAlgorithmPlugins { .. } => DistSqlOutcome::Rows(TextTable::default()),
        _ => return None,
    }))
}

type Tables = Vec<(Arc<str>, Arc<[DataNode]>)>;

#[derive(Debug)]
struct PairCatalog(Tables);

impl CatalogStage for PairCatalog {
    fn tables(&self) -> Vec<(Arc<str>, Placement)> {
        let placed = |(name, nodes): &(Arc<str>, Arc<[DataNode]>)| {
            (name.clone(), Placement::Sharded(nodes.clone()))
        };
        self.0.iter().map(placed).collect()
    }
}

fn build_pair(_: &serde_json::Value, units: &[StorageUnit]) -> Result<Feature, StatementError> {
    let node = |(index, name): (usize, &str)| {
        let unit = units.iter().find(|unit| &*unit.name == name);
        unit.map(|unit| DataNode {
            unit: unit.id,
            unit_name: Arc::clone(&unit.name),
            actual_table: format!("t_user_{index}").into(),
        })
        .ok_or_else(|| StatementError::new(10102, "42S02", "a unit is missing"))
    };
    let nodes = ["a", "b"].into_iter().enumerate().map(node).collect::<Result<Vec<_>, _>>()?;
    let catalog: Arc<dyn CatalogStage> =
        Arc::new(PairCatalog(vec![("t_user".into(), nodes.into())]));
    Ok(Feature { name: "pair", catalog: Some(catalog), route: None })
}

pub(crate) fn unit_config(port: u16) -> StorageUnitConfig {
    StorageUnitConfig {
        host: "127.0.0.1".to_owned(),
        port,
        database: "sbtest".to_owned(),
        user: "test".to_owned(),
        password: Secret("hidden-word".to_owned()),
        tls: BackendTls::Disabled,
        pool: PoolConfig::default(),
        other_properties: BTreeMap::new(),
    }
}

pub(crate) fn metadata_of(tables: &[&str]) -> UnitMetadata {
    let column = ColumnMetadata {
        name: "id".to_owned(),
        data_type: "int".to_owned(),
        column_type: "int".to_owned(),
        collation: String::new(),
        is_nullable: false,
        is_auto_increment: false,
        has_default: false,
        is_invisible: false,
    };
    let table = |name: &&str| {
        let metadata = TableMetadata {
            name: (*name).to_owned(),
            is_view: name.starts_with("v_"),
            columns: vec![column.clone()],
            primary_key: vec!["id".to_owned()],
            unique_keys: vec![],
        };
        ((*name).to_owned(), Arc::new(metadata))
    };
    UnitMetadata {
        server_version: "10.11.6-MariaDB".to_owned(),
        tables: tables.iter().map(table).collect(),
    }
}

/// A node with a database `db`, whose units `a`, `b`, .. have these tables.
pub(crate) struct Node {
    pub(crate) governance: Governance,
    info: NodeInfo,
}

impl Node {
    pub(crate) fn with_units(units: &[&[&str]]) -> Self {
        let opened = Governance::in_memory(PAIR, &ConfigFiles::default()).unwrap();
        let mut config = DatabaseConfig::default();
        let mut readings = BTreeMap::new();
        for (index, tables) in units.iter().enumerate() {
            let name = char::from(b'a' + index as u8).to_string();
            let unit = NamedUnit { name: name.clone(), config: unit_config(3306 + index as u16) };
            config.units.push(unit);
            readings.insert(("db".to_owned(), name), Arc::new(metadata_of(tables)));
        }
        opened
            .governance
            .change("test", |draft| {
                draft.configuration.databases.insert("db".to_owned(), config);
                draft.readings = readings;
                Ok(())
            })
            .unwrap();
        let info = NodeInfo {
            id: "node-1".to_owned(),
            host: "127.0.0.1".to_owned(),
            port: 3307,
            version: "0.1.0".to_owned(),
        };
        Self { governance: opened.governance, info }
    }

    pub(crate) fn context(&self) -> AdminContext<'_> {
        AdminContext {
            governance: &self.governance,
            current_database: Some("db"),
            permitted: None,
            in_transaction: false,
            cached_connections: 2,
            node: &self.info,
        }
    }

    /// Executes a text in the database `db`.
    pub(crate) fn run(&self, text: &str) -> Result<AdminOutcome, StatementError> {
        run_in(self.context(), text)
    }

    /// The rows of a text, each as its cells joined by `|`.
    pub(crate) fn rows(&self, text: &str) -> Vec<String> {
        match self.run(text).unwrap() {
            AdminOutcome::Rows(table) => lines(&table),
            other => panic!("{text}: {other:?}"),
        }
    }

    /// The error number of a text.
    pub(crate) fn code(&self, text: &str) -> u16 {
        self.run(text).unwrap_err().code
    }
}

pub(crate) fn lines(table: &TextTable) -> Vec<String> {
    let cell = |cell: &Option<String>| cell.clone().unwrap_or_else(|| "NULL".to_owned());
    table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("|")).collect()
}

pub(crate) fn run_in(
    context: AdminContext<'_>,
    text: &str,
) -> Result<AdminOutcome, StatementError> {
    let statement = sql::distsql::parse(text.as_bytes(), SqlMode::default()).unwrap().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(execute(&statement, &context))
}

fn ident(name: &str) -> Ident {
    Ident { value: name.to_owned(), span: sql::Span::default() }
}

#[test]
fn databases_are_created_and_dropped() {
    let node = Node::with_units(&[]);
    let context = node.context();
    let create = |name: &str, if_not_exists| {
        create_database(&CreateDatabase { if_not_exists, name: ident(name) }, &context)
    };
    let drop = |name: &str, if_exists| {
        drop_database(&DropDatabase { if_exists, name: ident(name) }, &context)
    };
    assert_eq!(create("x", false), Ok(AdminOutcome::Ok { affected: 1, note: None }));
    assert_eq!(create("x", false).unwrap_err().code, 1007);
    let Ok(AdminOutcome::Ok { note: Some(note), .. }) = create("x", true) else { panic!() };
    assert_eq!((note.code, &*note.message), (1007, "Can't create database 'x'; database exists"));
    assert_eq!(create("MySQL", false).unwrap_err().code, 1007);
    assert_eq!(create(&"x".repeat(65), false).unwrap_err().code, 1059);
    assert_eq!(create("x ", false).unwrap_err().code, 1102);
    assert_eq!(drop("x", false), Ok(AdminOutcome::DONE));
    assert_eq!(drop("x", false).unwrap_err().code, 1008);
    let Ok(AdminOutcome::Ok { note: Some(note), .. }) = drop("x", true) else { panic!() };
    assert_eq!(note.code, 1008);
    assert_eq!(drop("mysql", true).unwrap_err().code, 3552);
    let permitted = ["db".to_owned()];
    let limited = AdminContext { permitted: Some(&permitted), ..context };
    let statement = CreateDatabase { if_not_exists: false, name: ident("y") };
    assert_eq!(create_database(&statement, &limited).unwrap_err().code, 1044);
}

#[test]
fn statements_need_a_database_the_user_may_use() {
    let node = Node::with_units(&[&[]]);
    let nowhere = AdminContext { current_database: None, ..node.context() };
    let permitted = ["other".to_owned()];
    let elsewhere = AdminContext { permitted: Some(&permitted), ..node.context() };
    for text in [
        "SHOW STORAGE UNITS",
        "SHOW SINGLE TABLES",
        "COUNT SHARDING RULE",
        "UNLOAD SINGLE TABLE *",
        "SHOW DEFAULT SINGLE TABLE STORAGE UNIT",
        "REFRESH DATABASE METADATA",
        "REGISTER STORAGE UNIT x (HOST='h', PORT=1, DB='d', USER='u')",
        "ALTER STORAGE UNIT x (HOST='h', PORT=1, DB='d', USER='u')",
    ] {
        assert_eq!(run_in(nowhere, text).unwrap_err().code, 1046, "{text}");
        assert_eq!(run_in(elsewhere, text).unwrap_err().code, 1044, "{text}");
    }
    assert_eq!(node.code("SHOW STORAGE UNITS FROM gone"), 1049);
    assert_eq!(node.code("COUNT SHARDING RULE FROM gone"), 1049);
    assert!(run_in(nowhere, "SHOW SHARDING ALGORITHM PLUGINS").is_ok());
    assert!(run_in(nowhere, "SHOW STORAGE UNITS FROM db").is_ok());
}

#[test]
fn statements_of_features_go_to_the_features() {
    let node = Node::with_units(&[&["t_user_0"], &["t_user_1"]]);
    assert_eq!(node.rows("COUNT SHARDING RULE"), ["db"]);
    let before = node.governance.current();
    let rule = "CREATE SHARDING TABLE RULE t_user (STORAGE_UNITS(a,b), SHARDING_COLUMN=id, \
                TYPE(NAME='MOD',PROPERTIES('sharding-count'=2)))";
    let in_transaction = AdminContext { in_transaction: true, ..node.context() };
    assert_eq!(run_in(in_transaction, rule).unwrap_err().code, 30001);
    assert!(run_in(in_transaction, "COUNT SHARDING RULE").is_ok());
    assert_eq!(node.run(rule), Ok(AdminOutcome::DONE));
    let after = node.governance.current();
    assert_eq!(after.version, before.version + 1);
    assert_eq!(after.databases["db"].tables.len(), 1, "the actual tables are hidden");
    assert!(after.databases["db"].find_table("t_user").unwrap().metadata.is_some());
    // The made-up feature removes its rule and says that nothing changed.
    assert_eq!(node.run("DROP SHARDING TABLE RULE t_user"), Ok(AdminOutcome::DONE));
    assert!(Arc::ptr_eq(&after, &node.governance.current()));
    assert_eq!(node.code("SHOW SHARDING ALGORITHMS"), 30001);
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let node = Node::with_units(&[]);
    let error = node.run("CREATE ENCRYPT RULE t (COLUMNS())").unwrap_err();
    assert_eq!(error.code, 30001);
    assert!(error.message.contains("CREATE ENCRYPT RULE"), "{}", error.message);
}

#[test]
fn variables_are_shown_checked_and_kept() {
    let node = Node::with_units(&[]);
    assert_eq!(node.rows("SHOW DIST VARIABLE WHERE NAME = sql_show"), ["sql_show|false"]);
    assert_eq!(node.run("SET DIST VARIABLE sql_show = TRUE"), Ok(AdminOutcome::DONE));
    assert_eq!(node.rows("SHOW DIST VARIABLE WHERE NAME = sql_show"), ["sql_show|true"]);
    assert_eq!(node.governance.current().configuration.properties["sql-show"], "true");
    assert_eq!(
        node.rows("SHOW DIST VARIABLES LIKE 'sql%'"),
        ["sql_federation_type|NONE", "sql_show|true", "sql_simple|false"]
    );
    let all = node.rows("SHOW DIST VARIABLES");
    assert!(all.contains(&"cached_connections|2".to_owned()), "{all:?}");
    assert!(all.is_sorted());
    assert_eq!(node.code("SET DIST VARIABLE sql_shout = 1"), 12010);
    assert_eq!(node.code("SHOW DIST VARIABLE WHERE NAME = sql_shout"), 12010);
    assert_eq!(node.code("SET DIST VARIABLE sql_show = 7"), 12011);
    assert_eq!(node.code("SET DIST VARIABLE cached_connections = 7"), 12011);
    assert_eq!(node.code("SET DIST VARIABLE transaction_type = 'XA'"), 30001);
    assert!(node.run("SET DIST VARIABLE transaction_type = 'LOCAL'").is_ok());
}

#[test]
fn the_node_and_its_users_are_shown() {
    let node = Node::with_units(&[]);
    assert_eq!(
        node.rows("SHOW COMPUTE NODES"),
        ["node-1|PROXY|127.0.0.1|3307|OK|Standalone|0||0.1.0|"]
    );
    assert_eq!(
        node.rows("SHOW COMPUTE NODE INFO"),
        ["node-1|127.0.0.1|3307|OK|Standalone|0||0.1.0"]
    );
    assert_eq!(node.rows("SHOW COMPUTE NODE MODE"), ["Standalone|redb|"]);
    assert_eq!(node.rows("SHOW AUTHORITY RULE"), ["root@%|ALL_PERMITTED|"]);
    node.governance
        .change("test", |draft| {
            let names = Some(vec!["db".to_owned()]);
            draft
                .configuration
                .users
                .push(governance::users::user_with_password("app", "10.%", "x", names));
            Ok(())
        })
        .unwrap();
    assert_eq!(
        node.rows("SHOW AUTHORITY RULE"),
        [
            r#"root@%, app@10.%|DATABASE_PERMITTED|{"user-database-mappings":"root@%=*, app@10.%=db"}"#
        ]
    );
}

#[test]
fn single_tables_are_chosen_hidden_and_shown() {
    let node = Node::with_units(&[&["both", "only_a", "t_user_0"], &["both", "t_user_1"]]);
    node.run("CREATE SHARDING TABLE RULE t_user (STORAGE_UNITS(a,b), SHARDING_COLUMN=id, TYPE(NAME=MOD))")
        .unwrap();
    assert_eq!(node.rows("SHOW SINGLE TABLES"), ["both|a", "both|b", "only_a|a"]);
    assert_eq!(node.rows("SHOW SINGLE TABLES LIKE 'only%'"), ["only_a|a"]);
    node.run("LOAD SINGLE TABLE b.both").unwrap();
    assert_eq!(node.rows("SHOW SINGLE TABLE both"), ["both|b"]);
    node.run("UNLOAD SINGLE TABLE both, only_a").unwrap();
    assert!(node.rows("SHOW SINGLE TABLES").is_empty());
    node.run("LOAD SINGLE TABLE a.*").unwrap();
    assert!(node.rows("SHOW SINGLE TABLES").is_empty(), "hidden by name");
    node.run("LOAD SINGLE TABLE *.*").unwrap();
    assert_eq!(node.rows("SHOW SINGLE TABLES"), ["both|a", "only_a|a"]);
    for (text, code) in [
        ("LOAD SINGLE TABLE gone.both", 10102),
        ("LOAD SINGLE TABLE a.gone", 1146),
        ("LOAD SINGLE TABLE a.t_user_0", 10204),
        ("LOAD SINGLE TABLE a.b.c", 10200),
        ("LOAD SINGLE TABLE *.both", 10200),
        ("UNLOAD SINGLE TABLE gone", 1146),
        ("UNLOAD SINGLE TABLE t_user", 1146),
        ("SET DEFAULT SINGLE TABLE STORAGE UNIT = gone", 10102),
    ] {
        assert_eq!(node.code(text), code, "{text}");
    }
    assert_eq!(node.rows("SHOW DEFAULT SINGLE TABLE STORAGE UNIT"), ["RANDOM"]);
    node.run("SET DEFAULT SINGLE TABLE STORAGE UNIT = b").unwrap();
    assert_eq!(node.rows("SHOW DEFAULT SINGLE TABLE STORAGE UNIT"), ["b"]);
    let database = node.governance.current().databases["db"].clone();
    assert_eq!(database.default_unit, Some(database.find_unit_named("b").unwrap().id));
    node.run("SET DEFAULT SINGLE TABLE STORAGE UNIT = RANDOM").unwrap();
    assert_eq!(node.rows("SHOW DEFAULT SINGLE TABLE STORAGE UNIT"), ["RANDOM"]);
}
