//! What is asked of a unit's `information_schema`, and what its answers mean.

use std::collections::{BTreeMap, HashSet};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::{ColumnMetadata, StorageUnitConfig, TableMetadata};
use kernel::snapshot::UnitMetadata;

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
    concurrently(readings.iter().map(read_unit)).await
}

/// Runs futures on this task, all at a time; the results are in their order. A connection is bound
/// to its worker, so these futures cannot be spawned elsewhere.
async fn concurrently<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut running: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        let mut is_pending = false;
        for (future, output) in running.iter_mut().filter(|(_, output)| output.is_none()) {
            match future.as_mut().poll(context) {
                Poll::Ready(ready) => *output = Some(ready),
                Poll::Pending => is_pending = true,
            }
        }
        if is_pending { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    running.into_iter().filter_map(|(_, output)| output).collect()
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
    let overview = query(overview_query(reading.tables.as_deref())).await?;
    let columns = query(columns_query(reading.tables.as_deref())).await?;
    let keys = query(keys_query(reading.tables.as_deref())).await?;
    build_metadata(&overview, &columns, &keys)
        .ok_or_else(|| cannot_use(&reading.name, "its information_schema has an unknown form"))
}

/// The version, in a row without a name, and the kind of each table. Not joined with the columns:
/// MariaDB would look through all databases.
///
/// # Source
/// MySQL manual, "The INFORMATION_SCHEMA TABLES Table"; MariaDB has the columns asked for, too.
fn overview_query(tables: Option<&[String]>) -> String {
    format!(
        "SELECT NULL, VERSION() UNION ALL SELECT TABLE_NAME, TABLE_TYPE \
         FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE(){}",
        name_condition(tables),
    )
}

/// # Source
/// MySQL manual, "The INFORMATION_SCHEMA COLUMNS Table"; MariaDB has the columns asked for, too.
fn columns_query(tables: Option<&[String]>) -> String {
    format!(
        "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, \
         COLUMN_DEFAULT, EXTRA FROM information_schema.COLUMNS \
         WHERE TABLE_SCHEMA = DATABASE(){} ORDER BY TABLE_NAME, ORDINAL_POSITION",
        name_condition(tables),
    )
}

/// # Source
/// MySQL manual, "The INFORMATION_SCHEMA STATISTICS Table".
fn keys_query(tables: Option<&[String]>) -> String {
    format!(
        "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS \
         WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0{} \
         ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX",
        name_condition(tables),
    )
}

fn name_condition(tables: Option<&[String]>) -> String {
    match tables {
        None => String::new(),
        Some([]) => " AND FALSE".to_owned(),
        Some(names) => {
            let names: Vec<_> = names.iter().map(|name| quote(name)).collect();
            format!(" AND TABLE_NAME IN ({})", names.join(", "))
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
    overview: &TextTable,
    columns: &TextTable,
    keys: &TextTable,
) -> Option<UnitMetadata> {
    let mut version = None;
    let mut views = HashSet::new();
    for row in &overview.rows {
        match row.as_slice() {
            [None, Some(found)] => version = Some(found.clone()),
            [Some(name), Some(kind)] if kind.ends_with("VIEW") => {
                views.insert(name.as_str());
            }
            [Some(_), _] => {}
            _ => return None,
        }
    }
    let mut tables: BTreeMap<String, TableMetadata> = BTreeMap::new();
    for row in &columns.rows {
        let [Some(name), column @ ..] = row.as_slice() else { return None };
        let table = tables.entry(name.clone()).or_insert_with(|| TableMetadata {
            name: name.clone(),
            is_view: views.contains(name.as_str()),
            columns: Vec::new(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
        });
        table.columns.push(build_column(column)?);
    }
    add_keys(&mut tables, keys)?;
    Some(UnitMetadata {
        server_version: version?,
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
