//! A client's login: greeting, TLS, authentication, the session it leads to.

use std::collections::HashMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;

use governance::yaml::TlsMode;
use kernel::config::UserConfig;
use kernel::error::StatementError;
use protocol::auth::{AuthPlugin, Nonce, RsaKey, ServerAuth, ServerStep, Verifiers};
use protocol::capability::Capabilities;
use protocol::frame::{HEADER_LEN, PacketReader, Step, write_with};
use protocol::packet::err::ErrPacket;
use protocol::packet::handshake_response::{ClientHandshake, HandshakeResponse41};
use protocol::packet::handshake_v10::HandshakeV10;
use protocol::packet::ssl_request::SSL_REQUEST_LEN;
use protocol::response::{ResponseKind, ResponseWalker};
use protocol::status::StatusFlags;
use rand::Rng;
use sql::SqlMode;
use storage::class::Class;
use storage::settings::Settings;
use storage::stream::Stream;
use telemetry::METRICS;
use tokio_rustls::TlsAcceptor;

use crate::answer::{Outcome, Outgoing};
use crate::registry::Entered;
use crate::session::{Diagnostics, Facts, Place, Session};
use crate::transaction::Transaction;
use crate::worker::{Shared, Worker};

/// Longest packet of a login.
const MAX_LOGIN_PACKET: usize = 64 * 1024;

/// What logins need besides the users.
pub(crate) struct LoginSecrets {
    /// TLS, unless it is off.
    pub(crate) tls: Option<TlsAcceptor>,
    /// For caching_sha2_password without TLS.
    pub(crate) rsa: RsaKey,
}

/// Why there is no session.
#[derive(Debug)]
pub(crate) enum NoSession {
    /// The client is gone, or sent what is not the protocol.
    Broken(String),
    /// It was told this error.
    Refused(StatementError),
}

impl From<std::io::Error> for NoSession {
    fn from(error: std::io::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

/// The packets of a login.
struct Wire {
    stream: Stream,
    buffer: Vec<u8>,
    seq: u8,
    /// What the client has to send before it may begin with TLS. Nothing behind it is read along:
    /// that would be the beginning of its TLS handshake.
    unread_head: usize,
}

/// A request for TLS with its header.
const SSL_REQUEST_PACKET: usize = HEADER_LEN + SSL_REQUEST_LEN;

impl Wire {
    /// Before the greeting, or after the change to TLS.
    fn new(stream: Stream, seq: u8) -> Self {
        let unread_head = if stream.is_tls() { 0 } else { SSL_REQUEST_PACKET };
        Self { stream, buffer: Vec::new(), seq, unread_head }
    }

    async fn read(&mut self) -> Result<Vec<u8>, NoSession> {
        let mut reader = PacketReader::new(MAX_LOGIN_PACKET);
        let mut chunk = [0; 1024];
        loop {
            match reader.next(&self.buffer) {
                Ok(Step::Packet { payload, seq, consumed }) => {
                    let payload = payload.to_vec();
                    self.seq = seq.wrapping_add(1);
                    self.buffer.drain(..consumed);
                    return Ok(payload);
                }
                Ok(Step::More { consumed, .. }) => drop(self.buffer.drain(..consumed)),
                Err(_) => {
                    let text = "Bad handshake";
                    return Err(NoSession::Refused(StatementError::new(1043, "08S01", text)));
                }
            }
            let most = if self.unread_head > 0 { self.unread_head } else { chunk.len() };
            match self.stream.read(&mut chunk[..most]).await? {
                0 => return Err(NoSession::Broken("closed during the login".to_owned())),
                read => {
                    self.unread_head = self.unread_head.saturating_sub(read);
                    self.buffer.extend_from_slice(&chunk[..read]);
                }
            }
        }
    }

    async fn send(&mut self, encode: impl FnOnce(&mut Vec<u8>)) -> Result<(), NoSession> {
        let mut packet = Vec::new();
        write_with(&mut packet, &mut self.seq, encode);
        Ok(self.stream.write_all(&packet).await?)
    }

    async fn refuse(&mut self, error: &StatementError, capabilities: Capabilities) {
        let mut sqlstate = *b"HY000";
        sqlstate.copy_from_slice(&error.sqlstate.as_bytes()[..5]);
        let message = error.message.as_bytes();
        let packet = ErrPacket { code: error.code, sqlstate: Some(sqlstate), message };
        let _ = self.send(|out| packet.encode(out, capabilities)).await;
    }
}

/// What we can do, by whether the storage units are MariaDB.
pub(crate) fn offered(is_mariadb: bool, has_tls: bool) -> Capabilities {
    let mut offered = Capabilities::FOUND_ROWS
        .union(Capabilities::LONG_FLAG)
        .union(Capabilities::CONNECT_WITH_DB)
        .union(Capabilities::ODBC)
        .union(Capabilities::LOCAL_FILES)
        .union(Capabilities::IGNORE_SPACE)
        .union(Capabilities::PROTOCOL_41)
        .union(Capabilities::INTERACTIVE)
        .union(Capabilities::IGNORE_SIGPIPE)
        .union(Capabilities::TRANSACTIONS)
        .union(Capabilities::SECURE_CONNECTION)
        .union(Capabilities::MULTI_STATEMENTS)
        .union(Capabilities::MULTI_RESULTS)
        .union(Capabilities::PS_MULTI_RESULTS)
        .union(Capabilities::PLUGIN_AUTH)
        .union(Capabilities::CONNECT_ATTRS)
        .union(Capabilities::PLUGIN_AUTH_LENENC_CLIENT_DATA)
        .union(Capabilities::SESSION_TRACK)
        .union(Capabilities::DEPRECATE_EOF);
    if is_mariadb {
        offered.insert(Capabilities::MARIADB_CACHE_METADATA);
    } else {
        offered.insert(Capabilities::LONG_PASSWORD.union(Capabilities::QUERY_ATTRIBUTES));
    }
    if has_tls {
        offered.insert(Capabilities::SSL);
    }
    offered
}

/// Logs a client in.
pub(crate) async fn log_in(
    worker: &Rc<Worker>,
    entered: Entered,
    stream: Stream,
    peer: IpAddr,
) -> Result<Session, NoSession> {
    let shared = Arc::clone(&worker.shared);
    let mut wire = Wire::new(stream, 0);
    let mut capabilities = Capabilities::PROTOCOL_41;
    match greet(worker, &shared, &entered, wire, peer, &mut capabilities).await {
        Ok((wire, login)) => Ok(open_session(worker, entered, wire, login)),
        Err((broken, error)) => {
            wire = broken;
            if let NoSession::Refused(error) = &error {
                METRICS.logins_refused_total.increment();
                wire.refuse(error, capabilities).await;
            }
            Err(error)
        }
    }
}

/// What a successful login is made of.
struct Login {
    capabilities: Capabilities,
    collation: u8,
    user: UserConfig,
    database: Option<String>,
    nonce: Nonce,
}

async fn greet(
    worker: &Rc<Worker>,
    shared: &Shared,
    entered: &Entered,
    mut wire: Wire,
    peer: IpAddr,
    agreed: &mut Capabilities,
) -> Result<(Wire, Login), (Wire, NoSession)> {
    let version = worker.shared.announced_version();
    let offered = offered(version.contains("MariaDB"), shared.secrets.tls.is_some());
    let nonce = new_nonce();
    let greeting = HandshakeV10 {
        server_version: version.as_bytes(),
        connection_id: entered.handle().id,
        nonce,
        capabilities: offered,
        collation: 45,
        status: StatusFlags::AUTOCOMMIT,
        auth_plugin: AuthPlugin::CachingSha2.name().as_bytes(),
    };
    if let Err(error) = wire.send(|out| greeting.encode(out)).await {
        return Err((wire, error));
    }
    let payload = match read_response(&mut wire, shared).await {
        Ok(Some(payload)) => payload,
        Ok(None) => match start_tls(wire, shared).await {
            Ok((encrypted, payload)) => {
                wire = encrypted;
                payload
            }
            Err(failed) => return Err(failed),
        },
        Err(error) => return Err((wire, error)),
    };
    match answer(worker, &mut wire, &payload, offered, nonce, peer, agreed).await {
        Ok(login) => Ok((wire, login)),
        Err(error) => Err((wire, error)),
    }
}

/// The client's whole answer; `None` when it asks for TLS first.
async fn read_response(wire: &mut Wire, shared: &Shared) -> Result<Option<Vec<u8>>, NoSession> {
    let payload = wire.read().await?;
    match ClientHandshake::decode(&payload) {
        Ok(ClientHandshake::Ssl(_)) if shared.secrets.tls.is_some() => Ok(None),
        Ok(ClientHandshake::Ssl(_)) => Err(bad_handshake()),
        Ok(ClientHandshake::Response(_)) if shared.options.tls.mode == TlsMode::Required => {
            Err(NoSession::Refused(StatementError::new(
                3159,
                "HY000",
                "Connections using insecure transport are prohibited: use TLS",
            )))
        }
        Ok(ClientHandshake::Response(_)) => Ok(Some(payload)),
        Err(_) => Err(bad_handshake()),
    }
}

fn bad_handshake() -> NoSession {
    NoSession::Refused(StatementError::new(1043, "08S01", "Bad handshake"))
}

async fn start_tls(wire: Wire, shared: &Shared) -> Result<(Wire, Vec<u8>), (Wire, NoSession)> {
    let (seq, stream) = (wire.seq, wire.stream);
    let (Some(tls), Stream::Plain(tcp)) = (&shared.secrets.tls, stream) else {
        unreachable!("TLS is offered on plain streams, and only where it is configured")
    };
    let accepted = tls.accept(tcp).into_fallible().await;
    let mut wire = match accepted {
        Ok(stream) => Wire::new(Stream::TlsServer(Box::new(stream)), seq),
        Err((error, tcp)) => {
            let wire = Wire::new(Stream::Plain(tcp), seq);
            return Err((wire, NoSession::Broken(error.to_string())));
        }
    };
    match wire.read().await {
        Ok(payload) => Ok((wire, payload)),
        Err(error) => Err((wire, error)),
    }
}

async fn answer(
    worker: &Worker,
    wire: &mut Wire,
    payload: &[u8],
    offered: Capabilities,
    nonce: Nonce,
    peer: IpAddr,
    agreed: &mut Capabilities,
) -> Result<Login, NoSession> {
    let response = HandshakeResponse41::decode(payload).map_err(|_| bad_handshake())?;
    *agreed = response.capabilities.intersect(offered);
    let name = String::from_utf8_lossy(response.user).into_owned();
    let snapshot = worker.snapshot();
    let user = governance::users::find_user(&snapshot.users, &name, peer);
    authenticate(worker, wire, user, nonce, response.auth_plugin, response.auth_response)
        .await?
        .then_some(())
        .ok_or_else(|| {
            NoSession::Refused(denied(&name, peer, !response.auth_response.is_empty()))
        })?;
    let user = user.ok_or_else(|| NoSession::Refused(denied(&name, peer, true)))?;
    let database = response.database.map(|name| String::from_utf8_lossy(name).into_owned());
    Ok(Login {
        capabilities: *agreed,
        collation: response.collation,
        user: user.clone(),
        database: database.filter(|name| !name.is_empty()),
        nonce,
    })
}

/// True when the client is who it says. Also used by COM_CHANGE_USER.
async fn authenticate(
    worker: &Worker,
    wire: &mut Wire,
    user: Option<&UserConfig>,
    nonce: Nonce,
    plugin: Option<&[u8]>,
    response: &[u8],
) -> Result<bool, NoSession> {
    let verifiers = user.map(verifiers_of);
    let rsa = Some(&worker.shared.secrets.rsa);
    let mut auth = ServerAuth::new(nonce, verifiers, wire.stream.is_tls(), rsa);
    let mut step = auth.begin(plugin, response);
    loop {
        match step {
            ServerStep::Send(payload) => {
                wire.send(|out| out.extend_from_slice(&payload)).await?;
                let answer = wire.read().await?;
                step = auth.receive(&answer);
            }
            ServerStep::Accepted(last) => {
                if let Some(payload) = last {
                    wire.send(|out| out.extend_from_slice(&payload)).await?;
                }
                return Ok(true);
            }
            ServerStep::Denied => return Ok(false),
        }
    }
}

/// The verifiers of a user; those of an empty password are stored empty.
pub(crate) fn verifiers_of(user: &UserConfig) -> Verifiers {
    if user.native_verifier.is_empty() && user.sha2_verifier.is_empty() {
        return Verifiers::from_password(b"");
    }
    Verifiers {
        native: user.native_verifier.as_slice().try_into().ok(),
        sha2: user.sha2_verifier.as_slice().try_into().ok(),
    }
}

/// Error 1045 as MySQL words it.
pub(crate) fn denied(name: &str, peer: IpAddr, with_password: bool) -> StatementError {
    let using = if with_password { "YES" } else { "NO" };
    let text = format!("Access denied for user '{name}'@'{peer}' (using password: {using})");
    StatementError::new(1045, "28000", text)
}

/// Twenty random bytes without NUL, as old clients read the nonce as a text.
fn new_nonce() -> Nonce {
    let mut nonce = [0; 20];
    rand::rng().fill_bytes(&mut nonce);
    nonce.map(|byte| byte % 127 + 1)
}

fn open_session(worker: &Rc<Worker>, entered: Entered, wire: Wire, login: Login) -> Session {
    let Login { capabilities, collation, user, database, nonce } = login;
    let account = format!("{}@{}", user.name, user.host);
    let _ = entered.handle().user.set(account.clone());
    let settings = initial_settings(collation);
    let mut session = Session {
        worker: Rc::clone(worker),
        entered,
        client: wire.stream,
        unread: wire.buffer,
        command: Default::default(),
        capabilities,
        class: Class::of(capabilities),
        account,
        user: user.name,
        allowed_databases: user.databases,
        database: None,
        initial_settings: Arc::clone(&settings),
        settings,
        place: Place::of(None, SqlMode::default()),
        facts: Facts::of(&initial_settings(collation)),
        mode: SqlMode::default(),
        transaction: Transaction::default(),
        reads: Default::default(),
        statements: HashMap::new(),
        text_statements: HashMap::new(),
        next_statement_id: 1,
        diagnostics: Diagnostics::default(),
        out: Outgoing { seq: wire.seq, ..Outgoing::default() },
        statement: Vec::new(),
        walker: ResponseWalker::new(ResponseKind::Query, capabilities),
        is_answering: false,
        is_stopping: false,
        multi_statements: capabilities.contains(Capabilities::MULTI_STATEMENTS),
        temporary_tables: Vec::new(),
        open_cursors: 0,
        nonce,
        is_rebuilding: false,
        last_failed: false,
        statement_prelude: None,
        read_back: None,
        inserted: None,
        pin: None,
    };
    let snapshot = worker.snapshot();
    let chosen = database.map_or(Ok(()), |name| session.use_database(&name, &snapshot));
    match chosen {
        Ok(()) => session.put_ok(&Outcome::default()),
        Err(error) => {
            session.put_error(&error);
            session.entered.handle().ask(crate::registry::Request::CloseWhenIdle);
        }
    }
    session
}

/// The character set a client asks for by the collation of its handshake.
pub(crate) fn initial_settings(collation: u8) -> Arc<Settings> {
    let Some(known) = protocol::charset::find_by_id(u16::from(collation)) else {
        return Settings::baseline();
    };
    // MariaDB does not know MySQL's newer collations. The default of each server is what it is
    // itself for a client that asks for this one.
    let names = match known.name.contains("_0900_") {
        true => known.charset.to_owned(),
        false => format!("{} COLLATE {}", known.charset, known.name),
    };
    Settings { names, ..Settings::default() }.intern()
}

/// True when no further client is taken.
pub(crate) fn is_full(worker: &Worker) -> bool {
    let limits = &worker.shared.options.limits;
    let property = "proxy-frontend-max-connections";
    let configured = worker.snapshot().configuration.properties.get(property).cloned();
    let configured = configured.and_then(|text| text.parse().ok()).unwrap_or(0);
    let most = if limits.max_connections > 0 { limits.max_connections } else { configured };
    most > 0 && worker.shared.registry.len() > most as usize
}

/// Tells a client that there are too many.
pub(crate) async fn refuse_full(stream: Stream) {
    let mut wire = Wire::new(stream, 0);
    METRICS.logins_refused_total.increment();
    let error = StatementError::new(1040, "08004", "Too many connections");
    wire.refuse(&error, Capabilities::NONE).await;
}
