//! DistSQL and logical databases; PREVIEW, which needs the road itself.

use std::sync::Arc;

use admin::{AdminContext, AdminOutcome};
use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::keys::{Keys, WithKeys};
use kernel::plan::Text;
use sql::ast::{DistSql, StatementKind};

use super::{Asked, answer_table};
use crate::answer::Outcome;
use crate::execute::Failure;
use crate::plan_cache::Body;
use crate::session::Session;
use crate::statement;

/// Runs it and writes its answer.
pub(super) async fn run(session: &mut Session, asked: Asked<'_>) -> Result<(), Failure> {
    if let StatementKind::DistSql(distsql) = &asked.statement.kind
        && let DistSql::Preview { sql, .. } = distsql.as_ref()
    {
        let table = Box::pin(preview(session, sql)).await?;
        answer_table(session, &table, asked.encoding);
        return Ok(());
    }
    if !matches!(asked.statement.kind, StatementKind::DistSql(_)) {
        crate::transaction::commit(session).await?;
    }
    let worker = std::rc::Rc::clone(&session.worker);
    let governance = Arc::clone(&session.worker.shared.governance);
    let context = AdminContext {
        governance: &governance,
        current_database: session.database.as_deref(),
        permitted: session.allowed_databases.as_deref(),
        in_transaction: session.transaction.is_open(),
        cached_connections: session.transaction.held.len() as u64,
        node: &worker.shared.node,
    };
    let outcome = match &asked.statement.kind {
        StatementKind::DistSql(distsql) => admin::execute(distsql, &context).await?,
        StatementKind::CreateDatabase(create) => admin::create_database(create, &context)?,
        StatementKind::DropDatabase(drop) => {
            let outcome = admin::drop_database(drop, &context)?;
            if session.database.as_deref() == Some(drop.name.value.as_str()) {
                session.set_database(None);
            }
            outcome
        }
        _ => AdminOutcome::Ok { affected: 0, note: None },
    };
    session.diagnostics.clear_warnings();
    match outcome {
        AdminOutcome::Ok { affected, note } => {
            let warnings = u16::from(note.is_some());
            if let Some(note) = note {
                session.diagnostics.warning_count = 1;
                session.diagnostics.warnings.push(("Note".to_owned(), note.code, note.message));
            }
            session.put_ok(&Outcome { affected_rows: affected, warnings, ..Outcome::default() });
        }
        AdminOutcome::Rows(table) => answer_table(session, &table, asked.encoding),
    }
    Ok(())
}

/// What would be sent where. Keys are made for it and not used.
async fn preview(session: &mut Session, sql: &str) -> Result<TextTable, Failure> {
    let text = sql.as_bytes();
    let snapshot = session.worker.snapshot();
    let cached = statement::plan(session, &snapshot, text, &[])?;
    let Body::Routed(plan) = &cached.body else {
        return Err(StatementError::unsupported("PREVIEW shows statements that are routed").into());
    };
    let keys = match plan.keys.is_empty() {
        true => Keys::default(),
        false => crate::keys::of_text(session, &cached, plan, text).await?,
    };
    session.inserted = None;
    let values = statement::text_values(session, text, &[]);
    let values = WithKeys { values: &values, keys: &keys, as_params: false };
    let units = statement::route(session, &cached, plan, &values)?;
    let template = match (units.len(), &plan.multi) {
        (1, _) => &plan.single,
        (_, Ok(multi)) => &multi.template,
        (_, Err(error)) => return Err(error.clone().into()),
    };
    let mut table = TextTable {
        columns: vec!["data_source_name".to_owned(), "actual_sql".to_owned()],
        rows: Vec::new(),
    };
    for unit in &units {
        let mut actual = Vec::new();
        template.render(Text { bytes: text, literals: &[], values: &values }, unit, &mut actual);
        let name = statement::find_unit(session, &cached, unit)?.name.to_string();
        table.rows.push(vec![Some(name), Some(String::from_utf8_lossy(&actual).into_owned())]);
    }
    Ok(table)
}
