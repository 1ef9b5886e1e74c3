//! DistSQL of sharding: what is changed, refused and shown.

mod statements;

use kernel::config::NamedUnit;
use kernel::model::{BackendTls, PoolConfig, Secret, StorageUnitConfig};
use kernel::snapshot::LogicalDatabase;
use sql::ast::{AlgorithmDefinition, Properties, ShardingLayout, ShardingTableRuleDefinition};

use super::*;
use crate::config::ShardingConfig;
use crate::rule::ShardingRule;

fn database() -> DatabaseConfig {
    let unit = |name: &str| NamedUnit {
        name: name.to_owned(),
        config: StorageUnitConfig {
            host: "127.0.0.1".to_owned(),
            port: 3306,
            database: "d".to_owned(),
            user: "u".to_owned(),
            password: Secret(String::new()),
            tls: BackendTls::Disabled,
            pool: PoolConfig::default(),
            other_properties: std::collections::BTreeMap::new(),
        },
    };
    DatabaseConfig {
        units: ["ds_0", "ds_1", "ds_2", "ds_3"].map(unit).into(),
        rules: std::collections::BTreeMap::new(),
    }
}

fn rule(table: &str, algorithm: &str, count: &str) -> ShardingTableRuleDefinition {
    ShardingTableRuleDefinition {
        table: table.to_owned(),
        layout: ShardingLayout::Auto {
            units: ["ds_0", "ds_1", "ds_2", "ds_3"].map(str::to_owned).into(),
            column: "id".to_owned(),
            algorithm: AlgorithmDefinition {
                name: algorithm.to_owned(),
                properties: Properties::from([("sharding-count".to_owned(), count.to_owned())]),
            },
        },
        key_generator: None,
        audit: None,
    }
}

fn run(config: &mut DatabaseConfig, statement: DistSql) -> Result<DistSqlOutcome, u16> {
    let current = LogicalDatabase { name: "sharding_db".into(), ..LogicalDatabase::default() };
    execute(&statement, &mut DistSqlContext { current: &current, config })
        .unwrap()
        .map_err(|error| error.code)
}

fn create(rules: Vec<ShardingTableRuleDefinition>, if_not_exists: bool) -> DistSql {
    DistSql::CreateShardingTableRule { if_not_exists, rules }
}

#[test]
fn rules_are_created_changed_and_dropped() {
    let mut config = database();
    let t_user = rule("t_user", "MOD", "10");
    assert_eq!(run(&mut config, create(vec![t_user.clone()], false)), Ok(DistSqlOutcome::Changed));
    assert_eq!(run(&mut config, create(vec![t_user.clone()], false)), Err(10204));
    assert_eq!(run(&mut config, create(vec![t_user.clone()], true)), Ok(DistSqlOutcome::Unchanged));
    let twice = vec![rule("a", "MOD", "2"), rule("a", "MOD", "2")];
    assert_eq!(run(&mut config, create(twice, true)), Err(10204));
    let alter =
        |table: &str| DistSql::AlterShardingTableRule { rules: vec![rule(table, "hash_mod", "4")] };
    assert_eq!(run(&mut config, alter("nope")), Err(10202));
    assert_eq!(run(&mut config, alter("t_user")), Ok(DistSqlOutcome::Changed));
    let names = ShardingConfig::of(&config).unwrap().algorithms.into_keys().collect::<Vec<_>>();
    assert_eq!(names, ["t_user_hash_mod"]);
    let drop = |table: &str, if_exists| DistSql::DropShardingTableRule {
        if_exists,
        tables: vec![table.to_owned()],
    };
    assert_eq!(run(&mut config, drop("nope", false)), Err(10202));
    assert_eq!(run(&mut config, drop("nope", true)), Ok(DistSqlOutcome::Unchanged));
    assert_eq!(run(&mut config, drop("t_user", false)), Ok(DistSqlOutcome::Changed));
    assert!(config.rules.is_empty());
}

#[test]
fn a_refused_rule_changes_nothing() {
    let mut config = database();
    let mut other_unit = rule("t", "MOD", "4");
    if let ShardingLayout::Auto { units, .. } = &mut other_unit.layout {
        units.push("ds_9".to_owned());
    }
    let mut repeated_unit = rule("t", "MOD", "4");
    if let ShardingLayout::Auto { units, .. } = &mut repeated_unit.layout {
        units.push("ds_0".to_owned());
    }
    let mut generated = rule("t", "MOD", "4");
    generated.key_generator = Some((
        "id".to_owned(),
        AlgorithmDefinition { name: "COSID".to_owned(), properties: Properties::new() },
    ));
    let mut explicit = rule("t", "MOD", "4");
    explicit.layout = ShardingLayout::Explicit {
        data_nodes: vec!["ds_0".to_owned()],
        database_strategy: None,
        table_strategy: None,
    };
    for (definition, code) in [
        (other_unit, 10102),
        (repeated_unit, 10200),
        (rule("t", "NOPE", "4"), 10402),
        (rule("t", "MOD", "zero"), 10404),
        (generated, 10402),
        (explicit, 10300),
    ] {
        let statement = create(vec![rule("fine", "MOD", "4"), definition], false);
        assert_eq!(run(&mut config, statement), Err(code));
        assert!(config.rules.is_empty());
    }
}

#[test]
fn the_seed_layout() {
    let mut config = database();
    run(&mut config, create(vec![rule("t_user", "MOD", "10")], false)).unwrap();
    let statement = DistSql::ShowShardingTableNodes { table: None, database: None };
    let Ok(DistSqlOutcome::Rows(nodes)) = run(&mut config, statement) else { panic!("no rows") };
    assert_eq!(
        nodes.rows[0][1].as_deref(),
        Some(
            "ds_0.t_user_0, ds_1.t_user_1, ds_2.t_user_2, ds_3.t_user_3, ds_0.t_user_4, \
             ds_1.t_user_5, ds_2.t_user_6, ds_3.t_user_7, ds_0.t_user_8, ds_1.t_user_9"
        )
    );
    let statement =
        DistSql::ShowShardingTableRules { table: Some("t_user".to_owned()), database: None };
    let Ok(DistSqlOutcome::Rows(rules)) = run(&mut config, statement) else { panic!("no rows") };
    let row = rules.rows[0].iter().flatten().cloned().collect::<Vec<_>>();
    assert_eq!(
        row,
        [
            "t_user",
            "",
            "ds_0,ds_1,ds_2,ds_3",
            "",
            "",
            "",
            "",
            "STANDARD",
            "id",
            "MOD",
            "{\"sharding-count\":\"10\"}",
            "",
            "",
            "",
            "",
            ""
        ]
    );
    assert_eq!(rules.columns.len(), row.len());
}

#[test]
fn stored_rules_are_checked_when_they_are_built() {
    let mut config = database();
    run(&mut config, create(vec![rule("t_user", "MOD", "10")], false)).unwrap();
    let stored = ShardingConfig::of(&config).unwrap();
    assert_eq!(ShardingRule::new(&stored, &[]).unwrap_err().code, 10102);
}

#[test]
fn units_can_be_row_expressions() {
    let mut config = database();
    let mut written = rule("t", "MOD", "3");
    if let ShardingLayout::Auto { units, .. } = &mut written.layout {
        *units = vec!["ds_${2..3}".to_owned()];
    }
    assert_eq!(run(&mut config, create(vec![written], false)), Ok(DistSqlOutcome::Changed));
    let statement = DistSql::ShowShardingTableNodes { table: None, database: None };
    let Ok(DistSqlOutcome::Rows(nodes)) = run(&mut config, statement) else { panic!("no rows") };
    assert_eq!(nodes.rows[0][1].as_deref(), Some("ds_2.t_0, ds_3.t_1, ds_2.t_2"));
}
