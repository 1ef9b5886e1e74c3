//! HandshakeV10: the server's greeting.

use crate::field::{Cursor, write_null_terminated, write_u16, write_u32};
use crate::{Capabilities, DecodeError, StatusFlags};

/// Bytes of the nonce, without the NUL that follows it on the wire.
pub const NONCE_LEN: usize = 20;

/// The server's greeting.
///
/// # Source
/// `page_protocol_connection_phase_packets_protocol_handshake_v10`; the extended capabilities in
/// the reserved bytes: "Connecting", section "Initial Handshake Packet", of the MariaDB knowledge
/// base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandshakeV10<'a> {
    /// Announced version, e.g. `9.5.0` or `5.5.5-10.11.14-MariaDB`.
    pub server_version: &'a [u8],
    /// Connection id, the one of KILL.
    pub connection_id: u32,
    /// Nonce of the first authentication plugin.
    pub nonce: [u8; NONCE_LEN],
    /// What the server can do; MariaDB leaves LONG_PASSWORD unset and adds its extended flags.
    pub capabilities: Capabilities,
    /// Lower byte of the server's default collation id.
    pub collation: u8,
    /// Server status.
    pub status: StatusFlags,
    /// The first authentication plugin; empty without PLUGIN_AUTH.
    pub auth_plugin: &'a [u8],
}

impl<'a> HandshakeV10<'a> {
    /// Reads the greeting. An ERR packet in its place (too many connections, host blocked) is the
    /// caller's to look for first.
    ///
    /// # Errors
    /// [`DecodeError`] if it ends early or is of another protocol version.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != 10 {
            return Err(DecodeError::Malformed("greeting is not of protocol version 10"));
        }
        let server_version = cursor.read_null_terminated()?;
        let connection_id = cursor.read_u32()?;
        let mut nonce = [0; NONCE_LEN];
        nonce[..8].copy_from_slice(cursor.read_bytes(8)?);
        cursor.skip(1)?;
        let lower = cursor.read_u16()?;
        let collation = cursor.read_u8()?;
        let status = StatusFlags(cursor.read_u16()?);
        let lower = u32::from(lower) | u32::from(cursor.read_u16()?) << 16;
        let auth_data_len = usize::from(cursor.read_u8()?);
        cursor.skip(6)?;
        let extended = cursor.read_u32()?;
        let mut capabilities = Capabilities::from_halves(lower, 0);
        if !capabilities.contains(Capabilities::LONG_PASSWORD) {
            capabilities = Capabilities::from_halves(lower, extended);
        }
        if capabilities.contains(Capabilities::SECURE_CONNECTION) {
            let part = cursor.read_bytes(auth_data_len.saturating_sub(8).max(13))?;
            nonce[8..].copy_from_slice(&part[..NONCE_LEN - 8]);
        }
        let auth_plugin = if capabilities.contains(Capabilities::PLUGIN_AUTH) {
            // Servers before 5.5.10 leave the closing NUL out.
            cursor.read_null_terminated_or_rest()
        } else {
            &[]
        };
        Ok(Self {
            server_version,
            connection_id,
            nonce,
            capabilities,
            collation,
            status,
            auth_plugin,
        })
    }

    /// Appends the greeting. The extended capabilities are written only where LONG_PASSWORD is
    /// unset, as MariaDB does.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let lower = self.capabilities.lower();
        let has_plugin = self.capabilities.contains(Capabilities::PLUGIN_AUTH);
        out.push(10);
        write_null_terminated(out, self.server_version);
        write_u32(out, self.connection_id);
        out.extend_from_slice(&self.nonce[..8]);
        out.push(0);
        write_u16(out, lower as u16);
        out.push(self.collation);
        write_u16(out, self.status.bits());
        write_u16(out, (lower >> 16) as u16);
        out.push(if has_plugin { NONCE_LEN as u8 + 1 } else { 0 });
        out.extend_from_slice(&[0; 6]);
        let is_mariadb = !self.capabilities.contains(Capabilities::LONG_PASSWORD);
        write_u32(out, if is_mariadb { self.capabilities.extended() } else { 0 });
        if self.capabilities.contains(Capabilities::SECURE_CONNECTION) {
            out.extend_from_slice(&self.nonce[8..]);
            out.push(0);
        }
        if has_plugin {
            write_null_terminated(out, self.auth_plugin);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// MySQL 5.5.2's greeting of the manual, and MariaDB's with its extended flags.
    const MYSQL: &[u8] = b"\x0a5.5.2-m2\0\x0b\0\0\0\x64\x76\x48\x40\x49\x2d\x43\x4a\0\xff\xf7\
        \x08\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x2a\x34\x64\x7c\x63\x5a\x77\x6b\x34\x5e\x5d\x3a\0";
    const MARIADB: &[u8] = b"\x0a5.5.5-10.11.14-MariaDB\0\x1e\0\0\0abcdefgh\0\xfe\xf7\x2d\x02\0\
        \xff\x81\x15\0\0\0\0\0\0\x1d\0\0\0ijklmnopqrst\0mysql_native_password\0";

    #[test]
    fn greeting_of_the_manual() {
        let greeting = HandshakeV10::decode(MYSQL).unwrap();
        assert_eq!(greeting.server_version, b"5.5.2-m2");
        assert_eq!(greeting.connection_id, 11);
        assert_eq!(&greeting.nonce, b"dvH@I-CJ*4d|cZwk4^]:");
        assert_eq!(greeting.capabilities.bits(), 0xF7FF);
        assert_eq!((greeting.collation, greeting.status), (8, StatusFlags::AUTOCOMMIT));
        assert_eq!(greeting.auth_plugin, b"");
        let mut out = Vec::new();
        greeting.encode(&mut out);
        assert_eq!(out, MYSQL);
    }

    #[test]
    fn mariadb_has_extended_capabilities() {
        let greeting = HandshakeV10::decode(MARIADB).unwrap();
        assert_eq!(greeting.capabilities.bits(), 0x1D_81FF_F7FE);
        assert!(greeting.capabilities.contains(Capabilities::MARIADB_CACHE_METADATA));
        assert_eq!(&greeting.nonce, b"abcdefghijklmnopqrst");
        assert_eq!(greeting.auth_plugin, b"mysql_native_password");
        let mut out = Vec::new();
        greeting.encode(&mut out);
        assert_eq!(out, MARIADB);
    }

    #[test]
    fn truncated() {
        for cut in 0..MYSQL.len() {
            assert!(HandshakeV10::decode(&MYSQL[..cut]).is_err(), "{cut}");
        }
        assert!(HandshakeV10::decode(b"\x09\0").is_err());
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..96)) {
            let _ = HandshakeV10::decode(&bytes);
            if let Some(first) = bytes.first_mut() {
                *first = 10;
            }
            let _ = HandshakeV10::decode(&bytes);
        }
    }
}
