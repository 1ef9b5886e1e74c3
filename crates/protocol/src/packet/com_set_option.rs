//! COM_SET_OPTION: allows or forbids several statements in one COM_QUERY.

use super::read_command;
use crate::field::{Cursor, write_u16};
use crate::{Command, DecodeError};

/// Allows or forbids several statements in one COM_QUERY.
///
/// # Source
/// `page_protocol_com_set_option`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComSetOption {
    /// Whether they are allowed from now on.
    pub allows_multi_statements: bool,
}

impl ComSetOption {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none, ends early or sets an option that does not exist.
    pub fn decode(payload: &[u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::SetOption)?;
        match cursor.read_u16()? {
            0 => Ok(Self { allows_multi_statements: true }),
            1 => Ok(Self { allows_multi_statements: false }),
            _ => Err(DecodeError::Malformed("option that does not exist")),
        }
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(Command::SetOption as u8);
        write_u16(out, u16::from(!self.allows_multi_statements));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        for (bytes, allows_multi_statements) in [([0x1B, 0, 0], true), ([0x1B, 1, 0], false)] {
            let packet = ComSetOption { allows_multi_statements };
            assert_eq!(ComSetOption::decode(&bytes), Ok(packet));
            let mut out = Vec::new();
            packet.encode(&mut out);
            assert_eq!(out, bytes);
            assert!(ComSetOption::decode(&bytes[..2]).is_err());
        }
        assert!(ComSetOption::decode(&[0x1B, 2, 0]).is_err());
    }
}
