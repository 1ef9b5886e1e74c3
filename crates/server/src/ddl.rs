//! After DDL: what changed is read anew, so that the next statement of any session sees it.

use std::sync::Arc;

use kernel::plan::Plan;

use crate::execute::Failure;
use crate::plan_cache::CachedStatement;
use crate::session::Session;

/// Reads the tables of a DDL statement anew, also after a failure: it may have run on some nodes.
pub(crate) async fn refresh(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    result: &Result<(), Failure>,
) {
    if matches!(result, Err(Failure::Session)) {
        return;
    }
    let Some(database) = &cached.database else { return };
    let governance = Arc::clone(&session.worker.shared.governance);
    let tables = &plan.changed_tables;
    if let Err(error) = admin::metadata::refresh_after_ddl(&governance, &database.name, tables).await
    {
        tracing::warn!(code = error.code, error = error.message, "refresh after DDL");
    }
}
