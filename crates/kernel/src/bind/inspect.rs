//! Statements that look at tables: SHOW, DESCRIBE, EXPLAIN, table maintenance.

use sql::ast::{
    Describe, Explain, Ident, Show, ShowKind, StatementKind, TableMaintenance, TableName,
};

use super::Binder;
use super::scene::Scene;
use super::survey::Survey;
use super::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::merge::MergePlan;
use crate::model::UnitId;
use crate::plan::{Effects, MultiPlan, Plan, RowNames, SpliceText, StatementClass, Target};
use crate::rewrite::{Draft, quoted};

impl Binder<'_> {
    /// SHOW statements that storage units answer.
    pub(super) fn show(&self, show: &Show) -> Result<Plan, StatementError> {
        let database = show.database.as_ref();
        match &show.kind {
            ShowKind::Columns { table, .. } => self.show_table(table, database),
            ShowKind::Index { table } => {
                let plan = self.show_table(table, database)?;
                Ok(Plan { row_names: RowNames::Table, ..plan })
            }
            ShowKind::CreateTable(table) | ShowKind::CreateView(table) => {
                let plan = self.show_table(table, None)?;
                Ok(Plan { row_names: RowNames::Definition, ..plan })
            }
            ShowKind::Variables { .. }
            | ShowKind::Status { .. }
            | ShowKind::Warnings { .. }
            | ShowKind::Errors { .. }
            | ShowKind::Other { .. } => {
                let effects = Effects {
                    reads_diagnostics: matches!(
                        show.kind,
                        ShowKind::Warnings { .. } | ShowKind::Errors { .. }
                    ),
                    ..Effects::default()
                };
                let mut draft = Draft::default();
                if let (Some(database), Some(unit)) = (database, self.first_unit()) {
                    self.actual_database(database, unit, &mut draft);
                }
                if matches!(show.kind, ShowKind::Other { .. }) {
                    self.check_unread(self.text)?;
                }
                let plan =
                    self.single_plan(StatementClass::Read, Target::AnyUnit, draft, effects)?;
                let row_names = match &show.kind {
                    ShowKind::Variables { .. } => RowNames::Variables,
                    _ => RowNames::Same,
                };
                Ok(Plan { row_names, ..plan })
            }
            ShowKind::Databases
            | ShowKind::Tables { .. }
            | ShowKind::TableStatus
            | ShowKind::CreateDatabase(_)
            | ShowKind::ProcessList { .. } => Err(StatementError::unsupported(
                "This SHOW statement is about the proxy's own databases and has no route",
            )),
        }
    }

    /// DESCRIBE.
    pub(super) fn describe(&self, describe: &Describe) -> Result<Plan, StatementError> {
        self.show_table(&describe.table, None)
    }

    /// Asks the unit of a table, or the first node of a sharded one. `database` is that of `FROM t
    /// FROM database`.
    fn show_table(
        &self,
        name: &TableName,
        database: Option<&Ident>,
    ) -> Result<Plan, StatementError> {
        let qualified = TableName {
            database: name.database.clone().or_else(|| database.cloned()),
            name: name.name.clone(),
        };
        let mut draft = Draft::default();
        self.strip_database(name, &mut draft);
        match self.find_table(&qualified)? {
            Found::Sharded(sharded) => {
                let Some(first) = sharded.nodes.first() else {
                    return Err(self.unknown_table(&qualified));
                };
                if sharded.table.metadata.is_none() {
                    return Err(self.unknown_table(&qualified));
                }
                if let Some(database) = database {
                    self.actual_database(database, first.unit, &mut draft);
                }
                let text = quoted(&first.actual_table);
                draft.replace(name.name.span, SpliceText::Fixed(text));
                let multi = Err(StatementError::unsupported("This statement runs on one node"));
                let target = Target::Unit(first.unit);
                let effects = Effects::default();
                self.sharded_plan(sharded, StatementClass::Read, target, draft, multi, effects)
            }
            Found::Single { unit } | Found::Temporary(unit) => {
                if let Some(database) = database {
                    self.actual_database(database, unit, &mut draft);
                }
                let target = Target::Unit(unit);
                self.single_plan(StatementClass::Read, target, draft, Effects::default())
            }
            Found::Broadcast(shared) => {
                let Some(first) = shared.nodes.first() else {
                    return Err(self.unknown_table(&qualified));
                };
                if shared.table.metadata.is_none() {
                    return Err(self.unknown_table(&qualified));
                }
                if let Some(database) = database {
                    self.actual_database(database, first.unit, &mut draft);
                }
                let target = Target::Unit(first.unit);
                self.single_plan(StatementClass::Read, target, draft, Effects::default())
            }
            Found::System => {
                let target = Target::AnyUnit;
                let effects = Effects::default();
                let mut plan = self.single_plan(StatementClass::Read, target, draft, effects)?;
                plan.is_system = true;
                Ok(plan)
            }
            Found::Unknown => Err(self.unknown_table(&qualified)),
        }
    }

    /// Puts the database of a unit in the place of the logical one.
    fn actual_database(&self, name: &Ident, unit: UnitId, draft: &mut Draft) {
        if !self.context.snapshot.databases.contains_key(&name.value) {
            return;
        }
        let database = self.database_with(unit).and_then(|database| database.find_unit(unit));
        if let Some(found) = database {
            draft.replace(name.span, SpliceText::Fixed(quoted(&found.config.database)));
        }
    }

    /// EXPLAIN and ANALYZE: on every node on which the statement would run.
    pub(super) fn explain(&self, explain: &Explain) -> Result<Plan, StatementError> {
        let Some(statement) = &explain.statement else {
            return Err(StatementError::unsupported(
                "EXPLAIN FOR CONNECTION is not supported: connections of the proxy are not those of \
                 the storage units",
            ));
        };
        let is_planned = matches!(
            statement.kind,
            StatementKind::Query(_)
                | StatementKind::Insert(_)
                | StatementKind::Update(_)
                | StatementKind::Delete(_)
        );
        if !is_planned {
            return Err(StatementError::unsupported("EXPLAIN of this statement is not supported"));
        }
        let mut plan = self.plan_kind(&statement.kind)?;
        if !explain.is_analyze || plan.class == StatementClass::LockingRead {
            plan.class = StatementClass::Read;
        }
        plan.effects = Effects::default();
        for copy in plan.gather.iter_mut().flat_map(|gather| &mut gather.copies) {
            copy.lock.clear();
        }
        plan.multi = plan
            .multi
            .map(|multi| MultiPlan { template: multi.template, merge: MergePlan::Concatenate });
        Ok(plan)
    }

    /// ANALYZE, OPTIMIZE, CHECK, CHECKSUM, REPAIR TABLE: on every node.
    pub(super) fn table_maintenance(
        &self,
        maintenance: &TableMaintenance,
    ) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        for table in &maintenance.tables {
            survey.table(table);
        }
        let mut draft = self.base_draft(&survey);
        match self.scene(&survey)? {
            Scene::Sharded(sharded) if maintenance.tables.len() == 1 => {
                self.name_sharded(&survey, sharded, &mut draft);
                self.maintain_nodes(sharded, draft)
            }
            Scene::Broadcast(_) if maintenance.tables.len() == 1 => {
                match self.find_table(&maintenance.tables[0])? {
                    Found::Broadcast(shared) => self.maintain_nodes(shared, draft),
                    _ => Err(self.unknown_table(&maintenance.tables[0])),
                }
            }
            Scene::Sharded(sharded) => Err(StatementError::unsupported(format!(
                "{} TABLE of sharded table '{}' together with others is not supported",
                maintenance.verb, sharded.table.name
            ))),
            scene => self.verbatim(StatementClass::Other, &scene, draft, survey),
        }
    }

    fn maintain_nodes(&self, sharded: Sharded<'_>, draft: Draft) -> Result<Plan, StatementError> {
        let multi = Ok(MultiPlan {
            template: draft.clone().finish(self.literals)?,
            merge: MergePlan::Concatenate,
        });
        let target = Target::AllNodes(sharded.nodes.clone());
        self.sharded_plan(sharded, StatementClass::Other, target, draft, multi, Effects::default())
    }
}
