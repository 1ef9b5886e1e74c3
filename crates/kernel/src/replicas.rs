//! Groups of storage units with the same rows: one primary that is changed, and replicas of it that
//! are read.
//!
//! A group is named wherever a storage unit is. What is routed to it is routed to its primary; which
//! unit of the group a read goes to is chosen when it is executed. A [`ReplicaState`] says whether a
//! replica is fit to be read: whoever watches replicas sets it, every execution reads it without a
//! lock.

mod state;

use std::sync::Arc;

use smallvec::SmallVec;
pub use state::{Doubt, ReplicaState, Role, Standing};

use crate::error::StatementError;
use crate::model::{StorageUnit, UnitId};
use crate::snapshot::LogicalDatabase;

/// A group of units.
#[derive(Debug)]
pub struct UnitGroup {
    /// Its name, as rules and hints use it in the place of a storage unit's.
    pub name: Arc<str>,
    /// The feature whose rule defines it.
    pub feature: &'static str,
    /// Where changes go, and every read that is not certain to be one.
    pub primary: UnitId,
    /// In the order of the rule.
    pub replicas: Vec<Replica>,
    /// Which unit reads of a transaction go to.
    pub transactional_reads: TransactionalReads,
    /// Chooses among the replicas that can be read; `None` where none of them is ever read.
    pub balancer: Option<Arc<dyn LoadBalancer>>,
}

/// A unit that is read in the place of its primary.
#[derive(Debug, Clone)]
pub struct Replica {
    /// The unit.
    pub unit: UnitId,
    /// Its name.
    pub name: Arc<str>,
    /// False where it was taken out of the rotation by hand.
    pub is_enabled: bool,
    /// Whether it is fit to be read; the same value through all snapshots that have the unit.
    pub state: Arc<ReplicaState>,
}

/// Which unit reads of a transaction go to, as long as it has changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionalReads {
    /// The primary.
    Primary,
    /// One replica from the first read to the end of the transaction.
    Fixed,
    /// A replica chosen anew for each statement.
    Dynamic,
}

/// Chooses a replica.
pub trait LoadBalancer: std::fmt::Debug + Send + Sync {
    /// One of `candidates`: positions in the list of replicas, ascending, never empty. `draw` is a
    /// random number, new for each call.
    fn choose(&self, candidates: &[u16], draw: u64) -> u16;
}

impl Replica {
    /// Enabled, and fit to be read.
    pub fn is_readable(&self) -> bool {
        self.is_enabled && self.state.standing() == Standing::InRotation
    }
}

impl UnitGroup {
    /// The unit that is written to now: the configured primary, or the replica that was promoted.
    ///
    /// # Errors
    /// It is not certain which unit that is (1290, as of a server that is read-only: drivers that
    /// look for a new primary then do so); the text says what to do.
    pub fn require_primary(&self) -> Result<UnitId, StatementError> {
        for replica in &self.replicas {
            match replica.state.role() {
                Role::Follower => {}
                Role::Primary => return Ok(replica.unit),
                Role::Disputed(doubt) => {
                    return Err(StatementError::new(
                        1290,
                        "HY000",
                        format!("Group '{}' has no primary: {}", self.name, doubt.text()),
                    ));
                }
            }
        }
        Ok(self.primary)
    }

    /// A replica that can be read and is not among `tried`; `None` where the primary is to be read.
    pub fn choose(&self, tried: &[UnitId], draw: u64) -> Option<&Replica> {
        self.choose_with_write(0, tried, draw)
    }

    /// The same among those that are sure to have what was acknowledged at this moment (see
    /// [`ReplicaState::has_write`]): whoever has written does not read the past.
    pub fn choose_with_write(
        &self,
        moment: u64,
        tried: &[UnitId],
        draw: u64,
    ) -> Option<&Replica> {
        let balancer = self.balancer.as_ref()?;
        let mut candidates = SmallVec::<[u16; 16]>::new();
        for (position, replica) in (0..).zip(&self.replicas) {
            let is_fit = replica.is_readable() && replica.state.has_write(moment);
            if is_fit && !tried.contains(&replica.unit) {
                candidates.push(position);
            }
        }
        if candidates.is_empty() {
            return None;
        }
        self.replicas.get(usize::from(balancer.choose(&candidates, draw)))
    }

    /// The replica that is this unit.
    pub fn find_replica(&self, unit: UnitId) -> Option<&Replica> {
        self.replicas.iter().find(|replica| replica.unit == unit)
    }

    /// Takes over what is known of the replicas that `before` has as well.
    pub fn keep_states(&mut self, before: &LogicalDatabase) {
        for replica in &mut self.replicas {
            let known = before.groups.iter().find_map(|group| group.find_replica(replica.unit));
            if let Some(known) = known {
                replica.state = Arc::clone(&known.state);
            }
        }
    }
}

/// The units that rules may name: each group as its primary, and every unit that is no replica. Names
/// of groups come first, so that a rule over all units takes the group rather than its primary.
pub fn nameable_units<'g>(
    units: &[StorageUnit],
    groups: impl Iterator<Item = &'g UnitGroup> + Clone,
) -> Vec<StorageUnit> {
    let is_replica =
        |unit: UnitId| groups.clone().any(|group| group.find_replica(unit).is_some());
    let as_group = |group: &UnitGroup| {
        let primary = units.iter().find(|unit| unit.id == group.primary)?;
        Some(StorageUnit { name: Arc::clone(&group.name), ..primary.clone() })
    };
    let mut nameable: Vec<_> = groups.clone().filter_map(as_group).collect();
    nameable.extend(units.iter().filter(|unit| !is_replica(unit.id)).cloned());
    nameable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Last;

    impl LoadBalancer for Last {
        fn choose(&self, candidates: &[u16], _draw: u64) -> u16 {
            candidates[candidates.len() - 1]
        }
    }

    fn group() -> UnitGroup {
        let replica = |id| {
            let state = Arc::new(ReplicaState::default());
            state.set(Standing::InRotation);
            Replica { unit: UnitId(id), name: format!("r{id}").into(), is_enabled: true, state }
        };
        UnitGroup {
            name: "group".into(),
            feature: "splitting",
            primary: UnitId(0),
            replicas: (1..=3).map(replica).collect(),
            transactional_reads: TransactionalReads::Primary,
            balancer: Some(Arc::new(Last)),
        }
    }

    fn chosen(group: &UnitGroup, tried: &[UnitId]) -> Option<u32> {
        group.choose(tried, 0).map(|replica| replica.unit.0)
    }

    #[test]
    fn only_replicas_that_can_be_read_are_chosen() {
        let mut group = group();
        assert_eq!(chosen(&group, &[]), Some(3));
        group.replicas[2].state.set(Standing::Lagging);
        assert_eq!(chosen(&group, &[]), Some(2));
        group.replicas[1].is_enabled = false;
        assert_eq!(chosen(&group, &[]), Some(1));
        assert_eq!(chosen(&group, &[UnitId(1)]), None);
        group.replicas[2].state.set(Standing::InRotation);
        assert_eq!(chosen(&group, &[UnitId(1)]), Some(3));
        group.balancer = None;
        assert_eq!(chosen(&group, &[]), None);
    }

    #[test]
    fn a_promoted_replica_is_the_primary_and_a_dispute_leaves_none() {
        let group = group();
        assert_eq!(group.require_primary().unwrap(), UnitId(0));
        group.replicas[1].state.set_role(Role::Primary);
        assert_eq!(group.require_primary().unwrap(), UnitId(2));
        for replica in &group.replicas {
            replica.state.set_role(Role::Disputed(Doubt::SeveralWritable));
        }
        let refused = group.require_primary().unwrap_err();
        assert!(refused.code == 1290 && refused.message.contains("read_only"), "{refused:?}");
    }

    #[test]
    fn who_has_written_reads_replicas_that_have_it() {
        let group = group();
        let chosen = |moment| group.choose_with_write(moment, &[], 0).map(|r| r.unit.0);
        assert_eq!((chosen(0), chosen(7)), (Some(3), None));
        group.replicas[0].state.set_progress(0, 8);
        assert_eq!((chosen(7), chosen(8)), (Some(1), None));
    }

    #[test]
    fn what_is_known_of_a_replica_outlives_a_snapshot() {
        let old = group();
        old.replicas[0].state.set(Standing::Broken);
        let before = LogicalDatabase { groups: vec![Arc::new(old)], ..LogicalDatabase::default() };
        let mut next = group();
        next.keep_states(&before);
        assert_eq!(next.replicas[0].state.standing(), Standing::Broken);
        assert!(Arc::ptr_eq(&next.replicas[0].state, &before.groups[0].replicas[0].state));
    }
}
