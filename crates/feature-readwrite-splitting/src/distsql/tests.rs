use super::*;
use kernel::config::NamedUnit;
use kernel::model::{BackendTls, PoolConfig, Secret, StorageUnit, StorageUnitConfig, UnitId};
use sql::SqlMode;
use std::sync::Arc;

const CREATE: &str = "CREATE READWRITE_SPLITTING RULE g (WRITE_STORAGE_UNIT=w, \
                      READ_STORAGE_UNITS(r0, r1), TYPE(NAME=\"FIXED_REPLICA_RANDOM\"))";

fn unit_config() -> StorageUnitConfig {
    StorageUnitConfig {
        host: "h".to_owned(),
        port: 3306,
        database: "d".to_owned(),
        user: "u".to_owned(),
        password: Secret::default(),
        tls: BackendTls::Disabled,
        pool: PoolConfig::default(),
        other_properties: std::collections::BTreeMap::new(),
    }
}

fn units() -> Vec<StorageUnit> {
    (0..)
        .zip(["w", "r0", "r1"])
        .map(|(id, name)| StorageUnit {
            id: UnitId(id),
            name: name.into(),
            config: Arc::new(unit_config()),
        })
        .collect()
}

fn database() -> DatabaseConfig {
    let unit = |name: &str| NamedUnit { name: name.to_owned(), config: unit_config() };
    DatabaseConfig { units: ["w", "r0", "r1"].map(unit).into(), ..DatabaseConfig::default() }
}

fn run(config: &mut DatabaseConfig, text: &str) -> Result<DistSqlOutcome, StatementError> {
    let statement = sql::distsql::parse(text.as_bytes(), SqlMode::default()).unwrap().unwrap();
    let current = LogicalDatabase { name: "shop".into(), ..LogicalDatabase::default() };
    let mut context = DistSqlContext { current: &current, config };
    execute(&statement, &mut context).unwrap()
}

fn rows(config: &mut DatabaseConfig, text: &str) -> Vec<String> {
    let DistSqlOutcome::Rows(table) = run(config, text).unwrap() else { panic!("{text}") };
    let line = |row: &Vec<Option<String>>| row.iter().flatten().cloned().collect::<Vec<_>>();
    table.rows.iter().map(|row| line(row).join("|")).collect()
}

/// The code of the error that building the stored rule gives.
fn build_error(config: &DatabaseConfig) -> u16 {
    crate::rule::groups(&config.rules[crate::config::RULE_KEY], &units()).unwrap_err().code
}

#[test]
fn a_rule_is_created_shown_and_dropped() {
    let mut config = database();
    assert_eq!(run(&mut config, CREATE), Ok(DistSqlOutcome::Changed));
    assert_eq!(run(&mut config, CREATE).unwrap_err().code, 10204);
    let again = CREATE.replace("RULE g", "RULE IF NOT EXISTS g");
    assert_eq!(run(&mut config, &again), Ok(DistSqlOutcome::Unchanged));
    assert_eq!(
        rows(&mut config, "SHOW READWRITE_SPLITTING RULES"),
        ["g|w|r0,r1|FIXED|FIXED_REPLICA_RANDOM|"]
    );
    assert_eq!(
        rows(&mut config, "COUNT READWRITE_SPLITTING RULE"),
        ["readwrite_splitting|shop|1"]
    );
    let groups = crate::rule::groups(&config.rules["READWRITE_SPLITTING"], &units()).unwrap();
    assert_eq!((&*groups[0].name, groups[0].primary), ("g", UnitId(0)));
    let replicas: Vec<_> = groups[0].replicas.iter().map(|replica| replica.unit.0).collect();
    assert_eq!(replicas, [1, 2]);
    assert_eq!(run(&mut config, "DROP READWRITE_SPLITTING RULE h").unwrap_err().code, 10202);
    let drop = "DROP READWRITE_SPLITTING RULE IF EXISTS h, g";
    assert_eq!(run(&mut config, drop), Ok(DistSqlOutcome::Changed));
    assert_eq!(config, database());
}

#[test]
fn replicas_are_switched_off_but_for_the_last() {
    let mut config = database();
    run(&mut config, CREATE).unwrap();
    let off = "ALTER READWRITE_SPLITTING RULE g DISABLE r0";
    assert_eq!(run(&mut config, off), Ok(DistSqlOutcome::Changed));
    assert_eq!(run(&mut config, off), Ok(DistSqlOutcome::Unchanged));
    assert_eq!(
        rows(&mut config, "SHOW STATUS FROM READWRITE_SPLITTING RULES"),
        ["r0|DISABLED", "r1|ENABLED"]
    );
    let last = run(&mut config, "ALTER READWRITE_SPLITTING RULE g DISABLE r1").unwrap_err();
    assert_eq!(last.code, 10200);
    let write = run(&mut config, "ALTER READWRITE_SPLITTING RULE g DISABLE w").unwrap_err();
    assert_eq!(write.code, 20203);
    // A rule that is altered keeps what was switched off.
    run(&mut config, &CREATE.replace("CREATE", "ALTER")).unwrap();
    assert_eq!(
        rows(&mut config, "SHOW STATUS FROM READWRITE_SPLITTING RULE g"),
        ["r0|DISABLED", "r1|ENABLED"]
    );
    let on = "ALTER READWRITE_SPLITTING RULE ENABLE r0";
    assert_eq!(run(&mut config, on), Ok(DistSqlOutcome::Changed));
    assert_eq!(run(&mut config, on), Ok(DistSqlOutcome::Unchanged));
}

#[test]
fn what_cannot_be_is_refused() {
    let error = |text: &str| {
        let mut config = database();
        run(&mut config, text).unwrap();
        build_error(&config)
    };
    let create = |body: &str| format!("CREATE READWRITE_SPLITTING RULE {body}");
    let group = |name: &str, write: &str, reads: &str| {
        format!("{name} (WRITE_STORAGE_UNIT={write}, READ_STORAGE_UNITS({reads}))")
    };
    assert_eq!(error(&create(&group("g", "x", "r0"))), 10102);
    assert_eq!(error(&create(&group("g", "w", "x"))), 10102);
    assert_eq!(error(&create(&group("g", "w", "r0, r0"))), 20204);
    assert_eq!(error(&create(&group("g", "w", "w"))), 20204);
    let two = format!("{}, {}", group("g", "w", "r0"), group("h", "r1", "r0"));
    assert_eq!(error(&create(&two)), 20204);
    assert_eq!(error(&create(&group("r1", "w", "r0"))), 10200);
    assert_eq!(error(&CREATE.replace("FIXED_REPLICA_RANDOM", "NEAREST")), 10402);
    let strategy = CREATE.replace("TYPE", "TRANSACTIONAL_READ_QUERY_STRATEGY=sometimes, TYPE");
    assert_eq!(error(&strategy), 10200);
    let discovery = create("g (AUTO_AWARE_RESOURCE=d)");
    assert_eq!(run(&mut database(), &discovery).unwrap_err().code, 30001);
}

#[test]
fn load_balancers_are_listed() {
    let shown = rows(&mut database(), "SHOW LOAD BALANCE ALGORITHM PLUGINS");
    assert_eq!(shown.len(), crate::load_balancers::ALL.len());
    assert!(shown[0].starts_with("FIXED_PRIMARY|"));
}
