//! What the proxy counts about itself. All names are in this one file.
//!
//! Counters are plain relaxed atomics of one process-wide instance; a statement touches at most two
//! of them.
//!
//! **Invariant:** knows nothing of SQL.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// A number that only rises.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds one.
    pub fn increment(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// Adds `n`.
    pub fn add(&self, n: u64) {
        self.0.fetch_add(n, Relaxed);
    }

    /// The number now.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A number that rises and falls.
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    /// Adds one; the guard takes it away again when it is dropped.
    pub fn hold(&'static self) -> Held {
        self.0.fetch_add(1, Relaxed);
        Held(self)
    }

    /// Adds `n`, which may be negative.
    pub fn add(&self, n: i64) {
        self.0.fetch_add(n, Relaxed);
    }

    /// The number now.
    pub fn get(&self) -> i64 {
        self.0.load(Relaxed)
    }
}

/// One unit of a [`Gauge`], given back when dropped.
#[derive(Debug)]
pub struct Held(&'static Gauge);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Relaxed);
    }
}

macro_rules! metrics {
    ($($(#[doc = $doc:literal])+ $field:ident: $kind:ident = $name:literal,)+) => {
        /// Every metric of the process.
        #[derive(Debug)]
        pub struct Metrics { $($(#[doc = $doc])+ pub $field: $kind,)+ }

        /// The process-wide instance.
        pub static METRICS: Metrics = Metrics { $($field: metrics!(@new $kind),)+ };

        impl Metrics {
            /// Name and value of each, in the order of this file.
            pub fn all(&self) -> Vec<(&'static str, i64)> {
                vec![$(($name, metrics!(@get $kind self.$field)),)+]
            }
        }
    };
    (@new Counter) => { Counter(AtomicU64::new(0)) };
    (@new Gauge) => { Gauge(AtomicI64::new(0)) };
    (@get Counter $e:expr) => { $e.get() as i64 };
    (@get Gauge $e:expr) => { $e.get() };
}

metrics! {
    /// Client connections that are open.
    client_connections: Gauge = "anabranch_client_connections",
    /// Client connections accepted since start.
    client_connections_total: Counter = "anabranch_client_connections_total",
    /// Logins refused.
    logins_refused_total: Counter = "anabranch_logins_refused_total",
    /// Statements received, text and prepared.
    statements_total: Counter = "anabranch_statements_total",
    /// Statements that ended in an error made by the proxy itself.
    statement_errors_total: Counter = "anabranch_statement_errors_total",
    /// Plans found in the cache.
    plan_cache_hits_total: Counter = "anabranch_plan_cache_hits_total",
    /// Plans that had to be made.
    plan_cache_misses_total: Counter = "anabranch_plan_cache_misses_total",
    /// Bytes held by plan caches of all workers.
    plan_cache_bytes: Gauge = "anabranch_plan_cache_bytes",
    /// Statements answered from copies of their tables on one storage unit.
    gathers_total: Counter = "anabranch_gathers_total",
    /// Rows copied for them.
    gathered_rows_total: Counter = "anabranch_gathered_rows_total",
    /// Bytes of those rows as they were read.
    gathered_bytes_total: Counter = "anabranch_gathered_bytes_total",
    /// Connections to storage units that are open.
    backend_connections: Gauge = "anabranch_backend_connections",
    /// Connections to storage units opened since start.
    backend_connections_total: Counter = "anabranch_backend_connections_total",
    /// Statements that had to wait for a connection.
    pool_waits_total: Counter = "anabranch_pool_waits_total",
    /// Statements that waited in vain.
    pool_timeouts_total: Counter = "anabranch_pool_timeouts_total",
    /// Connections that moved from one worker to another.
    pool_moves_total: Counter = "anabranch_pool_moves_total",
    /// Looks at servers of groups with replicas.
    replication_looks_total: Counter = "anabranch_replication_looks_total",
    /// Times that a group got another primary, or lost it.
    primary_changes_total: Counter = "anabranch_primary_changes_total",
    /// Times that a replica became readable or ceased to be.
    replica_changes_total: Counter = "anabranch_replica_changes_total",
    /// Sessions that keep their own connection for a state that cannot be replayed.
    pinned_sessions: Gauge = "anabranch_pinned_sessions",
    /// Statements prepared by clients that are open.
    client_prepared_statements: Gauge = "anabranch_client_prepared_statements",
    /// Statements prepared on storage units that are open.
    backend_prepared_statements: Gauge = "anabranch_backend_prepared_statements",
    /// Version of the snapshot in use.
    catalog_version: Gauge = "anabranch_catalog_version",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_unit_is_given_back() {
        static GAUGE: Gauge = Gauge(AtomicI64::new(0));
        let held = GAUGE.hold();
        assert_eq!(GAUGE.get(), 1);
        drop(held);
        assert_eq!(GAUGE.get(), 0);
    }

    #[test]
    fn names_are_unique_and_ours() {
        let names: Vec<_> = METRICS.all().into_iter().map(|(name, _)| name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
        assert!(names.iter().all(|name| name.starts_with("anabranch_")));
    }
}
