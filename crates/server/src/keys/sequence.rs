//! Numbers of an AUTO_INCREMENT column over all nodes.

use std::sync::Arc;

use governance::sequences::Sequence;
use kernel::error::StatementError;
use kernel::keys::{KeyColumn, Need};
use kernel::model::DataNode;
use kernel::plan::{Plan, RouteUnit, Target};

use super::Inserted;
use crate::execute::Failure;
use crate::plan_cache::CachedStatement;
use crate::session::Session;
use crate::statement;

/// The numbers of the rows that lack one, in order. Numbers that rows bring along are skipped from
/// then on, as one server does.
pub(super) async fn numbers(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    column: &KeyColumn,
    needs: &[Need],
    inserted: &mut Inserted,
) -> Result<Vec<u64>, Failure> {
    let governance = Arc::clone(&session.worker.shared.governance);
    let sequence = governance.sequences().find(&column.database, &column.table);
    let (mut numbers, mut greatest) = (Vec::new(), 0);
    for run in needs.chunk_by(|one, other| one == other) {
        match run[0] {
            Need::Own => {}
            Need::Number(number) => {
                sequence.raise_above(number);
                greatest = greatest.max(number);
            }
            Need::Generated => {
                let count = run.len() as u64;
                let first = match sequence.take(count) {
                    Some(first) => first,
                    None => refill(session, cached, plan, column, &sequence, count).await?,
                };
                let last = first.saturating_add(count - 1);
                if last > column.max {
                    return Err(used_up().into());
                }
                numbers.extend(first..=last);
                greatest = greatest.max(last);
            }
        }
    }
    if greatest > 0 {
        inserted.note_used(&sequence, greatest);
    }
    if !numbers.is_empty() && sequence.is_low() {
        refill_early(session, sequence);
    }
    Ok(numbers)
}

/// Rows bring these numbers along.
pub(super) fn note_given(
    session: &Session,
    column: &KeyColumn,
    needs: &[Need],
    inserted: &mut Inserted,
) {
    let number = |need: &Need| if let Need::Number(number) = need { Some(*number) } else { None };
    let Some(greatest) = needs.iter().filter_map(number).max() else { return };
    let sequences = session.worker.shared.governance.sequences();
    let sequence = sequences.find(&column.database, &column.table);
    sequence.raise_above(greatest);
    inserted.note_used(&sequence, greatest);
}

/// # Source
/// MySQL 8.4 error reference, ER_AUTOINC_READ_FAILED.
fn used_up() -> StatementError {
    StatementError::new(
        1467,
        "HY000",
        "Failed to read auto-increment value from storage engine: the numbers of the column are \
         used up",
    )
}

/// Reserves a block and takes from it; a sequence that is new to this process starts above all that
/// the nodes have.
async fn refill(
    session: &Session,
    cached: &CachedStatement,
    plan: &Plan,
    column: &KeyColumn,
    sequence: &Arc<Sequence>,
    count: u64,
) -> Result<u64, Failure> {
    let governance = &session.worker.shared.governance;
    loop {
        let filling = sequence.lock().await;
        // Another session may have done it.
        if let Some(first) = sequence.take(count) {
            return Ok(first);
        }
        if sequence.is_stale() {
            filling.start(floor(session, cached, plan, column).await?);
        }
        governance.reserve(&filling, count).await?;
        if let Some(first) = sequence.take(count) {
            return Ok(first);
        }
    }
}

/// Reserves the next block while there is still something left of this one.
fn refill_early(session: &Session, sequence: Arc<Sequence>) {
    let governance = Arc::clone(&session.worker.shared.governance);
    tokio::task::spawn_local(async move {
        let Some(filling) = sequence.try_lock() else { return };
        if !sequence.is_stale()
            && sequence.is_low()
            && let Err(error) = governance.reserve(&filling, 1).await
        {
            tracing::warn!(code = error.code, error = error.message, "reserving numbers");
        }
    });
}

/// A number that no row of any node has, and none greater: above each node's counter, which knows
/// of rows that are not committed or gone, and above each greatest value, which may have been
/// updated beyond the counter.
async fn floor(
    session: &Session,
    cached: &CachedStatement,
    plan: &Plan,
    column: &KeyColumn,
) -> Result<u64, Failure> {
    let (Target::Rows { nodes, .. } | Target::Nodes { nodes, .. }) = &plan.target else {
        return Ok(1);
    };
    let mut floor = 1;
    for node in nodes.iter() {
        let route = RouteUnit { unit: node.unit, node: 0, rows: Default::default() };
        let unit = statement::find_unit(session, cached, &route)?;
        let ask = |text: String| {
            let config = Arc::clone(&unit.config);
            async move { storage::probe::query(&config, &text).await }
        };
        let (definition, greatest) = questions(node, column);
        let definition = ask(definition).await?;
        let definition = cell(&definition, 1).unwrap_or_default();
        floor = floor.max(counter(definition).unwrap_or(1));
        let greatest = ask(greatest).await?;
        let greatest = cell(&greatest, 0).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        floor = floor.max(greatest.saturating_add(1));
    }
    Ok(floor)
}

fn questions(node: &DataNode, column: &KeyColumn) -> (String, String) {
    let quoted = |name: &str| format!("`{}`", name.replace('`', "``"));
    let table = quoted(&node.actual_table);
    (
        format!("SHOW CREATE TABLE {table}"),
        format!("SELECT MAX({}) FROM {table}", quoted(&column.column)),
    )
}

fn cell(table: &kernel::feature::TextTable, column: usize) -> Option<&str> {
    table.rows.first()?.get(column)?.as_deref()
}

/// The option AUTO_INCREMENT of a table's definition, which stands before all texts in it. In
/// comments of columns, which stand before it, a line never ends.
fn counter(definition: &str) -> Option<u64> {
    let (_, options) = definition.split_once("\n) ENGINE=")?;
    let options = options.split('\'').next()?;
    let (_, number) = options.split_once("AUTO_INCREMENT=")?;
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_is_an_option_of_the_table() {
        for (definition, expected) in [
            ("CREATE TABLE `t` (\n  `id` int(11)\n) ENGINE=InnoDB AUTO_INCREMENT=12 D=x", Some(12)),
            ("CREATE TABLE `t` (\n  `id` int(11)\n) ENGINE=InnoDB DEFAULT CHARSET=x", None),
            ("CREATE TABLE `t` (\n  `a` int COMMENT 'AUTO_INCREMENT=3'\n) ENGINE=InnoDB", None),
            ("CREATE TABLE `t` (\n  `a` int\n) ENGINE=InnoDB COMMENT='\n) AUTO_INCREMENT=3'", None),
            ("", None),
        ] {
            assert_eq!(counter(definition), expected, "{definition}");
        }
    }
}
