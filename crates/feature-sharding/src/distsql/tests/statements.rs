//! The rule statements as text: what is changed, refused and shown.

use kernel::feature::{DistSqlContext, DistSqlOutcome};
use kernel::snapshot::LogicalDatabase;
use sql::SqlMode;

use super::{database, execute};
use kernel::config::DatabaseConfig;

/// `changed`, `unchanged`, the code of the error, or the rows, values parted by `|`.
fn run(config: &mut DatabaseConfig, text: &str) -> Vec<String> {
    let statement = match sql::distsql::parse(text.as_bytes(), SqlMode::default()) {
        Some(Ok(statement)) => statement,
        other => panic!("{text}: {other:?}"),
    };
    let current = LogicalDatabase { name: "shop".into(), ..LogicalDatabase::default() };
    match execute(&statement, &mut DistSqlContext { current: &current, config }).unwrap() {
        Err(error) => vec![error.code.to_string()],
        Ok(DistSqlOutcome::Changed) => vec!["changed".to_owned()],
        Ok(DistSqlOutcome::Unchanged) => vec!["unchanged".to_owned()],
        Ok(DistSqlOutcome::Rows(table)) => {
            let rows = table.rows.into_iter().map(|row| {
                row.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>().join("|")
            });
            std::iter::once(table.columns.join("|")).chain(rows).collect()
        }
    }
}

#[track_caller]
fn check(config: &mut DatabaseConfig, cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(run(config, text), *expected, "{text}");
    }
}

const ORDER: &str = "t_order (DATANODES('ds_${0..1}.t_order_${0..1}'),
    DATABASE_STRATEGY(TYPE=STANDARD, SHARDING_COLUMN=user_id, SHARDING_ALGORITHM(
        TYPE(NAME='INLINE', PROPERTIES('algorithm-expression'='ds_${user_id % 2}')))),
    TABLE_STRATEGY(TYPE='standard', SHARDING_COLUMN=order_id, SHARDING_ALGORITHM(
        TYPE(NAME=inline, PROPERTIES('algorithm-expression'='t_order_${order_id % 2}')))),
    KEY_GENERATE_STRATEGY(COLUMN=order_id, TYPE(NAME='snowflake', PROPERTIES('worker-id'=1))),
    AUDIT_STRATEGY(TYPE(NAME='DML_SHARDING_CONDITIONS'), ALLOW_HINT_DISABLE=true))";

fn item(table: &str, nodes: &str, divisor: u32) -> String {
    format!(
        "{table} (DATANODES('{nodes}'),
        DATABASE_STRATEGY(TYPE=STANDARD, SHARDING_COLUMN=user_id, SHARDING_ALGORITHM(
            TYPE(NAME='INLINE', PROPERTIES('algorithm-expression'='ds_${{user_id % 2}}')))),
        TABLE_STRATEGY(TYPE=STANDARD, SHARDING_COLUMN=order_no, SHARDING_ALGORITHM(TYPE(
            NAME='INLINE', PROPERTIES('algorithm-expression'='{table}_${{order_no % {divisor}}}')))))"
    )
}

#[test]
fn explicit_tables() {
    let mut config = database();
    let create = format!("CREATE SHARDING TABLE RULE {ORDER}");
    let rules = "table|actual_data_nodes|actual_data_sources|database_strategy_type|\
        database_sharding_column|database_sharding_algorithm_type|\
        database_sharding_algorithm_props|table_strategy_type|table_sharding_column|\
        table_sharding_algorithm_type|table_sharding_algorithm_props|key_generate_column|\
        key_generator_type|key_generator_props|auditor_types|allow_hint_disable";
    check(
        &mut config,
        &[
            (&create, &["changed"]),
            (&create, &["10204"]),
            (
                "SHOW SHARDING TABLE RULES",
                &[
                    rules,
                    "t_order|ds_${0..1}.t_order_${0..1}||STANDARD|user_id|INLINE|\
                 {\"algorithm-expression\":\"ds_${user_id % 2}\"}|STANDARD|order_id|inline|\
                 {\"algorithm-expression\":\"t_order_${order_id % 2}\"}|order_id|snowflake|\
                 {\"worker-id\":\"1\"}|DML_SHARDING_CONDITIONS|true",
                ],
            ),
            (
                "SHOW SHARDING TABLE NODES t_order",
                &[
                    "name|nodes",
                    "t_order|ds_0.t_order_0, ds_0.t_order_1, ds_1.t_order_0, ds_1.t_order_1",
                ],
            ),
            ("SHOW SHARDING TABLE NODES nope", &["10202"]),
            (
                "SHOW SHARDING ALGORITHMS",
                &[
                    "name|type|props",
                    "t_order_database_inline|INLINE|{\"algorithm-expression\":\"ds_${user_id % 2}\"}",
                    "t_order_table_inline|inline|{\"algorithm-expression\":\"t_order_${order_id % 2}\"}",
                ],
            ),
            (
                "SHOW SHARDING KEY GENERATORS",
                &["name|type|props", "t_order_snowflake|snowflake|{\"worker-id\":\"1\"}"],
            ),
            (
                "SHOW SHARDING AUDITORS",
                &["name|type|props", "t_order_dml_sharding_conditions_0|DML_SHARDING_CONDITIONS|"],
            ),
            ("SHOW UNUSED SHARDING ALGORITHMS", &["name|type|props"]),
            (
                "SHOW SHARDING TABLE RULES USED ALGORITHM t_order_table_inline",
                &["type|name", "table|t_order"],
            ),
            ("SHOW SHARDING TABLE RULES USED KEY GENERATOR nope", &["10402"]),
            ("DROP SHARDING ALGORITHM t_order_table_inline", &["10403"]),
            ("DROP SHARDING TABLE RULE t_order", &["changed"]),
            ("SHOW SHARDING AUDITORS", &["name|type|props"]),
        ],
    );
    assert!(config.rules.is_empty(), "{:?}", config.rules);
}

#[test]
fn data_nodes_are_checked() {
    let rule = |nodes: &str| format!("CREATE SHARDING TABLE RULE t (DATANODES({nodes}))");
    for (nodes, expected) in [
        ("'ds_0.t'", "changed"),
        ("'ds_0.t', 'ds_1.t_${0..1}'", "changed"),
        ("'ds_0.t', 'ds_0.T'", "20012"),
        ("'ds_9.t'", "10102"),
        ("'t'", "10300"),
        ("'ds_0.a.t'", "10300"),
        ("'ds_0.'", "10300"),
        ("'ds_0.t_${x}'", "10300"),
        ("'ds_${0..1}.t_${0..9999}'", "10300"),
    ] {
        assert_eq!(run(&mut database(), &rule(nodes)), [expected], "{nodes}");
    }
    let mut config = database();
    check(
        &mut config,
        &[
            (&rule("'ds_0.t_0'"), &["changed"]),
            ("CREATE SHARDING TABLE RULE u (DATANODES('ds_0.t_0'))", &["20012"]),
            (
                "CREATE SHARDING TABLE RULE t (STORAGE_UNITS(ds_0), SHARDING_COLUMN=id, \
                 TYPE(NAME=MOD, PROPERTIES('sharding-count'=1)))",
                &["10204"],
            ),
        ],
    );
}

#[test]
fn strategies_are_checked() {
    let rule = |strategy: &str| {
        format!("CREATE SHARDING TABLE RULE t (DATANODES('ds_0.t'), TABLE_STRATEGY({strategy}))")
    };
    let inline = "SHARDING_ALGORITHM(TYPE(NAME=INLINE,PROPERTIES('algorithm-expression'='t')))";
    for (strategy, expected) in [
        ("TYPE=NONE".to_owned(), "changed"),
        ("TYPE=STANDARD, SHARDING_COLUMN=id".to_owned(), "10401"),
        (format!("TYPE=STANDARD, {inline}"), "10200"),
        (format!("TYPE=COMPLEX, {inline}"), "10200"),
        (format!("TYPE=HINT, SHARDING_COLUMN=id, {inline}"), "10200"),
        (format!("TYPE='x', {inline}"), "10200"),
        (format!("TYPE=STANDARD, SHARDING_COLUMN=id, {inline}"), "20052"),
        (
            "TYPE=STANDARD, SHARDING_COLUMN=id, SHARDING_ALGORITHM(TYPE(NAME=NOPE))".to_owned(),
            "10402",
        ),
        (
            "TYPE=HINT, SHARDING_ALGORITHM(TYPE(NAME=MOD,PROPERTIES('sharding-count'=1)))"
                .to_owned(),
            "10410",
        ),
    ] {
        assert_eq!(run(&mut database(), &rule(&strategy)), [expected], "{strategy}");
    }
}

#[test]
fn reference_groups_have_one_shape() {
    let mut config = database();
    let tables = [
        ORDER.to_owned(),
        item("t_item", "ds_${0..1}.t_item_${0..1}", 2),
        item("t_four", "ds_${0..1}.t_four_${0..3}", 4),
        item("t_turned", "ds_${[1, 0]}.t_turned_${0..1}", 2),
        item("t_swapped", "ds_${0..1}.t_swapped_${[1, 0]}", 2),
    ];
    let create = format!("CREATE SHARDING TABLE RULE {}", tables.join(", "));
    check(
        &mut config,
        &[
            (&create, &["changed"]),
            ("CREATE SHARDING TABLE REFERENCE RULE r (t_order, nope)", &["10202"]),
            ("CREATE SHARDING TABLE REFERENCE RULE r (t_order, t_four)", &["20010"]),
            ("CREATE SHARDING TABLE REFERENCE RULE r (t_order, t_turned)", &["20010"]),
            ("CREATE SHARDING TABLE REFERENCE RULE r (t_order, t_swapped)", &["20010"]),
            ("CREATE SHARDING TABLE REFERENCE RULE r (t_order, t_item)", &["changed"]),
            ("CREATE SHARDING TABLE REFERENCE RULE r (t_four)", &["10204"]),
            ("CREATE SHARDING TABLE REFERENCE RULE s (t_item, t_four)", &["10204"]),
            ("CREATE SHARDING TABLE REFERENCE RULE IF NOT EXISTS r (t_four)", &["unchanged"]),
            (
                "SHOW SHARDING TABLE REFERENCE RULES",
                &["name|sharding_table_reference", "r|t_order,t_item"],
            ),
            ("SHOW SHARDING TABLE REFERENCE RULE nope", &["10202"]),
            ("DROP SHARDING TABLE RULE t_item", &["10203"]),
            ("ALTER SHARDING TABLE REFERENCE RULE nope (t_order)", &["10202"]),
            ("ALTER SHARDING TABLE REFERENCE RULE r (t_order, t_four)", &["20010"]),
            ("ALTER SHARDING TABLE REFERENCE RULE r (t_item)", &["changed"]),
            ("CREATE SHARDING BINDING TABLE RULES (t_order)", &["changed"]),
            (
                "SHOW SHARDING BINDING TABLE RULES",
                &["name|sharding_table_reference", "r|t_item", "reference_1|t_order"],
            ),
            (
                "COUNT SHARDING RULE",
                &[
                    "rule_name|database|count",
                    "sharding_table|shop|5",
                    "sharding_table_reference|shop|2",
                ],
            ),
            ("DROP SHARDING TABLE REFERENCE RULE nope", &["10202"]),
            ("DROP SHARDING TABLE REFERENCE RULE IF EXISTS nope", &["unchanged"]),
            ("DROP SHARDING TABLE REFERENCE RULE r, reference_1", &["changed"]),
            ("DROP SHARDING TABLE RULE t_item", &["changed"]),
        ],
    );
}

#[test]
fn default_strategies() {
    let mut config = database();
    let strategy = "(TYPE=STANDARD, SHARDING_COLUMN=user_id, SHARDING_ALGORITHM(
        TYPE(NAME='INLINE', PROPERTIES('algorithm-expression'='ds_${user_id % 2}'))))";
    let create = format!("CREATE DEFAULT SHARDING DATABASE STRATEGY {strategy}");
    let again = format!("CREATE DEFAULT SHARDING DATABASE STRATEGY IF NOT EXISTS {strategy}");
    let alter =
        format!("ALTER DEFAULT SHARDING DATABASE STRATEGY {}", strategy.replace("% 2", "% 1"));
    let columns = "name|type|sharding_column|sharding_algorithm_name|sharding_algorithm_type|\
        sharding_algorithm_props";
    check(
        &mut config,
        &[
            (&alter, &["10202"]),
            ("DROP DEFAULT SHARDING DATABASE STRATEGY", &["10202"]),
            ("DROP DEFAULT SHARDING TABLE STRATEGY IF EXISTS", &["unchanged"]),
            ("SHOW DEFAULT SHARDING STRATEGY", &[columns, "DATABASE|||||", "TABLE|||||"]),
            (&create, &["changed"]),
            (&create, &["10204"]),
            (&again, &["unchanged"]),
            ("CREATE DEFAULT SHARDING TABLE STRATEGY (TYPE=NONE)", &["changed"]),
            (
                "SHOW DEFAULT SHARDING STRATEGY",
                &[
                    columns,
                    "DATABASE|STANDARD|user_id|default_database_inline|INLINE|\
                 {\"algorithm-expression\":\"ds_${user_id % 2}\"}",
                    "TABLE|NONE||||",
                ],
            ),
            ("CREATE SHARDING TABLE RULE t (DATANODES('ds_${0..1}.t'))", &["changed"]),
            (&alter, &["changed"]),
            (
                "SHOW SHARDING ALGORITHMS",
                &[
                    "name|type|props",
                    "default_database_inline|INLINE|{\"algorithm-expression\":\"ds_${user_id % 1}\"}",
                ],
            ),
            ("DROP DEFAULT SHARDING DATABASE STRATEGY", &["changed"]),
            ("SHOW SHARDING ALGORITHMS", &["name|type|props"]),
        ],
    );
}

#[test]
fn algorithms_by_name() {
    check(
        &mut database(),
        &[
            (
                "CREATE SHARDING KEY GENERATOR k (TYPE(NAME=uuid)), n (TYPE(NAME=nanoid))",
                &["changed"],
            ),
            ("CREATE SHARDING KEY GENERATOR k (TYPE(NAME=uuid))", &["10204"]),
            ("CREATE SHARDING KEY GENERATOR IF NOT EXISTS k (TYPE(NAME=uuid))", &["unchanged"]),
            ("CREATE SHARDING KEY GENERATOR x (TYPE(NAME=COSID))", &["10402"]),
            ("CREATE SHARDING AUDITOR a (TYPE(NAME=nope))", &["10402"]),
            ("CREATE SHARDING ALGORITHM a (TYPE(NAME=nope))", &["10402"]),
            ("ALTER SHARDING KEY GENERATOR x (TYPE(NAME=uuid))", &["10402"]),
            ("ALTER SHARDING KEY GENERATOR n (TYPE(NAME=sequence))", &["changed"]),
            ("SHOW UNUSED SHARDING KEY GENERATORS", &["name|type|props", "k|uuid|", "n|sequence|"]),
            ("DROP SHARDING KEY GENERATOR nope", &["10402"]),
            ("DROP SHARDING KEY GENERATOR IF EXISTS nope, k", &["changed"]),
            ("SHOW SHARDING KEY GENERATORS", &["name|type|props", "n|sequence|"]),
            (
                "SHOW KEY GENERATE ALGORITHM PLUGINS",
                &[
                    "type|type_aliases|description",
                    "NANOID||21 random letters",
                    "SEQUENCE||Numbers that rise, handed out in blocks",
                    "SNOWFLAKE||Time, worker and a sequence in 64 bits",
                    "UUID||32 random hexadecimal digits",
                ],
            ),
        ],
    );
}
