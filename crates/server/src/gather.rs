//! A statement whose tables are on several nodes and that no merge can answer: the rows it needs are
//! copied into temporary tables of one storage unit, and the client's own statement runs there.
//!
//! The reads are statements like a client's own, on the session's connections, so that a transaction
//! sees its own changes; the copies live on a connection of the pool that belongs to nobody's
//! transaction and is given back without them.

mod answer;
mod literal;
mod loader;
mod narrowing;
mod reads;

use kernel::error::StatementError;
use kernel::gather::GatherPlan;
use kernel::model::StorageUnit;
use kernel::plan::{Plan, RouteUnit, StatementClass, Text};
use sql::ast::IsolationLevel;
use telemetry::METRICS;

use crate::execute::Failure;
use crate::fan_out;
use crate::plan_cache::CachedStatement;
use crate::session::Session;
use crate::transaction::{self, State};
use crate::transfer::Rows;

pub(crate) use answer::{Final, describe};
pub(crate) use literal::put as put_literal;
pub(crate) use loader::Loader;
pub(crate) use reads::{Read, plan_once, plan_reads, settings as read_settings};

/// The texts of one execution.
#[derive(Debug)]
pub(crate) struct Texts {
    /// For each copy, the statement that reads its rows, without its locking clause.
    reads: Vec<Vec<u8>>,
    /// The client's statement over the copies.
    pub(crate) statement: Vec<u8>,
}

impl Texts {
    /// Written from the client's text.
    pub(crate) fn of(gather: &GatherPlan, text: Text<'_>) -> Self {
        Self {
            reads: gather.copies.iter().map(|copy| render(&copy.read, text)).collect(),
            statement: render(&gather.statement, text),
        }
    }
}

impl Texts {
    /// The statements that read the copies.
    fn whole_reads(&self, gather: &GatherPlan) -> Vec<Vec<u8>> {
        let copies = self.reads.iter().zip(&gather.copies);
        copies.map(|(read, copy)| [read, copy.lock.as_bytes()].concat()).collect()
    }
}

/// A text that does not depend on a route.
pub(crate) fn render(template: &kernel::plan::Template, text: Text<'_>) -> Vec<u8> {
    let nowhere =
        RouteUnit { unit: kernel::model::UnitId(0), node: 0, rows: smallvec::SmallVec::new() };
    let mut written = Vec::new();
    template.render(text, &nowhere, &mut written);
    written
}

/// The plan by which a statement is gathered that its route does not lead to one unit.
pub(crate) fn over_several(plan: &Plan) -> Option<&GatherPlan> {
    plan.gather.as_deref().filter(|_| plan.multi.is_err())
}

/// Runs the statement and writes its answer.
pub(crate) async fn run(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    texts: Texts,
    last: Final<'_>,
) -> Result<(), Failure> {
    let gather = require_plan(plan)?;
    let loader = fill(session, cached, plan, &texts).await?;
    answer::run(session, gather, &texts.statement, loader.into_connection(), last).await
}

/// Runs the statement as text and keeps its rows; the client hears nothing of it.
pub(crate) async fn collect(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    texts: Texts,
    rows: &mut Rows,
) -> Result<(), Failure> {
    let gather = require_plan(plan)?;
    let loader = fill(session, cached, plan, &texts).await?;
    answer::collect(session, gather, &texts.statement, loader.into_connection(), rows).await
}

fn require_plan(plan: &Plan) -> Result<&GatherPlan, StatementError> {
    plan.gather.as_deref().ok_or_else(|| {
        StatementError::unsupported("This statement cannot run over copies of its tables")
    })
}

/// Makes the copies.
async fn fill(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    texts: &Texts,
) -> Result<Loader, Failure> {
    METRICS.gathers_total.increment();
    let gather = require_plan(plan)?;
    let reads = plan_reads(session, cached, &texts.whole_reads(gather))?;
    let unit = choose_unit(session, &reads)?;
    let mut loader = Loader::open(session, &unit, gather).await?;
    let copying = Copying { cached, plan, gather, texts, reads: &reads };
    copy_all(session, copying, &mut loader).await?;
    Ok(loader)
}

/// Which unit would be sent which statement, the one over the copies last.
pub(crate) fn preview(
    session: &Session,
    cached: &CachedStatement,
    gather: &GatherPlan,
    texts: &Texts,
) -> Result<Vec<(String, Vec<u8>)>, StatementError> {
    let reads = plan_reads(session, cached, &texts.whole_reads(gather))?;
    let mut sent = Vec::new();
    for part in reads.iter().flat_map(|read| &read.parts) {
        sent.push((part.unit.name.to_string(), part.sql.clone()));
    }
    let unit = choose_unit(session, &reads)?;
    sent.push((unit.name.to_string(), texts.statement.clone()));
    Ok(sent)
}

/// Reads every copy's rows: at one moment on each storage unit, as one server would.
async fn copy_all(
    session: &mut Session,
    copying: Copying<'_>,
    loader: &mut Loader,
) -> Result<(), Failure> {
    let owns_transaction = copying.reads.len() > 1
        && !session.transaction.is_open()
        && session.is_autocommit()
        && session.pin.is_none()
        && session.open_cursors == 0;
    if owns_transaction {
        session.transaction.state = State::Open;
        session.transaction.isolation = Some(IsolationLevel::RepeatableRead);
        session.transaction.options.is_read_only = copying.plan.class == StatementClass::Read;
    }
    let settings = std::sync::Arc::clone(&session.settings);
    session.set_settings(reads::settings(&settings));
    let mut copied = Ok(());
    for index in &copying.gather.order {
        copied = copy_one(session, copying, *index, loader).await;
        if copied.is_err() {
            break;
        }
    }
    session.set_settings(settings);
    if owns_transaction {
        match &copied {
            Ok(()) => transaction::commit(session).await?,
            Err(_) => transaction::rollback(session).await,
        }
    }
    copied
}

/// What the copies are filled from.
#[derive(Clone, Copy)]
struct Copying<'a> {
    cached: &'a CachedStatement,
    plan: &'a Plan,
    gather: &'a GatherPlan,
    texts: &'a Texts,
    /// For each copy.
    reads: &'a [Read],
}

/// Fills one copy; where few rows were copied that its rows must fit to, only with such.
async fn copy_one(
    session: &mut Session,
    copying: Copying<'_>,
    index: usize,
    loader: &mut Loader,
) -> Result<(), Failure> {
    let (Some(copy), Some(read), Some(text)) = (
        copying.gather.copies.get(index),
        copying.reads.get(index),
        copying.texts.reads.get(index),
    ) else {
        return Ok(());
    };
    let narrowed = match narrowing::condition(session, copy, loader).await? {
        None => None,
        Some(condition) => {
            let glue = if copy.has_where { " AND " } else { " WHERE " };
            let text = [text, glue.as_bytes(), condition.as_bytes(), copy.lock.as_bytes()].concat();
            Some(reads::plan_once(session, copying.cached, &text)?)
        }
    };
    loader.begin(copy);
    fan_out::copy(session, narrowed.as_ref().unwrap_or(read).fan_out(), loader).await?;
    loader.end(session).await
}

/// The storage unit that is read most; which of several equals differs by session, so that they
/// share the work.
fn choose_unit(session: &Session, reads: &[Read]) -> Result<StorageUnit, StatementError> {
    let parts = || reads.iter().flat_map(|read| &read.parts);
    let mut counted: Vec<(usize, &StorageUnit)> = Vec::new();
    for part in parts() {
        match counted.iter_mut().find(|(_, unit)| unit.id == part.unit.id) {
            Some((count, _)) => *count += 1,
            None => counted.push((1, &part.unit)),
        }
    }
    if counted.iter().any(|(_, unit)| !unit.config.pool.read_only) {
        counted.retain(|(_, unit)| !unit.config.pool.read_only);
    }
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or_default();
    counted.retain(|(count, _)| *count == most);
    let turn = session.entered.handle().id as usize;
    let chosen = counted.get(turn % counted.len().max(1));
    chosen.map(|(_, unit)| (*unit).clone()).ok_or_else(|| {
        StatementError::unsupported("There is no storage unit for copies of the tables")
    })
}
