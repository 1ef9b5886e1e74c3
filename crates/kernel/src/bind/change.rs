//! `UPDATE` and `DELETE`.

use std::sync::Arc;

use sql::ast::{Delete, Update};

use super::Binder;
use super::broadcast::limited;
use super::colocate::{Colocation, Spread};
use super::scene::Scene;
use super::scope::Scope;
use super::site::Site;
use super::survey::Survey;
use super::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::feature::{Router, RowRouter};
use crate::merge::MergePlan;
use crate::plan::{MultiPlan, Plan, RouteSet, StatementClass};
use crate::predicate::{ValueRef, ValueSource};
use crate::rewrite::Draft;

impl Binder<'_> {
    /// Plans an UPDATE.
    pub(super) fn update(&self, update: &Update) -> Result<Plan, StatementError> {
        self.or_keyed_update(update, self.update_on_nodes(update))
    }

    fn update_on_nodes(&self, update: &Update) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.common_tables(&update.with, false);
        let block = survey.from(&update.tables, update.where_.as_ref());
        survey.assignments(&update.assignments);
        survey.exprs(update.where_.iter());
        survey.exprs(update.order_by.iter().map(|item| &item.expr));
        survey.exprs(update.limit.iter().flat_map(|limit| limit.offset.iter()));
        survey.exprs(update.limit.iter().map(|limit| &limit.count));
        let scene = self.scene(&survey)?;
        if let Scene::Sharded(_) | Scene::Mixed(_) = scene {
            return self.sharded_update(update, survey, scene, block);
        }
        if let Scene::Broadcast(_) = scene
            && update.limit.is_some()
        {
            return Err(limited("UPDATE", first_name(&survey)));
        }
        let changed = self.assigned(update, &survey, block)?;
        self.check_copies("UPDATE", &scene, &survey, &changed)?;
        let draft = self.base_draft(&survey);
        self.verbatim(StatementClass::Write, &scene, draft, survey)
    }

    fn sharded_update(
        &self,
        update: &Update,
        mut survey: Survey<'_>,
        scene: Scene<'_>,
        block: usize,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        let changed = self.assigned(update, &survey, block)?;
        self.check_copies("UPDATE", &scene, &survey, &changed)?;
        let effects = std::mem::take(&mut survey.effects);
        let scope = self.scope(&survey)?;
        let mut site = self.site(&scope, scene, None)?;
        if let Some(staying) = self.staying(update, &scope, block, &site.router)? {
            site.router = staying;
        }
        let is_limited = update.limit.is_some() || !update.order_by.is_empty();
        let mut draft = self.base_draft(&survey);
        self.alias_places(&survey, &site.places, &mut draft);
        let change = Change {
            verb: "UPDATE",
            is_limited,
            returns: false,
            has_common: !update.with.is_empty(),
            block,
            assigns: !effects.assigns_user_variables.is_empty(),
        };
        let multi = self.changes_many(&change, &scope, &site, &draft);
        let class = StatementClass::Write;
        let mut plan =
            self.sharded_plan(site.first, class, site.target(), draft, multi, effects)?;
        site.relabel(&scope, &mut plan);
        Ok(plan)
    }

    /// The places whose rows an UPDATE changes; all of them where that cannot be told.
    fn assigned(
        &self,
        update: &Update,
        survey: &Survey<'_>,
        block: usize,
    ) -> Result<Vec<usize>, StatementError> {
        let scope = self.scope(survey)?;
        let mut changed = Vec::new();
        for assignment in &update.assignments {
            match scope.resolve(block, &assignment.column) {
                Some(column) => changed.push(column.place),
                None => changed.extend(places_of(survey, block)),
            }
        }
        Ok(changed)
    }

    /// A router that lets assignments to sharding columns pass where rows stay on their node;
    /// `None` where there are none.
    fn staying(
        &self,
        update: &Update,
        scope: &Scope<'_>,
        block: usize,
        router: &Arc<dyn Router>,
    ) -> Result<Option<Arc<dyn Router>>, StatementError> {
        let mut moved: Option<(Sharded<'_>, ValueRef)> = None;
        for assignment in &update.assignments {
            let name = &assignment.column.name.value;
            let sharded = match scope.resolve(block, &assignment.column) {
                Some(column) => match scope.sharded(column.place) {
                    Some(sharded) => sharded,
                    None => continue,
                },
                None => {
                    let mut all =
                        places_of(scope.survey(), block).filter_map(|place| scope.sharded(place));
                    let has = |sharded: &Sharded<'_>| sharded.table.find_column(name).is_some();
                    match all.find(has) {
                        Some(sharded) => sharded,
                        None => continue,
                    }
                }
            };
            let stage = self.route_stage(sharded)?;
            let columns = stage.sharding_columns(&sharded.table.name).unwrap_or_default();
            if !columns.iter().any(|column| column.eq_ignore_ascii_case(name)) {
                continue;
            }
            let is_itself = scope
                .resolve_expr(block, &assignment.value)
                .is_some_and(|from| Some(from) == scope.resolve(block, &assignment.column));
            if is_itself {
                continue;
            }
            match self.constant(&assignment.value) {
                Some(value) if columns.len() == 1 && moved.is_none() => {
                    moved = Some((sharded, value));
                }
                _ => return Err(moves(&sharded.table.name)),
            }
        }
        let Some((sharded, value)) = moved else { return Ok(None) };
        let has_one_table = (0..scope.survey().tables.len())
            .filter(|place| scope.sharded(*place).is_some())
            .count()
            == 1;
        if !has_one_table {
            return Err(moves(&sharded.table.name));
        }
        let target = self.route_stage(sharded)?.row_router(sharded.table, self.hints)?;
        let table = sharded.table.name.clone();
        Ok(Some(Arc::new(StayingRouter { router: router.clone(), target, value, table })))
    }

    /// Plans a DELETE.
    pub(super) fn delete(&self, delete: &Delete) -> Result<Plan, StatementError> {
        self.or_keyed_delete(delete, self.delete_on_nodes(delete))
    }

    fn delete_on_nodes(&self, delete: &Delete) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.common_tables(&delete.with, false);
        let block = survey.from(&delete.from, delete.where_.as_ref());
        survey.exprs(delete.where_.iter());
        survey.exprs(delete.order_by.iter().map(|item| &item.expr));
        survey.exprs(delete.limit.iter().map(|limit| &limit.count));
        let scene = self.scene(&survey)?;
        let changed = deleted(delete, &survey, block);
        self.check_copies("DELETE", &scene, &survey, &changed)?;
        if let Scene::Sharded(_) | Scene::Mixed(_) = scene {
            return self.sharded_delete(delete, survey, scene, block);
        }
        if let Scene::Broadcast(_) = scene
            && delete.limit.is_some()
        {
            return Err(limited("DELETE", first_name(&survey)));
        }
        let mut draft = self.base_draft(&survey);
        for target in &delete.targets {
            self.strip_database(target, &mut draft);
        }
        self.verbatim(StatementClass::Write, &scene, draft, survey)
    }

    fn sharded_delete(
        &self,
        delete: &Delete,
        mut survey: Survey<'_>,
        scene: Scene<'_>,
        block: usize,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        if let Some(returning) = delete.returning {
            self.check_unread(returning.of(self.text))?;
        }
        let effects = std::mem::take(&mut survey.effects);
        let scope = self.scope(&survey)?;
        let site = self.site(&scope, scene, None)?;
        let mut draft = self.base_draft(&survey);
        for target in &delete.targets {
            self.strip_database(target, &mut draft);
        }
        // The form for one table knows no alias in older servers.
        let named = places_of(&survey, block).next().filter(|_| delete.targets.is_empty());
        self.name_place(&survey, named, &site.places, &survey.columns, &mut draft)?;
        let change = Change {
            verb: "DELETE",
            is_limited: delete.limit.is_some() || !delete.order_by.is_empty(),
            returns: delete.returning.is_some(),
            has_common: !delete.with.is_empty(),
            block,
            assigns: !effects.assigns_user_variables.is_empty(),
        };
        let multi = self.changes_many(&change, &scope, &site, &draft);
        let class = StatementClass::Write;
        let mut plan =
            self.sharded_plan(site.first, class, site.target(), draft, multi, effects)?;
        site.relabel(&scope, &mut plan);
        Ok(plan)
    }

    /// A broadcast table is changed in all units or in none: not by a statement that runs on the
    /// node of another table.
    pub(super) fn check_copies(
        &self,
        verb: &str,
        scene: &Scene<'_>,
        survey: &Survey<'_>,
        changed: &[usize],
    ) -> Result<(), StatementError> {
        if matches!(scene, Scene::Broadcast(_)) {
            return Ok(());
        }
        for used in changed.iter().filter_map(|place| survey.tables.get(*place)) {
            if let Found::Broadcast(shared) = self.find_table(used.name)? {
                return Err(StatementError::unsupported(format!(
                    "{verb} of broadcast table '{}' together with tables that are not on every \
                     storage unit is not supported",
                    shared.table.name
                )));
            }
        }
        Ok(())
    }

    /// How a change is made on several nodes.
    fn changes_many(
        &self,
        change: &Change,
        scope: &Scope<'_>,
        site: &Site<'_>,
        draft: &Draft,
    ) -> Result<MultiPlan, StatementError> {
        let (verb, table) = (change.verb, &site.first.table.name);
        if let Some(apart) = &site.apart {
            return Err(apart.clone());
        }
        if change.is_limited {
            return Err(StatementError::new(
                20036,
                "44000",
                format!(
                    "{verb} with ORDER BY or LIMIT on several nodes of sharded table '{table}' is \
                     not supported; restrict the sharding column to one node"
                ),
            ));
        }
        if change.assigns {
            return Err(StatementError::unsupported(format!(
                "{verb} that assigns a user variable on several nodes of sharded table '{table}' \
                 is not supported"
            )));
        }
        let colocation = Colocation { binder: self, survey: scope.survey(), scope };
        let reason = match colocation.block(change.block, &[]) {
            _ if change.has_common => "WITH".to_owned(),
            Ok(Spread::Split(_)) => {
                let merge =
                    if change.returns { MergePlan::Concatenate } else { MergePlan::Summarize };
                return Ok(MultiPlan { template: draft.clone().finish(self.literals)?, merge });
            }
            Ok(Spread::Same) => "A sub-query".to_owned(),
            Err(reason) => reason,
        };
        Err(StatementError::new(
            20035,
            "44000",
            format!(
                "{reason} in {verb} on several nodes of sharded table '{table}' is not supported; \
                 restrict the sharding columns to one node"
            ),
        ))
    }
}

/// What is asked of a change on several nodes.
struct Change {
    verb: &'static str,
    is_limited: bool,
    returns: bool,
    has_common: bool,
    /// The block of its FROM.
    block: usize,
    /// It assigns user variables.
    assigns: bool,
}

/// The places of the FROM of a block.
fn places_of<'s>(survey: &'s Survey<'_>, block: usize) -> impl Iterator<Item = usize> + 's {
    let tables = survey.tables.iter().enumerate();
    tables.filter(move |(_, used)| used.block == Some(block)).map(|(place, _)| place)
}

/// The places whose rows a DELETE takes away.
fn deleted(delete: &Delete, survey: &Survey<'_>, block: usize) -> Vec<usize> {
    let is_target = |place: &usize| {
        delete.targets.is_empty()
            || delete.targets.iter().any(|target| {
                survey.tables[*place].alias() == target.name.value
                    || survey.tables[*place].name.name.value == target.name.value
            })
    };
    places_of(survey, block).filter(is_target).collect()
}

fn first_name<'s>(survey: &'s Survey<'_>) -> &'s str {
    survey.tables.first().map_or("", |used| &used.name.name.value)
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
