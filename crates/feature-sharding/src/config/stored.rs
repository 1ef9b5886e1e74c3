//! Rules stored before algorithms had names: the algorithm stood in the table itself.

use serde_json::{Map, Value, json};

/// Gives such algorithms the name that SHOW printed for them, `<table>_<type>` in lower case.
pub(super) fn upgraded(mut rule: Value) -> Value {
    let mut named = Map::new();
    let tables = rule.get_mut("tables").and_then(Value::as_array_mut);
    for table in tables.into_iter().flatten() {
        let Some(algorithm) = table.get("algorithm").filter(|value| value.is_object()).cloned()
        else {
            continue;
        };
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("").to_owned();
        let base = format!("{}_{}", text(table.get("table")), text(algorithm.get("type")));
        let base = base.to_lowercase();
        let mut name = base.clone();
        let mut number = 2;
        while named.get(&name).is_some_and(|other| *other != algorithm) {
            name = format!("{base}_{number}");
            number += 1;
        }
        table["algorithm"] = json!(name);
        named.insert(name, algorithm);
    }
    if !named.is_empty() {
        if let Some(known) = rule.get("algorithms").and_then(Value::as_object) {
            named.extend(known.clone());
        }
        rule["algorithms"] = Value::Object(named);
    }
    rule
}

#[cfg(test)]
mod tests {
    use super::super::{LayoutConfig, ShardingConfig};
    use serde_json::json;

    #[test]
    fn algorithms_in_tables_get_names() {
        let table = |name: &str, count: &str| {
            json!({
                "table": name, "storage_units": ["a"], "sharding_column": "id",
                "algorithm": {"type": "MOD", "properties": {"sharding-count": count}},
            })
        };
        let old = json!({"tables": [table("t", "2"), table("T", "3"), table("u", "4")]});
        let config = ShardingConfig::load(&old).unwrap();
        let names = config.tables.iter().map(|table| match &table.layout {
            LayoutConfig::Auto { algorithm, .. } => algorithm.as_str(),
            LayoutConfig::Explicit { .. } => "",
        });
        assert_eq!(names.collect::<Vec<_>>(), ["t_mod", "t_mod_2", "u_mod"]);
        assert_eq!(config.algorithms["t_mod_2"].properties["sharding-count"], "3");
        let now = serde_json::to_value(&config).unwrap();
        assert_eq!(ShardingConfig::load(&now).unwrap(), config);
    }
}
