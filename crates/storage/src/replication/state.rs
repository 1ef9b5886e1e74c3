//! What the watcher publishes of a group: for statements in the [`ReplicaState`]s of the snapshot's
//! groups, and as a whole in a [`GroupState`] for people and programs that look after groups.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Release};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kernel::error::StatementError;
use kernel::model::UnitId;
use kernel::replicas::{Doubt, ReplicaState, Role, Standing};

use crate::replication::Group;
use crate::replication::primary::Primary;
use crate::replication::rotation::Verdict;

/// Stands for "no primary": no unit has this id.
const NOBODY: u32 = u32::MAX;

/// Stands for "not known how far behind".
const UNKNOWN_LAG: u64 = u64::MAX;

/// A moment that fits into an atomic: microseconds since the process first asked, from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

impl Moment {
    /// Before every other one.
    pub const BEGINNING: Self = Self(0);

    /// Now.
    pub fn now() -> Self {
        Self::of(Instant::now())
    }

    /// The number that [`ReplicaState::has_write`] takes.
    pub fn number(self) -> u64 {
        self.0
    }

    fn of(instant: Instant) -> Self {
        static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self(1 + instant.saturating_duration_since(*FIRST).as_micros() as u64)
    }
}

/// A group as last seen.
#[derive(Debug)]
pub struct GroupState {
    name: Arc<str>,
    primary: AtomicU32,
    doubt: Mutex<Option<Doubt>>,
    /// Rises when the primary changes.
    term: AtomicU64,
    members: Box<[MemberState]>,
}

/// A member as last seen.
#[derive(Debug)]
pub struct MemberState {
    /// The unit.
    pub unit: UnitId,
    /// Its name.
    pub name: Arc<str>,
    is_readable: AtomicBool,
    lag_ms: AtomicU64,
    /// As [`Moment`]s are.
    fresh_as_of: AtomicU64,
    /// For people only: nothing on a statement's way reads it.
    reason: Mutex<String>,
}

impl GroupState {
    /// Before the first look: the configured primary is written to and read from, or the one the
    /// group had before its rule changed; replicas are not read, as nothing is known of them.
    pub fn new(group: &Group, before: Option<UnitId>) -> Self {
        let before = before.filter(|before| group.units().any(|unit| unit.id == *before));
        let primary = before.unwrap_or(group.configured_primary.id);
        let member = |unit: &kernel::model::StorageUnit| MemberState {
            unit: unit.id,
            name: Arc::clone(&unit.name),
            is_readable: AtomicBool::new(false),
            lag_ms: AtomicU64::new(UNKNOWN_LAG),
            fresh_as_of: AtomicU64::new(Moment::BEGINNING.0),
            reason: Mutex::new("was not looked at yet".to_owned()),
        };
        Self {
            name: Arc::clone(&group.name),
            primary: AtomicU32::new(primary.0),
            doubt: Mutex::new(None),
            term: AtomicU64::new(0),
            members: group.units().map(member).collect(),
        }
    }

    /// The members, the configured primary first.
    pub fn members(&self) -> &[MemberState] {
        &self.members
    }

    /// The unit that is written to, if there is one.
    pub fn find_primary(&self) -> Option<UnitId> {
        Some(self.primary.load(Acquire)).filter(|id| *id != NOBODY).map(UnitId)
    }

    /// The unit that is written to.
    ///
    /// # Errors
    /// It is not certain which one that is (1290, as of a server that is read-only: drivers that
    /// look for a new primary then do so); the text says what to do.
    pub fn require_primary(&self) -> Result<UnitId, StatementError> {
        self.find_primary().ok_or_else(|| {
            let doubt = *self.doubt.lock().unwrap_or_else(PoisonError::into_inner);
            let reason = doubt.map_or("it is being looked for; try again", Doubt::text);
            StatementError::new(
                1290,
                "HY000",
                format!("Read/write splitting group '{}' has no primary: {reason}", self.name),
            )
        })
    }

    /// Rises with every change of the primary: what began under another number belongs to an old one.
    pub fn term(&self) -> u64 {
        self.term.load(Acquire)
    }

    /// True when a unit is a replica that may be read.
    pub fn is_readable(&self, unit: UnitId) -> bool {
        self.members.iter().any(|member| member.unit == unit && member.is_readable())
    }

    /// True when a replica is sure to have what was acknowledged at `write`, a moment at or after
    /// which the primary's answer had come. Unlike asking the servers, this costs one load.
    pub fn has_write(&self, unit: UnitId, write: Moment) -> bool {
        self.members.iter().any(|member| member.unit == unit && member.has_write(write))
    }

    /// Publishes to statements what was published here.
    pub(crate) fn pass_on(&self, group: &Group) {
        let doubt = *self.doubt.lock().unwrap_or_else(PoisonError::into_inner);
        let primary = self.find_primary();
        for member in &self.members {
            let Some(state) = group.find_state(member.unit) else { continue };
            let role = match doubt {
                Some(doubt) => Role::Disputed(doubt),
                None if primary == Some(member.unit) => Role::Primary,
                None => Role::Follower,
            };
            member.pass_on(state);
            state.set_role(role);
        }
    }

    /// Publishes a decision; returns the primary that was, when another one or nobody follows it.
    pub(crate) fn publish_primary(&self, decision: Primary) -> Option<UnitId> {
        let (id, doubt) = match decision {
            Primary::Unit(unit) => (unit.0, None),
            Primary::Nobody(doubt) => (NOBODY, Some(doubt)),
        };
        *self.doubt.lock().unwrap_or_else(PoisonError::into_inner) = doubt;
        let before = self.primary.swap(id, Release);
        if before == id {
            return None;
        }
        self.term.fetch_add(1, Release);
        (before != NOBODY).then_some(UnitId(before))
    }
}

impl MemberState {
    /// True for a replica that may be read.
    pub fn is_readable(&self) -> bool {
        self.is_readable.load(Acquire)
    }

    /// How far it was behind at the last look, where that is known.
    pub fn lag(&self) -> Option<Duration> {
        let lag_ms = self.lag_ms.load(Acquire);
        (lag_ms != UNKNOWN_LAG).then(|| Duration::from_millis(lag_ms))
    }

    /// True when it is sure to have what was acknowledged at `write`.
    pub fn has_write(&self, write: Moment) -> bool {
        self.fresh_as_of.load(Acquire) > write.0
    }

    /// Why it may not be read; empty otherwise.
    pub fn reason(&self) -> String {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn pass_on(&self, state: &ReplicaState) {
        let lag_ms = self.lag().map_or(0, |lag| lag.as_millis() as u64);
        state.set_progress(lag_ms, self.fresh_as_of.load(Acquire));
        state.set(match (self.is_readable(), lag_ms) {
            (true, _) => Standing::InRotation,
            (false, 0) => Standing::Broken,
            (false, _) => Standing::Lagging,
        });
    }

    /// It is the primary: no replica, and behind nobody.
    pub(crate) fn publish_as_primary(&self) {
        self.publish(Verdict {
            is_readable: false,
            lag: Some(Duration::ZERO),
            fresh_as_of: None,
            reason: "is the primary".to_owned(),
        });
    }

    /// Publishes a verdict; true when the replica comes or goes.
    pub(crate) fn publish(&self, verdict: Verdict) -> bool {
        let lag_ms = verdict.lag.map_or(UNKNOWN_LAG, |lag| lag.as_millis() as u64);
        self.lag_ms.store(lag_ms, Release);
        let fresh_as_of = verdict.fresh_as_of.map_or(Moment::BEGINNING, Moment::of);
        self.fresh_as_of.store(fresh_as_of.0, Release);
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = verdict.reason;
        self.is_readable.swap(verdict.is_readable, Release) != verdict.is_readable
    }
}
