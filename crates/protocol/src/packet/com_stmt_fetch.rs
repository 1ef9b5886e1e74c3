//! COM_STMT_FETCH: further rows of a cursor.

use super::read_command;
use crate::field::{Cursor, write_u32};
use crate::{Command, DecodeError};

/// Asks for further rows of a cursor.
///
/// # Source
/// `page_protocol_com_stmt_fetch`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComStmtFetch {
    /// Id of the statement on this connection.
    pub statement_id: u32,
    /// Rows to send, at most.
    pub rows: u32,
}

impl ComStmtFetch {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &[u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::StmtFetch)?;
        Ok(Self { statement_id: cursor.read_u32()?, rows: cursor.read_u32()? })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(Command::StmtFetch as u8);
        write_u32(out, self.statement_id);
        write_u32(out, self.rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let bytes = [0x1C, 7, 0, 0, 0, 100, 0, 0, 0];
        let packet = ComStmtFetch::decode(&bytes).unwrap();
        assert_eq!((packet.statement_id, packet.rows), (7, 100));
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, bytes);
        for cut in 0..bytes.len() {
            assert!(ComStmtFetch::decode(&bytes[..cut]).is_err());
        }
    }
}
