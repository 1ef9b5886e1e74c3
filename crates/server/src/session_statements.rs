//! Statements the session answers itself: transaction control, SET, USE, SHOW of the logical
//! catalog, KILL, text PREPARE, DistSQL.

mod distsql;
mod prepare_text;
mod process_list;
mod set;
mod show;
mod table_status;

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::snapshot::Snapshot;
use sql::ast::{ShowKind, Statement, StatementKind};

use crate::answer::{Encoding, Outcome};
use crate::execute::Failure;
use crate::registry::Request;
use crate::session::Session;
use crate::transaction;

pub(crate) use prepare_text::{TextStatement, fill};

/// A statement of the session's own, as it was asked.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The tree.
    pub(crate) statement: &'a Statement,
    /// The text its spans refer to.
    pub(crate) text: &'a [u8],
    /// The snapshot it runs under.
    pub(crate) snapshot: &'a Arc<Snapshot>,
    /// How rows are encoded.
    pub(crate) encoding: Encoding,
}

/// True for the kinds that are answered here.
pub(crate) fn is_own(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Show(show) => matches!(
            show.kind,
            ShowKind::Databases
                | ShowKind::Tables { .. }
                | ShowKind::TableStatus
                | ShowKind::CreateDatabase(_)
                | ShowKind::Warnings { .. }
                | ShowKind::Errors { .. }
                | ShowKind::ProcessList { .. }
                | ShowKind::Status { .. }
        ),
        StatementKind::Begin(_)
        | StatementKind::Commit(_)
        | StatementKind::Rollback(_)
        | StatementKind::Savepoint(_)
        | StatementKind::RollbackTo(_)
        | StatementKind::ReleaseSavepoint(_)
        | StatementKind::Xa(_)
        | StatementKind::LockTables(_)
        | StatementKind::UnlockTables
        | StatementKind::Set(_)
        | StatementKind::Use(_)
        | StatementKind::Kill(_)
        | StatementKind::Prepare(_)
        | StatementKind::Execute(_)
        | StatementKind::Deallocate(_)
        | StatementKind::CreateDatabase(_)
        | StatementKind::DropDatabase(_)
        | StatementKind::DistSql(_)
        | StatementKind::Empty => true,
        _ => false,
    }
}

/// Runs it and writes its answer.
pub(crate) async fn run(session: &mut Session, asked: Asked<'_>) -> Result<(), Failure> {
    match &asked.statement.kind {
        StatementKind::Begin(options) => transaction::begin(session, *options).await?,
        StatementKind::Commit(end) => {
            let options = session.transaction.options;
            transaction::commit(session).await?;
            return ended(session, end.is_chained.then_some(options), end.is_release).await;
        }
        StatementKind::Rollback(end) => {
            let options = session.transaction.options;
            transaction::rollback(session).await;
            return ended(session, end.is_chained.then_some(options), end.is_release).await;
        }
        StatementKind::Savepoint(name) => {
            transaction::savepoint(session, "SAVEPOINT", &name.value).await?;
        }
        StatementKind::RollbackTo(name) => {
            transaction::savepoint(session, "ROLLBACK TO SAVEPOINT", &name.value).await?;
        }
        StatementKind::ReleaseSavepoint(name) => {
            transaction::savepoint(session, "RELEASE SAVEPOINT", &name.value).await?;
        }
        StatementKind::Xa(verb) => {
            return Err(
                StatementError::unsupported(format!("XA {verb} is not supported yet")).into()
            );
        }
        StatementKind::LockTables(_) => {
            let text = "LOCK TABLES is not supported: use a transaction with SELECT .. FOR UPDATE";
            return Err(StatementError::unsupported(text).into());
        }
        StatementKind::Empty if is_blank(asked.text) => return Err(empty_query().into()),
        StatementKind::UnlockTables | StatementKind::Empty => {}
        StatementKind::Set(items) => set::run(session, items, asked).await?,
        StatementKind::Use(name) => session.use_database(&name.value, asked.snapshot)?,
        StatementKind::Show(show) => return show::run(session, show, asked).await,
        StatementKind::Kill(kill) => kill_session(session, kill)?,
        StatementKind::Prepare(prepare) => {
            prepare_text::prepare(session, prepare)?;
            session.diagnostics.clear_warnings();
            session.diagnostics.row_count = 0;
            let info = b"Statement prepared".to_vec();
            session.put_ok(&Outcome { info, ..Outcome::default() });
            return Ok(());
        }
        StatementKind::Execute(execute) => {
            return prepare_text::execute(session, execute, asked).await;
        }
        StatementKind::Deallocate(name) => prepare_text::deallocate(session, &name.value)?,
        StatementKind::CreateDatabase(_)
        | StatementKind::DropDatabase(_)
        | StatementKind::DistSql(_) => return distsql::run(session, asked).await,
        _ => return Err(StatementError::unsupported("This statement is not supported").into()),
    }
    if !matches!(asked.statement.kind, StatementKind::Show(_)) {
        session.diagnostics.clear_warnings();
        session.diagnostics.row_count = 0;
    }
    session.put_ok(&Outcome::default());
    Ok(())
}

/// True for a text without even a comment.
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b';')
}

/// Error 1065.
pub(crate) fn empty_query() -> StatementError {
    StatementError::new(1065, "42000", "Query was empty")
}

/// The transaction has ended; it may begin anew or end the session.
async fn ended(
    session: &mut Session,
    chain: Option<sql::ast::Begin>,
    release: bool,
) -> Result<(), Failure> {
    if let Some(options) = chain {
        transaction::begin(session, options).await?;
    }
    session.put_ok(&Outcome::default());
    if release {
        session.entered.handle().ask(Request::CloseWhenIdle);
    }
    Ok(())
}

fn kill_session(session: &mut Session, kill: &sql::ast::Kill) -> Result<(), StatementError> {
    let id = match &kill.id.kind {
        sql::ast::ExprKind::Literal(sql::ast::Literal::Number(text)) => text.parse::<u32>().ok(),
        _ => None,
    };
    let unknown =
        |id: String| StatementError::new(1094, "HY000", format!("Unknown thread id: {id}"));
    let Some(id) = id else {
        return Err(StatementError::unsupported("KILL takes the number of a connection"));
    };
    kill_id(session, id, kill.is_query).ok_or_else(|| unknown(id.to_string()))
}

/// Stops a session or what it runs; `None` when there is no such session or it is another user's.
pub(crate) fn kill_id(session: &Session, id: u32, is_query: bool) -> Option<()> {
    let target = session.worker.shared.registry.find(id)?;
    let is_own = target.user.get().is_some_and(|user| *user == session.account);
    if !is_own && session.allowed_databases.is_some() {
        return None;
    }
    target.ask(if is_query { Request::StopStatement } else { Request::Close });
    Some(())
}

/// Writes a table of our own.
pub(crate) fn answer_table(session: &mut Session, table: &TextTable, encoding: Encoding) {
    session.diagnostics.found_rows = table.rows.len() as u64;
    session.diagnostics.row_count = -1;
    session.put_table(table, encoding);
}
