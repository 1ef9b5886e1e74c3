//! Stopping a statement: the session's connection ids are the proxy's, so that `KILL` is answered
//! here and passed on to the server that runs the statement.

use storage::connection::Connection;

use crate::session::Session;

/// Stops what runs on `connection`; its answer (usually error 1317) still comes and is passed on.
pub(crate) fn stop_statement(session: &mut Session, connection: &Connection) {
    session.is_stopping = true;
    stop_abandoned(connection);
}

/// The same for a connection that is about to be closed: its server would notice only when it
/// writes.
pub(crate) fn stop_abandoned(connection: &Connection) {
    let config = std::sync::Arc::clone(&connection.slot.limit().unit.config);
    let text = format!("KILL QUERY {}", connection.thread_id);
    // The connection is busy, so the order to stop takes another one, outside the pool's limit:
    // a full pool must not keep a statement from being stopped.
    tokio::task::spawn_local(async move {
        if let Err(error) = storage::probe::query(&config, &text).await {
            tracing::debug!(code = error.code, "KILL QUERY on a storage unit failed");
        }
    });
}
