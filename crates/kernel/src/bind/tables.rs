//! From the names of tables to where their rows are.

use std::sync::Arc;

use sql::ast::TableName;

use super::Binder;
use super::survey::{Survey, TableUse};
use crate::error::StatementError;
use crate::model::{DataNode, LogicalTable, Placement, UnitId};
use crate::snapshot::LogicalDatabase;

/// One named table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'a> {
    /// All rows in one unit.
    Single { unit: UnitId, unit_name: &'a str },
    /// Rows on several nodes.
    Sharded(Sharded<'a>),
    /// Of this session only, on this unit.
    Temporary(UnitId),
    /// Of a system database.
    System,
    /// No such table.
    Unknown,
}

/// A sharded table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sharded<'a> {
    /// The table.
    pub table: &'a Arc<LogicalTable>,
    /// Its nodes.
    pub nodes: &'a Arc<[DataNode]>,
}

/// Where all tables of a statement are.
#[derive(Debug)]
pub(super) enum Scene<'a> {
    /// It names none.
    Nowhere,
    /// Only system tables.
    System,
    /// All in this unit.
    Unit(UnitId),
    /// It names this sharded table, once or more, and no other.
    Sharded(Sharded<'a>),
    /// On no common set of nodes, for this reason.
    Apart(StatementError),
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
                Placement::Single(node) => {
                    Ok(Found::Single { unit: node.unit, unit_name: &node.unit_name })
                }
                Placement::Sharded(nodes) => Ok(Found::Sharded(Sharded { table: found, nodes })),
                Placement::Broadcast(_) => Err(StatementError::unsupported(format!(
                    "Broadcast table '{table}' is not supported yet"
                ))),
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

    /// Where all tables of a statement are that can only run where they are together.
    ///
    /// # Errors
    /// As [`Binder::scene_or_apart`], or they are apart.
    pub(super) fn scene(&self, survey: &Survey<'_>) -> Result<Scene<'a>, StatementError> {
        match self.scene_or_apart(survey)? {
            Scene::Apart(reason) => Err(reason),
            scene => Ok(scene),
        }
    }

    /// Where all tables of a statement are.
    ///
    /// # Errors
    /// They are of several logical databases, unknown, or mixed with system tables.
    pub(super) fn scene_or_apart(&self, survey: &Survey<'_>) -> Result<Scene<'a>, StatementError> {
        let mut scene = Scene::Nowhere;
        let mut unit_name = "";
        let mut first: Option<&TableUse<'_>> = None;
        for used in &survey.tables {
            let found = self.find_table(used.name)?;
            if let Found::Unknown = found {
                return Err(self.unknown_table(used.name));
            }
            if let Found::Sharded(Sharded { table, .. }) = found
                && table.metadata.is_none()
            {
                return Err(self.unknown_table(used.name));
            }
            let mixed = |reason: &str| {
                let other = first.map_or("", |first| &first.name.name.value);
                StatementError::unsupported(format!(
                    "Tables '{other}' and '{}' cannot be used in one statement: {reason}",
                    used.name.name.value
                ))
            };
            if let Some(first) = first {
                self.same_database(first.name, used.name)?;
            }
            scene = match (scene, found) {
                (Scene::Nowhere, Found::System) | (Scene::System, Found::System) => Scene::System,
                (Scene::System, _) | (_, Found::System) => {
                    return Err(mixed("one of them is a system table"));
                }
                (Scene::Nowhere, Found::Single { unit, unit_name: name }) => {
                    unit_name = name;
                    Scene::Unit(unit)
                }
                (Scene::Nowhere, Found::Temporary(unit)) => Scene::Unit(unit),
                (Scene::Unit(known), Found::Single { unit, .. } | Found::Temporary(unit))
                    if known == unit =>
                {
                    Scene::Unit(unit)
                }
                (Scene::Apart(reason), _) => Scene::Apart(reason),
                (Scene::Unit(_), Found::Single { unit_name: other, .. }) => Scene::Apart(mixed(
                    &format!("they are in different storage units ({unit_name}, {other})"),
                )),
                (Scene::Unit(_), Found::Temporary(_)) => {
                    return Err(mixed("they are in different storage units"));
                }
                (Scene::Nowhere, Found::Sharded(sharded)) => Scene::Sharded(sharded),
                (Scene::Sharded(known), Found::Sharded(sharded))
                    if Arc::ptr_eq(known.table, sharded.table) =>
                {
                    Scene::Sharded(known)
                }
                (Scene::Sharded(_), _) | (_, Found::Sharded(_)) => {
                    Scene::Apart(mixed("they are not on the same nodes"))
                }
                (scene, Found::Unknown) => scene,
            };
            first = first.or(Some(used));
        }
        Ok(scene)
    }

    /// One statement has one logical database.
    fn same_database(&self, a: &TableName, b: &TableName) -> Result<(), StatementError> {
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
