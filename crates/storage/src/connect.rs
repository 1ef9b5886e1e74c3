//! Opening a connection to a storage unit: TCP, TLS, login.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::model::{BackendTls, StorageUnitConfig};
use protocol::auth::{ClientAuth, ClientStep};
use protocol::capability::Capabilities;
use protocol::frame::{PacketReader, Step, write_with};
use protocol::packet::err::ErrPacket;
use protocol::packet::handshake_response::HandshakeResponse41;
use protocol::packet::handshake_v10::HandshakeV10;
use protocol::packet::ssl_request::SslRequest;
use telemetry::METRICS;
use tokio::net::TcpStream;

use crate::class::Class;
use crate::connection::{Connection, ServerInfo};
use crate::error::StorageError;
use crate::pool::Slot;
use crate::settings::{ServerKind, Settings};
use crate::statements::Statements;
use crate::stream::{Stream, tune};
use crate::tls;

/// utf8mb4_general_ci: what a connection starts with on every server; see [`Settings::baseline`].
const COLLATION: u8 = 45;

/// The largest packet we take.
const MAX_PACKET: u32 = 1 << 30;

/// What all connections to storage units have in common.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// A server that has not answered by then counts as down.
    pub timeout: Duration,
    /// Statements kept prepared on one connection.
    pub max_prepared_statements: usize,
    /// Who vouches for servers where a unit asks for that.
    pub authorities: Option<Arc<rustls::RootCertStore>>,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(5), max_prepared_statements: 512, authorities: None }
    }
}

/// Opens a connection of `class` in the place that `slot` stands for.
///
/// # Errors
/// The unit cannot be reached or refuses the login.
pub async fn connect(slot: Slot, class: Class) -> Result<Connection, StorageError> {
    let (config, options) = {
        let limit = slot.limit();
        (Arc::clone(&limit.unit.config), Arc::clone(&limit.options))
    };
    let opened = open(&config, &options, class).await.map_err(|reason| {
        let unit = slot.limit().unit.name.to_string();
        StorageError::Connect { unit, reason }
    })?;
    METRICS.backend_connections_total.increment();
    slot.limit().note_version(&opened.server.version);
    let now = Instant::now();
    Ok(Connection {
        stream: opened.stream,
        unread: Vec::new(),
        class,
        capabilities: opened.capabilities,
        server: Arc::new(opened.server),
        thread_id: opened.thread_id,
        settings: Settings::baseline(),
        statements: Statements::new(options.max_prepared_statements),
        opened: now,
        idle_since: now,
        is_busy: false,
        slot,
    })
}

/// A logged-in stream.
pub(crate) struct Opened {
    pub(crate) stream: Stream,
    pub(crate) capabilities: Capabilities,
    pub(crate) server: ServerInfo,
    pub(crate) thread_id: u32,
}

/// Connects and logs in, within the time-out. The error is for the log and for administrators.
pub(crate) async fn open(
    config: &StorageUnitConfig,
    options: &ConnectOptions,
    class: Class,
) -> Result<Opened, String> {
    let opening = async {
        let address = (config.host.as_str(), config.port);
        let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
        tune(&stream).map_err(|error| error.to_string())?;
        log_in(stream, config, options, class).await
    };
    tokio::time::timeout(options.timeout, opening)
        .await
        .unwrap_or_else(|_| Err(format!("no answer within {} ms", options.timeout.as_millis())))
}

/// What the greeting said, owned.
struct Greeted {
    server: ServerInfo,
    thread_id: u32,
    nonce: protocol::auth::Nonce,
    plugin: Vec<u8>,
    capabilities: Capabilities,
}

async fn log_in(
    stream: TcpStream,
    config: &StorageUnitConfig,
    options: &ConnectOptions,
    class: Class,
) -> Result<Opened, String> {
    let mut wire = Wire { stream: Stream::Plain(stream), buffer: Vec::new(), seq: 0 };
    let greeted = decode_greeting(&wire.read().await?)?;
    let mut capabilities = wanted(class).intersect(greeted.capabilities);
    if greeted.server.kind == ServerKind::MySql {
        capabilities = capabilities.without(Capabilities::MARIADB_EXTENDED);
        capabilities.insert(Capabilities::LONG_PASSWORD);
    } else {
        capabilities.remove(Capabilities::LONG_PASSWORD);
    }
    let offers_tls = greeted.capabilities.contains(Capabilities::SSL);
    if config.tls != BackendTls::Disabled && (offers_tls || config.tls != BackendTls::Preferred) {
        if !offers_tls {
            return Err("TLS is required, but the server does not offer it".to_owned());
        }
        capabilities.insert(Capabilities::SSL);
        let request = SslRequest { capabilities, max_packet: MAX_PACKET, collation: COLLATION };
        wire.send(|out| request.encode(out)).await?;
        wire = wire.start_tls(config, options).await?;
    }
    let is_secure = wire.stream.is_tls();
    let password = config.password.0.as_bytes();
    let mut auth = ClientAuth::new(&greeted.plugin, greeted.nonce, password, is_secure, true);
    let answer = auth.response();
    let response = HandshakeResponse41 {
        capabilities,
        max_packet: MAX_PACKET,
        collation: COLLATION,
        user: config.user.as_bytes(),
        auth_response: &answer,
        database: Some(config.database.as_bytes()),
        auth_plugin: Some(auth.plugin().name().as_bytes()),
        attributes: &[],
        zstd_level: 0,
    };
    wire.send(|out| response.encode(out)).await?;
    authenticate(&mut wire, &mut auth).await?;
    Ok(Opened {
        stream: wire.stream,
        capabilities,
        server: greeted.server,
        thread_id: greeted.thread_id,
    })
}

/// What we ask of every server, and what the class adds.
fn wanted(class: Class) -> Capabilities {
    Capabilities::PROTOCOL_41
        .union(Capabilities::LONG_PASSWORD)
        .union(Capabilities::LONG_FLAG)
        .union(Capabilities::CONNECT_WITH_DB)
        .union(Capabilities::LOCAL_FILES)
        .union(Capabilities::TRANSACTIONS)
        .union(Capabilities::SECURE_CONNECTION)
        .union(Capabilities::MULTI_RESULTS)
        .union(Capabilities::PS_MULTI_RESULTS)
        .union(Capabilities::PLUGIN_AUTH)
        .union(class.capabilities())
}

fn decode_greeting(payload: &[u8]) -> Result<Greeted, String> {
    if payload.first() == Some(&0xff) {
        return Err(refusal(payload));
    }
    let greeting = HandshakeV10::decode(payload).map_err(|error| error.to_string())?;
    let version = String::from_utf8_lossy(greeting.server_version).into_owned();
    let kind = if version.contains("MariaDB")
        || !greeting.capabilities.contains(Capabilities::LONG_PASSWORD)
    {
        ServerKind::MariaDb
    } else {
        ServerKind::MySql
    };
    // MariaDB before 11 says `5.5.5-` first, for old replicas.
    let version = version.strip_prefix("5.5.5-").unwrap_or(&version).to_owned();
    Ok(Greeted {
        server: ServerInfo { version, kind },
        thread_id: greeting.connection_id,
        nonce: greeting.nonce,
        plugin: greeting.auth_plugin.to_vec(),
        capabilities: greeting.capabilities,
    })
}

async fn authenticate(wire: &mut Wire, auth: &mut ClientAuth<'_>) -> Result<(), String> {
    loop {
        let packet = wire.read().await?;
        match auth.receive(&packet).map_err(|error| error.to_string())? {
            ClientStep::Send(answer) => wire.send(|out| out.extend_from_slice(&answer)).await?,
            ClientStep::Wait => {}
            ClientStep::Accepted => return Ok(()),
            ClientStep::Refused => return Err(refusal(&packet)),
        }
    }
}

fn refusal(payload: &[u8]) -> String {
    match ErrPacket::decode(payload) {
        Ok(error) => format!("error {}: {}", error.code, String::from_utf8_lossy(error.message)),
        Err(error) => error.to_string(),
    }
}

/// The packets of a login.
struct Wire {
    stream: Stream,
    buffer: Vec<u8>,
    seq: u8,
}

impl Wire {
    async fn read(&mut self) -> Result<Vec<u8>, String> {
        let mut reader = PacketReader::new(1 << 20);
        let mut chunk = [0; 2048];
        loop {
            match reader.next(&self.buffer).map_err(|error| error.to_string())? {
                Step::Packet { payload, seq, consumed } => {
                    let payload = payload.to_vec();
                    self.seq = seq.wrapping_add(1);
                    self.buffer.drain(..consumed);
                    return Ok(payload);
                }
                Step::More { consumed, .. } => drop(self.buffer.drain(..consumed)),
            }
            match self.stream.read(&mut chunk).await.map_err(|error| error.to_string())? {
                0 => return Err("the server closed the connection during the login".to_owned()),
                read => self.buffer.extend_from_slice(&chunk[..read]),
            }
        }
    }

    async fn send(&mut self, encode: impl FnOnce(&mut Vec<u8>)) -> Result<(), String> {
        let mut packet = Vec::new();
        write_with(&mut packet, &mut self.seq, encode);
        self.stream.write_all(&packet).await.map_err(|error| error.to_string())
    }

    async fn start_tls(
        self,
        config: &StorageUnitConfig,
        options: &ConnectOptions,
    ) -> Result<Self, String> {
        let Stream::Plain(stream) = self.stream else {
            return Err("TLS within TLS".to_owned());
        };
        let stream = tls::connect(stream, config, options).await?;
        Ok(Self { stream, buffer: Vec::new(), seq: self.seq })
    }
}
