//! `RANDOM`: any replica; reads of a transaction go to the primary.

use std::sync::Arc;

use kernel::replicas::{LoadBalancer, TransactionalReads};

use super::{Built, Registration};
use crate::config::GroupConfig;

pub(super) const ENTRY: Registration = Registration {
    type_name: "RANDOM",
    description: "A random replica; in a transaction the primary",
    transactional_reads: TransactionalReads::Primary,
    build,
};

#[derive(Debug)]
struct Random;

impl LoadBalancer for Random {
    fn choose(&self, candidates: &[u16], draw: u64) -> u16 {
        candidates[(draw % candidates.len() as u64) as usize]
    }
}

pub(super) fn build(_: &GroupConfig) -> Built {
    Ok(Some(Arc::new(Random)))
}
