//! CREATE, ALTER and DROP SHARDING TABLE RULE.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::DistSqlOutcome;
use sql::ast::{AlgorithmRole, ShardingTableRuleDefinition};

use super::{definition, finish};
use crate::config::{ShardingConfig, TableConfig};
use crate::rule::{duplicate, missing_rule};

pub(super) fn create(
    config: &mut DatabaseConfig,
    rules: &[ShardingTableRuleDefinition],
    if_not_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for (index, rule) in rules.iter().enumerate() {
        let is_repeated = rules[..index].iter().any(|other| other.table == rule.table);
        let is_there = before.find(&rule.table).is_some();
        if is_repeated || (is_there && !if_not_exists) {
            return Err(duplicate(&rule.table));
        }
        if !is_there {
            let table = definition::table(&mut sharding, rule)?;
            sharding.tables.push(table);
        }
    }
    finish(config, &before, &sharding)
}

pub(super) fn alter(
    config: &mut DatabaseConfig,
    rules: &[ShardingTableRuleDefinition],
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for rule in rules {
        let position = sharding.tables.iter().position(|table| table.table == rule.table);
        let position = position.ok_or_else(|| missing_rule(&rule.table))?;
        let old = sharding.tables.remove(position);
        forget_unused(&mut sharding, &old);
        let changed = definition::table(&mut sharding, rule)?;
        sharding.tables.insert(position, changed);
    }
    finish(config, &before, &sharding)?;
    Ok(DistSqlOutcome::Changed)
}

pub(super) fn drop(
    config: &mut DatabaseConfig,
    tables: &[String],
    if_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    for table in tables {
        if let Some(group) = sharding.find_reference(table) {
            return Err(StatementError::new(
                10203,
                "44000",
                format!(
                    "Table '{table}' is in reference rule '{}': drop or alter that first",
                    group.name
                ),
            ));
        }
        match sharding.tables.iter().position(|rule| rule.table == *table) {
            Some(position) => {
                let old = sharding.tables.remove(position);
                forget_unused(&mut sharding, &old);
            }
            None if if_exists => {}
            None => return Err(missing_rule(table)),
        }
    }
    finish(config, &before, &sharding)
}

/// Takes out the algorithms that only this table used.
fn forget_unused(sharding: &mut ShardingConfig, table: &TableConfig) {
    for role in [AlgorithmRole::Sharding, AlgorithmRole::KeyGenerator, AlgorithmRole::Auditor] {
        let names = sharding.named(role).keys().filter(|name| {
            ShardingConfig::uses(table, role, name) && !sharding.is_used(role, name)
        });
        for name in names.cloned().collect::<Vec<_>>() {
            sharding.named_mut(role).remove(&name);
        }
    }
}
