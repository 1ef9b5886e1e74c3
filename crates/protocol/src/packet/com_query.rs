//! COM_QUERY: a statement as text, with query attributes where both sides know them.

use super::ParameterBlock;
use super::read_command;
use crate::field::{Cursor, write_lenenc_int};
use crate::{Capabilities, Command, DecodeError};

/// A statement as text.
///
/// # Source
/// `page_protocol_com_query`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComQuery<'a> {
    /// The text, in the client's character set.
    pub sql: &'a [u8],
    /// Where the text begins in the payload.
    pub sql_offset: usize,
    /// Query attributes; only under QUERY_ATTRIBUTES.
    pub attributes: Option<ParameterBlock>,
}

impl<'a> ComQuery<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or an attribute ends early.
    #[inline]
    pub fn decode(payload: &'a [u8], capabilities: Capabilities) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::Query)?;
        let mut attributes = None;
        if capabilities.contains(Capabilities::QUERY_ATTRIBUTES) {
            attributes = read_attributes(payload, &mut cursor, capabilities)?;
        }
        let sql_offset = cursor.position();
        Ok(Self { sql: cursor.read_rest(), sql_offset, attributes })
    }

    /// Appends a statement without attributes.
    pub fn encode(out: &mut Vec<u8>, sql: &[u8], capabilities: Capabilities) {
        Self::encode_head(out, capabilities);
        out.extend_from_slice(sql);
    }

    /// Appends all that stands before the text of a statement without attributes.
    pub fn encode_head(out: &mut Vec<u8>, capabilities: Capabilities) {
        out.push(Command::Query as u8);
        if capabilities.contains(Capabilities::QUERY_ATTRIBUTES) {
            write_lenenc_int(out, 0);
            write_lenenc_int(out, 1);
        }
    }
}

fn read_attributes(
    payload: &[u8],
    cursor: &mut Cursor<'_>,
    capabilities: Capabilities,
) -> Result<Option<ParameterBlock>, DecodeError> {
    let count = cursor.read_lenenc_int()?;
    let sets = cursor.read_lenenc_int()?;
    if sets != 1 {
        return Err(DecodeError::Malformed("more than one set of query attributes"));
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count == 0 {
        return Ok(None);
    }
    let mut block = ParameterBlock::read(cursor, count, capabilities)?;
    if !block.has_types {
        return Err(DecodeError::Malformed("query attributes without types"));
    }
    block.skip_values(payload, cursor)?;
    Ok(Some(block))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::binary::BinaryValue;
    use crate::column_type::{ColumnType, ValueType};

    #[test]
    fn plain() {
        let bytes = b"\x03select @@version_comment limit 1";
        let packet = ComQuery::decode(bytes, Capabilities::NONE).unwrap();
        assert_eq!(packet.sql, &bytes[1..]);
        let mut out = Vec::new();
        ComQuery::encode(&mut out, packet.sql, Capabilities::NONE);
        assert_eq!(out, bytes);
        assert!(ComQuery::decode(b"", Capabilities::NONE).is_err());
        assert!(ComQuery::decode(b"\x16x", Capabilities::NONE).is_err());
    }

    #[test]
    fn with_attributes() {
        let caps = Capabilities::QUERY_ATTRIBUTES;
        let mut out = Vec::new();
        ComQuery::encode(&mut out, b"SELECT 1", caps);
        assert_eq!(out, b"\x03\x00\x01SELECT 1");
        let packet = ComQuery::decode(&out, caps).unwrap();
        assert_eq!((packet.sql, packet.sql_offset, packet.attributes), (&b"SELECT 1"[..], 3, None));

        let bytes = b"\x03\x02\x01\x02\x01\xfe\x00\x05trace\x03\x80\x01n\x03abcSELECT 1";
        let packet = ComQuery::decode(bytes, caps).unwrap();
        assert_eq!((packet.sql, packet.sql_offset), (&b"SELECT 1"[..], 21));
        let block = packet.attributes.unwrap();
        let types: Vec<_> = block.types(bytes).map(Result::unwrap).collect();
        assert_eq!(types[0], (ValueType::signed(ColumnType::STRING), &b"trace"[..]));
        assert_eq!(types[1], (ValueType::unsigned(ColumnType::LONG), &b"n"[..]));
        let types: Vec<_> = types.into_iter().map(|(value_type, _)| value_type).collect();
        let values: Vec<_> = block.values(bytes, &types, |_| false).map(Result::unwrap).collect();
        assert_eq!(values, [(0, BinaryValue::Bytes(b"abc")), (1, BinaryValue::Null)]);
        for cut in 0..21 {
            assert!(ComQuery::decode(&bytes[..cut], caps).is_err(), "{cut}");
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(
            mut bytes in proptest::collection::vec(any::<u8>(), 1..64),
            caps: u64,
        ) {
            bytes[0] = 3;
            let _ = ComQuery::decode(&bytes, Capabilities(caps));
            let _ = ComQuery::decode(&bytes, Capabilities::QUERY_ATTRIBUTES);
        }
    }
}
