//! One connection to a storage unit.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use protocol::capability::Capabilities;

use crate::class::Class;
use crate::pool::Slot;
use crate::settings::{ServerKind, Settings};
use crate::statements::Statements;
use crate::stream::Stream;

/// What the server said of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    /// As in the greeting, without MariaDB's `5.5.5-` prefix.
    pub version: String,
    /// Which family.
    pub kind: ServerKind,
}

/// A logged-in connection. Outside a statement its stream is silent.
#[derive(Debug)]
pub struct Connection {
    /// The bytes.
    pub stream: Stream,
    /// Bytes read beyond the answer that was being read: the next answer's, where several
    /// statements were sent at once.
    pub unread: Vec<u8>,
    /// The class that was asked for.
    pub class: Class,
    /// What was negotiated: the class as far as the server knows it, and what we always ask for.
    pub capabilities: Capabilities,
    /// What the server said of itself.
    pub server: Arc<ServerInfo>,
    /// The server's id for it, for `KILL`.
    pub thread_id: u32,
    /// What is set on it.
    pub settings: Arc<Settings>,
    /// What is prepared on it.
    pub statements: Statements,
    /// When it was opened.
    pub opened: Instant,
    /// When it was last given back.
    pub idle_since: Instant,
    /// Set while an answer is outstanding, and for good once the connection is of no more use.
    pub is_busy: bool,
    /// The right to be open.
    pub slot: Slot,
}

impl Connection {
    /// The unit's name, for errors.
    pub fn unit_name(&self) -> &str {
        &self.slot.limit().unit.name
    }

    /// Takes it off this runtime, so that another one can go on with it. TLS connections stay: their
    /// state cannot be taken apart.
    pub(crate) fn into_parcel(self: Box<Self>) -> Result<Parcel, Box<Self>> {
        if self.stream.is_tls() {
            return Err(self);
        }
        let connection = *self;
        let Stream::Plain(stream) = connection.stream else {
            unreachable!("a stream that is not TLS is plain")
        };
        let socket = stream.into_std().ok();
        Ok(Parcel {
            socket,
            class: connection.class,
            capabilities: connection.capabilities,
            server: connection.server,
            thread_id: connection.thread_id,
            settings: connection.settings,
            statements: connection.statements,
            opened: connection.opened,
            idle_since: connection.idle_since,
            slot: connection.slot,
        })
    }
}

/// A connection on its way from one worker to another.
#[derive(Debug)]
pub struct Parcel {
    /// Absent when the old runtime failed to let go of it.
    socket: Option<std::net::TcpStream>,
    class: Class,
    capabilities: Capabilities,
    server: Arc<ServerInfo>,
    thread_id: u32,
    settings: Arc<Settings>,
    statements: Statements,
    opened: Instant,
    idle_since: Instant,
    slot: Slot,
}

impl Parcel {
    /// Registers it with this runtime.
    ///
    /// # Errors
    /// Those of registration, or the server has closed it; it is closed then.
    pub(crate) fn unpack(self) -> io::Result<Connection> {
        let socket = self.socket.ok_or(io::ErrorKind::NotConnected)?;
        // A runtime that has just been given a socket does not know yet what the kernel has seen.
        match socket.peek(&mut [0]) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(io::ErrorKind::ConnectionReset.into()),
        }
        Ok(Connection {
            stream: Stream::Plain(tokio::net::TcpStream::from_std(socket)?),
            unread: Vec::new(),
            class: self.class,
            capabilities: self.capabilities,
            server: self.server,
            thread_id: self.thread_id,
            settings: self.settings,
            statements: self.statements,
            opened: self.opened,
            idle_since: self.idle_since,
            is_busy: false,
            slot: self.slot,
        })
    }
}
