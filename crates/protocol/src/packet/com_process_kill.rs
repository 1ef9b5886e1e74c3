//! COM_PROCESS_KILL: ends a connection.

use super::read_command;
use crate::field::{Cursor, write_u32};
use crate::{Command, DecodeError};

/// Ends a connection.
///
/// # Source
/// `page_protocol_com_process_kill`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComProcessKill {
    /// Its id, of the greeting.
    pub connection_id: u32,
}

impl ComProcessKill {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &[u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::ProcessKill)?;
        Ok(Self { connection_id: cursor.read_u32()? })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(Command::ProcessKill as u8);
        write_u32(out, self.connection_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let bytes = [0x0C, 9, 1, 0, 0];
        let packet = ComProcessKill::decode(&bytes).unwrap();
        assert_eq!(packet.connection_id, 265);
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, bytes);
        for cut in 0..bytes.len() {
            assert!(ComProcessKill::decode(&bytes[..cut]).is_err());
        }
    }
}
