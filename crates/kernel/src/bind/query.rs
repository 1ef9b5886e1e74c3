//! `SELECT` and other queries.

use sql::ast::{Query, QueryBody, Select};

use super::Binder;
use super::condition::{Subject, any_of};
use super::survey::{Survey, TableUse};
use super::tables::{Scene, Sharded};
use crate::error::StatementError;
use crate::plan::{MultiPlan, Plan, StatementClass, Target};
use crate::predicate::Predicate;
use crate::rewrite::Draft;

impl Binder<'_> {
    /// Plans a query.
    pub(super) fn query(&self, query: &Query) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.query(query);
        let class =
            if survey.is_locking { StatementClass::LockingRead } else { StatementClass::Read };
        match self.scene(&survey)? {
            Scene::Sharded(sharded) => self.sharded_query(query, survey, sharded, class),
            scene => {
                let draft = self.query_draft(query, &survey);
                self.verbatim(class, &scene, draft, survey)
            }
        }
    }

    /// A query that names one sharded table, once or more. It is answered by one node where all
    /// places that name the table are restricted to that node; merging several nodes is possible
    /// for a plain SELECT only.
    fn sharded_query(
        &self,
        query: &Query,
        survey: Survey<'_>,
        sharded: Sharded<'_>,
        class: StatementClass,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        let predicate = self.route_predicate(&survey, sharded);
        let router = self.route_stage(sharded)?.router(sharded.table, predicate, self.hints)?;
        let mut draft = self.base_draft(&survey);
        let multi = self.multi_query(query, &survey, sharded, &draft);
        self.keep_labels(query, &mut draft);
        self.alias_sharded(&survey, sharded, &mut draft);
        let target = Target::Nodes { nodes: sharded.nodes.clone(), router };
        self.sharded_plan(sharded, class, target, draft, multi, survey.effects)
    }

    /// The rows that any place of the statement can read.
    pub(super) fn route_predicate(&self, survey: &Survey<'_>, sharded: Sharded<'_>) -> Predicate {
        any_of(survey.tables.iter().map(|used| self.use_predicate(survey, used, sharded)).collect())
    }

    fn use_predicate(
        &self,
        survey: &Survey<'_>,
        used: &TableUse<'_>,
        sharded: Sharded<'_>,
    ) -> Predicate {
        let Some(block) = used.block.and_then(|block| survey.blocks.get(block)) else {
            return Predicate::Any;
        };
        let subject =
            Subject { table: sharded.table, alias: used.alias(), is_alone: block.members == 1 };
        self.predicate(subject, &block.conditions)
    }

    /// How the query is merged from several nodes.
    fn multi_query(
        &self,
        query: &Query,
        survey: &Survey<'_>,
        sharded: Sharded<'_>,
        draft: &Draft,
    ) -> Result<MultiPlan, StatementError> {
        let select = self.require_plain(query, survey, sharded)?;
        self.merge_select(query, select, survey, sharded, draft)
    }

    /// The one SELECT of a query that reads one table and nothing else.
    fn require_plain<'q>(
        &self,
        query: &'q Query,
        survey: &Survey<'_>,
        sharded: Sharded<'_>,
    ) -> Result<&'q Select, StatementError> {
        let refuse = |what: &str| Err(over_nodes(sharded, what));
        if query.into.is_some() {
            return refuse("INTO");
        }
        if !query.with.is_empty() {
            return refuse("WITH");
        }
        let QueryBody::Select(select) = &query.body else {
            return refuse(match &query.body {
                QueryBody::SetOperation { .. } => "UNION",
                QueryBody::Table(_) => "TABLE (write SELECT * FROM)",
                _ => "A query in parentheses",
            });
        };
        if survey.tables.len() > 1 {
            return refuse("A join of the table with itself");
        }
        if survey.queries > 1 || select.from.len() != 1 {
            return refuse("A sub-query");
        }
        if !matches!(select.from[0], sql::ast::TableRef::Table(_)) {
            return refuse("A join");
        }
        if survey.has_windows {
            return refuse("A window function");
        }
        if select.with_rollup {
            return refuse("WITH ROLLUP");
        }
        if !survey.effects.assigns_user_variables.is_empty() {
            return refuse("The assignment of a user variable");
        }
        Ok(select)
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
