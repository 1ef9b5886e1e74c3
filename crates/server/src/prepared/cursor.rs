//! Cursors: result sets that stay on the server, and on one connection, until they are fetched.

use kernel::error::StatementError;
use protocol::command::Command;
use protocol::response::{ResponseKind, ResponseSummary};
use protocol::status::StatusFlags;

use super::put_statement_command;
use super::statement_id;
use crate::client_statements::OpenCursor;
use crate::execute::{Failure, Passing, Ready};
use crate::session::Session;

/// A cursor that the server has opened keeps its connection with the session.
pub(super) fn note_cursor(
    session: &mut Session,
    id: u32,
    summary: &ResponseSummary,
    ready: &Ready,
    backend_id: u32,
    has_cursor: bool,
) {
    let is_open = has_cursor
        && summary.status.contains(StatusFlags::CURSOR_EXISTS)
        && !summary.status.contains(StatusFlags::LAST_ROW_SENT);
    if is_open && let Some(statement) = session.statements.get_mut(&id) {
        statement.cursor = Some(OpenCursor { unit: ready.unit().id, statement: backend_id });
        session.open_cursors += 1;
    }
}

/// Closes a statement's cursor on its connection.
pub(super) async fn close_cursor(session: &mut Session, id: u32) -> Result<(), Failure> {
    let Some(cursor) = session.statements.get_mut(&id).and_then(|s| s.cursor.take()) else {
        return Ok(());
    };
    session.open_cursors -= 1;
    if let Some(held) = session.transaction.held.iter_mut().find(|h| h.unit().id == cursor.unit) {
        let mut packet = Vec::new();
        put_statement_command(&mut packet, Command::StmtReset, cursor.statement);
        let result = storage::command::exchange_simple(&mut held.connection, &packet).await;
        if result.is_err() {
            held.connection.is_busy = true;
        }
    }
    crate::transaction::release_unneeded(session);
    Ok(())
}

/// COM_STMT_FETCH.
pub(crate) async fn fetch(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    let id = statement_id(body)?;
    let cursor = session.statements.get(&id).and_then(|statement| statement.cursor);
    let no_cursor =
        || StatementError::new(1421, "HY000", format!("The statement ({id}) has no open cursor."));
    let cursor = cursor.ok_or_else(no_cursor)?;
    let unit = session
        .transaction
        .held
        .iter()
        .find(|held| held.unit().id == cursor.unit)
        .map(|held| held.unit().clone())
        .ok_or_else(no_cursor)?;
    let mut packet = Vec::new();
    protocol::frame::write_with(&mut packet, &mut 0, |out| {
        out.push(Command::StmtFetch as u8);
        out.extend_from_slice(&cursor.statement.to_le_bytes());
        out.extend_from_slice(body.get(4..8).unwrap_or(&[1, 0, 0, 0]));
    });
    let passing = Passing {
        kind: ResponseKind::StmtFetch,
        relabel: None,
        is_ddl: false,
        definitions: None,
        is_read: false,
        row_names: kernel::plan::RowNames::Same,
    };
    let summary = crate::execute::run_on_unit(session, &unit, &packet, passing).await?;
    if summary.is_err() || summary.status.contains(StatusFlags::LAST_ROW_SENT) {
        if let Some(statement) = session.statements.get_mut(&id) {
            statement.cursor = None;
            session.open_cursors -= 1;
        }
        crate::transaction::release_unneeded(session);
    }
    Ok(())
}
