//! OK_Packet: a statement succeeded, or rows end where DEPRECATE_EOF was negotiated.

use crate::field::{Cursor, write_lenenc_bytes, write_lenenc_int, write_u16};
use crate::{Capabilities, DecodeError, StatusFlags};

/// Which byte an OK packet begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum OkHeader {
    /// Success without rows.
    Ok = 0x00,
    /// The end of rows; only under DEPRECATE_EOF.
    EndOfRows = 0xFE,
}

/// A success.
///
/// # Source
/// `page_protocol_basic_ok_packet`. Deviating from the page, servers length-prefix `info` also
/// where SESSION_TRACK was not negotiated; both forms are read, and the prefix is written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OkPacket<'a> {
    /// Rows changed, or found under FOUND_ROWS.
    pub affected_rows: u64,
    /// The first generated AUTO_INCREMENT value, else 0.
    pub last_insert_id: u64,
    /// Server status.
    pub status: StatusFlags,
    /// Warnings of the statement.
    pub warnings: u16,
    /// A human-readable remark, e.g. `Records: 3  Duplicates: 0  Warnings: 0`.
    pub info: &'a [u8],
    /// Session state changes, as entries one after the other; see `session_state`.
    pub session_state: &'a [u8],
}

impl<'a> OkPacket<'a> {
    /// Reads the packet, whichever byte it begins with.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &'a [u8], capabilities: Capabilities) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        let header = cursor.read_u8()?;
        if header != OkHeader::Ok as u8 && header != OkHeader::EndOfRows as u8 {
            return Err(DecodeError::Malformed("OK packet without its 0x00 or 0xFE"));
        }
        let mut packet = Self {
            affected_rows: cursor.read_lenenc_int()?,
            last_insert_id: cursor.read_lenenc_int()?,
            status: StatusFlags(cursor.read_u16()?),
            warnings: cursor.read_u16()?,
            info: &[],
            session_state: &[],
        };
        if cursor.is_empty() {
            return Ok(packet);
        }
        if !capabilities.contains(Capabilities::SESSION_TRACK) {
            packet.info = read_unmarked_info(cursor);
            return Ok(packet);
        }
        packet.info = cursor.read_lenenc_bytes()?;
        if packet.status.contains(StatusFlags::SESSION_STATE_CHANGED) && !cursor.is_empty() {
            packet.session_state = cursor.read_lenenc_bytes()?;
        }
        Ok(packet)
    }

    /// Appends the packet.
    ///
    /// Session state goes only to a client of SESSION_TRACK; the status flag follows from its
    /// presence.
    pub fn encode(&self, out: &mut Vec<u8>, header: OkHeader, capabilities: Capabilities) {
        let tracked = capabilities.contains(Capabilities::SESSION_TRACK);
        let has_state = tracked && !self.session_state.is_empty();
        let mut status = self.status;
        status.set(StatusFlags::SESSION_STATE_CHANGED, has_state);
        out.push(header as u8);
        write_lenenc_int(out, self.affected_rows);
        write_lenenc_int(out, self.last_insert_id);
        write_u16(out, status.bits());
        write_u16(out, self.warnings);
        if has_state || !self.info.is_empty() {
            write_lenenc_bytes(out, self.info);
        }
        if has_state {
            write_lenenc_bytes(out, self.session_state);
        }
    }
}

fn read_unmarked_info<'a>(mut cursor: Cursor<'a>) -> &'a [u8] {
    let mut prefixed = cursor.clone();
    match prefixed.read_lenenc_bytes() {
        Ok(info) if prefixed.is_empty() => info,
        _ => cursor.read_rest(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn packet_of_the_manual() {
        let bytes = [0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00];
        let packet = OkPacket { status: StatusFlags::AUTOCOMMIT, ..OkPacket::default() };
        assert_eq!(OkPacket::decode(&bytes, Capabilities::PROTOCOL_41), Ok(packet));
        let mut out = Vec::new();
        packet.encode(&mut out, OkHeader::Ok, Capabilities::PROTOCOL_41);
        assert_eq!(out, bytes);
        for cut in 0..bytes.len() {
            assert!(OkPacket::decode(&bytes[..cut], Capabilities::PROTOCOL_41).is_err());
        }
        assert!(OkPacket::decode(&[0x01; 7], Capabilities::PROTOCOL_41).is_err());
    }

    #[test]
    fn session_state() {
        // USE test, as MySQL answers it: SESSION_TRACK_SCHEMA "test".
        let bytes = b"\x00\x00\x00\x02\x40\x00\x00\x00\x07\x01\x05\x04test";
        let packet = OkPacket::decode(bytes, Capabilities::SESSION_TRACK).unwrap();
        assert_eq!(packet.info, b"");
        assert_eq!(packet.session_state, b"\x01\x05\x04test");
        let mut out = Vec::new();
        packet.encode(&mut out, OkHeader::Ok, Capabilities::SESSION_TRACK);
        assert_eq!(out, bytes);
        out.clear();
        packet.encode(&mut out, OkHeader::EndOfRows, Capabilities::NONE);
        assert_eq!(out, b"\xFE\x00\x00\x02\x00\x00\x00");
        for cut in 8..bytes.len() - 1 {
            if cut == 8 {
                continue;
            }
            assert!(OkPacket::decode(&bytes[..cut], Capabilities::SESSION_TRACK).is_err());
        }
    }

    #[test]
    fn info_with_and_without_its_length() {
        let bytes = b"\x00\x01\x00\x02\x00\x00\x00\x04info";
        for capabilities in [Capabilities::NONE, Capabilities::SESSION_TRACK] {
            assert_eq!(OkPacket::decode(bytes, capabilities).unwrap().info, b"info");
        }
        let bare = b"\x00\x01\x00\x02\x00\x00\x00info";
        assert_eq!(OkPacket::decode(bare, Capabilities::NONE).unwrap().info, b"info");
    }

    proptest! {
        #[test]
        fn round_trip(
            affected_rows: u64,
            last_insert_id: u64,
            warnings: u16,
            info in proptest::collection::vec(any::<u8>(), 0..300),
            state in proptest::collection::vec(any::<u8>(), 0..300),
        ) {
            let mut status = StatusFlags::IN_TRANS;
            status.set(StatusFlags::SESSION_STATE_CHANGED, !state.is_empty());
            let packet = OkPacket {
                affected_rows, last_insert_id, status, warnings, info: &info, session_state: &state,
            };
            let mut out = Vec::new();
            packet.encode(&mut out, OkHeader::EndOfRows, Capabilities::SESSION_TRACK);
            prop_assert_eq!(OkPacket::decode(&out, Capabilities::SESSION_TRACK), Ok(packet));
        }

        #[test]
        fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = OkPacket::decode(&bytes, Capabilities::SESSION_TRACK);
            let _ = OkPacket::decode(&bytes, Capabilities::NONE);
        }
    }
}
