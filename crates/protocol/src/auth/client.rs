//! The client's side of an authentication.

use super::rsa_exchange::encrypt_password;
use super::{AuthPlugin, Nonce, caching_sha2, native_password};
use crate::DecodeError;
use crate::packet::{AuthMoreData, AuthSwitchRequest};

/// Why an authentication cannot go on, before the server said so itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AuthError {
    /// A packet could not be read.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The server wants a plugin that is not built in.
    #[error(
        "server asks for authentication plugin {0}, which is not supported; give the account caching_sha2_password or mysql_native_password"
    )]
    UnknownPlugin(String),
    /// The server wants the clear password on a connection that does not hide it.
    #[error("server asks for the clear password; use TLS for this connection")]
    NeedsTls,
    /// The server's key would have to be fetched from the server, which was not allowed.
    #[error("server asks for the password under its RSA key; use TLS, or allow to fetch the key")]
    NeedsPublicKey,
    /// The server's key does not work.
    #[error(transparent)]
    Rsa(#[from] super::rsa_exchange::RsaError),
}

/// What to do after a packet of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientStep {
    /// Send this payload, then read on.
    Send(Vec<u8>),
    /// Read on.
    Wait,
    /// The server said OK; the packet given is the OK packet.
    Accepted,
    /// The server said ERR; the packet given is the ERR packet.
    Refused,
}

/// Answers a server that wants proof of a password.
pub struct ClientAuth<'p> {
    plugin: AuthPlugin,
    nonce: Nonce,
    password: &'p [u8],
    is_secure: bool,
    may_fetch_key: bool,
    wants_key: bool,
}

impl<'p> ClientAuth<'p> {
    /// Begins with the plugin and nonce of the greeting. A plugin that is not built in becomes
    /// mysql_native_password; the server then switches.
    ///
    /// `is_secure`: the connection hides what is sent (TLS, or a Unix socket). `may_fetch_key`:
    /// where it does not, the server's RSA key is fetched over it, which an attacker in between
    /// could replace.
    pub fn new(
        greeted_plugin: &[u8],
        nonce: Nonce,
        password: &'p [u8],
        is_secure: bool,
        may_fetch_key: bool,
    ) -> Self {
        let plugin = match AuthPlugin::from_name(greeted_plugin) {
            Some(plugin @ (AuthPlugin::NativePassword | AuthPlugin::CachingSha2)) => plugin,
            _ => AuthPlugin::NativePassword,
        };
        Self { plugin, nonce, password, is_secure, may_fetch_key, wants_key: false }
    }

    /// The plugin that the handshake response names, later the one switched to.
    pub const fn plugin(&self) -> AuthPlugin {
        self.plugin
    }

    /// The answer in the handshake response, or in COM_CHANGE_USER.
    pub fn response(&self) -> Vec<u8> {
        match self.plugin {
            AuthPlugin::NativePassword => native_password::scramble(self.password, &self.nonce),
            AuthPlugin::CachingSha2 => caching_sha2::scramble(self.password, &self.nonce),
            AuthPlugin::ClearPassword => self.clear_password(),
        }
    }

    /// Takes the next packet of the server.
    ///
    /// # Errors
    /// [`AuthError`] if the exchange cannot go on; the connection has to be closed.
    pub fn receive(&mut self, payload: &[u8]) -> Result<ClientStep, AuthError> {
        match payload.first() {
            Some(0x00) => Ok(ClientStep::Accepted),
            Some(0xFF) => Ok(ClientStep::Refused),
            Some(0xFE) => self.switch(AuthSwitchRequest::decode(payload)?),
            Some(0x01) => self.answer_more(AuthMoreData::decode(payload)?.data),
            _ => Err(DecodeError::Malformed("unexpected packet during authentication").into()),
        }
    }

    fn switch(&mut self, request: AuthSwitchRequest<'_>) -> Result<ClientStep, AuthError> {
        let Some(plugin) = AuthPlugin::from_name(request.plugin) else {
            let name = String::from_utf8_lossy(request.plugin).into_owned();
            return Err(AuthError::UnknownPlugin(name));
        };
        if plugin == AuthPlugin::ClearPassword && !self.is_secure {
            return Err(AuthError::NeedsTls);
        }
        self.plugin = plugin;
        self.wants_key = false;
        if plugin != AuthPlugin::ClearPassword {
            self.nonce = request.nonce()?;
        }
        Ok(ClientStep::Send(self.response()))
    }

    fn answer_more(&mut self, data: &[u8]) -> Result<ClientStep, AuthError> {
        if self.plugin != AuthPlugin::CachingSha2 {
            return Err(DecodeError::Malformed("more data for a plugin that takes none").into());
        }
        if self.wants_key {
            self.wants_key = false;
            return Ok(ClientStep::Send(encrypt_password(self.password, &self.nonce, data)?));
        }
        match data {
            [caching_sha2::FAST_AUTH_SUCCESS] => Ok(ClientStep::Wait),
            [caching_sha2::PERFORM_FULL_AUTHENTICATION] if self.is_secure => {
                Ok(ClientStep::Send(self.clear_password()))
            }
            [caching_sha2::PERFORM_FULL_AUTHENTICATION] if self.may_fetch_key => {
                self.wants_key = true;
                Ok(ClientStep::Send(vec![caching_sha2::REQUEST_PUBLIC_KEY]))
            }
            [caching_sha2::PERFORM_FULL_AUTHENTICATION] => Err(AuthError::NeedsPublicKey),
            _ => Err(DecodeError::Malformed("unknown step of caching_sha2_password").into()),
        }
    }

    fn clear_password(&self) -> Vec<u8> {
        let mut clear = self.password.to_vec();
        clear.push(0);
        clear
    }
}

impl std::fmt::Debug for ClientAuth<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ClientAuth").field("plugin", &self.plugin).finish_non_exhaustive()
    }
}
