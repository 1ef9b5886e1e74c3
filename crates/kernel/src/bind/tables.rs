//! From the names of tables to where their rows are.

use std::sync::Arc;

use sql::ast::TableName;

use super::Binder;
use crate::error::StatementError;
use crate::model::{DataNode, LogicalTable, Placement, UnitId};
use crate::snapshot::LogicalDatabase;

/// One named table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'a> {
    /// All rows in one unit.
    Single { unit: UnitId },
    /// Rows on several nodes.
    Sharded(Sharded<'a>),
    /// All rows on each of several nodes.
    Broadcast(Sharded<'a>),
    /// Of this session only, on this unit.
    Temporary(UnitId),
    /// Of a system database.
    System,
    /// No such table.
    Unknown,
}

/// A sharded or broadcast table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sharded<'a> {
    /// The table.
    pub table: &'a Arc<LogicalTable>,
    /// Its nodes.
    pub nodes: &'a Arc<[DataNode]>,
}

/// Names of system databases; they exist on every server.
fn is_system(database: &str) -> bool {
    ["information_schema", "performance_schema", "mysql", "sys"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(database))
}

impl<'a> Binder<'a> {
    /// The logical database of a name; `None` for one of the system.
    pub(super) fn database_of(
        &self,
        name: &TableName,
    ) -> Result<Option<&'a LogicalDatabase>, StatementError> {
        match &name.database {
            None if self.context.is_in_system_database => Ok(None),
            None => self.require_database().map(Some),
            Some(qualifier) => match self.context.snapshot.databases.get(&qualifier.value) {
                Some(database) => Ok(Some(database)),
                None if is_system(&qualifier.value) => Ok(None),
                None => Err(StatementError::unknown_database(&qualifier.value)),
            },
        }
    }

    /// The current database.
    pub(super) fn require_database(&self) -> Result<&'a LogicalDatabase, StatementError> {
        self.context.database.ok_or_else(StatementError::no_database)
    }

    /// Finds one table.
    pub(super) fn find_table(&self, name: &TableName) -> Result<Found<'a>, StatementError> {
        let Some(database) = self.database_of(name)? else { return Ok(Found::System) };
        let table = name.name.value.as_str();
        let temporary = self.context.temporary_tables.iter().find(|(name, _)| name == table);
        if let Some((_, unit)) = temporary {
            return Ok(Found::Temporary(*unit));
        }
        match database.find_table(table) {
            None => Ok(Found::Unknown),
            Some(found) => match &found.placement {
                Placement::Single(node) => Ok(Found::Single { unit: node.unit }),
                Placement::Sharded(nodes) => Ok(Found::Sharded(Sharded { table: found, nodes })),
                Placement::Broadcast(nodes) => {
                    Ok(Found::Broadcast(Sharded { table: found, nodes }))
                }
                Placement::Ambiguous(nodes) => Err(StatementError::unsupported(format!(
                    "Table '{}' exists in several storage units ({}); choose one with LOAD SINGLE \
                     TABLE",
                    table,
                    nodes.iter().map(|node| &*node.unit_name).collect::<Vec<_>>().join(", ")
                ))),
            },
        }
    }

    /// Error 1146 with the logical names.
    pub(super) fn unknown_table(&self, name: &TableName) -> StatementError {
        let database = match &name.database {
            Some(database) => database.value.as_str(),
            None => self.context.database.map_or("", |database| &database.name),
        };
        StatementError::unknown_table(database, &name.name.value)
    }

    /// One statement has one logical database.
    pub(super) fn same_database(&self, a: &TableName, b: &TableName) -> Result<(), StatementError> {
        let name = |table: &TableName| {
            let qualifier = table.database.as_ref().map(|database| database.value.clone());
            qualifier.or_else(|| self.context.database.map(|database| database.name.to_string()))
        };
        let (a_name, b_name) = (name(a), name(b));
        let is_system_table = |name: &Option<String>| name.as_deref().is_some_and(is_system);
        if a_name == b_name || is_system_table(&a_name) || is_system_table(&b_name) {
            return Ok(());
        }
        Err(StatementError::unsupported(format!(
            "Tables '{}' and '{}' are of different logical databases ({}, {})",
            a.name.value,
            b.name.value,
            a_name.unwrap_or_default(),
            b_name.unwrap_or_default()
        )))
    }
}
