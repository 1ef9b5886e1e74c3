//! Servers that replicate from one another: who is the primary, which replicas may be read.
//!
//! A group is one primary with its replicas. One background task of the process looks at every server
//! of every group ([`watcher`]); what it saw ([`observation`]) is judged by pure code ([`primary`],
//! [`rotation`]) and published in atomics ([`state`]), which whoever chooses a unit reads without a
//! lock. ADR 0015 has the reasons.

pub mod gtid;
pub mod look;
pub mod observation;
pub mod own_writes;
pub mod primary;
pub mod rotation;
pub mod state;
pub mod watcher;

use std::sync::Arc;
use std::time::Duration;

use kernel::model::{StorageUnit, UnitId};
use kernel::replicas::ReplicaState;

/// What one group consists of and how strictly it is judged.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its name: that of the rule.
    pub name: Arc<str>,
    /// The unit that is written to as long as nothing else is seen.
    pub configured_primary: StorageUnit,
    /// All other units, each with the state that statements read.
    pub replicas: Vec<(StorageUnit, Arc<ReplicaState>)>,
    /// When a replica may be read.
    pub limits: ReplicaLimits,
}

impl Group {
    /// Every unit, the configured primary first.
    pub fn units(&self) -> impl Iterator<Item = &StorageUnit> {
        std::iter::once(&self.configured_primary).chain(self.replicas.iter().map(|(unit, _)| unit))
    }

    /// The state of a replica that statements read; the configured primary has none.
    pub fn find_state(&self, unit: UnitId) -> Option<&ReplicaState> {
        let found = self.replicas.iter().find(|(replica, _)| replica.id == unit);
        found.map(|(_, state)| &**state)
    }

    /// True when nothing has to be looked at anew. Units that change get another id.
    fn is_same(&self, other: &Self) -> bool {
        let ids = |group: &Self| -> Vec<(UnitId, *const ReplicaState)> {
            group.replicas.iter().map(|(unit, state)| (unit.id, Arc::as_ptr(state))).collect()
        };
        self.name == other.name
            && self.configured_primary.id == other.configured_primary.id
            && self.limits == other.limits
            && ids(self) == ids(other)
    }
}

/// When a replica may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicaLimits {
    /// A replica further behind than this is not read.
    pub max_lag: Duration,
    /// It comes back after this many good looks in a row.
    pub good_looks: u32,
    /// What a good look is.
    pub health: Health,
}

impl Default for ReplicaLimits {
    fn default() -> Self {
        Self { max_lag: Duration::from_secs(10), good_looks: 2, health: Health::Replication }
    }
}

/// What has to be seen of a replica before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It replicates, without an error, and is not too far behind.
    Replication,
    /// It can be reached: for servers that share their data in another way than MySQL's replication,
    /// which have no status to look at. The configured primary stays the primary.
    Connection,
}
