//! `database-*.yaml` (ShardingSphere 5.4 and later) and `config-*.yaml` (before).

use std::collections::BTreeMap;

use kernel::config::{DatabaseConfig, NamedUnit};
use kernel::feature::FeatureEntry;
use serde::Deserialize;
use yaml_serde::value::{Tag, TaggedValue};
use yaml_serde::{Mapping, Value};

use super::scalar::{Scalar, text_of};
use crate::single_tables::{RULE_KEY, SingleRule};
use crate::unit_config::{UnitParts, build_unit_config};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DatabaseFile {
    #[serde(alias = "schemaName")]
    database_name: String,
    // Not a map: the order is that of registration.
    #[serde(default)]
    data_sources: Option<Mapping>,
    #[serde(default)]
    rules: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DataSource {
    url: String,
    username: Scalar,
    #[serde(default)]
    password: Value,
    #[serde(default, rename = "dataSourceClassName")]
    _data_source_class_name: Option<Value>,
    #[serde(default)]
    custom_pool_props: Option<BTreeMap<String, Scalar>>,
    connection_timeout_milliseconds: Option<Scalar>,
    idle_timeout_milliseconds: Option<Scalar>,
    max_lifetime_milliseconds: Option<Scalar>,
    max_pool_size: Option<Scalar>,
    min_pool_size: Option<Scalar>,
    read_only: Option<Scalar>,
}

/// Reads the file: the logical database's name and its configuration; `None` for a file of
/// comments only.
///
/// # Errors
/// A text that names the key.
pub(super) fn read(
    text: &str,
    features: &'static [FeatureEntry],
) -> Result<Option<(String, DatabaseConfig)>, String> {
    let Some(file) = super::parse::<DatabaseFile>(text)? else {
        return Ok(None);
    };
    if file.database_name.is_empty() {
        return Err("databaseName: must not be empty".to_owned());
    }
    let mut config = DatabaseConfig::default();
    for (name, source) in file.data_sources.unwrap_or_default() {
        let name = text_of(&name).map_err(|why| format!("dataSources: {why}"))?;
        let source = yaml_serde::from_value(source)
            .map_err(|error| error.to_string())
            .and_then(read_unit)
            .map_err(|why| format!("dataSources.{name}: {why}"))?;
        config.units.push(NamedUnit { name, config: source });
    }
    for rule in file.rules.unwrap_or_default() {
        for rule in split_older(rule) {
            let (key, body) = read_rule(rule, features)?;
            if config.rules.insert(key.clone(), body).is_some() {
                return Err(format!("rules: !{key} is given twice"));
            }
        }
    }
    Ok(Some((file.database_name, config)))
}

fn read_unit(source: DataSource) -> Result<kernel::model::StorageUnitConfig, String> {
    let url = sql::distsql::jdbc_url::parse(&source.url)
        .ok_or("url must read jdbc:mysql://host:port/database?parameters")?;
    let password = text_of(&source.password).map_err(|why| format!("password: {why}"))?;
    let mut properties: BTreeMap<String, String> = source
        .custom_pool_props
        .unwrap_or_default()
        .into_iter()
        .map(|(name, value)| (name, value.0))
        .collect();
    for (name, value) in [
        ("connectionTimeoutMilliseconds", source.connection_timeout_milliseconds),
        ("idleTimeoutMilliseconds", source.idle_timeout_milliseconds),
        ("maxLifetimeMilliseconds", source.max_lifetime_milliseconds),
        ("maxPoolSize", source.max_pool_size),
        ("minPoolSize", source.min_pool_size),
        ("readOnly", source.read_only),
    ] {
        if let Some(Scalar(value)) = value {
            properties.insert(name.to_owned(), value);
        }
    }
    build_unit_config(UnitParts {
        host: &url.host,
        port: url.port,
        database: &url.database,
        user: &source.username.0,
        password: &password,
        url_parameters: &url.parameters,
        properties: &properties,
    })
}

/// Broadcast tables were a part of !SHARDING before 5.4; they become the rule they are now.
///
/// # Source
/// Inventory 5.3.
fn split_older(rule: Value) -> Vec<Value> {
    let Value::Tagged(mut tagged) = rule else { return vec![rule] };
    let mut rules = Vec::with_capacity(2);
    if tagged.tag == Tag::new("SHARDING")
        && let Value::Mapping(body) = &mut tagged.value
        && let Some(tables) = body.remove("broadcastTables")
        && !tables.is_null()
    {
        let mut broadcast = Mapping::new();
        broadcast.insert("tables".into(), tables);
        rules.push(Value::Tagged(Box::new(TaggedValue {
            tag: Tag::new("BROADCAST"),
            value: Value::Mapping(broadcast),
        })));
    }
    rules.insert(0, Value::Tagged(tagged));
    rules
}

/// One `- !KIND {..}`, its body in the form that is stored.
fn read_rule(
    rule: Value,
    features: &'static [FeatureEntry],
) -> Result<(String, serde_json::Value), String> {
    let Value::Tagged(tagged) = rule else {
        return Err("rules: every rule starts with its kind, e.g. - !SHARDING".to_owned());
    };
    let tag = tagged.tag.to_string();
    let key = tag.trim_start_matches('!').to_owned();
    let body = match tagged.value {
        Value::Null => serde_json::json!({}),
        value => serde_json::to_value(value).map_err(|error| format!("rules: !{key}: {error}"))?,
    };
    if key == RULE_KEY {
        let single = SingleRule::from_rules(&[(key.clone(), body.clone())].into())
            .map_err(|error| format!("rules: {}", error.message))?;
        if !single.unloaded.is_empty() {
            return Err("rules: !SINGLE: unknown key unloaded".to_owned());
        }
        return Ok((key, body));
    }
    let entry = features
        .iter()
        .find(|entry| entry.rule_key == key)
        .ok_or_else(|| format!("rules: !{key} is not supported yet"))?;
    let body =
        (entry.from_yaml)(&body).map_err(|error| format!("rules: !{key}: {}", error.message))?;
    Ok((key, body))
}

#[cfg(test)]
mod tests;
