//! Changes, restarts, and what the files do to what is stored.

use super::*;
use crate::snapshot_builder::tests::{SPREAD, unit_config};
use kernel::config::NamedUnit;
use kernel::snapshot::UnitMetadata;

fn database(port: u16) -> DatabaseConfig {
    let unit = NamedUnit { name: "a".to_owned(), config: unit_config(port) };
    DatabaseConfig { units: vec![unit], ..DatabaseConfig::default() }
}

#[test]
fn a_change_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let files = ConfigFiles::default();
    let opened = Governance::open(folder.path(), SPREAD, &files).unwrap();
    let password = opened.new_root_password.expect("no user was configured");
    let before = opened.governance.current();
    assert_eq!(before.users[0].native_verifier, users::native_verifier(password.as_bytes()));
    opened
        .governance
        .change("test", |draft| {
            draft.configuration.databases.insert("db".to_owned(), database(1));
            Ok(())
        })
        .unwrap();
    assert_eq!(opened.governance.current().version, before.version + 1);
    assert!(before.databases.is_empty(), "an older snapshot stays as it was");
    drop(opened.governance);

    let again = Governance::open(folder.path(), SPREAD, &files).unwrap();
    assert_eq!(again.new_root_password, None);
    let current = again.governance.current();
    assert_eq!(current.users, before.users);
    assert_eq!(current.configuration.databases["db"], database(1));
}

#[test]
fn a_failed_change_leaves_everything() {
    let governance = Governance::in_memory(SPREAD, &ConfigFiles::default()).unwrap().governance;
    let before = governance.current();
    let refused = governance.change("refused", |draft| {
        draft.configuration.databases.insert("db".to_owned(), database(1));
        Err::<(), _>(StatementError::unsupported("no"))
    });
    assert_eq!(refused.unwrap_err().code, 30001);
    let unbuildable = governance.change("unbuildable", |draft| {
        let mut database = database(1);
        database.rules.insert("MASK".to_owned(), serde_json::json!({}));
        draft.configuration.databases.insert("db".to_owned(), database);
        Ok(())
    });
    assert_eq!(unbuildable.unwrap_err().code, 30001);
    assert!(Arc::ptr_eq(&before, &governance.current()));
    assert_eq!(governance.store.load().unwrap().unwrap(), *before.configuration);
}

#[test]
fn a_change_without_a_difference_makes_no_snapshot() {
    let governance = Governance::in_memory(SPREAD, &ConfigFiles::default()).unwrap().governance;
    let add = |draft: &mut Draft| {
        draft.configuration.databases.insert("db".to_owned(), database(1));
        Ok(())
    };
    let metadata = UnitMetadata { server_version: "8.0.36".to_owned(), ..Default::default() };
    let read = |draft: &mut Draft| {
        let key = ("db".to_owned(), "a".to_owned());
        draft.readings.insert(key, Arc::new(metadata.clone()));
        Ok(())
    };
    governance.change("add", add).unwrap();
    governance.change("read", read).unwrap();
    let before = governance.current();
    assert_eq!(before.databases["db"].unit_metadata.len(), 1);
    governance.change("add", add).unwrap();
    governance.change("read", read).unwrap();
    assert!(Arc::ptr_eq(&before, &governance.current()));
}

#[test]
fn files_come_before_what_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let user = |name| users::user_with_password(name, "%", "x", None);
    let files = ConfigFiles {
        users: vec![user("old")],
        properties: [("sql-show".to_owned(), "true".to_owned())].into(),
        databases: [("db".to_owned(), database(1))].into(),
        ..ConfigFiles::default()
    };
    let opened = Governance::open(folder.path(), SPREAD, &files).unwrap();
    assert_eq!(opened.new_root_password, None);
    drop(opened);
    let files = ConfigFiles {
        users: vec![user("new")],
        databases: [("db".to_owned(), database(2))].into(),
        ..ConfigFiles::default()
    };
    let current = Governance::open(folder.path(), SPREAD, &files).unwrap().governance.current();
    assert_eq!(current.users.iter().map(|user| &*user.name).collect::<Vec<_>>(), ["new"]);
    assert_eq!(current.configuration.databases["db"], database(2));
    assert_eq!(current.configuration.properties["sql-show"], "true", "still stored");
}
