//! Prepared statements that ask something of the session: each execution has the answers in its text.

use std::rc::Rc;

use kernel::error::StatementError;

use super::PreparedPlan;
use crate::execute::Failure;
use crate::plan_cache::Body;
use crate::session::Session;
use crate::statement;

/// Text and plan of one execution: those prepared, or, when the statement asks something of the
/// session, those with the answers. They are kept for as long as the answers stay the same.
pub(super) fn answered(
    session: &mut Session,
    id: u32,
    text: Rc<[u8]>,
    plan: Rc<PreparedPlan>,
) -> Result<(Rc<[u8]>, Rc<PreparedPlan>), Failure> {
    if !matches!(plan.cached.body, Body::Asking) {
        return Ok((text, plan));
    }
    let filled = crate::session_functions::substitute(session, &text)?;
    let last = session.statements.get(&id).and_then(|statement| statement.answered.clone());
    if let Some(last) = last
        && *last.0 == *filled
        && last.1.version == plan.version
    {
        return Ok(last);
    }
    let answered = answer(session, &text)?;
    if let Some(statement) = session.statements.get_mut(&id) {
        statement.answered = Some(answered.clone());
    }
    Ok(answered)
}

/// A text with what it asks of the session, and its plan.
pub(super) fn answer(
    session: &Session,
    text: &[u8],
) -> Result<(Rc<[u8]>, Rc<PreparedPlan>), StatementError> {
    let filled = crate::session_functions::substitute(session, text)?;
    let snapshot = session.worker.snapshot();
    let cached = statement::plan_answered(session, &snapshot, &filled)?;
    Ok((filled.into(), PreparedPlan::new(Rc::new(cached), snapshot.version)))
}
