//! SHOW of what the proxy knows better than any storage unit.

use admin::logical_show;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use sql::ast::{Expr, ExprKind, Limit, Literal, Show, ShowFilter, ShowKind};
use telemetry::METRICS;

use super::{Asked, answer_table, process_list, table_status};
use crate::execute::Failure;
use crate::session::Session;

/// Runs it and writes its rows.
pub(super) async fn run(
    session: &mut Session,
    show: &Show,
    asked: Asked<'_>,
) -> Result<(), Failure> {
    let table = match &show.kind {
        ShowKind::Warnings { is_count } | ShowKind::Errors { is_count } => {
            let errors_only = matches!(show.kind, ShowKind::Errors { .. });
            let mut table = warnings(session, errors_only, *is_count);
            if let Some(limit) = &show.limit {
                limit_rows(&mut table, limit)?;
            }
            table
        }
        ShowKind::Databases => {
            let permitted = session.allowed_databases.as_deref();
            logical_show::show_databases(asked.snapshot, permitted, show.filter.as_ref())?
        }
        ShowKind::Tables { is_full } => {
            let permitted = session.allowed_databases.as_deref();
            let named = show.database.as_ref().map(|name| name.value.as_str());
            let database = named.or(session.database.as_deref());
            let filter = show.filter.as_ref();
            logical_show::show_tables(asked.snapshot, permitted, database, *is_full, filter)?
        }
        ShowKind::CreateDatabase(name) => create_database(&name.value, asked)?,
        ShowKind::ProcessList { is_full } => process_list::rows(session, *is_full),
        ShowKind::TableStatus => table_status::rows(session, show, asked).await?,
        ShowKind::Status { .. } => status(session, show.filter.as_ref())?,
        _ => {
            let text = "This SHOW is not supported";
            return Err(StatementError::unsupported(text).into());
        }
    };
    let keeps = matches!(show.kind, ShowKind::Warnings { .. } | ShowKind::Errors { .. });
    if !keeps {
        session.diagnostics.clear_warnings();
    }
    answer_table(session, &table, asked.encoding);
    Ok(())
}

/// Without rows.
pub(super) fn table(columns: &[&str]) -> TextTable {
    TextTable { columns: columns.iter().map(|c| (*c).to_owned()).collect(), rows: Vec::new() }
}

fn warnings(session: &Session, errors_only: bool, is_count: bool) -> TextTable {
    let kept = session.diagnostics.warnings.iter();
    let shown: Vec<_> = kept.filter(|(level, ..)| !errors_only || level == "Error").collect();
    if is_count {
        let name = if errors_only { "@@session.error_count" } else { "@@session.warning_count" };
        let mut table = table(&[name]);
        let count =
            if errors_only { shown.len() as u64 } else { session.diagnostics.warning_count };
        table.rows.push(vec![Some(count.to_string())]);
        return table;
    }
    let mut table = table(&["Level", "Code", "Message"]);
    for (level, code, message) in shown {
        table.rows.push(vec![Some(level.clone()), Some(code.to_string()), Some(message.clone())]);
    }
    table
}

/// The rows that LIMIT leaves.
fn limit_rows(table: &mut TextTable, limit: &Limit) -> Result<(), StatementError> {
    let number = |expr: &Expr| match &expr.kind {
        ExprKind::Literal(Literal::Number(digits)) => {
            Ok(digits.parse::<usize>().unwrap_or(usize::MAX))
        }
        _ => Err(StatementError::unsupported("LIMIT of SHOW takes numbers")),
    };
    let offset = limit.offset.as_ref().map_or(Ok(0), number)?;
    let count = number(&limit.count)?;
    table.rows.drain(..offset.min(table.rows.len()));
    table.rows.truncate(count);
    Ok(())
}

fn status(session: &Session, filter: Option<&ShowFilter>) -> Result<TextTable, StatementError> {
    let mut table = table(&["Variable_name", "Value"]);
    let registry = &session.worker.shared.registry;
    let statements = METRICS.statements_total.get();
    let of_server = [
        ("Queries", statements as i64),
        ("Questions", statements as i64),
        ("Threads_connected", registry.len() as i64),
        ("Threads_running", registry.running() as i64),
        ("Uptime", registry.seconds() as i64),
    ];
    for (name, value) in of_server.into_iter().chain(METRICS.all()) {
        table.rows.push(vec![Some(name.to_owned()), Some(value.to_string())]);
    }
    logical_show::filter_rows(&mut table, filter)?;
    Ok(table)
}

fn create_database(name: &str, asked: Asked<'_>) -> Result<TextTable, StatementError> {
    if !asked.snapshot.databases.contains_key(name) {
        return Err(StatementError::unknown_database(name));
    }
    let mut table = table(&["Database", "Create Database"]);
    let text = format!("CREATE DATABASE `{}`", name.replace('`', "``"));
    table.rows.push(vec![Some(name.to_owned()), Some(text)]);
    Ok(table)
}
