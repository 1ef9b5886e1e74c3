//! AuthMoreData: a further packet of the server during authentication.

use crate::DecodeError;
use crate::field::Cursor;

/// First byte of the packet.
pub const AUTH_MORE_DATA_HEADER: u8 = 0x01;

/// A further packet of the server during authentication.
///
/// # Source
/// `page_protocol_connection_phase_packets_protocol_auth_more_data`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuthMoreData<'a> {
    /// What the plugin makes of it.
    pub data: &'a [u8],
}

impl<'a> AuthMoreData<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != AUTH_MORE_DATA_HEADER {
            return Err(DecodeError::Malformed("authentication data without its 0x01"));
        }
        Ok(Self { data: cursor.read_rest() })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(AUTH_MORE_DATA_HEADER);
        out.extend_from_slice(self.data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let packet = AuthMoreData::decode(&[0x01, 0x03]).unwrap();
        assert_eq!(packet.data, [0x03]);
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, [0x01, 0x03]);
        assert!(AuthMoreData::decode(&[]).is_err());
        assert!(AuthMoreData::decode(&[0x02]).is_err());
    }
}
