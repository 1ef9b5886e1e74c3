//! Generated keys of an INSERT: they are made between bind and route, as they may decide the node.

mod inserted;
mod random;
mod sequence;
mod snowflake;

use eval::Value;
use kernel::error::StatementError;
use kernel::feature::KeyKind;
use kernel::keys::{KeyColumn, Keys, Need};
use kernel::plan::Plan;
use kernel::predicate::ValueSource;

pub(crate) use inserted::Inserted;
pub(crate) use snowflake::Snowflakes;

use crate::execute::Failure;
use crate::plan_cache::CachedStatement;
use crate::session::Session;
use crate::statement;

/// What the rows of an execution need, by key column.
pub(crate) type Needs = Vec<Vec<Need>>;

/// What the rows need with these values.
///
/// # Errors
/// See [`KeyColumn::needs`].
pub(crate) fn needs(plan: &Plan, values: &dyn ValueSource) -> Result<Needs, StatementError> {
    plan.keys.iter().map(|column| column.needs(values)).collect()
}

/// What a statement inserts whose rows have all their keys; `None` where one lacks some.
pub(crate) fn all_given(
    session: &Session,
    plan: &Plan,
    values: &dyn ValueSource,
) -> Option<Inserted> {
    let mut inserted = Inserted::given();
    for column in &plan.keys {
        let needs = column.needs(values).ok()?;
        if needs.contains(&Need::Generated) {
            return None;
        }
        if column.kind == KeyKind::Sequence {
            sequence::note_given(session, column, &needs, &mut inserted);
        }
    }
    Some(inserted)
}

/// The keys of a statement that came as text.
pub(crate) async fn of_text(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    text: &[u8],
) -> Result<Keys, Failure> {
    let needs = {
        // Other sessions may have used the worker's fingerprint meanwhile.
        let worker = std::rc::Rc::clone(&session.worker);
        let mut fingerprint = worker.fingerprint.borrow_mut();
        fingerprint.scan(text, session.mode);
        if cached.literals.is_empty() {
            fingerprint.literals.clear();
        }
        let values = statement::text_values(session, text, &fingerprint.literals);
        needs(plan, &values)?
    };
    make(session, cached, plan, needs).await
}

/// Makes what the rows need, and notes in the session what its statement inserts. Without anything
/// to make the result has no columns.
pub(crate) async fn make(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    needs: Needs,
) -> Result<Keys, Failure> {
    let mut inserted = Inserted::of(plan, &needs);
    let mut columns = Vec::with_capacity(plan.keys.len());
    for (column, needs) in plan.keys.iter().zip(&needs) {
        columns.push(make_column(session, cached, plan, column, needs, &mut inserted).await?);
    }
    session.inserted = Some(inserted);
    let keys = Keys { columns };
    Ok(if keys.is_empty() { Keys::default() } else { keys })
}

async fn make_column(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    column: &KeyColumn,
    needs: &[Need],
    inserted: &mut Inserted,
) -> Result<Vec<Option<Value<'static>>>, Failure> {
    let numbers = match &column.kind {
        KeyKind::Sequence => {
            sequence::numbers(session, cached, plan, column, needs, inserted).await?
        }
        KeyKind::Snowflake { worker, max_vibration_offset, max_tolerated_setback_ms } => {
            let snowflakes = std::sync::Arc::clone(&session.worker.shared);
            let settings = snowflake::Settings {
                worker: worker.unwrap_or(0),
                max_vibration_offset: *max_vibration_offset,
                max_tolerated_setback_ms: *max_tolerated_setback_ms,
            };
            let count = needs.iter().filter(|need| **need == Need::Generated).count();
            snowflakes.snowflakes.next(settings, count).await?
        }
        KeyKind::Uuid => return Ok(texts(needs, random::uuid)),
        KeyKind::NanoId => return Ok(texts(needs, random::nano_id)),
    };
    inserted.note_generated(column, &numbers);
    let mut numbers = numbers.into_iter();
    let mut number = || {
        let number = numbers.next()?;
        Some(i64::try_from(number).map_or(Value::UInt(number), Value::Int))
    };
    let is_generated = |need: &Need| *need == Need::Generated;
    Ok(needs.iter().map(|need| is_generated(need).then(&mut number).flatten()).collect())
}

/// The key of one row.
pub(crate) async fn make_one(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &Plan,
    column: &KeyColumn,
    need: Need,
) -> Result<Option<Value<'static>>, Failure> {
    let mut inserted = Inserted::default();
    let made = make_column(session, cached, plan, column, &[need], &mut inserted).await?;
    Ok(made.into_iter().next().flatten())
}

fn texts(needs: &[Need], make: fn() -> String) -> Vec<Option<Value<'static>>> {
    let text =
        |need: &Need| (*need == Need::Generated).then(|| Value::Bytes(make().into_bytes().into()));
    needs.iter().map(text).collect()
}

/// After the statement: what it has used up stays used up.
pub(crate) fn settle(session: &mut Session, result: &Result<(), Failure>) {
    const ER_DUP_ENTRY: u16 = 1062;
    let Some(inserted) = session.inserted.take() else { return };
    let code = match result {
        Err(Failure::Statement(error)) => error.code,
        _ if session.last_failed => session.diagnostics.warnings.first().map_or(0, |w| w.1),
        _ => 0,
    };
    inserted.settle(code == ER_DUP_ENTRY);
}
