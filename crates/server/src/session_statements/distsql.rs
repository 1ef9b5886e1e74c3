//! DistSQL and logical databases; PREVIEW, which needs the road itself.

use std::sync::Arc;

use admin::{AdminContext, AdminOutcome};
use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::gather::GatherPlan;
use kernel::keys::{Keys, WithKeys};
use kernel::plan::{Plan, Target, Text};
use sql::ast::{DistSql, ReadwriteSplittingHint, StatementKind};

use super::{Asked, answer_table};
use crate::answer::{Encoding, Outcome};
use crate::execute::Failure;
use crate::gather::{self, Texts};
use crate::off_worker;
use crate::plan_cache::{Body, CachedStatement};
use crate::replicas;
use crate::session::Session;
use crate::statement;
use crate::worker::Shared;

/// Runs it and writes its answer.
pub(super) async fn run(session: &mut Session, asked: Asked<'_>) -> Result<(), Failure> {
    if let StatementKind::DistSql(distsql) = &asked.statement.kind
        && let DistSql::Preview { sql, with_reason, .. } = distsql.as_ref()
    {
        let table = Box::pin(preview(session, sql, *with_reason)).await?;
        answer_table(session, &table, asked.encoding);
        return Ok(());
    }
    if let StatementKind::DistSql(distsql) = &asked.statement.kind
        && let DistSql::ReadwriteSplittingHint(hint) = distsql.as_ref()
    {
        splitting_hint(session, *hint, asked.encoding);
        return Ok(());
    }
    if !matches!(asked.statement.kind, StatementKind::DistSql(_)) {
        crate::transaction::commit(session).await?;
    }
    let work = Work::of(session, &asked.statement.kind);
    let outcome = off_worker::run(move |runtime| runtime.block_on(work.run())).await??;
    if let StatementKind::DropDatabase(drop) = &asked.statement.kind
        && session.database.as_deref() == Some(drop.name.value.as_str())
    {
        session.set_database(None);
    }
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

/// What the session says of all its reads.
fn splitting_hint(session: &mut Session, hint: ReadwriteSplittingHint, encoding: Encoding) {
    match hint {
        ReadwriteSplittingHint::Set { to_primary } => session.reads.go_to_primary = to_primary,
        ReadwriteSplittingHint::Clear => session.reads.go_to_primary = false,
        ReadwriteSplittingHint::Show => {
            let source = if session.reads.go_to_primary { "write" } else { "auto" };
            let table = TextTable {
                columns: vec!["source".to_owned()],
                rows: vec![vec![Some(source.to_owned())]],
            };
            answer_table(session, &table, encoding);
            return;
        }
    }
    session.diagnostics.clear_warnings();
    session.put_ok(&Outcome::default());
}

/// A statement with what it needs of its session, for another thread.
struct Work {
    statement: StatementKind,
    shared: Arc<Shared>,
    database: Option<Arc<str>>,
    permitted: Option<Vec<String>>,
    in_transaction: bool,
    cached_connections: u64,
}

impl Work {
    fn of(session: &Session, statement: &StatementKind) -> Self {
        Self {
            statement: statement.clone(),
            shared: Arc::clone(&session.worker.shared),
            database: session.database.clone(),
            permitted: session.allowed_databases.clone(),
            in_transaction: session.transaction.is_open(),
            cached_connections: session.transaction.held.len() as u64,
        }
    }

    async fn run(&self) -> Result<AdminOutcome, StatementError> {
        let context = AdminContext {
            governance: &self.shared.governance,
            current_database: self.database.as_deref(),
            permitted: self.permitted.as_deref(),
            in_transaction: self.in_transaction,
            cached_connections: self.cached_connections,
            node: &self.shared.node,
        };
        match &self.statement {
            StatementKind::DistSql(distsql) => admin::execute(distsql, &context).await,
            StatementKind::CreateDatabase(create) => admin::create_database(create, &context),
            StatementKind::DropDatabase(drop) => admin::drop_database(drop, &context),
            _ => Ok(AdminOutcome::Ok { affected: 0, note: None }),
        }
    }
}

/// What would be sent where. Keys are made for it and not used.
async fn preview(
    session: &mut Session,
    sql: &str,
    with_reason: bool,
) -> Result<TextTable, Failure> {
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
    let written = Text { bytes: text, literals: &[], values: &values };
    let units = statement::route(session, &cached, plan, &values)?;
    if units.len() != 1
        && let Some(gather) = gather::over_several(plan)
    {
        return Ok(preview_gather(
            session,
            &cached,
            gather,
            &Texts::of(gather, written),
            with_reason,
        )?);
    }
    let template = match (units.len(), &plan.multi) {
        (1, _) => &plan.single,
        (_, Ok(multi)) => &multi.template,
        (_, Err(error)) => return Err(error.clone().into()),
    };
    let mut table = empty_preview(with_reason);
    let reason = with_reason.then(|| reason(plan));
    for unit in &units {
        let mut actual = Vec::new();
        template.render(written, unit, &mut actual);
        let storage_unit = statement::find_unit(session, &cached, unit)?;
        let (name, reason) = match replicas::preview(session, &cached, plan, storage_unit) {
            Some((name, why)) => (name, reason.as_ref().map(|reason| format!("{reason}; {why}"))),
            None => (storage_unit.name.to_string(), reason.clone()),
        };
        let mut row = vec![Some(name), Some(String::from_utf8_lossy(&actual).into_owned())];
        row.extend(reason.map(Some));
        table.rows.push(row);
    }
    Ok(table)
}

fn empty_preview(with_reason: bool) -> TextTable {
    let mut columns = vec!["data_source_name".to_owned(), "actual_sql".to_owned()];
    if with_reason {
        columns.push("reason".to_owned());
    }
    TextTable { columns, rows: Vec::new() }
}

/// The reads of the copies, then the statement over them.
fn preview_gather(
    session: &Session,
    cached: &CachedStatement,
    gather: &GatherPlan,
    texts: &Texts,
    with_reason: bool,
) -> Result<TextTable, StatementError> {
    let mut table = empty_preview(with_reason);
    let sent = gather::preview(session, cached, gather, texts)?;
    let count = sent.len();
    for (index, (unit, sql)) in sent.into_iter().enumerate() {
        let mut row = vec![Some(unit), Some(String::from_utf8_lossy(&sql).into_owned())];
        if with_reason {
            row.push(Some(match index + 1 == count {
                true => "its tables are on several nodes: it runs over copies of them".to_owned(),
                false => "rows for a copy".to_owned(),
            }));
        }
        table.rows.push(row);
    }
    Ok(table)
}

/// Why a statement goes where it goes.
fn reason(plan: &Plan) -> String {
    match &plan.target {
        Target::Unit(_) => "all its tables are in this storage unit".to_owned(),
        Target::AnyUnit => "it needs no table: any storage unit will do".to_owned(),
        Target::AnyOf(nodes) => format!("any of {} units has all of its rows", nodes.len()),
        Target::Nodes { nodes, router } => format!("{}, of {} nodes", router.reason(), nodes.len()),
        Target::Rows { nodes, rows, .. } => {
            format!("each of {} rows by its sharding values, to {} nodes", rows.len(), nodes.len())
        }
        Target::AllNodes(nodes) => format!("it changes all {} nodes", nodes.len()),
    }
}
