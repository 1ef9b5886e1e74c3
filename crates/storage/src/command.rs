//! Statements of our own on a connection: what they answer, only we read.

use protocol::command::Command;
use protocol::frame::{HEADER_LEN, write_with};
use protocol::packet::column_definition::ColumnDefinition41;
use protocol::packet::err::ErrPacket;
use protocol::response::{NextPacket, PacketRole, ResponseKind, ResponseWalker};

use crate::connection::Connection;
use crate::error::StorageError;

/// A row of a text result.
pub type TextRow = Vec<Option<Vec<u8>>>;

/// What a column of a text result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// An integer or a decimal: its text is a literal.
    Number,
    /// An approximate number.
    Double,
    /// Anything else.
    Text,
}

impl ColumnKind {
    fn of(definition: &ColumnDefinition41<'_>) -> Self {
        use eval::type_code::{
            DECIMAL, DOUBLE, FLOAT, INT24, LONG, LONGLONG, NEWDECIMAL, SHORT, TINY,
        };
        match definition.column_type.0 {
            TINY | SHORT | INT24 | LONG | LONGLONG | DECIMAL | NEWDECIMAL => Self::Number,
            FLOAT | DOUBLE => Self::Double,
            _ => Self::Text,
        }
    }
}

/// A result read as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextResult {
    /// Column names.
    pub columns: Vec<Vec<u8>>,
    /// What the columns hold.
    pub kinds: Vec<ColumnKind>,
    /// Rows.
    pub rows: Vec<TextRow>,
}

/// The packet of a COM_QUERY, appended to `out`.
pub fn put_query(out: &mut Vec<u8>, text: &[u8]) {
    let mut seq = 0;
    write_with(out, &mut seq, |out| {
        out.push(Command::Query as u8);
        out.extend_from_slice(text);
    });
}

/// Runs a statement and throws its result away.
///
/// # Errors
/// The server's error, or the connection is lost.
pub async fn run(connection: &mut Connection, text: &str) -> Result<(), StorageError> {
    send(connection, text).await?;
    finish(connection).await
}

/// Sends a statement without waiting for its answer, which [`finish`] reads.
///
/// # Errors
/// The connection is lost.
pub async fn send(connection: &mut Connection, text: &str) -> Result<(), StorageError> {
    let mut packet = Vec::with_capacity(text.len() + HEADER_LEN + 1);
    put_query(&mut packet, text.as_bytes());
    connection.is_busy = true;
    connection.stream.write_all(&packet).await.map_err(|error| lost(connection, &error.to_string()))
}

/// Reads the answer to a statement and throws it away.
///
/// # Errors
/// The server's error, or the connection is lost.
pub async fn finish(connection: &mut Connection) -> Result<(), StorageError> {
    read_result(connection, ResponseKind::Query, &mut |_, _| {}).await
}

/// Runs a statement and reads its result as a whole: for small results only.
///
/// # Errors
/// The server's error, or the connection is lost.
pub async fn query(connection: &mut Connection, text: &str) -> Result<TextResult, StorageError> {
    send(connection, text).await?;
    let capabilities = connection.capabilities;
    let mut result = TextResult::default();
    read_result(connection, ResponseKind::Query, &mut |role, payload| match role {
        PacketRole::ColumnDefinition => {
            if let Ok(definition) = ColumnDefinition41::decode(payload, capabilities) {
                result.columns.push(definition.name.to_vec());
                result.kinds.push(ColumnKind::of(&definition));
            }
        }
        PacketRole::Row => {
            let values = protocol::text::TextRow::new(payload)
                .values()
                .map(|value| value.ok().flatten().map(<[u8]>::to_vec));
            result.rows.push(values.collect());
        }
        _ => {}
    })
    .await?;
    Ok(result)
}

/// Sends whole packets that are answered by one OK, EOF or ERR.
///
/// # Errors
/// The server's error, or the connection is lost.
pub async fn exchange_simple(
    connection: &mut Connection,
    packets: &[u8],
) -> Result<(), StorageError> {
    connection.is_busy = true;
    let written = connection.stream.write_all(packets).await;
    written.map_err(|error| lost(connection, &error.to_string()))?;
    read_result(connection, ResponseKind::Simple, &mut |_, _| {}).await
}

/// Reads one answer, giving each packet to `visit`.
async fn read_result(
    connection: &mut Connection,
    kind: ResponseKind,
    visit: &mut (dyn FnMut(PacketRole, &[u8]) + Send),
) -> Result<(), StorageError> {
    let mut walker = ResponseWalker::new(kind, connection.capabilities);
    let mut buffer = std::mem::take(&mut connection.unread);
    let (mut scratch, mut chunk) = (Vec::new(), [0; 4096]);
    let mut failure = None;
    loop {
        match walker.next_packet(&buffer) {
            Err(error) => return Err(broken(connection, &error.to_string())),
            Ok(NextPacket::Done) => break,
            Ok(NextPacket::Incomplete { .. }) => match connection.stream.read(&mut chunk).await {
                Ok(0) => return Err(lost(connection, "closed by the server")),
                Ok(read) => buffer.extend_from_slice(&chunk[..read]),
                Err(error) => return Err(lost(connection, &error.to_string())),
            },
            Ok(NextPacket::Packet(view)) => {
                let payload = view.payload(&buffer, &mut scratch);
                if view.role == PacketRole::Err {
                    failure = Some(server_error(payload));
                }
                visit(view.role, payload);
                buffer.drain(..view.frames.end);
            }
        }
    }
    connection.unread = buffer;
    connection.is_busy = false;
    failure.map_or(Ok(()), Err)
}

/// The error of an ERR packet.
pub fn server_error(payload: &[u8]) -> StorageError {
    match ErrPacket::decode(payload) {
        Ok(packet) => StorageError::Server {
            code: packet.code,
            sqlstate: packet.sqlstate.unwrap_or(*b"HY000"),
            message: String::from_utf8_lossy(packet.message).into_owned(),
        },
        Err(_) => StorageError::Server {
            code: 1105,
            sqlstate: *b"HY000",
            message: "Unknown error".to_owned(),
        },
    }
}

/// The connection is gone.
pub fn lost(connection: &Connection, reason: &str) -> StorageError {
    StorageError::Lost { unit: connection.unit_name().to_owned(), reason: reason.to_owned() }
}

/// The server sent something that is not an answer.
pub fn broken(connection: &Connection, reason: &str) -> StorageError {
    StorageError::Protocol { unit: connection.unit_name().to_owned(), reason: reason.to_owned() }
}

/// Brings a connection to `settings`.
///
/// # Errors
/// The server's error; the connection's settings are unknown then and it must be closed.
pub async fn apply_settings(
    connection: &mut Connection,
    settings: &std::sync::Arc<crate::settings::Settings>,
) -> Result<(), StorageError> {
    if let Some(text) = settings.difference(&connection.settings, connection.server.kind)
        && let Err(error) = run(connection, &text).await
    {
        connection.is_busy = true;
        return Err(error);
    }
    connection.settings = std::sync::Arc::clone(settings);
    Ok(())
}
