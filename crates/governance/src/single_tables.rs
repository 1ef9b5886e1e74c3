//! Single tables: tables without a rule, found in the storage units, and which unit each belongs to
//! when several have one of its name.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::StatementError;
use kernel::model::{DataNode, Placement, StorageUnit};
use serde::{Deserialize, Serialize};

/// The key in [`kernel::config::DatabaseConfig::rules`].
pub const RULE_KEY: &str = "SINGLE";

/// What was chosen about single tables. Without any choice, every table found in exactly one unit
/// is a single table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct SingleRule {
    /// `*.*`, `unit.*`, `unit.table`: which unit a name belongs to when several have it.
    pub tables: Vec<String>,
    /// Hidden tables; `*` for all that [`SingleRule::tables`] does not name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unloaded: Vec<String>,
    /// Where CREATE TABLE without a rule goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_data_source: Option<String>,
}

impl SingleRule {
    /// Reads the rule; without one nothing is chosen.
    ///
    /// # Errors
    /// An unknown key or a wrong type (10200).
    pub fn from_rules(rules: &BTreeMap<String, serde_json::Value>) -> Result<Self, StatementError> {
        match rules.get(RULE_KEY) {
            None => Ok(Self::default()),
            Some(rule) => Self::deserialize(rule).map_err(|error| {
                StatementError::new(10200, "HY000", format!("Invalid SINGLE rule: {error}"))
            }),
        }
    }

    /// Puts the rule into the rules, or takes it out when nothing is chosen.
    pub fn put_into(self, rules: &mut BTreeMap<String, serde_json::Value>) {
        if self == Self::default() {
            rules.remove(RULE_KEY);
            return;
        }
        let mut body = serde_json::json!({ "tables": self.tables });
        if !self.unloaded.is_empty() {
            body["unloaded"] = self.unloaded.into();
        }
        if let Some(unit) = self.default_data_source {
            body["defaultDataSource"] = unit.into();
        }
        rules.insert(RULE_KEY.to_owned(), body);
    }

    /// Checks that every unit it names is registered.
    ///
    /// # Errors
    /// 10102 with the unit's name; 10200 for an item that is not `unit.table`.
    pub fn check(&self, units: &[StorageUnit]) -> Result<(), StatementError> {
        let require = |name: &str| {
            if units.iter().any(|unit| &*unit.name == name) {
                return Ok(());
            }
            Err(StatementError::new(
                10102,
                "42S02",
                format!("Storage unit '{name}' does not exist: register it first"),
            ))
        };
        for item in &self.tables {
            match item.split_once('.') {
                Some(("*", "*")) => {}
                Some((unit, table)) if !table.is_empty() && unit != "*" => require(unit)?,
                _ => {
                    return Err(StatementError::new(
                        10200,
                        "HY000",
                        format!("'{item}' must read *.*, unit.* or unit.table"),
                    ));
                }
            }
        }
        self.default_data_source.as_deref().map_or(Ok(()), require)
    }

    /// Chooses a unit's table, or all tables of a unit, and takes back that it was hidden.
    pub fn load(&mut self, unit: &str, table: &str) {
        if table != "*" {
            // One table has one unit: the last choice counts.
            self.tables.retain(|item| item.split_once('.').is_none_or(|(_, name)| name != table));
            self.unloaded.retain(|name| name != table);
        }
        let item = format!("{unit}.{table}");
        if item == "*.*" {
            self.unloaded.clear();
        }
        if !self.tables.contains(&item) {
            self.tables.push(item);
        }
    }

    /// Hides a table, or all with `*`.
    pub fn unload(&mut self, table: &str) {
        if table == "*" {
            self.tables.clear();
            self.unloaded = vec!["*".to_owned()];
            return;
        }
        self.tables.retain(|item| item.split_once('.').is_none_or(|(_, name)| name != table));
        if !self.unloaded.iter().any(|name| name == table) {
            self.unloaded.push(table.to_owned());
        }
    }

    /// Takes back every choice of this unit.
    pub fn forget_unit(&mut self, unit: &str) {
        self.tables.retain(|item| item.split_once('.').is_none_or(|(name, _)| name != unit));
        if self.default_data_source.as_deref() == Some(unit) {
            self.default_data_source = None;
        }
    }

    /// Where the table of this name is, given every unit that has one. `None` when it is hidden.
    pub fn place(&self, table: &str, found: &[DataNode]) -> Option<Placement> {
        let chosen = found.iter().find(|node| {
            self.tables.iter().any(|item| item.split_once('.') == Some((&*node.unit_name, table)))
        });
        if let Some(node) = chosen {
            return Some(Placement::Single(node.clone()));
        }
        if self.unloaded.iter().any(|name| name == table) {
            return None;
        }
        let whole_units: BTreeSet<&str> =
            self.tables.iter().filter_map(|item| item.strip_suffix(".*")).collect();
        let preferred: Vec<&DataNode> =
            found.iter().filter(|node| whole_units.contains(&*node.unit_name)).collect();
        let everything_is_hidden = self.unloaded.iter().any(|name| name == "*");
        let candidates: Vec<DataNode> = if preferred.is_empty() && !everything_is_hidden {
            found.to_vec()
        } else {
            preferred.into_iter().cloned().collect()
        };
        match candidates.as_slice() {
            [] => None,
            [node] => Some(Placement::Single(node.clone())),
            _ => Some(Placement::Ambiguous(candidates)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::model::UnitId;

    fn nodes(units: &[&str]) -> Vec<DataNode> {
        let node = |(index, unit): (usize, &&str)| DataNode {
            unit: UnitId(index as u32),
            unit_name: (*unit).into(),
            actual_table: "t".into(),
        };
        units.iter().enumerate().map(node).collect()
    }

    fn placed(rule: &SingleRule, units: &[&str]) -> String {
        match rule.place("t", &nodes(units)) {
            None => "hidden".to_owned(),
            Some(Placement::Single(node)) => node.unit_name.to_string(),
            Some(Placement::Ambiguous(nodes)) => format!("ambiguous {}", nodes.len()),
            Some(Placement::Sharded(_)) => "sharded".to_owned(),
            Some(Placement::Broadcast(_)) => "broadcast".to_owned(),
        }
    }

    #[test]
    fn a_name_in_several_units_waits_for_a_choice() {
        let mut rule = SingleRule::default();
        assert_eq!(placed(&rule, &["a"]), "a");
        assert_eq!(placed(&rule, &["a", "b"]), "ambiguous 2");
        rule.load("b", "*");
        assert_eq!(placed(&rule, &["a", "b"]), "b");
        assert_eq!(placed(&rule, &["a"]), "a", "the rest is still found by itself");
        rule.load("a", "t");
        assert_eq!(placed(&rule, &["a", "b"]), "a", "the table is chosen before the unit");
        rule.load("b", "t");
        assert_eq!(placed(&rule, &["a", "b"]), "b", "the last choice counts");
        assert_eq!(rule.tables, ["b.*", "b.t"]);
    }

    #[test]
    fn unloaded_tables_are_hidden_until_loaded() {
        let mut rule = SingleRule::default();
        rule.unload("t");
        assert_eq!(placed(&rule, &["a"]), "hidden");
        rule.load("a", "t");
        assert_eq!(placed(&rule, &["a"]), "a");
        rule.unload("*");
        assert_eq!(placed(&rule, &["a"]), "hidden");
        rule.load("a", "*");
        assert_eq!(placed(&rule, &["a", "b"]), "a");
        assert_eq!(placed(&rule, &["b"]), "hidden");
        rule.load("*", "*");
        assert_eq!(placed(&rule, &["b"]), "b");
    }

    #[test]
    fn the_rule_is_kept_as_shardingsphere_writes_it() {
        let mut rule = SingleRule::default();
        let mut rules = BTreeMap::new();
        rule.load("a", "t");
        rule.default_data_source = Some("b".to_owned());
        rule.clone().put_into(&mut rules);
        let expected = serde_json::json!({ "tables": ["a.t"], "defaultDataSource": "b" });
        assert_eq!(rules[RULE_KEY], expected);
        assert_eq!(SingleRule::from_rules(&rules).unwrap(), rule);
        assert_eq!(rule.check(&[]).unwrap_err().code, 10102);
        SingleRule::default().put_into(&mut rules);
        assert!(rules.is_empty());
        rules.insert(RULE_KEY.to_owned(), serde_json::json!({ "tabels": [] }));
        assert!(SingleRule::from_rules(&rules).unwrap_err().message.contains("tabels"));
    }
}
