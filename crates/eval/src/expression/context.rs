//! What of the session an expression depends on.

use std::sync::Arc;

/// The server whose answers are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flavour {
    /// MySQL 8.0 and later.
    #[default]
    MySql,
    /// MariaDB 10.6 and later.
    MariaDb,
}

/// The session's settings that change what an expression gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Where the two servers differ, whose answer.
    pub flavour: Flavour,
    /// `collation_connection`: that of literals.
    pub collation: Arc<str>,
    /// Digits that a division adds (`div_precision_increment`).
    pub division_increment: u8,
    /// `NO_UNSIGNED_SUBTRACTION` of `sql_mode`.
    pub no_unsigned_subtraction: bool,
    /// `NO_BACKSLASH_ESCAPES` of `sql_mode`: LIKE has no escape character of its own.
    pub no_backslash_escapes: bool,
    /// `sql_mode` has a word under which dates or strings behave in ways that are not computed.
    pub has_special_mode: bool,
    /// `max_allowed_packet` in bytes: a longer string is NULL.
    pub max_allowed_packet: usize,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            flavour: Flavour::MySql,
            collation: Arc::from("utf8mb4_0900_ai_ci"),
            division_increment: 4,
            no_unsigned_subtraction: false,
            no_backslash_escapes: false,
            has_special_mode: false,
            max_allowed_packet: 16 * 1024 * 1024,
        }
    }
}

/// Words of `sql_mode` under which temporal values or strings behave differently.
const SPECIAL_MODES: &[&str] = &[
    "ALLOW_INVALID_DATES",
    "TIME_TRUNCATE_FRACTIONAL",
    "TIME_ROUND_FRACTIONAL",
    "EMPTY_STRING_IS_NULL",
    "ORACLE",
    "MSSQL",
    "REAL_AS_FLOAT",
    "PAD_CHAR_TO_FULL_LENGTH",
];

impl Context {
    /// Takes what concerns expressions from the value of `sql_mode`.
    #[must_use]
    pub fn with_sql_mode(mut self, mode: &str) -> Self {
        let has = |word: &str| mode.split(',').any(|one| one.trim().eq_ignore_ascii_case(word));
        self.no_unsigned_subtraction = has("NO_UNSIGNED_SUBTRACTION");
        self.no_backslash_escapes = has("NO_BACKSLASH_ESCAPES");
        self.has_special_mode = SPECIAL_MODES.iter().any(|word| has(word));
        self
    }
}
