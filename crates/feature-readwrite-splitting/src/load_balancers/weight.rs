//! `WEIGHT`: a random replica, one with twice the weight twice as often; reads of a transaction go to
//! the primary.

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::replicas::{LoadBalancer, TransactionalReads};

use super::{Built, Registration};
use crate::config::GroupConfig;

pub(super) const ENTRY: Registration = Registration {
    type_name: "WEIGHT",
    description: "A random replica by weight; in a transaction the primary",
    transactional_reads: TransactionalReads::Primary,
    build,
};

/// The weights, by position in the list of replicas.
#[derive(Debug)]
struct Weight(Vec<f64>);

impl LoadBalancer for Weight {
    fn choose(&self, candidates: &[u16], draw: u64) -> u16 {
        let weight = |position: &u16| self.0.get(usize::from(*position)).copied().unwrap_or(0.0);
        let sum: f64 = candidates.iter().map(weight).sum();
        // 53 bits are what a DOUBLE holds exactly: a number from 0 to less than the sum.
        let mut left = (draw >> 11) as f64 / (1u64 << 53) as f64 * sum;
        for position in candidates {
            left -= weight(position);
            if left < 0.0 {
                return *position;
            }
        }
        // None of them has a weight, or rounding has used them up.
        candidates[(draw % candidates.len() as u64) as usize]
    }
}

/// Each replica needs its weight, and no other unit has one.
pub(super) fn build(group: &GroupConfig) -> Built {
    let none = std::collections::BTreeMap::new();
    let properties = group.load_balancer.as_ref().map_or(&none, |config| &config.properties);
    if let Some(other) = properties.keys().find(|name| !group.read_units.contains(name)) {
        return Err(malformed(&format!("'{other}' is not read by '{}'", group.name)));
    }
    let weight = |unit: &String| {
        let text = properties.get(unit).ok_or_else(|| {
            let text = format!("Load balancer WEIGHT needs a property '{unit}' with its weight");
            StatementError::new(10401, "44000", text)
        })?;
        let weight = text.trim().parse::<f64>().ok();
        weight.filter(|weight| weight.is_finite() && *weight >= 0.0).ok_or_else(|| {
            malformed(&format!("the weight of '{unit}' must be a number from 0 on, not '{text}'"))
        })
    };
    let weights = group.read_units.iter().map(weight).collect::<Result<Vec<f64>, _>>()?;
    if weights.iter().all(|weight| *weight == 0.0) {
        return Err(malformed("no storage unit has a weight above 0"));
    }
    Ok(Some(Arc::new(Weight(weights))))
}

fn malformed(why: &str) -> StatementError {
    StatementError::new(10404, "44000", format!("Load balancer WEIGHT: {why}"))
}
