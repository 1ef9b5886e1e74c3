//! Reference groups: tables whose rows with equal sharding values lie on nodes of one number.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::error::StatementError;

use super::{TableRule, missing_rule};
use crate::algorithms::SuffixRule;
use crate::config::ShardingConfig;

/// The number of each table's group.
///
/// # Errors
/// A table has no rule (10202) or is in two groups (10204), a name is given twice (10204), or the
/// tables of a group are laid out differently (20010).
pub(super) fn groups(
    config: &ShardingConfig,
    tables: &HashMap<Arc<str>, Arc<TableRule>>,
) -> Result<HashMap<Arc<str>, usize>, StatementError> {
    let mut groups = HashMap::new();
    for (index, reference) in config.references.iter().enumerate() {
        if config.references[..index].iter().any(|other| other.name == reference.name) {
            return Err(duplicate(&reference.name));
        }
        let mut first: Option<&TableRule> = None;
        for name in &reference.tables {
            let table = tables.get(name.as_str()).ok_or_else(|| missing_rule(name))?;
            if groups.insert(table.table.clone(), index).is_some() {
                return Err(StatementError::new(
                    10204,
                    "44000",
                    format!("Table '{name}' is in two reference rules, or twice in one"),
                ));
            }
            match first {
                None => first = Some(table),
                Some(first) => check(&reference.name, first, table)?,
            }
        }
    }
    Ok(groups)
}

/// A name is taken (10204).
pub(crate) fn duplicate(name: &str) -> StatementError {
    StatementError::new(10204, "44000", format!("There are two reference rules '{name}'"))
}

/// Both tables are laid out alike.
fn check(name: &str, first: &TableRule, other: &TableRule) -> Result<(), StatementError> {
    let wrong = |why: String| {
        let tables = format!("'{}' and '{}'", first.table, other.table);
        let text = format!("Reference rule '{name}': tables {tables} {why}");
        Err(StatementError::new(20010, "44000", text))
    };
    if first.nodes.len() != other.nodes.len() {
        let counts = (first.nodes.len(), other.nodes.len());
        return wrong(format!("have {} and {} data nodes", counts.0, counts.1));
    }
    if first.shape != other.shape {
        return wrong("do not have the same strategies and algorithms".to_owned());
    }
    let (ends, other_ends) = (ends(first), ends(other));
    for (index, (left, right)) in first.nodes.iter().zip(other.nodes.iter()).enumerate() {
        if left.unit != right.unit || ends[index] != other_ends[index] {
            return wrong(format!(
                "do not have their data nodes in the same order: {}.{} and {}.{}",
                left.unit_name, left.actual_table, right.unit_name, right.actual_table
            ));
        }
    }
    Ok(())
}

/// The actual names without what all of a table's begin with.
fn ends(table: &TableRule) -> Vec<&str> {
    let names = || table.nodes.iter().map(|node| &*node.actual_table);
    let prefix = SuffixRule::new(&table.table, names()).prefix;
    names().map(|name| name.strip_prefix(prefix.as_str()).unwrap_or(name)).collect()
}
