//! Reads the tables of storage units and puts them into the snapshot.

mod reading;

use std::collections::BTreeSet;
use std::sync::Arc;

use governance::{Draft, Governance};
use kernel::error::StatementError;
use kernel::model::{Placement, StorageUnit};
use kernel::snapshot::{LogicalDatabase, Snapshot, UnitMetadata};

pub(crate) use reading::{UnitReading, read_units};

use crate::{AdminContext, AdminOutcome};

/// A unit that could not be read. What was known of it before is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadFailure {
    /// The logical database.
    pub database: String,
    /// The unit in it.
    pub unit: String,
    /// Why (10110).
    pub error: StatementError,
}

/// Reads every unit of every database, for the start of the server. A unit that is down is tried
/// again by [`load_missing`].
pub async fn load_all(governance: &Governance) -> Vec<ReadFailure> {
    let all = |snapshot: &Snapshot| {
        Ok(snapshot.databases.values().flat_map(|database| whole_units(database)).collect())
    };
    read_into(governance, "load metadata", all).await.unwrap_or_default()
}

/// Reads the units that could not be read so far. Cheap when there are none.
pub async fn load_missing(governance: &Governance) -> Vec<ReadFailure> {
    let is_missing = |asked: &Asked, snapshot: &Snapshot| {
        snapshot
            .databases
            .get(&asked.database)
            .is_none_or(|database| !database.unit_metadata.contains_key(&asked.unit.id))
    };
    let missing = |snapshot: &Snapshot| -> Vec<Asked> {
        let all = snapshot.databases.values().flat_map(|database| whole_units(database));
        all.filter(|asked| is_missing(asked, snapshot)).collect()
    };
    if missing(&governance.current()).is_empty() {
        return Vec::new();
    }
    let select = |snapshot: &Snapshot| Ok(missing(snapshot));
    read_into(governance, "load metadata", select).await.unwrap_or_default()
}

/// Reads anew the tables that a DDL statement named, by their logical names (both names of a
/// RENAME). When it returns, the next statement of any session sees them as they are.
///
/// # Errors
/// The database is gone (1049); a unit could not be read (10110), which has no effect on what was
/// read of the others.
pub async fn refresh_after_ddl(
    governance: &Governance,
    database: &str,
    tables: &[String],
) -> Result<(), StatementError> {
    let select = |snapshot: &Snapshot| {
        let database = snapshot
            .databases
            .get(database)
            .ok_or_else(|| StatementError::unknown_database(database))?;
        Ok(units_of_tables(database, tables))
    };
    first_failure(read_into(governance, "refresh after DDL", select).await?)
}

/// `REFRESH DATABASE METADATA [db]` and `REFRESH TABLE METADATA [t]`.
///
/// # Errors
/// As [`refresh_after_ddl`].
pub(crate) async fn refresh(
    context: &AdminContext<'_>,
    database: Option<&str>,
    table: Option<&str>,
) -> Result<AdminOutcome, StatementError> {
    let name = context.require_database(database)?.name.clone();
    match table {
        Some(table) => {
            refresh_after_ddl(context.governance, &name, &[table.to_owned()]).await?;
        }
        None => {
            let select = |snapshot: &Snapshot| {
                let database = snapshot.databases.get(&*name);
                let database = database.ok_or_else(|| StatementError::unknown_database(&name))?;
                Ok(whole_units(database).collect())
            };
            let read = read_into(context.governance, "REFRESH DATABASE METADATA", select).await?;
            first_failure(read)?;
        }
    }
    Ok(AdminOutcome::DONE)
}

fn first_failure(failures: Vec<ReadFailure>) -> Result<(), StatementError> {
    failures.into_iter().next().map_or(Ok(()), |failure| Err(failure.error))
}

/// What is to be read of one unit.
struct Asked {
    database: String,
    unit: StorageUnit,
    /// Actual tables; `None` for all there are.
    tables: Option<Vec<String>>,
}

fn whole_units(database: &LogicalDatabase) -> impl Iterator<Item = Asked> + '_ {
    database.units.iter().map(|unit| Asked {
        database: database.name.to_string(),
        unit: unit.clone(),
        tables: None,
    })
}

/// The units where logical tables are, or may be after CREATE TABLE, with their actual tables.
fn units_of_tables(database: &LogicalDatabase, tables: &[String]) -> Vec<Asked> {
    let tables_in = |unit: &StorageUnit| {
        let mut names = BTreeSet::new();
        for table in tables {
            let placement = database.find_table(table).map(|table| &table.placement);
            let nodes = match placement {
                Some(Placement::Sharded(nodes) | Placement::Broadcast(nodes)) => &nodes[..],
                Some(Placement::Single(node)) => std::slice::from_ref(node),
                // Wherever it was created.
                Some(Placement::Ambiguous(_)) | None => {
                    names.insert(table.clone());
                    continue;
                }
            };
            let here = nodes.iter().filter(|node| node.unit == unit.id);
            names.extend(here.map(|node| node.actual_table.to_string()));
        }
        names
    };
    let mut asked = Vec::new();
    // What a replica has is known from its primary; it may not have it yet.
    for unit in database.owners() {
        let names = tables_in(unit);
        if names.is_empty() {
            continue;
        }
        // A unit that was never read is read as a whole: its other tables are not known either.
        let is_known = database.unit_metadata.contains_key(&unit.id);
        asked.push(Asked {
            database: database.name.to_string(),
            unit: unit.clone(),
            tables: is_known.then(|| names.into_iter().collect()),
        });
    }
    asked
}

/// Reads the selected units and puts what was read into the snapshot, in one change.
async fn read_into(
    governance: &Governance,
    what: &str,
    select: impl FnOnce(&Snapshot) -> Result<Vec<Asked>, StatementError>,
) -> Result<Vec<ReadFailure>, StatementError> {
    let _reading = governance.lock_readings().await;
    let asked = select(&governance.current())?;
    let readings = asked.iter().map(|asked| UnitReading {
        name: asked.unit.name.to_string(),
        config: Arc::clone(&asked.unit.config),
        tables: asked.tables.clone(),
    });
    let results = read_units(readings.collect()).await;
    let mut failures = Vec::new();
    let mut read = Vec::new();
    for (asked, result) in asked.into_iter().zip(results) {
        match result {
            Ok(metadata) => read.push((asked, metadata)),
            Err(error) => failures.push(ReadFailure {
                database: asked.database,
                unit: asked.unit.name.to_string(),
                error,
            }),
        }
    }
    governance.change(what, |draft| {
        for (asked, metadata) in read {
            put(draft, asked, metadata);
        }
        Ok(())
    })?;
    Ok(failures)
}

/// Puts what was read of a unit into a draft, unless the unit is gone or another one by now.
fn put(draft: &mut Draft, asked: Asked, read: UnitMetadata) {
    let Some(database) = draft.previous.databases.get(&asked.database) else { return };
    if database.find_unit(asked.unit.id).is_none() {
        return;
    }
    let read = match (&asked.tables, database.unit_metadata.get(&asked.unit.id)) {
        (Some(tables), Some(known)) => replace_tables(known, tables, read),
        _ => read,
    };
    draft.readings.insert((asked.database, asked.unit.name.to_string()), Arc::new(read));
}

/// What is known of a unit with these tables as read; those that were not found are gone.
fn replace_tables(known: &UnitMetadata, tables: &[String], read: UnitMetadata) -> UnitMetadata {
    let mut next = known.clone();
    for table in tables {
        next.tables.remove(table);
    }
    next.server_version = read.server_version;
    next.tables.extend(read.tables);
    next
}

#[cfg(test)]
mod tests;
