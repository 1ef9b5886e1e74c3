//! The rule as ShardingSphere's database file has it, turned into the stored form.
//!
//! Source: inventory 5.3.

use std::collections::BTreeMap;

use kernel::error::StatementError;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::config::{
    AlgorithmConfig, AuditConfig, KeyGenerateConfig, LayoutConfig, ReferenceConfig, ShardingConfig,
    StrategyConfig, TableConfig,
};

/// `- !SHARDING`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Rule {
    // Not typed maps: the order of the tables is kept.
    tables: Option<Map<String, Value>>,
    auto_tables: Option<Map<String, Value>>,
    binding_tables: Option<Vec<String>>,
    default_database_strategy: Option<Strategy>,
    default_table_strategy: Option<Strategy>,
    default_sharding_column: Option<String>,
    default_key_generate_strategy: Option<KeyGenerate>,
    default_audit_strategy: Option<Audit>,
    sharding_algorithms: Option<BTreeMap<String, Algorithm>>,
    key_generators: Option<BTreeMap<String, Algorithm>>,
    auditors: Option<BTreeMap<String, Algorithm>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Algorithm {
    #[serde(rename = "type")]
    type_name: String,
    #[serde(default)]
    props: Option<BTreeMap<String, Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Table {
    actual_data_nodes: String,
    database_strategy: Option<Strategy>,
    table_strategy: Option<Strategy>,
    key_generate_strategy: Option<KeyGenerate>,
    audit_strategy: Option<Audit>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AutoTable {
    actual_data_sources: Option<String>,
    sharding_strategy: Strategy,
    key_generate_strategy: Option<KeyGenerate>,
    audit_strategy: Option<Audit>,
}

/// One of these keys; `none` has no value.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Strategy {
    standard: Option<Standard>,
    complex: Option<Complex>,
    hint: Option<ByHint>,
    #[serde(deserialize_with = "present")]
    none: bool,
}

/// True where the key stands, whatever its value.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    serde::de::IgnoredAny::deserialize(value).map(|_| true)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Standard {
    sharding_column: Option<String>,
    sharding_algorithm_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Complex {
    sharding_columns: String,
    sharding_algorithm_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ByHint {
    sharding_algorithm_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct KeyGenerate {
    column: String,
    key_generator_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Audit {
    #[serde(default)]
    auditor_names: Vec<String>,
    #[serde(default = "allowed")]
    allow_hint_disable: bool,
}

fn allowed() -> bool {
    true
}

/// Reads the body of `- !SHARDING`.
///
/// # Errors
/// An unknown key or a missing one, or an algorithm without a definition (10200). The algorithms are
/// checked when the rule is built.
pub(crate) fn read(body: &Value) -> Result<Value, StatementError> {
    let rule = Rule::deserialize(body).map_err(|error| invalid(&error.to_string()))?;
    let mut config = ShardingConfig {
        algorithms: algorithms(rule.sharding_algorithms),
        key_generators: algorithms(rule.key_generators),
        auditors: algorithms(rule.auditors),
        default_sharding_column: rule.default_sharding_column,
        default_key_generate: rule.default_key_generate_strategy.map(key_generate),
        default_audit: rule.default_audit_strategy.and_then(audit),
        ..ShardingConfig::default()
    };
    config.default_database_strategy =
        default_strategy("defaultDatabaseStrategy", rule.default_database_strategy)?;
    config.default_table_strategy =
        default_strategy("defaultTableStrategy", rule.default_table_strategy)?;
    for (name, body) in rule.tables.unwrap_or_default() {
        let key = format!("tables.{name}");
        let table = table(name, body).map_err(|why| invalid(&format!("{key}: {why}")))?;
        config.tables.push(table);
    }
    for (name, body) in rule.auto_tables.unwrap_or_default() {
        let key = format!("autoTables.{name}");
        let table = auto_table(name, body, config.default_sharding_column.as_deref())
            .map_err(|why| invalid(&format!("{key}: {why}")))?;
        config.tables.push(table);
    }
    for (index, text) in rule.binding_tables.unwrap_or_default().iter().enumerate() {
        config.references.push(reference(index, text));
    }
    check_names(&config)?;
    serde_json::to_value(config).map_err(|error| invalid(&error.to_string()))
}

fn algorithms(named: Option<BTreeMap<String, Algorithm>>) -> BTreeMap<String, AlgorithmConfig> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let stored = |algorithm: Algorithm| AlgorithmConfig {
        type_name: algorithm.type_name,
        properties: (algorithm.props.into_iter().flatten())
            .map(|(key, value)| (key, text(value)))
            .collect(),
    };
    named.unwrap_or_default().into_iter().map(|(name, one)| (name, stored(one))).collect()
}

fn key_generate(key: KeyGenerate) -> KeyGenerateConfig {
    KeyGenerateConfig { column: key.column, generator: key.key_generator_name }
}

fn audit(audit: Audit) -> Option<AuditConfig> {
    (!audit.auditor_names.is_empty()).then_some(AuditConfig {
        auditors: audit.auditor_names,
        allow_hint_disable: audit.allow_hint_disable,
    })
}

fn default_strategy(
    key: &str,
    strategy: Option<Strategy>,
) -> Result<Option<StrategyConfig>, StatementError> {
    let strategy = strategy.map(stored).transpose();
    strategy.map_err(|why| invalid(&format!("{key}: {why}")))
}

/// One strategy in the stored form.
fn stored(strategy: Strategy) -> Result<StrategyConfig, String> {
    match strategy {
        Strategy { standard: Some(standard), complex: None, hint: None, none: false } => {
            Ok(StrategyConfig::Standard {
                column: standard.sharding_column,
                algorithm: standard.sharding_algorithm_name,
            })
        }
        Strategy { standard: None, complex: Some(complex), hint: None, none: false } => {
            let columns = complex.sharding_columns.split(',').map(|name| name.trim().to_owned());
            Ok(StrategyConfig::Complex {
                columns: columns.collect(),
                algorithm: complex.sharding_algorithm_name,
            })
        }
        Strategy { standard: None, complex: None, hint: Some(hint), none: false } => {
            Ok(StrategyConfig::Hint { algorithm: hint.sharding_algorithm_name })
        }
        Strategy { standard: None, complex: None, hint: None, none: true } => {
            Ok(StrategyConfig::None)
        }
        _ => Err("a strategy has one of the keys standard, complex, hint and none".to_owned()),
    }
}

fn table(name: String, body: Value) -> Result<TableConfig, String> {
    let table = Table::deserialize(body).map_err(|error| error.to_string())?;
    Ok(TableConfig {
        table: name,
        layout: LayoutConfig::Explicit {
            data_nodes: vec![table.actual_data_nodes],
            database_strategy: table.database_strategy.map(stored).transpose()?,
            table_strategy: table.table_strategy.map(stored).transpose()?,
        },
        key_generate: table.key_generate_strategy.map(key_generate),
        audit: table.audit_strategy.and_then(audit),
    })
}

fn auto_table(
    name: String,
    body: Value,
    default_column: Option<&str>,
) -> Result<TableConfig, String> {
    let table = AutoTable::deserialize(body).map_err(|error| error.to_string())?;
    let storage_units = match table.actual_data_sources.as_deref() {
        None => Vec::new(),
        Some(written) => sql::row_expression::expand(written)
            .map_err(|error| format!("actualDataSources: {error}"))?,
    };
    let StrategyConfig::Standard { column, algorithm } = stored(table.sharding_strategy)? else {
        return Err("shardingStrategy: an auto table has a standard strategy".to_owned());
    };
    let column = column.or_else(|| default_column.map(str::to_owned));
    Ok(TableConfig {
        table: name,
        layout: LayoutConfig::Auto {
            storage_units,
            sharding_column: column.ok_or("shardingStrategy: shardingColumn is missing")?,
            algorithm,
        },
        key_generate: table.key_generate_strategy.map(key_generate),
        audit: table.audit_strategy.and_then(audit),
    })
}

/// `a,b` or `name:a,b`.
fn reference(index: usize, text: &str) -> ReferenceConfig {
    let (name, tables) = match text.split_once(':') {
        Some((name, tables)) => (name.trim().to_owned(), tables),
        None => (format!("reference_{index}"), text),
    };
    let tables = tables.split(',').map(|table| table.trim().to_owned()).collect();
    ReferenceConfig { name, tables }
}

/// Every algorithm that is named has its definition.
fn check_names(config: &ShardingConfig) -> Result<(), StatementError> {
    let lacks =
        |key: &str, list: &str, name: &str| Err(invalid(&format!("{key}: {list} has no {name}")));
    for table in &config.tables {
        let kind = match table.layout {
            LayoutConfig::Auto { .. } => "autoTables",
            LayoutConfig::Explicit { .. } => "tables",
        };
        let key = format!("{kind}.{}", table.table);
        for name in table.algorithms() {
            if !config.algorithms.contains_key(name) {
                return lacks(&key, "shardingAlgorithms", name);
            }
        }
        if let Some(generate) = &table.key_generate
            && !config.key_generators.contains_key(&generate.generator)
        {
            return lacks(&key, "keyGenerators", &generate.generator);
        }
        for name in table.audit.iter().flat_map(|audit| &audit.auditors) {
            if !config.auditors.contains_key(name) {
                return lacks(&key, "auditors", name);
            }
        }
    }
    Ok(())
}

fn invalid(why: &str) -> StatementError {
    StatementError::new(10200, "44000", why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn auto_tables_become_the_stored_rule() {
        let body = json!({
            "autoTables": {
                "t_user": {
                    "actualDataSources": "ds_${0..2}",
                    "shardingStrategy": { "standard": {
                        "shardingColumn": "id", "shardingAlgorithmName": "by_mod" } },
                },
                "a_log": {
                    "actualDataSources": "ds_1,ds_0",
                    "shardingStrategy": { "standard": {
                        "shardingColumn": "name", "shardingAlgorithmName": "by_hash" } },
                    "keyGenerateStrategy": null,
                },
            },
            "tables": {},
            "defaultDatabaseStrategy": { "none": null },
            "shardingAlgorithms": {
                "by_mod": { "type": "MOD", "props": { "sharding-count": 10 } },
                "by_hash": { "type": "HASH_MOD", "props": { "sharding-count": "4" } },
            },
            "keyGenerators": { "snowflake": { "type": "SNOWFLAKE" } },
        });
        let config = ShardingConfig::load(&read(&body).unwrap()).unwrap();
        let shown: Vec<_> = config
            .tables
            .iter()
            .map(|table| {
                let LayoutConfig::Auto { storage_units, sharding_column, algorithm } =
                    &table.layout
                else {
                    panic!("{table:?}")
                };
                let algorithm = &config.algorithms[algorithm];
                let count = &algorithm.properties["sharding-count"];
                let (units, name) = (storage_units.join(","), &algorithm.type_name);
                format!("{} {units} {sharding_column} {name} {count}", table.table)
            })
            .collect();
        assert_eq!(shown, ["t_user ds_0,ds_1,ds_2 id MOD 10", "a_log ds_1,ds_0 name HASH_MOD 4"]);
    }

    #[test]
    fn errors_name_the_key() {
        let table = |extra: &str| {
            let text = format!(
                r#"{{ "autoTables": {{ "t": {{ "actualDataSources": "a", "shardingStrategy": {{
                "standard": {{ "shardingColumn": "id", "shardingAlgorithmName": "m" }} }} {extra} }} }} }}"#
            );
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let cases = [
            (json!({ "autoTable": {} }), 10200, "autoTable"),
            (json!({ "tables": { "t": {} } }), 10200, "tables.t: missing field `actualDataNodes`"),
            (
                json!({ "defaultTableStrategy": { "none": null, "hint":
                    { "shardingAlgorithmName": "a" } } }),
                10200,
                "defaultTableStrategy: a strategy has one of the keys",
            ),
            (
                json!({ "autoTables": { "t": {} } }),
                10200,
                "autoTables.t: missing field `shardingStrategy`",
            ),
            (table(""), 10200, "autoTables.t: shardingAlgorithms has no m"),
        ];
        for (body, code, text) in cases {
            let error = read(&body).unwrap_err();
            assert_eq!(error.code, code, "{}", error.message);
            assert!(error.message.contains(text), "{}", error.message);
        }
    }

    fn inline(text: &str) -> Value {
        json!({ "type": "INLINE", "props": { "algorithm-expression": text } })
    }

    fn standard(column: &str, name: &str) -> Value {
        json!({ "standard": { "shardingColumn": column, "shardingAlgorithmName": name } })
    }

    #[test]
    fn explicit_tables_with_all_their_keys() {
        let body = json!({
            "tables": {
                "t_order": {
                    "actualDataNodes": "ds_${0..1}.t_order_${0..1}",
                    "tableStrategy": standard("order_id", "order_inline"),
                    "keyGenerateStrategy": { "column": "order_id",
                        "keyGeneratorName": "snowflake" },
                    "auditStrategy": { "auditorNames": ["strict"], "allowHintDisable": false },
                },
                "t_item": {
                    "actualDataNodes": "ds_0.t_item",
                    "databaseStrategy": { "none": null },
                    "tableStrategy": { "complex": { "shardingColumns": "a, b",
                        "shardingAlgorithmName": "c" } },
                },
            },
            "bindingTables": ["t_order,t_item", "named: a, b"],
            "defaultDatabaseStrategy": standard("user_id", "database_inline"),
            "defaultShardingColumn": "user_id",
            "shardingAlgorithms": {
                "database_inline": inline("ds_${user_id % 2}"),
                "order_inline": inline("t_order_${order_id % 2}"),
                "c": { "type": "COMPLEX_INLINE" },
            },
            "keyGenerators": { "snowflake": { "type": "SNOWFLAKE", "props": { "worker-id": 3 } } },
            "auditors": { "strict": { "type": "DML_SHARDING_CONDITIONS" } },
        });
        let stored = read(&body).unwrap();
        let config = ShardingConfig::load(&stored).unwrap();
        let expected = json!({
            "tables": [
                {
                    "table": "t_order", "data_nodes": ["ds_${0..1}.t_order_${0..1}"],
                    "table_strategy": { "type": "standard", "column": "order_id",
                        "algorithm": "order_inline" },
                    "key_generate": { "column": "order_id", "generator": "snowflake" },
                    "audit": { "auditors": ["strict"], "allow_hint_disable": false },
                },
                {
                    "table": "t_item", "data_nodes": ["ds_0.t_item"],
                    "database_strategy": { "type": "none" },
                    "table_strategy": { "type": "complex", "columns": ["a", "b"],
                        "algorithm": "c" },
                },
            ],
            "references": [
                { "name": "reference_0", "tables": ["t_order", "t_item"] },
                { "name": "named", "tables": ["a", "b"] },
            ],
            "default_database_strategy": { "type": "standard", "column": "user_id",
                "algorithm": "database_inline" },
            "default_sharding_column": "user_id",
            "algorithms": {
                "c": { "type": "COMPLEX_INLINE", "properties": {} },
                "database_inline": { "type": "INLINE", "properties": {
                    "algorithm-expression": "ds_${user_id % 2}" } },
                "order_inline": { "type": "INLINE", "properties": {
                    "algorithm-expression": "t_order_${order_id % 2}" } },
            },
            "key_generators": { "snowflake": { "type": "SNOWFLAKE", "properties": {
                "worker-id": "3" } } },
            "auditors": { "strict": { "type": "DML_SHARDING_CONDITIONS", "properties": {} } },
        });
        assert_eq!(serde_json::to_value(config).unwrap(), expected);
    }
}
