//! The bits of `sql_mode` that change how text is read.

/// How text is read. Part of the plan cache key.
///
/// Source: MySQL 8.4 manual, "Server SQL Modes".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SqlMode {
    /// `"x"` is an identifier.
    pub ansi_quotes: bool,
    /// A backslash in a string is an ordinary character.
    pub no_backslash_escapes: bool,
    /// `||` concatenates.
    pub pipes_as_concat: bool,
    /// White space may stand between a function name and its parenthesis.
    pub ignore_space: bool,
    /// `NOT a BETWEEN b AND c` is `(NOT a) BETWEEN ..`.
    pub high_not_precedence: bool,
    /// 0 in an AUTO_INCREMENT column is a value.
    pub no_auto_value_on_zero: bool,
}

impl SqlMode {
    /// From the value of the variable, e.g. `ANSI_QUOTES,STRICT_TRANS_TABLES`.
    pub fn from_variable(value: &str) -> Self {
        let mut mode = Self::default();
        for word in value.split(',').map(str::trim) {
            match word.to_ascii_uppercase().as_str() {
                "ANSI" => {
                    mode.ansi_quotes = true;
                    mode.pipes_as_concat = true;
                    mode.ignore_space = true;
                }
                "DB2" | "MAXDB" | "MSSQL" | "ORACLE" | "POSTGRESQL" => {
                    mode.ansi_quotes = true;
                    mode.pipes_as_concat = true;
                    mode.ignore_space = true;
                }
                "ANSI_QUOTES" => mode.ansi_quotes = true,
                "NO_BACKSLASH_ESCAPES" => mode.no_backslash_escapes = true,
                "PIPES_AS_CONCAT" => mode.pipes_as_concat = true,
                "IGNORE_SPACE" => mode.ignore_space = true,
                "NO_AUTO_VALUE_ON_ZERO" => mode.no_auto_value_on_zero = true,
                "HIGH_NOT_PRECEDENCE" => mode.high_not_precedence = true,
                _ => {}
            }
        }
        mode
    }
}
