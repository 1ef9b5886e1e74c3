//! What SHOW and COUNT say of sharding rules. Columns: inventory 1.9.

mod named_algorithm;
mod table_rules;

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::{DistSqlOutcome, TextTable};
use sql::ast::{DistSql, StrategyLevel};

use super::{checked, reference};
use crate::config::{AlgorithmConfig, ShardingConfig, StrategyConfig, TableConfig};
use crate::rule::missing_rule;

/// The statements that show; `None` for the others.
pub(super) fn execute(
    statement: &DistSql,
    config: &DatabaseConfig,
    database: &str,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    Some(match statement {
        DistSql::ShowShardingTableRules { table, .. } => {
            table_rules::show(config, table.as_deref())
        }
        DistSql::ShowShardingTableNodes { table, .. } => table_nodes(config, table.as_deref()),
        DistSql::ShowShardingTableReferenceRules { name, .. } => {
            references(config, name.as_deref())
        }
        DistSql::ShowDefaultShardingStrategy { .. } => default_strategy(config),
        DistSql::ShowShardingAlgorithms { role, is_unused_only, .. } => {
            named_algorithm::show(config, *role, *is_unused_only)
        }
        DistSql::ShowShardingTableRulesUsed { role, name, .. } => {
            named_algorithm::show_users(config, *role, name)
        }
        DistSql::ShowShardingAlgorithmPlugins { role } => Ok(named_algorithm::plugins(*role)),
        DistSql::CountShardingRule { .. } => count(config, database),
        _ => return None,
    })
}

fn table(columns: &[&str], rows: Vec<Vec<String>>) -> DistSqlOutcome {
    DistSqlOutcome::Rows(TextTable {
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        rows: rows.into_iter().map(|row| row.into_iter().map(Some).collect()).collect(),
    })
}

/// Properties print as a JSON map; none as an empty text.
fn properties(algorithm: &AlgorithmConfig) -> String {
    if algorithm.properties.is_empty() {
        return String::new();
    }
    serde_json::to_string(&algorithm.properties).unwrap_or_default()
}

/// The columns of a strategy, as SHOW prints them.
fn strategy_columns(sharding: &ShardingConfig, strategy: &StrategyConfig) -> String {
    match strategy {
        StrategyConfig::Standard { column, .. } => {
            column.as_ref().or(sharding.default_sharding_column.as_ref()).cloned()
        }
        StrategyConfig::Complex { columns, .. } => Some(columns.join(",")),
        StrategyConfig::Hint { .. } | StrategyConfig::None => None,
    }
    .unwrap_or_default()
}

/// The rules of one table or of all.
fn chosen<'s>(
    sharding: &'s ShardingConfig,
    name: Option<&str>,
) -> Result<Vec<&'s TableConfig>, StatementError> {
    match name {
        None => Ok(sharding.tables.iter().collect()),
        Some(name) => Ok(vec![sharding.find(name).ok_or_else(|| missing_rule(name))?]),
    }
}

/// `SHOW SHARDING TABLE NODES [t]`.
fn table_nodes(
    config: &DatabaseConfig,
    name: Option<&str>,
) -> Result<DistSqlOutcome, StatementError> {
    let sharding = ShardingConfig::of(config)?;
    let rule = checked(config, &sharding)?;
    let mut rows = Vec::new();
    for table in chosen(&sharding, name)? {
        let nodes = rule.find(&table.table).map(|rule| rule.nodes.clone());
        let nodes = nodes.iter().flat_map(|nodes| nodes.iter());
        let nodes = nodes.map(|node| format!("{}.{}", node.unit_name, node.actual_table));
        rows.push(vec![table.table.clone(), nodes.collect::<Vec<_>>().join(", ")]);
    }
    Ok(self::table(&["name", "nodes"], rows))
}

/// `SHOW SHARDING TABLE REFERENCE RULES`, `RULE n`.
fn references(
    config: &DatabaseConfig,
    name: Option<&str>,
) -> Result<DistSqlOutcome, StatementError> {
    let groups = ShardingConfig::of(config)?.references;
    if let Some(name) = name
        && groups.iter().all(|group| group.name != name)
    {
        return Err(reference::missing(name));
    }
    let groups = groups.into_iter().filter(|group| name.is_none_or(|name| group.name == name));
    let rows = groups.map(|group| vec![group.name, group.tables.join(",")]).collect();
    Ok(table(&["name", "sharding_table_reference"], rows))
}

/// `SHOW DEFAULT SHARDING STRATEGY`.
fn default_strategy(config: &DatabaseConfig) -> Result<DistSqlOutcome, StatementError> {
    let columns = [
        "name",
        "type",
        "sharding_column",
        "sharding_algorithm_name",
        "sharding_algorithm_type",
        "sharding_algorithm_props",
    ];
    let sharding = ShardingConfig::of(config)?;
    let row = |name: &str, level| {
        let mut row = vec![name.to_owned()];
        if let Some(strategy) = sharding.default_strategy(level) {
            row.push(strategy.kind().to_owned());
            row.push(strategy_columns(&sharding, strategy));
            if let Some(name) = strategy.algorithm() {
                row.push(name.to_owned());
                if let Some(algorithm) = sharding.algorithms.get(name) {
                    row.push(algorithm.type_name.clone());
                    row.push(properties(algorithm));
                }
            }
        }
        row.resize(columns.len(), String::new());
        row
    };
    let rows = vec![row("DATABASE", StrategyLevel::Database), row("TABLE", StrategyLevel::Table)];
    Ok(table(&columns, rows))
}

/// `COUNT SHARDING RULE`.
fn count(config: &DatabaseConfig, database: &str) -> Result<DistSqlOutcome, StatementError> {
    let sharding = ShardingConfig::of(config)?;
    let row = |name: &str, count: usize| vec![name.into(), database.to_owned(), count.to_string()];
    let rows = vec![
        row("sharding_table", sharding.tables.len()),
        row("sharding_table_reference", sharding.references.len()),
    ];
    Ok(table(&["rule_name", "database", "count"], rows))
}
