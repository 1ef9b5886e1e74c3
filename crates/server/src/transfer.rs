//! INSERT .. SELECT whose rows move between nodes, and UPDATE and DELETE whose rows are chosen over
//! several: a query is answered first and as a whole, as one server reads into a temporary table what it
//! writes to, and the change is made with its rows, all of it or nothing (ADR 0012).

mod insertion;
mod rows;
mod source;

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::snapshot::Snapshot;
use kernel::transfer::Transfer;

use crate::answer::Outcome;
use crate::execute::{Failure, LOST_UNIT};
use crate::plan_cache::Body;
use crate::session::Session;
use crate::statement;
use crate::transaction::{self, State};

pub(crate) use rows::Rows;

/// What undoes the statement in a transaction of the client's.
const SAVEPOINT: &str = "anabranch_transfer";

/// Runs the change and answers; the plan in the cache may be that of another text.
pub(crate) async fn run(session: &mut Session, text: &[u8]) -> Result<(), Failure> {
    let snapshot = session.worker.snapshot();
    let cached = statement::plan_answered(session, &snapshot, text)?;
    let Body::Routed(plan) = &cached.body else { return Err(changed().into()) };
    let transfer = plan.transfer.as_deref().ok_or_else(changed)?;
    check_session(session, transfer)?;
    let is_own = !session.transaction.is_open();
    if is_own {
        session.transaction.state = State::Open;
    } else {
        transaction::savepoint(session, "SAVEPOINT", SAVEPOINT).await?;
    }
    let moved = move_rows(session, &snapshot, transfer).await;
    let answer = end(session, moved, is_own).await?;
    let diagnostics = &mut session.diagnostics;
    diagnostics.clear_warnings();
    diagnostics.warning_count = u64::from(answer.summary.warnings);
    diagnostics.warnings = answer.warnings;
    diagnostics.row_count = answer.summary.affected_rows as i64;
    if let Some(id) = answer.remembered {
        diagnostics.last_insert_id = id;
    }
    session.put_ok(&Outcome {
        affected_rows: answer.summary.affected_rows,
        last_insert_id: answer.summary.last_insert_id,
        warnings: answer.summary.warnings,
        info: answer.summary.info.into_bytes(),
    });
    Ok(())
}

fn changed() -> StatementError {
    StatementError::syntax("a change became another statement")
}

/// Values are written as text, and what cannot be undone must not be begun.
fn check_session(session: &Session, transfer: &Transfer) -> Result<(), StatementError> {
    let reason = if !session.is_utf8() {
        "its values are written in utf8mb4: SET NAMES utf8mb4"
    } else if session.mode.no_backslash_escapes {
        "its values are written with backslashes: take NO_BACKSLASH_ESCAPES out of sql_mode"
    } else if !session.is_autocommit() && !session.transaction.is_open() {
        "it must be possible to undo it: begin the transaction with START TRANSACTION"
    } else if session.open_cursors > 0 && !session.transaction.is_open() {
        "it has a transaction of its own: close the cursors first, or begin a transaction"
    } else {
        return Ok(());
    };
    Err(StatementError::unsupported(format!(
        "This change of table '{}' reads several nodes before it writes, and {reason}",
        transfer.table
    )))
}

/// Reads all rows, then inserts them.
async fn move_rows(
    session: &mut Session,
    snapshot: &Arc<Snapshot>,
    transfer: &Transfer,
) -> Result<insertion::Inserting, Failure> {
    let limit_bytes = session.worker.shared.options.limits.sort_memory_bytes as usize;
    let mut rows = Rows::new(&transfer.table, limit_bytes);
    source::read(session, snapshot, transfer.query.as_bytes(), &mut rows).await?;
    let mut inserting = insertion::Inserting::default();
    inserting.insert(session, snapshot, transfer, &rows).await?;
    Ok(inserting)
}

/// Keeps what was done, or undoes it.
async fn end(
    session: &mut Session,
    moved: Result<insertion::Inserting, Failure>,
    is_own: bool,
) -> Result<insertion::Inserting, Failure> {
    if matches!(moved, Err(Failure::Session)) {
        return moved;
    }
    // A deadlock has rolled everything back, and a lost unit has failed the transaction.
    let is_begun = matches!(session.transaction.state, State::Open);
    match (&moved, is_own) {
        (Ok(_), true) => transaction::commit(session).await?,
        (Ok(_), false) => {
            transaction::savepoint(session, "RELEASE SAVEPOINT", SAVEPOINT).await?;
        }
        (Err(_), true) => transaction::rollback(session).await,
        (Err(_), false) if is_begun => undo(session).await,
        (Err(_), false) => {}
    }
    moved
}

async fn undo(session: &mut Session) {
    let undone = transaction::savepoint(session, "ROLLBACK TO SAVEPOINT", SAVEPOINT).await;
    let released = match undone {
        Ok(()) => transaction::savepoint(session, "RELEASE SAVEPOINT", SAVEPOINT).await,
        Err(error) => Err(error),
    };
    if released.is_err() {
        transaction::fail_if_begun(session, LOST_UNIT).await;
    }
}
