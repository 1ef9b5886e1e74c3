//! SSLRequest: the first 32 bytes of a handshake response, after which TLS begins.

use crate::field::{Cursor, write_u32};
use crate::{Capabilities, DecodeError};

/// Bytes of the packet.
pub const SSL_REQUEST_LEN: usize = 32;

/// Asks to switch to TLS; the whole response follows inside it.
///
/// # Source
/// `page_protocol_connection_phase_packets_protocol_ssl_request`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SslRequest {
    /// What the client wants, SSL among it.
    pub capabilities: Capabilities,
    /// Largest packet the client takes, in bytes.
    pub max_packet: u32,
    /// Lower byte of the client's collation id.
    pub collation: u8,
}

impl SslRequest {
    /// Reads the fixed part that SSLRequest and HandshakeResponse41 share.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError> {
        let lower = cursor.read_u32()?;
        if lower & Capabilities::PROTOCOL_41.lower() == 0 {
            return Err(DecodeError::OldProtocol);
        }
        let max_packet = cursor.read_u32()?;
        let collation = cursor.read_u8()?;
        cursor.skip(19)?;
        let extended = cursor.read_u32()?;
        let is_mysql = lower & Capabilities::LONG_PASSWORD.lower() != 0;
        let capabilities = Capabilities::from_halves(lower, if is_mysql { 0 } else { extended });
        Ok(Self { capabilities, max_packet, collation })
    }

    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it ends early; [`DecodeError::OldProtocol`] before 4.1.
    pub fn decode(payload: &[u8]) -> Result<Self, DecodeError> {
        Self::read(&mut Cursor::new(payload))
    }

    /// Appends the packet. MariaDB's flags are written only where LONG_PASSWORD is unset.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let is_mysql = self.capabilities.contains(Capabilities::LONG_PASSWORD);
        write_u32(out, self.capabilities.lower());
        write_u32(out, self.max_packet);
        out.push(self.collation);
        out.extend_from_slice(&[0; 19]);
        write_u32(out, if is_mysql { 0 } else { self.capabilities.extended() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let mut bytes = vec![0x05, 0xAE, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01, 0x08];
        bytes.resize(32, 0);
        let request = SslRequest::decode(&bytes).unwrap();
        assert_eq!(request.capabilities.bits(), 0x3AE05);
        assert!(request.capabilities.contains(Capabilities::SSL));
        assert_eq!((request.max_packet, request.collation), (1 << 24, 8));
        let mut out = Vec::new();
        request.encode(&mut out);
        assert_eq!(out, bytes);
        for cut in 0..bytes.len() {
            assert!(SslRequest::decode(&bytes[..cut]).is_err());
        }
    }
}
