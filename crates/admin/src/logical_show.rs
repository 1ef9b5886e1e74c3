//! SHOW DATABASES and SHOW TABLES as of one server that holds all the data.

use governance::pattern::matches_like;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::snapshot::Snapshot;
use sql::ast::ShowFilter;

use crate::context::require_permitted;
use crate::row_filter;

/// `SHOW DATABASES [LIKE ..|WHERE ..]`: the logical databases the user may use, sorted.
///
/// # Errors
/// The condition is beyond what SHOW takes (30001) or names an unknown column (1054).
pub fn show_databases(
    snapshot: &Snapshot,
    permitted: Option<&[String]>,
    filter: Option<&ShowFilter>,
) -> Result<TextTable, StatementError> {
    let names = snapshot.databases.keys().filter(|name| require_permitted(permitted, name).is_ok());
    let mut table = TextTable {
        columns: vec!["Database".to_owned()],
        rows: names.map(|name| vec![Some(name.clone())]).collect(),
    };
    row_filter::apply(&mut table, filter)?;
    head_with_pattern(&mut table, filter);
    Ok(table)
}

/// `SHOW [FULL] TABLES [FROM db] [LIKE ..|WHERE ..]`: the logical tables that exist, sorted. A
/// sharded table is listed once it has been created.
///
/// # Errors
/// There is no database (1046), it is unknown (1049), the user may not use it (1044), or as
/// [`show_databases`].
pub fn show_tables(
    snapshot: &Snapshot,
    permitted: Option<&[String]>,
    database: Option<&str>,
    is_full: bool,
    filter: Option<&ShowFilter>,
) -> Result<TextTable, StatementError> {
    let name = database.ok_or_else(StatementError::no_database)?;
    require_permitted(permitted, name)?;
    let database = snapshot.databases.get(name);
    let database = database.ok_or_else(|| StatementError::unknown_database(name))?;
    let mut columns = vec![format!("Tables_in_{name}")];
    if is_full {
        columns.push("Table_type".to_owned());
    }
    let mut rows: Vec<Vec<Option<String>>> = database
        .tables
        .values()
        .filter_map(|table| {
            let metadata = table.metadata.as_ref()?;
            let mut row = vec![Some(table.name.to_string())];
            if is_full {
                let kind = if metadata.is_view { "VIEW" } else { "BASE TABLE" };
                row.push(Some(kind.to_owned()));
            }
            Some(row)
        })
        .collect();
    rows.sort();
    let mut table = TextTable { columns, rows };
    row_filter::apply(&mut table, filter)?;
    head_with_pattern(&mut table, filter);
    Ok(table)
}

/// MySQL repeats the pattern of LIKE in the first heading.
fn head_with_pattern(table: &mut TextTable, filter: Option<&ShowFilter>) {
    if let Some(ShowFilter::Like(pattern)) = filter {
        table.columns[0] += &format!(" ({})", String::from_utf8_lossy(pattern));
    }
}

/// Keeps the rows that LIKE, by the first column, or WHERE lets through.
///
/// # Errors
/// As [`show_databases`].
pub fn filter_rows(
    table: &mut TextTable,
    filter: Option<&ShowFilter>,
) -> Result<(), StatementError> {
    row_filter::apply(table, filter)
}

/// SQL's LIKE over names, for the other SHOW statements that the server answers.
pub fn name_is_like(pattern: &[u8], name: &str) -> bool {
    matches_like(&String::from_utf8_lossy(pattern), name)
}

#[cfg(test)]
mod tests;
