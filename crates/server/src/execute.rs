//! Execute on one storage unit: a connection is found, brought to the session's state, given the
//! statement, and its answer is relayed or rebuilt.

use kernel::error::StatementError;
use kernel::model::StorageUnit;
use kernel::plan::{Relabel, RowNames};
use protocol::frame::MAX_PAYLOAD;
use protocol::response::{ResponseKind, ResponseSummary};
use protocol::status::StatusFlags;
use storage::class::Class;
use storage::command::{apply_settings, finish, put_query};
use storage::connection::Connection;
use storage::error::StorageError;
use storage::statements::Definitions;

use crate::registry::Request;
use crate::relabel::Head;
use crate::relay::{Relay, RelayError, Relayed};
use crate::session::{Session, Warning};
use crate::transaction::{HeldConnection, State};

/// Why a command ended without its full answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The client is told, and the session goes on.
    Statement(StatementError),
    /// The session ends: the client is gone or its answer is half written.
    Session,
}

impl From<StatementError> for Failure {
    fn from(error: StatementError) -> Self {
        Self::Statement(error)
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        tracing::warn!(%error, "storage unit");
        Self::Statement(error.to_statement_error())
    }
}

impl From<std::io::Error> for Failure {
    fn from(_: std::io::Error) -> Self {
        Self::Session
    }
}

/// How the answer is passed on.
#[derive(Debug, Clone)]
pub(crate) struct Passing<'a> {
    /// What is answered.
    pub(crate) kind: ResponseKind,
    /// Names in result metadata that differ from the logical ones.
    pub(crate) relabel: Option<&'a Relabel>,
    /// The client is not told before the catalog knows of it: other sessions must see it then.
    pub(crate) is_ddl: bool,
    /// Column definitions the client has to be given although the server will not repeat them.
    pub(crate) definitions: Option<std::sync::Arc<Definitions>>,
    /// The statement only reads: it may be sent again when its connection turns out to be dead.
    pub(crate) is_read: bool,
    /// Names in rows that differ from the logical ones.
    pub(crate) row_names: RowNames,
}

/// Why a transaction fails when a connection that it holds breaks.
pub(crate) const LOST_UNIT: &str = "the connection to a storage unit was lost";

impl Ready {
    /// The unit it leads to.
    pub(crate) fn unit(&self) -> &StorageUnit {
        &self.connection.slot.limit().unit
    }
}

/// A connection with what has to go before the statement.
pub(crate) struct Ready {
    /// The connection, in the session's state but for `prelude`.
    pub(crate) connection: Box<Connection>,
    /// The transaction has begun on it, or does with the prelude.
    pub(crate) has_begun: bool,
    /// Statements to be sent first, in one write with it.
    pub(crate) prelude: Vec<String>,
}

/// Finds a connection for a statement of the session on a unit.
pub(crate) async fn prepare_connection(
    session: &mut Session,
    unit: &StorageUnit,
) -> Result<Ready, Failure> {
    if let State::Failed(reason) = &session.transaction.state {
        return Err(Failure::Statement(StatementError::new(
            1180,
            "HY000",
            format!("The transaction was rolled back ({reason}); issue ROLLBACK before going on"),
        )));
    }
    if crate::groups::holds_retired(session) {
        Box::pin(crate::groups::leave_retired(session)).await?;
    }
    let (connection, mut has_begun) = match session.transaction.take(unit.id) {
        Some(HeldConnection { mut connection, has_begun, .. }) => {
            if !std::sync::Arc::ptr_eq(&connection.settings, &session.settings)
                && let Err(error) = apply_settings(&mut connection, &session.settings).await
            {
                drop(connection);
                Box::pin(crate::transaction::fail_if_begun(session, LOST_UNIT)).await;
                return Err(error.into());
            }
            (connection, has_begun)
        }
        None => match acquire_with_settings(session, unit).await {
            Ok(connection) => (connection, false),
            Err(error) => {
                let Some(other) = crate::replicas::instead_of(session, unit, &error) else {
                    return Err(error.into());
                };
                return Box::pin(prepare_connection(session, &other)).await;
            }
        },
    };
    let mut prelude = Vec::new();
    if session.transaction.is_open() && !has_begun {
        prelude = session.transaction.begin_statements();
        has_begun = true;
    }
    if let Some(statement) = &session.statement_prelude {
        prelude.push(statement.clone());
    }
    Ok(Ready { connection, has_begun, prelude })
}

/// A connection of the pool in the session's state. One that turns out to be dead while it is
/// brought there is replaced: nothing of the statement was sent.
async fn acquire_with_settings(
    session: &Session,
    unit: &StorageUnit,
) -> Result<Box<Connection>, StorageError> {
    let (pools, settings) = (&session.worker.pools, &session.settings);
    let mut connection = pools.acquire(unit, session.class, settings).await?;
    if std::sync::Arc::ptr_eq(&connection.settings, settings) {
        return Ok(connection);
    }
    match apply_settings(&mut connection, settings).await {
        Ok(()) => Ok(connection),
        Err(StorageError::Lost { .. }) => {
            drop(connection);
            let mut connection = pools.acquire(unit, session.class, settings).await?;
            apply_settings(&mut connection, settings).await?;
            Ok(connection)
        }
        Err(error) => Err(error),
    }
}

/// Sends `packet` (whole packets, headers included) to one unit and passes the answer on.
pub(crate) async fn run_on_unit(
    session: &mut Session,
    unit: &StorageUnit,
    packet: &[u8],
    passing: Passing<'_>,
) -> Result<ResponseSummary, Failure> {
    let mut ready = prepare_connection(session, unit).await?;
    let mut result = exchange(session, &mut ready, packet, &passing).await;
    if passing.is_read && was_dead(session, &ready, &result) {
        ready = prepare_connection(session, unit).await?;
        result = exchange(session, &mut ready, packet, &passing).await;
    }
    settle(session, ready, result).await
}

/// True when a plain read met a pooled connection that had died unnoticed: no byte of an answer was
/// seen, nothing of the session's state is lost with it, and the read may be sent once more.
pub(crate) fn was_dead(
    session: &Session,
    ready: &Ready,
    result: &Result<ResponseSummary, Failure>,
) -> bool {
    let connection = &ready.connection;
    matches!(result, Err(Failure::Statement(_)))
        && connection.is_busy
        && connection.opened != connection.idle_since
        && !session.is_answering
        && session.out.bytes.is_empty()
        && !session.is_stopping
        && !session.transaction.is_open()
        && session.is_autocommit()
        && session.pin.is_none()
        && session.open_cursors == 0
}

/// The statement goes out, its answer comes back.
pub(crate) async fn exchange(
    session: &mut Session,
    ready: &mut Ready,
    packet: &[u8],
    passing: &Passing<'_>,
) -> Result<ResponseSummary, Failure> {
    send(ready, packet).await?;
    if !ready.prelude.is_empty() {
        Box::pin(finish_prelude(ready)).await?;
    }
    let summary = if can_relay(session, &ready.connection, packet, passing) {
        relay(session, &mut ready.connection, passing).await?
    } else {
        Box::pin(crate::rebuild::pass_on(session, &mut ready.connection, passing)).await?
    };
    ready.connection.is_busy = false;
    Ok(summary)
}

/// Writes prelude and statement in one go.
pub(crate) async fn send(ready: &mut Ready, packet: &[u8]) -> Result<(), StorageError> {
    let connection = &mut ready.connection;
    connection.is_busy = true;
    let mut packets = Vec::new();
    let bytes = if ready.prelude.is_empty() {
        packet
    } else {
        for text in &ready.prelude {
            put_query(&mut packets, text.as_bytes());
        }
        packets.extend_from_slice(packet);
        &packets
    };
    let written = connection.stream.write_all(bytes).await;
    written.map_err(|error| storage::command::lost(connection, &error.to_string()))
}

/// Reads the answers to what was sent before the statement. If one is an error the statement may
/// have run outside the transaction: the connection is closed, which undoes nothing, so the error
/// says so.
pub(crate) async fn finish_prelude(ready: &mut Ready) -> Result<(), StorageError> {
    for _ in ready.prelude.drain(..) {
        finish(&mut ready.connection).await.inspect_err(|_| ready.connection.is_busy = true)?;
        ready.connection.is_busy = true;
    }
    Ok(())
}

/// True when the unit's bytes are the client's bytes. A statement of several packets may have become
/// another number of them; the sequence ids of its answer follow from that.
fn can_relay(
    session: &Session,
    connection: &Connection,
    packet: &[u8],
    passing: &Passing<'_>,
) -> bool {
    passing.definitions.is_none()
        && !passing.is_ddl
        && passing.row_names == RowNames::Same
        && !session.is_rebuilding
        && !session.inserted.as_ref().is_some_and(crate::keys::Inserted::changes_answer)
        && session.out.seq == 1
        && packet.len() < MAX_PAYLOAD
        && Class::of(connection.capabilities) == session.class
}

async fn relay(
    session: &mut Session,
    connection: &mut Connection,
    passing: &Passing<'_>,
) -> Result<ResponseSummary, Failure> {
    session.walker.restart(passing.kind, connection.capabilities);
    let mut head = Head::new(passing.relabel, connection.capabilities);
    let mut is_stopping = false;
    loop {
        let Session { worker, entered, client, walker, .. } = session;
        let handle = entered.handle();
        let mut relay = Relay::new(worker, handle, client, connection, walker, &mut head);
        relay.is_stopping = is_stopping;
        let relayed = relay.run().await;
        session.is_answering |= relay.has_sent;
        if let Some(payload) = relay.error.take() {
            note_error(session, &payload);
        }
        match relayed {
            Ok(Relayed::Done) => return Ok(*session.walker.summary()),
            Ok(Relayed::LocalInfile) => {
                Box::pin(crate::local_infile::pump(session, connection)).await?;
            }
            Ok(Relayed::Interrupted) => {
                is_stopping = true;
                crate::kill::stop_statement(session, connection);
                if session.entered.handle().request() == Request::Close {
                    return Err(Failure::Session);
                }
            }
            Err(error) => return Err(relay_failure(session, connection, error)),
        }
    }
}

/// SHOW WARNINGS tells of an error that has passed by.
fn note_error(session: &mut Session, payload: &[u8]) {
    if let StorageError::Server { code, message, .. } = storage::command::server_error(payload) {
        session.diagnostics.note_error(code, &message);
    }
}

/// A relay that breaks off in the middle of a packet cannot be mended; between packets an error can
/// still be told.
fn relay_failure(session: &mut Session, connection: &Connection, error: RelayError) -> Failure {
    let error = match error {
        RelayError::Client => return Failure::Session,
        RelayError::Backend(reason) => storage::command::lost(connection, &reason),
        RelayError::Protocol(reason) => storage::command::broken(connection, &reason),
    };
    if session.is_answering {
        if !session.walker.is_at_border() {
            tracing::warn!(%error, "answer broken off");
            return Failure::Session;
        }
        session.out.seq = session.walker.last_seq().wrapping_add(1);
    }
    error.into()
}

/// After the answer: the connection is held or given back, the session takes note.
pub(crate) async fn settle(
    session: &mut Session,
    ready: Ready,
    result: Result<ResponseSummary, Failure>,
) -> Result<ResponseSummary, Failure> {
    let summary = match result {
        Ok(summary) => summary,
        Err(failure) => {
            let is_lost = ready.connection.is_busy;
            if is_lost {
                // It may have been a primary that is none any more.
                session.worker.shared.watcher.ask_for_look();
            }
            give_back(session, ready, true);
            if is_lost {
                Box::pin(crate::transaction::fail_if_begun(session, LOST_UNIT)).await;
            }
            return Err(failure);
        }
    };
    let mut ready = ready;
    note_answer(session, &mut ready.connection, &summary).await;
    let in_transaction = summary.status.contains(StatusFlags::IN_TRANS) || summary.is_err();
    if let Some(error) = summary.error {
        Box::pin(settle_error(session, ready, error.code)).await;
        return Ok(summary);
    }
    give_back(session, ready, in_transaction);
    Ok(summary)
}

/// The session takes note of an answer, and of what its statement has left on the connection.
pub(crate) async fn note_answer(
    session: &mut Session,
    connection: &mut Connection,
    summary: &ResponseSummary,
) {
    session.last_failed = summary.is_err();
    note_summary(session, summary);
    // The warnings first: what else is read clears them.
    if summary.warnings > 0 && session.open_cursors == 0 && !summary.is_err() {
        Box::pin(fetch_warnings(session, connection, summary.warnings.into())).await;
    }
    if session.read_back.is_some() {
        Box::pin(read_back(session, connection)).await;
    }
}

/// Reads what the statement has left on the connection.
async fn read_back(session: &mut Session, connection: &mut Connection) {
    let Some(wanted) = session.read_back.take() else { return };
    wanted.read(session, connection).await;
    if connection.is_busy && (session.transaction.is_open() || !session.is_autocommit()) {
        crate::transaction::fail_if_begun(session, "a storage unit was lost").await;
    }
}

/// A deadlock rolls the whole transaction back on its unit; the others must follow.
async fn settle_error(session: &mut Session, ready: Ready, code: u16) {
    const ER_LOCK_DEADLOCK: u16 = 1213;
    give_back(session, ready, true);
    if code == ER_LOCK_DEADLOCK && session.transaction.is_open() {
        crate::transaction::rollback(session).await;
    }
}

/// Holds the connection for the session or gives it back to the pool.
pub(crate) fn give_back(session: &mut Session, ready: Ready, in_transaction: bool) {
    let Ready { connection, has_begun, prelude } = ready;
    // What was to go before the statement has not gone if it is still here.
    let has_begun = has_begun && prelude.is_empty();
    if connection.is_busy {
        return;
    }
    let holds = session.transaction.is_open()
        || session.pin.is_some()
        || session.open_cursors > 0
        || (in_transaction && !session.is_autocommit());
    if holds {
        session.transaction.held.push(HeldConnection { connection, has_begun });
    } else if !session.is_stopping {
        session.worker.pools.release(connection);
    }
    // An order to stop may still be on its way: it must not meet another session's statement.
}

fn note_summary(session: &mut Session, summary: &ResponseSummary) {
    let diagnostics = &mut session.diagnostics;
    if summary.is_err() {
        // It was noted as it passed.
        diagnostics.row_count = -1;
        return;
    }
    diagnostics.clear_warnings();
    let told = summary.last_insert_id;
    let last_insert_id = match &session.inserted {
        None => Some(told).filter(|told| *told != 0),
        Some(inserted) if summary.columns > 0 => inserted.returned(summary.rows),
        Some(inserted) => inserted.remembered(told, summary.affected_rows),
    };
    if let Some(id) = last_insert_id {
        diagnostics.last_insert_id = id;
    }
    if summary.columns > 0 {
        diagnostics.row_count = -1;
        diagnostics.found_rows = summary.rows;
    } else {
        diagnostics.row_count = summary.affected_rows as i64;
    }
}

/// Warnings are kept where they were made: they are fetched before the connection serves others.
async fn fetch_warnings(session: &mut Session, connection: &mut Connection, count: u64) {
    session.diagnostics.warning_count += count;
    read_warnings(connection, &mut session.diagnostics.warnings).await;
}

/// Adds the warnings of a connection's last statement, as far as there is room.
pub(crate) async fn read_warnings(connection: &mut Connection, warnings: &mut Vec<Warning>) {
    let Ok(result) = storage::command::query(connection, "SHOW WARNINGS").await else { return };
    for row in result.rows {
        if warnings.len() >= crate::session::Diagnostics::MAX_WARNINGS {
            break;
        }
        let text = |index: usize| {
            let value = row.get(index).cloned().flatten().unwrap_or_default();
            String::from_utf8_lossy(&value).into_owned()
        };
        let code = text(1).parse().unwrap_or_default();
        warnings.push((text(0), code, text(2)));
    }
}
