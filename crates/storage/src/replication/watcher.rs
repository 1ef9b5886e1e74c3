//! The background task that looks at every server of every group and publishes what it makes of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kernel::model::UnitId;
use telemetry::METRICS;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::connect::ConnectOptions;
use crate::pool::SharedLimits;
use crate::replication::look::Look;
use crate::replication::observation::Observation;
use crate::replication::primary::{Memory, Primary, Seen};
use crate::replication::rotation::{PrimaryHistory, Progress, Rotation};
use crate::replication::state::GroupState;
use crate::replication::{Group, Health};

/// How often servers are looked at, and how long one may take to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchIntervals {
    /// From one round to the next.
    pub pause: Duration,
    /// A server that has not answered by then counts as down.
    pub limit: Duration,
}

impl Default for WatchIntervals {
    fn default() -> Self {
        Self { pause: Duration::from_secs(1), limit: Duration::from_secs(2) }
    }
}

/// All groups of the process and how they stand. One for all workers.
#[derive(Debug)]
pub struct Watcher {
    options: Arc<ConnectOptions>,
    pools: Arc<SharedLimits>,
    intervals: WatchIntervals,
    groups: Mutex<BTreeMap<UnitId, Entry>>,
    has_groups: AtomicBool,
    changed: Notify,
    /// A round is over, or there was nothing to look at.
    looked: Notify,
    /// Somebody has met an error that may mean another primary: the next round comes at once.
    asked: Notify,
}

#[derive(Debug, Clone)]
struct Entry {
    group: Arc<Group>,
    state: Arc<GroupState>,
}

impl Watcher {
    /// Without groups.
    pub fn new(
        options: Arc<ConnectOptions>,
        pools: Arc<SharedLimits>,
        intervals: WatchIntervals,
    ) -> Self {
        let groups = Mutex::new(BTreeMap::new());
        let (changed, looked, asked) = (Notify::new(), Notify::new(), Notify::new());
        let has_groups = AtomicBool::new(false);
        Self { options, pools, intervals, groups, has_groups, changed, looked, asked }
    }

    /// These are the groups from now on. One that is as it was keeps its state.
    pub fn replace_groups(&self, groups: Vec<Group>) {
        let mut known = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::take(&mut *known);
        for group in groups {
            let key = group.configured_primary.id;
            let entry = match old.get(&key) {
                Some(entry) if entry.group.is_same(&group) => entry.clone(),
                before => {
                    let before = before.and_then(|entry| entry.state.find_primary());
                    let state = Arc::new(GroupState::new(&group, before));
                    // Nothing is known of its replicas, so nobody reads them.
                    state.pass_on(&group);
                    Entry { state, group: Arc::new(group) }
                }
            };
            known.insert(key, entry);
        }
        self.has_groups.store(!known.is_empty(), Relaxed);
        drop(known);
        self.changed.notify_one();
    }

    /// True when there is any group at all.
    pub fn has_groups(&self) -> bool {
        self.has_groups.load(Relaxed)
    }

    /// How the group stands that this unit is the configured primary of.
    pub fn find_state(&self, configured_primary: UnitId) -> Option<Arc<GroupState>> {
        let groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        groups.get(&configured_primary).map(|entry| Arc::clone(&entry.state))
    }

    /// Asks for a round of looks now, after an error that may mean another primary.
    pub fn ask_for_look(&self) {
        self.asked.notify_one();
    }

    /// Waits for the end of a round of looks: after a start nobody is to be served before it, as the
    /// configured primary may have been replaced long ago. For one waiter.
    pub async fn looked(&self) {
        self.looked.notified().await;
    }

    /// Looks, until it is dropped. Runs once in a process.
    pub async fn watch(&self) {
        let mut watched: Vec<WatchedGroup> = Vec::new();
        loop {
            self.update(&mut watched);
            if watched.is_empty() {
                self.looked.notify_one();
                self.changed.notified().await;
                continue;
            }
            for group in &mut watched {
                group.look(self.intervals.limit).await;
            }
            for group in &mut watched {
                if let Some(old) = group.publish(Instant::now()) {
                    self.pools.retire_connections(old);
                }
            }
            self.looked.notify_one();
            tokio::select! {
                () = tokio::time::sleep(self.intervals.pause) => {}
                () = self.changed.notified() => {}
                // Many may ask at once, and go on asking while a server is down.
                () = self.asked.notified() => tokio::time::sleep(self.intervals.pause / 10).await,
            }
        }
    }

    /// Takes over groups that are new and lets go of those that are gone.
    fn update(&self, watched: &mut Vec<WatchedGroup>) {
        let groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = |one: &WatchedGroup| {
            let entry = groups.get(&one.group.configured_primary.id);
            entry.is_some_and(|entry| Arc::ptr_eq(&entry.state, &one.state))
        };
        let (mut current, gone): (Vec<_>, Vec<_>) = watched.drain(..).partition(is_current);
        for (key, entry) in &*groups {
            if current.iter().any(|one| Arc::ptr_eq(&one.state, &entry.state)) {
                continue;
            }
            let mut one = WatchedGroup::new(entry, &self.options);
            // A group whose rule has changed goes on with what is known of its primary.
            let before = gone.iter().find(|old| old.group.configured_primary.id == *key);
            let before = before.map(|old| old.memory.clone());
            if let Some(memory) = before.filter(|memory| one.has(memory.primary)) {
                one.memory = memory;
            }
            current.push(one);
        }
        *watched = current;
    }
}

/// A group with what the watcher alone remembers of it.
struct WatchedGroup {
    group: Arc<Group>,
    state: Arc<GroupState>,
    memory: Memory,
    history: PrimaryHistory,
    members: Vec<Member>,
    /// When the looks of this round began.
    begun: Instant,
}

struct Member {
    look: Option<Look>,
    rotation: Rotation,
    seen: Option<Observation>,
    failure: String,
}

impl WatchedGroup {
    fn new(entry: &Entry, options: &Arc<ConnectOptions>) -> Self {
        let member = |unit| Member {
            look: Some(Look::new(unit, options)),
            rotation: Rotation::default(),
            seen: None,
            failure: String::new(),
        };
        Self {
            memory: Memory::new(entry.group.configured_primary.id),
            history: PrimaryHistory::default(),
            members: entry.group.units().map(member).collect(),
            group: Arc::clone(&entry.group),
            state: Arc::clone(&entry.state),
            begun: Instant::now(),
        }
    }

    fn has(&self, unit: UnitId) -> bool {
        self.group.units().any(|member| member.id == unit)
    }

    /// Looks at all members at the same time.
    async fn look(&mut self, limit: Duration) {
        self.begun = Instant::now();
        let mut looks = JoinSet::new();
        for (index, member) in self.members.iter_mut().enumerate() {
            if let Some(mut look) = member.look.take() {
                looks.spawn(async move {
                    let seen = look.observe(limit).await;
                    (index, look, seen)
                });
            }
        }
        while let Some(looked) = looks.join_next().await {
            let Ok((index, look, seen)) = looked else { continue };
            METRICS.replication_looks_total.increment();
            let member = &mut self.members[index];
            member.look = Some(look);
            member.failure = seen.as_ref().err().map(ToString::to_string).unwrap_or_default();
            member.seen = seen.ok();
        }
    }

    /// Judges what was seen and publishes it; returns the primary that is none any more.
    fn publish(&mut self, now: Instant) -> Option<UnitId> {
        let seen: Vec<_> = self
            .group
            .units()
            .zip(&self.members)
            .map(|(unit, member)| Seen {
                unit: unit.id,
                address: (unit.config.host.as_str(), unit.config.port),
                observation: member.seen.as_ref(),
            })
            .collect();
        let decision = match self.group.limits.health {
            Health::Replication => self.memory.judge(&seen),
            // Nothing these servers show tells a primary from others.
            Health::Connection => Primary::Unit(self.group.configured_primary.id),
        };
        let old = self.state.publish_primary(decision);
        if old.is_some() || matches!(decision, Primary::Nobody(_)) {
            self.history.clear();
        }
        if let Some(old) = old {
            METRICS.primary_changes_total.increment();
            tracing::warn!(group = &*self.group.name, ?old, ?decision, "the primary changed");
        }
        self.publish_replicas(decision, now);
        self.state.pass_on(&self.group);
        old
    }

    fn publish_replicas(&mut self, decision: Primary, now: Instant) {
        let primary = match decision {
            Primary::Unit(unit) => Some(unit),
            Primary::Nobody(_) => None,
        };
        let at = primary.and_then(|unit| self.state.members().iter().position(|m| m.unit == unit));
        let position = at.and_then(|at| self.members[at].seen.as_ref()?.position.as_ref());
        if let Some(position) = position {
            self.history.note(self.begun, position);
        }
        for (state, member) in self.state.members().iter().zip(&mut self.members) {
            if Some(state.unit) == primary {
                // It is read as the primary; when it becomes a replica it begins anew.
                member.rotation = Rotation::default();
                state.publish_as_primary();
                continue;
            }
            let seen = member.seen.as_ref();
            let progress =
                seen.map(|seen| Progress::of(seen, &self.history, now)).unwrap_or_default();
            let mut verdict = member.rotation.judge(seen, progress, &self.group.limits);
            if member.seen.is_none() && !member.failure.is_empty() {
                verdict.reason.clone_from(&member.failure);
            }
            let (is_readable, reason) = (verdict.is_readable, verdict.reason.clone());
            if state.publish(verdict) {
                METRICS.replica_changes_total.increment();
                let (group, unit) = (&*self.group.name, &*state.name);
                tracing::warn!(group, unit, is_readable, reason, "a replica comes or goes");
            }
        }
    }
}
