//! SHOW of algorithms, key generators and auditors by their names.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::DistSqlOutcome;
use sql::ast::AlgorithmRole;

use super::{properties, table};
use crate::config::{LayoutConfig, ShardingConfig};
use crate::distsql::named_algorithm::missing;
use crate::rule::audit::DML_SHARDING_CONDITIONS;
use crate::{algorithms, key_generators};

/// `SHOW [UNUSED] SHARDING ALGORITHMS`, `KEY GENERATORS`, `AUDITORS`.
pub(super) fn show(
    config: &DatabaseConfig,
    role: AlgorithmRole,
    is_unused_only: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let sharding = ShardingConfig::of(config)?;
    let named = sharding.named(role).iter();
    let named = named.filter(|(name, _)| !is_unused_only || !sharding.is_used(role, name));
    let rows = named.map(|(name, algorithm)| {
        vec![name.clone(), algorithm.type_name.clone(), properties(algorithm)]
    });
    Ok(table(&["name", "type", "props"], rows.collect()))
}

/// `SHOW SHARDING TABLE RULES USED ALGORITHM|KEY GENERATOR|AUDITOR n`.
pub(super) fn show_users(
    config: &DatabaseConfig,
    role: AlgorithmRole,
    name: &str,
) -> Result<DistSqlOutcome, StatementError> {
    let sharding = ShardingConfig::of(config)?;
    if !sharding.named(role).contains_key(name) {
        return Err(missing(role, name));
    }
    let users = sharding.tables.iter().filter(|rule| ShardingConfig::uses(rule, role, name));
    let rows = users.map(|rule| {
        let kind = match rule.layout {
            LayoutConfig::Auto { .. } => "auto_table",
            LayoutConfig::Explicit { .. } => "table",
        };
        vec![kind.to_owned(), rule.table.clone()]
    });
    Ok(table(&["type", "name"], rows.collect()))
}

/// `SHOW SHARDING ALGORITHM PLUGINS` and its kin.
pub(super) fn plugins(role: AlgorithmRole) -> DistSqlOutcome {
    let row = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
    let rows = match role {
        AlgorithmRole::Sharding => algorithms::ALL
            .iter()
            .map(|entry| row([entry.type_name, entry.aliases, entry.description]))
            .collect(),
        AlgorithmRole::KeyGenerator => key_generators::ALL
            .iter()
            .map(|entry| row([entry.type_name, "", entry.description]))
            .collect(),
        AlgorithmRole::Auditor => {
            vec![row([DML_SHARDING_CONDITIONS, "", "Blocks statements without sharding condition"])]
        }
    };
    table(&["type", "type_aliases", "description"], rows)
}
