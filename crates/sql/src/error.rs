//! A statement that cannot be read.

use std::fmt;

/// Why and where a statement cannot be read. Displays as MySQL's error text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The byte of the text at which reading stopped.
    pub position: u32,
    /// The line of that byte, from 1.
    pub line: u32,
    /// What is wrong.
    pub reason: ParseReason,
    /// The text from there on, at most 80 bytes.
    near: Box<str>,
}

/// What is wrong with a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseReason {
    /// The token at the position does not fit.
    Syntax,
    /// More levels than [`MAX_DEPTH`](crate::MAX_DEPTH).
    TooDeep,
    /// A sentence of its own.
    Message(Box<str>),
}

/// How much of the text an error shows, in bytes.
const NEAR_BYTES: usize = 80;

impl ParseError {
    /// MySQL's number of the error.
    pub const NUMBER: u16 = 1064;
    /// Its SQLSTATE.
    pub const SQLSTATE: &str = "42000";

    /// The token at `position` does not fit.
    #[cold]
    pub fn syntax(text: &[u8], position: u32) -> Self {
        Self::new(text, position, ParseReason::Syntax)
    }

    /// Too many levels.
    #[cold]
    pub fn too_deep(text: &[u8], position: u32) -> Self {
        Self::new(text, position, ParseReason::TooDeep)
    }

    /// A sentence of its own instead of MySQL's general one; it says what to write.
    #[cold]
    pub fn message(text: &[u8], position: u32, message: &str) -> Self {
        Self::new(text, position, ParseReason::Message(message.into()))
    }

    fn new(text: &[u8], position: u32, reason: ParseReason) -> Self {
        let at = (position as usize).min(text.len());
        let line = 1 + memchr::memchr_iter(b'\n', &text[..at]).count() as u32;
        let near = &text[at..text.len().min(at + NEAR_BYTES)];
        Self { position, line, reason, near: shown(near).into() }
    }
}

/// As text; a character that is cut at the end is left out.
fn shown(near: &[u8]) -> String {
    match str::from_utf8(near) {
        Ok(text) => text.to_owned(),
        Err(error) if error.error_len().is_none() => {
            String::from_utf8_lossy(&near[..error.valid_up_to()]).into_owned()
        }
        Err(_) => String::from_utf8_lossy(near).into_owned(),
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            ParseReason::Syntax => write!(
                out,
                "You have an error in your SQL syntax; check the manual that corresponds to your \
                 MySQL server version for the right syntax to use near '{}' at line {}",
                self.near, self.line
            ),
            ParseReason::TooDeep => write!(
                out,
                "You have an error in your SQL syntax; the statement is nested too deeply near \
                 '{}' at line {}",
                self.near, self.line
            ),
            ParseReason::Message(message) => {
                write!(out, "{message} near '{}' at line {}", self.near, self.line)
            }
        }
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_mysql_writes_it() {
        let error = ParseError::syntax(b"SELECT 1\nFROM WHERE", 14);
        assert_eq!(
            error.to_string(),
            "You have an error in your SQL syntax; check the manual that corresponds to your \
             MySQL server version for the right syntax to use near 'WHERE' at line 2"
        );
    }

    #[test]
    fn the_text_shown_is_cut_between_characters() {
        let text = format!("{}é tail", "x".repeat(79));
        let error = ParseError::syntax(text.as_bytes(), 0);
        assert!(error.to_string().contains(&format!("near '{}' at", "x".repeat(79))));
    }

    #[test]
    fn a_position_behind_the_text_shows_nothing() {
        assert!(ParseError::syntax(b"SELECT", 99).to_string().ends_with("near '' at line 1"));
    }
}
