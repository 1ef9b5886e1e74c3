//! DistSQL about sharding: the rule statements and what SHOW says of them.

mod default_strategy;
mod definition;
mod named_algorithm;
mod reference;
mod show;
mod table;

use std::sync::Arc;

use kernel::config::{DatabaseConfig, NamedUnit};
use kernel::error::StatementError;
use kernel::feature::{DistSqlContext, DistSqlOutcome};
use kernel::model::{StorageUnit, UnitId};
use kernel::replicas::nameable_units;
use sql::ast::DistSql;

use crate::config::ShardingConfig;
use crate::rule::ShardingRule;

/// Executes a statement of this feature; `None` for the statements of others.
pub(crate) fn execute(
    statement: &DistSql,
    context: &mut DistSqlContext<'_>,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    let database = context.current.name.clone();
    let mut seen = with_groups(context);
    let outcome = change(statement, &mut seen)
        .or_else(|| show::execute(statement, &seen, &database));
    context.config.rules = seen.rules;
    outcome
}

/// The configuration with every unit under the names that rules may use: a group of units stands for
/// its primary.
fn with_groups(context: &DistSqlContext<'_>) -> DatabaseConfig {
    let mut seen = context.config.clone();
    let current = context.current;
    if !current.groups.is_empty() {
        let groups = current.groups.iter().map(|group| &**group);
        let named = |unit: StorageUnit| NamedUnit {
            name: unit.name.to_string(),
            config: (*unit.config).clone(),
        };
        seen.units = nameable_units(&current.units, groups).into_iter().map(named).collect();
    }
    seen
}

fn change(
    statement: &DistSql,
    config: &mut DatabaseConfig,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    Some(match statement {
        DistSql::CreateShardingTableRule { if_not_exists, rules } => {
            table::create(config, rules, *if_not_exists)
        }
        DistSql::AlterShardingTableRule { rules } => table::alter(config, rules),
        DistSql::DropShardingTableRule { if_exists, tables } => {
            table::drop(config, tables, *if_exists)
        }
        DistSql::CreateShardingTableReferenceRule { if_not_exists, rules } => {
            reference::create(config, rules, *if_not_exists)
        }
        DistSql::AlterShardingTableReferenceRule { rules } => reference::alter(config, rules),
        DistSql::DropShardingTableReferenceRule { if_exists, names } => {
            reference::drop(config, names, *if_exists)
        }
        DistSql::CreateDefaultShardingStrategy { level, if_not_exists, strategy } => {
            default_strategy::create(config, *level, strategy, *if_not_exists)
        }
        DistSql::AlterDefaultShardingStrategy { level, strategy } => {
            default_strategy::alter(config, *level, strategy)
        }
        DistSql::DropDefaultShardingStrategy { level, if_exists } => {
            default_strategy::drop(config, *level, *if_exists)
        }
        DistSql::CreateShardingAlgorithm { role, if_not_exists, algorithms } => {
            named_algorithm::create(config, *role, algorithms, *if_not_exists)
        }
        DistSql::AlterShardingAlgorithm { role, algorithms } => {
            named_algorithm::alter(config, *role, algorithms)
        }
        DistSql::DropShardingAlgorithm { role, if_exists, names } => {
            named_algorithm::drop(config, *role, names, *if_exists)
        }
        _ => return None,
    })
}

/// Checks the changed rule as a whole and puts it into the database.
fn finish(
    config: &mut DatabaseConfig,
    before: &ShardingConfig,
    after: &ShardingConfig,
) -> Result<DistSqlOutcome, StatementError> {
    if before == after {
        return Ok(DistSqlOutcome::Unchanged);
    }
    checked(config, after)?;
    after.store(config)?;
    Ok(DistSqlOutcome::Changed)
}

/// The rule over the units of the database.
fn checked(
    config: &DatabaseConfig,
    sharding: &ShardingConfig,
) -> Result<ShardingRule, StatementError> {
    let unit = |(index, unit): (u32, &kernel::config::NamedUnit)| StorageUnit {
        id: UnitId(index),
        name: unit.name.as_str().into(),
        config: Arc::new(unit.config.clone()),
    };
    let units = (0..).zip(&config.units).map(unit).collect::<Vec<_>>();
    ShardingRule::new(sharding, &units)
}

#[cfg(test)]
mod tests;
