//! Numbers, and the names that begin like one.

use super::{Lexer, is_word_byte};
use crate::{LexError, TokenKind};

impl Lexer<'_> {
    /// Starts at a digit: a number, `0x..`, `0b..`, or a name such as `1abc`.
    pub(super) fn scan_number(&mut self) -> TokenKind {
        if self.text[self.at] == b'0' {
            let prefixed = match self.byte(1) {
                Some(b'x') => self.prefixed_length(|byte| byte.is_ascii_hexdigit()),
                Some(b'b') => self.prefixed_length(|byte| matches!(byte, b'0' | b'1')),
                _ => None,
            };
            if let Some(length) = prefixed {
                let kind = if self.byte(1) == Some(b'x') { TokenKind::Hex } else { TokenKind::Bit };
                return self.take(length, kind);
            }
        }
        let digits = self.digits_from(0);
        match self.byte(digits) {
            Some(b'.') => {
                self.at += digits;
                self.scan_fraction()
            }
            Some(b'e' | b'E') => match self.exponent_length(digits) {
                Some(exponent) => self.take(digits + exponent, TokenKind::Float),
                None => self.scan_word(),
            },
            Some(byte) if is_word_byte(byte) => self.scan_word(),
            _ => self.take(digits, TokenKind::Integer),
        }
    }

    /// Starts at the dot; digits before it are taken already.
    pub(super) fn scan_fraction(&mut self) -> TokenKind {
        let digits = 1 + self.digits_from(1);
        match self.exponent_length(digits) {
            Some(exponent) => self.take(digits + exponent, TokenKind::Float),
            None => self.take(digits, TokenKind::Decimal),
        }
    }

    /// `x'..'` and `b'..'`; starts at the letter.
    pub(super) fn scan_digits(&mut self, kind: TokenKind) -> TokenKind {
        let body = &self.text[self.at + 2..];
        let Some(length) = memchr::memchr(b'\'', body) else {
            self.at = self.text.len();
            return TokenKind::Error(LexError::UnterminatedString);
        };
        let digits = &body[..length];
        let is_right = if kind == TokenKind::Hex {
            length.is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit)
        } else {
            digits.iter().all(|byte| matches!(byte, b'0' | b'1'))
        };
        self.take(length + 3, if is_right { kind } else { TokenKind::Error(LexError::BadDigits) })
    }

    /// The length of `0x..` or `0b..`, if it is one and no name goes on behind it.
    fn prefixed_length(&self, is_digit: impl Fn(u8) -> bool) -> Option<usize> {
        let mut length = 2;
        while self.byte(length).is_some_and(&is_digit) {
            length += 1;
        }
        (length > 2 && !self.byte(length).is_some_and(is_word_byte)).then_some(length)
    }

    fn digits_from(&self, ahead: usize) -> usize {
        let rest = &self.text[self.at + ahead..];
        rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())
    }

    /// The length of `e5`, `E+5`, `e-5` at `ahead`.
    fn exponent_length(&self, ahead: usize) -> Option<usize> {
        if !matches!(self.byte(ahead), Some(b'e' | b'E')) {
            return None;
        }
        let sign = usize::from(matches!(self.byte(ahead + 1), Some(b'+' | b'-')));
        let first = ahead + 1 + sign;
        if !self.byte(first).is_some_and(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(1 + sign + self.digits_from(first))
    }
}
