//! `replication:` of `anabranch.yaml`: how groups of a primary and its replicas are watched.

use serde::Deserialize;

/// How servers that replicate are looked at, and when a replica is read. Times in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ReplicationOptions {
    /// From one round of looks to the next.
    pub look_interval_milliseconds: u64,
    /// A server that has not answered by then counts as down.
    pub look_timeout_milliseconds: u64,
    /// A replica that is further behind is not read.
    pub max_lag_milliseconds: u64,
    /// A replica that was out of the rotation comes back after so many good looks in a row.
    pub good_looks: u32,
    /// What a good look is.
    pub health: ReplicaHealth,
    /// What a session reads after it has written.
    pub read_own_writes: ReadOwnWrites,
    /// How long `pinned` lasts.
    pub pin_milliseconds: u64,
}

/// What a session reads, outside a transaction, after it has written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadOwnWrites {
    /// The primary, until a replica is sure to have what it has written.
    #[default]
    Proven,
    /// The primary for a fixed time, and then any replica.
    Pinned,
    /// Any replica at once: the session may miss what it has written.
    Off,
}

/// What has to be seen of a replica before it is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplicaHealth {
    /// It replicates and is not too far behind.
    #[default]
    Replication,
    /// It can be reached: for servers that share their data in another way.
    Connection,
}

impl Default for ReplicationOptions {
    fn default() -> Self {
        Self {
            look_interval_milliseconds: 1_000,
            look_timeout_milliseconds: 2_000,
            max_lag_milliseconds: 10_000,
            good_looks: 2,
            health: ReplicaHealth::Replication,
            read_own_writes: ReadOwnWrites::Proven,
            pin_milliseconds: 1_000,
        }
    }
}

impl ReplicationOptions {
    /// Refuses what would never look, or always.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.look_interval_milliseconds < 10 || self.look_timeout_milliseconds < 10 {
            return Err("replication: lookIntervalMilliseconds and lookTimeoutMilliseconds are at \
                        least 10"
                .to_owned());
        }
        Ok(())
    }
}
