//! Registering, altering and reading real storage units.
#![expect(clippy::unwrap_used, reason = "a test may fail by it")]

use admin::{
    AdminContext, AdminOutcome, NodeInfo, create_database, execute, logical_show, metadata,
};
use governance::Governance;
use governance::yaml::ConfigFiles;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::Placement;
use sql::ast::{CreateDatabase, Ident};
use testkit::{Client, DatabaseServer, Endpoint, ServerOptions, start_mariadbs, start_mysql};

/// A node with an empty logical database `logical`.
struct Node {
    governance: Governance,
    info: NodeInfo,
}

impl Node {
    fn new() -> Self {
        let files = ConfigFiles::default();
        let governance = Governance::in_memory(&[], &files).unwrap().governance;
        let node = Self { governance, info: NodeInfo::default() };
        let name = Ident { value: "logical".to_owned(), span: sql::Span::default() };
        let statement = CreateDatabase { if_not_exists: false, name };
        create_database(&statement, &node.context()).unwrap();
        node
    }

    fn context(&self) -> AdminContext<'_> {
        AdminContext {
            governance: &self.governance,
            current_database: Some("logical"),
            permitted: None,
            in_transaction: false,
            cached_connections: 0,
            node: &self.info,
        }
    }

    async fn run(&self, text: &str) -> Result<AdminOutcome, StatementError> {
        let mode = sql::SqlMode::default();
        let statement = sql::distsql::parse(text.as_bytes(), mode).unwrap().unwrap();
        execute(&statement, &self.context()).await
    }

    /// Registers a server's database `actual` under a name.
    async fn register(&self, name: &str, server: &DatabaseServer) {
        let port = server.port();
        let text = format!(
            "REGISTER STORAGE UNIT {name} (URL='jdbc:mysql://127.0.0.1:{port}/actual', \
             USER='test', PASSWORD='test', PROPERTIES('maxPoolSize'=5))"
        );
        assert_eq!(self.run(&text).await, Ok(AdminOutcome::Ok { affected: 0, note: None }));
    }

    fn tables(&self) -> Vec<String> {
        let snapshot = self.governance.current();
        let table =
            logical_show::show_tables(&snapshot, None, Some("logical"), false, None).unwrap();
        first_column(&table)
    }

    async fn refresh(&self, table: &str) -> Result<(), StatementError> {
        metadata::refresh_after_ddl(&self.governance, "logical", &[table.to_owned()]).await
    }
}

fn first_column(table: &TextTable) -> Vec<String> {
    table.rows.iter().map(|row| row[0].clone().unwrap()).collect()
}

fn options() -> ServerOptions {
    ServerOptions { databases: vec!["actual".to_owned()], ..ServerOptions::default() }
}

fn client(server: &DatabaseServer) -> Client {
    Client::new(Endpoint::new(server.address(), "test", "test", "actual"))
}

const TABLE: &str = "CREATE TABLE t (id INT UNSIGNED AUTO_INCREMENT, c CHAR(9) NOT NULL DEFAULT '', \
                     PRIMARY KEY (id), UNIQUE KEY by_c (c, id))";

async fn reads_a_unit(server: &DatabaseServer, version: &str) {
    let mut direct = client(server);
    direct.must(TABLE).await;
    direct.must("CREATE VIEW v AS SELECT SUM(id) AS total FROM t").await;
    direct.must("CREATE TABLE `it's` (x INT)").await;
    let node = Node::new();
    node.register("ds_0", server).await;
    assert_eq!(node.tables(), ["it's", "t", "v"]);
    let database = node.governance.current().databases["logical"].clone();
    let read = &database.unit_metadata[&database.units[0].id];
    assert!(read.server_version.contains(version), "{}", read.server_version);
    let t = read.tables["t"].clone();
    let columns: Vec<_> = t.columns.iter().map(|c| (&*c.name, &*c.data_type)).collect();
    assert_eq!(columns, [("id", "int"), ("c", "char")]);
    assert!(t.columns[0].is_unsigned() && t.columns[0].is_auto_increment);
    assert!(t.columns[1].has_default && !t.columns[1].collation.is_empty());
    assert_eq!(
        (&t.primary_key[..], &t.unique_keys[..]),
        (&["id".into()][..], &[vec!["c".into(), "id".into()]][..])
    );
    assert!(read.tables["v"].is_view && !t.is_view);

    direct.must("ALTER TABLE t ADD COLUMN added INT").await;
    direct.must("DROP TABLE `it's`").await;
    node.refresh("t").await.unwrap();
    assert_eq!(node.tables(), ["it's", "t", "v"], "only what was named is read");
    let snapshot = node.governance.current();
    let t = snapshot.databases["logical"].find_table("t").unwrap().metadata.clone().unwrap();
    assert_eq!(t.columns.len(), 3);
    node.refresh("it's").await.unwrap();
    assert_eq!(node.tables(), ["t", "v"]);
    direct.must("CREATE TABLE later (x INT)").await;
    node.run("REFRESH DATABASE METADATA").await.unwrap();
    assert_eq!(node.tables(), ["later", "t", "v"]);
}

#[tokio::test]
async fn a_mariadb_unit_is_read() {
    let servers = start_mariadbs(1, &options());
    reads_a_unit(&servers[0], "MariaDB").await;
}

#[tokio::test]
async fn a_mysql_unit_is_read() {
    let Some(server) = start_mysql(&options()) else {
        println!("skipped: no folder with a MySQL server is named");
        return;
    };
    reads_a_unit(&server, "9.").await;
}

#[tokio::test]
async fn what_cannot_be_used_is_not_registered() {
    let servers = start_mariadbs(1, &options());
    let port = servers[0].port();
    let node = Node::new();
    node.register("ds_0", &servers[0]).await;
    let before = node.governance.current();
    let unit = |name: &str, database: &str, password: &str| {
        format!(
            "{name} (HOST='127.0.0.1', PORT={port}, DB='{database}', USER='test', \
             PASSWORD='{password}')"
        )
    };
    for text in [
        format!("REGISTER STORAGE UNIT {}", unit("bad", "actual", "hidden-word")),
        format!("REGISTER STORAGE UNIT {}", unit("bad", "no_such_database", "test")),
        format!(
            "REGISTER STORAGE UNIT {}, {}",
            unit("good", "actual", "test"),
            unit("bad", "actual", "hidden-word")
        ),
        format!("ALTER STORAGE UNIT {}", unit("ds_0", "actual", "hidden-word")),
    ] {
        let error = node.run(&text).await.unwrap_err();
        assert_eq!((error.code, error.sqlstate), (10110, "08000"), "{}", error.message);
        assert!(error.message.contains("'bad'") || error.message.contains("'ds_0'"));
        assert!(!error.message.contains("hidden-word"), "{}", error.message);
    }
    assert_eq!(node.governance.current().version, before.version);
    let alter = format!("ALTER STORAGE UNIT {}", unit("ds_0", "actual", "test"));
    node.run(&alter).await.unwrap();
    let after = node.governance.current();
    assert_eq!(after.databases["logical"].units[0].config.pool.max_size, 50);
}

#[tokio::test]
async fn a_name_in_two_units_waits_for_a_choice() {
    let servers = start_mariadbs(2, &options());
    for server in &servers {
        client(server).must(TABLE).await;
    }
    let node = Node::new();
    node.register("ds_0", &servers[0]).await;
    node.register("ds_1", &servers[1]).await;
    let placement = |node: &Node| {
        node.governance.current().databases["logical"].find_table("t").unwrap().placement.clone()
    };
    assert!(matches!(placement(&node), Placement::Ambiguous(nodes) if nodes.len() == 2));
    node.run("LOAD SINGLE TABLE ds_1.t").await.unwrap();
    assert!(matches!(placement(&node), Placement::Single(node) if &*node.unit_name == "ds_1"));
    // The choice of a table that is gone from its unit must not hide the other one.
    client(&servers[1]).must("DROP TABLE t").await;
    node.refresh("t").await.unwrap();
    node.run("REFRESH TABLE METADATA").await.unwrap();
    assert!(matches!(placement(&node), Placement::Single(node) if &*node.unit_name == "ds_0"));
}

#[tokio::test]
async fn a_unit_that_is_down_keeps_what_was_known_and_is_read_later() {
    let mut servers = start_mariadbs(2, &options());
    client(&servers[0]).must("CREATE TABLE a (x INT)").await;
    client(&servers[1]).must("CREATE TABLE b (x INT)").await;
    let node = Node::new();
    node.register("ds_0", &servers[0]).await;
    node.register("ds_1", &servers[1]).await;
    client(&servers[0]).must("CREATE TABLE c (x INT)").await;
    servers[1].stop().unwrap();
    let error = node.run("REFRESH DATABASE METADATA").await.unwrap_err();
    assert_eq!(error.code, 10110);
    assert_eq!(node.tables(), ["a", "b", "c"]);

    // A node that starts meanwhile knows only the units that are up.
    let files = ConfigFiles {
        databases: node.governance.current().configuration.databases.clone(),
        ..ConfigFiles::default()
    };
    let governance = Governance::in_memory(&[], &files).unwrap().governance;
    let started = Node { governance, info: NodeInfo::default() };
    let failures = metadata::load_all(&started.governance).await;
    assert_eq!(failures.iter().map(|f| f.unit.as_str()).collect::<Vec<_>>(), ["ds_1"]);
    assert_eq!(started.tables(), ["a", "c"]);
    assert_eq!(metadata::load_missing(&started.governance).await.len(), 1);
    servers[1].restart().unwrap();
    assert_eq!(metadata::load_missing(&started.governance).await, []);
    assert_eq!(started.tables(), ["a", "b", "c"]);
}
