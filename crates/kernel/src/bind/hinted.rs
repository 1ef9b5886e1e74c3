//! The hint that names a storage unit: the text goes there as it is.

use sql::ast::{Hint, Statement, StatementKind};

use super::Binder;
use crate::error::StatementError;
use crate::plan::{Effects, Plan, StatementClass, Target};
use crate::rewrite::Draft;

impl Binder<'_> {
    /// A plan by the hint DATA_SOURCE_NAME; `None` without it.
    ///
    /// # Errors
    /// The database has no unit of that name (12200).
    pub(super) fn hinted(&self, statement: &Statement) -> Result<Option<Plan>, StatementError> {
        let Some(hint) = statement.hints.iter().find(|hint| names_unit(hint)) else {
            return Ok(None);
        };
        let database = self.require_database()?;
        let unit = database.find_nameable(&hint.value).ok_or_else(|| {
            StatementError::new(
                12200,
                "HY000",
                format!(
                    "The hint DATA_SOURCE_NAME names '{}', which is no storage unit of database \
                     '{}'; see SHOW STORAGE UNITS",
                    hint.value, database.name
                ),
            )
        })?;
        let class = class_of(&statement.kind);
        let target = Target::Unit(unit.id);
        self.single_plan(class, target, Draft::default(), Effects::default()).map(Some)
    }
}

/// True for the hint WRITE_ROUTE_ONLY=true in any of its spellings.
///
/// # Source
/// Inventory 3.8.
pub(super) fn forces_primary(hint: &Hint) -> bool {
    let keys = ["WRITE_ROUTE_ONLY", "writeRouteOnly"];
    keys.iter().any(|key| hint.key.eq_ignore_ascii_case(key))
        && hint.value.eq_ignore_ascii_case("true")
}

fn names_unit(hint: &Hint) -> bool {
    ["DATA_SOURCE_NAME", "dataSourceName"].iter().any(|name| hint.key.eq_ignore_ascii_case(name))
}

fn class_of(kind: &StatementKind) -> StatementClass {
    match kind {
        StatementKind::Query(query) if query.lock.is_some() => StatementClass::LockingRead,
        StatementKind::Query(_) | StatementKind::Show(_) | StatementKind::Describe(_) => {
            StatementClass::Read
        }
        StatementKind::Insert(_)
        | StatementKind::Update(_)
        | StatementKind::Delete(_)
        | StatementKind::LoadData(_) => StatementClass::Write,
        StatementKind::CreateTable(_)
        | StatementKind::AlterTable(_)
        | StatementKind::DropTable(_)
        | StatementKind::TruncateTable(_)
        | StatementKind::RenameTable(_)
        | StatementKind::CreateIndex(_)
        | StatementKind::DropIndex(_)
        | StatementKind::CreateView(_)
        | StatementKind::DropView(_) => StatementClass::Ddl,
        _ => StatementClass::Other,
    }
}
