//! Groups of a primary and its replicas: the watcher is told of those of the snapshot, and a session
//! whose connection leads to a former primary leaves it.

use std::sync::Arc;
use std::time::Duration;

use governance::yaml::{ReplicaHealth, ReplicationOptions};
use kernel::error::StatementError;
use kernel::replicas::UnitGroup;
use kernel::snapshot::{LogicalDatabase, Snapshot};
use storage::replication::watcher::WatchIntervals;
use storage::replication::{Group, Health, ReplicaLimits};

use crate::session::Session;
use crate::transaction::{self, HeldConnection};

/// A deadlock's number: every driver and framework that repeats transactions repeats this one. It
/// says what is true here too: the transaction was rolled back as a whole, and may be begun again.
const ER_LOCK_DEADLOCK: u16 = 1213;

/// How often servers are looked at.
pub(crate) fn intervals(options: &ReplicationOptions) -> WatchIntervals {
    WatchIntervals {
        pause: Duration::from_millis(options.look_interval_milliseconds),
        limit: Duration::from_millis(options.look_timeout_milliseconds),
    }
}

/// The groups of all databases.
pub(crate) fn of_snapshot(snapshot: &Snapshot, options: &ReplicationOptions) -> Vec<Group> {
    let limits = ReplicaLimits {
        max_lag: Duration::from_millis(options.max_lag_milliseconds),
        good_looks: options.good_looks,
        health: match options.health {
            ReplicaHealth::Replication => Health::Replication,
            ReplicaHealth::Connection => Health::Connection,
        },
    };
    let of_database = |database: &Arc<LogicalDatabase>| -> Vec<Group> {
        database.groups.iter().filter_map(|group| watched(database, group, limits)).collect()
    };
    snapshot.databases.values().flat_map(of_database).collect()
}

fn watched(database: &LogicalDatabase, group: &UnitGroup, limits: ReplicaLimits) -> Option<Group> {
    let replicas = group.replicas.iter().filter_map(|replica| {
        Some((database.find_unit(replica.unit)?.clone(), Arc::clone(&replica.state)))
    });
    Some(Group {
        name: Arc::clone(&group.name),
        configured_primary: database.find_unit(group.primary)?.clone(),
        replicas: replicas.collect(),
        limits,
    })
}

/// True when the session holds a connection to a server that is no primary any more.
pub(crate) fn holds_retired(session: &Session) -> bool {
    session.transaction.held.iter().any(is_retired)
}

fn is_retired(held: &HeldConnection) -> bool {
    !held.connection.slot.is_current()
}

/// Closes held connections to former primaries. A transaction that has begun on one of them is rolled
/// back everywhere.
///
/// # Errors
/// It was (1213, 40001): whoever repeats transactions repeats it, on the new primary.
pub(crate) async fn leave_retired(session: &mut Session) -> Result<(), StatementError> {
    let may_have_begun = !session.is_autocommit();
    let retired = session.transaction.held.iter().find(|held| is_retired(held));
    let Some(unit) = retired.map(|held| held.unit().name.to_string()) else { return Ok(()) };
    let mut held = session.transaction.held.iter();
    let had_begun = held.any(|held| is_retired(held) && (held.has_begun || may_have_begun));
    // Closing makes that server roll back.
    session.transaction.held.retain(|held| !is_retired(held));
    if !had_begun {
        return Ok(());
    }
    transaction::rollback(session).await;
    Err(StatementError::new(
        ER_LOCK_DEADLOCK,
        "40001",
        format!(
            "Storage unit '{unit}' is not the primary of its group any more; the transaction was \
             rolled back; try restarting transaction"
        ),
    ))
}
