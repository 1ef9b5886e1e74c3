//! Which unit of a group a read goes to, and where it goes when that one cannot be reached.
//!
//! What was routed to a group was routed to its primary. A statement that is a read for certain may
//! go to a replica instead, unless the session or its transaction needs the primary.

use governance::yaml::ReadOwnWrites;
use kernel::error::StatementError;
use kernel::model::{StorageUnit, UnitId};
use kernel::plan::{Plan, RouteUnit, StatementClass};
use kernel::replicas::{TransactionalReads, UnitGroup};
use kernel::snapshot::LogicalDatabase;
use smallvec::SmallVec;
use sql::ast::IsolationLevel;
use storage::error::StorageError;
use storage::replication::own_writes::OwnWrites;
use storage::replication::state::Moment;

use crate::plan_cache::CachedStatement;
use crate::session::Session;
use crate::statement;

/// What a session says of its reads, and has met.
#[derive(Debug, Default)]
pub(crate) struct SessionReads {
    /// The hint of the session: every read goes to the primary.
    pub(crate) go_to_primary: bool,
    /// What the session has written: it does not read replicas without it.
    own_writes: OwnWrites,
    /// Units that could not be reached for the statement at hand.
    unreachable: SmallVec<[UnitId; 2]>,
}

/// What a transaction has done and chosen.
#[derive(Debug, Default)]
pub(crate) struct TransactionReads {
    /// It has run something that is no read for certain.
    has_written: bool,
    /// Primaries and what is read in the place of each until the end.
    fixed: SmallVec<[(UnitId, UnitId); 1]>,
}

/// The units of one statement's executions: what goes to one group goes to one unit of it, so that a
/// statement sees one state of its rows.
#[derive(Default)]
pub(crate) struct Choices<'c>(SmallVec<[(UnitId, &'c StorageUnit); 1]>);

impl<'c> Choices<'c> {
    /// The unit that an execution goes to.
    ///
    /// # Errors
    /// The database has no unit (10101).
    pub(crate) fn find(
        &mut self,
        session: &mut Session,
        cached: &'c CachedStatement,
        plan: &Plan,
        unit: &RouteUnit,
    ) -> Result<&'c StorageUnit, StatementError> {
        if let Some((_, chosen)) = self.0.iter().find(|(primary, _)| *primary == unit.unit) {
            return Ok(chosen);
        }
        let chosen = find_unit(session, cached, plan, unit)?;
        self.0.push((unit.unit, chosen));
        Ok(chosen)
    }
}

/// The unit that the only execution of a statement goes to.
///
/// # Errors
/// The database has no unit (10101).
pub(crate) fn find_unit<'c>(
    session: &mut Session,
    cached: &'c CachedStatement,
    plan: &Plan,
    unit: &RouteUnit,
) -> Result<&'c StorageUnit, StatementError> {
    let found = statement::find_unit(session, cached, unit)?;
    if !plan.reads_replicas {
        note_change(session, plan);
        return Ok(found);
    }
    let Some((database, group)) = find_group(cached, unit.unit) else { return Ok(found) };
    if reason_for_primary(session, group).is_some() {
        return Ok(found);
    }
    session.reads.unreachable.clear();
    let replica = choose(session, group).and_then(|replica| database.find_unit(replica));
    Ok(replica.unwrap_or(found))
}

/// Takes note of a statement after which the transaction's reads need the primary, and those of the
/// session a replica that has what it changes.
pub(crate) fn note_change(session: &mut Session, plan: &Plan) {
    let may_change = plan.class != StatementClass::Read || plan.effects.needs_primary;
    if may_change {
        session.reads.own_writes.note();
        if is_in_transaction(session) {
            session.transaction.reads.has_written = true;
        }
    }
}

/// Where a statement would go, for people, and why.
pub(crate) fn preview(
    session: &Session,
    cached: &CachedStatement,
    plan: &Plan,
    unit: &StorageUnit,
) -> Option<(String, String)> {
    let (_, group) = find_group(cached, unit.id)?;
    let primary = |why: &str| (unit.name.to_string(), format!("primary of {}: {why}", group.name));
    if !plan.reads_replicas {
        return Some(primary("the statement is no read for certain, or wants it"));
    }
    if let Some(why) = reason_for_primary(session, group) {
        return Some(primary(why));
    }
    let fixed = session.transaction.reads.fixed.iter().find(|(known, _)| *known == group.primary);
    let fixed = fixed.and_then(|(_, replica)| group.find_replica(*replica));
    let written = match session.worker.shared.options.replication.read_own_writes {
        ReadOwnWrites::Off => 0,
        ReadOwnWrites::Proven | ReadOwnWrites::Pinned => session.reads.own_writes.needed(),
    };
    Some(match fixed.or_else(|| group.choose_with_write(written, &[], rand::random())) {
        Some(replica) => (replica.name.to_string(), format!("a replica of {}", group.name)),
        None => primary("no replica can be read, or is sure to have what the session has written"),
    })
}

/// The group a unit is the primary of. Qualified names lead to other databases than the current one.
fn find_group(cached: &CachedStatement, unit: UnitId) -> Option<(&LogicalDatabase, &UnitGroup)> {
    let databases = cached.database.iter().chain(cached.snapshot.databases.values());
    let mut databases = databases.map(|database| &**database);
    databases.find_map(|database| Some((database, &**database.find_group(unit)?)))
}

fn is_in_transaction(session: &Session) -> bool {
    session.transaction.is_open() || !session.is_autocommit()
}

/// Why a read of this session goes to the primary.
fn reason_for_primary(session: &Session, group: &UnitGroup) -> Option<&'static str> {
    if session.reads.go_to_primary {
        return Some("the hint of the session");
    }
    if session.pin.is_some() || !session.temporary_tables.is_empty() {
        return Some("the session keeps its connection");
    }
    if !is_in_transaction(session) {
        return None;
    }
    if group.transactional_reads == TransactionalReads::Primary {
        return Some("reads of a transaction go there");
    }
    if session.transaction.reads.has_written {
        return Some("the transaction may have changed something");
    }
    if session.transaction.options.with_consistent_snapshot {
        return Some("the transaction has its snapshot there");
    }
    is_serializable(session).then_some("a serializable transaction locks what it reads")
}

fn is_serializable(session: &Session) -> bool {
    let set = session.settings.variables.get("transaction_isolation");
    match session.transaction.isolation {
        Some(level) => level == IsolationLevel::Serializable,
        None => set.is_some_and(|level| level.to_ascii_uppercase().contains("SERIALIZABLE")),
    }
}

/// The replica a read goes to; the same one through a transaction where the rule says so.
fn choose(session: &mut Session, group: &UnitGroup) -> Option<UnitId> {
    let is_fixed = group.transactional_reads == TransactionalReads::Fixed
        && is_in_transaction(session);
    let fixed = &session.transaction.reads.fixed;
    if is_fixed && let Some((_, unit)) = fixed.iter().find(|(known, _)| *known == group.primary) {
        return Some(*unit);
    }
    let written = written(session)?;
    let chosen = group.choose_with_write(written, &[], rand::random())?.unit;
    if is_fixed {
        session.transaction.reads.fixed.push((group.primary, chosen));
    }
    Some(chosen)
}

/// The moment that a replica has to be fresher than, so that the session reads what it has written;
/// `None` while it is to read the primary. Asked only where no write is under way.
fn written(session: &mut Session) -> Option<u64> {
    let options = &session.worker.shared.options.replication;
    match options.read_own_writes {
        ReadOwnWrites::Off => Some(0),
        ReadOwnWrites::Proven => Some(session.reads.own_writes.moment()),
        ReadOwnWrites::Pinned => {
            let pinned_us = options.pin_milliseconds.saturating_mul(1000);
            let written = session.reads.own_writes.moment();
            let elapsed_us = Moment::now().number().saturating_sub(written);
            (written == 0 || elapsed_us >= pinned_us).then_some(0)
        }
    }
}

/// Where a read goes instead of a replica that cannot be reached: to another replica, in the end to
/// the primary. `None` when `unit` is no replica, or another condition than that was met.
pub(crate) fn instead_of(
    session: &mut Session,
    unit: &StorageUnit,
    error: &StorageError,
) -> Option<StorageUnit> {
    let is_unreachable = matches!(
        error,
        StorageError::Connect { .. } | StorageError::Lost { .. } | StorageError::PoolExhausted { .. }
    );
    if !is_unreachable {
        return None;
    }
    let snapshot = session.worker.snapshot();
    let mut databases = snapshot.databases.values();
    let (database, group) = databases.find_map(|database| {
        let mut groups = database.groups.iter();
        Some((database, groups.find(|group| group.find_replica(unit.id).is_some())?))
    })?;
    if group.require_primary().is_ok_and(|primary| primary == unit.id) {
        // It was promoted: there is nothing in the place of a primary.
        return None;
    }
    session.reads.unreachable.push(unit.id);
    let written = written(session);
    let other = written.and_then(|written| {
        group.choose_with_write(written, &session.reads.unreachable, rand::random())
    });
    let other = match other {
        Some(replica) => replica.unit,
        None => group.require_primary().ok()?,
    };
    for (primary, fixed) in &mut session.transaction.reads.fixed {
        if *primary == group.primary {
            *fixed = other;
        }
    }
    let other = database.find_unit(other)?.clone();
    tracing::warn!(%error, instead = %other.name, "a replica cannot be read");
    Some(other)
}
