//! COM_STMT_SEND_LONG_DATA: a piece of a parameter, ahead of the execution. It has no answer.

use super::read_command;
use crate::field::{Cursor, write_u16, write_u32};
use crate::{Command, DecodeError};

/// A piece of a parameter; pieces of one parameter are put together in order.
///
/// # Source
/// `page_protocol_com_stmt_send_long_data`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComStmtSendLongData<'a> {
    /// Id of the statement on this connection.
    pub statement_id: u32,
    /// Which parameter, from 0.
    pub param: u16,
    /// The piece.
    pub data: &'a [u8],
}

impl<'a> ComStmtSendLongData<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::StmtSendLongData)?;
        let statement_id = cursor.read_u32()?;
        Ok(Self { statement_id, param: cursor.read_u16()?, data: cursor.read_rest() })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(Command::StmtSendLongData as u8);
        write_u32(out, self.statement_id);
        write_u16(out, self.param);
        out.extend_from_slice(self.data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let bytes = b"\x18\x07\0\0\0\x02\0piece";
        let packet = ComStmtSendLongData::decode(bytes).unwrap();
        assert_eq!((packet.statement_id, packet.param, packet.data), (7, 2, &b"piece"[..]));
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, bytes);
        assert_eq!(ComStmtSendLongData::decode(&bytes[..7]).unwrap().data, b"");
        for cut in 0..7 {
            assert!(ComStmtSendLongData::decode(&bytes[..cut]).is_err());
        }
    }
}
