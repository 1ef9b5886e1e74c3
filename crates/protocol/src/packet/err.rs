//! ERR_Packet: a statement or a connection failed.

use crate::field::{Cursor, write_u16};
use crate::{Capabilities, DecodeError};

/// First byte of the packet.
pub const ERR_HEADER: u8 = 0xFF;

/// Code of an ERR packet that is a progress report of MariaDB and ends nothing.
pub const PROGRESS_CODE: u16 = 0xFFFF;

/// A failure.
///
/// # Source
/// `page_protocol_basic_err_packet`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrPacket<'a> {
    /// MySQL's error number.
    pub code: u16,
    /// SQLSTATE; servers leave it out before the capabilities are known.
    pub sqlstate: Option<[u8; 5]>,
    /// What went wrong, in the connection's character set.
    pub message: &'a [u8],
}

impl<'a> ErrPacket<'a> {
    /// A failure with the SQLSTATE that MySQL sends for `code`.
    pub fn new(code: u16, message: &'a str) -> Self {
        let sqlstate = Some(crate::error_code::sqlstate(code));
        Self { code, sqlstate, message: message.as_bytes() }
    }

    /// Reads the packet, with or without SQLSTATE.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != ERR_HEADER {
            return Err(DecodeError::Malformed("ERR packet without its 0xFF"));
        }
        let code = cursor.read_u16()?;
        let sqlstate = if cursor.peek() == Some(b'#') && cursor.remaining() >= 6 {
            cursor.skip(1)?;
            Some(cursor.read_array()?)
        } else {
            None
        };
        Ok(Self { code, sqlstate, message: cursor.read_rest() })
    }

    /// Appends the packet; the SQLSTATE goes only to a client of the 4.1 protocol.
    pub fn encode(&self, out: &mut Vec<u8>, capabilities: Capabilities) {
        out.push(ERR_HEADER);
        write_u16(out, self.code);
        if capabilities.contains(Capabilities::PROTOCOL_41) {
            out.push(b'#');
            out.extend_from_slice(&self.sqlstate.unwrap_or(*b"HY000"));
        }
        out.extend_from_slice(self.message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_of_the_manual() {
        let bytes = b"\xFF\x48\x04\x23HY000No tables used";
        let packet = ErrPacket::decode(bytes).unwrap();
        assert_eq!(packet.code, 1096);
        assert_eq!(packet.sqlstate, Some(*b"HY000"));
        assert_eq!(packet.message, b"No tables used");
        let mut out = Vec::new();
        packet.encode(&mut out, Capabilities::PROTOCOL_41);
        assert_eq!(out, bytes);
    }

    #[test]
    fn before_the_handshake_there_is_no_sqlstate() {
        let bytes = b"\xFF\x10\x04Too many connections";
        let packet = ErrPacket::decode(bytes).unwrap();
        assert_eq!((packet.code, packet.sqlstate), (1040, None));
        let mut out = Vec::new();
        packet.encode(&mut out, Capabilities::NONE);
        assert_eq!(out, bytes);
    }

    #[test]
    fn truncated() {
        for cut in 0..3 {
            assert!(ErrPacket::decode(&b"\xFF\x48\x04"[..cut]).is_err());
        }
        let short = ErrPacket::decode(b"\xFF\x48\x04#HY0").unwrap();
        assert_eq!((short.sqlstate, short.message), (None, &b"#HY0"[..]));
        assert!(ErrPacket::decode(b"\x00\x48\x04").is_err());
    }
}
