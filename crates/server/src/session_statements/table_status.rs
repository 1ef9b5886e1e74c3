//! SHOW TABLE STATUS of logical tables: what the nodes of a sharded table say, added up.
//!
//! # Source
//! MySQL manual, "SHOW TABLE STATUS Statement".

use std::collections::HashMap;
use std::sync::Arc;

use admin::logical_show;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::{LogicalTable, Placement, StorageUnit, UnitId};
use kernel::snapshot::LogicalDatabase;
use sql::ast::Show;

use super::Asked;
use crate::execute::{Failure, give_back, prepare_connection};
use crate::session::Session;

/// The columns, in order.
const COLUMNS: [&str; 18] = [
    "Name",
    "Engine",
    "Version",
    "Row_format",
    "Rows",
    "Avg_row_length",
    "Data_length",
    "Max_data_length",
    "Index_length",
    "Data_free",
    "Auto_increment",
    "Create_time",
    "Update_time",
    "Check_time",
    "Collation",
    "Checksum",
    "Create_options",
    "Comment",
];
const ROWS: usize = 4;
const AVERAGE: usize = 5;
const DATA: usize = 6;
/// Columns of which a sharded table has the sum of its nodes'.
const SUMS: [usize; 4] = [ROWS, DATA, 8, 9];
/// Columns of which it has the greatest: the next number and the last update.
const GREATEST: [usize; 2] = [10, 12];

type Row = Vec<Option<String>>;

/// The rows of each actual table, by unit and name.
type Statuses = HashMap<UnitId, HashMap<String, Row>>;

/// Asks the units and answers for the logical tables.
pub(super) async fn rows(
    session: &mut Session,
    show: &Show,
    asked: Asked<'_>,
) -> Result<TextTable, Failure> {
    let named = show.database.as_ref().map(|name| name.value.as_str());
    let name = named.or(session.database.as_deref()).ok_or_else(StatementError::no_database)?;
    let databases = &asked.snapshot.databases;
    let database = databases.get(name).ok_or_else(|| StatementError::unknown_database(name))?;
    if !session.may_use(&database.name) {
        let text =
            format!("Access denied for user {} to database '{}'", session.account, database.name);
        return Err(StatementError::new(1044, "42000", text).into());
    }
    let database = Arc::clone(database);
    let mut statuses = Statuses::new();
    for unit in database.owners() {
        let of_unit = read(session, unit).await?;
        statuses.insert(unit.id, of_unit);
    }
    let columns = COLUMNS.iter().map(|name| (*name).to_owned()).collect();
    let mut table = TextTable { columns, rows: logical_rows(&database, &statuses) };
    logical_show::filter_rows(&mut table, show.filter.as_ref())?;
    Ok(table)
}

async fn read(session: &mut Session, unit: &StorageUnit) -> Result<HashMap<String, Row>, Failure> {
    let mut ready = prepare_connection(session, unit).await?;
    for text in std::mem::take(&mut ready.prelude) {
        storage::command::run(&mut ready.connection, &text).await?;
    }
    let text = format!("SHOW TABLE STATUS FROM `{}`", unit.config.database.replace('`', "``"));
    let result = storage::command::query(&mut ready.connection, &text).await;
    give_back(session, ready, true);
    let text = |value: Option<Vec<u8>>| value.map(|v| String::from_utf8_lossy(&v).into_owned());
    let rows = result?.rows.into_iter().map(|row| {
        let mut row: Row = row.into_iter().map(text).collect();
        // MariaDB has more columns behind them.
        row.resize(COLUMNS.len(), None);
        (row[0].clone().unwrap_or_default(), row)
    });
    Ok(rows.collect())
}

fn logical_rows(database: &LogicalDatabase, statuses: &Statuses) -> Vec<Row> {
    let exists = |table: &&Arc<LogicalTable>| table.metadata.is_some();
    let mut rows: Vec<Row> =
        database.tables.values().filter(exists).map(|table| logical_row(table, statuses)).collect();
    rows.sort();
    rows
}

fn logical_row(table: &LogicalTable, statuses: &Statuses) -> Row {
    let nodes = match &table.placement {
        // Every unit has the same rows.
        Placement::Broadcast(nodes) => nodes.get(..1).unwrap_or_default(),
        other => other.nodes(),
    };
    let actual = nodes.iter().filter_map(|node| statuses.get(&node.unit)?.get(&*node.actual_table));
    let mut row = actual.cloned().reduce(add).unwrap_or_else(|| vec![None; COLUMNS.len()]);
    if nodes.len() > 1
        && let (Some(data), Some(count)) = (number(&row[DATA]), number(&row[ROWS]))
    {
        row[AVERAGE] = Some(data.checked_div(count).unwrap_or(0).to_string());
    }
    row[0] = Some(table.name.to_string());
    row
}

fn number(cell: &Option<String>) -> Option<u64> {
    cell.as_ref()?.parse().ok()
}

fn add(mut sum: Row, other: Row) -> Row {
    for column in SUMS {
        let added = number(&sum[column]).zip(number(&other[column]));
        if let Some((left, right)) = added {
            sum[column] = Some(left.saturating_add(right).to_string());
        }
    }
    for column in GREATEST {
        let is_greater = match (number(&sum[column]), number(&other[column])) {
            (Some(left), Some(right)) => right > left,
            // Times are written so that their order is that of their texts.
            _ => other[column] > sum[column],
        };
        if is_greater {
            sum[column].clone_from(&other[column]);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, cells: &[(usize, &str)]) -> Row {
        let mut row = vec![None; COLUMNS.len()];
        row[0] = Some(name.to_owned());
        for (column, text) in cells {
            row[*column] = Some((*text).to_owned());
        }
        row
    }

    #[test]
    fn nodes_are_added_up() {
        let first = row("t_0", &[(4, "9"), (6, "100"), (10, "9"), (12, "2026-01-01 00:00:00")]);
        let second = row("t_1", &[(4, "1"), (6, "50"), (10, "10")]);
        let sum = add(first, second);
        let cells = [4, 6, 10, 12].map(|column| sum[column].as_deref().unwrap_or("NULL"));
        assert_eq!(cells, ["10", "150", "10", "2026-01-01 00:00:00"]);
    }
}
