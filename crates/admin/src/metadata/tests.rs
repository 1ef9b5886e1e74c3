//! What is asked of which unit, and what becomes of the answers.

use super::*;
use crate::tests::{Node, metadata_of};

/// `unit: tables` of what is asked.
fn shown(asked: &[Asked]) -> Vec<String> {
    let tables = |asked: &Asked| match &asked.tables {
        None => "all".to_owned(),
        Some(tables) => tables.join(" "),
    };
    asked.iter().map(|asked| format!("{}: {}", asked.unit.name, tables(asked))).collect()
}

#[test]
fn only_the_units_of_a_table_are_asked() {
    let node = Node::with_units(&[&["t_user_0", "one", "both"], &["t_user_1", "both"], &[]]);
    node.run("CREATE SHARDING TABLE RULE t_user (STORAGE_UNITS(a,b), SHARDING_COLUMN=id, TYPE(NAME=MOD))")
        .unwrap();
    let database = node.governance.current().databases["db"].clone();
    let asked = |tables: &[&str]| {
        let tables: Vec<_> = tables.iter().map(|table| (*table).to_owned()).collect();
        shown(&units_of_tables(&database, &tables))
    };
    assert_eq!(asked(&["t_user"]), ["a: t_user_0", "b: t_user_1"]);
    assert_eq!(asked(&["one"]), ["a: one"]);
    assert_eq!(asked(&["one", "new"]), ["a: new one", "b: new", "c: new"]);
    assert_eq!(asked(&["both"]), ["a: both", "b: both", "c: both"]);
}

#[test]
fn what_was_read_replaces_what_was_known() {
    let node = Node::with_units(&[&["kept", "dropped", "changed"]]);
    let database = node.governance.current().databases["db"].clone();
    let tables = ["dropped", "changed", "created"].map(str::to_owned).to_vec();
    let mut read = metadata_of(&["changed", "created"]);
    let changed = Arc::make_mut(read.tables.get_mut("changed").unwrap());
    changed.columns[0].name = "renamed".to_owned();
    let asked =
        Asked { database: "db".to_owned(), unit: database.units[0].clone(), tables: Some(tables) };
    node.governance
        .change("test", |draft| {
            put(draft, asked, read);
            Ok(())
        })
        .unwrap();
    let database = node.governance.current().databases["db"].clone();
    let mut names: Vec<_> = database.tables.keys().cloned().collect();
    names.sort();
    assert_eq!(names, ["changed", "created", "kept"]);
    let metadata = database.find_table("changed").unwrap().metadata.clone().unwrap();
    assert_eq!(metadata.columns[0].name, "renamed");
}

#[test]
fn a_reading_of_a_unit_that_is_gone_is_dropped() {
    let node = Node::with_units(&[&["t"]]);
    let database = node.governance.current().databases["db"].clone();
    let asked = Asked { database: "db".to_owned(), unit: database.units[0].clone(), tables: None };
    node.run("UNREGISTER STORAGE UNIT a IGNORE SINGLE TABLES").unwrap();
    let before = node.governance.current();
    node.governance
        .change("test", |draft| {
            put(draft, asked, metadata_of(&["t"]));
            Ok(())
        })
        .unwrap();
    assert!(Arc::ptr_eq(&before, &node.governance.current()));
}

#[test]
fn a_unit_that_was_never_read_is_read_as_a_whole() {
    let node = Node::with_units(&[&["t"]]);
    node.governance
        .change("test", |draft| {
            let config = crate::tests::unit_config(1);
            let unit = kernel::config::NamedUnit { name: "new".to_owned(), config };
            draft.require_database("db")?.units.push(unit);
            Ok(())
        })
        .unwrap();
    let database = node.governance.current().databases["db"].clone();
    assert_eq!(shown(&units_of_tables(&database, &["x".to_owned()])), ["a: x", "new: all"]);
}
