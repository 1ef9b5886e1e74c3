//! CREATE, ALTER and DROP DEFAULT SHARDING DATABASE|TABLE STRATEGY.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::DistSqlOutcome;
use sql::ast::{AlgorithmRole, StrategyDefinition, StrategyLevel};

use super::{definition, finish};
use crate::config::{ShardingConfig, StrategyConfig};

pub(super) fn create(
    config: &mut DatabaseConfig,
    level: StrategyLevel,
    strategy: &StrategyDefinition,
    if_not_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    if before.default_strategy(level).is_some() {
        if if_not_exists {
            return Ok(DistSqlOutcome::Unchanged);
        }
        let text = format!("There is a default sharding {} strategy already", word(level));
        return Err(StatementError::new(10204, "44000", text));
    }
    let mut sharding = before.clone();
    put(&mut sharding, level, strategy)?;
    finish(config, &before, &sharding)
}

pub(super) fn alter(
    config: &mut DatabaseConfig,
    level: StrategyLevel,
    strategy: &StrategyDefinition,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    take(&mut sharding, level).ok_or_else(|| missing(level))?;
    put(&mut sharding, level, strategy)?;
    finish(config, &before, &sharding)?;
    Ok(DistSqlOutcome::Changed)
}

pub(super) fn drop(
    config: &mut DatabaseConfig,
    level: StrategyLevel,
    if_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let before = ShardingConfig::of(config)?;
    let mut sharding = before.clone();
    if take(&mut sharding, level).is_none() && !if_exists {
        return Err(missing(level));
    }
    finish(config, &before, &sharding)
}

fn put(
    sharding: &mut ShardingConfig,
    level: StrategyLevel,
    strategy: &StrategyDefinition,
) -> Result<(), StatementError> {
    let start = format!("default_{}", word(level));
    let strategy = definition::strategy(sharding, &start, strategy)?;
    *slot(sharding, level) = Some(strategy);
    Ok(())
}

/// Takes the strategy out, and its algorithm where nothing else uses it.
fn take(sharding: &mut ShardingConfig, level: StrategyLevel) -> Option<StrategyConfig> {
    let strategy = slot(sharding, level).take()?;
    if let Some(name) = strategy.algorithm()
        && !sharding.is_used(AlgorithmRole::Sharding, name)
    {
        sharding.algorithms.remove(name);
    }
    Some(strategy)
}

fn slot(sharding: &mut ShardingConfig, level: StrategyLevel) -> &mut Option<StrategyConfig> {
    match level {
        StrategyLevel::Database => &mut sharding.default_database_strategy,
        StrategyLevel::Table => &mut sharding.default_table_strategy,
    }
}

fn word(level: StrategyLevel) -> &'static str {
    match level {
        StrategyLevel::Database => "database",
        StrategyLevel::Table => "table",
    }
}

/// There is no default (10202).
fn missing(level: StrategyLevel) -> StatementError {
    let text = format!("There is no default sharding {} strategy", word(level));
    StatementError::new(10202, "44000", text)
}
