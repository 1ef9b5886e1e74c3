//! Data nodes as written, turned into nodes of known units.

use kernel::error::StatementError;
use kernel::model::{DataNode, StorageUnit};
use sql::row_expression;

use super::missing_unit;
use crate::algorithms::MAX_SHARDING_COUNT;

/// The names a list of row expressions stands for, in their order.
///
/// # Errors
/// A row expression that cannot be read (10300).
pub(crate) fn expand(table: &str, written: &[String]) -> Result<Vec<String>, StatementError> {
    let mut names = Vec::new();
    for expression in written {
        let expanded = row_expression::expand(expression)
            .map_err(|error| invalid(table, &error.to_string()))?;
        names.extend(expanded);
    }
    Ok(names)
}

/// The nodes of `unit.table` names, in their order.
///
/// # Errors
/// A name of another form, or too many (10300), a unit that does not exist (10102).
pub(super) fn explicit(
    table: &str,
    written: &[String],
    units: &[StorageUnit],
) -> Result<Vec<DataNode>, StatementError> {
    let names = expand(table, written)?;
    if names.is_empty() || names.len() > MAX_SHARDING_COUNT as usize {
        let why = format!("a table has 1 to {MAX_SHARDING_COUNT} data nodes, not {}", names.len());
        return Err(invalid(table, &why));
    }
    let node = |name: &String| {
        let parts = name.split('.').map(str::trim).collect::<Vec<_>>();
        let [unit, actual] = parts.as_slice() else {
            return Err(invalid(table, &format!("data node '{name}' must read unit.table")));
        };
        if unit.is_empty() || actual.is_empty() {
            return Err(invalid(table, &format!("data node '{name}' must read unit.table")));
        }
        let unit = find(units, unit)?;
        Ok(DataNode { unit: unit.id, unit_name: unit.name.clone(), actual_table: (*actual).into() })
    };
    names.iter().map(node).collect()
}

/// The nodes of an auto table: shard `i` is `<table>_i` in unit `i mod m`.
///
/// # Errors
/// A unit does not exist (10102) or is listed twice (10200).
pub(super) fn auto(
    table: &str,
    written: &[String],
    count: u32,
    units: &[StorageUnit],
) -> Result<Vec<DataNode>, StatementError> {
    let names = expand(table, written)?;
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(StatementError::new(
                10200,
                "44000",
                format!("Storage unit '{name}' is listed twice for table '{table}'"),
            ));
        }
    }
    let chosen = if written.is_empty() {
        units.iter().collect()
    } else {
        names.iter().map(|name| find(units, name)).collect::<Result<Vec<_>, _>>()?
    };
    if chosen.is_empty() {
        return Err(missing_unit(""));
    }
    let nodes = (0..count).zip(chosen.iter().cycle()).map(|(index, unit)| DataNode {
        unit: unit.id,
        unit_name: unit.name.clone(),
        actual_table: format!("{table}_{index}").into(),
    });
    Ok(nodes.collect())
}

fn find<'u>(units: &'u [StorageUnit], name: &str) -> Result<&'u StorageUnit, StatementError> {
    units.iter().find(|unit| *unit.name == *name).ok_or_else(|| missing_unit(name))
}

/// A data node cannot be read (10300).
fn invalid(table: &str, why: &str) -> StatementError {
    StatementError::new(10300, "44000", format!("Table '{table}': {why}"))
}
