//! Query attributes: parameters a client sends along with a COM_QUERY. Storage units get the
//! statement without them.

use kernel::error::StatementError;
use protocol::capability::Capabilities;
use protocol::column_type::ValueType;
use protocol::field::Cursor;

use crate::execute::Failure;

/// The statement's text, and whether the body is nothing else.
///
/// # Source
/// `page_protocol_com_query`.
pub(crate) fn strip(capabilities: Capabilities, body: &[u8]) -> Result<(&[u8], bool), Failure> {
    if !capabilities.contains(Capabilities::QUERY_ATTRIBUTES) {
        return Ok((body, true));
    }
    let text = skip_attributes(body).ok_or_else(|| {
        Failure::from(StatementError::new(1835, "HY000", "Malformed communication packet"))
    })?;
    Ok((text, false))
}

fn skip_attributes(body: &[u8]) -> Option<&[u8]> {
    let mut cursor = Cursor::new(body);
    let count = usize::try_from(cursor.read_lenenc_int().ok()?).ok()?;
    cursor.read_lenenc_int().ok()?;
    if count > 0 {
        let bitmap = cursor.read_bytes(count.div_ceil(8)).ok()?;
        cursor.read_u8().ok()?;
        let mut types = Vec::new();
        for _ in 0..count {
            types.push(ValueType::from_bytes(cursor.read_array().ok()?));
            cursor.read_lenenc_bytes().ok()?;
        }
        for (index, value_type) in types.into_iter().enumerate() {
            if !protocol::binary::is_null(bitmap, index) {
                protocol::binary::skip_value(&mut cursor, value_type.column_type).ok()?;
            }
        }
    }
    Some(cursor.read_rest())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_passed_over() {
        let capabilities = Capabilities::QUERY_ATTRIBUTES;
        let (text, is_bare) = strip(capabilities, b"\0\x01SELECT 1").unwrap();
        assert_eq!((text, is_bare), (&b"SELECT 1"[..], false));
        let one = b"\x01\x01\0\x01\xfe\0\x0btraceparent\x03abcSELECT 2";
        assert_eq!(strip(capabilities, one).unwrap().0, b"SELECT 2");
        assert!(strip(capabilities, b"\x01\x01\0").is_err());
        assert_eq!(strip(Capabilities::NONE, b"SELECT 3").unwrap(), (&b"SELECT 3"[..], true));
    }
}
