//! COM_CHANGE_USER and COM_RESET_CONNECTION: the session begins anew.

use std::collections::HashMap;
use std::net::SocketAddr;

use kernel::error::StatementError;
use protocol::auth::{ServerAuth, ServerStep};
use protocol::capability::Capabilities;
use protocol::field::Cursor;
use protocol::frame::HEADER_LEN;
use storage::settings::Settings;

use crate::answer::Outcome;
use crate::execute::Failure;
use crate::login::{denied, initial_settings, verifiers_of};
use crate::receive::receive;
use crate::session::{Diagnostics, Session};
use crate::transaction;

/// How long the rollback of a session that ends may take before its connections are closed.
const CLOSE_LIMIT: std::time::Duration = std::time::Duration::from_secs(2);

/// Rolls back, closes statements, and puts settings back; the database stays.
pub(crate) async fn reset(session: &mut Session) {
    let_go(session).await;
    session.statements.clear();
    session.text_statements = HashMap::new();
    session.set_settings(std::sync::Arc::clone(&session.initial_settings));
    session.set_mode(sql::SqlMode::default());
    session.diagnostics = Diagnostics::default();
    session.reads = Default::default();
}

/// Undoes what was not committed and gives up every connection. One that was pinned has a state that
/// cannot be replayed or undone: it is closed, not given to others.
pub(crate) async fn let_go(session: &mut Session) {
    session.open_cursors = 0;
    transaction::rollback_or_close(session, CLOSE_LIMIT).await;
    session.temporary_tables.clear();
    if session.pin.take().is_some() {
        session.transaction.held.clear();
    }
}

/// The user of COM_CHANGE_USER, checked like a login.
pub(crate) async fn run(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    let malformed = || Failure::from(StatementError::new(1835, "HY000", "Malformed packet"));
    let asked = decode(body, session.capabilities).ok_or_else(malformed)?;
    let snapshot = session.worker.snapshot();
    let peer = session.entered.handle().host.parse::<SocketAddr>().map_err(|_| malformed())?;
    let address = peer.ip().to_canonical();
    let user = governance::users::find_user(&snapshot.users, &asked.user, address);
    let is_accepted = authenticate(session, user, &asked).await?;
    let (true, Some(user)) = (is_accepted, user) else {
        session.put_error(&denied(&asked.user, address, !asked.response.is_empty()));
        let _ = session.flush().await;
        return Err(Failure::Session);
    };
    reset(session).await;
    session.user.clone_from(&user.name);
    session.account = format!("{}@{}", user.name, user.host);
    session.allowed_databases.clone_from(&user.databases);
    session.set_database(None);
    session.initial_settings = asked.collation.map_or_else(Settings::baseline, initial_settings);
    session.set_settings(std::sync::Arc::clone(&session.initial_settings));
    if !asked.database.is_empty() {
        session.use_database(&asked.database, &snapshot)?;
    }
    session.put_ok(&Outcome::default());
    Ok(())
}

/// What the command asks for.
struct Asked {
    user: String,
    response: Vec<u8>,
    database: String,
    collation: Option<u8>,
    plugin: Option<Vec<u8>>,
}

/// # Source
/// `page_protocol_com_change_user`.
fn decode(body: &[u8], capabilities: Capabilities) -> Option<Asked> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut cursor = Cursor::new(body);
    let user = text(cursor.read_null_terminated().ok()?);
    let response = if capabilities.contains(Capabilities::SECURE_CONNECTION) {
        let length = cursor.read_u8().ok()?;
        cursor.read_bytes(length.into()).ok()?.to_vec()
    } else {
        cursor.read_null_terminated().ok()?.to_vec()
    };
    let database = text(cursor.read_null_terminated_or_rest());
    let collation = cursor.read_u16().ok().map(|id| id as u8);
    let plugin = (capabilities.contains(Capabilities::PLUGIN_AUTH) && !cursor.is_empty())
        .then(|| cursor.read_null_terminated_or_rest().to_vec());
    Some(Asked { user, response, database, collation, plugin })
}

/// Asks for a fresh answer: the greeting's nonce was used up by the login.
async fn authenticate(
    session: &mut Session,
    user: Option<&kernel::config::UserConfig>,
    asked: &Asked,
) -> Result<bool, Failure> {
    let worker = std::rc::Rc::clone(&session.worker);
    let is_secure = session.client.is_tls();
    let rsa = Some(&worker.shared.secrets.rsa);
    let verifiers = user.map(verifiers_of);
    let mut auth = ServerAuth::new(session.nonce, verifiers, is_secure, rsa);
    let mut step = auth.begin(asked.plugin.as_deref(), &asked.response);
    loop {
        match step {
            ServerStep::Send(payload) => {
                session.put_payload(&payload);
                session.flush().await?;
                receive(session).await.map_err(|_| Failure::Session)?;
                session.out.seq = session.command.bytes[HEADER_LEN - 1].wrapping_add(1);
                step = auth.receive(session.command.payload());
            }
            ServerStep::Accepted(last) => {
                if let Some(payload) = last {
                    session.put_payload(&payload);
                }
                return Ok(true);
            }
            ServerStep::Denied => return Ok(false),
        }
    }
}
