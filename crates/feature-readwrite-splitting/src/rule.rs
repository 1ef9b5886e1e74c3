//! The checked rule: the groups over the storage units of the database.

use std::collections::HashSet;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::feature::Feature;
use kernel::model::StorageUnit;
use kernel::replicas::{Replica, TransactionalReads, UnitGroup};
use serde_json::Value;

use crate::config::{GroupConfig, SplittingConfig, invalid};
use crate::load_balancers;

/// Builds the groups from the stored rule.
///
/// # Errors
/// A unit is missing (10102) or has two places (20204), a name is taken (10200), or of the load
/// balancer.
pub(crate) fn groups(
    value: &Value,
    units: &[StorageUnit],
) -> Result<Vec<UnitGroup>, StatementError> {
    let config = SplittingConfig::load(value)?;
    let mut names = HashSet::new();
    let mut used = HashSet::new();
    let mut groups = Vec::with_capacity(config.groups.len());
    for group in &config.groups {
        let is_unit = units.iter().any(|unit| *unit.name == *group.name);
        if group.name.is_empty() || is_unit || !names.insert(group.name.as_str()) {
            let why = format!("the name '{}' is empty or taken", group.name);
            return Err(invalid(&why));
        }
        groups.push(build_group(group, units, &mut used)?);
    }
    Ok(groups)
}

fn build_group<'c>(
    group: &'c GroupConfig,
    units: &[StorageUnit],
    used: &mut HashSet<&'c str>,
) -> Result<UnitGroup, StatementError> {
    if group.read_units.is_empty() {
        return Err(invalid(&format!("'{}' has no storage unit to read", group.name)));
    }
    for name in std::iter::once(&group.write_unit).chain(&group.read_units) {
        if !used.insert(name) {
            let text = format!("Storage unit '{name}' has two places in readwrite-splitting rules");
            return Err(StatementError::new(20204, "42S01", text));
        }
    }
    let find = |name: &str| {
        units.iter().find(|unit| &*unit.name == name).ok_or_else(|| {
            let text = format!("Storage unit '{name}' does not exist: register it first");
            StatementError::new(10102, "42S02", text)
        })
    };
    let replica = |name: &String| {
        let unit = find(name)?;
        Ok(Replica {
            unit: unit.id,
            name: Arc::clone(&unit.name),
            is_enabled: !group.disabled_units.contains(name),
            state: Arc::default(),
        })
    };
    let entry = load_balancers::require(group)?;
    Ok(UnitGroup {
        name: group.name.as_str().into(),
        feature: crate::FEATURE.name,
        primary: find(&group.write_unit)?.id,
        replicas: group.read_units.iter().map(replica).collect::<Result<_, StatementError>>()?,
        transactional_reads: transactional_reads(group)?,
        balancer: entry.build(group)?,
    })
}

/// What the rule says, or else what the name of its load balancer means.
///
/// # Errors
/// It is none of the three (10200), or of the load balancer.
pub(crate) fn transactional_reads(
    group: &GroupConfig,
) -> Result<TransactionalReads, StatementError> {
    let Some(name) = &group.transactional_reads else {
        return Ok(load_balancers::require(group)?.transactional_reads);
    };
    match name.to_ascii_uppercase().as_str() {
        "PRIMARY" => Ok(TransactionalReads::Primary),
        "FIXED" => Ok(TransactionalReads::Fixed),
        "DYNAMIC" => Ok(TransactionalReads::Dynamic),
        _ => Err(invalid(&format!(
            "TRANSACTIONAL_READ_QUERY_STRATEGY '{name}' must be PRIMARY, FIXED or DYNAMIC"
        ))),
    }
}

/// Builds the feature; its groups were built before, from all units.
pub(crate) fn build(value: &Value, _units: &[StorageUnit]) -> Result<Feature, StatementError> {
    SplittingConfig::load(value)?;
    Ok(Feature { name: crate::FEATURE.name, catalog: None, route: None })
}
