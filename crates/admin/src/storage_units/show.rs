//! What SHOW says of storage units. Passwords never show.

use governance::pattern::matches_like;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::StorageUnit;

use super::{missing, usage};
use crate::AdminContext;

/// `SHOW STORAGE UNITS`.
///
/// # Source
/// Inventory 1.9.
pub(crate) fn show(
    context: &AdminContext<'_>,
    database: Option<&str>,
    like: Option<&str>,
    usage_count: Option<u64>,
) -> Result<TextTable, StatementError> {
    let database = context.require_database(database)?;
    let columns = [
        "name",
        "type",
        "host",
        "port",
        "db",
        "connection_timeout_milliseconds",
        "idle_timeout_milliseconds",
        "max_lifetime_milliseconds",
        "max_pool_size",
        "min_pool_size",
        "read_only",
        "other_attributes",
    ];
    let units = database
        .units
        .iter()
        .filter(|unit| like.is_none_or(|pattern| matches_like(pattern, &unit.name)))
        .filter(|unit| {
            let uses = || usage::rules_of(&database, unit.id, true).len() as u64;
            usage_count.is_none_or(|count| uses() == count)
        });
    Ok(TextTable {
        columns: columns.map(str::to_owned).to_vec(),
        rows: units.map(unit_row).collect(),
    })
}

fn unit_row(unit: &StorageUnit) -> Vec<Option<String>> {
    let config = &unit.config;
    let pool = &config.pool;
    let row = [
        unit.name.to_string(),
        "MySQL".to_owned(),
        config.host.clone(),
        config.port.to_string(),
        config.database.clone(),
        pool.connection_timeout_ms.to_string(),
        pool.idle_timeout_ms.to_string(),
        pool.max_lifetime_ms.to_string(),
        pool.max_size.to_string(),
        pool.min_size.to_string(),
        pool.read_only.to_string(),
        other_attributes(unit),
    ];
    row.into_iter().map(Some).collect()
}

/// A JSON map; the values of what looks like a secret are left out.
fn other_attributes(unit: &StorageUnit) -> String {
    let attributes = unit.config.other_properties.iter().map(|(name, value)| {
        let lower = name.to_ascii_lowercase();
        let is_secret = ["password", "secret", "token"].iter().any(|word| lower.contains(word));
        let value = if is_secret { "***" } else { value };
        (name.clone(), serde_json::Value::from(value))
    });
    serde_json::Value::Object(attributes.collect()).to_string()
}

/// `SHOW RULES USED STORAGE UNIT u`.
///
/// # Source
/// Inventory 1.9.
pub(crate) fn show_rules_used(
    context: &AdminContext<'_>,
    unit: &str,
    database: Option<&str>,
) -> Result<TextTable, StatementError> {
    let database = context.require_database(database)?;
    let unit = database.find_unit_named(unit).ok_or_else(|| missing(unit))?;
    let mut uses = usage::rules_of(&database, unit.id, true);
    uses.extend(usage::single_tables_of(&database, unit.id));
    Ok(TextTable {
        columns: vec!["type".to_owned(), "name".to_owned()],
        rows: uses.into_iter().map(|(kind, name)| vec![Some(kind), Some(name)]).collect(),
    })
}
