//! REGISTER, ALTER, UNREGISTER and SHOW STORAGE UNIT.

mod show;
mod usage;

use std::collections::HashSet;
use std::sync::Arc;

use governance::unit_config::{UnitParts, build_unit_config};
use governance::{Draft, single_tables::SingleRule};
use kernel::config::{DatabaseConfig, NamedUnit};
use kernel::error::StatementError;
use kernel::snapshot::UnitMetadata;
use sql::ast::{DistSql, StorageUnitDefinition};

use crate::{AdminContext, AdminOutcome, metadata};

pub(crate) use show::{show, show_rules_used};

/// Registers units after connecting to each of them and reading its tables.
///
/// # Errors
/// A name is taken (10104), a property is wrong (10100), a unit cannot be reached (10110).
pub(crate) async fn register(
    context: &AdminContext<'_>,
    definitions: &[StorageUnitDefinition],
    if_not_exists: bool,
) -> Result<AdminOutcome, StatementError> {
    let database = context.require_database(None)?;
    let mut units = build_units(definitions)?;
    if if_not_exists {
        units.retain(|unit| database.find_unit_named(&unit.name).is_none());
    } else if let Some(unit) =
        units.iter().find(|unit| database.find_unit_named(&unit.name).is_some())
    {
        return Err(duplicate(&unit.name));
    }
    let read = read_all(&units).await?;
    context.governance.change("REGISTER STORAGE UNIT", |draft| {
        add_units(draft, &database.name, &units, read, if_not_exists)
    })?;
    Ok(AdminOutcome::DONE)
}

/// The pure part of [`register`]; another session may have registered units meanwhile.
fn add_units(
    draft: &mut Draft,
    database: &str,
    units: &[NamedUnit],
    read: Vec<Arc<UnitMetadata>>,
    if_not_exists: bool,
) -> Result<(), StatementError> {
    for (unit, metadata) in units.iter().zip(read) {
        let config = draft.require_database(database)?;
        if config.units.iter().any(|other| other.name == unit.name) {
            if if_not_exists {
                continue;
            }
            return Err(duplicate(&unit.name));
        }
        config.units.push(unit.clone());
        draft.readings.insert((database.to_owned(), unit.name.clone()), metadata);
    }
    Ok(())
}

/// Changes how units are reached, but not to which database they lead.
///
/// # Errors
/// A unit is missing (10102), another address (10111), and those of [`register`].
pub(crate) async fn alter(
    context: &AdminContext<'_>,
    definitions: &[StorageUnitDefinition],
) -> Result<AdminOutcome, StatementError> {
    let database = context.require_name(None)?;
    let units = build_units(definitions)?;
    let _reading = context.governance.lock_readings().await;
    let snapshot = context.governance.current();
    let config = snapshot.configuration.databases.get(database);
    check_alter(config.ok_or_else(|| StatementError::unknown_database(database))?, &units)?;
    let read = read_all(&units).await?;
    context
        .governance
        .change("ALTER STORAGE UNIT", |draft| replace_units(draft, database, &units, read))?;
    Ok(AdminOutcome::DONE)
}

/// The pure part of [`alter`]; another session may have changed units meanwhile.
fn replace_units(
    draft: &mut Draft,
    database: &str,
    units: &[NamedUnit],
    read: Vec<Arc<UnitMetadata>>,
) -> Result<(), StatementError> {
    let config = draft.require_database(database)?;
    check_alter(config, units)?;
    for unit in units {
        for other in config.units.iter_mut().filter(|other| other.name == unit.name) {
            other.config = unit.config.clone();
        }
    }
    for (unit, metadata) in units.iter().zip(read) {
        draft.readings.insert((database.to_owned(), unit.name.clone()), metadata);
    }
    Ok(())
}

fn check_alter(config: &DatabaseConfig, units: &[NamedUnit]) -> Result<(), StatementError> {
    for NamedUnit { name, config: after } in units {
        let before = config.units.iter().find(|unit| unit.name == *name);
        let before = &before.ok_or_else(|| missing(name))?.config;
        let is_same_place = (&before.host, before.port, &before.database)
            == (&after.host, after.port, &after.database);
        if !is_same_place {
            return Err(StatementError::new(
                10111,
                "HY000",
                format!(
                    "Storage unit '{name}' leads to {}:{}/{}, which ALTER cannot change: register \
                     another one",
                    before.host, before.port, before.database
                ),
            ));
        }
    }
    Ok(())
}

/// Which tables do not keep a unit from being taken out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ignored {
    single_tables: bool,
    broadcast_tables: bool,
}

impl Ignored {
    /// What an UNREGISTER says.
    pub(crate) fn of(statement: &DistSql) -> Self {
        match statement {
            DistSql::UnregisterStorageUnit {
                ignore_single_tables,
                ignore_broadcast_tables,
                ..
            } => Self {
                single_tables: *ignore_single_tables,
                broadcast_tables: *ignore_broadcast_tables,
            },
            _ => Self { single_tables: false, broadcast_tables: false },
        }
    }
}

/// Takes units out of the database. Their data stays.
///
/// # Errors
/// A unit is missing (10102) or still used (10103).
pub(crate) fn unregister(
    context: &AdminContext<'_>,
    names: &[String],
    if_exists: bool,
    ignored: Ignored,
) -> Result<AdminOutcome, StatementError> {
    let database = context.require_name(None)?;
    context.governance.change("UNREGISTER STORAGE UNIT", |draft| {
        remove_units(draft, database, names, if_exists, ignored)
    })?;
    Ok(AdminOutcome::DONE)
}

fn remove_units(
    draft: &mut Draft,
    database: &str,
    names: &[String],
    if_exists: bool,
    ignored: Ignored,
) -> Result<(), StatementError> {
    let previous = Arc::clone(&draft.previous);
    let config = draft.require_database(database)?;
    let mut single_rule = SingleRule::from_rules(&config.rules)?;
    for name in names {
        let unit = previous.databases.get(database).and_then(|before| before.find_unit_named(name));
        let (Some(before), Some(unit)) = (previous.databases.get(database), unit) else {
            if if_exists {
                continue;
            }
            return Err(missing(name));
        };
        let mut uses = usage::rules_of(before, unit.id, !ignored.broadcast_tables);
        if !ignored.single_tables {
            uses.extend(usage::single_tables_of(before, unit.id));
            if single_rule.default_data_source.as_deref() == Some(name) {
                uses.push(("single".to_owned(), "the default storage unit".to_owned()));
            }
        }
        if let Some((kind, table)) = uses.first() {
            let hint = if kind == "single" { ", or add IGNORE SINGLE TABLES" } else { "" };
            let text = format!(
                "Storage unit '{name}' is still used by {} ({kind}: {table}, ..): remove that \
                 first{hint}",
                if uses.len() == 1 {
                    "1 table".to_owned()
                } else {
                    format!("{} tables", uses.len())
                }
            );
            return Err(StatementError::new(10103, "44000", text));
        }
        config.units.retain(|unit| unit.name != *name);
        single_rule.forget_unit(name);
    }
    single_rule.put_into(&mut config.rules);
    Ok(())
}

/// Builds the configuration of every unit of a statement.
fn build_units(definitions: &[StorageUnitDefinition]) -> Result<Vec<NamedUnit>, StatementError> {
    let mut names = HashSet::new();
    let build = |definition: &StorageUnitDefinition| {
        let name = &definition.name;
        if !names.insert(name.clone()) {
            return Err(duplicate(name));
        }
        let wrong = |why: String| {
            StatementError::new(10100, "HY000", format!("Storage unit '{name}': {why}"))
        };
        if name.is_empty() || name.contains(['.', '*', '\0']) {
            return Err(wrong("a name must not be empty or contain '.' or '*'".to_owned()));
        }
        let config = build_unit_config(UnitParts {
            host: &definition.host,
            port: definition.port,
            database: &definition.database,
            user: &definition.user,
            password: &definition.password,
            url_parameters: &definition.url_parameters,
            properties: &definition.properties,
        });
        Ok(NamedUnit { name: name.clone(), config: config.map_err(wrong)? })
    };
    definitions.iter().map(build).collect()
}

/// Reads all units at a time; one that cannot be read is an error of the whole statement.
async fn read_all(units: &[NamedUnit]) -> Result<Vec<Arc<UnitMetadata>>, StatementError> {
    let asked = units.iter().map(|unit| metadata::UnitReading::whole(&unit.name, &unit.config));
    metadata::read_units(asked.collect()).await.into_iter().map(|read| read.map(Arc::new)).collect()
}

fn duplicate(name: &str) -> StatementError {
    let text = format!("Storage unit '{name}' exists already: choose another name or ALTER it");
    StatementError::new(10104, "42S01", text)
}

/// A unit is not registered (10102).
pub(crate) fn missing(name: &str) -> StatementError {
    let text = format!("Storage unit '{name}' does not exist: register it first");
    StatementError::new(10102, "42S02", text)
}

#[cfg(test)]
mod tests;
