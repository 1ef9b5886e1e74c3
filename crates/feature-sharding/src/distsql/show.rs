//! What SHOW and COUNT say of sharding rules. Columns: inventory 1.9.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::{DistSqlOutcome, TextTable};

use super::missing_rule;
use crate::algorithms;
use crate::config::{ShardingConfig, TableConfig};

fn table(columns: &[&str], rows: Vec<Vec<String>>) -> DistSqlOutcome {
    DistSqlOutcome::Rows(TextTable {
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        rows: rows.into_iter().map(|row| row.into_iter().map(Some).collect()).collect(),
    })
}

/// Properties print as a JSON map; none as an empty text.
fn properties(rule: &TableConfig) -> String {
    let properties = &rule.algorithm.properties;
    if properties.is_empty() {
        return String::new();
    }
    serde_json::to_string(properties).unwrap_or_default()
}

/// The rules of one table or of all.
fn chosen(config: &DatabaseConfig, name: Option<&str>) -> Result<Vec<TableConfig>, StatementError> {
    let sharding = ShardingConfig::of(config)?;
    match name {
        None => Ok(sharding.tables),
        Some(name) => Ok(vec![sharding.find(name).ok_or_else(|| missing_rule(name))?.clone()]),
    }
}

/// `SHOW SHARDING TABLE RULES`, `SHOW SHARDING TABLE RULE t`.
pub(super) fn table_rules(
    config: &DatabaseConfig,
    name: Option<&str>,
) -> Result<DistSqlOutcome, StatementError> {
    let columns = [
        "table",
        "actual_data_nodes",
        "actual_data_sources",
        "database_strategy_type",
        "database_sharding_column",
        "database_sharding_algorithm_type",
        "database_sharding_algorithm_props",
        "table_strategy_type",
        "table_sharding_column",
        "table_sharding_algorithm_type",
        "table_sharding_algorithm_props",
        "key_generate_column",
        "key_generator_type",
        "key_generator_props",
        "auditor_types",
        "allow_hint_disable",
    ];
    let row = |rule: &TableConfig| {
        let mut row = vec![
            rule.table.clone(),
            String::new(),
            rule.unit_names().unwrap_or_default().join(","),
        ];
        row.resize(7, String::new());
        row.push("STANDARD".to_owned());
        row.push(rule.sharding_column.clone());
        row.push(rule.algorithm.type_name.clone());
        row.push(properties(rule));
        row.resize(columns.len(), String::new());
        row
    };
    Ok(table(&columns, chosen(config, name)?.iter().map(row).collect()))
}

/// `SHOW SHARDING TABLE NODES [t]`.
pub(super) fn table_nodes(
    config: &DatabaseConfig,
    name: Option<&str>,
) -> Result<DistSqlOutcome, StatementError> {
    let mut rows = Vec::new();
    for rule in chosen(config, name)? {
        let algorithm = algorithms::build(&rule.algorithm.type_name, &rule.algorithm.properties)?;
        let units = rule.unit_names()?;
        let nodes = (0..algorithm.sharding_count())
            .zip(units.iter().cycle())
            .map(|(index, unit)| format!("{unit}.{}_{index}", rule.table))
            .collect::<Vec<_>>();
        rows.push(vec![rule.table.clone(), nodes.join(", ")]);
    }
    Ok(table(&["name", "nodes"], rows))
}

/// `SHOW SHARDING ALGORITHMS`.
pub(super) fn algorithms(config: &DatabaseConfig) -> Result<DistSqlOutcome, StatementError> {
    let row = |rule: &TableConfig| {
        vec![rule.algorithm_name(), rule.algorithm.type_name.clone(), properties(rule)]
    };
    let rows = chosen(config, None)?.iter().map(row).collect();
    Ok(table(&["name", "type", "props"], rows))
}

/// `SHOW SHARDING ALGORITHM PLUGINS`.
pub(super) fn plugins() -> DistSqlOutcome {
    let rows = algorithms::ALL
        .iter()
        .map(|entry| [entry.type_name, entry.aliases, entry.description].map(str::to_owned).into())
        .collect();
    table(&["type", "type_aliases", "description"], rows)
}

/// `COUNT SHARDING RULE`.
pub(super) fn count(
    config: &DatabaseConfig,
    database: &str,
) -> Result<DistSqlOutcome, StatementError> {
    let tables = ShardingConfig::of(config)?.tables.len();
    let rows = vec![
        vec!["sharding_table".to_owned(), database.to_owned(), tables.to_string()],
        vec!["sharding_table_reference".to_owned(), database.to_owned(), "0".to_owned()],
    ];
    Ok(table(&["rule_name", "database", "count"], rows))
}
