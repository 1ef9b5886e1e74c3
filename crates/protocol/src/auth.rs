//! Both sides of an authentication, as pure state machines over packets.
//!
//! [`ClientAuth`] answers a server, [`ServerAuth`] examines a client against [`Verifiers`]; the
//! clear password of a user is never stored.

mod client;
mod server;

pub mod caching_sha2;
pub mod constant_time;
pub mod native_password;
pub mod rsa_exchange;

pub use client::{AuthError, ClientAuth, ClientStep};
pub use rsa_exchange::RsaKey;
pub use server::{ServerAuth, ServerStep};

use crate::packet::handshake_v10::NONCE_LEN;

/// Random bytes that one authentication answers to. Servers send no NUL within them.
pub type Nonce = [u8; NONCE_LEN];

/// An authentication plugin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AuthPlugin {
    /// SHA-1 based; gone from MySQL 9, the usual one of MariaDB.
    NativePassword,
    /// SHA-256 based; MySQL's default since 8.0.
    CachingSha2,
    /// The password as it is; the client sends it over TLS only.
    ClearPassword,
}

impl AuthPlugin {
    /// The name that travels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NativePassword => "mysql_native_password",
            Self::CachingSha2 => "caching_sha2_password",
            Self::ClearPassword => "mysql_clear_password",
        }
    }

    /// The plugin of that name, if it is one of these.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        [Self::NativePassword, Self::CachingSha2, Self::ClearPassword]
            .into_iter()
            .find(|plugin| plugin.name().as_bytes() == name)
    }
}

/// What is stored of a user's password. At least one of the two is needed to log in.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Verifiers {
    /// SHA1(SHA1(password)), for mysql_native_password.
    pub native: Option<[u8; 20]>,
    /// SHA256(SHA256(password)), for caching_sha2_password.
    pub sha2: Option<[u8; 32]>,
}

impl Verifiers {
    /// Both verifiers of a clear password, which may be empty.
    pub fn from_password(password: &[u8]) -> Self {
        Self {
            native: Some(native_password::verifier(password)),
            sha2: Some(caching_sha2::verifier(password)),
        }
    }

    /// Whether `password` is the one; every verifier present has to agree.
    pub fn accepts_password(&self, password: &[u8]) -> bool {
        let native = self
            .native
            .map(|stored| constant_time::equals(&stored, &native_password::verifier(password)));
        let sha2 = self
            .sha2
            .map(|stored| constant_time::equals(&stored, &caching_sha2::verifier(password)));
        (native.is_some() || sha2.is_some()) && native.unwrap_or(true) && sha2.unwrap_or(true)
    }
}

impl std::fmt::Debug for Verifiers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A verifier is enough to log in, so it must not reach a log.
        formatter.write_str("Verifiers(..)")
    }
}

#[cfg(test)]
mod tests;
