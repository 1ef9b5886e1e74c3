//! Definitions: on every node of a sharded table, on one unit otherwise.

mod alter;
mod create_table;

use std::sync::Arc;

use sql::ast::{
    CreateIndex, CreateView, DropIndex, DropTable, DropView, IndexDefinition, IndexKind, TableName,
};

use super::Binder;
use super::scene::{Mixed, Scene};
use super::survey::Survey;
use super::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::merge::MergePlan;
use crate::model::DataNode;
use crate::plan::{Effects, MultiPlan, Plan, SpliceText, StatementClass, Target};
use crate::rewrite::Draft;

impl Binder<'_> {
    /// A plan that runs once on each node.
    fn every_node(
        &self,
        sharded: Sharded<'_>,
        draft: Draft,
        class: StatementClass,
        merge: MergePlan,
        effects: Effects,
    ) -> Result<Plan, StatementError> {
        let template = draft.clone().finish(self.literals)?;
        let multi = Ok(MultiPlan { template, merge });
        let target = Target::AllNodes(sharded.nodes.clone());
        self.sharded_plan(sharded, class, target, draft, multi, effects)
    }

    /// DDL on one table, its name replaced by that of each node.
    fn define(
        &self,
        name: &TableName,
        edit: impl FnOnce(Sharded<'_>, &mut Draft) -> Result<(), StatementError>,
    ) -> Result<Plan, StatementError> {
        let mut draft = Draft::default();
        self.strip_database(name, &mut draft);
        match self.find_table(name)? {
            Found::Sharded(sharded) => {
                if sharded.table.metadata.is_none() {
                    return Err(self.unknown_table(name));
                }
                draft.replace(name.name.span, SpliceText::TableName(sharded.nodes.clone()));
                edit(sharded, &mut draft)?;
                let class = StatementClass::Ddl;
                self.every_node(sharded, draft, class, MergePlan::Summarize, Effects::default())
            }
            Found::Broadcast(shared) => {
                if shared.table.metadata.is_none() {
                    return Err(self.unknown_table(name));
                }
                let class = StatementClass::Ddl;
                self.every_node(shared, draft, class, MergePlan::Summarize, Effects::default())
            }
            Found::Single { unit } | Found::Temporary(unit) => {
                self.single_plan(StatementClass::Ddl, Target::Unit(unit), draft, Effects::default())
            }
            Found::System => Err(system_definition()),
            Found::Unknown => Err(self.unknown_table(name)),
        }
    }

    /// `TRUNCATE TABLE`.
    pub(super) fn truncate_table(&self, name: &TableName) -> Result<Plan, StatementError> {
        self.define(name, |_, _| Ok(()))
    }

    /// `CREATE INDEX`.
    pub(super) fn create_index(&self, create: &CreateIndex) -> Result<Plan, StatementError> {
        self.define(&create.table, |_, _| Ok(()))
    }

    /// `DROP INDEX`.
    pub(super) fn drop_index(&self, drop: &DropIndex) -> Result<Plan, StatementError> {
        self.define(&drop.table, |_, _| Ok(()))
    }

    /// `DROP TABLE`.
    pub(super) fn drop_table(&self, drop: &DropTable) -> Result<Plan, StatementError> {
        let mut draft = Draft::default();
        let mut unit = None;
        let mut sharded = None;
        let mut missing = Vec::new();
        let mut effects = Effects::default();
        let mixed = |name: &TableName| {
            StatementError::unsupported(format!(
                "DROP TABLE of tables in different places ('{}' and others) is not supported; drop \
                 them one by one",
                name.name.value
            ))
        };
        for name in &drop.names {
            self.strip_database(name, &mut draft);
            match self.find_table(name)? {
                Found::Sharded(found) | Found::Broadcast(found) => {
                    if found.table.metadata.is_none() && !drop.if_exists {
                        missing.push(name);
                    }
                    let is_same = sharded
                        .is_none_or(|known: Sharded<'_>| same_layout(known.nodes, found.nodes));
                    if unit.is_some() || !is_same {
                        return Err(mixed(name));
                    }
                    sharded = sharded.or(Some(found));
                    draft.replace(name.name.span, SpliceText::TableName(found.nodes.clone()));
                }
                found @ (Found::Single { unit: of } | Found::Temporary(of)) => {
                    if sharded.is_some() || unit.is_some_and(|known| known != of) {
                        return Err(mixed(name));
                    }
                    unit = Some(of);
                    if matches!(found, Found::Temporary(_)) {
                        effects.drops_temporary_tables.push(name.name.value.clone());
                    }
                }
                Found::System => return Err(system_definition()),
                Found::Unknown if drop.if_exists => {}
                Found::Unknown => missing.push(name),
            }
        }
        if !missing.is_empty() {
            return Err(self.unknown_in_drop(&missing));
        }
        match (sharded, unit, drop.names.first()) {
            (Some(sharded), ..) => {
                let class = StatementClass::Ddl;
                self.every_node(sharded, draft, class, MergePlan::Summarize, effects)
            }
            (None, Some(unit), _) => {
                self.single_plan(StatementClass::Ddl, Target::Unit(unit), draft, effects)
            }
            (None, None, first) => {
                let target = first.map_or(Ok(Target::AnyUnit), |name| self.first_target(name))?;
                self.single_plan(StatementClass::Ddl, target, draft, effects)
            }
        }
    }

    /// Error 1051, as MySQL words it.
    fn unknown_in_drop(&self, names: &[&TableName]) -> StatementError {
        let database = |name: &TableName| match &name.database {
            Some(database) => database.value.clone(),
            None => self.context.database.map_or(String::new(), |d| d.name.to_string()),
        };
        let names = names
            .iter()
            .map(|name| format!("{}.{}", database(name), name.name.value))
            .collect::<Vec<_>>();
        StatementError::new(1051, "42S02", format!("Unknown table '{}'", names.join(",")))
    }

    /// `CREATE VIEW`: in the unit of the tables it reads.
    pub(super) fn create_view(&self, create: &CreateView) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.query(&create.query);
        let target = match self.scene(&survey)? {
            Scene::Unit(unit) => Target::Unit(unit),
            Scene::Nowhere | Scene::System => self.default_target(&create.name)?,
            Scene::Broadcast(nodes) => self.default_among(&create.name, &nodes)?,
            Scene::Sharded(sharded) | Scene::Mixed(Mixed { first: sharded, .. }) => {
                return Err(StatementError::new(
                    20032,
                    "44000",
                    format!("A view of sharded table '{}' is not supported", sharded.table.name),
                ));
            }
            Scene::Apart(apart) => return Err(apart),
        };
        let mut draft = self.base_draft(&survey);
        self.strip_database(&create.name, &mut draft);
        self.single_plan(StatementClass::Ddl, target, draft, survey.effects)
    }

    /// Where a new table or view goes that reads broadcast tables only.
    fn default_among(
        &self,
        name: &TableName,
        nodes: &[DataNode],
    ) -> Result<Target, StatementError> {
        match self.default_target(name)? {
            Target::Unit(unit) if nodes.iter().any(|node| node.unit == unit) => {
                Ok(Target::Unit(unit))
            }
            other => Ok(nodes.first().map_or(other, |node| Target::Unit(node.unit))),
        }
    }

    /// `DROP VIEW`.
    pub(super) fn drop_view(&self, drop: &DropView) -> Result<Plan, StatementError> {
        self.drop_table(&DropTable {
            is_temporary: false,
            if_exists: drop.if_exists,
            names: drop.names.clone(),
        })
    }

    /// `RENAME TABLE`.
    pub(super) fn rename_table(
        &self,
        pairs: &[(TableName, TableName)],
    ) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        let mut draft = Draft::default();
        for (from, to) in pairs {
            self.strip_database(from, &mut draft);
            self.strip_database(to, &mut draft);
            for name in [from, to] {
                if let Found::Sharded(sharded) | Found::Broadcast(sharded) =
                    self.find_table(name)?
                {
                    return Err(renames(&sharded.table.name));
                }
            }
            // A name may be one that an earlier pair has made.
            if !pairs.iter().any(|(_, made)| made.name.value == from.name.value) {
                survey.table(from);
            }
        }
        match self.scene(&survey)? {
            Scene::Unit(unit) => {
                self.single_plan(StatementClass::Ddl, Target::Unit(unit), draft, survey.effects)
            }
            Scene::Apart(apart) => Err(apart),
            _ => Err(system_definition()),
        }
    }

    /// Names of constraints are unique in a database: each node gets its own.
    fn suffix_constraint(
        &self,
        index: &IndexDefinition,
        nodes: &Arc<[DataNode]>,
        draft: &mut Draft,
    ) {
        if index.kind == IndexKind::Check
            && let Some(name) = &index.name
        {
            draft.replace(name.span, SpliceText::Suffixed(name.value.clone(), nodes.clone()));
        }
    }
}

/// Node `i` of both is in the same unit.
pub(super) fn same_layout(a: &[DataNode], b: &[DataNode]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.unit == b.unit)
}

fn renames(table: &str) -> StatementError {
    StatementError::new(
        20030,
        "44000",
        format!("RENAME of table '{table}' is not supported: its rule names it"),
    )
}

fn references(table: &str) -> StatementError {
    StatementError::unsupported(format!(
        "Foreign keys on sharded table '{table}' are not supported: the row they refer to may be on \
         another node"
    ))
}

fn system_definition() -> StatementError {
    StatementError::new(1044, "42000", "Access denied: tables of system databases are not changed")
}
