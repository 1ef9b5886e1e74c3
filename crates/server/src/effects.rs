//! What a statement needs of the session before it runs, and leaves in it afterwards, beyond rows:
//! LAST_INSERT_ID(), FOUND_ROWS(), ROW_COUNT(), user variables, pins, changed tables.

use kernel::error::StatementError;
use kernel::plan::{Effects, Plan, StatementClass};

use crate::execute::Failure;
use crate::plan_cache::CachedStatement;
use crate::read_back::ReadBack;
use crate::session::Session;

/// Before the statement is routed.
pub(crate) async fn before(session: &mut Session, plan: &Plan) -> Result<(), Failure> {
    let effects = &plan.effects;
    if is_lasting_ddl(plan) {
        crate::transaction::commit(session).await?;
    }
    if is_plain(effects) {
        return Ok(());
    }
    if effects.reads_diagnostics {
        return Err(StatementError::unsupported(
            "@@warning_count and @@error_count are not supported: use SHOW COUNT(*) WARNINGS",
        )
        .into());
    }
    if effects.reads_last_insert_id || effects.sets_last_insert_id {
        // It goes before the statement on whatever connection runs it: a setting would have to be
        // taken back, and this variable has no default.
        let id = session.diagnostics.last_insert_id;
        session.statement_prelude = Some(format!("SET last_insert_id={id}"));
    }
    if let Some(reason) = effects.pins {
        session.pin(reason);
    }
    session.read_back = ReadBack::of(effects);
    Ok(())
}

/// A statement on several connections cannot leave one value behind.
pub(crate) fn check_several(plan: &Plan) -> Result<(), StatementError> {
    if !plan.effects.assigns_user_variables.is_empty() {
        return Err(StatementError::unsupported(
            "A statement that assigns user variables cannot run on several nodes: restrict the \
             sharding column to one",
        ));
    }
    if plan.effects.sets_last_insert_id && plan.class != StatementClass::Write {
        return Err(StatementError::unsupported(
            "LAST_INSERT_ID(expr) cannot be read from several nodes: restrict the sharding column \
             to one",
        ));
    }
    Ok(())
}

/// DDL that others see: it commits, and the catalog is read anew after it.
fn is_lasting_ddl(plan: &Plan) -> bool {
    let effects = &plan.effects;
    plan.class == StatementClass::Ddl
        && effects.creates_temporary_table.is_none()
        && effects.drops_temporary_tables.is_empty()
}

/// True for a statement that neither needs nor leaves anything in the session, but for keys.
pub(crate) fn is_free(plan: &Plan) -> bool {
    is_plain(&plan.effects)
        && !is_lasting_ddl(plan)
        && plan.effects.creates_temporary_table.is_none()
        && plan.effects.drops_temporary_tables.is_empty()
}

/// True for nearly all traffic: free, without generated keys and without a file.
pub(crate) fn is_straight(plan: &Plan) -> bool {
    is_free(plan) && plan.keys.is_empty() && plan.counted.is_none() && plan.load.is_none()
}

/// True where no value of the session is needed or left behind.
fn is_plain(effects: &Effects) -> bool {
    !(effects.reads_last_insert_id
        || effects.reads_diagnostics
        || effects.sets_last_insert_id
        || effects.calculates_found_rows
        || effects.pins.is_some()
        || !effects.assigns_user_variables.is_empty())
}

/// After the answer was written.
pub(crate) async fn after(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    result: Result<(), Failure>,
) -> Result<(), Failure> {
    session.statement_prelude = None;
    session.read_back = None;
    crate::keys::settle(session, &result);
    if result.is_ok() {
        note_temporary_tables(session, plan);
        // Boxed only where there is something to do: the future is large, and this is every statement's
        // way.
        if !plan.effects.assigns_user_variables.is_empty() && !session.last_failed {
            Box::pin(note_assigned_variables(session, plan)).await;
        }
    }
    if is_lasting_ddl(plan) {
        crate::ddl::refresh(session, cached, &result).await;
    }
    result
}

/// What an expression has assigned is known only to the connection it ran on; the session asks, so
/// that other connections are given the same.
async fn note_assigned_variables(session: &mut Session, plan: &Plan) {
    let names = &plan.effects.assigns_user_variables;
    // The one that was used last stands last; values are asked of the first.
    if let Some(last) = session.transaction.held.pop() {
        session.transaction.held.insert(0, last);
    }
    for name in names {
        let expression = format!("@`{}`", name.replace('`', "``"));
        if let Ok(value) = crate::evaluate::to_literal(session, &expression).await {
            session.change_settings(|settings| {
                settings.user_variables.insert(name.to_ascii_lowercase(), value);
            });
        }
    }
}

/// Temporary tables are the session's own; they hide others and live on its connection.
fn note_temporary_tables(session: &mut Session, plan: &Plan) {
    let effects = &plan.effects;
    if let (Some(name), kernel::plan::Target::Unit(unit)) =
        (&effects.creates_temporary_table, &plan.target)
    {
        session.temporary_tables.retain(|(known, _)| known != name);
        session.temporary_tables.push((name.clone(), *unit));
    }
    session.temporary_tables.retain(|(known, _)| !effects.drops_temporary_tables.contains(known));
}
