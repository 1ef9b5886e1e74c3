//! What a statement needs of the session before it runs, and leaves in it afterwards, beyond rows:
//! LAST_INSERT_ID(), FOUND_ROWS(), ROW_COUNT(), user variables, pins, changed tables.

use kernel::error::StatementError;
use kernel::plan::{Plan, StatementClass};

use crate::execute::Failure;
use crate::plan_cache::CachedStatement;
use crate::session::Session;
use crate::statement::Received;

/// A text that stands for the client's.
pub(crate) struct Prepared {
    text: Vec<u8>,
}

impl Prepared {
    /// As if the client had sent it.
    pub(crate) fn received(&self) -> Received<'_> {
        Received { text: &self.text, packet: None }
    }
}

/// Before the statement is routed.
pub(crate) async fn before(
    session: &mut Session,
    plan: &Plan,
    _received: Received<'_>,
) -> Result<Option<Prepared>, Failure> {
    if plan.class == StatementClass::Ddl && !plan.effects.is_temporary {
        crate::transaction::commit(session).await?;
    }
    let effects = &plan.effects;
    if effects.is_plain() {
        return Ok(None);
    }
    if effects.reads_found_rows || effects.reads_row_count {
        // Answered by the session itself when they stand alone; here they stand among others.
        return Err(StatementError::unsupported(
            "FOUND_ROWS() and ROW_COUNT() are supported in a SELECT of their own only",
        )
        .into());
    }
    if effects.reads_last_insert_id {
        let id = session.diagnostics.last_insert_id;
        session.change_settings(|settings| {
            settings.variables.insert("last_insert_id".to_owned(), id.to_string());
        });
    }
    if let Some(reason) = effects.pins {
        session.pin(reason);
    } else if !effects.assigns_user_variables.is_empty() || effects.calculates_found_rows {
        session.pin("user variables assigned by an expression");
    }
    Ok(None)
}

/// After the answer was written.
pub(crate) async fn after(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    result: Result<(), Failure>,
) -> Result<(), Failure> {
    if plan.effects.reads_last_insert_id {
        session.change_settings(|settings| {
            settings.variables.remove("last_insert_id");
        });
    }
    if plan.class == StatementClass::Ddl && !plan.effects.is_temporary {
        crate::ddl::refresh(session, cached, plan, &result).await;
    }
    result
}
