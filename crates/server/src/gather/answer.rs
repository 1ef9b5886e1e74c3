//! The client's statement over the copies, and its answer.

use std::sync::Arc;

use kernel::gather::GatherPlan;
use kernel::plan::RowNames;
use protocol::response::ResponseKind;
use storage::command::{apply_settings, lost, put_query};
use storage::connection::Connection;
use storage::settings::Settings;
use storage::statements::Definitions;

use super::{Loader, choose_unit, plan_reads};
use crate::execute::{Failure, Passing, note_answer};
use crate::plan_cache::CachedStatement;
use crate::prepared::{self, Execution};
use crate::session::Session;

/// How the statement runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Final<'a> {
    /// As text, answered in text.
    Query,
    /// Prepared, with these values, answered in binary form.
    Execute(&'a Execution),
}

/// Runs the statement, passes its answer on, and gives the connection back without the copies.
pub(super) async fn run(
    session: &mut Session,
    gather: &GatherPlan,
    statement: &[u8],
    mut connection: Box<Connection>,
    last: Final<'_>,
) -> Result<(), Failure> {
    apply_settings(&mut connection, &settings(&session.settings)).await?;
    if let Some(prelude) = &session.statement_prelude {
        storage::command::run(&mut connection, prelude).await?;
    }
    let mut passing = Passing {
        kind: ResponseKind::Query,
        relabel: Some(&gather.relabel),
        is_ddl: false,
        definitions: None,
        is_read: false,
        row_names: RowNames::Same,
    };
    let mut packet = Vec::new();
    let mut placed = None;
    match last {
        Final::Query => put_query(&mut packet, statement),
        Final::Execute(execution) => {
            let key = (prepared::next_id(), 0);
            let connection = &mut connection;
            let id = prepared::place(session, connection, key, statement).await?;
            prepared::put_execute(connection, key, id, execution, &mut packet);
            let known = connection.statements.find(key);
            passing.definitions = known.map(|known| Arc::clone(&known.definitions));
            passing.kind = ResponseKind::StmtExecute;
            placed = Some(key);
        }
    }
    connection.is_busy = true;
    let written = connection.stream.write_all(&packet).await;
    written.map_err(|error| lost(&connection, &error.to_string()))?;
    let summary = crate::rebuild::pass_on(session, &mut connection, &passing).await?;
    connection.is_busy = false;
    note_answer(session, &mut connection, &summary).await;
    if let Some(key) = placed {
        prepared::forget(&mut connection, key).await;
    }
    close(session, connection, gather).await;
    Ok(())
}

/// What a server says of the statement: it is prepared over empty copies.
pub(crate) async fn describe(
    session: &mut Session,
    cached: &CachedStatement,
    gather: &GatherPlan,
    statement: &[u8],
) -> Result<Arc<Definitions>, Failure> {
    let unit = match cached.database.as_ref().and_then(|database| database.owners().next()) {
        Some(unit) => unit.clone(),
        None => choose_unit(session, &plan_reads(session, cached, &[])?)?,
    };
    let mut connection = Loader::open(session, &unit, gather).await?.into_connection();
    apply_settings(&mut connection, &settings(&session.settings)).await?;
    let key = (prepared::next_id(), 0);
    prepared::place(session, &mut connection, key, statement).await?;
    let known = connection.statements.find(key).map(|known| Arc::clone(&known.definitions));
    prepared::forget(&mut connection, key).await;
    close(session, connection, gather).await;
    Ok(known.unwrap_or_default())
}

/// Drops the copies; a connection that keeps them is closed.
async fn close(session: &mut Session, mut connection: Box<Connection>, gather: &GatherPlan) {
    let names: Vec<String> = gather.copies.iter().map(|copy| format!("`{}`", copy.name)).collect();
    let drop = format!("DROP TEMPORARY TABLE {}", names.join(", "));
    let is_clean = !connection.is_busy
        && !session.is_stopping
        && storage::command::run(&mut connection, &drop).await.is_ok();
    if is_clean {
        session.worker.pools.release(connection);
    }
}

/// The session's settings without those of transactions: the connection has none.
fn settings(own: &Arc<Settings>) -> Arc<Settings> {
    const OF_TRANSACTIONS: [&str; 3] = ["autocommit", "transaction_read_only", "tx_read_only"];
    if OF_TRANSACTIONS.iter().all(|name| !own.variables.contains_key(*name)) {
        return Arc::clone(own);
    }
    let mut settings = (**own).clone();
    settings.variables.retain(|name, _| !OF_TRANSACTIONS.contains(&name.as_str()));
    settings.intern()
}
