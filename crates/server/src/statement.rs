//! The life of one statement, top to bottom. Start reading here.
//!
//! `receive → parse → bind → route → rewrite → execute → merge → send`
//!
//! A text that was seen before leaves parse and bind out: its fingerprint finds the plan. A plan
//! that needs no rewriting sends the client's own packet on, and the unit's answer passes back
//! untouched.

use std::rc::Rc;
use std::sync::Arc;

use kernel::bind::{self, BindContext};
use kernel::error::StatementError;
use kernel::keys::{Keys, WithKeys};
use kernel::merge::{MergePlan, MergeValues};
use kernel::model::{StorageUnit, UnitId};
use kernel::plan::{Plan, RouteUnit, StatementClass, Target, Template, Text};
use kernel::predicate::ValueSource;
use kernel::route::RouteUnits;
use kernel::snapshot::{LogicalDatabase, Snapshot};
use kernel::values::TextValues;
use protocol::command::Command;
use protocol::frame::{begin_packet, end_packet};
use protocol::response::ResponseKind;
use sql::ast::Statement;
use telemetry::METRICS;

use crate::answer::Encoding;
use crate::execute::{Failure, Passing, run_on_unit};
use crate::fan_out::{self, FanOut, Part, PartCommand};
use crate::gather::{self, Final, Texts};
use crate::keys::Inserted;
use crate::plan_cache::{Body, CachedStatement, PlanKey};
use crate::replicas::{self, Choices};
use crate::session::Session;
use crate::session_statements;

/// Where a statement's text comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Received<'a> {
    /// The statement.
    pub(crate) text: &'a [u8],
    /// The packet it came in, when that packet is nothing but this statement: it can be sent on.
    pub(crate) packet: Option<&'a [u8]>,
}

/// Runs one statement and writes its answer.
pub(crate) async fn run(session: &mut Session, received: Received<'_>) -> Result<(), Failure> {
    METRICS.statements_total.increment();
    // One snapshot from here to the last row: a rule change never splits a statement.
    let snapshot = session.worker.snapshot();
    let cached = find_or_plan(session, &snapshot, received.text)?;
    match &cached.body {
        Body::Session(statement) => {
            let statement = session_statements::Asked {
                statement,
                text: received.text,
                snapshot: &snapshot,
                encoding: Encoding::Text,
            };
            Box::pin(session_statements::run(session, statement)).await
        }
        Body::Asking => {
            let result = Box::pin(run_answered(session, &snapshot, received.text)).await;
            result.or_else(|failure| {
                crate::without_units::answer(session, &snapshot, received.text, failure)
            })
        }
        Body::Routed(plan) => {
            let result = run_plan(session, &cached, plan, received).await;
            result.or_else(|failure| {
                crate::without_units::answer(session, &snapshot, received.text, failure)
            })
        }
    }
}

/// Runs a statement with what it asks of the session answered in its text.
async fn run_answered(
    session: &mut Session,
    snapshot: &Arc<Snapshot>,
    text: &[u8],
) -> Result<(), Failure> {
    let text = crate::session_functions::substitute(session, text)?;
    session.worker.fingerprint.borrow_mut().literals.clear();
    let cached = plan_answered(session, snapshot, &text)?;
    let Body::Routed(plan) = &cached.body else {
        return Err(StatementError::syntax("an answer changed the statement").into());
    };
    run_plan(session, &cached, plan, Received { text: &text, packet: None }).await
}

/// Parse and bind, or what they said last time.
pub(crate) fn find_or_plan(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    text: &[u8],
) -> Result<Rc<CachedStatement>, StatementError> {
    let worker = Rc::clone(&session.worker);
    session.check_text(text)?;
    let mut fingerprint = worker.fingerprint.borrow_mut();
    fingerprint.scan(text, session.mode);
    if !fingerprint.is_cacheable || !session.temporary_tables.is_empty() {
        fingerprint.literals.clear();
        return plan(session, snapshot, text, &[]).map(Rc::new);
    }
    let key = PlanKey { hash: fingerprint.hash, place: session.place };
    let mut plans = worker.plans.borrow_mut();
    if let Some(found) = plans.find(&key, snapshot.version, text, &fingerprint.literals) {
        METRICS.plan_cache_hits_total.increment();
        return Ok(found);
    }
    METRICS.plan_cache_misses_total.increment();
    let planned = Rc::new(plan(session, snapshot, text, &fingerprint.literals)?);
    plans.insert(key, snapshot.version, Rc::clone(&planned));
    Ok(planned)
}

/// Parse and bind.
pub(crate) fn plan(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    text: &[u8],
    literals: &[sql::fingerprint::LiteralSpan],
) -> Result<CachedStatement, StatementError> {
    let statement = parse(session, text)?;
    if crate::session_functions::asks(text, session.mode, &statement)
        || crate::inserted_variables::are_in(session, snapshot, &statement)
    {
        return Ok(CachedStatement {
            text: text.into(),
            literals: literals.into(),
            body: Body::Asking,
            database: session.find_database(snapshot),
            snapshot: Arc::clone(snapshot),
            changed_tables: Vec::new(),
            restarts_keys: false,
            is_straight: false,
        });
    }
    bind(session, snapshot, text, statement, literals)
}

/// Parse and bind what has its answers in it.
pub(crate) fn plan_answered(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    text: &[u8],
) -> Result<CachedStatement, StatementError> {
    let mut cached = bind(session, snapshot, text, parse(session, text)?, &[])?;
    if let Body::Routed(plan) = &mut cached.body {
        // What it asked of the session is no part of the text any more, and was a reason to stay.
        plan.reads_replicas = false;
    }
    Ok(cached)
}

fn parse(session: &Session, text: &[u8]) -> Result<Statement, StatementError> {
    sql::parse(text, session.mode).map_err(|error| StatementError::syntax(error.to_string()))
}

fn bind(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    text: &[u8],
    statement: Statement,
    literals: &[sql::fingerprint::LiteralSpan],
) -> Result<CachedStatement, StatementError> {
    let database = session.find_database(snapshot);
    let changed_tables = crate::ddl::changed_tables(&statement.kind);
    let restarts_keys = crate::ddl::restarts_keys(&statement.kind, text);
    let body = if session_statements::is_own(&statement.kind) {
        Body::Session(statement)
    } else {
        let context = BindContext {
            database: database.as_deref(),
            is_in_system_database: database.is_none()
                && session
                    .database
                    .as_deref()
                    .is_some_and(|name| crate::session::system_database(name).is_some()),
            snapshot,
            sql_mode: session.mode,
            temporary_tables: &session.temporary_tables,
        };
        Body::Routed(Box::new(bind::plan(text, &statement, literals, &context)?))
    };
    let is_straight = matches!(&body, Body::Routed(plan) if crate::effects::is_straight(plan));
    Ok(CachedStatement {
        text: text.into(),
        literals: literals.into(),
        body,
        database,
        snapshot: Arc::clone(snapshot),
        changed_tables,
        restarts_keys,
        is_straight,
    })
}

/// Route, rewrite, execute, merge, send.
async fn run_plan(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    received: Received<'_>,
) -> Result<(), Failure> {
    if cached.is_straight {
        let work = rewrite(session, cached, plan, received, &Keys::default())?;
        return execute(session, cached, plan, received, work).await;
    }
    if plan.load.is_some() {
        return Box::pin(fan_out::load::run(session, received.text)).await;
    }
    crate::effects::before(session, plan).await?;
    let keys = match plan.keys.is_empty() {
        true => Ok(Keys::default()),
        false => Box::pin(crate::keys::of_text(session, cached, plan, received.text)).await,
    };
    scan_again(session, cached, received.text);
    let work = keys.and_then(|keys| Ok(rewrite(session, cached, plan, received, &keys)?));
    let result = match work {
        Ok(work) => execute(session, cached, plan, received, work).await,
        Err(failure) => Err(failure),
    };
    crate::effects::after(session, cached, plan, result).await
}

/// Other sessions may have used the worker's fingerprint meanwhile.
fn scan_again(session: &Session, cached: &CachedStatement, text: &[u8]) {
    let mut fingerprint = session.worker.fingerprint.borrow_mut();
    fingerprint.scan(text, session.mode);
    if cached.literals.is_empty() {
        fingerprint.literals.clear();
    }
}

/// A statement ready to be sent.
enum Work {
    /// To one unit, as it was received.
    AsReceived(RouteUnit),
    /// To one unit, with the text in `session.outgoing_statement`.
    One(RouteUnit),
    /// To a unit with copies of the tables.
    Gather(Texts),
    /// To several.
    Several(Vec<(RouteUnit, Vec<u8>)>, MergeValues),
}

/// Route and rewrite: pure, but for the buffer the text is written to.
fn rewrite(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    received: Received<'_>,
    keys: &Keys,
) -> Result<Work, StatementError> {
    let worker = Rc::clone(&session.worker);
    let fingerprint = worker.fingerprint.borrow();
    let values = text_values(session, received.text, &fingerprint.literals);
    let with_keys = WithKeys { values: &values, keys, as_params: false };
    let values: &dyn ValueSource = if keys.columns.is_empty() { &values } else { &with_keys };
    let text = Text { bytes: received.text, literals: &fingerprint.literals, values };
    let mut units = route(session, cached, plan, values)?;
    if let Some(column) = &plan.counted
        && column.are_all_given(values)
    {
        session.inserted = Some(Inserted::given());
    }
    let unit = match units.pop() {
        Some(unit) if units.is_empty() => unit,
        last => {
            units.extend(last);
            return rewrite_for_several(plan, units, text);
        }
    };
    if plan.single.splices.is_empty() && received.packet.is_some() {
        return Ok(Work::AsReceived(unit));
    }
    write_query(&mut session.statement, &plan.single, text, &unit);
    Ok(Work::One(unit))
}

/// A text for each unit, or those of a statement over copies.
fn rewrite_for_several(
    plan: &Plan,
    units: RouteUnits,
    text: Text<'_>,
) -> Result<Work, StatementError> {
    if let Some(gather) = gather::over_several(plan) {
        return Ok(Work::Gather(Texts::of(gather, text)));
    }
    crate::effects::check_several(plan)?;
    let multi = plan.multi.as_ref().map_err(Clone::clone)?;
    let merge_values = multi.merge.values(text.values)?;
    let render = |unit: RouteUnit| {
        let mut sql = Vec::new();
        multi.template.render(text, &unit, &mut sql);
        (unit, sql)
    };
    Ok(Work::Several(units.into_iter().map(render).collect(), merge_values))
}

/// The packet of a query, written by a template.
fn write_query(out: &mut Vec<u8>, template: &Template, text: Text<'_>, unit: &RouteUnit) {
    out.clear();
    let start = begin_packet(out);
    out.push(Command::Query as u8);
    template.render(text, unit, out);
    end_packet(out, start, &mut 0);
}

/// Route; a statement for any unit prefers one the session holds. Empty for one that runs over copies
/// whatever its values are.
pub(crate) fn route(
    session: &Session,
    cached: &CachedStatement,
    plan: &Plan,
    values: &dyn ValueSource,
) -> Result<RouteUnits, StatementError> {
    if plan.gather.as_ref().is_some_and(|gather| gather.is_always) {
        return Ok(RouteUnits::new());
    }
    let mut units = plan.route(values)?;
    if matches!(plan.target, Target::AnyUnit) {
        let database = require_database(session, cached)?;
        let held = session.transaction.held.first().map(|held| held.unit().id);
        let unit = held
            .filter(|held| database.find_unit(*held).is_some() && !database.is_replica(*held))
            .or_else(|| database.owners().next().map(|unit| unit.id))
            .ok_or_else(|| no_units(&database.name))?;
        units.clear();
        units.push(RouteUnit { unit, node: 0, rows: Default::default() });
    } else if let Target::AnyOf(nodes) = &plan.target {
        let mut held = session.transaction.held.iter().map(|held| held.unit().id);
        let is_among = |unit: &UnitId| nodes.iter().any(|node| node.unit == *unit);
        if let (Some(unit), Some(first)) = (held.find(is_among), units.first_mut()) {
            first.unit = unit;
        }
    } else if session.allowed_databases.is_some() {
        require_permission(session, cached, &units)?;
    }
    Ok(units)
}

/// A qualified name leads to another database, which the user may not be permitted to use (1044).
fn require_permission(
    session: &Session,
    cached: &CachedStatement,
    units: &[RouteUnit],
) -> Result<(), StatementError> {
    let mut databases = cached.snapshot.databases.values();
    let forbidden = databases.find(|database| {
        !session.may_use(&database.name)
            && units.iter().any(|unit| database.find_unit(unit.unit).is_some())
    });
    forbidden.map_or(Ok(()), |database| {
        Err(StatementError::new(
            1044,
            "42000",
            format!("Access denied for user {} to database '{}'", session.account, database.name),
        ))
    })
}

/// The database a plan was made in; a statement without tables runs in any.
pub(crate) fn require_database(
    session: &Session,
    cached: &CachedStatement,
) -> Result<Arc<LogicalDatabase>, StatementError> {
    if let Some(database) = &cached.database
        && !database.units.is_empty()
    {
        return Ok(Arc::clone(database));
    }
    let mut databases = cached.snapshot.databases.values();
    let with_units = databases.find(|database| !database.units.is_empty());
    let name = session.database.as_deref().unwrap_or_default();
    with_units.cloned().ok_or_else(|| no_units(name))
}

fn no_units(database: &str) -> StatementError {
    StatementError::new(
        10101,
        "HY000",
        format!("There is no storage unit in database '{database}'; REGISTER STORAGE UNIT first"),
    )
}

/// Execute, merge and send.
async fn execute(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    received: Received<'_>,
    work: Work,
) -> Result<(), Failure> {
    let passing = Passing {
        kind: ResponseKind::Query,
        relabel: plan.relabel.as_ref(),
        is_ddl: plan.class == StatementClass::Ddl,
        definitions: None,
        is_read: plan.class == StatementClass::Read,
        row_names: plan.row_names,
    };
    match work {
        Work::AsReceived(unit) => {
            let unit = replicas::find_unit(session, cached, plan, &unit)?;
            let packet = received.packet.unwrap_or_default();
            run_on_unit(session, unit, packet, passing).await?;
        }
        Work::One(unit) => {
            let unit = replicas::find_unit(session, cached, plan, &unit)?;
            let packet = std::mem::take(&mut session.statement);
            let result = run_on_unit(session, unit, &packet, passing).await;
            session.statement = packet;
            result?;
        }
        Work::Gather(texts) => {
            replicas::note_change(session, plan);
            Box::pin(gather::run(session, cached, plan, texts, Final::Query)).await?;
        }
        Work::Several(parts, values) => {
            Box::pin(run_several(session, cached, plan, parts, values)).await?;
        }
    }
    Ok(())
}

async fn run_several(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    parts: Vec<(RouteUnit, Vec<u8>)>,
    values: MergeValues,
) -> Result<(), Failure> {
    let multi = plan.multi.as_ref().map_err(Clone::clone)?;
    let mut choices = Choices::default();
    let part = |(unit, sql): (RouteUnit, Vec<u8>)| {
        Ok(Part {
            unit: choices.find(session, cached, plan, &unit)?.clone(),
            command: PartCommand::Query(sql),
        })
    };
    let parts = parts.into_iter().map(part).collect::<Result<Vec<_>, StatementError>>()?;
    let merge: &MergePlan = &multi.merge;
    let fan_out = FanOut {
        class: plan.class,
        merge,
        values,
        relabel: plan.relabel.as_ref(),
        encoding: Encoding::Text,
        parts,
        rows: inserted_rows(plan),
    };
    fan_out::run(session, fan_out).await
}

/// The storage unit of a route unit. What is routed to a group goes to the primary it has now.
pub(crate) fn find_unit<'c>(
    session: &Session,
    cached: &'c CachedStatement,
    unit: &RouteUnit,
) -> Result<&'c StorageUnit, StatementError> {
    if let Some(own) = &cached.database
        && own.groups.is_empty()
        && let Some(found) = own.find_unit(unit.unit)
    {
        return Ok(found);
    }
    let has_unit = |database: &&Arc<LogicalDatabase>| database.find_unit(unit.unit).is_some();
    // A qualified name leads to another database.
    let elsewhere = || cached.snapshot.databases.values().find(has_unit);
    let database = cached.database.as_ref().filter(has_unit).or_else(elsewhere);
    let missing = || no_units(session.database.as_deref().unwrap_or_default());
    let database = database.ok_or_else(missing)?;
    let primary = match database.find_group(unit.unit) {
        Some(group) => group.require_primary()?,
        None => unit.unit,
    };
    database.find_unit(primary).ok_or_else(missing)
}

/// INSERT .. VALUES: how many rows it has.
pub(crate) fn inserted_rows(plan: &Plan) -> Option<usize> {
    match &plan.target {
        Target::Rows { rows, .. } => Some(rows.len()),
        _ => None,
    }
}

/// The literals of a text as values.
pub(crate) fn text_values<'a>(
    session: &Session,
    text: &'a [u8],
    literals: &'a [sql::fingerprint::LiteralSpan],
) -> TextValues<'a> {
    TextValues { text, literals, mode: session.mode, is_utf8: session.is_utf8() }
}
