//! Auditors: what lets statements on a sharded table pass.

use kernel::error::StatementError;
use sql::ast::Hint;

use crate::config::{AlgorithmConfig, AuditConfig, ShardingConfig};

/// The one auditor there is: it blocks statements without a sharding condition.
pub(crate) const DML_SHARDING_CONDITIONS: &str = "DML_SHARDING_CONDITIONS";

/// The hint that switches auditors off for a statement, in both spellings.
const DISABLE_HINTS: [&str; 2] = ["DISABLE_AUDIT_NAMES", "disableAuditNames"];

/// The auditors of a table.
#[derive(Debug, Clone)]
pub(crate) struct Audit {
    names: Vec<String>,
    is_disabled_by_hint: bool,
}

impl Audit {
    pub(super) fn new(
        config: &ShardingConfig,
        audit: &AuditConfig,
    ) -> Result<Self, StatementError> {
        for name in &audit.auditors {
            if !config.auditors.contains_key(name) {
                return Err(StatementError::new(
                    10402,
                    "44000",
                    format!("There is no auditor '{name}'"),
                ));
            }
        }
        Ok(Self { names: audit.auditors.clone(), is_disabled_by_hint: audit.allow_hint_disable })
    }

    /// Blocks a statement that says nothing of the sharding columns.
    ///
    /// # Errors
    /// 20090, with the name of the auditor.
    ///
    /// # Source
    /// Inventory 2.8: an auditor is switched off by its name in DISABLE_AUDIT_NAMES, names parted by
    /// spaces, where the strategy allows it.
    pub(crate) fn check(
        &self,
        table: &str,
        has_condition: bool,
        hints: &[Hint],
    ) -> Result<(), StatementError> {
        if has_condition {
            return Ok(());
        }
        let disabled = hints
            .iter()
            .filter(|hint| DISABLE_HINTS.iter().any(|key| key.eq_ignore_ascii_case(&hint.key)));
        let disabled = disabled.flat_map(|hint| hint.value.split_whitespace()).collect::<Vec<_>>();
        let is_disabled = |name: &&String| {
            self.is_disabled_by_hint && disabled.iter().any(|off| off.eq_ignore_ascii_case(name))
        };
        let Some(name) = self.names.iter().find(|name| !is_disabled(name)) else { return Ok(()) };
        let way = if self.is_disabled_by_hint {
            format!(", or write /* SHARDINGSPHERE_HINT: DISABLE_AUDIT_NAMES={name} */")
        } else {
            String::new()
        };
        Err(StatementError::new(
            20090,
            "44000",
            format!(
                "Auditor '{name}' blocks the statement: it has no condition on the sharding \
                 columns of table '{table}'; add one{way}"
            ),
        ))
    }
}

/// The type is known.
///
/// # Errors
/// 10402.
pub(crate) fn check(auditor: &AlgorithmConfig) -> Result<(), StatementError> {
    if auditor.type_name.eq_ignore_ascii_case(DML_SHARDING_CONDITIONS) {
        return Ok(());
    }
    Err(StatementError::new(
        10402,
        "44000",
        format!(
            "There is no auditor type '{}'; known is: {DML_SHARDING_CONDITIONS}",
            auditor.type_name
        ),
    ))
}
