//! Values and settings that only a server can tell: they are asked of a storage unit.

use kernel::error::StatementError;
use kernel::model::StorageUnit;
use kernel::plan::{Plan, Text};
use storage::command::{apply_settings, query};

use crate::execute::{Failure, give_back, prepare_connection};
use crate::plan_cache::{Body, CachedStatement};
use crate::read_back::literal_at;
use crate::session::Session;
use crate::statement;

/// Any unit the session could use.
fn any_unit(session: &Session) -> Option<StorageUnit> {
    let snapshot = session.worker.snapshot();
    if let Some(held) = session.transaction.held.first() {
        return Some(held.unit().clone());
    }
    if let Some(unit) = session.find_database(&snapshot).and_then(|d| d.owners().next().cloned()) {
        return Some(unit);
    }
    snapshot.databases.values().find_map(|database| database.owners().next().cloned())
}

/// Finds out whether a server accepts the session's settings, by giving them to a connection.
pub(crate) async fn check_settings(session: &mut Session) -> Result<(), Failure> {
    let Some(unit) = any_unit(session) else { return Ok(()) };
    let held = session.transaction.held.iter_mut().find(|held| held.unit().id == unit.id);
    if let Some(held) = held {
        // A refused SET leaves the connection as it was.
        let result = apply_settings(&mut held.connection, &session.settings).await;
        held.connection.is_busy &= !result.as_ref().is_err_and(|e| e.leaves_connection_usable());
        return result.map_err(Failure::from);
    }
    let pools = session.worker.pools.clone();
    let mut connection = pools.acquire(&unit, session.class, &session.settings).await?;
    let result = apply_settings(&mut connection, &session.settings).await;
    pools.release(connection);
    result.map_err(Failure::from)
}

/// The value of an expression as a literal of its type. Sub-queries are routed as in a SELECT.
pub(crate) async fn to_literal(session: &mut Session, expression: &str) -> Result<String, Failure> {
    if any_unit(session).is_none() {
        return crate::without_units::to_literal(session, expression)?.ok_or_else(|| {
            let text = "Only literals and variables can be assigned while there is no storage unit \
                        to evaluate expressions";
            StatementError::unsupported(text).into()
        });
    }
    let text = format!(
        "SELECT v, HEX(v), COLLATION(v) FROM (SELECT {expression} AS v) AS anabranch_value"
    );
    let snapshot = session.worker.snapshot();
    let cached = statement::plan_answered(session, &snapshot, text.as_bytes())?;
    let Body::Routed(plan) = &cached.body else {
        return Err(StatementError::unsupported("This value cannot be assigned").into());
    };
    crate::effects::before(session, plan).await?;
    let (unit, sql) = route(session, &cached, plan, text.as_bytes())?;
    let mut ready = prepare_connection(session, &unit).await?;
    for text in std::mem::take(&mut ready.prelude) {
        storage::command::run(&mut ready.connection, &text).await?;
    }
    let result = query(&mut ready.connection, &sql).await;
    if let (Ok(_), Some(wanted)) = (&result, session.read_back.take()) {
        wanted.read(session, &mut ready.connection).await;
    }
    give_back(session, ready, true);
    crate::effects::after(session, &cached, plan, Ok(())).await?;
    let result = result?;
    Ok(literal_at(&result, 0))
}

/// Where a query for one value goes, and its text there.
fn route(
    session: &Session,
    cached: &CachedStatement,
    plan: &Plan,
    text: &[u8],
) -> Result<(StorageUnit, String), StatementError> {
    let values = statement::text_values(session, text, &[]);
    let units = statement::route(session, cached, plan, &values)?;
    let [unit] = units.as_slice() else {
        let refusal = plan.multi.as_ref().err().cloned();
        return Err(refusal.unwrap_or_else(|| {
            StatementError::unsupported("SET with a query over several nodes is not supported")
        }));
    };
    let mut sql = Vec::new();
    let written = Text { bytes: text, literals: &[], values: &values };
    plan.single.render(written, unit, &mut sql);
    let unit = statement::find_unit(session, cached, unit)?.clone();
    Ok((unit, String::from_utf8_lossy(&sql).into_owned()))
}
