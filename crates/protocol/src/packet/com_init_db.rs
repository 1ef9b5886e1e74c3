//! COM_INIT_DB: changes the default database.

use super::read_command;
use crate::field::Cursor;
use crate::{Command, DecodeError};

/// Changes the default database.
///
/// # Source
/// `page_protocol_com_init_db`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComInitDb<'a> {
    /// Its name, in the client's character set.
    pub database: &'a [u8],
}

impl<'a> ComInitDb<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::InitDb)?;
        Ok(Self { database: cursor.read_rest() })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(Command::InitDb as u8);
        out.extend_from_slice(self.database);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let packet = ComInitDb::decode(b"\x02test").unwrap();
        assert_eq!(packet.database, b"test");
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, b"\x02test");
        assert!(ComInitDb::decode(b"").is_err());
        assert!(ComInitDb::decode(b"\x03test").is_err());
    }
}
