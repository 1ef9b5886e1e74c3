//! CREATE DATABASE and DROP DATABASE: logical only, no storage unit is touched.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use sql::ast::{CreateDatabase, DropDatabase};

use crate::context::require_permitted;
use crate::{AdminContext, AdminOutcome};

/// Names that belong to the server itself.
const RESERVED: &[&str] =
    &["information_schema", "mysql", "performance_schema", "shardingsphere", "sys"];

/// The longest name, in characters.
///
/// # Source
/// MySQL manual, "Identifier Length Limits".
const MAX_NAME: usize = 64;

/// Creates a logical database without units and rules.
///
/// # Errors
/// It exists (1007), the name is too long (1059) or not one (1102), the user may not (1044).
pub fn create_database(
    statement: &CreateDatabase,
    context: &AdminContext<'_>,
) -> Result<AdminOutcome, StatementError> {
    let name = &statement.name.value;
    check_name(name)?;
    require_permitted(context.permitted, name)?;
    let is_created = !is_reserved(name)
        && context.governance.change("CREATE DATABASE", |draft| {
            let databases = &mut draft.configuration.databases;
            if databases.contains_key(name) {
                return Ok(false);
            }
            databases.insert(name.clone(), DatabaseConfig::default());
            Ok(true)
        })?;
    let exists = || {
        let text = format!("Can't create database '{name}'; database exists");
        StatementError::new(1007, "HY000", text)
    };
    match (is_created, statement.if_not_exists) {
        (true, _) => Ok(AdminOutcome::Ok { affected: 1, note: None }),
        (false, true) => Ok(AdminOutcome::Ok { affected: 1, note: Some(exists()) }),
        (false, false) => Err(exists()),
    }
}

/// Drops a logical database with its rules. The data in its storage units stays.
///
/// # Errors
/// It does not exist (1008), it is the server's (3552), the user may not (1044).
pub fn drop_database(
    statement: &DropDatabase,
    context: &AdminContext<'_>,
) -> Result<AdminOutcome, StatementError> {
    let name = &statement.name.value;
    if is_reserved(name) {
        let text = format!("Access to system schema '{name}' is rejected.");
        return Err(StatementError::new(3552, "HY000", text));
    }
    require_permitted(context.permitted, name)?;
    let is_dropped = context.governance.change("DROP DATABASE", |draft| {
        Ok(draft.configuration.databases.remove(name).is_some())
    })?;
    let missing = || {
        let text = format!("Can't drop database '{name}'; database doesn't exist");
        StatementError::new(1008, "HY000", text)
    };
    match (is_dropped, statement.if_exists) {
        (true, _) => Ok(AdminOutcome::DONE),
        (false, true) => Ok(AdminOutcome::Ok { affected: 0, note: Some(missing()) }),
        (false, false) => Err(missing()),
    }
}

fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name))
}

fn check_name(name: &str) -> Result<(), StatementError> {
    if name.chars().count() > MAX_NAME {
        let text = format!("Identifier name '{name}' is too long");
        return Err(StatementError::new(1059, "42000", text));
    }
    if name.is_empty() || name.ends_with(' ') || name.contains('\0') {
        return Err(StatementError::new(
            1102,
            "42000",
            format!("Incorrect database name '{name}'"),
        ));
    }
    Ok(())
}
