//! LOAD, UNLOAD and SHOW SINGLE TABLE, and the default storage unit of tables without a rule.

use std::collections::HashSet;

use governance::Draft;
use governance::pattern::matches_like;
use governance::single_tables::SingleRule;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::{DataNode, Placement, UnitId};
use kernel::snapshot::LogicalDatabase;

use crate::storage_units::missing;
use crate::{AdminContext, AdminOutcome};

/// Chooses which unit's tables a database shows.
///
/// # Errors
/// A unit is missing (10102), a table is missing (1146) or has a rule (10204), an item is not
/// `*.*`, `unit.*` or `unit.table` (10200).
pub(crate) fn load(
    context: &AdminContext<'_>,
    items: &[String],
) -> Result<AdminOutcome, StatementError> {
    change_rule(context, "LOAD SINGLE TABLE", |database, rule| {
        for item in items {
            let (unit, table) = match item.split_once('.') {
                Some((unit, table)) if !table.contains('.') && (unit != "*" || table == "*") => {
                    (unit, table)
                }
                _ => {
                    let text = format!("'{item}' must read *.*, unit.* or unit.table");
                    return Err(StatementError::new(10200, "HY000", text));
                }
            };
            check_item(database, unit, table)?;
            rule.load(unit, table);
        }
        Ok(())
    })
}

fn check_item(database: &LogicalDatabase, unit: &str, table: &str) -> Result<(), StatementError> {
    if unit == "*" {
        return Ok(());
    }
    let found = database.find_nameable(unit).ok_or_else(|| missing(unit))?;
    if table == "*" {
        return Ok(());
    }
    let metadata = database.unit_metadata.get(&found.id);
    if !metadata.is_some_and(|metadata| metadata.tables.contains_key(table)) {
        return Err(StatementError::unknown_table(unit, table));
    }
    let is_ruled = database.tables.values().any(|other| match &other.placement {
        Placement::Sharded(nodes) | Placement::Broadcast(nodes) => {
            let is_node = |node: &DataNode| node.unit == found.id && &*node.actual_table == table;
            &*other.name == table || nodes.iter().any(is_node)
        }
        _ => false,
    });
    if is_ruled {
        let text = format!("Table '{unit}.{table}' belongs to a rule: it is no single table");
        return Err(StatementError::new(10204, "42S01", text));
    }
    Ok(())
}

/// Hides tables; `*` for all.
///
/// # Errors
/// A table is not a single table of the database (1146).
pub(crate) fn unload(
    context: &AdminContext<'_>,
    tables: &[String],
) -> Result<AdminOutcome, StatementError> {
    change_rule(context, "UNLOAD SINGLE TABLE", |database, rule| {
        for table in tables {
            let is_single = database.find_table(table).is_some_and(|found| {
                matches!(found.placement, Placement::Single(_) | Placement::Ambiguous(_))
            });
            if table != "*" && !is_single {
                return Err(StatementError::unknown_table(&database.name, table));
            }
            rule.unload(table);
        }
        Ok(())
    })
}

/// Chooses where CREATE TABLE without a rule goes; `None` takes the choice back.
///
/// # Errors
/// The unit is missing (10102).
pub(crate) fn set_default(
    context: &AdminContext<'_>,
    unit: Option<&str>,
) -> Result<AdminOutcome, StatementError> {
    change_rule(context, "SET DEFAULT SINGLE TABLE STORAGE UNIT", |database, rule| {
        if let Some(unit) = unit {
            database.find_nameable(unit).ok_or_else(|| missing(unit))?;
        }
        rule.default_data_source = unit.map(str::to_owned);
        Ok(())
    })
}

fn change_rule(
    context: &AdminContext<'_>,
    what: &str,
    edit: impl FnOnce(&LogicalDatabase, &mut SingleRule) -> Result<(), StatementError>,
) -> Result<AdminOutcome, StatementError> {
    let name = context.require_name(None)?;
    context.governance.change(what, |draft: &mut Draft| {
        let current = draft.previous.databases.get(name).cloned();
        let current = current.ok_or_else(|| StatementError::unknown_database(name))?;
        let config = draft.require_database(name)?;
        let mut rule = SingleRule::from_rules(&config.rules)?;
        edit(&current, &mut rule)?;
        rule.put_into(&mut config.rules);
        Ok(())
    })?;
    Ok(AdminOutcome::DONE)
}

/// `SHOW SINGLE TABLES` and `SHOW SINGLE TABLE t`. A table found in several units without a choice
/// has a row for each.
///
/// # Source
/// Inventory 1.9.
pub(crate) fn show(
    context: &AdminContext<'_>,
    like: Option<&str>,
    table: Option<&str>,
    database: Option<&str>,
) -> Result<TextTable, StatementError> {
    let database = context.require_database(database)?;
    let mut rows = Vec::new();
    for found in database.tables.values() {
        let nodes = match &found.placement {
            Placement::Single(node) => std::slice::from_ref(node),
            Placement::Ambiguous(nodes) => nodes,
            Placement::Sharded(_) | Placement::Broadcast(_) => continue,
        };
        let is_asked = table.is_none_or(|name| name == &*found.name)
            && like.is_none_or(|pattern| matches_like(pattern, &found.name));
        if is_asked {
            rows.extend(
                nodes.iter().map(|node| {
                    vec![Some(found.name.to_string()), Some(node.unit_name.to_string())]
                }),
            );
        }
    }
    rows.sort();
    Ok(TextTable { columns: vec!["table_name".to_owned(), "storage_unit_name".to_owned()], rows })
}

/// `SHOW UNLOADED SINGLE TABLES`: what the units have that is neither shown nor part of a rule.
///
/// # Source
/// Inventory 1.9.
pub(crate) fn show_unloaded(
    context: &AdminContext<'_>,
    database: Option<&str>,
) -> Result<TextTable, StatementError> {
    let database = context.require_database(database)?;
    let known: HashSet<(UnitId, &str)> = database
        .tables
        .values()
        .flat_map(|table| table.placement.nodes())
        .map(|node| (node.unit, &*node.actual_table))
        .collect();
    let mut rows = Vec::new();
    for unit in database.owners() {
        let Some(metadata) = database.unit_metadata.get(&unit.id) else { continue };
        let hidden = metadata.tables.keys().filter(|name| !known.contains(&(unit.id, name)));
        rows.extend(hidden.map(|name| vec![Some(name.clone()), Some(unit.name.to_string())]));
    }
    rows.sort();
    Ok(TextTable { columns: vec!["table_name".to_owned(), "storage_unit_name".to_owned()], rows })
}

/// `COUNT SINGLE TABLE`.
///
/// # Source
/// Inventory 1.9.
pub(crate) fn count(
    context: &AdminContext<'_>,
    database: Option<&str>,
) -> Result<TextTable, StatementError> {
    let database = context.require_database(database)?;
    let is_single =
        |placement: &Placement| matches!(placement, Placement::Single(_) | Placement::Ambiguous(_));
    let count = database.tables.values().filter(|table| is_single(&table.placement)).count();
    Ok(TextTable {
        columns: ["rule_name", "database", "count"].map(str::to_owned).into(),
        rows: vec![vec![
            Some("single_table".to_owned()),
            Some(database.name.to_string()),
            Some(count.to_string()),
        ]],
    })
}

/// `SHOW DEFAULT SINGLE TABLE STORAGE UNIT`; `RANDOM` where none was chosen, as ShardingSphere
/// says, though the first unit registered is taken then.
///
/// # Source
/// Inventory 1.9.
pub(crate) fn show_default(
    context: &AdminContext<'_>,
    database: Option<&str>,
) -> Result<TextTable, StatementError> {
    let name = context.require_name(database)?;
    let snapshot = context.governance.current();
    let config = snapshot.configuration.databases.get(name);
    let config = config.ok_or_else(|| StatementError::unknown_database(name))?;
    let unit = SingleRule::from_rules(&config.rules)?.default_data_source;
    Ok(TextTable {
        columns: vec!["storage_unit_name".to_owned()],
        rows: vec![vec![Some(unit.unwrap_or_else(|| "RANDOM".to_owned()))]],
    })
}
