//! The rule as ShardingSphere's database file has it, turned into the stored form.

use std::collections::BTreeMap;

use kernel::error::StatementError;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::config::{AlgorithmConfig, ShardingConfig, TableConfig};

/// `- !SHARDING`. Of what is not supported yet, only the absence is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Rule {
    tables: Value,
    // Not a typed map: the order of the tables is kept.
    auto_tables: Option<Map<String, Value>>,
    binding_tables: Value,
    broadcast_tables: Value,
    default_key_generate_strategy: Value,
    default_audit_strategy: Value,
    sharding_algorithms: Option<BTreeMap<String, Algorithm>>,
    // For `tables` only.
    #[serde(rename = "defaultDatabaseStrategy")]
    _default_database_strategy: Value,
    #[serde(rename = "defaultTableStrategy")]
    _default_table_strategy: Value,
    #[serde(rename = "defaultShardingColumn")]
    _default_sharding_column: Value,
    // Without a strategy that uses them they mean nothing.
    #[serde(rename = "keyGenerators")]
    _key_generators: Value,
    #[serde(rename = "auditors")]
    _auditors: Value,
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
struct AutoTable {
    actual_data_sources: String,
    sharding_strategy: Strategy,
    #[serde(default)]
    key_generate_strategy: Value,
    #[serde(default)]
    audit_strategy: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strategy {
    standard: Standard,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Standard {
    sharding_column: String,
    sharding_algorithm_name: String,
}

/// Reads the body of `- !SHARDING`.
///
/// # Errors
/// An unknown key or a missing one (10200), one that is not supported yet (30001). The algorithms
/// are checked when the rule is built.
pub(crate) fn read(body: &Value) -> Result<Value, StatementError> {
    let rule = Rule::deserialize(body).map_err(|error| invalid(&error.to_string()))?;
    for (key, value) in [
        ("tables", &rule.tables),
        ("bindingTables", &rule.binding_tables),
        ("broadcastTables", &rule.broadcast_tables),
        ("defaultKeyGenerateStrategy", &rule.default_key_generate_strategy),
        ("defaultAuditStrategy", &rule.default_audit_strategy),
    ] {
        require_absent(key, value)?;
    }
    let algorithms = rule.sharding_algorithms.unwrap_or_default();
    let tables = rule.auto_tables.unwrap_or_default();
    let tables = tables.iter().map(|(name, table)| read_table(name, table, &algorithms));
    let config = ShardingConfig { tables: tables.collect::<Result<_, _>>()? };
    serde_json::to_value(config).map_err(|error| invalid(&error.to_string()))
}

fn read_table(
    name: &str,
    table: &Value,
    algorithms: &BTreeMap<String, Algorithm>,
) -> Result<TableConfig, StatementError> {
    let wrong = |why: &str| invalid(&format!("autoTables.{name}: {why}"));
    let table = AutoTable::deserialize(table).map_err(|error| wrong(&error.to_string()))?;
    for (key, value) in [
        ("keyGenerateStrategy", &table.key_generate_strategy),
        ("auditStrategy", &table.audit_strategy),
    ] {
        require_absent(&format!("autoTables.{name}.{key}"), value)?;
    }
    let storage_units = sql::row_expression::expand(&table.actual_data_sources)
        .map_err(|error| wrong(&format!("actualDataSources: {error}")))?;
    let Standard { sharding_column, sharding_algorithm_name } = table.sharding_strategy.standard;
    let algorithm = algorithms
        .get(&sharding_algorithm_name)
        .ok_or_else(|| wrong(&format!("shardingAlgorithms has no {sharding_algorithm_name}")))?;
    let properties = algorithm.props.iter().flatten();
    let properties = properties.map(|(key, value)| match value {
        Value::String(text) => (key.clone(), text.clone()),
        other => (key.clone(), other.to_string()),
    });
    Ok(TableConfig {
        table: name.to_owned(),
        storage_units,
        sharding_column,
        algorithm: AlgorithmConfig {
            type_name: algorithm.type_name.clone(),
            properties: properties.collect(),
        },
    })
}

fn require_absent(key: &str, value: &Value) -> Result<(), StatementError> {
    let is_absent = match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    if is_absent {
        return Ok(());
    }
    Err(StatementError::unsupported(format!("{key} is not supported yet")))
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
                let units = table.storage_units.join(",");
                let algorithm = &table.algorithm;
                let count = &algorithm.properties["sharding-count"];
                format!(
                    "{} {units} {} {} {count}",
                    table.table, table.sharding_column, algorithm.type_name
                )
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
            (json!({ "tables": { "t": {} } }), 30001, "tables is not supported yet"),
            (json!({ "bindingTables": ["a,b"] }), 30001, "bindingTables"),
            (json!({ "broadcastTables": ["a"] }), 30001, "broadcastTables"),
            (
                json!({ "autoTables": { "t": {} } }),
                10200,
                "autoTables.t: missing field `actualDataSources`",
            ),
            (table(""), 10200, "autoTables.t: shardingAlgorithms has no m"),
            (
                table(r#", "auditStrategy": { "auditorNames": [] }"#),
                30001,
                "autoTables.t.auditStrategy",
            ),
        ];
        for (body, code, text) in cases {
            let error = read(&body).unwrap_err();
            assert_eq!(error.code, code, "{}", error.message);
            assert!(error.message.contains(text), "{}", error.message);
        }
    }
}
