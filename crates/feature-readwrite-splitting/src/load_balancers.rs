//! Load balancers: which of the replicas a read goes to, one file each.
//!
//! The older names say two things: how a replica is chosen, and where reads of a transaction go.

mod fixed_primary;
mod fixed_replica_random;
mod fixed_replica_round_robin;
mod fixed_replica_weight;
mod random;
mod round_robin;
mod transaction_random;
mod transaction_round_robin;
mod transaction_weight;
mod weight;

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::replicas::{LoadBalancer, TransactionalReads};

use crate::config::GroupConfig;

/// One row of [`ALL`].
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// The name in rules and DistSQL.
    pub type_name: &'static str,
    /// What it does, for SHOW.
    pub description: &'static str,
    /// Where reads of a transaction go when the rule does not say it.
    pub transactional_reads: TransactionalReads,
    build: fn(&GroupConfig) -> Built,
}

/// A load balancer, or `None` where replicas are never read.
type Built = Result<Option<Arc<dyn LoadBalancer>>, StatementError>;

impl Registration {
    /// The load balancer of a group.
    ///
    /// # Errors
    /// A property is missing (10401) or malformed (10404).
    pub(crate) fn build(&self, group: &GroupConfig) -> Built {
        (self.build)(group)
    }
}

/// Every load balancer of this build, sorted by name.
///
/// # Source
/// Inventory 2.4.
pub const ALL: &[Registration] = &[
    fixed_primary::ENTRY,
    fixed_replica_random::ENTRY,
    fixed_replica_round_robin::ENTRY,
    fixed_replica_weight::ENTRY,
    random::ENTRY,
    round_robin::ENTRY,
    transaction_random::ENTRY,
    transaction_round_robin::ENTRY,
    transaction_weight::ENTRY,
    weight::ENTRY,
];

/// The entry of a group's load balancer; names are compared without regard to case.
///
/// # Errors
/// The type is not in [`ALL`] (10402).
pub(crate) fn require(group: &GroupConfig) -> Result<&'static Registration, StatementError> {
    let Some(config) = &group.load_balancer else { return Ok(&round_robin::ENTRY) };
    let name = &config.type_name;
    ALL.iter().find(|entry| entry.type_name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let known = ALL.iter().map(|entry| entry.type_name).collect::<Vec<_>>().join(", ");
        let text = format!("There is no load balancer '{name}'; known are: {known}");
        StatementError::new(10402, "44000", text)
    })
}

#[cfg(test)]
mod tests;
