//! CREATE, ALTER and DROP SHARDING ALGORITHM, KEY GENERATOR and AUDITOR.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::DistSqlOutcome;
use sql::ast::{AlgorithmDefinition, AlgorithmRole};

use super::{definition, finish};
use crate::config::ShardingConfig;

pub(super) fn create(
    config: &mut DatabaseConfig,
    role: AlgorithmRole,
    algorithms: &[(String, AlgorithmDefinition)],
    if_not_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for (name, algorithm) in algorithms {
        if before.named(role).contains_key(name) && if_not_exists {
            continue;
        }
        let replaced =
            sharding.named_mut(role).insert(name.clone(), definition::algorithm(algorithm));
        if replaced.is_some() {
            let text = format!("There is a {} '{name}' already", word(role));
            return Err(StatementError::new(10204, "44000", text));
        }
    }
    finish(config, &before, &sharding)
}

pub(super) fn alter(
    config: &mut DatabaseConfig,
    role: AlgorithmRole,
    algorithms: &[(String, AlgorithmDefinition)],
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for (name, algorithm) in algorithms {
        let known = sharding.named_mut(role).get_mut(name);
        *known.ok_or_else(|| missing(role, name))? = definition::algorithm(algorithm);
    }
    finish(config, &before, &sharding)
}

pub(super) fn drop(
    config: &mut DatabaseConfig,
    role: AlgorithmRole,
    names: &[String],
    if_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for name in names {
        if sharding.is_used(role, name) {
            let text = format!("{} '{name}' is used by a rule: change that first", word(role));
            return Err(StatementError::new(10403, "44000", text));
        }
        if sharding.named_mut(role).remove(name).is_none() && !if_exists {
            return Err(missing(role, name));
        }
    }
    finish(config, &before, &sharding)
}

/// For people.
fn word(role: AlgorithmRole) -> &'static str {
    match role {
        AlgorithmRole::Sharding => "sharding algorithm",
        AlgorithmRole::KeyGenerator => "key generator",
        AlgorithmRole::Auditor => "auditor",
    }
}

/// There is none of the name (10402).
pub(super) fn missing(role: AlgorithmRole, name: &str) -> StatementError {
    StatementError::new(10402, "44000", format!("There is no {} '{name}'", word(role)))
}
