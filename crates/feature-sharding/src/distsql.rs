//! DistSQL about sharding: the rule statements and what SHOW says of them.

mod show;

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::{DistSqlContext, DistSqlOutcome};
use sql::ast::{AlgorithmRole, DistSql, ShardingLayout, ShardingTableRuleDefinition};

use crate::algorithms;
use crate::config::{AlgorithmConfig, ShardingConfig, TableConfig};
use crate::rule::{duplicate, missing_unit};

/// Executes a statement of this feature; `None` for the statements of others.
pub(crate) fn execute(
    statement: &DistSql,
    context: &mut DistSqlContext<'_>,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    let config = &mut *context.config;
    Some(match statement {
        DistSql::CreateShardingTableRule { if_not_exists, rules } => {
            create(config, rules, *if_not_exists)
        }
        DistSql::AlterShardingTableRule { rules } => alter(config, rules),
        DistSql::DropShardingTableRule { if_exists, tables } => drop(config, tables, *if_exists),
        DistSql::ShowShardingTableRules { table, .. } => {
            show::table_rules(config, table.as_deref())
        }
        DistSql::ShowShardingTableNodes { table, .. } => {
            show::table_nodes(config, table.as_deref())
        }
        DistSql::ShowShardingAlgorithms { role: AlgorithmRole::Sharding, .. } => {
            show::algorithms(config)
        }
        DistSql::ShowShardingAlgorithmPlugins { role: AlgorithmRole::Sharding } => {
            Ok(show::plugins())
        }
        DistSql::CountShardingRule { .. } => show::count(config, &context.current.name),
        _ => return None,
    })
}

fn create(
    config: &mut DatabaseConfig,
    rules: &[ShardingTableRuleDefinition],
    if_not_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let mut sharding = ShardingConfig::of(config)?;
    let before = sharding.tables.len();
    for rule in rules {
        let is_repeated = rules.iter().filter(|other| other.table == rule.table).count() > 1;
        if is_repeated || (sharding.find(&rule.table).is_some() && !if_not_exists) {
            return Err(duplicate(&rule.table));
        }
        if sharding.find(&rule.table).is_none() {
            sharding.tables.push(checked(config, rule)?);
        }
    }
    if sharding.tables.len() == before {
        return Ok(DistSqlOutcome::Unchanged);
    }
    sharding.store(config)?;
    Ok(DistSqlOutcome::Changed)
}

fn alter(
    config: &mut DatabaseConfig,
    rules: &[ShardingTableRuleDefinition],
) -> Result<DistSqlOutcome, StatementError> {
    let mut sharding = ShardingConfig::of(config)?;
    for rule in rules {
        let changed = checked(config, rule)?;
        let table = sharding.tables.iter_mut().find(|table| table.table == rule.table);
        *table.ok_or_else(|| missing_rule(&rule.table))? = changed;
    }
    sharding.store(config)?;
    Ok(DistSqlOutcome::Changed)
}

fn drop(
    config: &mut DatabaseConfig,
    tables: &[String],
    if_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let mut sharding = ShardingConfig::of(config)?;
    let before = sharding.tables.len();
    for table in tables {
        if sharding.find(table).is_none() && !if_exists {
            return Err(missing_rule(table));
        }
        sharding.tables.retain(|rule| rule.table != *table);
    }
    if sharding.tables.len() == before {
        return Ok(DistSqlOutcome::Unchanged);
    }
    sharding.store(config)?;
    Ok(DistSqlOutcome::Changed)
}

/// Checks one definition against the units and the algorithms there are.
fn checked(
    config: &DatabaseConfig,
    rule: &ShardingTableRuleDefinition,
) -> Result<TableConfig, StatementError> {
    let unsupported = |what: &str| {
        Err(StatementError::unsupported(format!(
            "Sharding rule of table '{}': {what} not supported yet; use STORAGE_UNITS, \
             SHARDING_COLUMN and TYPE",
            rule.table
        )))
    };
    if rule.key_generator.is_some() {
        return unsupported("KEY_GENERATE_STRATEGY is");
    }
    if rule.audit.is_some() {
        return unsupported("AUDIT_STRATEGY is");
    }
    let ShardingLayout::Auto { units, column, algorithm } = &rule.layout else {
        return unsupported("DATANODES and strategies are");
    };
    let table = TableConfig {
        table: rule.table.clone(),
        storage_units: units.clone(),
        sharding_column: column.clone(),
        algorithm: AlgorithmConfig {
            type_name: algorithm.name.clone(),
            properties: algorithm.properties.clone(),
        },
    };
    check_units(config, &table)?;
    algorithms::build(&algorithm.name, &algorithm.properties)?;
    Ok(table)
}

/// The units exist, and each is listed once.
fn check_units(config: &DatabaseConfig, table: &TableConfig) -> Result<(), StatementError> {
    let names = table.unit_names()?;
    for (index, name) in names.iter().enumerate() {
        if !config.units.iter().any(|unit| unit.name == *name) {
            return Err(missing_unit(name));
        }
        if names[..index].contains(name) {
            return Err(StatementError::new(
                10200,
                "44000",
                format!("Storage unit '{name}' is listed twice for table '{}'", table.table),
            ));
        }
    }
    Ok(())
}

/// A table has no rule (10202).
fn missing_rule(table: &str) -> StatementError {
    StatementError::new(10202, "44000", format!("Table '{table}' has no sharding rule"))
}

#[cfg(test)]
mod tests;
