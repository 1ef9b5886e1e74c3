//! Statements that are passed on as they are: everything they name is in one unit.

use sql::ast::{Call, Expr, LoadData, Query, TableName};

use super::Binder;
use super::scene::{Mixed, Scene, apart};
use super::survey::Survey;
use crate::error::StatementError;
use crate::plan::{Plan, StatementClass, Target};
use crate::rewrite::Draft;
use crate::snapshot::LogicalDatabase;

impl Binder<'_> {
    /// A plan for a statement without sharded tables.
    pub(super) fn verbatim(
        &self,
        class: StatementClass,
        scene: &Scene<'_>,
        draft: Draft,
        survey: Survey<'_>,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        let target = match scene {
            Scene::Unit(unit) => Target::Unit(*unit),
            Scene::Nowhere => Target::AnyUnit,
            Scene::System => {
                self.check_system(&survey)?;
                Target::AnyUnit
            }
            Scene::Broadcast(nodes) => return self.on_broadcast(class, nodes, draft, survey),
            Scene::Sharded(sharded) => {
                let names = [sharded.table.name.to_string()];
                return Err(apart(&names, "this statement is not supported on sharded tables"));
            }
            Scene::Mixed(Mixed { apart, .. }) | Scene::Apart(apart) => return Err(apart.clone()),
        };
        let mut plan = self.single_plan(class, target, draft, survey.effects)?;
        plan.is_system = matches!(scene, Scene::System);
        Ok(plan)
    }

    /// The edits that every query needs, and the labels of its columns.
    pub(super) fn query_draft(&self, query: &Query, survey: &Survey<'_>) -> Draft {
        let mut draft = self.base_draft(survey);
        self.keep_labels(query, &mut draft);
        draft
    }

    /// Parts that are known by their text only must not name sharded tables.
    pub(super) fn check_opaque(&self, survey: &Survey<'_>) -> Result<(), StatementError> {
        for span in &survey.opaque {
            self.check_unread(span.of(self.text))?;
        }
        Ok(())
    }

    /// Refuses a text that may name a sharded table of the database in use.
    pub(super) fn check_unread(&self, text: &[u8]) -> Result<(), StatementError> {
        let Some(database) = self.context.database else { return Ok(()) };
        match sharded_name_in(database, text) {
            None => Ok(()),
            Some(name) => Err(StatementError::unsupported(format!(
                "This statement seems to name the sharded table '{name}' in a part that is not \
                 understood; it is refused rather than sent to the wrong node"
            ))),
        }
    }

    /// `LOAD DATA`, `LOAD XML`.
    pub(super) fn load_data(&self, load: &LoadData) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.table(&load.table);
        match self.scene(&survey)? {
            Scene::Sharded(sharded) => self.sharded_load(load, survey, sharded),
            Scene::Broadcast(_) => Err(StatementError::new(
                20030,
                "44000",
                format!(
                    "LOAD DATA into broadcast table '{}' is not supported; use INSERT",
                    load.table.name.value
                ),
            )),
            scene => {
                let draft = self.base_draft(&survey);
                self.verbatim(StatementClass::Write, &scene, draft, survey)
            }
        }
    }

    /// `CALL`: procedures are looked for in the first unit.
    pub(super) fn call(&self, call: &Call) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.exprs(call.args.iter());
        let scene = self.scene(&survey)?;
        let Scene::Nowhere = scene else {
            return Err(StatementError::unsupported(
                "CALL with sub-queries in its arguments is not supported",
            ));
        };
        let mut draft = self.base_draft(&survey);
        self.strip_database(&call.name, &mut draft);
        let target = self.first_target(&call.name)?;
        self.single_plan(StatementClass::Other, target, draft, survey.effects)
    }

    /// `DO`.
    pub(super) fn do_exprs(&self, exprs: &[Expr]) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.exprs(exprs.iter());
        match self.scene(&survey)? {
            Scene::Sharded(sharded) => Err(StatementError::unsupported(format!(
                "DO with a query on sharded table '{}' is not supported; use SELECT",
                sharded.table.name
            ))),
            scene => {
                let draft = self.base_draft(&survey);
                self.verbatim(StatementClass::Read, &scene, draft, survey)
            }
        }
    }

    /// `LOCK TABLES`.
    pub(super) fn lock_tables(&self, tables: &[TableName]) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        for table in tables {
            survey.table(table);
        }
        match self.scene(&survey)? {
            Scene::Sharded(sharded) => Err(StatementError::unsupported(format!(
                "LOCK TABLES on sharded table '{}' is not supported",
                sharded.table.name
            ))),
            Scene::Broadcast(_) => Err(StatementError::unsupported(format!(
                "LOCK TABLES on broadcast table '{}' is not supported",
                tables.first().map_or("", |table| &table.name.value)
            ))),
            scene => {
                let draft = self.base_draft(&survey);
                survey.effects.pins = Some("LOCK TABLES");
                self.verbatim(StatementClass::Other, &scene, draft, survey)
            }
        }
    }

    /// Where a new table without a rule goes.
    pub(super) fn default_target(&self, name: &TableName) -> Result<Target, StatementError> {
        match self.database_of(name)?.and_then(|database| database.default_unit) {
            Some(unit) => Ok(Target::Unit(unit)),
            None => self.first_target(name),
        }
    }

    /// The first unit of the database of a name that is no table.
    pub(super) fn first_target(&self, name: &TableName) -> Result<Target, StatementError> {
        let Some(database) = self.database_of(name)? else { return Ok(Target::AnyUnit) };
        Ok(database.owners().next().map_or(Target::AnyUnit, |unit| Target::Unit(unit.id)))
    }
}

/// A sharded table whose name stands in the text as a word.
pub(super) fn sharded_name_in<'d>(database: &'d LogicalDatabase, text: &[u8]) -> Option<&'d str> {
    let is_word =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    let mut names = database
        .tables
        .values()
        .filter(|table| matches!(table.placement, crate::model::Placement::Sharded(_)))
        .map(|table| &*table.name)
        .collect::<Vec<_>>();
    if names.is_empty() {
        return None;
    }
    names.sort_unstable();
    text.split(|byte| !is_word(*byte))
        .filter(|word| !word.is_empty())
        .find_map(|word| names.iter().find(|name| name.as_bytes().eq_ignore_ascii_case(word)))
        .copied()
}
