//! After DDL: what changed is read anew, so that the next statement of any session sees it.

use std::sync::Arc;

use sql::ast::{AlterAction, StatementKind, TableName};

use crate::execute::Failure;
use crate::plan_cache::CachedStatement;
use crate::session::Session;

/// Reads the tables of a DDL statement anew, also after a failure: it may have run on some nodes.
pub(crate) async fn refresh(
    session: &mut Session,
    cached: &CachedStatement,
    result: &Result<(), Failure>,
) {
    if matches!(result, Err(Failure::Session)) {
        return;
    }
    let Some(database) = &cached.database else { return };
    let governance = Arc::clone(&session.worker.shared.governance);
    let tables = &cached.changed_tables;
    let (reading, name, changed) = (Arc::clone(&governance), database.name.clone(), tables.clone());
    let refreshed = crate::off_worker::run(move |runtime| {
        runtime.block_on(admin::metadata::refresh_after_ddl(&reading, &name, &changed))
    });
    if let Err(error) = refreshed.await.flatten() {
        tracing::warn!(code = error.code, error = error.message, "refresh after DDL");
    }
    if cached.restarts_keys && result.is_ok() && !session.last_failed {
        for table in tables {
            let restarted = governance.restart_sequence(&database.name, table).await;
            if let Err(error) = restarted {
                tracing::warn!(code = error.code, error = error.message, "restart of a sequence");
            }
        }
    }
}

/// True when AUTO_INCREMENT counts from the tables' own state after the statement: they are new,
/// empty or gone, or their counter was set.
pub(crate) fn restarts_keys(kind: &StatementKind, text: &[u8]) -> bool {
    match kind {
        StatementKind::CreateTable(_)
        | StatementKind::DropTable(_)
        | StatementKind::TruncateTable(_)
        | StatementKind::RenameTable(_) => true,
        StatementKind::AlterTable(alter) => alter.actions.iter().any(|action| match action {
            AlterAction::Rename(_) => true,
            AlterAction::Other(span) => {
                span.of(text).to_ascii_uppercase().starts_with(b"AUTO_INCREMENT")
            }
            _ => false,
        }),
        _ => false,
    }
}

/// The logical tables a DDL statement names.
pub(crate) fn changed_tables(kind: &StatementKind) -> Vec<String> {
    let names = |names: &[TableName]| names.iter().map(|name| name.name.value.clone()).collect();
    let one = |name: &TableName| vec![name.name.value.clone()];
    match kind {
        StatementKind::CreateTable(create) => one(&create.name),
        StatementKind::AlterTable(alter) => {
            let renamed = alter.actions.iter().filter_map(|action| match action {
                AlterAction::Rename(name) => Some(name.name.value.clone()),
                _ => None,
            });
            one(&alter.name).into_iter().chain(renamed).collect()
        }
        StatementKind::DropTable(drop) => names(&drop.names),
        StatementKind::TruncateTable(name) => one(name),
        StatementKind::RenameTable(pairs) => pairs
            .iter()
            .flat_map(|(old, new)| [old.name.value.clone(), new.name.value.clone()])
            .collect(),
        StatementKind::CreateIndex(create) => one(&create.table),
        StatementKind::DropIndex(drop) => one(&drop.table),
        StatementKind::CreateView(create) => one(&create.name),
        StatementKind::DropView(drop) => names(&drop.names),
        _ => Vec::new(),
    }
}
