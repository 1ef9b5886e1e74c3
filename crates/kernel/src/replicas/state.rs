//! What is known of a replica: set by whoever watches it, read at every statement without a lock.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

/// How a replica stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Standing {
    /// Fit to be read.
    InRotation = 0,
    /// It answers, and is too far behind its primary.
    Lagging = 1,
    /// It cannot be reached, or does not replicate.
    Broken = 2,
}

/// Whether a replica has taken the place of the primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It follows the primary.
    Follower,
    /// It was promoted: the group is written to here.
    Primary,
    /// Nobody knows who the primary of its group is.
    Disputed(Doubt),
}

/// Why no unit of a group may be written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Several units take writes and replicate from nobody.
    SeveralWritable,
    /// The only unit that takes writes lacks transactions that the old primary had.
    Behind,
    /// The only unit that takes writes has nothing that shows it was promoted: the old primary
    /// cannot be reached, and what it had was never seen.
    Unproven,
}

/// What is known of a replica. By default that is nothing, and it is not read.
#[derive(Debug)]
pub struct ReplicaState {
    standing: AtomicU8,
    role: AtomicU8,
    lag_ms: AtomicU64,
    fresh_as_of: AtomicU64,
}

impl Default for ReplicaState {
    fn default() -> Self {
        Self {
            standing: AtomicU8::new(Standing::Broken as u8),
            role: AtomicU8::new(0),
            lag_ms: AtomicU64::new(0),
            fresh_as_of: AtomicU64::new(0),
        }
    }
}

impl ReplicaState {
    /// How the replica stands now.
    pub fn standing(&self) -> Standing {
        match self.standing.load(Relaxed) {
            0 => Standing::InRotation,
            1 => Standing::Lagging,
            _ => Standing::Broken,
        }
    }

    /// Sets how it stands; the standing before.
    pub fn set(&self, standing: Standing) -> Standing {
        let before = self.standing();
        self.standing.store(standing as u8, Relaxed);
        before
    }

    /// Whether it has taken the place of the primary.
    pub fn role(&self) -> Role {
        match self.role.load(Acquire) {
            0 => Role::Follower,
            1 => Role::Primary,
            2 => Role::Disputed(Doubt::SeveralWritable),
            3 => Role::Disputed(Doubt::Behind),
            _ => Role::Disputed(Doubt::Unproven),
        }
    }

    /// Sets that.
    pub fn set_role(&self, role: Role) {
        let number = match role {
            Role::Follower => 0,
            Role::Primary => 1,
            Role::Disputed(Doubt::SeveralWritable) => 2,
            Role::Disputed(Doubt::Behind) => 3,
            Role::Disputed(Doubt::Unproven) => 4,
        };
        self.role.store(number, Release);
    }

    /// How far it was behind when it was last looked at, milliseconds; 0 where that is not known.
    pub fn lag_ms(&self) -> u64 {
        self.lag_ms.load(Relaxed)
    }

    /// Sets where it stands in the history of its primary: how far behind, milliseconds, and a moment
    /// such that it has everything acknowledged before (0 for none). What the moment counts from is
    /// the watcher's business.
    pub fn set_progress(&self, lag_ms: u64, fresh_as_of: u64) {
        self.lag_ms.store(lag_ms, Relaxed);
        self.fresh_as_of.store(fresh_as_of, Release);
    }

    /// True when it is sure to have what was acknowledged at this moment. A moment of 0 is "nothing
    /// was written", which every replica has.
    pub fn has_write(&self, moment: u64) -> bool {
        moment == 0 || self.fresh_as_of.load(Acquire) > moment
    }
}

impl Doubt {
    /// For people: what is wrong and what to do.
    pub fn text(self) -> &'static str {
        match self {
            Self::SeveralWritable => {
                "several of its storage units take writes and replicate from none; set read_only on \
                 all but the primary, or replication.health to connection where they do not replicate"
            }
            Self::Behind => {
                "the only storage unit that takes writes lacks transactions that the old primary \
                 had; bring the old primary back, or make the new one the write storage unit by \
                 ALTER READWRITE_SPLITTING RULE to accept their loss"
            }
            Self::Unproven => {
                "the primary cannot be reached, and nothing shows that the only storage unit that \
                 takes writes was promoted; make it the write storage unit by ALTER \
                 READWRITE_SPLITTING RULE if it was"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_read() {
        let state = ReplicaState::default();
        assert_eq!((state.standing(), state.role()), (Standing::Broken, Role::Follower));
        for standing in [Standing::Lagging, Standing::Broken, Standing::InRotation] {
            state.set(standing);
            assert_eq!(state.standing(), standing);
        }
        let doubts = [Doubt::SeveralWritable, Doubt::Behind, Doubt::Unproven];
        let roles = doubts.map(Role::Disputed).into_iter().chain([Role::Primary, Role::Follower]);
        for role in roles {
            state.set_role(role);
            assert_eq!(state.role(), role);
        }
    }

    #[test]
    fn a_write_is_there_only_when_that_is_proven() {
        let state = ReplicaState::default();
        assert!(state.has_write(0) && !state.has_write(1));
        state.set_progress(5, 10);
        assert_eq!(state.lag_ms(), 5);
        assert!(state.has_write(9) && !state.has_write(10));
    }
}
