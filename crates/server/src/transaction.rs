//! The session's transaction and the connections it holds.
//!
//! A transaction begins on a storage unit when the unit is first touched; COMMIT and ROLLBACK go to
//! all touched units at once (LOCAL: each unit for itself).

use std::time::Duration;

use kernel::error::StatementError;
use kernel::model::{StorageUnit, UnitId};
use smallvec::SmallVec;
use sql::ast::{Begin, IsolationLevel};
use storage::command::run;
use storage::connection::Connection;

use crate::execute::LOST_UNIT;
use crate::replicas::TransactionReads;
use crate::session::Session;

/// How long the client of a failed transaction waits for the rollback on other units before it is
/// told.
const FAIL_LIMIT: Duration = Duration::from_millis(500);

/// How a transaction stands.
#[derive(Debug, Default)]
pub(crate) enum State {
    /// None was begun.
    #[default]
    None,
    /// Begun by the client.
    Open,
    /// It was rolled back for this reason; only ROLLBACK goes on.
    Failed(String),
}

/// A connection that belongs to the session for now.
pub(crate) struct HeldConnection {
    /// The connection.
    pub(crate) connection: Box<Connection>,
    /// The transaction has begun on it.
    pub(crate) has_begun: bool,
}

impl HeldConnection {
    /// Whose connection it is.
    pub(crate) fn unit(&self) -> &StorageUnit {
        &self.connection.slot.limit().unit
    }
}

/// The session's transaction.
#[derive(Default)]
pub(crate) struct Transaction {
    /// How it stands.
    pub(crate) state: State,
    /// How it was begun.
    pub(crate) options: Begin,
    /// `SET TRANSACTION` without a scope: for the next (or this) transaction only.
    pub(crate) isolation: Option<IsolationLevel>,
    /// The same for READ ONLY and READ WRITE.
    pub(crate) read_only: Option<bool>,
    /// Connections of touched units, or of a session that is pinned.
    pub(crate) held: SmallVec<[HeldConnection; 1]>,
    /// Savepoints set so far, for units touched later.
    pub(crate) savepoints: Vec<String>,
    /// Where its reads go.
    pub(crate) reads: TransactionReads,
}

impl Transaction {
    /// Begun and not ended.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.state, State::None)
    }

    /// Takes the held connection of a unit.
    pub(crate) fn take(&mut self, unit: UnitId) -> Option<HeldConnection> {
        let index = self.held.iter().position(|held| held.unit().id == unit)?;
        Some(self.held.swap_remove(index))
    }

    /// What has to be sent before the first statement on a unit.
    pub(crate) fn begin_statements(&self) -> Vec<String> {
        let mut statements = Vec::new();
        if let Some(level) = self.isolation {
            statements.push(format!("SET TRANSACTION ISOLATION LEVEL {}", level_text(level)));
        }
        let mut begin = "START TRANSACTION".to_owned();
        if self.options.with_consistent_snapshot {
            begin.push_str(" WITH CONSISTENT SNAPSHOT");
        }
        let is_read_only = self.options.is_read_only || self.read_only == Some(true);
        if is_read_only {
            begin.push_str(if self.options.with_consistent_snapshot {
                ", READ ONLY"
            } else {
                " READ ONLY"
            });
        }
        statements.push(begin);
        statements.extend(self.savepoints.iter().map(|name| format!("SAVEPOINT {name}")));
        statements
    }

    /// Forgets how it was begun; the connections stay held until they are given back.
    fn end(&mut self) {
        self.state = State::None;
        self.options = Begin::default();
        self.isolation = None;
        self.read_only = None;
        self.savepoints.clear();
        self.reads = TransactionReads::default();
        for held in &mut self.held {
            held.has_begun = false;
        }
    }
}

/// As SQL spells it.
pub(crate) fn level_text(level: IsolationLevel) -> &'static str {
    match level {
        IsolationLevel::ReadUncommitted => "READ UNCOMMITTED",
        IsolationLevel::ReadCommitted => "READ COMMITTED",
        IsolationLevel::RepeatableRead => "REPEATABLE READ",
        IsolationLevel::Serializable => "SERIALIZABLE",
    }
}

/// Begins a transaction; one that is open is committed first, as MySQL does.
pub(crate) async fn begin(session: &mut Session, options: Begin) -> Result<(), StatementError> {
    commit(session).await?;
    session.transaction.state = State::Open;
    session.transaction.options = options;
    if options.with_consistent_snapshot {
        // The snapshot is to be taken now, not at first touch: one unit is one snapshot. Several
        // units cannot be read at one moment without a coordinator.
        let snapshot = session.worker.snapshot();
        let units = session.find_database(&snapshot).map(|d| d.owners().count()).unwrap_or_default();
        if units > 1 {
            session.transaction.end();
            return Err(StatementError::unsupported(
                "START TRANSACTION WITH CONSISTENT SNAPSHOT is not supported in a database of \
                 several storage units: their snapshots would be taken at different moments",
            ));
        }
    }
    Ok(())
}

/// Commits on every touched unit at once.
///
/// # Errors
/// A unit failed; the text says which units have committed.
pub(crate) async fn commit(session: &mut Session) -> Result<(), StatementError> {
    if let State::Failed(reason) = std::mem::take(&mut session.transaction.state) {
        rollback(session).await;
        return Err(StatementError::new(
            1180,
            "HY000",
            format!("The transaction was rolled back and cannot be committed: {reason}"),
        ));
    }
    // What a former primary commits, the new one never gets.
    crate::groups::leave_retired(session).await?;
    let (committed, failed) = end_everywhere(session, "COMMIT").await;
    session.transaction.end();
    release_held(session);
    let Some((unit, error)) = failed.into_iter().next() else { return Ok(()) };
    let committed = if committed.is_empty() { "no unit".to_owned() } else { committed.join(", ") };
    Err(StatementError::new(
        error.code,
        error.sqlstate,
        format!(
            "COMMIT failed on storage unit {unit}: {}; committed on: {committed}",
            error.message
        ),
    ))
}

/// Rolls back on every touched unit at once. A unit that fails loses its connection, which rolls
/// back, too.
pub(crate) async fn rollback(session: &mut Session) {
    let _ = end_everywhere(session, "ROLLBACK").await;
    session.transaction.end();
    release_held(session);
}

/// A connection that the session's transaction holds is lost: where there is one, it is rolled back
/// everywhere, and nothing but ROLLBACK is accepted until the client has noticed. A session that is
/// pinned goes on without what its connection had.
pub(crate) async fn fail_if_begun(session: &mut Session, reason: &str) {
    if !session.transaction.is_open() && session.is_autocommit() {
        return;
    }
    rollback_or_close(session, FAIL_LIMIT).await;
    session.transaction.state = State::Failed(reason.to_owned());
}

/// Rolls back on every touched unit; connections whose unit does not answer in time are closed,
/// which makes their servers roll back.
pub(crate) async fn rollback_or_close(session: &mut Session, limit: Duration) {
    if session.transaction.held.is_empty() {
        session.transaction.end();
        return;
    }
    // When time is up the connections are dropped with the future that has taken them.
    if tokio::time::timeout(limit, rollback(session)).await.is_err() {
        session.transaction.end();
    }
}

type Ended = (Vec<String>, Vec<(String, StatementError)>);

/// Sends one statement to every unit on which the transaction has begun (or, with autocommit off,
/// may have).
async fn end_everywhere(session: &mut Session, text: &str) -> Ended {
    let autocommit = session.is_autocommit();
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    let mut held = std::mem::take(&mut session.transaction.held);
    let mut sent = SmallVec::<[bool; 4]>::new();
    for one in &mut held {
        let is_touched = one.has_begun || !autocommit;
        sent.push(is_touched && storage::command::send(&mut one.connection, text).await.is_ok());
        if is_touched && !sent[sent.len() - 1] {
            one.connection.is_busy = true;
        }
    }
    for (one, sent) in held.iter_mut().zip(sent) {
        let name = one.unit().name.to_string();
        if !sent {
            if one.connection.is_busy {
                failed.push((name, lost(one.unit())));
            }
            continue;
        }
        match storage::command::finish(&mut one.connection).await {
            Ok(()) => done.push(name),
            Err(error) => failed.push((name, error.to_statement_error())),
        }
    }
    session.transaction.held = held;
    (done, failed)
}

fn lost(unit: &StorageUnit) -> StatementError {
    StatementError::new(
        13200,
        "08S01",
        format!("connection to storage unit '{}' was lost", unit.name),
    )
}

/// Gives connections back that need not be held any longer.
pub(crate) fn release_held(session: &mut Session) {
    if session.pin.is_some() {
        session.transaction.held.retain(|held| !held.connection.is_busy);
        return;
    }
    for held in session.transaction.held.drain(..) {
        session.worker.pools.release(held.connection);
    }
}

/// SAVEPOINT, ROLLBACK TO and RELEASE on every touched unit. A unit touched later gets the
/// savepoints that exist then.
pub(crate) async fn savepoint(
    session: &mut Session,
    verb: &str,
    name: &str,
) -> Result<(), StatementError> {
    let quoted = format!("`{}`", name.replace('`', "``"));
    if !session.transaction.is_open() && session.is_autocommit() {
        // Without a transaction a savepoint lives as long as its statement.
        return if verb == "SAVEPOINT" { Ok(()) } else { Err(unknown_savepoint(name)) };
    }
    let position =
        session.transaction.savepoints.iter().position(|known| known.eq_ignore_ascii_case(&quoted));
    if verb != "SAVEPOINT" && position.is_none() {
        return Err(unknown_savepoint(name));
    }
    let text = format!("{verb} {quoted}");
    let mut held = std::mem::take(&mut session.transaction.held);
    let mut result = Ok(());
    for one in &mut held {
        if let Err(error) = run(&mut one.connection, &text).await {
            result = Err(error.to_statement_error());
        }
    }
    let is_lost = held.iter().any(|one| one.connection.is_busy);
    session.transaction.held = held;
    if is_lost {
        fail_if_begun(session, LOST_UNIT).await;
    }
    result?;
    let savepoints = &mut session.transaction.savepoints;
    match (verb, position) {
        ("SAVEPOINT", known) => {
            if let Some(known) = known {
                savepoints.remove(known);
            }
            savepoints.push(quoted);
        }
        ("RELEASE SAVEPOINT", Some(known)) => savepoints.truncate(known),
        (_, Some(known)) => savepoints.truncate(known + 1),
        _ => {}
    }
    Ok(())
}

fn unknown_savepoint(name: &str) -> StatementError {
    StatementError::new(1305, "42000", format!("SAVEPOINT {name} does not exist"))
}

/// Gives held connections back when nothing holds them any more.
pub(crate) fn release_unneeded(session: &mut Session) {
    let is_needed = session.transaction.is_open()
        || session.pin.is_some()
        || session.open_cursors > 0
        || !session.is_autocommit();
    if !is_needed {
        release_held(session);
    }
}
