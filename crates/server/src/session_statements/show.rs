//! SHOW of what the proxy knows better than any storage unit.

use std::sync::atomic::Ordering::Relaxed;

use admin::logical_show;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use sql::ast::{Show, ShowFilter, ShowKind};
use telemetry::METRICS;

use super::{Asked, answer_table};
use crate::execute::Failure;
use crate::registry::IDLE;
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
            warnings(session, errors_only, *is_count)
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
        ShowKind::ProcessList { .. } => process_list(session),
        ShowKind::Status { .. } => status(show.filter.as_ref()),
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

fn table(columns: &[&str]) -> TextTable {
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

fn process_list(session: &Session) -> TextTable {
    let mut table = table(&["Id", "User", "Host", "db", "Command", "Time", "State", "Info"]);
    let registry = &session.worker.shared.registry;
    let now = registry.seconds();
    for handle in registry.all() {
        let user = handle.user.get().cloned().unwrap_or_else(|| "unauthenticated user".to_owned());
        if session.allowed_databases.is_some() && user != session.account {
            continue;
        }
        let database =
            handle.database.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let command = match handle.command.load(Relaxed) {
            IDLE => "Sleep",
            0x16 => "Prepare",
            0x17 => "Execute",
            _ => "Query",
        };
        let seconds = now.saturating_sub(handle.since.load(Relaxed));
        table.rows.push(vec![
            Some(handle.id.to_string()),
            Some(user.split('@').next().unwrap_or_default().to_owned()),
            Some(handle.host.clone()),
            database.map(|name| name.to_string()),
            Some(command.to_owned()),
            Some(seconds.to_string()),
            Some(String::new()),
            None,
        ]);
    }
    table
}

fn status(filter: Option<&ShowFilter>) -> TextTable {
    let mut table = table(&["Variable_name", "Value"]);
    let pattern = match filter {
        Some(ShowFilter::Like(pattern)) => Some(String::from_utf8_lossy(pattern).into_owned()),
        _ => None,
    };
    for (name, value) in METRICS.all() {
        let is_shown = pattern
            .as_deref()
            .is_none_or(|pattern| governance::pattern::matches_like(pattern, name));
        if is_shown {
            table.rows.push(vec![Some(name.to_owned()), Some(value.to_string())]);
        }
    }
    table
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
