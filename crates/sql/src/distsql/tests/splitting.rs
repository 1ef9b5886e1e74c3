//! Read/write splitting.

use super::*;
use crate::ast::ReadwriteSplittingHint;

#[test]
fn splitting_rules_are_read_in_every_spelling() {
    let rule = |balancer: Option<AlgorithmDefinition>, strategy: Option<&str>| {
        ReadwriteSplittingDefinition {
            name: "g".to_owned(),
            write_unit: "w".to_owned(),
            read_units: words(&["r0", "r1"]),
            discovery: None,
            transactional_reads: strategy.map(str::to_owned),
            load_balancer: balancer,
        }
    };
    let weight = algorithm("WEIGHT", &[("r0", "2"), ("r1", "1.5")]);
    let text = r#"ALTER READWRITE_SPLITTING RULE g (WRITE_STORAGE_UNIT=w, READ_STORAGE_UNITS(r0, r1),
        TRANSACTIONAL_READ_QUERY_STRATEGY='FIXED',
        TYPE(NAME='WEIGHT', PROPERTIES('r0'=2, 'r1'=1.5)))"#;
    let rules = vec![rule(Some(weight), Some("FIXED"))];
    assert_eq!(parsed(text), DistSql::AlterReadwriteSplittingRule { rules });
    let text = "CREATE READWRITE_SPLITTING RULE IF NOT EXISTS g (WRITE_RESOURCE=w, \
                READ_RESOURCES(r0, r1))";
    let rules = vec![rule(None, None)];
    let create = DistSql::CreateReadwriteSplittingRule { if_not_exists: true, rules };
    assert_eq!(parsed(text), create);
    let text = "CREATE READWRITE_SPLITTING RULE g (AUTO_AWARE_RESOURCE=d, \
                WRITE_DATA_SOURCE_QUERY_ENABLED=true)";
    let DistSql::CreateReadwriteSplittingRule { rules, .. } = parsed(text) else { panic!() };
    assert_eq!(rules[0].discovery.as_deref(), Some("d"));
    for body in ["g (WRITE_STORAGE_UNIT=w)", "g (READ_STORAGE_UNITS(r))", "g (TYPE(NAME=a))"] {
        let error = error(&format!("CREATE READWRITE_SPLITTING RULE {body}"));
        assert!(error.contains("needs WRITE_STORAGE_UNIT"), "{body}: {error}");
    }
}

#[test]
fn replicas_are_switched_and_hints_set() {
    let switch = |rule: Option<&str>, unit: &str, is_enabled| DistSql::SwitchReplica {
        rule: rule.map(str::to_owned),
        unit: unit.to_owned(),
        is_enabled,
        database: None,
    };
    let begin = "ALTER READWRITE_SPLITTING RULE";
    assert_eq!(parsed(&format!("{begin} g ENABLE r")), switch(Some("g"), "r", true));
    assert_eq!(parsed(&format!("{begin} g disable r")), switch(Some("g"), "r", false));
    assert_eq!(parsed(&format!("{begin} DISABLE r")), switch(None, "r", false));
    let hint = DistSql::ReadwriteSplittingHint;
    let set = |to_primary| ReadwriteSplittingHint::Set { to_primary };
    for (text, expected) in [
        ("SET READWRITE_SPLITTING HINT SOURCE = write", set(true)),
        ("SET READWRITE_SPLITTING HINT SOURCE=AUTO", set(false)),
        ("SHOW READWRITE_SPLITTING HINT STATUS", ReadwriteSplittingHint::Show),
        ("CLEAR READWRITE_SPLITTING HINT", ReadwriteSplittingHint::Clear),
    ] {
        assert_eq!(parsed(text), hint(expected), "{text}");
    }
}
