//! Values of a text row as literals of an INSERT.

use kernel::gather::CopiedValue;

/// Appends a value; `None` for NULL. False for text that is not UTF-8, which no literal can hold.
pub(crate) fn put(out: &mut Vec<u8>, value: Option<&[u8]>, kind: CopiedValue) -> bool {
    let Some(text) = value else {
        out.extend_from_slice(b"NULL");
        return true;
    };
    match kind {
        CopiedValue::Number => out.extend_from_slice(text),
        CopiedValue::Double => {
            out.extend_from_slice(text);
            // Without an exponent it would be an exact number, and -0 would lose its sign.
            if !text.iter().any(|byte| matches!(byte, b'e' | b'E')) {
                out.extend_from_slice(b"e0");
            }
        }
        // What stands for no time in a TIMESTAMP.
        CopiedValue::UnixTime if text.iter().all(|byte| matches!(byte, b'0' | b'.')) => {
            out.extend_from_slice(b"'0000-00-00 00:00:00'");
        }
        CopiedValue::UnixTime => {
            out.extend_from_slice(b"FROM_UNIXTIME(");
            out.extend_from_slice(text);
            out.push(b')');
        }
        CopiedValue::Text => {
            if std::str::from_utf8(text).is_err() {
                return false;
            }
            put_quoted(out, text);
        }
        CopiedValue::Bytes => {
            out.extend_from_slice(b"_binary");
            put_quoted(out, text);
        }
    }
    true
}

/// A string with backslashes as escapes.
fn put_quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'\'');
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\'' | b'\\' | 0)) {
        out.extend_from_slice(&rest[..at]);
        out.push(b'\\');
        out.push(if rest[at] == 0 { b'0' } else { rest[at] });
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_hold_the_values() {
        for (value, kind, expected) in [
            (&b"-12.50"[..], CopiedValue::Number, "-12.50"),
            (b"-0", CopiedValue::Double, "-0e0"),
            (b"1.5e300", CopiedValue::Double, "1.5e300"),
            (b"1700000000.25", CopiedValue::UnixTime, "FROM_UNIXTIME(1700000000.25)"),
            (b"0.000000", CopiedValue::UnixTime, "'0000-00-00 00:00:00'"),
            (b"it's \\ \0", CopiedValue::Text, r"'it\'s \\ \0'"),
            (b"'", CopiedValue::Bytes, r"_binary'\''"),
        ] {
            let mut out = Vec::new();
            assert!(put(&mut out, Some(value), kind));
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
        let mut out = Vec::new();
        assert!(put(&mut out, None, CopiedValue::Bytes));
        assert_eq!(out, b"NULL");
        assert!(!put(&mut out, Some(b"\xff"), CopiedValue::Text));
    }
}
