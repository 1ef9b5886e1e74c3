//! Broadcast tables: the same rows in every storage unit, so that joins with sharded tables stay on
//! one unit.
//!
//! [`FEATURE`] is what the binary lists. How such tables are read and changed, the kernel knows from
//! [`kernel::model::Placement::Broadcast`]; here is only which tables they are.
//!
//! **Invariant:** no other feature, no I/O.

mod config;
mod distsql;
mod rule;

pub use config::BroadcastConfig;
pub use rule::BroadcastRule;

use kernel::feature::FeatureEntry;

/// This feature, for the binary's list.
pub const FEATURE: FeatureEntry = FeatureEntry {
    name: "broadcast",
    rule_key: config::RULE_KEY,
    from_yaml: config::from_yaml,
    groups: None,
    build: rule::build,
    distsql: distsql::execute,
};
