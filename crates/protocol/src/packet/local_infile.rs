//! LOCAL INFILE request: the server wants a file of the client (LOAD DATA LOCAL).

use crate::DecodeError;
use crate::field::{Cursor, LENENC_NULL};

/// The server wants a file of the client, which sends it in packets and then an empty one.
///
/// # Source
/// `page_protocol_com_query_response_local_infile_request`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalInfileRequest<'a> {
    /// Name of the file, as the statement has it.
    pub file_name: &'a [u8],
}

impl<'a> LocalInfileRequest<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none.
    pub fn decode(payload: &'a [u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != LENENC_NULL {
            return Err(DecodeError::Malformed("file request without its 0xFB"));
        }
        Ok(Self { file_name: cursor.read_rest() })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(LENENC_NULL);
        out.extend_from_slice(self.file_name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let packet = LocalInfileRequest::decode(b"\xfb/etc/passwd").unwrap();
        assert_eq!(packet.file_name, b"/etc/passwd");
        let mut out = Vec::new();
        packet.encode(&mut out);
        assert_eq!(out, b"\xfb/etc/passwd");
        assert!(LocalInfileRequest::decode(b"").is_err());
        assert!(LocalInfileRequest::decode(b"\x00").is_err());
    }
}
