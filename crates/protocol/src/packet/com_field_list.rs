//! COM_FIELD_LIST: the columns of a table, as old clients ask for them.

use super::read_command;
use crate::field::{Cursor, write_null_terminated};
use crate::{Command, DecodeError};

/// Asks for the columns of a table.
///
/// # Source
/// `page_protocol_com_field_list`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComFieldList<'a> {
    /// Name of the table.
    pub table: &'a [u8],
    /// Pattern of column names, as in LIKE; empty for all.
    pub pattern: &'a [u8],
}

impl<'a> ComFieldList<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or the table's name does not end.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::FieldList)?;
        let table = cursor.read_null_terminated()?;
        let rest = cursor.read_rest();
        // Clients end the pattern with a NUL that is not part of it.
        Ok(Self { table, pattern: rest.strip_suffix(b"\0").unwrap_or(rest) })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(Command::FieldList as u8);
        write_null_terminated(out, self.table);
        out.extend_from_slice(self.pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let packet = ComFieldList::decode(b"\x04t1\0a%").unwrap();
        assert_eq!((packet.table, packet.pattern), (&b"t1"[..], &b"a%"[..]));
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, b"\x04t1\0a%");
        assert_eq!(ComFieldList::decode(b"\x04t1\0a%\0"), Ok(packet));
        assert!(ComFieldList::decode(b"\x04t1").is_err());
        assert!(ComFieldList::decode(b"").is_err());
    }
}
