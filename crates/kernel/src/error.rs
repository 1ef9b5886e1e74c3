//! Errors a client sees.

/// An error with MySQL's number and SQLSTATE. The text is safe for clients: no internals, no secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StatementError {
    /// MySQL's error number, or ShardingSphere 5.5's where MySQL has no such condition.
    pub code: u16,
    /// Five characters.
    pub sqlstate: &'static str,
    /// What happened and what to do.
    pub message: String,
}

impl StatementError {
    /// Any error.
    pub fn new(code: u16, sqlstate: &'static str, message: impl Into<String>) -> Self {
        Self { code, sqlstate, message: message.into() }
    }

    /// The statement is understood but not supported on the tables it names (30001).
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(30001, "HY000", message)
    }

    /// No database chosen (1046).
    pub fn no_database() -> Self {
        Self::new(1046, "3D000", "No database selected")
    }

    /// An unknown logical database (1049).
    pub fn unknown_database(name: &str) -> Self {
        Self::new(1049, "42000", format!("Unknown database '{name}'"))
    }

    /// An unknown table (1146).
    pub fn unknown_table(database: &str, table: &str) -> Self {
        Self::new(1146, "42S02", format!("Table '{database}.{table}' doesn't exist"))
    }

    /// An unknown column (1054).
    pub fn unknown_column(column: &str, clause: &str) -> Self {
        Self::new(1054, "42S22", format!("Unknown column '{column}' in '{clause}'"))
    }

    /// A text that is not SQL (1064).
    pub fn syntax(message: impl Into<String>) -> Self {
        Self::new(1064, "42000", message)
    }
}
