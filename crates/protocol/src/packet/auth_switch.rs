//! AuthSwitchRequest: the server wants another authentication plugin.

use crate::DecodeError;
use crate::field::{Cursor, write_null_terminated};
use crate::packet::handshake_v10::NONCE_LEN;

/// First byte of the packet.
pub const AUTH_SWITCH_HEADER: u8 = 0xFE;

/// The server wants another authentication plugin; the client answers with that plugin's bytes.
///
/// # Source
/// `page_protocol_connection_phase_packets_protocol_auth_switch_request`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuthSwitchRequest<'a> {
    /// Name of the plugin.
    pub plugin: &'a [u8],
    /// The plugin's data: for the password plugins a nonce, and a NUL that some servers leave out.
    pub data: &'a [u8],
}

impl<'a> AuthSwitchRequest<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError::OldProtocol`] if the server wants the hashes of MySQL 4.0 (a packet of one
    /// byte), [`DecodeError`] if it ends early.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != AUTH_SWITCH_HEADER {
            return Err(DecodeError::Malformed("authentication switch without its 0xFE"));
        }
        if cursor.is_empty() {
            return Err(DecodeError::OldProtocol);
        }
        Ok(Self { plugin: cursor.read_null_terminated()?, data: cursor.read_rest() })
    }

    /// The data as a nonce.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if it is shorter.
    pub fn nonce(&self) -> Result<[u8; NONCE_LEN], DecodeError> {
        Cursor::new(self.data).read_array()
    }

    /// Appends the packet for a plugin that takes a nonce.
    pub fn encode(out: &mut Vec<u8>, plugin: &[u8], nonce: &[u8; NONCE_LEN]) {
        out.push(AUTH_SWITCH_HEADER);
        write_null_terminated(out, plugin);
        out.extend_from_slice(nonce);
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let bytes = b"\xFEmysql_native_password\0abcdefghijklmnopqrst\0";
        let request = AuthSwitchRequest::decode(bytes).unwrap();
        assert_eq!(request.plugin, b"mysql_native_password");
        assert_eq!(request.nonce(), Ok(*b"abcdefghijklmnopqrst"));
        let mut out = Vec::new();
        AuthSwitchRequest::encode(&mut out, request.plugin, b"abcdefghijklmnopqrst");
        assert_eq!(out, bytes);
        assert_eq!(AuthSwitchRequest::decode(&bytes[..1]), Err(DecodeError::OldProtocol));
        for cut in 2..bytes.len() - 1 {
            let short = AuthSwitchRequest::decode(&bytes[..cut]);
            assert!(short.and_then(|request| request.nonce()).is_err());
        }
        assert!(AuthSwitchRequest::decode(b"").is_err());
        assert!(AuthSwitchRequest::decode(b"\x01a\0").is_err());
    }
}
