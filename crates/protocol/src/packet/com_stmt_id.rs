//! COM_STMT_CLOSE and COM_STMT_RESET: a command byte and a statement id.

use super::read_command;
use crate::field::{Cursor, write_u32};
use crate::{Command, DecodeError};

/// COM_STMT_CLOSE, which has no answer, or COM_STMT_RESET.
///
/// # Source
/// `page_protocol_com_stmt_close`, `page_protocol_com_stmt_reset`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComStmtId {
    /// Id of the statement on this connection.
    pub statement_id: u32,
}

impl ComStmtId {
    /// Reads the packet of `command`.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &[u8], command: Command) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, command)?;
        Ok(Self { statement_id: cursor.read_u32()? })
    }

    /// Appends the packet of `command`.
    pub fn encode(&self, out: &mut Vec<u8>, command: Command) {
        out.push(command as u8);
        write_u32(out, self.statement_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let bytes = [0x19, 1, 0, 0, 0];
        let packet = ComStmtId::decode(&bytes, Command::StmtClose).unwrap();
        assert_eq!(packet.statement_id, 1);
        let mut out = Vec::new();
        packet.encode(&mut out, Command::StmtClose);
        assert_eq!(out, bytes);
        assert!(ComStmtId::decode(&bytes, Command::StmtReset).is_err());
        for cut in 0..bytes.len() {
            assert!(ComStmtId::decode(&bytes[..cut], Command::StmtClose).is_err());
        }
    }
}
