//! Read/write splitting: groups of a primary and its replicas, and which replica a read goes to.
//!
//! [`FEATURE`] is what the binary lists. What a group is, the kernel knows; whether a statement may go
//! to a replica, `kernel::bind` says; that it does, the server sees to. Here is which groups there are
//! and how they choose.
//!
//! **Invariant:** no other feature, no I/O.

mod config;
mod distsql;
pub mod load_balancers;
mod rule;
mod yaml;

pub use config::{BalancerConfig, GroupConfig, SplittingConfig};

use kernel::feature::FeatureEntry;

/// This feature, for the binary's list.
pub const FEATURE: FeatureEntry = FeatureEntry {
    name: "readwrite_splitting",
    rule_key: config::RULE_KEY,
    from_yaml: yaml::read,
    groups: Some(rule::groups),
    build: rule::build,
    distsql: distsql::execute,
};
