//! Database files of both generations.

use super::*;
use crate::snapshot_builder::tests::SPREAD;
use kernel::model::BackendTls;

#[test]
fn units_keep_their_order_and_rules_their_body() {
    let text = "
databaseName: sharding_db
dataSources:
  ds_1:
    url: jdbc:mysql://127.0.0.1:3306/demo?useSSL=false&serverTimezone=UTC
    username: root
    password: 123456
    connectionTimeoutMilliseconds: 5000
    maxPoolSize: 10
    customPoolProps: { minimumIdle: 3 }
  ds_0:
    dataSourceClassName: com.zaxxer.hikari.HikariDataSource
    url: jdbc:mysql://db.example.com/demo
    username: root
    password:
    readOnly: true
rules:
- !SINGLE
  tables: ['*.*']
  defaultDataSource: ds_0
- !SPREAD
  t: [ds_0.t_0, ds_1.t_1]
";
    let (name, config) = read(text, SPREAD).unwrap().unwrap();
    assert_eq!(name, "sharding_db");
    let units: Vec<_> = config.units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(units, ["ds_1", "ds_0"]);
    let ds_1 = &config.units[0].config;
    assert_eq!(
        (ds_1.host.as_str(), ds_1.port, ds_1.database.as_str()),
        ("127.0.0.1", 3306, "demo")
    );
    assert_eq!((ds_1.password.0.as_str(), ds_1.tls), ("123456", BackendTls::Disabled));
    assert_eq!((ds_1.pool.connection_timeout_ms, ds_1.pool.max_size), (5000, 10));
    assert_eq!((ds_1.pool.min_size, ds_1.pool.read_only), (3, false));
    assert_eq!(ds_1.other_properties["serverTimezone"], "UTC");
    let ds_0 = &config.units[1].config;
    assert_eq!((ds_0.port, ds_0.password.0.as_str(), ds_0.pool.read_only), (3306, "", true));
    let rules = serde_json::json!({
        "SINGLE": { "tables": ["*.*"], "defaultDataSource": "ds_0" },
        "SPREAD": { "t": ["ds_0.t_0", "ds_1.t_1"] },
    });
    assert_eq!(serde_json::to_value(&config.rules).unwrap(), rules);
}

#[test]
fn a_sample_of_comments_says_nothing() {
    assert_eq!(read("# databaseName: x\n#\n", SPREAD).unwrap(), None);
}

#[test]
fn errors_name_the_key_and_no_password() {
    let unit = "url: 'jdbc:mysql://h/d', username: u, password: hidden-word";
    let cases = [
        ("databaseName: x\nrule: []".to_owned(), "rule"),
        ("dataSources: {}".to_owned(), "databaseName"),
        ("databaseName: ''".to_owned(), "databaseName: must not be empty"),
        (
            format!("databaseName: x\ndataSources: {{ a: {{ {unit}, maxPolSize: 1 }} }}"),
            "dataSources.a: unknown field `maxPolSize`",
        ),
        (
            format!("databaseName: x\ndataSources: {{ a: {{ {unit}, maxPoolSize: 0 }} }}"),
            "dataSources.a: maxPoolSize must be at least 1",
        ),
        (
            "databaseName: x\ndataSources: { a: { url: 'h:hidden-word@d', username: u } }"
                .to_owned(),
            "dataSources.a: url must read",
        ),
        ("databaseName: x\nrules: [{ tables: {} }]".to_owned(), "- !SHARDING"),
        (
            "databaseName: x\nrules: [!ENCRYPT { tables: {} }]".to_owned(),
            "!ENCRYPT is not supported yet",
        ),
        (
            "databaseName: x\nrules: [!READWRITE_SPLITTING { }]".to_owned(),
            "!READWRITE_SPLITTING is not supported yet",
        ),
        ("databaseName: x\nrules: [!SPREAD {}, !SPREAD {}]".to_owned(), "!SPREAD is given twice"),
        ("databaseName: x\nrules: [!SINGLE { table: [] }]".to_owned(), "table"),
    ];
    for (text, expected) in cases {
        let error = read(&text, SPREAD).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
        assert!(!error.contains("hidden-word"), "{error}");
    }
}

#[test]
fn broadcast_tables_of_the_older_form_are_a_rule_of_their_own() {
    const BOTH: &[FeatureEntry] = &[
        FeatureEntry { name: "sharding", rule_key: "SHARDING", ..SPREAD[0] },
        FeatureEntry { name: "broadcast", rule_key: "BROADCAST", ..SPREAD[0] },
    ];
    let rules = |text: &str| {
        let (_, config) = read(&format!("databaseName: x\nrules: [{text}]"), BOTH)?.unwrap();
        serde_json::to_value(&config.rules).map_err(|error| error.to_string())
    };
    assert_eq!(
        rules("!SHARDING { autoTables: {}, broadcastTables: [a, b] }"),
        Ok(serde_json::json!({
            "SHARDING": { "autoTables": {} },
            "BROADCAST": { "tables": ["a", "b"] },
        }))
    );
    assert_eq!(rules("!SHARDING { broadcastTables: }"), Ok(serde_json::json!({ "SHARDING": {} })));
    let twice = rules("!SHARDING { broadcastTables: [a] }, !BROADCAST { tables: [a] }");
    assert!(twice.unwrap_err().contains("!BROADCAST is given twice"));
}
