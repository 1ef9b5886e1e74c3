//! What can go wrong between the proxy and a storage unit.

use kernel::error::StatementError;

/// An error towards a storage unit.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The unit cannot be reached, or the login did not succeed.
    #[error("storage unit `{unit}` cannot be reached: {reason}")]
    Connect { unit: String, reason: String },
    /// No connection became free in time.
    #[error("all {max} connections of storage unit `{unit}` are in use")]
    PoolExhausted { unit: String, max: u32 },
    /// The connection broke while a statement ran on it.
    #[error("connection to storage unit `{unit}` was lost: {reason}")]
    Lost { unit: String, reason: String },
    /// The server sent bytes that are not the protocol.
    #[error("storage unit `{unit}` broke the protocol: {reason}")]
    Protocol { unit: String, reason: String },
    /// The server's own error.
    #[error("{message}")]
    Server { code: u16, sqlstate: [u8; 5], message: String },
}

impl StorageError {
    /// What the client is told. The server's own errors pass through.
    pub fn to_statement_error(&self) -> StatementError {
        match self {
            Self::Connect { unit, .. } => StatementError::new(
                10110,
                "08000",
                format!(
                    "Storage unit '{unit}' cannot be reached; see the proxy's log for the reason"
                ),
            ),
            Self::PoolExhausted { unit, max } => StatementError::new(
                13000,
                "HY000",
                format!(
                    "No connection of storage unit '{unit}' became free in time; all {max} are in \
                     use. Raise maxPoolSize or connectionTimeoutMilliseconds of the unit"
                ),
            ),
            Self::Lost { unit, .. } => StatementError::new(
                13200,
                "08S01",
                format!(
                    "Connection to storage unit '{unit}' was lost while the statement ran; its \
                     outcome there is unknown if it changes data"
                ),
            ),
            Self::Protocol { unit, .. } => StatementError::new(
                30002,
                "08S01",
                format!("Storage unit '{unit}' sent an answer that is not the MySQL protocol"),
            ),
            Self::Server { code, sqlstate, message } => StatementError {
                code: *code,
                sqlstate: known_state(*sqlstate),
                message: message.clone(),
            },
        }
    }

    /// True when the connection that gave this error can be used again.
    pub fn leaves_connection_usable(&self) -> bool {
        matches!(self, Self::Server { .. })
    }
}

/// States are `'static` in [`StatementError`]; the servers' are a small closed set.
fn known_state(state: [u8; 5]) -> &'static str {
    const KNOWN: &[&str] = &[
        "HY000", "42000", "42S02", "42S01", "42S22", "42S21", "42S12", "23000", "22001", "22003",
        "22004", "22007", "22008", "22012", "22018", "22032", "40001", "28000", "3D000", "08S01",
        "08004", "70100", "21000", "21S01", "0A000", "XA000", "XAE03", "XAE04", "XAE05", "XAE07",
        "XAE08", "XAE09", "XA100", "25000", "25001", "25006", "45000", "02000", "2F005", "44000",
        "01000",
    ];
    KNOWN.iter().copied().find(|known| known.as_bytes() == state).unwrap_or("HY000")
}
