//! Send, packet by packet: where the unit's bytes are not the client's, each packet is rewritten —
//! other sequence ids, EOF or OK, logical names in column definitions, status of a multi-result.

use kernel::plan::Relabel;
use protocol::capability::Capabilities;
use protocol::packet::eof::EofPacket;
use protocol::packet::ok::OkPacket;
use protocol::response::{PacketRole, ResponseKind, ResponseSummary, ResponseWalker};
use protocol::status::StatusFlags;
use storage::connection::Connection;
use storage::error::StorageError;

use crate::answer::Outcome;
use crate::execute::{Failure, Passing};
use crate::packets::PacketSource;
use crate::session::Session;

/// Reads one answer of `connection` and writes it as this client must see it.
pub(crate) async fn pass_on(
    session: &mut Session,
    connection: &mut Connection,
    passing: &Passing<'_>,
) -> Result<ResponseSummary, Failure> {
    let walker = ResponseWalker::new(passing.kind, connection.capabilities);
    let mut source = PacketSource::new(walker);
    // A client without DEPRECATE_EOF waits for one behind the definitions, whatever the unit sends.
    let mut owes_metadata_end = false;
    while let Some(packet) = source.next(session, connection).await? {
        let role = packet.role;
        match role {
            PacketRole::ColumnCount => {
                let summary = source.walker.summary();
                let (count, has_metadata) = (summary.columns, summary.has_metadata);
                put_head(session, count, has_metadata, passing)?;
                owes_metadata_end = true;
            }
            PacketRole::ColumnDefinition => {
                put_definition(session, source.payload(&packet), passing.relabel)?;
            }
            PacketRole::Row => {
                if std::mem::take(&mut owes_metadata_end) {
                    session.put_end_of_metadata();
                }
                let columns = source.walker.summary().columns;
                put_row(session, passing, columns, source.payload(&packet));
            }
            PacketRole::EndOfRows => {
                let (warnings, status) = end_of_rows(source.payload(&packet), connection);
                // An opened cursor ends the answer with its definitions.
                if std::mem::take(&mut owes_metadata_end) && !opens_cursor(passing, status) {
                    session.put_end_of_metadata();
                }
                let status = status_for_client(session, status);
                session.put_end_of_rows(warnings, status);
            }
            PacketRole::MetadataEof => {
                let eof = EofPacket::decode(source.payload(&packet)).unwrap_or_default();
                owes_metadata_end = false;
                if opens_cursor(passing, eof.status) {
                    let status = status_for_client(session, eof.status);
                    session.put_end_of_rows(eof.warnings, status);
                } else {
                    session.put_end_of_metadata();
                }
            }
            PacketRole::Ok => put_ok(session, source.payload(&packet), connection)?,
            PacketRole::Err => {
                put_error(session, &storage::command::server_error(source.payload(&packet)));
            }
            PacketRole::LocalInfile => {
                session.put_payload(source.payload(&packet));
                source.drop_packet(&packet);
                session.flush().await?;
                crate::local_infile::pump(session, connection).await?;
                continue;
            }
            PacketRole::Progress => {}
            PacketRole::ParamDefinition | PacketRole::PrepareOk | PacketRole::Statistics => {
                session.put_payload(source.payload(&packet));
            }
        }
        source.drop_packet(&packet);
        session.flush_when_full().await?;
    }
    // The end of the answer waits for what its statement leaves behind, such as a new catalog.
    Ok(*source.walker.summary())
}

/// Column count, and the definitions where the server leaves out what this client must be given.
fn put_head(
    session: &mut Session,
    count: u64,
    has_metadata: bool,
    passing: &Passing<'_>,
) -> Result<(), Failure> {
    let lacking = passing.definitions.as_ref().filter(|_| !has_metadata);
    session.put_column_count(count, has_metadata || lacking.is_some());
    if let Some(definitions) = lacking {
        for definition in &definitions.columns {
            put_definition(session, definition, passing.relabel)?;
        }
    }
    Ok(())
}

/// True when an execution has opened a cursor: its rows are fetched by other commands.
fn opens_cursor(passing: &Passing<'_>, status: StatusFlags) -> bool {
    passing.kind == ResponseKind::StmtExecute && status.contains(StatusFlags::CURSOR_EXISTS)
}

/// Appends a row, with logical names where it has actual ones.
fn put_row(session: &mut Session, passing: &Passing<'_>, columns: u64, row: &[u8]) {
    match crate::row_names::edit(session, passing, columns, row) {
        Some(edited) => session.put_payload(&edited),
        None => session.put_payload(row),
    }
}

/// Appends a storage unit's own error.
fn put_error(session: &mut Session, error: &StorageError) {
    if let StorageError::Server { code, sqlstate, message } = error {
        session.diagnostics.note_error(*code, message);
        session.put_raw_error(*code, *sqlstate, message.as_bytes());
    }
}

/// The status a client sees: the unit's, but the proxy knows whether more results follow and
/// whether the session's transaction is open.
fn status_for_client(session: &Session, from_unit: StatusFlags) -> StatusFlags {
    let own = session.status();
    let mut status = from_unit;
    for flag in [StatusFlags::IN_TRANS, StatusFlags::AUTOCOMMIT] {
        status.set(
            flag,
            own.contains(flag) || (from_unit.contains(flag) && !session.is_autocommit()),
        );
    }
    let more = own.contains(StatusFlags::MORE_RESULTS_EXISTS)
        || from_unit.contains(StatusFlags::MORE_RESULTS_EXISTS);
    status.set(StatusFlags::MORE_RESULTS_EXISTS, more);
    status
}

fn end_of_rows(payload: &[u8], connection: &Connection) -> (u16, StatusFlags) {
    if connection.capabilities.contains(Capabilities::DEPRECATE_EOF) {
        return OkPacket::decode(payload, connection.capabilities)
            .map_or((0, StatusFlags::NONE), |ok| (ok.warnings, ok.status));
    }
    EofPacket::decode(payload).map_or((0, StatusFlags::NONE), |eof| (eof.warnings, eof.status))
}

fn put_ok(session: &mut Session, payload: &[u8], connection: &Connection) -> Result<(), Failure> {
    let ok = OkPacket::decode(payload, connection.capabilities)
        .map_err(|error| storage::command::broken(connection, &error.to_string()))?;
    let outcome = Outcome {
        affected_rows: ok.affected_rows,
        last_insert_id: session.insert_id(ok.last_insert_id, ok.affected_rows),
        warnings: ok.warnings,
        info: ok.info.to_vec(),
    };
    let status = status_for_client(session, ok.status);
    session.put_ok_with(&outcome, status);
    Ok(())
}

/// Appends a column definition with logical names.
pub(crate) fn put_definition(
    session: &mut Session,
    payload: &[u8],
    relabel: Option<&Relabel>,
) -> Result<(), Failure> {
    let crate::answer::Outgoing { bytes, seq, .. } = &mut session.out;
    crate::relabel::write_definition(bytes, seq, payload, relabel);
    Ok(())
}
