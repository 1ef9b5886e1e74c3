//! What is asked of a unit's `information_schema`, and what its answers mean.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::{ColumnMetadata, StorageUnitConfig, TableMetadata};
use kernel::snapshot::UnitMetadata;
use tokio::task::JoinSet;

/// One unit to be read.
#[derive(Debug)]
pub(crate) struct UnitReading {
    /// Its name, for errors.
    pub(crate) name: String,
    pub(crate) config: Arc<StorageUnitConfig>,
    /// Actual tables; `None` for all.
    pub(crate) tables: Option<Vec<String>>,
}

impl UnitReading {
    /// All tables of a unit.
    pub(crate) fn whole(name: &str, config: &StorageUnitConfig) -> Self {
        Self { name: name.to_owned(), config: Arc::new(config.clone()), tables: None }
    }
}

/// Reads units, all at a time; the results are in their order.
pub(crate) async fn read_units(
    readings: Vec<UnitReading>,
) -> Vec<Result<UnitMetadata, StatementError>> {
    let mut results: Vec<_> = readings.iter().map(|reading| Err(interrupted(reading))).collect();
    let mut running = JoinSet::new();
    for (index, reading) in readings.into_iter().enumerate() {
        running.spawn(async move { (index, read_unit(&reading).await) });
    }
    while let Some(joined) = running.join_next().await {
        if let Ok((index, result)) = joined {
            results[index] = result;
        }
    }
    results
}

fn interrupted(reading: &UnitReading) -> StatementError {
    cannot_use(&reading.name, "the reading was interrupted")
}

fn cannot_use(unit: &str, why: &str) -> StatementError {
    let text = format!("Storage unit '{unit}' cannot be used: {why}");
    StatementError::new(10110, "08000", text)
}

async fn read_unit(reading: &UnitReading) -> Result<UnitMetadata, StatementError> {
    let query = async |sql: String| {
        let answer = storage::probe::query(&reading.config, &sql).await;
        answer.map_err(|error| cannot_use(&reading.name, &error.message))
    };
    let version = query("SELECT VERSION()".to_owned()).await?;
    let columns = query(columns_query(reading.tables.as_deref())).await?;
    let keys = query(keys_query(reading.tables.as_deref())).await?;
    build_metadata(&version, &columns, &keys)
        .ok_or_else(|| cannot_use(&reading.name, "its information_schema has an unknown form"))
}

/// # Source
/// MySQL manual, "The INFORMATION_SCHEMA COLUMNS Table"; the columns asked for are those that
/// MariaDB has, too.
fn columns_query(tables: Option<&[String]>) -> String {
    format!(
        "SELECT c.TABLE_NAME, t.TABLE_TYPE, c.COLUMN_NAME, c.DATA_TYPE, c.COLUMN_TYPE, \
         c.COLLATION_NAME, c.IS_NULLABLE, c.COLUMN_DEFAULT, c.EXTRA \
         FROM information_schema.TABLES t JOIN information_schema.COLUMNS c \
         ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME \
         WHERE t.TABLE_SCHEMA = DATABASE() AND c.TABLE_SCHEMA = DATABASE(){}{} \
         ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION",
        name_condition("t.TABLE_NAME", tables),
        name_condition("c.TABLE_NAME", tables),
    )
}

/// # Source
/// MySQL manual, "The INFORMATION_SCHEMA STATISTICS Table".
fn keys_query(tables: Option<&[String]>) -> String {
    format!(
        "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS \
         WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0{} \
         ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX",
        name_condition("TABLE_NAME", tables),
    )
}

fn name_condition(column: &str, tables: Option<&[String]>) -> String {
    match tables {
        None => String::new(),
        Some([]) => " AND FALSE".to_owned(),
        Some(names) => {
            let names: Vec<_> = names.iter().map(|name| quote(name)).collect();
            format!(" AND {column} IN ({})", names.join(", "))
        }
    }
}

/// A string literal that means the same under every `sql_mode` and character set.
fn quote(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')) {
        return format!("'{name}'");
    }
    let digits: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("CONVERT(0x{digits} USING utf8mb4)")
}

/// Puts the answers together; `None` when they are not of the form that was asked for.
fn build_metadata(
    version: &TextTable,
    columns: &TextTable,
    keys: &TextTable,
) -> Option<UnitMetadata> {
    let mut tables: BTreeMap<String, TableMetadata> = BTreeMap::new();
    for row in &columns.rows {
        let [name, kind, column @ ..] = row.as_slice() else { return None };
        let name = name.as_deref()?;
        let table = tables.entry(name.to_owned()).or_insert_with(|| TableMetadata {
            name: name.to_owned(),
            is_view: kind.as_deref().is_some_and(|kind| kind.ends_with("VIEW")),
            columns: Vec::new(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
        });
        table.columns.push(build_column(column)?);
    }
    add_keys(&mut tables, keys)?;
    Some(UnitMetadata {
        server_version: version.rows.first()?.first()?.clone()?,
        tables: tables.into_iter().map(|(name, table)| (name, Arc::new(table))).collect(),
    })
}

fn build_column(cells: &[Option<String>]) -> Option<ColumnMetadata> {
    let [name, data_type, column_type, collation, is_nullable, default, extra] = cells else {
        return None;
    };
    let extra = extra.as_deref().unwrap_or_default().to_ascii_lowercase();
    // MariaDB writes the default NULL of a nullable column as a word.
    let has_default = default.as_deref().is_some_and(|default| default != "NULL");
    Some(ColumnMetadata {
        name: name.clone()?,
        data_type: data_type.as_deref()?.to_ascii_lowercase(),
        column_type: column_type.clone()?,
        collation: collation.clone().unwrap_or_default(),
        is_nullable: is_nullable.as_deref() == Some("YES"),
        is_auto_increment: extra.contains("auto_increment"),
        has_default: has_default || extra.contains("generated") || extra.contains("persistent"),
        is_invisible: extra.contains("invisible"),
    })
}

/// Rows of one index follow one another, in key order.
fn add_keys(tables: &mut BTreeMap<String, TableMetadata>, keys: &TextTable) -> Option<()> {
    let mut rows = keys.rows.iter().peekable();
    while let Some(row) = rows.next() {
        let [table, index, column] = row.as_slice() else { return None };
        let mut columns = vec![column.clone()];
        while let Some(next) = rows.next_if(|next| next.get(..2) == Some(&row[..2])) {
            columns.push(next.get(2)?.clone());
        }
        let Some(table) = tables.get_mut(table.as_deref()?) else { continue };
        // A part that is an expression has no column: such an index decides nothing here.
        let Some(columns) = columns.into_iter().collect::<Option<Vec<_>>>() else { continue };
        if index.as_deref() == Some("PRIMARY") {
            table.primary_key = columns;
        } else {
            table.unique_keys.push(columns);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests;
