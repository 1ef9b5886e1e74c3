//! `ROUND_ROBIN`: the replicas in turn; reads of a transaction go to the primary.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use kernel::replicas::{LoadBalancer, TransactionalReads};

use super::{Built, Registration};
use crate::config::GroupConfig;

pub(super) const ENTRY: Registration = Registration {
    type_name: "ROUND_ROBIN",
    description: "The replicas in turn; in a transaction the primary",
    transactional_reads: TransactionalReads::Primary,
    build,
};

/// Counts the reads of a group, over all sessions.
#[derive(Debug, Default)]
struct RoundRobin {
    turn: AtomicUsize,
}

impl LoadBalancer for RoundRobin {
    fn choose(&self, candidates: &[u16], _draw: u64) -> u16 {
        let turn = self.turn.fetch_add(1, Relaxed);
        candidates[turn % candidates.len()]
    }
}

pub(super) fn build(_: &GroupConfig) -> Built {
    Ok(Some(Arc::new(RoundRobin::default())))
}
