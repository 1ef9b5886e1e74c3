//! Which member of a group is the primary: pure, from one round of looks.
//!
//! The primary only ever changes to a server that somebody has promoted (it takes writes and
//! replicates from nobody), that is the only such one, and that is known to have what the old
//! primary had. Everything less leaves the old primary in its place or leaves the group without one:
//! an error can be repaired, a write to the wrong server cannot.

use kernel::model::UnitId;
use kernel::replicas::Doubt;

use crate::replication::gtid::GtidPosition;
use crate::replication::observation::Observation;

/// A member as it was seen in this round; `None` when it could not be reached.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The unit.
    pub unit: UnitId,
    /// Where other members know it: host and port.
    pub address: (&'a str, u16),
    /// What was seen.
    pub observation: Option<&'a Observation>,
}

/// Who takes the writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primary {
    /// This unit.
    Unit(UnitId),
    /// Nobody, and why.
    Nobody(Doubt),
}

/// What is known of the primary from earlier rounds.
#[derive(Debug, Clone)]
pub struct Memory {
    /// The primary so far.
    pub primary: UnitId,
    /// The last position at which it was seen.
    pub position: Option<GtidPosition>,
}

impl Memory {
    /// At the start: the configured primary, of which nothing was seen yet.
    pub fn new(configured: UnitId) -> Self {
        Self { primary: configured, position: None }
    }

    /// Decides on one round and remembers what later rounds need.
    pub fn judge(&mut self, round: &[Seen<'_>]) -> Primary {
        let decision = decide(self, round);
        if let Primary::Unit(unit) = decision {
            let seen = round.iter().find(|seen| seen.unit == unit);
            let position = seen.and_then(|seen| seen.observation?.position.clone());
            if unit != self.primary || position.is_some() {
                self.position = position;
            }
            self.primary = unit;
        } else if let Some(position) = old_position(self, round) {
            // An old primary that still takes writes goes on: what it has counts in later rounds.
            self.position = Some(position.clone());
        }
        decision
    }
}

fn old_position<'a>(memory: &Memory, round: &[Seen<'a>]) -> Option<&'a GtidPosition> {
    round.iter().find(|seen| seen.unit == memory.primary)?.observation?.position.as_ref()
}

fn decide(memory: &Memory, round: &[Seen<'_>]) -> Primary {
    let mut writable =
        round.iter().filter(|seen| seen.observation.is_some_and(Observation::looks_like_primary));
    let candidate = match (writable.next(), writable.next()) {
        // Nobody to go to: the old primary answers for itself, be it with "read only".
        (None, _) => return Primary::Unit(memory.primary),
        (Some(_), Some(_)) => return Primary::Nobody(Doubt::SeveralWritable),
        (Some(only), None) => only,
    };
    if candidate.unit == memory.primary {
        return Primary::Unit(candidate.unit);
    }
    let known = old_position(memory, round).or(memory.position.as_ref());
    let own = candidate.observation.and_then(|seen| seen.position.as_ref());
    match (own, known) {
        (Some(own), Some(known)) if own.contains(known) => Primary::Unit(candidate.unit),
        (Some(_), Some(_)) => Primary::Nobody(Doubt::Behind),
        _ if is_followed(candidate, round) => Primary::Unit(candidate.unit),
        _ => Primary::Nobody(Doubt::Unproven),
    }
}

/// True when another member replicates from this one, which nobody sets up by accident.
fn is_followed(candidate: &Seen<'_>, round: &[Seen<'_>]) -> bool {
    let (host, port) = candidate.address;
    let follows = |seen: &Seen<'_>| {
        let channels = seen.observation.map(|o| o.channels.as_slice()).unwrap_or_default();
        channels.iter().any(|channel| {
            channel.source_port == port && channel.source_host.eq_ignore_ascii_case(host)
        })
    };
    round.iter().any(|seen| seen.unit != candidate.unit && follows(seen))
}

#[cfg(test)]
mod tests;
