//! Sharding algorithms: from a value of the sharding column to the nodes that can hold it.
//!
//! To add one: write `algorithms/<name>.rs`, add one line to [`ALL`], and add its cases to the
//! table test in that file. Nothing else has to change.

mod auto_interval;
mod cosid;
mod expression;
mod hash_mod;
mod inline;
mod interval;
mod java_hash;
mod modulo;
mod pattern;
mod ranges;
mod suffixed;
mod target;
mod timeline;

use std::collections::BTreeMap;

use kernel::error::StatementError;

use crate::column::Key;
use crate::node_set::NodeSet;

use suffixed::Suffixed;
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

    /// The least number of digits of a shard in the names of a strategy's targets.
    fn suffix_digits(&self) -> usize {
        1
    }

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
    /// How it is built.
    pub builder: Builder,
}

/// How an algorithm is built, and for what.
#[derive(Debug, Clone, Copy)]
pub enum Builder {
    /// Gives numbers: for auto tables, and for STANDARD strategies by the ends of names.
    Numbered(fn(&Properties) -> Result<Box<dyn ShardingAlgorithm>, StatementError>),
    /// Gives names: for strategies of one kind.
    Named(StrategyKind, BuildTarget),
    /// Known but not supported; the text says what to use instead.
    Refused(&'static str),
}

/// Checks properties against the targets.
pub type BuildTarget =
    fn(&Properties, &Targets<'_>) -> Result<Box<dyn TargetAlgorithm>, StatementError>;

const fn entry(
    type_name: &'static str,
    description: &'static str,
    builder: Builder,
) -> Registration {
    Registration { type_name, aliases: "", description, builder }
}

/// Every algorithm of this build, sorted by name.
pub const ALL: &[Registration] = &[
    entry("AUTO_INTERVAL", "Equal spans of time", Builder::Numbered(auto_interval::build)),
    entry(
        "BOUNDARY_RANGE",
        "Ranges of numbers between listed boundaries",
        Builder::Numbered(ranges::build_boundary),
    ),
    entry(
        "CLASS_BASED",
        "An algorithm of a Java class (not supported)",
        Builder::Refused(
            "it loads a Java class, which this proxy cannot run; express the rule with INLINE, \
             COMPLEX_INLINE or HINT_INLINE",
        ),
    ),
    entry(
        "COMPLEX_INLINE",
        "An expression over several columns that names the target",
        Builder::Named(StrategyKind::Complex, inline::build_complex),
    ),
    entry(
        "COSID_INTERVAL",
        "A prefix and the span of time name the target",
        Builder::Named(StrategyKind::Standard, cosid::build_interval),
    ),
    entry(
        "COSID_INTERVAL_SNOWFLAKE",
        "A prefix and the span of time of a snowflake number name the target",
        Builder::Named(StrategyKind::Standard, cosid::build_snowflake),
    ),
    entry(
        "COSID_MOD",
        "A prefix and the value modulo a number name the target",
        Builder::Named(StrategyKind::Standard, cosid::build_modulo),
    ),
    entry(
        "HASH_MOD",
        "Hash of the value modulo the number of shards",
        Builder::Numbered(hash_mod::build),
    ),
    entry(
        "HINT_INLINE",
        "An expression over the hint's value that names the target",
        Builder::Named(StrategyKind::Hint, inline::build_hint),
    ),
    entry(
        "INLINE",
        "An expression over the column that names the target",
        Builder::Named(StrategyKind::Standard, inline::build),
    ),
    entry(
        "INTERVAL",
        "The span of time, written by a pattern, ends the target's name",
        Builder::Named(StrategyKind::Standard, interval::build),
    ),
    entry("MOD", "Value modulo the number of shards", Builder::Numbered(modulo::build)),
    entry(
        "VOLUME_RANGE",
        "Ranges of numbers of equal width",
        Builder::Numbered(ranges::build_volume),
    ),
];

/// The algorithm of this name, compared without regard to case.
///
/// # Errors
/// The type is not in [`ALL`] (10402).
fn find(type_name: &str) -> Result<&'static Registration, StatementError> {
    ALL.iter().find(|entry| entry.type_name.eq_ignore_ascii_case(type_name)).ok_or_else(|| {
        let known = ALL.iter().map(|entry| entry.type_name).collect::<Vec<_>>().join(", ");
        StatementError::new(
            10402,
            "44000",
            format!("There is no sharding algorithm '{type_name}'; known are: {known}"),
        )
    })
}

/// Builds the algorithm of an auto table; names are compared without regard to case.
///
/// # Errors
/// The type is not in [`ALL`] (10402), a property is missing or malformed (10404), or the
/// algorithm is not one for auto tables (10410).
pub fn build(
    type_name: &str,
    properties: &Properties,
) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
    let entry = find(type_name)?;
    match entry.builder {
        Builder::Numbered(build) => build(properties),
        Builder::Named(..) => Err(unsuitable(
            entry,
            "it is not one for auto tables; use it in a strategy of DATANODES",
        )),
        Builder::Refused(reason) => Err(unsuitable(entry, reason)),
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
    let entry = find(type_name)?;
    match entry.builder {
        Builder::Numbered(build) if kind == StrategyKind::Standard => {
            let algorithm = build(properties)?;
            let shape = format!("{} {properties:?}", entry.type_name);
            Ok(Box::new(Suffixed::new(entry.type_name, algorithm, targets, shape)))
        }
        Builder::Named(of, build) if of == kind => build(properties, targets),
        Builder::Refused(reason) => Err(unsuitable(entry, reason)),
        Builder::Numbered(_) => Err(unsuitable(entry, "it serves STANDARD strategies only")),
        Builder::Named(of, _) => Err(unsuitable(
            entry,
            match of {
                StrategyKind::Standard => "it serves STANDARD strategies only",
                StrategyKind::Complex => "it serves COMPLEX strategies only",
                StrategyKind::Hint => "it serves HINT strategies only",
            },
        )),
    }
}

/// An algorithm where it cannot be used (10410).
fn unsuitable(entry: &Registration, reason: &str) -> StatementError {
    StatementError::new(10410, "44000", format!("Sharding algorithm {}: {reason}", entry.type_name))
}

/// A property that has to be there and not empty.
fn required<'p>(
    type_name: &str,
    properties: &'p Properties,
    name: &str,
) -> Result<&'p str, StatementError> {
    match properties.get(name).map(|text| text.trim()) {
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(invalid(type_name, format!("the property '{name}' is missing"))),
    }
}

/// A property that is `true` or `false`; absent means `false`.
fn boolean(type_name: &str, properties: &Properties, name: &str) -> Result<bool, StatementError> {
    match properties.get(name).map(|text| text.trim().to_ascii_lowercase()).as_deref() {
        None | Some("" | "false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => {
            Err(invalid(type_name, format!("'{name}' must be true or false, not '{other}'")))
        }
    }
}

/// The property `sharding-count`.
fn sharding_count(type_name: &str, properties: &Properties) -> Result<u32, StatementError> {
    let text = required(type_name, properties, "sharding-count")?;
    match text.parse::<u32>() {
        Ok(count) if (1..=MAX_SHARDING_COUNT).contains(&count) => Ok(count),
        _ => Err(invalid(
            type_name,
            format!("'sharding-count' must be 1 to {MAX_SHARDING_COUNT}, not '{text}'"),
        )),
    }
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
