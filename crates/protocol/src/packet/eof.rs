//! EOF_Packet: ends metadata and rows where DEPRECATE_EOF was not negotiated.

use crate::field::{Cursor, write_u16};
use crate::{DecodeError, StatusFlags};

/// First byte of the packet.
pub const EOF_HEADER: u8 = 0xFE;

/// A packet that begins with 0xFE is an EOF packet only if it is shorter than this; longer ones
/// are rows, or OK packets where DEPRECATE_EOF was negotiated.
pub const EOF_MAX_LEN: usize = 9;

/// Ends metadata or rows.
///
/// # Source
/// `page_protocol_basic_eof_packet`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EofPacket {
    /// Warnings of the statement.
    pub warnings: u16,
    /// Server status.
    pub status: StatusFlags,
}

impl EofPacket {
    /// Whether `payload` is an EOF packet and not a row.
    pub fn is_eof(payload: &[u8]) -> bool {
        payload.first() == Some(&EOF_HEADER) && payload.len() < EOF_MAX_LEN
    }

    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &[u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != EOF_HEADER {
            return Err(DecodeError::Malformed("EOF packet without its 0xFE"));
        }
        Ok(Self { warnings: cursor.read_u16()?, status: StatusFlags(cursor.read_u16()?) })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(EOF_HEADER);
        write_u16(out, self.warnings);
        write_u16(out, self.status.bits());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_of_the_manual() {
        let bytes = [0xFE, 0x00, 0x00, 0x02, 0x00];
        let packet = EofPacket { warnings: 0, status: StatusFlags::AUTOCOMMIT };
        assert_eq!(EofPacket::decode(&bytes), Ok(packet));
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, bytes);
        for cut in 0..bytes.len() {
            assert!(EofPacket::decode(&bytes[..cut]).is_err());
        }
        assert!(EofPacket::decode(&[0, 0, 0, 0, 0]).is_err());
    }

    #[test]
    fn a_long_packet_is_a_row() {
        assert!(EofPacket::is_eof(&[0xFE, 0, 0, 2, 0]));
        assert!(!EofPacket::is_eof(&[0xFE, 0, 0, 2, 0, 0, 0, 0, 0]));
        assert!(!EofPacket::is_eof(&[]));
    }
}
