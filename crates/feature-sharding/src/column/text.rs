//! String columns: padding, collations, character sets.

use std::borrow::Cow;

use eval::Value;
use kernel::error::StatementError;
use kernel::model::ColumnMetadata;

use super::{Compared, Key};

/// What a stored or compared string loses at its end before it is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trim {
    Nothing,
    /// CHAR stores no trailing spaces; a PAD SPACE collation ignores them.
    Spaces,
    /// BINARY pads with zero bytes.
    Zeros,
}

/// The character set of a column, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charset {
    /// Bytes.
    Binary,
    /// Every character.
    Utf8mb4,
    /// Characters of up to three bytes.
    Utf8mb3,
    /// Any other.
    Other,
}

/// A string column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextColumn {
    is_bytewise: bool,
    trim: Trim,
    charset: Charset,
    /// In characters; bytes for binary types.
    max_length: usize,
}

impl TextColumn {
    /// True when both columns have the same key for the same string, whatever their lengths.
    pub fn reads_as(&self, other: &Self) -> bool {
        (self.is_bytewise, self.trim, self.charset)
            == (other.is_bytewise, other.trim, other.charset)
    }

    /// Reads the type; `None` where it is not a plain string type.
    pub(super) fn new(column: &ColumnMetadata) -> Option<Self> {
        let declared = || {
            let (_, rest) = column.column_type.split_once('(')?;
            rest.split(')').next()?.trim().parse::<usize>().ok()
        };
        let (is_binary, max_length) = match column.data_type.as_str() {
            "char" | "varchar" => (false, declared()?),
            "binary" | "varbinary" => (true, declared()?),
            "tinytext" => (false, 63),
            "text" | "mediumtext" | "longtext" => (false, 16_383),
            "tinyblob" => (true, 255),
            "blob" | "mediumblob" | "longblob" => (true, 65_535),
            _ => return None,
        };
        let collation = column.collation.to_ascii_lowercase();
        let is_binary = is_binary || collation == "binary";
        let is_no_pad = is_binary || collation.contains("_0900_") || collation.contains("nopad");
        let trim = match column.data_type.as_str() {
            "binary" => Trim::Zeros,
            "char" => Trim::Spaces,
            _ if is_no_pad => Trim::Nothing,
            _ => Trim::Spaces,
        };
        let charset = match collation.split('_').next() {
            _ if is_binary => Charset::Binary,
            Some("utf8mb4" | "uca1400") => Charset::Utf8mb4,
            Some("utf8mb3" | "utf8") => Charset::Utf8mb3,
            _ => Charset::Other,
        };
        let is_bytewise = is_binary || collation.ends_with("_bin");
        Some(Self { is_bytewise, trim, charset, max_length })
    }

    /// True where equality compares bytes.
    pub fn is_bytewise(&self) -> bool {
        self.is_bytewise
    }

    pub(super) fn compared<'v>(
        &self,
        value: Value<'v>,
        is_utf8: bool,
        is_canonical: bool,
    ) -> Compared<'v> {
        let text = match value {
            Value::Null => return Compared::Nothing,
            Value::Bytes(text) => self.trimmed(text),
            // A string and a number compare as floating-point numbers: '5', '05' and '5.0' equal 5.
            _ => return Compared::Uncertain,
        };
        let is_digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        let is_readable = text.is_ascii()
            || self.charset == Charset::Binary
            || (is_utf8 && std::str::from_utf8(&text).is_ok());
        // Where a character set lacks a character, `?` is stored for it in a session without
        // strict mode.
        let is_replacement = self.charset == Charset::Other && text.contains(&b'?');
        if is_digits || (is_readable && !is_replacement && (self.is_bytewise || is_canonical)) {
            Compared::Key(Key::Text(text))
        } else {
            Compared::Uncertain
        }
    }

    pub(super) fn stored<'v>(
        &self,
        name: &str,
        value: Value<'v>,
        is_utf8: bool,
    ) -> Result<Key<'v>, StatementError> {
        let text: Cow<'v, [u8]> = match value {
            Value::Bytes(text) => text,
            Value::Int(value) => Cow::Owned(value.to_string().into_bytes()),
            Value::UInt(value) => Cow::Owned(value.to_string().into_bytes()),
            _ => {
                return Err(StatementError::new(
                    1366,
                    "HY000",
                    format!("Write the value of sharding column '{name}' as a string"),
                ));
            }
        };
        let text = self.trimmed(text);
        let length = match self.charset {
            Charset::Binary => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => self.characters(name, &text, is_utf8)?,
        };
        if length > self.max_length {
            return Err(StatementError::new(
                1406,
                "22001",
                format!("Data too long for column '{name}'"),
            ));
        }
        if !self.is_bytewise && resembles_digits(&text) {
            return Err(StatementError::new(
                1366,
                "HY000",
                format!(
                    "Sharding column '{name}' compares this value equal to plain digits; write \
                     plain digits, or give the column a _bin collation"
                ),
            ));
        }
        Ok(Key::Text(text))
    }

    /// The number of characters.
    fn characters(&self, name: &str, text: &[u8], is_utf8: bool) -> Result<usize, StatementError> {
        let incorrect = |advice: &str| {
            StatementError::new(
                1366,
                "HY000",
                format!("Incorrect string value for sharding column '{name}'; {advice}"),
            )
        };
        if !is_utf8 {
            return Err(incorrect("connect with utf8mb4 to insert characters beyond ASCII"));
        }
        let text = std::str::from_utf8(text).map_err(|_| incorrect("it is not valid UTF-8"))?;
        if self.charset == Charset::Utf8mb3 && text.chars().any(|c| c.len_utf8() == 4) {
            return Err(incorrect("its character set has no characters of four bytes"));
        }
        Ok(text.chars().count())
    }

    fn trimmed<'v>(&self, text: Cow<'v, [u8]>) -> Cow<'v, [u8]> {
        let padding = match self.trim {
            Trim::Nothing => return text,
            Trim::Spaces => b' ',
            Trim::Zeros => 0,
        };
        let length = text.iter().rposition(|byte| *byte != padding).map_or(0, |last| last + 1);
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[..length]),
            Cow::Owned(mut text) => {
                text.truncate(length);
                Cow::Owned(text)
            }
        }
    }
}

/// True for a text that is not ASCII digits but that a collation may take for them: other digits,
/// or digits among characters that have no weight.
fn resembles_digits(text: &[u8]) -> bool {
    if text.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let Ok(text) = std::str::from_utf8(text) else { return false };
    text.chars().any(char::is_numeric)
        && text
            .chars()
            .all(|c| c.is_numeric() || c.is_control() || (!c.is_ascii() && !c.is_alphanumeric()))
}
