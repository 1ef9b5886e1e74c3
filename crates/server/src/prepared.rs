//! Prepared statements: the client's id and text on one side, statements prepared on backend
//! connections on the other.
//!
//! A text is prepared on a connection on its first use there. An execution forwards the client's
//! packet with four bytes changed when nothing else must be: the parameter types are added where the
//! connection has not seen them, values sent ahead follow the statement to its connection.

mod answered;
mod commands;
mod cursor;
mod direct;
mod execution;
mod filled;

use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kernel::error::StatementError;
use kernel::plan::RouteUnit;
use protocol::command::Command;
use protocol::frame::{HEADER_LEN, write_with};
use protocol::response::{PacketRole, ResponseKind, ResponseWalker};
use storage::connection::Connection;
use storage::error::StorageError;
use storage::statements::{Definitions, StatementKey};

pub(crate) use commands::{close, execute, prepare, reset, send_long_data};
pub(crate) use cursor::fetch;
pub(crate) use execution::Execution;

use crate::execute::Failure;
use crate::fan_out::{Part, PartCommand};
use crate::packets::PacketSource;
use crate::plan_cache::CachedStatement;
use crate::session::Session;

/// A server refuses more prepared statements.
const ER_MAX_PREPARED_STMT_COUNT_REACHED: u16 = 1461;

/// The plan of a prepared text under one catalog version.
#[derive(Debug)]
pub(crate) struct PreparedPlan {
    /// What it leads to.
    pub(crate) cached: Rc<CachedStatement>,
    /// The catalog version it was made under.
    pub(crate) version: u64,
    /// Identifies the texts written by the plan's single template, for statements of connections.
    pub(crate) single_id: u64,
    /// The same for its template for several nodes.
    pub(crate) multi_id: u64,
}

impl PreparedPlan {
    /// For a plan that was just made.
    pub(crate) fn new(cached: Rc<CachedStatement>, version: u64) -> Rc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let single_id = NEXT.fetch_add(2, Relaxed);
        Rc::new(Self { cached, version, single_id, multi_id: single_id + 1 })
    }

    /// The statement of a part: a node has one text, unless it gets some rows of an INSERT only,
    /// when its text depends on which and is its own key.
    fn part_key(&self, unit: &RouteUnit, sql: &[u8]) -> StatementKey {
        static HASH: LazyLock<foldhash::quality::RandomState> = LazyLock::new(Default::default);
        const BY_TEXT: u64 = 1 << 63;
        match unit.rows.is_empty() {
            true => (self.multi_id, unit.node),
            false => (HASH.hash_one(sql) | BY_TEXT, sql.len() as u32),
        }
    }
}

/// The id a command begins with.
fn statement_id(body: &[u8]) -> Result<u32, Failure> {
    let bytes = body
        .first_chunk::<4>()
        .ok_or_else(|| StatementError::new(1835, "HY000", "Malformed communication packet"))?;
    Ok(u32::from_le_bytes(*bytes))
}

fn unknown_statement(id: u32, verb: &str) -> Failure {
    StatementError::new(
        1243,
        "HY000",
        format!("Unknown prepared statement handler ({id}) given to {verb}"),
    )
    .into()
}

/// Makes sure a text is prepared on a connection; returns the server's id.
pub(crate) async fn place(
    session: &mut Session,
    connection: &mut Connection,
    key: StatementKey,
    sql: &[u8],
) -> Result<u32, Failure> {
    if let Some(statement) = connection.statements.find(key) {
        return Ok(statement.id);
    }
    match prepare_on(session, connection, key, sql).await {
        Err(StorageError::Server { code: ER_MAX_PREPARED_STMT_COUNT_REACHED, .. }) => {
            let closed = connection.statements.shrink();
            close_on(connection, &closed).await?;
            Ok(prepare_on(session, connection, key, sql).await?)
        }
        other => Ok(other?),
    }
}

async fn prepare_on(
    session: &mut Session,
    connection: &mut Connection,
    key: StatementKey,
    sql: &[u8],
) -> Result<u32, StorageError> {
    let mut packet = Vec::with_capacity(sql.len() + HEADER_LEN + 1);
    write_with(&mut packet, &mut 0, |out| {
        out.push(Command::StmtPrepare as u8);
        out.extend_from_slice(sql);
    });
    connection.is_busy = true;
    let written = connection.stream.write_all(&packet).await;
    written.map_err(|error| storage::command::lost(connection, &error.to_string()))?;
    let walker = ResponseWalker::new(ResponseKind::StmtPrepare, connection.capabilities);
    let mut source = PacketSource::new(walker);
    let mut definitions = Definitions::default();
    let mut failure = None;
    loop {
        let packet = match source.next(session, connection).await {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(_) => return Err(storage::command::lost(connection, "while preparing")),
        };
        match packet.role {
            PacketRole::ParamDefinition => {
                definitions.params.push(source.payload(&packet).to_vec());
            }
            PacketRole::ColumnDefinition => {
                definitions.columns.push(source.payload(&packet).to_vec());
            }
            PacketRole::Err => {
                failure = Some(storage::command::server_error(source.payload(&packet)));
            }
            _ => {}
        }
        source.drop_packet(&packet);
    }
    connection.is_busy = false;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let id = source.walker.summary().statement_id;
    let evicted = connection.statements.insert(key, id, session.worker.intern(definitions));
    close_on(connection, &evicted).await?;
    Ok(id)
}

/// Closes statements on the server; it does not answer to that.
async fn close_on(connection: &mut Connection, ids: &[u32]) -> Result<(), StorageError> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut packets = Vec::new();
    for id in ids {
        put_statement_command(&mut packets, Command::StmtClose, *id);
    }
    let written = connection.stream.write_all(&packets).await;
    written.map_err(|error| {
        connection.is_busy = true;
        storage::command::lost(connection, &error.to_string())
    })
}

/// Appends a command that consists of a statement id.
pub(crate) fn put_statement_command(out: &mut Vec<u8>, command: Command, id: u32) {
    write_with(out, &mut 0, |out| {
        out.push(command as u8);
        out.extend_from_slice(&id.to_le_bytes());
    });
}

/// Appends what executes a statement on a connection: values sent ahead, then the execution with
/// its types where the connection does not know them.
pub(crate) fn put_execute(
    connection: &mut Connection,
    key: StatementKey,
    statement: u32,
    execution: &Execution,
    out: &mut Vec<u8>,
) {
    for (param, data) in &execution.long_data {
        write_with(out, &mut 0, |out| {
            out.push(Command::StmtSendLongData as u8);
            out.extend_from_slice(&statement.to_le_bytes());
            out.extend_from_slice(&param.to_le_bytes());
            out.extend_from_slice(data);
        });
    }
    let known = connection.statements.find(key);
    let is_known = known.is_some_and(|known| {
        let is_known = known.bound_types == execution.types;
        if !is_known {
            known.bound_types.clear();
            known.bound_types.extend_from_slice(&execution.types);
        }
        is_known
    });
    write_with(out, &mut 0, |out| execution.encode(out, statement, !is_known));
}

/// The definitions a connection's server has sent for a part's statement.
pub(crate) fn known_definitions(connection: &mut Connection, part: &Part) -> Vec<Vec<u8>> {
    let PartCommand::Execute { key, .. } = &part.command else { return Vec::new() };
    let statement = connection.statements.find(*key);
    statement.map(|statement| statement.definitions.columns.clone()).unwrap_or_default()
}
