//! Sharded tables: rules, algorithms, and the route stage.
//!
//! A rule spreads the rows of a logical table over actual tables by the value of its sharding
//! column. [`FEATURE`] is what the binary lists; [`algorithms::ALL`] is what there is to choose
//! from. Values are converted to the column's type before they are placed ([`mod@column`]), so that
//! every spelling of one value leads to one place.
//!
//! **Invariant:** rows are never lost by narrowing; where a comparison is not certain, all nodes
//! are asked.

pub mod algorithms;
pub mod column;
mod config;
mod distsql;
pub mod key_generators;
mod node_set;
mod route;
mod rule;
mod yaml;

pub use config::{AlgorithmConfig, ShardingConfig, TableConfig};
pub use node_set::NodeSet;
pub use rule::{Placing, ShardingRule, Strategies, TableRule};

use kernel::feature::FeatureEntry;

/// This feature, for the binary's list.
pub const FEATURE: FeatureEntry = FeatureEntry {
    name: "sharding",
    rule_key: config::RULE_KEY,
    from_yaml: yaml::read,
    groups: None,
    build: rule::build,
    distsql: distsql::execute,
};
