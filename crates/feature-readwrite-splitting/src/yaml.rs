//! The rule as ShardingSphere's database files have it, newer (`dataSourceGroups`) and older
//! (`dataSources` with a static strategy).
//!
//! # Source
//! Inventory 5.3.

use std::collections::BTreeMap;

use kernel::error::StatementError;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::config::{BalancerConfig, GroupConfig, SplittingConfig, invalid};
use crate::load_balancers;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rule {
    #[serde(default, alias = "dataSources")]
    data_source_groups: Map<String, Value>,
    #[serde(default)]
    load_balancers: BTreeMap<String, Balancer>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Balancer {
    #[serde(rename = "type")]
    type_name: String,
    #[serde(default)]
    props: Option<BTreeMap<String, Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Group {
    static_strategy: Option<Units>,
    dynamic_strategy: Option<Value>,
    write_data_source_name: Option<String>,
    read_data_source_names: Option<Names>,
    transactional_read_query_strategy: Option<String>,
    load_balancer_name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Units {
    write_data_source_name: String,
    read_data_source_names: Names,
}

/// A list, or a text with commas.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Names {
    List(Vec<String>),
    Text(String),
}

impl Names {
    fn into_list(self) -> Vec<String> {
        match self {
            Self::List(names) => names,
            Self::Text(text) => text.split(',').map(|name| name.trim().to_owned()).collect(),
        }
    }
}

/// Reads the body of `- !READWRITE_SPLITTING`.
///
/// # Errors
/// An unknown key, a wrong type, a missing load balancer (10200, 10402).
pub(crate) fn read(body: &Value) -> Result<Value, StatementError> {
    let rule = Rule::deserialize(body).map_err(|error| invalid(&error.to_string()))?;
    let mut groups = Vec::with_capacity(rule.data_source_groups.len());
    for (name, body) in rule.data_source_groups {
        let group = Group::deserialize(&body)
            .map_err(|error| invalid(&format!("dataSourceGroups.{name}: {error}")))?;
        groups.push(read_group(name, group, &rule.load_balancers)?);
    }
    Ok(SplittingConfig { groups }.to_value())
}

fn read_group(
    name: String,
    group: Group,
    balancers: &BTreeMap<String, Balancer>,
) -> Result<GroupConfig, StatementError> {
    if group.dynamic_strategy.is_some() {
        return Err(StatementError::unsupported(format!(
            "dataSources.{name}: dynamicStrategy needs database discovery, which is not supported: \
             name the units in staticStrategy"
        )));
    }
    let (write_unit, read_units) = match group.static_strategy {
        Some(units) => (Some(units.write_data_source_name), Some(units.read_data_source_names)),
        None => (group.write_data_source_name, group.read_data_source_names),
    };
    let (Some(write_unit), Some(read_units)) = (write_unit, read_units) else {
        let why = format!(
            "dataSourceGroups.{name}: writeDataSourceName and readDataSourceNames are needed"
        );
        return Err(invalid(&why));
    };
    let load_balancer = match group.load_balancer_name {
        None => None,
        Some(wanted) => Some(read_balancer(&name, &wanted, balancers)?),
    };
    let group = GroupConfig {
        name,
        write_unit,
        read_units: read_units.into_list(),
        disabled_units: Vec::new(),
        transactional_reads: group.transactional_read_query_strategy,
        load_balancer,
    };
    load_balancers::require(&group)?.build(&group)?;
    Ok(group)
}

fn read_balancer(
    group: &str,
    wanted: &str,
    balancers: &BTreeMap<String, Balancer>,
) -> Result<BalancerConfig, StatementError> {
    let balancer = balancers.get(wanted).ok_or_else(|| {
        let text = format!("dataSourceGroups.{group}: there is no load balancer '{wanted}'");
        StatementError::new(10402, "44000", text)
    })?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let properties = balancer.props.iter().flatten();
    Ok(BalancerConfig {
        type_name: balancer.type_name.clone(),
        properties: properties.map(|(name, value)| (name.clone(), text(value))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn expected(strategy: Option<&str>) -> SplittingConfig {
        SplittingConfig {
            groups: vec![GroupConfig {
                name: "g".to_owned(),
                write_unit: "w".to_owned(),
                read_units: vec!["r0".to_owned(), "r1".to_owned()],
                disabled_units: Vec::new(),
                transactional_reads: strategy.map(str::to_owned),
                load_balancer: Some(BalancerConfig {
                    type_name: "WEIGHT".to_owned(),
                    properties: [("r0", "2"), ("r1", "1.5")]
                        .map(|(name, value)| (name.to_owned(), value.to_owned()))
                        .into(),
                }),
            }],
        }
    }

    #[test]
    fn both_generations_are_read() {
        let balancers = json!({"b": {"type": "WEIGHT", "props": {"r0": 2, "r1": "1.5"}}});
        let newer = json!({
            "dataSourceGroups": {"g": {
                "writeDataSourceName": "w", "readDataSourceNames": ["r0", "r1"],
                "transactionalReadQueryStrategy": "FIXED", "loadBalancerName": "b",
            }},
            "loadBalancers": balancers,
        });
        assert_eq!(read(&newer).unwrap(), expected(Some("FIXED")).to_value());
        let older = json!({
            "dataSources": {"g": {
                "staticStrategy": {"writeDataSourceName": "w", "readDataSourceNames": "r0, r1"},
                "loadBalancerName": "b",
            }},
            "loadBalancers": balancers,
        });
        assert_eq!(read(&older).unwrap(), expected(None).to_value());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let group = |group: Value| read(&json!({"dataSourceGroups": {"g": group}})).unwrap_err();
        let cases = [
            (json!({"writeDataSourceName": "w"}), 10200, "readDataSourceNames"),
            (json!({"colour": "w"}), 10200, "colour"),
            (json!({"dynamicStrategy": {}}), 30001, "database discovery"),
            (
                json!({
                    "writeDataSourceName": "w", "readDataSourceNames": ["r"], "loadBalancerName": "b"
                }),
                10402,
                "no load balancer 'b'",
            ),
        ];
        for (body, code, text) in cases {
            let error = group(body);
            assert_eq!(error.code, code, "{error:?}");
            assert!(error.message.contains(text), "{error:?}");
        }
    }
}
