//! HandshakeResponse41: the client's answer to the greeting.

use crate::field::{Cursor, write_lenenc_bytes, write_lenenc_int, write_null_terminated};
use crate::packet::ssl_request::{SSL_REQUEST_LEN, SslRequest};
use crate::{Capabilities, DecodeError};

/// What a client sends first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientHandshake<'a> {
    /// It wants TLS before it says more.
    Ssl(SslRequest),
    /// Its whole answer.
    Response(HandshakeResponse41<'a>),
}

impl<'a> ClientHandshake<'a> {
    /// Reads what a client sends first.
    ///
    /// # Errors
    /// [`DecodeError::OldProtocol`] for HandshakeResponse320, else as
    /// [`HandshakeResponse41::decode`].
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let lower = Cursor::new(payload).read_u16()?;
        if u32::from(lower) & Capabilities::PROTOCOL_41.lower() == 0 {
            return Err(DecodeError::OldProtocol);
        }
        if u32::from(lower) & Capabilities::SSL.lower() != 0 && payload.len() == SSL_REQUEST_LEN {
            return SslRequest::decode(payload).map(Self::Ssl);
        }
        HandshakeResponse41::decode(payload).map(Self::Response)
    }
}

/// The client's answer to the greeting.
///
/// # Source
/// `page_protocol_connection_phase_packets_protocol_handshake_response`; MariaDB's flags in the
/// last four reserved bytes: "Connecting", section "Handshake Response Packet", of the MariaDB
/// knowledge base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandshakeResponse41<'a> {
    /// What the client wants.
    pub capabilities: Capabilities,
    /// Largest packet the client takes, in bytes.
    pub max_packet: u32,
    /// Lower byte of the client's collation id.
    pub collation: u8,
    /// User name, in the client's character set.
    pub user: &'a [u8],
    /// Answer to the nonce, for `auth_plugin`.
    pub auth_response: &'a [u8],
    /// Database to start in.
    pub database: Option<&'a [u8]>,
    /// Plugin that made `auth_response`.
    pub auth_plugin: Option<&'a [u8]>,
    /// Connection attributes, as length-prefixed names and values in turn; see
    /// [`HandshakeResponse41::attributes`].
    pub attributes: &'a [u8],
    /// Compression level; only under ZSTD_COMPRESSION.
    pub zstd_level: u8,
}

impl<'a> HandshakeResponse41<'a> {
    /// Reads the answer. Fields that its flags promise may be missing at the end, since several
    /// drivers leave them out.
    ///
    /// # Errors
    /// [`DecodeError`] if a field ends early; [`DecodeError::OldProtocol`] before 4.1.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        let SslRequest { capabilities, max_packet, collation } = SslRequest::read(&mut cursor)?;
        let user = cursor.read_null_terminated()?;
        let auth_response = read_auth_response(&mut cursor, capabilities)?;
        let has = |flag| capabilities.contains(flag);
        let mut response = Self {
            capabilities,
            max_packet,
            collation,
            user,
            auth_response,
            database: None,
            auth_plugin: None,
            attributes: &[],
            zstd_level: 0,
        };
        if has(Capabilities::CONNECT_WITH_DB) && !cursor.is_empty() {
            let database = cursor.read_null_terminated_or_rest();
            response.database = (!database.is_empty()).then_some(database);
        }
        if has(Capabilities::PLUGIN_AUTH) && !cursor.is_empty() {
            response.auth_plugin = Some(cursor.read_null_terminated_or_rest());
        }
        if has(Capabilities::CONNECT_ATTRS) && !cursor.is_empty() {
            response.attributes = cursor.read_lenenc_bytes()?;
        }
        if has(Capabilities::ZSTD_COMPRESSION) && !cursor.is_empty() {
            response.zstd_level = cursor.read_u8()?;
        }
        Ok(response)
    }

    /// Name and value of each connection attribute, up to the first malformed one.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'a> {
        let mut cursor = Cursor::new(self.attributes);
        std::iter::from_fn(move || {
            let name = cursor.read_lenenc_bytes().ok()?;
            Some((name, cursor.read_lenenc_bytes().ok()?))
        })
    }

    /// Appends the answer; what a flag does not announce is left out.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let has = |flag| self.capabilities.contains(flag);
        let fixed = SslRequest {
            capabilities: self.capabilities,
            max_packet: self.max_packet,
            collation: self.collation,
        };
        fixed.encode(out);
        write_null_terminated(out, self.user);
        if has(Capabilities::PLUGIN_AUTH_LENENC_CLIENT_DATA) {
            write_lenenc_bytes(out, self.auth_response);
        } else if has(Capabilities::SECURE_CONNECTION) {
            let kept = &self.auth_response[..self.auth_response.len().min(255)];
            out.push(kept.len() as u8);
            out.extend_from_slice(kept);
        } else {
            write_null_terminated(out, self.auth_response);
        }
        if has(Capabilities::CONNECT_WITH_DB) {
            write_null_terminated(out, self.database.unwrap_or_default());
        }
        if has(Capabilities::PLUGIN_AUTH) {
            write_null_terminated(out, self.auth_plugin.unwrap_or_default());
        }
        if has(Capabilities::CONNECT_ATTRS) {
            write_lenenc_int(out, self.attributes.len() as u64);
            out.extend_from_slice(self.attributes);
        }
        if has(Capabilities::ZSTD_COMPRESSION) {
            out.push(self.zstd_level);
        }
    }
}

fn read_auth_response<'a>(
    cursor: &mut Cursor<'a>,
    capabilities: Capabilities,
) -> Result<&'a [u8], DecodeError> {
    if capabilities.contains(Capabilities::PLUGIN_AUTH_LENENC_CLIENT_DATA) {
        cursor.read_lenenc_bytes()
    } else if capabilities.contains(Capabilities::SECURE_CONNECTION) {
        let length = cursor.read_u8()?;
        cursor.read_bytes(length.into())
    } else {
        Ok(cursor.read_null_terminated_or_rest())
    }
}

#[cfg(test)]
mod tests;
