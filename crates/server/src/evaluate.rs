//! Values and settings that only a server can tell: they are asked of a storage unit.

use kernel::error::StatementError;
use kernel::model::StorageUnit;
use kernel::plan::{Target, Text};
use kernel::values::ParamValues;
use storage::command::{ColumnKind, apply_settings, query};

use crate::execute::{Failure, give_back, prepare_connection};
use crate::plan_cache::Body;
use crate::session::Session;
use crate::statement;

/// Any unit the session could use.
fn any_unit(session: &Session) -> Option<StorageUnit> {
    let snapshot = session.worker.snapshot();
    if let Some(held) = session.transaction.held.first() {
        return Some(held.unit().clone());
    }
    if let Some(unit) = session.find_database(&snapshot).and_then(|d| d.units.first().cloned()) {
        return Some(unit);
    }
    snapshot.databases.values().find_map(|database| database.units.first().cloned())
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

/// The unit that can answer a query, and the text it is given. A query of tables is routed like any
/// other, and goes to one node.
fn place(session: &Session, text: String) -> Result<(StorageUnit, String), StatementError> {
    let snapshot = session.worker.snapshot();
    let planned = statement::plan(session, &snapshot, text.as_bytes(), &[])?;
    let Body::Routed(plan) = &planned.body else {
        return Err(StatementError::syntax("an assigned value is an expression"));
    };
    if matches!(plan.target, Target::AnyUnit) {
        let unit = any_unit(session).ok_or_else(|| {
            StatementError::unsupported(
                "Only literals can be assigned while there is no storage unit to evaluate \
                 expressions",
            )
        })?;
        return Ok((unit, text));
    }
    let values = ParamValues { params: &[], is_utf8: session.is_utf8() };
    let units = statement::route(session, &planned, plan, &values)?;
    let [route] = units.as_slice() else {
        return Err(StatementError::unsupported(
            "A value assigned from several nodes is not supported yet; restrict the sharding \
             column to one node",
        ));
    };
    let unit = statement::find_unit(session, &planned, route)?.clone();
    let mut rendered = Vec::new();
    let from = Text { bytes: text.as_bytes(), literals: &[], values: &values };
    plan.single.render(from, route, &mut rendered);
    let rendered = String::from_utf8(rendered)
        .map_err(|_| StatementError::unsupported("an assigned value that is not UTF-8"))?;
    Ok((unit, rendered))
}

/// The value of an expression, as a literal of its type.
pub(crate) async fn to_literal(session: &mut Session, expression: &str) -> Result<String, Failure> {
    let text = format!(
        "SELECT v, HEX(v), COLLATION(v) FROM (SELECT {expression} AS v) AS anabranch_value"
    );
    let (unit, text) = place(session, text)?;
    let mut ready = prepare_connection(session, &unit).await?;
    for text in std::mem::take(&mut ready.prelude) {
        storage::command::run(&mut ready.connection, &text).await?;
    }
    let result = query(&mut ready.connection, &text).await;
    give_back(session, ready, true);
    let result = result?;
    let row = result.rows.first();
    let value = |index: usize| row.and_then(|row| row.get(index)).cloned().flatten();
    let Some(text) = value(0) else { return Ok("NULL".to_owned()) };
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(match result.kinds.first() {
        Some(ColumnKind::Number) => text,
        Some(ColumnKind::Double) => format!("{text}e0"),
        _ => {
            let hex = String::from_utf8_lossy(&value(1).unwrap_or_default()).into_owned();
            let collation = String::from_utf8_lossy(&value(2).unwrap_or_default()).into_owned();
            let charset = collation.split('_').next().unwrap_or("binary").to_owned();
            match charset.as_str() {
                "binary" => format!("x'{hex}'"),
                _ => format!("_{charset} x'{hex}' COLLATE {collation}"),
            }
        }
    })
}
