//! One-off queries on a storage unit outside the pools: checks, metadata, discovery.

use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::StorageUnitConfig;

/// Connects, runs one text statement, reads its rows as text, disconnects.
///
/// # Errors
/// The unit cannot be reached or refuses the login (10110), or the server's own error.
pub async fn query(config: &StorageUnitConfig, sql: &str) -> Result<TextTable, StatementError> {
    let _ = (config, sql);
    Err(StatementError::unsupported("not connected yet"))
}
