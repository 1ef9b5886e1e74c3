//! `SELECT` and other queries.

use sql::ast::{Query, QueryBody, Select};

use super::Binder;
use super::colocate::{Colocation, Spread};
use super::scene::Scene;
use super::scope::Scope;
use super::survey::Survey;
use super::tables::Sharded;
use crate::error::StatementError;
use crate::merge::MergePlan;
use crate::plan::{MultiPlan, Plan, StatementClass};
use crate::rewrite::Draft;

impl Binder<'_> {
    /// Plans a query.
    pub(super) fn query(&self, query: &Query) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.query(query);
        let class =
            if survey.is_locking { StatementClass::LockingRead } else { StatementClass::Read };
        match self.scene(&survey)? {
            scene @ (Scene::Sharded(_) | Scene::Mixed(_)) => {
                self.sharded_query(query, survey, scene, class)
            }
            scene => {
                let draft = self.query_draft(query, &survey);
                self.verbatim(class, &scene, draft, survey)
            }
        }
    }

    /// A query that names sharded tables. It is answered by one node where all places that name
    /// them are restricted to that node, and merged from several where each of them can answer its
    /// part for itself.
    fn sharded_query(
        &self,
        query: &Query,
        mut survey: Survey<'_>,
        scene: Scene<'_>,
        class: StatementClass,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        let effects = std::mem::take(&mut survey.effects);
        let scope = self.scope(&survey)?;
        let site = self.site(&scope, scene, None)?;
        let mut draft = self.base_draft(&survey);
        let multi = match &site.apart {
            Some(apart) => Err(apart.clone()),
            None if !effects.assigns_user_variables.is_empty() => {
                Err(over_nodes(site.first, "The assignment of a user variable"))
            }
            None => self.multi_query(query, &scope, site.first, &draft),
        };
        self.alias_places(&survey, &site.places, &mut draft);
        self.keep_labels(query, &mut draft);
        let mut plan =
            self.sharded_plan(site.first, class, site.target(), draft, multi, effects)?;
        site.relabel(&scope, &mut plan);
        Ok(plan)
    }

    /// How the query is merged from several nodes.
    fn multi_query(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        sharded: Sharded<'_>,
        draft: &Draft,
    ) -> Result<MultiPlan, StatementError> {
        let refuse = |what: &str| Err(over_nodes(sharded, what));
        if query.into.is_some() {
            return refuse("INTO");
        }
        if !query.with.is_empty() {
            return refuse("WITH");
        }
        let colocation = Colocation { binder: self, survey: scope.survey(), scope };
        match &query.body {
            QueryBody::Select(select) => {
                self.require_plain(select, scope, sharded)?;
                match colocation.select(select, &[]) {
                    Ok(Spread::Split(_)) => self.merge_select(query, select, scope, sharded, draft),
                    Ok(Spread::Same) => refuse("A sub-query"),
                    Err(reason) => refuse(&reason),
                }
            }
            QueryBody::SetOperation { .. }
                if query.order_by.is_empty() && query.limit.is_none() =>
            {
                match colocation.query(query, &[]) {
                    Ok(Spread::Split(_)) => self.concatenated(query, scope, draft),
                    Ok(Spread::Same) => refuse("UNION"),
                    Err(reason) => refuse(&reason),
                }
            }
            QueryBody::SetOperation { .. } => refuse("UNION with ORDER BY or LIMIT"),
            QueryBody::Table(_) => refuse("TABLE (write SELECT * FROM)"),
            _ => refuse("A query in parentheses"),
        }
    }

    /// The rows of all nodes are the rows of the query.
    fn concatenated(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        draft: &Draft,
    ) -> Result<MultiPlan, StatementError> {
        let mut draft = draft.clone();
        self.alias_sharded(scope.survey(), &mut draft);
        self.keep_labels(query, &mut draft);
        Ok(MultiPlan { template: draft.finish(self.literals)?, merge: MergePlan::Concatenate })
    }

    /// What cannot be merged whatever tables it reads.
    fn require_plain(
        &self,
        select: &Select,
        scope: &Scope<'_>,
        sharded: Sharded<'_>,
    ) -> Result<(), StatementError> {
        let refuse = |what: &str| Err(over_nodes(sharded, what));
        if scope.survey().has_windows {
            return refuse("A window function");
        }
        if select.with_rollup {
            return refuse("WITH ROLLUP");
        }
        Ok(())
    }
}

/// A part of a statement that cannot be merged from several nodes yet.
pub(super) fn over_nodes(sharded: Sharded<'_>, what: &str) -> StatementError {
    StatementError::unsupported(format!(
        "{what} over several nodes of sharded table '{}' is not supported yet; restrict the \
         sharding column to one node",
        sharded.table.name
    ))
}
