//! DistSQL about broadcast tables.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::{DistSqlContext, DistSqlOutcome, TextTable};
use kernel::model::Placement;
use kernel::snapshot::LogicalDatabase;
use sql::ast::DistSql;

use crate::config::BroadcastConfig;
use crate::rule::duplicate;

/// Executes a statement of this feature; `None` for the statements of others.
pub(crate) fn execute(
    statement: &DistSql,
    context: &mut DistSqlContext<'_>,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    Some(match statement {
        DistSql::CreateBroadcastTableRule { if_not_exists, tables } => {
            create(context, tables, *if_not_exists)
        }
        DistSql::AlterBroadcastTableRule { tables } => alter(context, tables),
        DistSql::DropBroadcastTableRule { if_exists, tables } => {
            drop(context.config, tables, *if_exists)
        }
        DistSql::ShowBroadcastTableRules { .. } => show(context.config),
        DistSql::CountBroadcastRule { .. } => count(context.config, &context.current.name),
        _ => return None,
    })
}

fn create(
    context: &mut DistSqlContext<'_>,
    tables: &[String],
    if_not_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let mut broadcast = BroadcastConfig::of(context.config)?;
    let before = broadcast.tables.len();
    for (index, table) in tables.iter().enumerate() {
        let is_there = broadcast.tables.contains(table);
        if tables[..index].contains(table) || (is_there && !if_not_exists) {
            return Err(duplicate(table));
        }
        if !is_there {
            check(context.current, context.config, table)?;
            broadcast.tables.push(table.clone());
        }
    }
    if broadcast.tables.len() == before {
        return Ok(DistSqlOutcome::Unchanged);
    }
    broadcast.store(context.config);
    Ok(DistSqlOutcome::Changed)
}

fn alter(
    context: &mut DistSqlContext<'_>,
    tables: &[String],
) -> Result<DistSqlOutcome, StatementError> {
    let before = BroadcastConfig::of(context.config)?;
    if before.tables.is_empty() {
        return Err(StatementError::new(
            10201,
            "44000",
            "There are no broadcast tables to alter: use CREATE BROADCAST TABLE RULE",
        ));
    }
    for (index, table) in tables.iter().enumerate() {
        if tables[..index].contains(table) {
            return Err(duplicate(table));
        }
        if !before.tables.contains(table) {
            check(context.current, context.config, table)?;
        }
    }
    BroadcastConfig { tables: tables.to_vec() }.store(context.config);
    Ok(DistSqlOutcome::Changed)
}

/// There are units, and no other rule has the table.
fn check(
    current: &LogicalDatabase,
    config: &DatabaseConfig,
    table: &str,
) -> Result<(), StatementError> {
    if config.units.is_empty() {
        return Err(StatementError::new(
            10101,
            "42S02",
            format!("Database '{}' has no storage unit: register one first", current.name),
        ));
    }
    let found = current.find_table(table);
    if found.is_some_and(|found| matches!(found.placement, Placement::Sharded(_))) {
        return Err(StatementError::new(
            10204,
            "44000",
            format!("Table '{table}' has a sharding rule: it cannot be a broadcast table, too"),
        ));
    }
    Ok(())
}

fn drop(
    config: &mut DatabaseConfig,
    tables: &[String],
    if_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let mut broadcast = BroadcastConfig::of(config)?;
    let before = broadcast.tables.len();
    for table in tables {
        if !broadcast.tables.contains(table) && !if_exists {
            return Err(missing(table));
        }
    }
    if tables.is_empty() && before == 0 && !if_exists {
        return Err(StatementError::new(10201, "44000", "There are no broadcast tables to drop"));
    }
    broadcast.tables.retain(|table| !tables.is_empty() && !tables.contains(table));
    if broadcast.tables.len() == before {
        return Ok(DistSqlOutcome::Unchanged);
    }
    broadcast.store(config);
    Ok(DistSqlOutcome::Changed)
}

/// A table is no broadcast table (10202).
fn missing(table: &str) -> StatementError {
    StatementError::new(10202, "44000", format!("Table '{table}' is not a broadcast table"))
}

/// Columns: inventory 1.9.
fn show(config: &DatabaseConfig) -> Result<DistSqlOutcome, StatementError> {
    let tables = BroadcastConfig::of(config)?.tables;
    Ok(DistSqlOutcome::Rows(TextTable {
        columns: vec!["broadcast_table".to_owned()],
        rows: tables.into_iter().map(|table| vec![Some(table)]).collect(),
    }))
}

/// Columns: inventory 1.9.
fn count(config: &DatabaseConfig, database: &str) -> Result<DistSqlOutcome, StatementError> {
    let count = BroadcastConfig::of(config)?.tables.len().to_string();
    let row = ["broadcast_table", database, &count];
    Ok(DistSqlOutcome::Rows(TextTable {
        columns: ["rule_name", "database", "count"].map(str::to_owned).into(),
        rows: vec![row.map(|text| Some(text.to_owned())).into()],
    }))
}

#[cfg(test)]
mod tests;
