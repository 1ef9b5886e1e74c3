//! Text → tokens: zero-copy, no allocation, one pass. Never fails: what it cannot read becomes an
//! error token.
//!
//! The text may be in any character set whose bytes below 0x80 are ASCII (not gbk, sjis, big5);
//! bytes from 0x80 on are parts of names.

mod comment;
mod introducer;
mod number;

use crate::{LexError, ServerVersion, Span, SqlMode, Token, TokenKind};

/// The position in one text. A copy of it is a place to come back to.
///
/// # Source
/// MySQL 8.4 manual, "Language Structure"; lexical details checked against a server.
#[derive(Debug, Clone, Copy)]
pub struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    mode: SqlMode,
    version: ServerVersion,
    /// Between `/*!` and its `*/`.
    in_executable: bool,
    /// Where the last identifier ended: a dot exactly there makes the next word a name.
    ident_end: usize,
    /// Where a dot behind an identifier ended: what stands there is a name, even `123`.
    name_at: usize,
}

/// No position in a text.
const NOWHERE: usize = usize::MAX;

impl<'t> Lexer<'t> {
    /// Starts at the first byte. Positions are `u32`: what lies beyond 4 GiB is not read.
    pub fn new(text: &'t [u8], mode: SqlMode, version: ServerVersion) -> Self {
        let text = &text[..text.len().min(u32::MAX as usize - 1)];
        Self {
            text,
            at: 0,
            mode,
            version,
            in_executable: false,
            ident_end: NOWHERE,
            name_at: NOWHERE,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// How text is read.
    pub fn mode(&self) -> SqlMode {
        self.mode
    }

    /// Where the next token is looked for.
    pub fn position(&self) -> u32 {
        self.at as u32
    }

    /// The next token that is not a comment.
    pub fn next_token(&mut self) -> Token {
        loop {
            let token = self.next_with_comments();
            if !token.kind.is_trivia() {
                return token;
            }
        }
    }

    /// The next token, comments included. White space is never a token.
    pub fn next_with_comments(&mut self) -> Token {
        while self.byte(0).is_some_and(is_space) {
            self.at += 1;
        }
        let start = self.at;
        let kind = self.scan();
        if matches!(kind, TokenKind::Word | TokenKind::QuotedIdent) {
            self.ident_end = self.at;
        }
        Token { kind, span: Span::new(start as u32, self.at as u32) }
    }

    /// The byte `ahead` of the current position.
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// Takes `length` bytes as one token.
    fn take(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        self.at = (self.at + length).min(self.text.len());
        kind
    }

    fn scan(&mut self) -> TokenKind {
        let Some(first) = self.byte(0) else {
            return self.scan_end();
        };
        if self.at == self.name_at && is_word_byte(first) {
            return self.scan_word();
        }
        match CLASSES[first as usize] {
            Class::Letter => self.scan_letter(first),
            Class::Digit => self.scan_number(),
            Class::SingleQuote => self.scan_string(TokenKind::String),
            Class::DoubleQuote if self.mode.ansi_quotes => self.scan_quoted_ident(first),
            Class::DoubleQuote => self.scan_string(TokenKind::String),
            Class::Backtick => self.scan_quoted_ident(first),
            Class::At => self.scan_at(),
            Class::Dot => self.scan_dot(),
            Class::Hash => self.scan_line_comment(),
            Class::Symbol => self.scan_symbol(first),
            Class::Other => self.take(1, TokenKind::Error(LexError::UnexpectedByte)),
        }
    }

    /// An executable comment must be closed before the text ends.
    fn scan_end(&mut self) -> TokenKind {
        if self.in_executable {
            self.in_executable = false;
            TokenKind::Error(LexError::UnterminatedComment)
        } else {
            TokenKind::End
        }
    }

    /// A word, or a literal with a letter before its quote.
    fn scan_letter(&mut self, first: u8) -> TokenKind {
        if self.byte(1) == Some(b'\'') {
            match first {
                b'x' | b'X' => return self.scan_digits(TokenKind::Hex),
                b'b' | b'B' => return self.scan_digits(TokenKind::Bit),
                b'n' | b'N' => {
                    self.at += 1;
                    return self.scan_string(TokenKind::NationalString);
                }
                _ => {}
            }
        }
        let start = self.at;
        let kind = self.scan_word();
        if first == b'_' && introducer::is_charset(&self.text[start + 1..self.at]) {
            return TokenKind::Introducer;
        }
        kind
    }

    fn scan_word(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| !is_word_byte(byte)).unwrap_or(rest.len());
        TokenKind::Word
    }

    /// `'..'` or `".."`: the quote doubled or behind a backslash does not end it.
    fn scan_string(&mut self, kind: TokenKind) -> TokenKind {
        let quote = self.text[self.at];
        let mut at = self.at + 1;
        loop {
            let rest = &self.text[at.min(self.text.len())..];
            let found = if self.mode.no_backslash_escapes {
                memchr::memchr(quote, rest)
            } else {
                memchr::memchr2(quote, b'\\', rest)
            };
            let Some(found) = found else {
                self.at = self.text.len();
                return TokenKind::Error(LexError::UnterminatedString);
            };
            at += found;
            if self.text[at] == b'\\' || self.text.get(at + 1) == Some(&quote) {
                at += 2;
            } else {
                self.at = at + 1;
                return kind;
            }
        }
    }

    fn scan_quoted_ident(&mut self, quote: u8) -> TokenKind {
        let mut at = self.at + 1;
        while let Some(found) = memchr::memchr(quote, &self.text[at.min(self.text.len())..]) {
            at += found;
            if self.text.get(at + 1) != Some(&quote) {
                self.at = at + 1;
                return TokenKind::QuotedIdent;
            }
            at += 2;
        }
        self.at = self.text.len();
        TokenKind::Error(LexError::UnterminatedString)
    }

    fn scan_at(&mut self) -> TokenKind {
        let quoted = match self.byte(1) {
            Some(b'@') => return self.take(2, TokenKind::AtAt),
            Some(quote @ (b'`' | b'\'' | b'"')) => quote,
            _ => {
                let rest = &self.text[self.at + 1..];
                let name = rest.iter().position(|&byte| !is_word_byte(byte) && byte != b'.');
                return self.take(1 + name.unwrap_or(rest.len()), TokenKind::UserVariable);
            }
        };
        self.at += 1;
        let kind = if quoted == b'`' || (quoted == b'"' && self.mode.ansi_quotes) {
            self.scan_quoted_ident(quoted)
        } else {
            self.scan_string(TokenKind::String)
        };
        if matches!(kind, TokenKind::Error(_)) { kind } else { TokenKind::UserVariable }
    }

    fn scan_dot(&mut self) -> TokenKind {
        let behind_name = self.ident_end == self.at;
        if !behind_name && self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) {
            return self.scan_fraction();
        }
        if behind_name {
            self.name_at = self.at + 1;
        }
        self.take(1, TokenKind::Dot)
    }

    fn scan_symbol(&mut self, first: u8) -> TokenKind {
        let (second, third) = (self.byte(1), self.byte(2));
        let (length, kind) = match (first, second, third) {
            (b'/', Some(b'*'), _) => return self.scan_block_comment(),
            (b'*', Some(b'/'), _) if self.in_executable => {
                self.in_executable = false;
                (2, TokenKind::ExecutableEnd)
            }
            (b'-', Some(b'-'), None) => return self.scan_line_comment(),
            (b'-', Some(b'-'), Some(byte)) if byte <= b' ' || byte == 0x7f => {
                return self.scan_line_comment();
            }
            (b'-', Some(b'>'), Some(b'>')) => (3, TokenKind::ArrowText),
            (b'<', Some(b'='), Some(b'>')) => (3, TokenKind::NullSafeEqual),
            (b'-', Some(b'>'), _) => (2, TokenKind::Arrow),
            (b'<', Some(b'='), _) => (2, TokenKind::LessOrEqual),
            (b'<', Some(b'>'), _) | (b'!', Some(b'='), _) => (2, TokenKind::NotEqual),
            (b'<', Some(b'<'), _) => (2, TokenKind::ShiftLeft),
            (b'>', Some(b'>'), _) => (2, TokenKind::ShiftRight),
            (b'>', Some(b'='), _) => (2, TokenKind::GreaterOrEqual),
            (b'|', Some(b'|'), _) => (2, TokenKind::PipePipe),
            (b'&', Some(b'&'), _) => (2, TokenKind::AmpersandAmpersand),
            (b':', Some(b'='), _) => (2, TokenKind::Assign),
            (b'\\', Some(b'N'), _) => (2, TokenKind::NullEscape),
            _ => (1, single_symbol(first)),
        };
        self.take(length, kind)
    }
}

const fn single_symbol(byte: u8) -> TokenKind {
    match byte {
        b'(' => TokenKind::LeftParen,
        b')' => TokenKind::RightParen,
        b'{' => TokenKind::LeftBrace,
        b'}' => TokenKind::RightBrace,
        b',' => TokenKind::Comma,
        b';' => TokenKind::Semicolon,
        b'*' => TokenKind::Star,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'/' => TokenKind::Slash,
        b'%' => TokenKind::Percent,
        b'=' => TokenKind::Equal,
        b'<' => TokenKind::Less,
        b'>' => TokenKind::Greater,
        b'|' => TokenKind::Pipe,
        b'&' => TokenKind::Ampersand,
        b'^' => TokenKind::Caret,
        b'~' => TokenKind::Tilde,
        b'!' => TokenKind::Bang,
        b':' => TokenKind::Colon,
        b'?' => TokenKind::Param,
        _ => TokenKind::Error(LexError::UnexpectedByte),
    }
}

/// White space between tokens.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// A byte of an unquoted name.
pub(crate) const fn is_word_byte(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Letter | Class::Digit)
}

/// What a token that starts with a byte can be.
#[derive(Clone, Copy)]
enum Class {
    Letter,
    Digit,
    SingleQuote,
    DoubleQuote,
    Backtick,
    At,
    Dot,
    Hash,
    Symbol,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'\'' => Class::SingleQuote,
            b'"' => Class::DoubleQuote,
            b'`' => Class::Backtick,
            b'@' => Class::At,
            b'.' => Class::Dot,
            b'#' => Class::Hash,
            b'(' | b')' | b'{' | b'}' | b',' | b';' | b'*' | b'+' | b'-' | b'/' | b'%' | b'='
            | b'<' | b'>' | b'|' | b'&' | b'^' | b'~' | b'!' | b':' | b'?' | b'\\' => Class::Symbol,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests;
