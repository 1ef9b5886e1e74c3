//! Quotes and escapes: from the text as written to the value it stands for.

use crate::{Span, SqlMode};

/// The name of an identifier token: quotes taken off, doubled quotes undone.
///
/// A name that is not UTF-8 gets replacement characters; its span still leads to the bytes.
pub fn unquote_identifier(raw: &[u8]) -> String {
    match raw.first() {
        Some(&quote @ (b'`' | b'"')) => {
            let body = without_quotes(raw);
            if memchr::memchr(quote, body).is_none() {
                return text_of(body);
            }
            let mut name = Vec::with_capacity(body.len());
            push_undoubled(body, quote, &mut name);
            text_of(&name)
        }
        _ => text_of(raw),
    }
}

/// The value of a string token: quotes taken off, escapes and doubled quotes undone.
///
/// `\%` and `\_` keep their backslash, as LIKE needs it.
///
/// # Source
/// MySQL 8.4 manual, "String Literals", table of special character escape sequences.
pub fn unescape_string(raw: &[u8], mode: SqlMode) -> Vec<u8> {
    let mut value = Vec::with_capacity(raw.len());
    push_unescaped(raw, mode, &mut value);
    value
}

/// Appends the value of a string token, see [`unescape_string`]. A leading `N` is passed over.
pub fn push_unescaped(raw: &[u8], mode: SqlMode, value: &mut Vec<u8>) {
    let raw = match raw.first() {
        Some(b'n' | b'N') => &raw[1..],
        _ => raw,
    };
    let Some(&quote) = raw.first() else { return };
    let body = without_quotes(raw);
    let escapes = !mode.no_backslash_escapes;
    if memchr::memchr2(quote, if escapes { b'\\' } else { quote }, body).is_none() {
        value.extend_from_slice(body);
    } else if !escapes {
        push_undoubled(body, quote, value);
    } else {
        push_with_escapes(body, quote, value);
    }
}

/// The name of a `@name` token in any of its quotings.
pub fn user_variable_name(raw: &[u8], mode: SqlMode) -> String {
    let name = raw.get(1..).unwrap_or_default();
    match name.first() {
        Some(b'`') => unquote_identifier(name),
        Some(b'"') if mode.ansi_quotes => unquote_identifier(name),
        Some(b'\'' | b'"') => text_of(&unescape_string(name, mode)),
        _ => text_of(name),
    }
}

/// The bytes of `x'4D'`, `0x4D`, `b'01'` or `0b01`, the number filled up with zeros on the left.
pub fn digits_value(raw: &[u8], bits_per_digit: u32) -> Vec<u8> {
    let digits = match raw {
        [_, b'\'', digits @ .., b'\''] => digits,
        [b'0', _, digits @ ..] => digits,
        _ => raw,
    };
    let per_byte = (8 / bits_per_digit) as usize;
    let mut value = Vec::with_capacity(digits.len().div_ceil(per_byte));
    let (head, whole) = digits.split_at(digits.len() % per_byte);
    if !head.is_empty() {
        value.push(fold_digits(head, bits_per_digit));
    }
    value.extend(whole.chunks(per_byte).map(|chunk| fold_digits(chunk, bits_per_digit)));
    value
}

/// The text of a range, with replacement characters for what is not UTF-8.
pub fn text_at(text: &[u8], span: Span) -> String {
    text_of(span.of(text))
}

fn fold_digits(digits: &[u8], bits_per_digit: u32) -> u8 {
    digits.iter().fold(0, |sum, &digit| {
        let value = char::from(digit).to_digit(16).unwrap_or(0) as u8;
        sum << bits_per_digit | value
    })
}

fn without_quotes(raw: &[u8]) -> &[u8] {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
}

fn text_of(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn push_undoubled(body: &[u8], quote: u8, value: &mut Vec<u8>) {
    let mut rest = body;
    while let Some(at) = memchr::memchr(quote, rest) {
        value.extend_from_slice(&rest[..=at]);
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    value.extend_from_slice(rest);
}

fn push_with_escapes(body: &[u8], quote: u8, value: &mut Vec<u8>) {
    let mut rest = body;
    while let Some(at) = memchr::memchr2(quote, b'\\', rest) {
        value.extend_from_slice(&rest[..at]);
        let Some(&second) = rest.get(at + 1) else {
            value.push(rest[at]);
            return;
        };
        if rest[at] == quote {
            value.push(quote);
        } else {
            push_escape(second, value);
        }
        rest = &rest[at + 2..];
    }
    value.extend_from_slice(rest);
}

fn push_escape(byte: u8, value: &mut Vec<u8>) {
    let escaped = match byte {
        b'0' => 0,
        b'b' => 0x08,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'Z' => 0x1a,
        b'%' | b'_' => {
            value.push(b'\\');
            byte
        }
        other => other,
    };
    value.push(escaped);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_lose_their_quotes() {
        for (raw, name) in [
            ("`a`", "a"),
            ("`a``b`", "a`b"),
            ("\"x\"\"y\"", "x\"y"),
            ("plain", "plain"),
            ("``", ""),
        ] {
            assert_eq!(unquote_identifier(raw.as_bytes()), name, "{raw}");
        }
    }

    #[test]
    fn strings_lose_their_escapes() {
        let cases: [(&str, &[u8]); 8] = [
            ("'a'", b"a"),
            ("'it''s'", b"it's"),
            (r"'\0\b\n\r\t\Z\\\'\x'", b"\x00\x08\n\r\t\x1a\\'x"),
            (r"'10\% \_'", br"10\% \_"),
            ("\"say \"\"hi\"\"\"", b"say \"hi\""),
            ("N'n'", b"n"),
            ("''", b""),
            (r"'a\'''", b"a''"),
        ];
        for (raw, value) in cases {
            assert_eq!(unescape_string(raw.as_bytes(), SqlMode::default()), value, "{raw}");
        }
    }

    #[test]
    fn a_backslash_can_be_ordinary() {
        let mode = SqlMode { no_backslash_escapes: true, ..SqlMode::default() };
        assert_eq!(unescape_string(br"'a\n''\'", mode), br"a\n'\");
    }

    #[test]
    fn digits_become_bytes() {
        let cases: [(&str, u32, &[u8]); 7] = [
            ("x'4D7a'", 4, b"Mz"),
            ("0x4D", 4, b"M"),
            ("0xF", 4, b"\x0f"),
            ("0x123", 4, b"\x01\x23"),
            ("b'1'", 1, b"\x01"),
            ("0b101000001", 1, b"\x01\x41"),
            ("x''", 4, b""),
        ];
        for (raw, bits, value) in cases {
            assert_eq!(digits_value(raw.as_bytes(), bits), value, "{raw}");
        }
    }

    #[test]
    fn variables_are_named_in_any_quoting() {
        for (raw, name) in
            [("@a.b", "a.b"), ("@`a b`", "a b"), ("@'x'", "x"), ("@\"y\"", "y"), ("@", "")]
        {
            assert_eq!(user_variable_name(raw.as_bytes(), SqlMode::default()), name, "{raw}");
        }
    }
}
