//! The values of one execution: literals of a text, or parameters.

use std::borrow::Cow;

use eval::Value;
use sql::SqlMode;
use sql::fingerprint::{LiteralKind, LiteralSpan};

use crate::predicate::{ValueRef, ValueSource, borrowed, given};

/// The literals of a text.
#[derive(Debug, Clone, Copy)]
pub struct TextValues<'a> {
    /// The statement.
    pub text: &'a [u8],
    /// Its literals, as the fingerprint of this text gives them.
    pub literals: &'a [LiteralSpan],
    /// How strings are read.
    pub mode: SqlMode,
    /// The connection's character set is UTF-8.
    pub is_utf8: bool,
}

impl ValueSource for TextValues<'_> {
    fn value<'v>(&'v self, value: &'v ValueRef) -> Value<'v> {
        match value {
            ValueRef::Const(value) => borrowed(value),
            ValueRef::Literal { index, negated } => {
                let literal = self.literals.get(usize::from(*index));
                literal.map_or(Value::Null, |literal| {
                    literal_value(literal.span.of(self.text), literal.kind, *negated, self.mode)
                })
            }
            ValueRef::Param(_) => Value::Null,
            ValueRef::Key { given: own, .. } => given(self, own),
            ValueRef::Computed(computed) => computed.evaluate(self),
        }
    }

    fn is_utf8(&self) -> bool {
        self.is_utf8
    }
}

/// The parameters of a prepared statement.
#[derive(Debug, Clone, Copy)]
pub struct ParamValues<'a> {
    /// In order.
    pub params: &'a [Value<'a>],
    /// The connection's character set is UTF-8.
    pub is_utf8: bool,
}

impl ValueSource for ParamValues<'_> {
    fn value<'v>(&'v self, value: &'v ValueRef) -> Value<'v> {
        match value {
            ValueRef::Const(value) => borrowed(value),
            ValueRef::Param(index) => match self.params.get(usize::from(*index)) {
                Some(Value::Bytes(text)) => Value::Bytes(Cow::Borrowed(text)),
                Some(Value::Decimal(text)) => Value::Decimal(Cow::Borrowed(text)),
                Some(other) => other.clone(),
                None => Value::Null,
            },
            ValueRef::Literal { .. } => Value::Null,
            ValueRef::Key { given: own, .. } => given(self, own),
            ValueRef::Computed(computed) => computed.evaluate(self),
        }
    }

    fn is_utf8(&self) -> bool {
        self.is_utf8
    }
}

/// A literal as written, e.g. `12`, `'a''b'`. Hexadecimal and bit literals mean a number or a string
/// by their context, so that they are no value here: they come out as a number that equals none.
fn literal_value(written: &[u8], kind: LiteralKind, negated: bool, mode: SqlMode) -> Value<'_> {
    match kind {
        LiteralKind::String => Value::Bytes(unescape(written, mode)),
        LiteralKind::Integer if written.len() <= MAX_SHORT_DIGITS => short(written, negated),
        LiteralKind::Integer | LiteralKind::Decimal | LiteralKind::Float => {
            std::str::from_utf8(written).map_or(Value::Null, |written| number(written, negated))
        }
        LiteralKind::Hex | LiteralKind::Bit | LiteralKind::Comment => Value::Double(f64::NAN),
    }
}

/// Up to this many digits always fit.
const MAX_SHORT_DIGITS: usize = 18;

/// A number of few digits, which most are.
fn short(digits: &[u8], negated: bool) -> Value<'static> {
    let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit & 0xf));
    Value::Int(if negated { -value } else { value })
}

/// A number as written: digits, with a point, or with an exponent.
///
/// # Source
/// MySQL 8.4 manual, "Numeric Literals".
pub(crate) fn number(written: &str, negated: bool) -> Value<'_> {
    if written.bytes().any(|byte| matches!(byte, b'e' | b'E')) {
        let value = written.parse::<f64>().unwrap_or(f64::NAN);
        return Value::Double(if negated { -value } else { value });
    }
    if !written.contains('.')
        && let Ok(value) = written.parse::<u64>()
    {
        match (negated, i64::try_from(value)) {
            (false, Ok(value)) => return Value::Int(value),
            (false, Err(_)) => return Value::UInt(value),
            (true, Ok(value)) => return Value::Int(-value),
            (true, Err(_)) if value == 1 << 63 => return Value::Int(i64::MIN),
            (true, Err(_)) => {}
        }
    }
    Value::Decimal(if negated { Cow::Owned(format!("-{written}")) } else { Cow::Borrowed(written) })
}

/// A quoted string without its quotes and escapes.
///
/// # Source
/// MySQL 8.4 manual, "String Literals": `\%` and `\_` keep their backslash.
pub(crate) fn unescape(written: &[u8], mode: SqlMode) -> Cow<'_, [u8]> {
    let (Some(quote), Some(inside)) =
        (written.first(), written.get(1..written.len().saturating_sub(1)))
    else {
        return Cow::Borrowed(written);
    };
    let escapes = !mode.no_backslash_escapes;
    if !inside.iter().any(|byte| byte == quote || (escapes && *byte == b'\\')) {
        return Cow::Borrowed(inside);
    }
    let mut result = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte == *quote {
            // Doubled.
            bytes.next();
            result.push(byte);
        } else if byte == b'\\' && escapes {
            match bytes.next() {
                Some(b'0') => result.push(0),
                Some(b'b') => result.push(8),
                Some(b'n') => result.push(b'\n'),
                Some(b'r') => result.push(b'\r'),
                Some(b't') => result.push(b'\t'),
                Some(b'Z') => result.push(26),
                Some(kept @ (b'%' | b'_')) => result.extend([b'\\', kept]),
                Some(other) => result.push(other),
                None => {}
            }
        } else {
            result.push(byte);
        }
    }
    Cow::Owned(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let decimal = |text: &'static str| Value::Decimal(Cow::Borrowed(text));
        for (written, negated, expected) in [
            ("12", false, Value::Int(12)),
            ("12", true, Value::Int(-12)),
            ("999999999999999999", false, Value::Int(999_999_999_999_999_999)),
            ("9223372036854775807", false, Value::Int(i64::MAX)),
            ("9223372036854775808", false, Value::UInt(1 << 63)),
            ("9223372036854775808", true, Value::Int(i64::MIN)),
            ("9223372036854775809", true, decimal("-9223372036854775809")),
            ("18446744073709551616", false, decimal("18446744073709551616")),
            ("1.50", false, decimal("1.50")),
            ("1.50", true, decimal("-1.50")),
            ("1e2", true, Value::Double(-100.0)),
        ] {
            assert_eq!(number(written, negated), expected, "{written} {negated}");
            let kind = match written {
                "1.50" => LiteralKind::Decimal,
                "1e2" => LiteralKind::Float,
                _ => LiteralKind::Integer,
            };
            let value = literal_value(written.as_bytes(), kind, negated, SqlMode::default());
            assert_eq!(value, expected, "{written} {negated}");
        }
    }

    #[test]
    fn strings() {
        let plain = SqlMode::default();
        let raw = SqlMode { no_backslash_escapes: true, ..plain };
        for (written, mode, expected) in [
            ("'abc'", plain, "abc"),
            ("''", plain, ""),
            ("'it''s'", plain, "it's"),
            ("\"a\"\"b'c\"", plain, "a\"b'c"),
            (r"'a\'b\\c\nd\%\q'", plain, "a'b\\c\nd\\%q"),
            (r"'a\b'", raw, r"a\b"),
        ] {
            assert_eq!(unescape(written.as_bytes(), mode), expected.as_bytes(), "{written}");
        }
    }
}
