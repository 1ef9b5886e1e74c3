//! DistSQL of broadcast tables: what is changed, refused, shown and built.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::config::NamedUnit;
use kernel::model::{
    BackendTls, DataNode, LogicalTable, PoolConfig, Secret, StorageUnit, StorageUnitConfig, UnitId,
};
use sql::SqlMode;

use super::*;

fn unit(name: &str, database: &str) -> NamedUnit {
    NamedUnit {
        name: name.to_owned(),
        config: StorageUnitConfig {
            host: "127.0.0.1".to_owned(),
            port: 3306,
            database: database.to_owned(),
            user: "u".to_owned(),
            password: Secret(String::new()),
            tls: BackendTls::Disabled,
            pool: PoolConfig::default(),
            other_properties: BTreeMap::new(),
        },
    }
}

fn run(config: &mut DatabaseConfig, text: &str) -> String {
    let Some(Ok(statement)) = sql::distsql::parse(text.as_bytes(), SqlMode::default()) else {
        panic!("{text}")
    };
    let sharded = LogicalTable {
        name: "t_order".into(),
        metadata: None,
        placement: Placement::Sharded(Vec::<DataNode>::new().into()),
    };
    let current = LogicalDatabase {
        name: "shop".into(),
        tables: [("t_order".to_owned(), Arc::new(sharded))].into(),
        ..LogicalDatabase::default()
    };
    match execute(&statement, &mut DistSqlContext { current: &current, config }).unwrap() {
        Err(error) => error.code.to_string(),
        Ok(DistSqlOutcome::Changed) => "changed".to_owned(),
        Ok(DistSqlOutcome::Unchanged) => "unchanged".to_owned(),
        Ok(DistSqlOutcome::Rows(table)) => {
            let rows = table.rows.into_iter().map(|row| row.into_iter().flatten().collect());
            let rows = rows.map(|row: Vec<_>| row.join(" ")).collect::<Vec<_>>();
            format!("{}: {}", table.columns.join(" "), rows.join(", "))
        }
    }
}

#[test]
fn statements() {
    let mut config = DatabaseConfig::default();
    assert_eq!(run(&mut config, "CREATE BROADCAST TABLE RULE a"), "10101");
    config.units = vec![unit("ds_0", "d0"), unit("ds_1", "d1")];
    for (statement, expected) in [
        ("CREATE BROADCAST TABLE RULE a, b", "changed"),
        ("CREATE BROADCAST TABLE RULE a", "10204"),
        ("CREATE BROADCAST TABLE RULE c, c", "10204"),
        ("CREATE BROADCAST TABLE RULE t_order", "10204"),
        ("CREATE BROADCAST TABLE RULE IF NOT EXISTS a", "unchanged"),
        ("CREATE BROADCAST TABLE RULE IF NOT EXISTS a, c", "changed"),
        ("SHOW BROADCAST TABLE RULES", "broadcast_table: a, b, c"),
        ("COUNT BROADCAST RULE", "rule_name database count: broadcast_table shop 3"),
        ("DROP BROADCAST TABLE RULE nope", "10202"),
        ("DROP BROADCAST TABLE RULE IF EXISTS nope", "unchanged"),
        ("DROP BROADCAST TABLE RULE a, nope", "10202"),
        ("DROP BROADCAST TABLE RULE a, c", "changed"),
        ("SHOW SHARDING BROADCAST TABLE RULES", "broadcast_table: b"),
        ("ALTER SHARDING BROADCAST TABLE RULES (d, e)", "changed"),
        ("ALTER SHARDING BROADCAST TABLE RULES (d, t_order)", "10204"),
        ("SHOW BROADCAST TABLE RULES", "broadcast_table: d, e"),
        ("DROP SHARDING BROADCAST TABLE RULES", "changed"),
        ("DROP SHARDING BROADCAST TABLE RULES", "10201"),
        ("DROP SHARDING BROADCAST TABLE RULES IF EXISTS", "unchanged"),
        ("ALTER SHARDING BROADCAST TABLE RULES (d)", "10201"),
        ("CREATE SHARDING BROADCAST TABLE RULES (x)", "changed"),
        ("COUNT BROADCAST RULE", "rule_name database count: broadcast_table shop 1"),
    ] {
        assert_eq!(run(&mut config, statement), expected, "{statement}");
    }
    run(&mut config, "DROP BROADCAST TABLE RULE x");
    assert!(config.rules.is_empty());
}

#[test]
fn a_table_is_once_in_every_actual_database() {
    let units = [("ds_0", "d0"), ("ds_1", "d1"), ("again", "d0")];
    let units = (1..).zip(units).map(|(id, (name, database))| StorageUnit {
        id: UnitId(id),
        name: name.into(),
        config: Arc::new(unit(name, database).config),
    });
    let units = units.collect::<Vec<_>>();
    let feature = (crate::FEATURE.build)(&serde_json::json!({"tables": ["t"]}), &units).unwrap();
    let tables = feature.catalog.unwrap().tables();
    let [(name, Placement::Broadcast(nodes))] = tables.as_slice() else { panic!("{tables:?}") };
    let nodes = nodes.iter().map(|node| format!("{}.{}", node.unit_name, node.actual_table));
    assert_eq!(
        (&**name, nodes.collect::<Vec<_>>()),
        ("t", vec!["ds_0.t".to_owned(), "ds_1.t".to_owned()])
    );
}

#[test]
fn yaml() {
    let read =
        |body: serde_json::Value| (crate::FEATURE.from_yaml)(&body).map_err(|error| error.message);
    let rule = serde_json::json!({"tables": ["a", "b"]});
    assert_eq!(read(rule.clone()), Ok(rule));
    let wrong = read(serde_json::json!({"tabels": []})).unwrap_err();
    assert!(wrong.contains("tabels"), "{wrong}");
}
