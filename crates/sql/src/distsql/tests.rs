//! What each statement means, in all its spellings, and what is left to MySQL.

mod samples;
mod splitting;

use super::*;
use crate::ast::{
    AlgorithmDefinition, AlgorithmRole, Properties, ReadwriteSplittingDefinition, ShardingLayout,
    ShardingTableRuleDefinition, StorageUnitDefinition, StrategyDefinition,
};

fn parse_text(text: &str) -> Option<Result<DistSql, ParseError>> {
    parse(text.as_bytes(), SqlMode::default())
}

fn parsed(text: &str) -> DistSql {
    match parse_text(text) {
        Some(Ok(statement)) => statement,
        other => panic!("{text}: {other:?}"),
    }
}

fn error(text: &str) -> String {
    match parse_text(text) {
        Some(Err(error)) => error.to_string(),
        other => panic!("{text}: {other:?}"),
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn some(word: &str) -> Option<String> {
    Some(word.to_owned())
}

fn properties(pairs: &[(&str, &str)]) -> Properties {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn algorithm(name: &str, pairs: &[(&str, &str)]) -> AlgorithmDefinition {
    AlgorithmDefinition { name: name.to_owned(), properties: properties(pairs) }
}

fn unit(name: &str, host: &str, port: u16, database: &str) -> StorageUnitDefinition {
    StorageUnitDefinition {
        name: name.to_owned(),
        host: host.to_owned(),
        port,
        database: database.to_owned(),
        url_parameters: Properties::new(),
        user: "u".to_owned(),
        password: String::new(),
        properties: Properties::new(),
    }
}

#[test]
fn units_are_registered_by_host_or_url() {
    let mut by_url = unit("b", "h2", 3306, "d2");
    by_url.url_parameters = properties(&[("useSSL", "false")]);
    by_url.password = "p'w".to_owned();
    by_url.properties = properties(&[("maxPoolSize", "10"), ("readOnly", "TRUE"), ("x", "-1")]);
    let text = r#"/* c */ register Storage unit IF NOT EXISTS
        a (HOST='h1', PORT = 3307 ,DB="d1",USER='u'),
        `b` (URL="jdbc:mysql://h2/d2?useSSL=false", USER="u", PASSWORD='p''w',
             PROPERTIES('maxPoolSize'=10, "readOnly"=TRUE, "x"=-1)),
        CHECK_PRIVILEGES = SELECT, XA;"#;
    assert_eq!(
        parsed(text),
        DistSql::RegisterStorageUnit {
            if_not_exists: true,
            units: vec![unit("a", "h1", 3307, "d1"), by_url],
        }
    );
    let units = vec![unit("a", "h", 1, "d")];
    let body = "a (PORT=\"1\", USER=u, HOST=h, DB=d)";
    let register = DistSql::RegisterStorageUnit { if_not_exists: false, units: units.clone() };
    assert_eq!(parsed(&format!("ADD RESOURCE {body}")), register);
    let alter = DistSql::AlterStorageUnit { units };
    assert_eq!(parsed(&format!("ALTER STORAGE UNIT {body}")), alter);
    assert_eq!(parsed(&format!("alter resource {body} ;")), alter);
}

#[test]
fn a_unit_says_what_it_lacks() {
    let cases = [
        ("a (HOST='h', PORT=1, USER='u')", "needs HOST, PORT and DB, or URL"),
        ("a (URL='jdbc:mysql://h/d', PORT=1, USER='u')", "needs HOST, PORT and DB, or URL"),
        ("a (HOST='h', PORT=1, DB='d')", "needs USER"),
        ("a (HOST='h', PORT=70000, DB='d', USER='u')", "PORT must be a number"),
        ("a (URL='mysql://h/d', USER='u')", "URL must have the form jdbc:mysql://"),
        ("a (HOST='h', HOST='i')", "near 'HOST='i')'"),
        ("a ()", "near ')'"),
        ("a", "near ''"),
        ("a (HOST='h', PORT=1, DB='d', USER='u') x", "near 'x'"),
        ("a (HOST='h', PORT=1, DB='d', USER='u');;", "near ';'"),
        ("a (HOST='h', COLOR='x')", "near 'COLOR='x')'"),
    ];
    for (body, expected) in cases {
        let error = error(&format!("REGISTER STORAGE UNIT {body}"));
        assert!(error.contains(expected), "{body}: {error}");
    }
}

#[test]
fn units_are_unregistered_and_shown() {
    let unregister =
        |if_exists, names: &[&str], ignore_single_tables| DistSql::UnregisterStorageUnit {
            if_exists,
            names: words(names),
            ignore_single_tables,
            ignore_broadcast_tables: false,
        };
    let ignoring = |single, broadcast| DistSql::UnregisterStorageUnit {
        if_exists: false,
        names: words(&["a"]),
        ignore_single_tables: single,
        ignore_broadcast_tables: broadcast,
    };
    let show =
        |database, like, usage_count| DistSql::ShowStorageUnits { database, like, usage_count };
    let cases = [
        ("UNREGISTER STORAGE UNIT a, b", unregister(false, &["a", "b"], false)),
        (
            "unregister storage unit if exists `a-b` ignore single tables;",
            unregister(true, &["a-b"], true),
        ),
        ("UNREGISTER STORAGE UNIT a IGNORE BROADCAST TABLES", ignoring(false, true)),
        ("UNREGISTER STORAGE UNIT a IGNORE BROADCAST, SINGLE TABLES", ignoring(true, true)),
        ("DROP RESOURCE a", unregister(false, &["a"], false)),
        ("SHOW STORAGE UNITS", show(None, None, None)),
        ("SHOW STORAGE UNITS FROM d LIKE 'a%'", show(some("d"), some("a%"), None)),
        ("show storage units like \"a\" from `d`", show(some("d"), some("a"), None)),
        ("SHOW STORAGE UNITS FROM d WHERE USAGE_COUNT = 0;", show(some("d"), None, Some(0))),
        ("SHOW RESOURCES", show(None, None, None)),
        ("SHOW DATABASE RESOURCES FROM d", show(some("d"), None, None)),
        (
            "SHOW RULES USED STORAGE UNIT u FROM d",
            DistSql::ShowRulesUsedStorageUnit { unit: "u".into(), database: some("d") },
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

fn auto_rule(table: &str, units: &[&str]) -> ShardingTableRuleDefinition {
    ShardingTableRuleDefinition {
        table: table.to_owned(),
        layout: ShardingLayout::Auto {
            units: words(units),
            column: "id".to_owned(),
            algorithm: algorithm("MOD", &[("sharding-count", "4")]),
        },
        key_generator: None,
        audit: None,
    }
}

#[test]
fn auto_tables() {
    let mut with_all = auto_rule("b", &["ds_0", "ds_1", "x"]);
    with_all.key_generator = Some(("id".to_owned(), algorithm("snowflake", &[])));
    with_all.audit = Some((vec![algorithm("A", &[]), algorithm("B", &[("k", "v")])], true));
    let text = r#"CREATE SHARDING TABLE RULE IF NOT EXISTS
        "a" (STORAGE_UNITS(u1,u2), SHARDING_COLUMN = id, TYPE(NAME=MOD,PROPERTIES("sharding-count"="4"))),
        b (RESOURCES("ds_${0..1}", x), SHARDING_COLUMN='id',
           TYPE(NAME="MOD", PROPERTIES('sharding-count' = 4)),
           KEY_GENERATE_STRATEGY(COLUMN=id, TYPE(NAME='snowflake')),
           AUDIT_STRATEGY((TYPE(NAME="A")), TYPE(NAME="B",PROPERTIES("k"="v")), ALLOW_HINT_DISABLE=true))"#;
    assert_eq!(
        parsed(text),
        DistSql::CreateShardingTableRule {
            if_not_exists: true,
            rules: vec![auto_rule("a", &["u1", "u2"]), with_all],
        }
    );
}

#[test]
fn explicit_tables() {
    let text = r#"ALTER SHARDING TABLE RULE t (
        DATANODES("ds_${0..1}.t_${0..1}", 'ds_2.t'),
        DATABASE_STRATEGY(TYPE="standard",SHARDING_COLUMN=user_id,
            SHARDING_ALGORITHM(TYPE(NAME="inline",PROPERTIES("algorithm-expression"="ds_${user_id % 2}")))),
        TABLE_STRATEGY(TYPE=COMPLEX,SHARDING_COLUMNS=a, b,SHARDING_ALGORITHM(TYPE(NAME="x")))),
      u (DATANODES("ds_0.u"), TABLE_STRATEGY(TYPE='none'))"#;
    let strategy = |kind: &str, columns: &[&str], algorithm| StrategyDefinition {
        kind: kind.to_owned(),
        columns: words(columns),
        algorithm,
    };
    let inline = algorithm("inline", &[("algorithm-expression", "ds_${user_id % 2}")]);
    let rule = |table: &str, data_nodes: &[&str], database_strategy, table_strategy| {
        ShardingTableRuleDefinition {
            table: table.to_owned(),
            layout: ShardingLayout::Explicit {
                data_nodes: words(data_nodes),
                database_strategy,
                table_strategy: Some(table_strategy),
            },
            key_generator: None,
            audit: None,
        }
    };
    let first = rule(
        "t",
        &["ds_${0..1}.t_${0..1}", "ds_2.t"],
        Some(strategy("STANDARD", &["user_id"], Some(inline))),
        strategy("COMPLEX", &["a", "b"], Some(algorithm("x", &[]))),
    );
    let second = rule("u", &["ds_0.u"], None, strategy("NONE", &[], None));
    assert_eq!(parsed(text), DistSql::AlterShardingTableRule { rules: vec![first, second] });
}

#[test]
fn a_sharding_rule_says_what_is_wrong() {
    let cases = [
        ("t (STORAGE_UNITS(a), SHARDING_COLUMN=id)", "needs STORAGE_UNITS, SHARDING_COLUMN"),
        ("t (STORAGE_UNITS(a), DATANODES('a.t'))", "needs STORAGE_UNITS, SHARDING_COLUMN"),
        ("t (STORAGE_UNITS('ds_${0..'))", "is not closed"),
        ("t (STORAGE_UNITS(a), STORAGE_UNITS(b))", "near 'STORAGE_UNITS(b))'"),
        ("t (TYPE(NAME=MOD, NAME=x))", "near 'NAME=x))'"),
        ("t (DATANODES(a))", "near 'a))'"),
        ("t (AUDIT_STRATEGY(TYPE(NAME='a')))", "near ')"),
        ("t (", "near ''"),
    ];
    for (body, expected) in cases {
        let error = error(&format!("CREATE SHARDING TABLE RULE {body}"));
        assert!(error.contains(expected), "{body}: {error}");
    }
}

#[test]
fn sharding_statements() {
    let tables = |names: &[&str], if_exists| DistSql::DropShardingTableRule {
        if_exists,
        tables: words(names),
    };
    let shown = |role, is_unused_only, database| DistSql::ShowShardingAlgorithms {
        role,
        is_unused_only,
        database,
    };
    let cases = [
        ("DROP SHARDING TABLE RULE a, b;", tables(&["a", "b"], false)),
        ("drop sharding table rule if exists a", tables(&["a"], true)),
        (
            "SHOW SHARDING TABLE RULES",
            DistSql::ShowShardingTableRules { table: None, database: None },
        ),
        (
            "SHOW SHARDING TABLE RULE t FROM d;",
            DistSql::ShowShardingTableRules { table: some("t"), database: some("d") },
        ),
        (
            "SHOW SHARDING TABLE NODES",
            DistSql::ShowShardingTableNodes { table: None, database: None },
        ),
        (
            "SHOW SHARDING TABLE NODES t from d",
            DistSql::ShowShardingTableNodes { table: some("t"), database: some("d") },
        ),
        (
            "SHOW SHARDING TABLE NODES from d;",
            DistSql::ShowShardingTableNodes { table: None, database: some("d") },
        ),
        ("SHOW SHARDING ALGORITHMS FROM d", shown(AlgorithmRole::Sharding, false, some("d"))),
        ("SHOW UNUSED SHARDING KEY GENERATORS", { shown(AlgorithmRole::KeyGenerator, true, None) }),
        ("show sharding auditors;", shown(AlgorithmRole::Auditor, false, None)),
        ("SHOW SHARDING ALGORITHM PLUGINS", {
            DistSql::ShowShardingAlgorithmPlugins { role: AlgorithmRole::Sharding }
        }),
        ("SHOW SHARDING TABLE RULES USED KEY GENERATOR k FROM d", {
            DistSql::ShowShardingTableRulesUsed {
                role: AlgorithmRole::KeyGenerator,
                name: "k".to_owned(),
                database: some("d"),
            }
        }),
        (
            "DROP SHARDING AUDITOR IF EXISTS a, b",
            DistSql::DropShardingAlgorithm {
                role: AlgorithmRole::Auditor,
                if_exists: true,
                names: words(&["a", "b"]),
            },
        ),
        (
            "CREATE SHARDING KEY GENERATOR k (TYPE(NAME='uuid'))",
            DistSql::CreateShardingAlgorithm {
                role: AlgorithmRole::KeyGenerator,
                if_not_exists: false,
                algorithms: vec![("k".to_owned(), algorithm("uuid", &[]))],
            },
        ),
        ("COUNT SHARDING RULE FROM d", DistSql::CountShardingRule { database: some("d") }),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn single_table_statements() {
    let show = |like, table, database| DistSql::ShowSingleTables { like, table, database };
    let load = |items: &[&str]| DistSql::LoadSingleTable { items: words(items) };
    let unload = |tables: &[&str]| DistSql::UnloadSingleTable { tables: words(tables) };
    let default = |unit| DistSql::SetDefaultSingleTableStorageUnit { unit };
    let cases = [
        ("SHOW SINGLE TABLES", show(None, None, None)),
        ("SHOW SINGLE TABLES LIKE 'a%' FROM d", show(some("a%"), None, some("d"))),
        ("SHOW SINGLE TABLE t", show(None, some("t"), None)),
        ("LOAD SINGLE TABLE *.*", load(&["*.*"])),
        ("LOAD SINGLE TABLE ds_0.*, ds_1.t, a.b.c;", load(&["ds_0.*", "ds_1.t", "a.b.c"])),
        ("UNLOAD SINGLE TABLE a, b", unload(&["a", "b"])),
        ("UNLOAD SINGLE TABLE *", unload(&["*"])),
        ("UNLOAD ALL SINGLE TABLES", unload(&["*"])),
        ("SHOW UNLOADED SINGLE TABLES FROM d", {
            DistSql::ShowUnloadedSingleTables { database: some("d") }
        }),
        ("COUNT SINGLE TABLE", DistSql::CountSingleTable { database: None }),
        ("COUNT SINGLE_TABLE RULE FROM d", DistSql::CountSingleTable { database: some("d") }),
        ("SET DEFAULT SINGLE TABLE STORAGE UNIT = u", default(some("u"))),
        ("SET DEFAULT SINGLE TABLE STORAGE UNIT = random;", default(None)),
        ("SET DEFAULT SINGLE TABLE RESOURCE = `random`", default(some("random"))),
        ("SHOW DEFAULT SINGLE TABLE STORAGE UNIT FROM d", {
            DistSql::ShowDefaultSingleTableStorageUnit { database: some("d") }
        }),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn administration_statements() {
    let refresh = |database, table| DistSql::RefreshMetadata { database, table };
    let set = |name: &str, value: &str| DistSql::SetDistVariable {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    let show = |name, like| DistSql::ShowDistVariables { name, like };
    let cases = [
        ("REFRESH DATABASE METADATA", refresh(None, None)),
        ("FORCE REFRESH DATABASE METADATA d;", refresh(some("d"), None)),
        ("REFRESH DATABASE METADATA d FROM GOVERNANCE CENTER", refresh(some("d"), None)),
        ("REFRESH DATABASE METADATA FROM GOVERNANCE CENTER", refresh(None, None)),
        ("REFRESH TABLE METADATA", refresh(None, None)),
        ("REFRESH TABLE METADATA t FROM STORAGE UNIT u SCHEMA s", refresh(None, some("t"))),
        ("SET DIST VARIABLE sql_show = true", set("sql_show", "true")),
        ("SET DIST VARIABLE x='y'", set("x", "y")),
        ("SET VARIABLE n = -5;", set("n", "-5")),
        ("SHOW DIST VARIABLES", show(None, None)),
        ("SHOW DIST VARIABLES LIKE 'sql%'", show(None, some("sql%"))),
        ("SHOW ALL VARIABLES", show(None, None)),
        ("SHOW DIST VARIABLE WHERE NAME = sql_show", show(some("sql_show"), None)),
        ("SHOW VARIABLE sql_show", show(some("sql_show"), None)),
        ("SHOW AUTHORITY RULE", DistSql::ShowAuthorityRule),
        ("SHOW COMPUTE NODES", DistSql::ShowComputeNodes { what: "NODES" }),
        ("SHOW INSTANCE LIST", DistSql::ShowComputeNodes { what: "NODES" }),
        ("SHOW COMPUTE NODE INFO", DistSql::ShowComputeNodes { what: "INFO" }),
        ("SHOW COMPUTE NODE MODE", DistSql::ShowComputeNodes { what: "MODE" }),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn preview_takes_the_rest() {
    for (text, sql) in [
        ("PREVIEW SELECT 1", "SELECT 1"),
        ("preview\n  select * from t where a = ';' ; ", "select * from t where a = ';'"),
        ("PREVIEW /* SHARDINGSPHERE_HINT: X=1 */ SELECT 1", {
            "/* SHARDINGSPHERE_HINT: X=1 */ SELECT 1"
        }),
        ("PREVIEW SELECT \"a", "SELECT \"a"),
    ] {
        let DistSql::Preview { sql: found, span, .. } = parsed(text) else { panic!("{text}") };
        assert_eq!(found, sql, "{text}");
        assert_eq!(span.of(text.as_bytes()), sql.as_bytes(), "{text}");
    }
    let text = "EXPLAIN ROUTE  select * FROM route ;";
    let DistSql::Preview { sql, with_reason: true, .. } = parsed(text) else { panic!("{text}") };
    assert_eq!(sql, "select * FROM route");
    for text in ["EXPLAIN route", "EXPLAIN route id", "EXPLAIN SELECT 1", "EXPLAIN ROUTE ;"] {
        assert_eq!(parse_text(text), None, "{text}");
    }
    assert!(error("PREVIEW").contains("near ''"));
    assert!(error("PREVIEW ;").contains("near ';'"));
}

#[test]
fn ansi_quotes_make_no_difference() {
    let mode = SqlMode { ansi_quotes: true, ..SqlMode::default() };
    let text = b"SET DIST VARIABLE x = \"a\"";
    let expected = DistSql::SetDistVariable { name: "x".into(), value: "a".into() };
    assert_eq!(parse(text, mode), Some(Ok(expected)));
}

#[test]
fn other_statements_are_refused_by_name() {
    for (text, words) in [
        ("create encrypt rule t (x)", "CREATE ENCRYPT RULE"),
        ("REGISTER MIGRATION SOURCE STORAGE UNIT a ()", "REGISTER MIGRATION SOURCE STORAGE UNIT"),
        ("SHOW MIGRATION LIST", "SHOW MIGRATION"),
        ("PARSE SELECT 1", "PARSE"),
        ("PREPARE DISTSQL", "PREPARE DISTSQL"),
        ("COUNT MASK RULE", "COUNT MASK RULE"),
    ] {
        assert_eq!(parsed(text), DistSql::Unsupported { words: words.to_owned() }, "{text}");
    }
}

#[test]
fn mysql_keeps_its_own() {
    for text in [
        "",
        "SELECT 1",
        "(SELECT 1)",
        "`SHOW` STORAGE UNITS",
        "SHOW STATUS",
        "SHOW STATUS LIKE 'a'",
        "SHOW GLOBAL STATUS",
        "SHOW VARIABLES",
        "SHOW ALL SLAVES STATUS",
        "SHOW TABLES",
        "SHOW TABLE STATUS",
        "SHOW TABLE TYPES",
        "SHOW FULL TABLES",
        "SHOW PLUGINS",
        "SHOW KEYS FROM t",
        "SHOW STORAGE ENGINES",
        "SHOW CREATE TABLE t",
        "SHOW DATABASES",
        "SHOW COUNT(*) WARNINGS",
        "CREATE TABLE sharding (a INT)",
        "CREATE RESOURCE GROUP g TYPE = USER",
        "ALTER RESOURCE GROUP g DISABLE",
        "DROP RESOURCE GROUP g",
        "ALTER TABLE t ADD COLUMN a INT",
        "SET DEFAULT ROLE x TO u",
        "SET GLOBAL x = 1",
        "LOAD DATA INFILE 'x' INTO TABLE t",
        "PREPARE distsql FROM 'SELECT 1'",
        "LOCK TABLES cluster READ",
        "START TRANSACTION",
        "COMMIT",
        "ROLLBACK TO s",
        "CHECK TABLE t",
        "IMPORT TABLE FROM 'x'",
        "CREATE ENCRYPT TABLE",
    ] {
        assert_eq!(parse_text(text), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn words_in_any_order_break_nothing(
        start in proptest::sample::select(vec![
            "REGISTER STORAGE UNIT", "CREATE SHARDING TABLE RULE", "LOAD SINGLE TABLE",
            "SHOW STORAGE UNITS", "SET DIST VARIABLE", "PREVIEW", "REFRESH TABLE METADATA",
        ]),
        tokens in proptest::collection::vec(proptest::sample::select(vec![
            "a", "(", ")", ",", "=", "'x'", "\"y", "1", "-", "TYPE", "NAME", "PROPERTIES", "HOST",
            "STORAGE_UNITS", "DATANODES", "AUDIT_STRATEGY", "FROM", "LIKE", "*", ".", ";", "/*",
        ]), 0..20),
    ) {
        let text = format!("{start} {}", tokens.join(" "));
        parse_text(&text);
    }
}
