//! Storage units: the checks, and what becomes of the draft.

use super::*;
use crate::tests::{Node, metadata_of, unit_config};

fn definition(name: &str, port: u16, properties: &[(&str, &str)]) -> StorageUnitDefinition {
    StorageUnitDefinition {
        name: name.to_owned(),
        host: "127.0.0.1".to_owned(),
        port,
        database: "sbtest".to_owned(),
        url_parameters: Default::default(),
        user: "test".to_owned(),
        password: "hidden-word".to_owned(),
        properties: properties
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
    }
}

#[test]
fn definitions_are_checked_before_anything_is_connected() {
    let cases = [
        (vec![definition("x", 1, &[]), definition("x", 2, &[])], 10104, "'x'"),
        (vec![definition("x.y", 1, &[])], 10100, "'x.y'"),
        (vec![definition("x", 1, &[("maxPoolSize", "-1")])], 10100, "maxPoolSize"),
        (vec![definition("x", 0, &[])], 10100, "port 0"),
    ];
    for (definitions, code, text) in cases {
        let error = build_units(&definitions).unwrap_err();
        assert_eq!(error.code, code, "{}", error.message);
        assert!(error.message.contains(text), "{}", error.message);
    }
}

#[test]
fn a_name_is_taken_once() {
    let node = Node::with_units(&[&["t"]]);
    assert_eq!(node.code("REGISTER STORAGE UNIT a (HOST='h', PORT=1, DB='d', USER='u')"), 10104);
    let again = "REGISTER STORAGE UNIT IF NOT EXISTS a (HOST='h', PORT=1, DB='d', USER='u')";
    let before = node.governance.current();
    assert_eq!(node.run(again), Ok(AdminOutcome::DONE));
    assert!(Arc::ptr_eq(&before, &node.governance.current()));
}

#[test]
fn units_registered_by_another_session_meanwhile_are_seen() {
    let node = Node::with_units(&[&["t"]]);
    let unit = |name: &str, port| NamedUnit { name: name.to_owned(), config: unit_config(port) };
    let add = |units: &[NamedUnit], if_not_exists| {
        let read = units.iter().map(|_| Arc::new(metadata_of(&["new"]))).collect();
        node.governance.change("test", |draft| add_units(draft, "db", units, read, if_not_exists))
    };
    assert_eq!(add(&[unit("x", 1), unit("a", 2)], false).unwrap_err().code, 10104);
    assert_eq!(node.rows("SHOW STORAGE UNITS").len(), 1, "all or nothing");
    add(&[unit("x", 1), unit("a", 2)], true).unwrap();
    let database = node.governance.current().databases["db"].clone();
    assert_eq!(database.find_unit_named("a").unwrap().config.port, 3306, "left as it was");
    assert!(database.find_table("new").is_some(), "found in x");
    assert!(database.find_table("t").is_some());
}

#[test]
fn a_unit_that_cannot_be_reached_is_not_registered() {
    let node = Node::with_units(&[]);
    // Nothing listens on the port of a socket that was bound and closed again.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let text = format!(
        "REGISTER STORAGE UNIT x (HOST='127.0.0.1', PORT={port}, DB='d', USER='u', PASSWORD='hidden-word')"
    );
    let error = node.run(&text).unwrap_err();
    assert_eq!((error.code, error.sqlstate), (10110, "08000"), "{}", error.message);
    assert!(error.message.contains("'x'") && !error.message.contains("hidden-word"));
    assert!(node.rows("SHOW STORAGE UNITS").is_empty());
}

#[test]
fn alter_keeps_the_place() {
    let node = Node::with_units(&[&["t"]]);
    let another_port = "ALTER STORAGE UNIT a (HOST='127.0.0.1', PORT=1, DB='sbtest', USER='u')";
    let error = node.run(another_port).unwrap_err();
    assert_eq!(error.code, 10111);
    assert!(error.message.contains("127.0.0.1:3306/sbtest"), "{}", error.message);
    assert_eq!(node.code("ALTER STORAGE UNIT gone (HOST='h', PORT=1, DB='d', USER='u')"), 10102);

    let id = |node: &Node| node.governance.current().databases["db"].units[0].id;
    let before = id(&node);
    let units = build_units(&[definition("a", 3306, &[("maxPoolSize", "7")])]).unwrap();
    let read = vec![Arc::new(metadata_of(&["t", "u"]))];
    node.governance.change("test", |draft| replace_units(draft, "db", &units, read)).unwrap();
    assert_ne!(id(&node), before, "pools of the old configuration can be told apart");
    let database = node.governance.current().databases["db"].clone();
    assert_eq!(database.units[0].config.pool.max_size, 7);
    assert_eq!(database.tables.len(), 2);
}

#[test]
fn units_in_use_stay() {
    let node = Node::with_units(&[&["single"], &["t_user_1"], &[]]);
    node.run("CREATE SHARDING TABLE RULE t_user (STORAGE_UNITS(a,b), SHARDING_COLUMN=id, TYPE(NAME=MOD))")
        .unwrap();
    let error = node.run("UNREGISTER STORAGE UNIT c, b IGNORE SINGLE TABLES").unwrap_err();
    assert_eq!(error.code, 10103);
    assert!(error.message.contains("pair: t_user"), "{}", error.message);
    assert_eq!(node.rows("SHOW STORAGE UNITS").len(), 3, "all or nothing");
    assert_eq!(node.rows("SHOW RULES USED STORAGE UNIT a"), ["pair|t_user", "single|single"]);
    assert_eq!(node.code("SHOW RULES USED STORAGE UNIT gone"), 10102);
    assert_eq!(node.rows("SHOW STORAGE UNITS WHERE USAGE_COUNT = 0").len(), 1);

    let node = Node::with_units(&[&["single"], &[]]);
    node.run("LOAD SINGLE TABLE a.single").unwrap();
    node.run("SET DEFAULT SINGLE TABLE STORAGE UNIT = b").unwrap();
    assert_eq!(node.code("UNREGISTER STORAGE UNIT a"), 10103);
    assert_eq!(node.code("UNREGISTER STORAGE UNIT b"), 10103, "the default unit");
    assert_eq!(node.code("UNREGISTER STORAGE UNIT gone"), 10102);
    node.run("UNREGISTER STORAGE UNIT IF EXISTS gone, a, b IGNORE SINGLE TABLES").unwrap();
    let snapshot = node.governance.current();
    assert_eq!(snapshot.configuration.databases["db"], DatabaseConfig::default());
    assert!(snapshot.databases["db"].tables.is_empty());
}

#[test]
fn passwords_never_show() {
    let node = Node::with_units(&[&[]]);
    let properties = [("trustCertificateKeyStorePassword", "hidden-word"), ("useSSL", "true")];
    let units = build_units(&[definition("x", 1, &properties)]).unwrap();
    let read = vec![Arc::new(metadata_of(&[]))];
    node.governance.change("test", |draft| add_units(draft, "db", &units, read, false)).unwrap();
    assert_eq!(
        node.rows("SHOW STORAGE UNITS"),
        [
            "a|MySQL|127.0.0.1|3306|sbtest|30000|60000|1800000|50|1|false|{}",
            "x|MySQL|127.0.0.1|1|sbtest|30000|60000|1800000|50|1|false|\
             {\"trustCertificateKeyStorePassword\":\"***\",\"useSSL\":\"true\"}",
        ]
    );
    assert_eq!(node.rows("SHOW STORAGE UNITS LIKE 'x%'").len(), 1);
}
