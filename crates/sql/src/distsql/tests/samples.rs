//! The DistSQL of the performance guide's chapters, to the letter.

use super::*;

fn unit_names(text: &str) -> Vec<(String, String, u16, String)> {
    let DistSql::RegisterStorageUnit { if_not_exists: false, units } = parsed(text) else {
        panic!("{text}")
    };
    let short = |unit: StorageUnitDefinition| {
        assert_eq!((unit.user.as_str(), unit.password.as_str()), ("test", "test"));
        (unit.name, unit.host, unit.port, unit.database)
    };
    units.into_iter().map(short).collect()
}

fn named(name: &str, host: &str, port: u16, database: &str) -> (String, String, u16, String) {
    (name.to_owned(), host.to_owned(), port, database.to_owned())
}

#[test]
fn the_units_of_every_chapter() {
    let sharding = [("ds_0", 20), ("ds_1", 21), ("ds_2", 22), ("ds_3", 23)]
        .map(|(name, host)| named(name, &format!("192.168.xx.{host}"), 13306, "sbtest"));
    assert_eq!(unit_names(SHARDING_UNITS), sharding);
    let splitting = [("write_ds", 13308), ("read_ds", 13309)]
        .map(|(name, port)| named(name, "192.168.xx.20", port, "test"));
    assert_eq!(unit_names(SPLITTING_UNITS), splitting);
    let encryption = [named("sphereex_demo", "192.168.xx.20", 13306, "encrypt_db")];
    assert_eq!(unit_names(ENCRYPTION_UNIT), encryption);
    let shadow = [
        named("ds", "192.168.xx.20", 13306, "prod_ds"),
        named("ds_shadow", "192.168.xx.21", 13306, "shadow_ds"),
    ];
    assert_eq!(unit_names(SHADOW_UNITS), shadow);
    assert_eq!(unit_names(PROBE_UNIT), [named("ds_0", "192.168.xx.20", 13306, "agent_ds")]);
}

#[test]
fn the_sharding_rule() {
    let rule = ShardingTableRuleDefinition {
        table: "t_user".to_owned(),
        layout: ShardingLayout::Auto {
            units: words(&["ds_0", "ds_1", "ds_2", "ds_3"]),
            column: "id".to_owned(),
            algorithm: algorithm("MOD", &[("sharding-count", "10")]),
        },
        key_generator: None,
        audit: None,
    };
    let expected = DistSql::CreateShardingTableRule { if_not_exists: false, rules: vec![rule] };
    assert_eq!(parsed(SHARDING_RULE), expected);
}

#[test]
fn the_splitting_rule() {
    let rule = ReadwriteSplittingDefinition {
        name: "readwrite_ds".to_owned(),
        write_unit: "write_ds".to_owned(),
        read_units: words(&["read_ds"]),
        discovery: None,
        transactional_reads: None,
        load_balancer: Some(algorithm("FIXED_REPLICA_RANDOM", &[])),
    };
    let expected =
        DistSql::CreateReadwriteSplittingRule { if_not_exists: false, rules: vec![rule] };
    assert_eq!(parsed(SPLITTING_RULE), expected);
}

#[test]
fn the_other_rules_are_known_by_name() {
    for (text, words) in [
        (ENCRYPTION_RULE, "CREATE ENCRYPT RULE"),
        (SHADOW_RULE, "CREATE SHADOW RULE"),
    ] {
        assert_eq!(parsed(text), DistSql::Unsupported { words: words.to_owned() });
    }
}

const SHARDING_UNITS: &str = r#"REGISTER STORAGE UNIT ds_0 (
    HOST="192.168.xx.20",
    PORT=13306,
    DB="sbtest",
    USER="test",
    PASSWORD="test"
), ds_1 (
    HOST="192.168.xx.21",
    PORT=13306,
    DB="sbtest",
    USER="test",
    PASSWORD="test"
) , ds_2 (
    HOST="192.168.xx.22",
    PORT=13306,
    DB="sbtest",
    USER="test",
    PASSWORD="test"
) , ds_3 (
    HOST="192.168.xx.23",
    PORT=13306,
    DB="sbtest",
    USER="test",
    PASSWORD="test"
);"#;

const SHARDING_RULE: &str = r#"CREATE SHARDING TABLE RULE t_user (
STORAGE_UNITS(ds_0, ds_1, ds_2, ds_3),
SHARDING_COLUMN=id,TYPE(NAME="MOD",PROPERTIES("sharding-count"=10))
);"#;

const SPLITTING_UNITS: &str = r#"REGISTER STORAGE UNIT write_ds (
    HOST="192.168.xx.20",
    PORT=13308,
    DB="test",
    USER="test",
    PASSWORD="test"
), read_ds (
    HOST="192.168.xx.20",
    PORT=13309,
    DB="test",
    USER="test",
    PASSWORD="test"
);"#;

const SPLITTING_RULE: &str = r#"CREATE READWRITE_SPLITTING RULE readwrite_ds (
WRITE_STORAGE_UNIT=write_ds,
READ_STORAGE_UNITS(read_ds),
TYPE(NAME="FIXED_REPLICA_RANDOM")
);"#;

const ENCRYPTION_UNIT: &str = r#"REGISTER STORAGE UNIT sphereex_demo(
    HOST="192.168.xx.20",
    PORT=13306,
    DB="encrypt_db",
    USER="test",
    PASSWORD="test"
    );"#;

const ENCRYPTION_RULE: &str = r#"CREATE ENCRYPT RULE t_user (
COLUMNS(
(NAME=idCard,CIPHER=idcard_cipher,TYPE(NAME="AES",PROPERTIES("aes-key-value"="123456abc"))), 
(NAME=mobile, CIPHER =mobile_cipher,TYPE(NAME="AES",PROPERTIES("aes-key-value"="123456abc")))));"#;

const SHADOW_UNITS: &str = r#"REGISTER STORAGE UNIT ds (
    HOST="192.168.xx.20",
    PORT=13306,
    DB="prod_ds",
    USER="test",
    PASSWORD="test"
),ds_shadow (
    HOST="192.168.xx.21",
    PORT=13306,
    DB="shadow_ds",
    USER="test",
    PASSWORD="test"
);"#;

const SHADOW_RULE: &str = r#"CREATE SHADOW RULE shadowDataSource(
SOURCE=ds,
SHADOW=ds_shadow,
t_user(
TYPE(NAME="VALUE_MATCH", PROPERTIES("operation"="insert","column"="status", "value"=1)),
TYPE(NAME="SIMPLE_HINT", PROPERTIES("shadow"=true)))
);"#;

const PROBE_UNIT: &str = r#"REGISTER STORAGE UNIT ds_0 (
    HOST="192.168.xx.20",
    PORT=13306,
    DB="agent_ds",
    USER="test",
    PASSWORD="test"
);"#;
