//! The server's side of an authentication.

use super::rsa_exchange::{RsaKey, strip_nul};
use super::{AuthPlugin, Nonce, Verifiers, caching_sha2, native_password};
use crate::packet::{AuthMoreData, AuthSwitchRequest};

/// What to do after a packet of the client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerStep {
    /// Send this payload, then read on.
    Send(Vec<u8>),
    /// The client is who it says. Send this payload, if there is one, before the OK packet.
    Accepted(Option<Vec<u8>>),
    /// It is not; send error 1045.
    Denied,
}

/// What the next packet of the client must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expects {
    /// The answer of the plugin switched to.
    Response,
    /// The password, or a request for the RSA key.
    Password,
    /// The password under the RSA key.
    EncryptedPassword,
    Nothing,
}

/// Examines one client.
#[derive(Debug)]
pub struct ServerAuth<'k> {
    plugin: AuthPlugin,
    nonce: Nonce,
    /// None for a user that does not exist; the exchange is then that of a wrong password.
    verifiers: Option<Verifiers>,
    is_secure: bool,
    rsa_key: Option<&'k RsaKey>,
    expects: Expects,
}

impl<'k> ServerAuth<'k> {
    /// `nonce` is the greeting's, `verifiers` those of the user named, `is_secure` whether the
    /// connection hides what is sent. Without `rsa_key` a full authentication needs TLS.
    pub const fn new(
        nonce: Nonce,
        verifiers: Option<Verifiers>,
        is_secure: bool,
        rsa_key: Option<&'k RsaKey>,
    ) -> Self {
        Self {
            plugin: AuthPlugin::CachingSha2,
            nonce,
            verifiers,
            is_secure,
            rsa_key,
            expects: Expects::Nothing,
        }
    }

    /// The plugin in use.
    pub const fn plugin(&self) -> AuthPlugin {
        self.plugin
    }

    /// Takes plugin and answer of the handshake response or of COM_CHANGE_USER. A client that
    /// names no plugin means mysql_native_password; one that names another than the two is asked
    /// to switch.
    pub fn begin(&mut self, client_plugin: Option<&[u8]>, response: &[u8]) -> ServerStep {
        let plugin = match client_plugin {
            None | Some(b"") => Some(AuthPlugin::NativePassword),
            Some(name) => AuthPlugin::from_name(name),
        };
        match plugin {
            Some(AuthPlugin::CachingSha2) if self.can_use_sha2() => {
                self.plugin = AuthPlugin::CachingSha2;
                self.check_response(response)
            }
            Some(AuthPlugin::NativePassword) if self.can_use_native() => {
                self.plugin = AuthPlugin::NativePassword;
                self.check_response(response)
            }
            _ => self.switch(),
        }
    }

    fn can_use_native(&self) -> bool {
        self.verifiers.is_none_or(|verifiers| verifiers.native.is_some())
    }

    /// With the native verifier alone, caching_sha2_password needs the clear password.
    fn can_use_sha2(&self) -> bool {
        let has_verifier = self.verifiers.is_none_or(|verifiers| verifiers.sha2.is_some());
        has_verifier || self.is_secure || self.rsa_key.is_some()
    }

    fn switch(&mut self) -> ServerStep {
        let (sha2, native) = (self.can_use_sha2(), self.can_use_native());
        self.plugin =
            if sha2 || !native { AuthPlugin::CachingSha2 } else { AuthPlugin::NativePassword };
        self.expects = Expects::Response;
        let mut payload = Vec::new();
        AuthSwitchRequest::encode(&mut payload, self.plugin.name().as_bytes(), &self.nonce);
        ServerStep::Send(payload)
    }

    /// Takes a further packet of the client.
    pub fn receive(&mut self, payload: &[u8]) -> ServerStep {
        match std::mem::replace(&mut self.expects, Expects::Nothing) {
            Expects::Response => self.check_response(payload),
            Expects::Password if self.is_secure => self.check_password(payload.to_vec()),
            Expects::Password => match (payload, self.rsa_key) {
                (_, None) => ServerStep::Denied,
                ([caching_sha2::REQUEST_PUBLIC_KEY], Some(key)) => {
                    self.expects = Expects::EncryptedPassword;
                    ServerStep::Send(more_data(key.public_pem().as_bytes()))
                }
                (encrypted, Some(key)) => self.check_encrypted(encrypted, key),
            },
            Expects::EncryptedPassword => match self.rsa_key {
                Some(key) => self.check_encrypted(payload, key),
                None => ServerStep::Denied,
            },
            Expects::Nothing => ServerStep::Denied,
        }
    }

    fn check_response(&mut self, response: &[u8]) -> ServerStep {
        let Some(verifiers) = self.verifiers else { return ServerStep::Denied };
        if self.plugin == AuthPlugin::NativePassword {
            let is_right = verifiers
                .native
                .is_some_and(|stored| native_password::check(response, &self.nonce, &stored));
            return if is_right { ServerStep::Accepted(None) } else { ServerStep::Denied };
        }
        match verifiers.sha2 {
            Some(stored) if caching_sha2::check(response, &self.nonce, &stored) => {
                // An empty password is accepted without the fast path's packet.
                let is_empty = response.is_empty() || response == [0];
                let fast = (!is_empty).then(|| more_data(&[caching_sha2::FAST_AUTH_SUCCESS]));
                ServerStep::Accepted(fast)
            }
            Some(_) => ServerStep::Denied,
            None if response.is_empty() || response == [0] => self.check_password(Vec::new()),
            None => {
                self.expects = Expects::Password;
                ServerStep::Send(more_data(&[caching_sha2::PERFORM_FULL_AUTHENTICATION]))
            }
        }
    }

    fn check_encrypted(&self, sent: &[u8], key: &RsaKey) -> ServerStep {
        match key.decrypt_password(sent, &self.nonce) {
            Ok(password) => self.check_password(password),
            Err(_) => ServerStep::Denied,
        }
    }

    fn check_password(&self, mut password: Vec<u8>) -> ServerStep {
        strip_nul(&mut password);
        match self.verifiers {
            Some(verifiers) if verifiers.accepts_password(&password) => ServerStep::Accepted(None),
            _ => ServerStep::Denied,
        }
    }
}

fn more_data(data: &[u8]) -> Vec<u8> {
    let mut payload = Vec::new();
    AuthMoreData { data }.encode(&mut payload);
    payload
}
