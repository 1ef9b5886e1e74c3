//! The statements of the sharding scenario.

use super::UNIT_COUNT;

/// Four storage units, and the tables `t_user` and `sbtest1` over them, by `id` modulo 10.
pub(crate) fn sharding_statements(ports: &[u16]) -> Vec<String> {
    let units: Vec<String> = ports
        .iter()
        .enumerate()
        .map(|(index, port)| {
            format!(
                "ds_{index} (\n    HOST=\"127.0.0.1\",\n    PORT={port},\n    DB=\"sbtest\",\n    \
                 USER=\"test\",\n    PASSWORD=\"test\"\n)"
            )
        })
        .collect();
    let names: Vec<String> = (0..UNIT_COUNT).map(|index| format!("ds_{index}")).collect();
    let rule = |table: &str| {
        format!(
            "USE sharding_db;\nCREATE SHARDING TABLE RULE {table} (\nSTORAGE_UNITS({}),\n\
             SHARDING_COLUMN=id,TYPE(NAME=\"MOD\",PROPERTIES(\"sharding-count\"=10))\n)",
            names.join(", ")
        )
    };
    vec![
        "DROP DATABASE IF EXISTS sharding_db".to_owned(),
        "CREATE DATABASE IF NOT EXISTS sharding_db".to_owned(),
        format!("USE sharding_db;\nREGISTER STORAGE UNIT {}", units.join(", ")),
        rule("t_user"),
        rule("sbtest1"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_registered_and_used() {
        let statements = sharding_statements(&[1, 2, 3, 4]).join("\n");
        for index in 0..UNIT_COUNT {
            assert_eq!(statements.matches(&format!("ds_{index}")).count(), 3, "{statements}");
        }
        assert!(statements.contains("RULE t_user") && statements.contains("RULE sbtest1"));
    }
}
