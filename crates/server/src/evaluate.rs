//! Values and settings that only a server can tell: they are asked of a storage unit.

use kernel::error::StatementError;
use kernel::model::StorageUnit;
use storage::command::{ColumnKind, apply_settings, query};

use crate::execute::{Failure, give_back, prepare_connection};
use crate::session::Session;

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

/// The value of an expression without tables, as a literal of its type.
pub(crate) async fn to_literal(session: &mut Session, expression: &str) -> Result<String, Failure> {
    let unit = any_unit(session).ok_or_else(|| {
        StatementError::unsupported(
            "Only literals can be assigned while there is no storage unit to evaluate expressions",
        )
    })?;
    let mut ready = prepare_connection(session, &unit).await?;
    for text in std::mem::take(&mut ready.prelude) {
        storage::command::run(&mut ready.connection, &text).await?;
    }
    let text = format!(
        "SELECT v, HEX(v), COLLATION(v) FROM (SELECT {expression} AS v) AS anabranch_value"
    );
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
