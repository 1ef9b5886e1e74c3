//! CREATE, ALTER and DROP SHARDING TABLE REFERENCE RULE.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::DistSqlOutcome;
use sql::ast::ReferenceDefinition;

use super::finish;
use crate::config::{ReferenceConfig, ShardingConfig};
use crate::rule::duplicate_reference;

pub(super) fn create(
    config: &mut DatabaseConfig,
    rules: &[ReferenceDefinition],
    if_not_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for rule in rules {
        let name = rule.name.clone().unwrap_or_else(|| free_name(&sharding));
        let is_there = before.references.iter().any(|group| group.name == name);
        if is_there && if_not_exists {
            continue;
        }
        if sharding.references.iter().any(|group| group.name == name) {
            return Err(duplicate_reference(&name));
        }
        sharding.references.push(ReferenceConfig { name, tables: rule.tables.clone() });
    }
    finish(config, &before, &sharding)
}

/// A name for a group of the older dialects, which give none.
fn free_name(sharding: &ShardingConfig) -> String {
    let is_free = |name: &String| sharding.references.iter().all(|group| group.name != *name);
    let mut number = sharding.references.len();
    loop {
        let name = format!("reference_{number}");
        if is_free(&name) {
            return name;
        }
        number += 1;
    }
}

pub(super) fn alter(
    config: &mut DatabaseConfig,
    rules: &[ReferenceDefinition],
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    // The older dialects alter all groups at once.
    if rules.iter().all(|rule| rule.name.is_none()) {
        sharding.references.clear();
        for rule in rules {
            let name = free_name(&sharding);
            sharding.references.push(ReferenceConfig { name, tables: rule.tables.clone() });
        }
        return finish(config, &before, &sharding);
    }
    for rule in rules {
        let name = rule.name.as_deref().unwrap_or_default();
        let group = sharding.references.iter_mut().find(|group| group.name == name);
        group.ok_or_else(|| missing(name))?.tables = rule.tables.clone();
    }
    finish(config, &before, &sharding)
}

pub(super) fn drop(
    config: &mut DatabaseConfig,
    names: &[String],
    if_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for name in names {
        match sharding.references.iter().position(|group| group.name == *name) {
            Some(position) => {
                sharding.references.remove(position);
            }
            None if if_exists => {}
            None => return Err(missing(name)),
        }
    }
    finish(config, &before, &sharding)
}

/// There is no group of the name (10202).
pub(super) fn missing(name: &str) -> StatementError {
    StatementError::new(10202, "44000", format!("There is no reference rule '{name}'"))
}
