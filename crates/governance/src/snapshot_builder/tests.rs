//! Snapshots from configurations, with a feature made up for the purpose.

use super::*;
use kernel::feature::{CatalogStage, DistSqlContext, DistSqlOutcome};
use kernel::model::{ColumnMetadata, PoolConfig, Secret};
use sql::ast::DistSql;

/// A feature whose rule is `{ "table": ["unit.actual", ..] }`.
pub(crate) const SPREAD: &[FeatureEntry] = &[FeatureEntry {
    name: "spread",
    rule_key: "SPREAD",
    from_yaml: |rule| Ok(rule.clone()),
    groups: None,
    build: build_spread,
    distsql: no_distsql,
}];

fn no_distsql(
    _: &DistSql,
    _: &mut DistSqlContext<'_>,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    None
}

type Tables = Vec<(Arc<str>, Arc<[DataNode]>)>;

#[derive(Debug)]
struct SpreadCatalog(Tables);

impl CatalogStage for SpreadCatalog {
    fn tables(&self) -> Vec<(Arc<str>, Placement)> {
        let placed = |(name, nodes): &(Arc<str>, Arc<[DataNode]>)| {
            (name.clone(), Placement::Sharded(nodes.clone()))
        };
        self.0.iter().map(placed).collect()
    }
}

fn build_spread(
    rule: &serde_json::Value,
    units: &[StorageUnit],
) -> Result<Feature, StatementError> {
    let node = |node: &serde_json::Value| {
        let (unit_name, actual_table) = node.as_str().unwrap().split_once('.').unwrap();
        let unit = units.iter().find(|unit| &*unit.name == unit_name);
        let unit = unit.ok_or_else(|| {
            StatementError::new(10102, "42S02", format!("Storage unit '{unit_name}' is missing"))
        })?;
        Ok(DataNode {
            unit: unit.id,
            unit_name: unit_name.into(),
            actual_table: actual_table.into(),
        })
    };
    let mut tables = Tables::new();
    for (name, nodes) in rule.as_object().unwrap() {
        let nodes = nodes.as_array().unwrap().iter().map(node).collect::<Result<Vec<_>, _>>()?;
        tables.push((name.as_str().into(), nodes.into()));
    }
    let catalog: Arc<dyn CatalogStage> = Arc::new(SpreadCatalog(tables));
    Ok(Feature { name: "spread", catalog: Some(catalog), route: None })
}

pub(crate) fn unit_config(port: u16) -> StorageUnitConfig {
    StorageUnitConfig {
        host: "127.0.0.1".to_owned(),
        port,
        database: "sbtest".to_owned(),
        user: "test".to_owned(),
        password: Secret("hidden".to_owned()),
        tls: kernel::model::BackendTls::Disabled,
        pool: PoolConfig::default(),
        other_properties: BTreeMap::new(),
    }
}

fn table(name: &str, column: &str) -> (String, Arc<TableMetadata>) {
    let column = ColumnMetadata {
        name: column.to_owned(),
        data_type: "int".to_owned(),
        column_type: "int(11)".to_owned(),
        collation: String::new(),
        is_nullable: false,
        is_auto_increment: false,
        has_default: false,
        is_invisible: false,
    };
    let metadata = TableMetadata {
        name: name.to_owned(),
        is_view: false,
        columns: vec![column],
        primary_key: vec![],
        unique_keys: vec![],
    };
    (name.to_owned(), Arc::new(metadata))
}

fn reading(unit: &str, tables: &[&str]) -> ((String, String), Arc<UnitMetadata>) {
    let metadata = UnitMetadata {
        server_version: "10.11.6-MariaDB".to_owned(),
        tables: tables.iter().map(|name| table(name, &format!("{unit}_{name}"))).collect(),
    };
    (("db".to_owned(), unit.to_owned()), Arc::new(metadata))
}

fn configuration(units: &[(&str, u16)], rules: &[(&str, serde_json::Value)]) -> Arc<Configuration> {
    let unit = |(name, port): &(&str, u16)| NamedUnit {
        name: (*name).to_owned(),
        config: unit_config(*port),
    };
    let database = DatabaseConfig {
        units: units.iter().map(unit).collect(),
        rules: rules.iter().map(|(key, rule)| ((*key).to_owned(), rule.clone())).collect(),
    };
    Arc::new(Configuration {
        databases: [("db".to_owned(), database)].into(),
        ..Configuration::default()
    })
}

/// `name: placement` of every table, sorted.
fn placements(snapshot: &Snapshot) -> Vec<String> {
    let nodes = |nodes: &[DataNode]| {
        let node = |node: &DataNode| format!("{}.{}", node.unit_name, node.actual_table);
        nodes.iter().map(node).collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = snapshot.databases["db"]
        .tables
        .values()
        .map(|table| match &table.placement {
            Placement::Single(node) => format!("{}: single {}", table.name, node.unit_name),
            Placement::Ambiguous(found) => format!("{}: ambiguous {}", table.name, nodes(found)),
            Placement::Sharded(found) => format!("{}: sharded {}", table.name, nodes(found)),
            Placement::Broadcast(found) => format!("{}: broadcast {}", table.name, nodes(found)),
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn tables_come_from_rules_and_units() {
    let rule =
        serde_json::json!({ "t_user": ["a.t_user_0", "b.t_user_1"], "t_new": ["a.t_new_0"] });
    let configuration = configuration(&[("a", 1), ("b", 2)], &[("SPREAD", rule)]);
    let readings = [
        reading("a", &["single_a", "both", "t_user"]),
        reading("b", &["t_user_1", "both", "single_b", "t_user_0"]),
    ]
    .into();
    let snapshot = build(configuration, &readings, SPREAD, None).unwrap();
    assert_eq!(
        placements(&snapshot),
        [
            "both: ambiguous a.both b.both",
            "single_a: single a",
            "single_b: single b",
            "t_new: sharded a.t_new_0",
            "t_user: sharded a.t_user_0 b.t_user_1",
            // Of unit b, where the rule has no such node: it is a table like any other.
            "t_user_0: single b",
        ]
    );
    let database = &snapshot.databases["db"];
    let t_user = database.find_table("t_user").unwrap();
    assert_eq!(
        t_user.metadata.as_ref().unwrap().columns[0].name,
        "b_t_user_1",
        "of the first node where it exists"
    );
    assert!(database.find_table("t_new").unwrap().metadata.is_none(), "not created yet");
    assert_eq!(snapshot.version, 1);
}

#[test]
fn a_choice_ends_ambiguity() {
    let single = serde_json::json!({ "tables": ["b.both"], "defaultDataSource": "b" });
    let configuration = configuration(&[("a", 1), ("b", 2)], &[("SINGLE", single)]);
    let readings = [reading("a", &["both"]), reading("b", &["both"])].into();
    let snapshot = build(configuration, &readings, SPREAD, None).unwrap();
    assert_eq!(placements(&snapshot), ["both: single b"]);
    let database = &snapshot.databases["db"];
    assert_eq!(database.default_unit, Some(database.find_unit_named("b").unwrap().id));
}

#[test]
fn units_that_lead_to_one_database_have_one_table() {
    let configuration = configuration(&[("a", 1), ("again", 1)], &[]);
    let readings = [reading("a", &["t"]), reading("again", &["t"])].into();
    let snapshot = build(configuration, &readings, SPREAD, None).unwrap();
    assert_eq!(placements(&snapshot), ["t: single a"]);
}

#[test]
fn unchanged_units_keep_id_and_readings_others_never_get_an_old_id() {
    let readings = [reading("a", &["x"]), reading("b", &["y"])].into();
    let none = UnitReadings::new();
    let first = build(configuration(&[("a", 1), ("b", 2)], &[]), &readings, SPREAD, None).unwrap();
    let id = |snapshot: &Snapshot, unit| snapshot.databases["db"].find_unit_named(unit).unwrap().id;

    let second =
        build(configuration(&[("a", 1), ("b", 3)], &[]), &none, SPREAD, Some(&first)).unwrap();
    assert_eq!(id(&second, "a"), id(&first, "a"));
    assert_ne!(id(&second, "b"), id(&first, "b"));
    assert_eq!(placements(&second), ["x: single a"], "b must be read again");

    let third = build(configuration(&[("a", 1)], &[]), &none, SPREAD, Some(&second)).unwrap();
    let fourth =
        build(configuration(&[("a", 1), ("b", 3)], &[]), &none, SPREAD, Some(&third)).unwrap();
    assert!(id(&fourth, "b") > id(&second, "b"));
    assert_eq!(fourth.version, 4);
}

#[test]
fn an_unchanged_database_is_shared() {
    let config = configuration(&[("a", 1)], &[]);
    let none = UnitReadings::new();
    let first = build(Arc::clone(&config), &none, SPREAD, None).unwrap();
    let mut changed = (*config).clone();
    changed.databases.insert("other".to_owned(), DatabaseConfig::default());
    let second = build(Arc::new(changed), &none, SPREAD, Some(&first)).unwrap();
    assert!(Arc::ptr_eq(&first.databases["db"], &second.databases["db"]));
    assert_eq!(second.databases.len(), 2);
}

#[test]
fn what_cannot_be_built_is_refused() {
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let cases = [
        ("ENCRYPT", "{}", 30001, "ENCRYPT, which is not supported yet"),
        ("SPREAD", r#"{"t":["gone.t_0"]}"#, 10102, "'gone'"),
        ("SINGLE", r#"{"tables":["gone.t"]}"#, 10102, "'gone'"),
        ("SINGLE", r#"{"tables":["t"]}"#, 10200, "'t'"),
    ];
    for (key, rule, code, text) in cases {
        let configuration = configuration(&[("a", 1)], &[(key, json(rule))]);
        let error = build(configuration, &UnitReadings::new(), SPREAD, None).unwrap_err();
        assert_eq!(error.code, code);
        assert!(error.message.contains(text), "{}", error.message);
    }
    let twice = configuration(&[("a", 1), ("a", 2)], &[]);
    assert_eq!(build(twice, &UnitReadings::new(), SPREAD, None).unwrap_err().code, 10104);
}
