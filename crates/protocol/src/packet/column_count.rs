//! The packet that begins a result set: how many columns it has.

use crate::field::{Cursor, write_lenenc_int};
use crate::{Capabilities, DecodeError};

/// Begins a result set.
///
/// # Source
/// `page_protocol_com_query_response_text_resultset`; MariaDB: "Result Set Packets". MySQL sends
/// its metadata flag after the count, as MariaDB does, although the page shows it before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnCount {
    /// Columns of the result set.
    pub count: u64,
    /// Whether column definitions follow; always true where neither OPTIONAL_RESULTSET_METADATA
    /// nor MARIADB_CACHE_METADATA was negotiated.
    pub has_metadata: bool,
}

impl ColumnCount {
    /// The capabilities that add the metadata flag.
    pub const FLAG_CAPABILITIES: Capabilities = Capabilities(
        Capabilities::OPTIONAL_RESULTSET_METADATA.0 | Capabilities::MARIADB_CACHE_METADATA.0,
    );

    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it ends early.
    pub fn decode(payload: &[u8], capabilities: Capabilities) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        let count = cursor.read_lenenc_int()?;
        let has_flag = capabilities.intersects(Self::FLAG_CAPABILITIES) && !cursor.is_empty();
        let has_metadata = !has_flag || cursor.read_u8()? != 0;
        Ok(Self { count, has_metadata })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>, capabilities: Capabilities) {
        write_lenenc_int(out, self.count);
        if capabilities.intersects(Self::FLAG_CAPABILITIES) {
            out.push(self.has_metadata.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_and_without_the_flag() {
        let cache = Capabilities::MARIADB_CACHE_METADATA;
        let cases: [(&[u8], Capabilities, u64, bool); 5] = [
            (&[5], Capabilities::NONE, 5, true),
            (&[5, 1], cache, 5, true),
            (&[5, 0], cache, 5, false),
            (&[5, 0], Capabilities::OPTIONAL_RESULTSET_METADATA, 5, false),
            (&[0xFC, 0, 1], Capabilities::NONE, 256, true),
        ];
        for (bytes, capabilities, count, has_metadata) in cases {
            let packet = ColumnCount { count, has_metadata };
            assert_eq!(ColumnCount::decode(bytes, capabilities), Ok(packet));
            let mut out = Vec::new();
            packet.encode(&mut out, capabilities);
            assert_eq!(out, bytes);
        }
        assert!(ColumnCount::decode(&[], cache).is_err());
        assert!(ColumnCount::decode(&[0xFC, 1], cache).is_err());
    }
}
