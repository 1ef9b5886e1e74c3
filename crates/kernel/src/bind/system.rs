//! Tables of the system databases: those that name tables would show the actual ones.

use super::Binder;
use super::survey::Survey;
use crate::error::StatementError;
use crate::model::Placement;
use crate::snapshot::LogicalDatabase;

/// Tables of `information_schema` that name no database, table or column of a user.
const NAMELESS: &[&str] = &[
    "APPLICABLE_ROLES",
    "CHARACTER_SETS",
    "COLLATIONS",
    "COLLATION_CHARACTER_SET_APPLICABILITY",
    "ENABLED_ROLES",
    "ENGINES",
    "GLOBAL_STATUS",
    "GLOBAL_VARIABLES",
    "KEYWORDS",
    "PLUGINS",
    "PROFILING",
    "RESOURCE_GROUPS",
    "SESSION_STATUS",
    "SESSION_VARIABLES",
    "SQL_FUNCTIONS",
    "SYSTEM_VARIABLES",
];

impl Binder<'_> {
    /// Refuses what would show actual names in the place of logical ones.
    pub(super) fn check_system(&self, survey: &Survey<'_>) -> Result<(), StatementError> {
        if self.asked_database().is_none_or(is_as_its_unit) {
            return Ok(());
        }
        for used in &survey.tables {
            let is_information_schema = match &used.name.database {
                Some(database) => database.value.eq_ignore_ascii_case("information_schema"),
                None => true,
            };
            let name = used.name.name.value.as_str();
            let is_nameless = NAMELESS.iter().any(|known| known.eq_ignore_ascii_case(name));
            if is_information_schema && !is_nameless {
                return Err(StatementError::unsupported(format!(
                    "Queries on information_schema.{} are not supported yet for a logical database \
                     whose names differ from those in its storage units; use SHOW DATABASES, SHOW \
                     TABLES, SHOW COLUMNS, SHOW INDEX or SHOW CREATE TABLE",
                    name.to_ascii_uppercase()
                )));
            }
        }
        Ok(())
    }

    /// The database whose unit would answer.
    fn asked_database(&self) -> Option<&LogicalDatabase> {
        let has_units = |database: &&LogicalDatabase| !database.units.is_empty();
        let others = || self.context.snapshot.databases.values().map(|database| &**database);
        self.context.database.filter(has_units).or_else(|| others().find(has_units))
    }
}

/// True when the names in the only unit are the logical ones.
fn is_as_its_unit(database: &LogicalDatabase) -> bool {
    let mut owners = database.owners();
    let (Some(unit), None) = (owners.next(), owners.next()) else { return false };
    let is_sharded = |placement: &Placement| matches!(placement, Placement::Sharded(_));
    unit.config.database == *database.name
        && !database.tables.values().any(|table| is_sharded(&table.placement))
}
