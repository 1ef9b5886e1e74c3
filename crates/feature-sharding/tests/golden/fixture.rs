//! The databases that the cases run against.

#![allow(clippy::unwrap_used, reason = "a broken expectation is a failed test")]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use kernel::feature::Feature;
use kernel::model::{
    BackendTls, ColumnMetadata, DataNode, LogicalTable, Placement, PoolConfig, Secret, StorageUnit,
    StorageUnitConfig, TableMetadata, UnitId,
};
use kernel::snapshot::{LogicalDatabase, Snapshot};
use serde_json::json;

/// A snapshot with the logical databases `shop` (four units, sharded and single tables) and
/// `archive` (one unit).
pub(crate) struct Fixture {
    /// The snapshot.
    pub(crate) snapshot: Snapshot,
}

/// Columns as `name type [collation]`; `+` marks AUTO_INCREMENT.
const T_USER: &[&str] = &[
    "id int(11)",
    "name varchar(50) utf8mb4_general_ci",
    "age int(11)",
    "email varchar(300) utf8mb4_0900_ai_ci",
];
const SBTEST1: &[&str] = &[
    "+id int(11)",
    "k int(11)",
    "c char(120) utf8mb4_general_ci",
    "pad char(60) utf8mb4_general_ci",
];
const T_ORDER: &[&str] = &[
    "order_id bigint(20)",
    "user_id int(11)",
    "status varchar(20) latin1_swedish_ci",
    "amount decimal(10,2)",
    "created datetime",
    "updated timestamp",
    "weight float",
    "kind enum('a','b') utf8mb4_general_ci",
    "token binary(16)",
    "note text utf8mb4_general_ci",
    "extra json utf8mb4_bin",
];
const T_NAME: &[&str] = &["name varchar(20) utf8mb4_bin", "n int(11)"];
const T_ITEM: &[&str] =
    &["+item_id bigint(20)", "user_id int(11)", "label varchar(20) utf8mb4_unicode_ci"];
const T_DETAIL: &[&str] =
    &["user_id int(11)", "seq int(11)", "label varchar(20) utf8mb4_general_ci", "owner int(11)"];
const COUNTED: &[&str] = &["+id int(11)", "name varchar(20) utf8mb4_general_ci"];
const T_PAIR: &[&str] = &["user_id int(11)", "order_id int(11)", "a int(11)"];
const PLAIN: &[&str] = &["id int(11)", "name varchar(20) utf8mb4_general_ci"];

fn column(text: &str) -> ColumnMetadata {
    let is_auto_increment = text.starts_with('+');
    let mut words = text.trim_start_matches('+').split(' ');
    let name = words.next().unwrap().to_owned();
    let column_type = words.next().unwrap().to_owned();
    ColumnMetadata {
        name,
        data_type: column_type.split('(').next().unwrap().to_owned(),
        column_type,
        collation: words.next().unwrap_or_default().to_owned(),
        is_nullable: true,
        is_auto_increment,
        has_default: false,
        is_invisible: false,
    }
}

fn metadata(name: &str, columns: &[&str]) -> Option<Arc<TableMetadata>> {
    Some(Arc::new(TableMetadata {
        name: name.to_owned(),
        is_view: false,
        columns: columns.iter().map(|text| column(text)).collect(),
        primary_key: vec![],
        unique_keys: vec![],
    }))
}

fn unit(id: u32, name: &str, database: &str) -> StorageUnit {
    StorageUnit {
        id: UnitId(id),
        name: name.into(),
        config: Arc::new(StorageUnitConfig {
            host: "127.0.0.1".to_owned(),
            port: 3306,
            database: database.to_owned(),
            user: "u".to_owned(),
            password: Secret(String::new()),
            tls: BackendTls::Disabled,
            pool: PoolConfig::default(),
            other_properties: BTreeMap::new(),
        }),
    }
}

fn sharding(units: &[StorageUnit]) -> Feature {
    let by = |name: &str, column: &str, algorithm: &str, properties: serde_json::Value| {
        json!({
            "table": name, "storage_units": ["ds_0", "ds_1", "ds_2", "ds_3"],
            "sharding_column": column,
            "algorithm": {"type": algorithm, "properties": properties}
        })
    };
    let table = |name: &str, column: &str, algorithm: &str, count: u32| {
        by(name, column, algorithm, json!({"sharding-count": count.to_string()}))
    };
    let standard = |column: &str, algorithm: &str| json!({"type": "standard", "column": column, "algorithm": algorithm});
    let explicit = |name: &str, database, table| {
        json!({
            "table": name, "data_nodes": [format!("ds_${{0..1}}.{name}_${{0..1}}")],
            "database_strategy": database, "table_strategy": table,
            "audit": {"auditors": ["conditions"], "allow_hint_disable": true},
        })
    };
    let inline = |kind: &str, text: &str| json!({"type": kind, "properties": {"algorithm-expression": text}});
    let mut hinted = explicit(
        "t_hint",
        json!({"type": "hint", "algorithm": "unit_hint"}),
        json!({"type": "hint", "algorithm": "table_hint"}),
    );
    hinted["audit"] = json!(null);
    let rule = json!({"tables": [
        table("t_user", "id", "MOD", 10),
        table("sbtest1", "id", "MOD", 4),
        table("t_order", "order_id", "HASH_MOD", 4),
        table("t_name", "name", "HASH_MOD", 4),
        table("t_item", "user_id", "MOD", 4),
        table("t_new", "id", "MOD", 10),
        table("t_copy", "id", "MOD", 10),
        by("t_volume", "id", "VOLUME_RANGE", json!({
            "range-lower": "0", "range-upper": "1000", "sharding-volume": "500"})),
        by("t_price", "price", "BOUNDARY_RANGE", json!({"sharding-ranges": "10,100"})),
        by("t_day", "day", "AUTO_INTERVAL", json!({
            "datetime-lower": "2024-01-01 00:00:00", "datetime-upper": "2024-01-03 00:00:00",
            "sharding-seconds": "86400"})),
        by("t_amount", "amount", "HASH_MOD", json!({"sharding-count": "4"})),
        by("t_stamp", "stamp", "AUTO_INTERVAL", json!({
            "datetime-lower": "2024-01-01 00:00:00", "datetime-upper": "2024-01-03 00:00:00",
            "sharding-seconds": "86400"})),
        table("t_detail", "user_id", "MOD", 10),
        explicit("t_pair", standard("user_id", "by_user"), standard("order_id", "by_order")),
        hinted,
    ], "references": [{"name": "users", "tables": ["t_user", "t_detail", "t_copy"]}],
    "algorithms": {
        "by_user": inline("INLINE", "ds_${user_id % 2}"),
        "by_order": inline("INLINE", "t_pair_${order_id % 2}"),
        "unit_hint": inline("HINT_INLINE", "ds_${value % 2}"),
        "table_hint": inline("HINT_INLINE", "t_hint_${value}"),
    }, "auditors": {"conditions": {"type": "DML_SHARDING_CONDITIONS"}}});
    (feature_sharding::FEATURE.build)(&rule, units).unwrap()
}

fn node(unit: &StorageUnit, table: &str) -> DataNode {
    DataNode { unit: unit.id, unit_name: unit.name.clone(), actual_table: table.into() }
}

fn shop() -> LogicalDatabase {
    let units = (0..4)
        .map(|index| unit(index + 1, &format!("ds_{index}"), &format!("demo_ds_{index}")))
        .collect::<Vec<_>>();
    let feature = sharding(&units);
    let mut tables = HashMap::new();
    let mut add = |name: &str, metadata, placement| {
        let table = LogicalTable { name: name.into(), metadata, placement };
        tables.insert(name.to_owned(), Arc::new(table));
    };
    let shapes: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("t_user", T_USER),
        ("sbtest1", SBTEST1),
        ("t_order", T_ORDER),
        ("t_name", T_NAME),
        ("t_item", T_ITEM),
        ("t_copy", PLAIN),
        ("t_pair", T_PAIR),
        ("t_hint", PLAIN),
        ("t_volume", &["id bigint(20)", "n int(11)"]),
        ("t_price", &["price decimal(10,2)", "n int(11)"]),
        ("t_day", &["day datetime", "n int(11)"]),
        ("t_amount", &["amount decimal(10,2)", "n int(11)"]),
        ("t_stamp", &["stamp timestamp", "n int(11)"]),
        ("t_detail", T_DETAIL),
    ]);
    for (name, nodes) in feature.catalog.as_ref().unwrap().tables() {
        let shape = shapes.get(&*name).and_then(|columns| metadata(&name, columns));
        add(&name, shape, nodes);
    }
    for (name, index) in [("country", 0), ("region", 0), ("city", 1)] {
        add(name, metadata(name, PLAIN), Placement::Single(node(&units[index], name)));
    }
    for (name, shape, count) in
        [("dict", PLAIN, 4), ("d_counted", COUNTED, 4), ("d_half", PLAIN, 2)]
    {
        let nodes = units[..count].iter().map(|unit| node(unit, name)).collect();
        add(name, metadata(name, shape), Placement::Broadcast(nodes));
    }
    let twice = vec![node(&units[0], "twice"), node(&units[2], "twice")];
    add("twice", metadata("twice", PLAIN), Placement::Ambiguous(twice));
    LogicalDatabase {
        name: "shop".into(),
        units,
        tables,
        features: vec![feature],
        ..LogicalDatabase::default()
    }
}

fn archive() -> LogicalDatabase {
    let units = vec![unit(9, "old", "archive")];
    let table = LogicalTable {
        name: "country".into(),
        metadata: metadata("country", PLAIN),
        placement: Placement::Single(node(&units[0], "country")),
    };
    let tables = HashMap::from([("country".to_owned(), Arc::new(table))]);
    LogicalDatabase { name: "archive".into(), units, tables, ..LogicalDatabase::default() }
}

impl Fixture {
    /// Builds it.
    pub(crate) fn new() -> Self {
        let databases = [shop(), archive()];
        let databases = databases.map(|database| (database.name.to_string(), Arc::new(database)));
        Self {
            snapshot: Snapshot {
                version: 1,
                databases: BTreeMap::from(databases),
                ..Snapshot::default()
            },
        }
    }

    /// The name of a unit.
    pub(crate) fn unit_name(&self, id: UnitId) -> &str {
        let mut databases = self.snapshot.databases.values();
        databases.find_map(|database| database.find_unit(id)).map_or("no unit", |unit| &unit.name)
    }
}
