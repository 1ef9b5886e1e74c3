//! The statements that read the rows of the copies: planned and routed like a client's own.

use std::rc::Rc;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::merge::{MergePlan, MergeValues, RowMerge};
use kernel::model::StorageUnit;
use kernel::plan::{Plan, Text};
use sql::fingerprint::LiteralSpan;
use storage::settings::Settings;

use crate::answer::Encoding;
use crate::fan_out::{FanOut, Part, PartCommand};
use crate::plan_cache::{Body, CachedStatement};
use crate::session::Session;
use crate::statement;

/// One read with where it goes.
pub(crate) struct Read {
    cached: Rc<CachedStatement>,
    /// Its route.
    pub(crate) parts: Vec<ReadPart>,
    values: MergeValues,
}

/// What one storage unit is asked for.
pub(crate) struct ReadPart {
    /// Where it runs.
    pub(crate) unit: StorageUnit,
    /// The statement.
    pub(crate) sql: Vec<u8>,
}

impl ReadPart {
    fn part(&self) -> Part {
        Part { unit: self.unit.clone(), command: PartCommand::Query(self.sql.clone()) }
    }
}

/// Plans and routes the reads.
pub(crate) fn plan_reads(
    session: &Session,
    cached: &CachedStatement,
    texts: &[Vec<u8>],
) -> Result<Vec<Read>, StatementError> {
    texts.iter().map(|text| plan_read(session, cached, text)).collect()
}

fn plan_read(
    session: &Session,
    outer: &CachedStatement,
    text: &[u8],
) -> Result<Read, StatementError> {
    let cached = statement::find_or_plan(session, &outer.snapshot, text)?;
    let worker = Rc::clone(&session.worker);
    let fingerprint = worker.fingerprint.borrow();
    route(session, cached, text, &fingerprint.literals)
}

/// Plans and routes a read whose text will hardly be seen again.
pub(crate) fn plan_once(
    session: &Session,
    outer: &CachedStatement,
    text: &[u8],
) -> Result<Read, StatementError> {
    let cached = statement::plan(session, &outer.snapshot, text, &[])?;
    route(session, Rc::new(cached), text, &[])
}

fn route(
    session: &Session,
    cached: Rc<CachedStatement>,
    text: &[u8],
    literals: &[LiteralSpan],
) -> Result<Read, StatementError> {
    let values = statement::text_values(session, text, literals);
    let written = Text { bytes: text, literals, values: &values };
    let plan = routed(&cached)?;
    let units = statement::route(session, &cached, plan, &values)?;
    let (template, merge_values) = match units.len() {
        1 => (&plan.single, MergeValues::default()),
        _ => {
            let multi = plan.multi.as_ref().map_err(Clone::clone)?;
            (&multi.template, multi.merge.values(&values)?)
        }
    };
    let mut parts = Vec::with_capacity(units.len());
    for unit in &units {
        let mut sql = Vec::new();
        template.render(written, unit, &mut sql);
        parts.push(ReadPart { unit: statement::find_unit(session, &cached, unit)?.clone(), sql });
    }
    Ok(Read { cached: Rc::clone(&cached), parts, values: merge_values })
}

fn routed(cached: &CachedStatement) -> Result<&Plan, StatementError> {
    match &cached.body {
        Body::Routed(plan) => Ok(plan),
        Body::Session(_) | Body::Asking => {
            Err(StatementError::unsupported("The rows of a table cannot be read for a copy"))
        }
    }
}

impl Read {
    /// The statement on its nodes.
    pub(crate) fn fan_out(&self) -> FanOut<'_> {
        const CONCATENATE: &MergePlan = &MergePlan::Concatenate;
        let plan = match &self.cached.body {
            Body::Routed(plan) => Some(plan),
            Body::Session(_) | Body::Asking => None,
        };
        let merge = plan.and_then(|plan| plan.multi.as_ref().ok()).map(|multi| &multi.merge);
        let is_plain = |merge: &&MergePlan| match merge {
            MergePlan::Rows(rows) => **rows == RowMerge::default(),
            MergePlan::Concatenate | MergePlan::Summarize | MergePlan::Same => true,
        };
        let merge = merge.filter(|merge| self.parts.len() > 1 && !is_plain(merge));
        FanOut {
            class: plan.map_or(kernel::plan::StatementClass::Read, |plan| plan.class),
            merge: merge.unwrap_or(CONCATENATE),
            values: self.values.clone(),
            relabel: None,
            encoding: Encoding::Text,
            parts: self.parts.iter().map(ReadPart::part).collect(),
            rows: None,
        }
    }
}

/// The session's settings without those that leave rows or letters out.
pub(crate) fn settings(own: &Arc<Settings>) -> Arc<Settings> {
    const RESULTS: &str = "character_set_results";
    const LIMIT: &str = "sql_select_limit";
    let named = || own.names.split(' ').next().unwrap_or_default();
    let has_letters = own.variables.get(RESULTS).map_or_else(named, String::as_str) == "utf8mb4";
    if has_letters && !own.variables.contains_key(LIMIT) {
        return Arc::clone(own);
    }
    let mut settings = (**own).clone();
    settings.variables.insert(RESULTS.to_owned(), "utf8mb4".to_owned());
    settings.variables.remove(LIMIT);
    settings.intern()
}
