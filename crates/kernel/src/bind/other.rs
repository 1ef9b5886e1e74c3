//! Statements known only by their leading words.

use sql::ast::Other;

use super::Binder;
use super::scene::{Mixed, Scene, apart, names_of};
use super::survey::Survey;
use super::tables::Found;
use crate::error::StatementError;
use crate::plan::{Plan, StatementClass, Target};

/// First words of statements about the server behind a unit, its users and its replication: they
/// would change one unit and not the others.
const REFUSED_VERBS: &[&str] = &[
    "ALTER USER",
    "ALTER SERVER",
    "ALTER INSTANCE",
    "BINLOG",
    "CHANGE",
    "CLONE",
    "CREATE ROLE",
    "CREATE SERVER",
    "CREATE USER",
    "DROP ROLE",
    "DROP SERVER",
    "DROP USER",
    "FLUSH",
    "GRANT",
    "IMPORT",
    "INSTALL",
    "PURGE",
    "RENAME USER",
    "RESET",
    "RESTART",
    "REVOKE",
    "SHUTDOWN",
    "START",
    "STOP",
    "UNINSTALL",
];

impl Binder<'_> {
    /// Passes the statement on where everything it names is in one unit.
    pub(super) fn other(&self, other: &Other) -> Result<Plan, StatementError> {
        let is_refused = REFUSED_VERBS.iter().any(|verb| {
            other.verb == *verb
                || other.verb.strip_prefix(verb).is_some_and(|rest| rest.starts_with(' '))
        });
        if is_refused {
            return Err(StatementError::unsupported(format!(
                "{} is not supported: it would change one storage unit and not the others",
                other.verb
            )));
        }
        let mut survey = Survey::default();
        let mut unknown = Vec::new();
        for table in &other.tables {
            match self.find_table(table)? {
                Found::Unknown => unknown.push(table),
                _ => survey.table(table),
            }
        }
        let scene = self.scene(&survey)?;
        if let Scene::Apart(apart) = scene {
            return Err(apart);
        }
        if let Scene::Broadcast(_) = scene {
            let names = names_of(&survey);
            return Err(apart(
                &names,
                &format!("{} of broadcast tables is not supported", other.verb),
            ));
        }
        if let Scene::Sharded(sharded) | Scene::Mixed(Mixed { first: sharded, .. }) = scene {
            return Err(StatementError::unsupported(format!(
                "{} on sharded table '{}' is not supported",
                other.verb, sharded.table.name
            )));
        }
        if !other.tables_are_complete {
            self.check_unread(self.text)?;
        }
        let mut draft = self.base_draft(&survey);
        for table in &unknown {
            self.strip_database(table, &mut draft);
        }
        if other.verb.starts_with("HANDLER") {
            survey.effects.pins = Some("HANDLER");
        }
        let class = class_of(&other.verb);
        let target = match scene {
            Scene::Unit(unit) => Target::Unit(unit),
            _ => match unknown.first() {
                Some(name) => self.first_target(name)?,
                None => self.first_unit().map_or(Target::AnyUnit, Target::Unit),
            },
        };
        self.single_plan(class, target, draft, survey.effects)
    }
}

/// CREATE, ALTER and DROP define something and commit.
fn class_of(verb: &str) -> StatementClass {
    match verb.split(' ').next() {
        Some("CREATE" | "ALTER" | "DROP" | "RENAME") => StatementClass::Ddl,
        _ => StatementClass::Other,
    }
}
