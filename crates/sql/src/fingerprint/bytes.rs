//! What each byte can begin.

/// The class of a byte at the start of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// Punctuation without meaning here.
    Other,
    /// White space as MySQL's `isspace` has it.
    Space,
    /// A letter, `_`, `$`, or part of a multi-byte character.
    Word,
    /// `0`-`9`.
    Digit,
    /// `'`
    Quote,
    /// `"`
    DoubleQuote,
    /// `` ` ``
    Backtick,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `.`
    Dot,
    /// `-`
    Minus,
    /// `/`
    Slash,
    /// `#`
    Sharp,
    /// `@`
    At,
    /// `;`
    Semicolon,
    /// `{` of an ODBC escape, and NUL.
    Refused,
}

const fn class(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r' => Class::Space,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => Class::Word,
        b'0'..=b'9' => Class::Digit,
        b'\'' => Class::Quote,
        b'"' => Class::DoubleQuote,
        b'`' => Class::Backtick,
        b'(' => Class::Open,
        b')' => Class::Close,
        b'.' => Class::Dot,
        b'-' => Class::Minus,
        b'/' => Class::Slash,
        b'#' => Class::Sharp,
        b'@' => Class::At,
        b';' => Class::Semicolon,
        b'{' | 0 => Class::Refused,
        _ => Class::Other,
    }
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

static IN_WORD: [bool; 256] = {
    let mut in_word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        in_word[byte] = matches!(class(byte as u8), Class::Word | Class::Digit);
        byte += 1;
    }
    in_word
};

/// What `byte` can begin.
pub(super) fn class_of(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// Whether `byte` can stand inside a word.
pub(super) fn is_in_word(byte: u8) -> bool {
    IN_WORD[byte as usize]
}

/// The first position at or after `from` that is not part of a word.
pub(super) fn word_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while text.get(at).is_some_and(|&byte| is_in_word(byte)) {
        at += 1;
    }
    at
}

/// The first position at or after `from` that is not a digit.
pub(super) fn digits_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// A word of at most 8 bytes as a number, without regard to case.
pub(super) const fn packed(word: &[u8]) -> u64 {
    let mut number = 0;
    let mut at = 0;
    while at < word.len() && at < 8 {
        number |= ((word[at] | 0x20) as u64) << (8 * at);
        at += 1;
    }
    number
}

/// [`packed`] of `text[start..end]`, 0 for a word of more than 8 bytes.
pub(super) fn pack_word(text: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    if length == 0 || length > 8 {
        return 0;
    }
    match text.get(start..).and_then(<[u8]>::first_chunk::<8>) {
        Some(chunk) => {
            (u64::from_le_bytes(*chunk) | 0x2020_2020_2020_2020) & (u64::MAX >> (64 - 8 * length))
        }
        None => packed(&text[start..end]),
    }
}
