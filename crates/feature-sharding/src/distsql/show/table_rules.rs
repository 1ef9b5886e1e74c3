//! `SHOW SHARDING TABLE RULES`, `SHOW SHARDING TABLE RULE t`.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::DistSqlOutcome;
use sql::ast::StrategyLevel;

use super::{chosen, properties, strategy_columns, table};
use crate::config::{LayoutConfig, ShardingConfig, StrategyConfig, TableConfig};
use crate::rule::expand_names;

const COLUMNS: [&str; 16] = [
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

/// Rules of one table or of all; defaults show in the tables that have them.
pub(super) fn show(
    config: &DatabaseConfig,
    name: Option<&str>,
) -> Result<DistSqlOutcome, StatementError> {
    let sharding = ShardingConfig::of(config)?;
    let rows = chosen(&sharding, name)?.into_iter().map(|rule| row(&sharding, rule));
    let rows = rows.collect();
    Ok(table(&COLUMNS, rows))
}

fn row(sharding: &ShardingConfig, rule: &TableConfig) -> Vec<String> {
    let mut row = vec![rule.table.clone()];
    match &rule.layout {
        LayoutConfig::Auto { storage_units, sharding_column, algorithm } => {
            let units = expand_names(&rule.table, storage_units).unwrap_or_default();
            row.extend([String::new(), units.join(",")]);
            row.extend(std::iter::repeat_n(String::new(), 4));
            row.extend(["STANDARD".to_owned(), sharding_column.clone()]);
            row.extend(of_algorithm(sharding, algorithm));
        }
        LayoutConfig::Explicit { data_nodes, .. } => {
            row.extend([data_nodes.join(","), String::new()]);
            for level in [StrategyLevel::Database, StrategyLevel::Table] {
                row.extend(of_strategy(sharding, sharding.strategy(rule, level)));
            }
        }
    }
    match sharding.key_generate(rule) {
        None => row.extend(std::iter::repeat_n(String::new(), 3)),
        Some(key) => {
            row.push(key.column.clone());
            let generator = sharding.key_generators.get(&key.generator);
            row.push(generator.map(|found| found.type_name.clone()).unwrap_or_default());
            row.push(generator.map(properties).unwrap_or_default());
        }
    }
    match sharding.audit(rule) {
        None => row.extend([String::new(), String::new()]),
        Some(audit) => {
            let types = audit.auditors.iter().filter_map(|name| sharding.auditors.get(name));
            let types = types.map(|auditor| auditor.type_name.clone()).collect::<Vec<_>>();
            row.extend([types.join(","), audit.allow_hint_disable.to_string()]);
        }
    }
    row
}

/// Type and properties of an algorithm.
fn of_algorithm(sharding: &ShardingConfig, name: &str) -> [String; 2] {
    let found = sharding.algorithms.get(name);
    found.map(|algorithm| [algorithm.type_name.clone(), properties(algorithm)]).unwrap_or_default()
}

fn of_strategy(sharding: &ShardingConfig, strategy: Option<&StrategyConfig>) -> [String; 4] {
    let Some(strategy) = strategy else { return Default::default() };
    let [type_name, properties] =
        strategy.algorithm().map(|name| of_algorithm(sharding, name)).unwrap_or_default();
    let columns = strategy_columns(sharding, strategy);
    [strategy.kind().to_owned(), columns, type_name, properties]
}
