//! Executions that read several nodes first: over copies of the tables, or to insert what they read.

use std::rc::Rc;

use kernel::error::StatementError;
use kernel::gather::GatherPlan;
use kernel::plan::{Plan, Text};

use super::{Execution, PreparedPlan, filled};
use crate::execute::Failure;
use crate::gather::{Final, Texts};
use crate::plan_cache::Body;
use crate::session::Session;
use crate::statement;

/// An execution over copies: the values are written into the statements that read the copies, and
/// sent with the client's own.
pub(super) async fn run(
    session: &mut Session,
    plan: &Rc<PreparedPlan>,
    routed: &Plan,
    gather: &GatherPlan,
    written: Text<'_>,
    execution: &Execution,
) -> Result<(), Failure> {
    let filled = filled::write(session, written.bytes, execution)?;
    let cached = statement::plan_answered(session, &plan.cached.snapshot, filled.as_bytes())?;
    let Body::Routed(planned) = &cached.body else {
        return Err(StatementError::syntax("a parameter changed the statement").into());
    };
    let Plan { gather: Some(of_filled), .. } = &**planned else {
        return Err(StatementError::syntax("a parameter changed the statement").into());
    };
    let text = Text { bytes: filled.as_bytes(), ..written };
    let mut texts = Texts::of(of_filled, text);
    texts.statement = crate::gather::render(&gather.statement, written);
    let execution = Execution { flags: 0, ..execution.clone() };
    let last = Final::Execute(&execution);
    Box::pin(crate::gather::run(session, &plan.cached, routed, texts, last)).await
}

/// An execution of an INSERT .. SELECT whose rows move between nodes, with the values written into it.
pub(super) async fn transfer(
    session: &mut Session,
    text: &[u8],
    execution: &Execution,
) -> Result<(), Failure> {
    let filled = filled::write(session, text, execution)?;
    Box::pin(crate::transfer::run(session, filled.as_bytes())).await
}
