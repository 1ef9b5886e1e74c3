//! `INSERT .. SELECT` where every row is made on the node that it belongs to.

use std::sync::Arc;

use sql::ast::{Expr, Insert, Query, QueryBody, Select, SelectItem};

use super::missing_value;
use crate::bind::Binder;
use crate::bind::colocate::{Colocation, Spread};
use crate::bind::scene::Scene;
use crate::bind::scope::{Column, Scope};
use crate::bind::site::{Given, Site};
use crate::bind::survey::Survey;
use crate::bind::tables::Sharded;
use crate::error::StatementError;
use crate::feature::{Router, RowRouter};
use crate::merge::MergePlan;
use crate::plan::{MultiPlan, Plan, RouteSet, StatementClass};
use crate::predicate::{ValueRef, ValueSource};
use crate::rewrite::Draft;

/// Where the value of a column of the new rows comes from.
enum Origin<'q> {
    /// A column of a table that is read.
    Column(Column),
    /// An expression.
    Expr(&'q Expr),
    /// Cannot be told.
    Unknown,
}

impl Binder<'_> {
    /// Plans an INSERT .. SELECT on sharded tables.
    pub(super) fn insert_from_query(
        &self,
        insert: &Insert,
        query: &Query,
        mut survey: Survey<'_>,
        scene: Scene<'_>,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        if let Some(returning) = insert.returning {
            self.check_unread(returning.of(self.text))?;
        }
        self.check_copies("INSERT", &scene, &survey, &[0])?;
        let effects = std::mem::take(&mut survey.effects);
        let scope = self.scope(&survey)?;
        let (given, follows) = match scope.sharded(0) {
            None => (None, Err(not_from(&survey))),
            Some(target) => {
                let (given, follows) = self.origin_of_rows(insert, query, &scope, target)?;
                (Some(given), follows)
            }
        };
        let site = self.site(&scope, scene, given.as_ref())?;
        let mut draft = self.base_draft(&survey);
        let mut own = Survey::default();
        own.columns.extend(insert.columns.iter().flatten());
        own.assignments(&insert.on_duplicate);
        self.name_place(&survey, Some(0), &site.places, &own.columns, &mut draft)?;
        let is_assigning = !effects.assigns_user_variables.is_empty();
        let multi = match &site.apart {
            Some(apart) => Err(apart.clone()),
            None if is_assigning => Err(not_from(&survey)),
            None => follows.and_then(|()| {
                let merge = match insert.returning {
                    Some(_) => MergePlan::Concatenate,
                    None => MergePlan::Summarize,
                };
                Ok(MultiPlan { template: draft.clone().finish(self.literals)?, merge })
            }),
        };
        self.inserted(site, &scope, draft, multi, effects)
    }

    fn inserted(
        &self,
        site: Site<'_>,
        scope: &Scope<'_>,
        draft: Draft,
        multi: Result<MultiPlan, StatementError>,
        effects: crate::plan::Effects,
    ) -> Result<Plan, StatementError> {
        let (class, target) = (StatementClass::Write, site.target());
        let mut plan = self.sharded_plan(site.first, class, target, draft, multi, effects)?;
        site.relabel(scope, &mut plan);
        Ok(plan)
    }

    /// How the new rows are routed, and whether each node can insert what it reads.
    #[allow(clippy::type_complexity, reason = "two answers to one question")]
    fn origin_of_rows(
        &self,
        insert: &Insert,
        query: &Query,
        scope: &Scope<'_>,
        target: Sharded<'_>,
    ) -> Result<(Given, Result<(), StatementError>), StatementError> {
        let survey = scope.survey();
        let stage = self.route_stage(target)?;
        let keys = stage.sharding_columns(&target.table.name).unwrap_or_default();
        self.check_on_duplicate(insert, target, &keys)?;
        let names = self.inserted_names(insert, target);
        let QueryBody::Select(select) = &query.body else { return Err(not_from(survey)) };
        let Some(block) = scope.block_of(select) else { return Err(not_from(survey)) };
        let origin = |name: &str| {
            let at = names.iter().position(|written| written.eq_ignore_ascii_case(name))?;
            Some(origin_at(select, at, block, scope))
        };
        self.check_generated(target, scope, &origin)?;
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for key in &keys {
            match origin(key).ok_or_else(|| missing_value(target, key))? {
                Origin::Column(column) => columns.push(column),
                Origin::Expr(expr) => {
                    values.push(self.constant(expr).ok_or_else(|| not_from(survey))?);
                }
                Origin::Unknown => return Err(not_from(survey)),
            }
        }
        match (columns.as_slice(), values.as_slice()) {
            ([], [_, ..]) => {
                let router = stage.row_router(target.table, self.hints)?;
                let router: Arc<dyn Router> = Arc::new(ValueRouter { router, values });
                Ok((Given { router: Some(router) }, Err(not_from(survey))))
            }
            ([_, ..], []) => {
                let colocation = Colocation { binder: self, survey, scope };
                let places = match colocation.query(query, &[]) {
                    Ok(Spread::Split(_)) => colocation.select(select, &[]),
                    other => other,
                };
                let Ok(Spread::Split(places)) = places else { return Err(not_from(survey)) };
                let equal = scope.equal_in_block(block);
                let is_followed = places.iter().any(|place| {
                    let meets = scope
                        .sharded(*place)
                        .is_some_and(|source| stage.are_bound(target.table, source.table));
                    let keys = colocation.keys(*place).unwrap_or_default();
                    meets
                        && keys.len() == columns.len()
                        && keys.iter().zip(&columns).all(|(key, c)| equal.are_equal(*key, *c))
                });
                if is_followed {
                    Ok((Given { router: None }, Ok(())))
                } else {
                    Err(not_from(survey))
                }
            }
            _ => Err(not_from(survey)),
        }
    }

    /// The columns that get values, in the order of the select list.
    pub(super) fn inserted_names<'i>(
        &self,
        insert: &'i Insert,
        target: Sharded<'i>,
    ) -> Vec<&'i str> {
        match &insert.columns {
            Some(columns) => columns.iter().map(|column| column.name.value.as_str()).collect(),
            None => super::table_columns(target.table)
                .filter(|column| !column.is_invisible)
                .map(|column| column.name.as_str())
                .collect(),
        }
    }

    /// Values that are generated would be so by each node for itself.
    fn check_generated<'q>(
        &self,
        target: Sharded<'_>,
        scope: &Scope<'_>,
        origin: &dyn Fn(&str) -> Option<Origin<'q>>,
    ) -> Result<(), StatementError> {
        let by_rule = self.route_stage(target)?.generated_key(&target.table.name);
        for column in super::table_columns(target.table) {
            let is_by_rule =
                by_rule.as_ref().is_some_and(|key| key.column.eq_ignore_ascii_case(&column.name));
            if !is_by_rule && !column.is_auto_increment {
                continue;
            }
            let is_given = match origin(&column.name) {
                Some(Origin::Column(from)) => scope
                    .metadata(from)
                    .is_some_and(|from| from.is_auto_increment || !from.is_nullable),
                _ => false,
            };
            if !is_given {
                return Err(StatementError::new(
                    20038,
                    "44000",
                    format!(
                        "INSERT .. SELECT into sharded table '{}' does not generate values of its \
                         column '{}': select a column that is never NULL for it",
                        target.table.name, column.name
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// What stands at a position of the select list, wildcards expanded.
fn origin_at<'q>(select: &'q Select, at: usize, block: usize, scope: &Scope<'_>) -> Origin<'q> {
    let mut before = 0;
    for item in &select.items {
        match item {
            SelectItem::Expr { expr, .. } if before == at => {
                return match scope.resolve_expr(block, expr) {
                    Some(column) => Origin::Column(column),
                    None => Origin::Expr(expr),
                };
            }
            SelectItem::Expr { .. } => before += 1,
            SelectItem::Wildcard { table, .. } => {
                let Some(columns) = scope.visible_columns(block, table.as_ref()) else {
                    return Origin::Unknown;
                };
                if let Some((alias, name)) = at.checked_sub(before).and_then(|i| columns.get(i)) {
                    return scope
                        .column_of(block, alias, name)
                        .map_or(Origin::Unknown, Origin::Column);
                }
                before += columns.len();
            }
        }
    }
    Origin::Unknown
}

/// The rows would have to move between nodes.
fn not_from(survey: &Survey<'_>) -> StatementError {
    let table = survey.tables.first().map_or("", |used| &used.name.name.value);
    StatementError::new(
        20034,
        "44000",
        format!(
            "INSERT .. SELECT into table '{table}' is supported where its sharding column gets the \
             sharding column of a table that is bound to it, or where all tables are restricted to \
             one node by values"
        ),
    )
}

/// Routes rows by values that all of them have.
#[derive(Debug)]
struct ValueRouter {
    router: Arc<dyn RowRouter>,
    values: Vec<ValueRef>,
}

impl Router for ValueRouter {
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError> {
        nodes.0.push(self.router.node_of(&self.values, values)?);
        Ok(())
    }

    fn reason(&self) -> String {
        "one value for all new rows".to_owned()
    }
}
