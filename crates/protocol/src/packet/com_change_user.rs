//! COM_CHANGE_USER: logs in again on the same connection.

use super::read_command;
use crate::field::{Cursor, write_lenenc_bytes, write_null_terminated, write_u16};
use crate::{Capabilities, Command, DecodeError};

/// Logs in again on the same connection and resets the session.
///
/// # Source
/// `page_protocol_com_change_user`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComChangeUser<'a> {
    /// User name.
    pub user: &'a [u8],
    /// Answer to the last nonce, for `auth_plugin`.
    pub auth_response: &'a [u8],
    /// Database to go to; empty for none.
    pub database: &'a [u8],
    /// Collation id; None if the packet ends before it.
    pub collation: Option<u16>,
    /// Plugin that made `auth_response`.
    pub auth_plugin: Option<&'a [u8]>,
    /// Connection attributes, as length-prefixed names and values in turn.
    pub attributes: &'a [u8],
}

impl<'a> ComChangeUser<'a> {
    /// Reads the packet. All from the collation on may be missing.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &'a [u8], capabilities: Capabilities) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::ChangeUser)?;
        let user = cursor.read_null_terminated()?;
        let auth_response = if capabilities.contains(Capabilities::SECURE_CONNECTION) {
            let length = cursor.read_u8()?;
            cursor.read_bytes(length.into())?
        } else {
            cursor.read_null_terminated()?
        };
        let database = cursor.read_null_terminated_or_rest();
        let mut packet = Self {
            user,
            auth_response,
            database,
            collation: None,
            auth_plugin: None,
            attributes: &[],
        };
        if cursor.is_empty() {
            return Ok(packet);
        }
        packet.collation = Some(cursor.read_u16()?);
        if capabilities.contains(Capabilities::PLUGIN_AUTH) && !cursor.is_empty() {
            packet.auth_plugin = Some(cursor.read_null_terminated_or_rest());
        }
        if capabilities.contains(Capabilities::CONNECT_ATTRS) && !cursor.is_empty() {
            packet.attributes = cursor.read_lenenc_bytes()?;
        }
        Ok(packet)
    }

    /// Appends the packet. An answer of more than 255 bytes is cut, which no plugin sends here.
    pub fn encode(&self, out: &mut Vec<u8>, capabilities: Capabilities) {
        out.push(Command::ChangeUser as u8);
        write_null_terminated(out, self.user);
        if capabilities.contains(Capabilities::SECURE_CONNECTION) {
            let kept = &self.auth_response[..self.auth_response.len().min(255)];
            out.push(kept.len() as u8);
            out.extend_from_slice(kept);
        } else {
            write_null_terminated(out, self.auth_response);
        }
        write_null_terminated(out, self.database);
        let Some(collation) = self.collation else { return };
        write_u16(out, collation);
        if capabilities.contains(Capabilities::PLUGIN_AUTH) {
            write_null_terminated(out, self.auth_plugin.unwrap_or_default());
            if capabilities.contains(Capabilities::CONNECT_ATTRS) {
                write_lenenc_bytes(out, self.attributes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CAPS: Capabilities = Capabilities(
        Capabilities::SECURE_CONNECTION.0
            | Capabilities::PLUGIN_AUTH.0
            | Capabilities::CONNECT_ATTRS.0,
    );

    #[test]
    fn bytes() {
        let bytes = b"\x11root\0\x03abctest\0\x2d\0mysql_native_password\0\x04\x01a\x01b";
        let packet = ComChangeUser::decode(bytes, CAPS).unwrap();
        assert_eq!((packet.user, packet.auth_response), (&b"root"[..], &b"abc"[..]));
        assert_eq!((packet.database, packet.collation), (&b"test"[..], Some(45)));
        assert_eq!(packet.auth_plugin, Some(&b"mysql_native_password"[..]));
        assert_eq!(packet.attributes, b"\x01a\x01b");
        let mut out = Vec::new();
        packet.encode(&mut out, CAPS);
        assert_eq!(out, bytes);
        let short = ComChangeUser::decode(&bytes[..15], CAPS).unwrap();
        assert_eq!((short.collation, short.auth_plugin), (None, None));
        for cut in 0..10 {
            assert!(ComChangeUser::decode(&bytes[..cut], CAPS).is_err(), "{cut}");
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(
            mut bytes in proptest::collection::vec(any::<u8>(), 1..64),
            caps: u64,
        ) {
            bytes[0] = 0x11;
            let _ = ComChangeUser::decode(&bytes, Capabilities(caps));
        }
    }
}
