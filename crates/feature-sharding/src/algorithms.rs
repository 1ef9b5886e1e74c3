//! Sharding algorithms: from a value of the sharding column to the nodes that can hold it.
//!
//! To add one: write `algorithms/<name>.rs`, add one line to [`ALL`], and add its cases to the
//! table test in that file. Nothing else has to change.

mod hash_mod;
mod modulo;
mod target;

use std::collections::BTreeMap;

use kernel::error::StatementError;

use crate::column::Key;
use crate::node_set::NodeSet;

pub use target::{Known, StrategyKind, SuffixRule, TargetAlgorithm, Targets};

/// Properties of one algorithm as written in the rule, e.g. `sharding-count` = `4`.
pub type Properties = BTreeMap<String, String>;

/// Most shards a table can have.
pub const MAX_SHARDING_COUNT: u32 = 10_000;

/// Decides where a value lives. Pure: no I/O, no clock, no randomness.
pub trait ShardingAlgorithm: std::fmt::Debug + Send + Sync {
    /// How many shards there are.
    fn sharding_count(&self) -> u32;

    /// The shard in which a row with this value is stored.
    ///
    /// # Errors
    /// The value cannot be placed; the text says why.
    fn place(&self, key: &Key<'_>) -> Result<u32, String>;

    /// Adds the shards that can hold rows with this value, however they got there. A value that
    /// no row can have adds any or none.
    fn find(&self, key: &Key<'_>, nodes: &mut NodeSet);

    /// The shard when only one can hold rows with this value.
    fn find_only(&self, key: &Key<'_>) -> Option<u32>;

    /// Adds the shards that can hold values of this range.
    fn find_range(&self, range: &KeyRange, nodes: &mut NodeSet);
}

/// Values of the sharding column between two ends, both inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRange {
    /// Any value.
    All,
    /// Integers.
    Integers {
        /// The least.
        lower: i128,
        /// The greatest.
        upper: i128,
    },
    /// Numbers with a fraction; the ends are whole.
    Numbers {
        /// Not above the least.
        lower: i128,
        /// Not below the greatest.
        upper: i128,
    },
    /// Moments without a time zone, in microseconds since 1970-01-01.
    Moments {
        /// The least.
        lower: i64,
        /// The greatest.
        upper: i64,
    },
}

/// One row of [`ALL`].
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// The name in rules and DistSQL.
    pub type_name: &'static str,
    /// Other names for it.
    pub aliases: &'static str,
    /// What it does, for SHOW.
    pub description: &'static str,
    /// Checks the properties.
    pub build: fn(&Properties) -> Result<Box<dyn ShardingAlgorithm>, StatementError>,
}

/// Every algorithm of this build, sorted by name.
pub const ALL: &[Registration] = &[
    Registration {
        type_name: "HASH_MOD",
        aliases: "",
        description: "Hash of the value modulo the number of shards",
        build: hash_mod::build,
    },
    Registration {
        type_name: "MOD",
        aliases: "",
        description: "Value modulo the number of shards",
        build: modulo::build,
    },
];

/// Builds the algorithm a rule asks for; names are compared without regard to case.
///
/// # Errors
/// The type is not in [`ALL`] (10402), or a property is missing or malformed (10404).
pub fn build(
    type_name: &str,
    properties: &Properties,
) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
    let entry = ALL
        .iter()
        .find(|entry| entry.type_name.eq_ignore_ascii_case(type_name))
        .ok_or_else(|| {
            let known = ALL.iter().map(|entry| entry.type_name).collect::<Vec<_>>().join(", ");
            StatementError::new(
                10402,
                "44000",
                format!("There is no sharding algorithm '{type_name}'; known are: {known}"),
            )
        })?;
    (entry.build)(properties)
}

/// The property `sharding-count`.
fn sharding_count(type_name: &str, properties: &Properties) -> Result<u32, StatementError> {
    let text = properties
        .get("sharding-count")
        .ok_or_else(|| invalid(type_name, "the property 'sharding-count' is missing".to_owned()))?;
    match text.trim().parse::<u32>() {
        Ok(count) if (1..=MAX_SHARDING_COUNT).contains(&count) => Ok(count),
        _ => Err(invalid(
            type_name,
            format!("'sharding-count' must be 1 to {MAX_SHARDING_COUNT}, not '{text}'"),
        )),
    }
}

/// Builds the algorithm of a strategy for its targets.
///
/// # Errors
/// The type is not in [`ALL`] (10402), a property is missing or malformed (10404), the expression
/// does not fit the columns (20052, 20053), or the algorithm does not serve strategies of this
/// kind (10410).
pub fn build_target(
    kind: StrategyKind,
    type_name: &str,
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let _ = (kind, properties, targets);
    Err(StatementError::unsupported(format!(
        "Sharding algorithm {type_name} is not supported in a strategy yet"
    )))
}

/// A property that is missing or wrong.
fn invalid(type_name: &str, reason: String) -> StatementError {
    StatementError::new(10404, "44000", format!("Sharding algorithm {type_name}: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registrations_are_sorted_and_unique() {
        assert!(ALL.is_sorted_by(|a, b| a.type_name < b.type_name));
    }

    #[test]
    fn bad_definitions_are_refused() {
        let with = |text: &str| Properties::from([("sharding-count".to_owned(), text.to_owned())]);
        for (name, properties, code) in [
            ("NOPE", with("4"), 10402),
            ("MOD", Properties::new(), 10404),
            ("MOD", with("0"), 10404),
            ("MOD", with("-1"), 10404),
            ("MOD", with("x"), 10404),
            ("hash_mod", with("10001"), 10404),
        ] {
            assert_eq!(build(name, &properties).unwrap_err().code, code, "{name} {properties:?}");
        }
        assert_eq!(build("mod", &with(" 10 ")).unwrap().sharding_count(), 10);
    }
}
