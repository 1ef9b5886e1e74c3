//! What a statement sees of its session and its node.

use std::sync::Arc;

use governance::Governance;
use kernel::error::StatementError;
use kernel::snapshot::LogicalDatabase;

/// What a statement sees of its session and its node.
#[derive(Debug, Clone, Copy)]
pub struct AdminContext<'a> {
    /// Where changes go.
    pub governance: &'a Governance,
    /// The database of the session.
    pub current_database: Option<&'a str>,
    /// The databases the user may use; `None` for all.
    pub permitted: Option<&'a [String]>,
    /// True inside an open transaction.
    pub in_transaction: bool,
    /// Connections to storage units the session holds.
    pub cached_connections: u64,
    /// This node.
    pub node: &'a NodeInfo,
}

/// This node, as SHOW COMPUTE NODES tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeInfo {
    /// Identifies the running process.
    pub id: String,
    /// The address it listens on.
    pub host: String,
    /// The port it listens on.
    pub port: u16,
    /// The release.
    pub version: String,
}

impl AdminContext<'_> {
    /// The name of the database a statement is about: the one it names, else the session's.
    ///
    /// # Errors
    /// There is none (1046), or the user may not use it (1044).
    pub(crate) fn require_name<'n>(
        &'n self,
        named: Option<&'n str>,
    ) -> Result<&'n str, StatementError> {
        let name = named.or(self.current_database).ok_or_else(StatementError::no_database)?;
        require_permitted(self.permitted, name)?;
        Ok(name)
    }

    /// The database a statement is about.
    ///
    /// # Errors
    /// As [`AdminContext::require_name`], or it does not exist (1049).
    pub(crate) fn require_database(
        &self,
        named: Option<&str>,
    ) -> Result<Arc<LogicalDatabase>, StatementError> {
        let name = self.require_name(named)?;
        let snapshot = self.governance.current();
        snapshot.databases.get(name).cloned().ok_or_else(|| StatementError::unknown_database(name))
    }
}

/// Checks that a user may use a database.
///
/// # Errors
/// Not this one (1044).
pub(crate) fn require_permitted(
    permitted: Option<&[String]>,
    name: &str,
) -> Result<(), StatementError> {
    if permitted.is_none_or(|permitted| permitted.iter().any(|other| other == name)) {
        return Ok(());
    }
    Err(StatementError::new(1044, "42000", format!("Access denied to database '{name}'")))
}
