//! `UPDATE` and `DELETE`.

use std::sync::Arc;

use sql::ast::{Assignment, Delete, ExprKind, Update};

use super::Binder;
use super::survey::Survey;
use super::scene::Scene;
use super::tables::Sharded;
use super::value::unwrapped;
use crate::error::StatementError;
use crate::feature::{RouteStage, Router, RowRouter};
use crate::merge::MergePlan;
use crate::plan::{MultiPlan, Plan, RouteSet, StatementClass, Target};
use crate::predicate::{ValueRef, ValueSource};
use crate::rewrite::Draft;

impl Binder<'_> {
    /// Plans an UPDATE.
    pub(super) fn update(&self, update: &Update) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.common_tables(&update.with, false);
        survey.from(&update.tables, update.where_.iter().collect());
        survey.assignments(&update.assignments);
        survey.exprs(update.where_.iter());
        survey.exprs(update.order_by.iter().map(|item| &item.expr));
        survey.exprs(update.limit.iter().flat_map(|limit| limit.offset.iter()));
        survey.exprs(update.limit.iter().map(|limit| &limit.count));
        match self.scene(&survey)? {
            Scene::Sharded(sharded) => self.sharded_update(update, survey, sharded),
            scene => {
                let draft = self.base_draft(&survey);
                self.verbatim(StatementClass::Write, &scene, draft, survey)
            }
        }
    }

    fn sharded_update(
        &self,
        update: &Update,
        survey: Survey<'_>,
        sharded: Sharded<'_>,
    ) -> Result<Plan, StatementError> {
        let is_plain = update.tables.len() == 1 && update.with.is_empty();
        self.require_one_table("UPDATE", is_plain, &survey, sharded)?;
        let stage = self.route_stage(sharded)?;
        let predicate = self.route_predicate(&survey, sharded);
        let mut router = stage.router(sharded.table, predicate, self.hints)?;
        let moved = self.sharding_assignments(&update.assignments, stage, sharded)?;
        if let Some(value) = moved {
            let target = stage.row_router(sharded.table, self.hints)?;
            router = Arc::new(StayingRouter {
                router,
                target,
                value,
                table: sharded.table.name.clone(),
            });
        }
        let is_limited = update.limit.is_some() || !update.order_by.is_empty();
        let mut draft = self.base_draft(&survey);
        self.alias_sharded(&survey, sharded, &mut draft);
        let multi = self.changes_many("UPDATE", is_limited, false, &survey, sharded, &draft);
        let target = Target::Nodes { nodes: sharded.nodes.clone(), router };
        self.sharded_plan(sharded, StatementClass::Write, target, draft, multi, survey.effects)
    }

    /// The new value of the sharding column, if it is assigned one that is not itself.
    fn sharding_assignments(
        &self,
        assignments: &[Assignment],
        stage: &dyn RouteStage,
        sharded: Sharded<'_>,
    ) -> Result<Option<ValueRef>, StatementError> {
        let columns = stage.sharding_columns(&sharded.table.name).unwrap_or_default();
        let mut moved = None;
        for assignment in assignments {
            let name = &assignment.column.name.value;
            if !columns.iter().any(|column| column.eq_ignore_ascii_case(name)) {
                continue;
            }
            if let ExprKind::Column(column) = &unwrapped(&assignment.value).kind
                && column.name.value.eq_ignore_ascii_case(name)
            {
                continue;
            }
            match self.value(&assignment.value) {
                Some(value) if columns.len() == 1 && moved.is_none() => moved = Some(value),
                _ => return Err(moves(&sharded.table.name)),
            }
        }
        Ok(moved)
    }

    /// Plans a DELETE.
    pub(super) fn delete(&self, delete: &Delete) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.common_tables(&delete.with, false);
        survey.from(&delete.from, delete.where_.iter().collect());
        survey.exprs(delete.where_.iter());
        survey.exprs(delete.order_by.iter().map(|item| &item.expr));
        survey.exprs(delete.limit.iter().map(|limit| &limit.count));
        match self.scene(&survey)? {
            Scene::Sharded(sharded) => self.sharded_delete(delete, survey, sharded),
            scene => {
                let mut draft = self.base_draft(&survey);
                for target in &delete.targets {
                    self.strip_database(target, &mut draft);
                }
                self.verbatim(StatementClass::Write, &scene, draft, survey)
            }
        }
    }

    fn sharded_delete(
        &self,
        delete: &Delete,
        survey: Survey<'_>,
        sharded: Sharded<'_>,
    ) -> Result<Plan, StatementError> {
        let is_plain =
            delete.from.len() == 1 && delete.with.is_empty() && delete.targets.is_empty();
        self.require_one_table("DELETE", is_plain, &survey, sharded)?;
        if let Some(returning) = delete.returning {
            self.check_unread(returning.of(self.text))?;
        }
        let predicate = self.route_predicate(&survey, sharded);
        let router = self.route_stage(sharded)?.router(sharded.table, predicate, self.hints)?;
        let is_limited = delete.limit.is_some() || !delete.order_by.is_empty();
        let mut draft = self.base_draft(&survey);
        self.name_sharded(&survey, sharded, &mut draft);
        let returns = delete.returning.is_some();
        let multi = self.changes_many("DELETE", is_limited, returns, &survey, sharded, &draft);
        let target = Target::Nodes { nodes: sharded.nodes.clone(), router };
        self.sharded_plan(sharded, StatementClass::Write, target, draft, multi, survey.effects)
    }

    /// A sharded table is changed alone.
    fn require_one_table(
        &self,
        verb: &str,
        is_plain: bool,
        survey: &Survey<'_>,
        sharded: Sharded<'_>,
    ) -> Result<(), StatementError> {
        self.check_opaque(survey)?;
        let is_alone = survey.tables.len() == 1
            && survey.blocks.first().is_some_and(|block| block.members == 1)
            && survey.tables.iter().all(|used| used.block == Some(0));
        if is_plain && is_alone {
            return Ok(());
        }
        Err(StatementError::new(
            20035,
            "44000",
            format!(
                "{verb} of sharded table '{}' together with other tables is not supported",
                sharded.table.name
            ),
        ))
    }

    /// How a change is made on several nodes.
    fn changes_many(
        &self,
        verb: &str,
        is_limited: bool,
        returns: bool,
        survey: &Survey<'_>,
        sharded: Sharded<'_>,
        draft: &Draft,
    ) -> Result<MultiPlan, StatementError> {
        let table = &sharded.table.name;
        if is_limited {
            return Err(StatementError::new(
                20036,
                "44000",
                format!(
                    "{verb} with ORDER BY or LIMIT on several nodes of sharded table '{table}' is \
                     not supported; restrict the sharding column to one node"
                ),
            ));
        }
        if !survey.effects.assigns_user_variables.is_empty() {
            return Err(StatementError::unsupported(format!(
                "{verb} that assigns a user variable on several nodes of sharded table '{table}' \
                 is not supported"
            )));
        }
        let merge = if returns { MergePlan::Concatenate } else { MergePlan::Summarize };
        Ok(MultiPlan { template: draft.clone().finish(self.literals)?, merge })
    }
}

/// Lets an UPDATE of the sharding column pass where the rows stay on their node.
#[derive(Debug)]
struct StayingRouter {
    router: Arc<dyn Router>,
    target: Arc<dyn RowRouter>,
    value: ValueRef,
    table: Arc<str>,
}

impl Router for StayingRouter {
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError> {
        self.router.route(values, nodes)?;
        let node = self.target.node_of(std::slice::from_ref(&self.value), values)?;
        if nodes.0.iter().all(|other| *other == node) { Ok(()) } else { Err(moves(&self.table)) }
    }

    fn reason(&self) -> String {
        self.router.reason()
    }
}

/// An UPDATE would have to move rows between nodes.
fn moves(table: &str) -> StatementError {
    StatementError::new(
        20031,
        "44000",
        format!(
            "UPDATE of the sharding column of table '{table}' could move rows to another node; \
             delete and insert them instead"
        ),
    )
}
