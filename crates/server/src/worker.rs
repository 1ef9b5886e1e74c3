//! One worker: a thread with its own runtime, plans, pools and buffers. Nothing on a statement's way
//! is shared with another worker.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use arc_swap::Cache;
use governance::{Governance, ServerOptions};
use kernel::feature::FeatureEntry;
use kernel::snapshot::Snapshot;
use sql::fingerprint::Fingerprint;
use storage::pool::{PoolSet, SharedLimits};

use crate::login::LoginSecrets;
use crate::plan_cache::PlanCache;
use crate::registry::Registry;

/// Bytes a worker reads at a time. Shared by all its sessions, so it may be generous.
const SCRATCH_BYTES: usize = 64 * 1024;

/// What all workers share.
pub(crate) struct Shared {
    /// Where the snapshot comes from.
    pub(crate) governance: Arc<Governance>,
    /// Every feature of this build.
    pub(crate) features: &'static [FeatureEntry],
    /// Limits, TLS, the announced version.
    pub(crate) options: ServerOptions,
    /// Every session.
    pub(crate) registry: Arc<Registry>,
    /// Limits of the pools.
    pub(crate) limits: Arc<SharedLimits>,
    /// TLS and the RSA key of logins.
    pub(crate) secrets: LoginSecrets,
}

/// What one worker has for itself.
pub(crate) struct Worker {
    /// What all workers share.
    pub(crate) shared: Arc<Shared>,
    /// Its connections to storage units.
    pub(crate) pools: PoolSet,
    /// Its plans.
    pub(crate) plans: RefCell<PlanCache>,
    /// Reads go here. Never borrowed across an await.
    pub(crate) scratch: RefCell<Box<[u8]>>,
    /// The fingerprint of the statement at hand. Never borrowed across an await.
    pub(crate) fingerprint: RefCell<Fingerprint>,
    snapshot: RefCell<Cache<Arc<arc_swap::ArcSwap<Snapshot>>, Arc<Snapshot>>>,
    seen_version: Cell<u64>,
}

impl Worker {
    /// Worker number `index`.
    pub(crate) fn new(index: usize, shared: Arc<Shared>) -> Rc<Self> {
        let cache = Cache::new(shared.governance.snapshots());
        let plan_bytes = shared.options.limits.plan_cache_bytes / shared.options.workers.max(1);
        Rc::new(Self {
            pools: PoolSet::new(index, Arc::clone(&shared.limits)),
            plans: RefCell::new(PlanCache::new(plan_bytes)),
            scratch: RefCell::new(vec![0; SCRATCH_BYTES].into_boxed_slice()),
            fingerprint: RefCell::new(Fingerprint::default()),
            snapshot: RefCell::new(cache),
            seen_version: Cell::new(0),
            shared,
        })
    }

    /// The snapshot in force. A statement takes it once.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        let snapshot = Arc::clone(self.snapshot.borrow_mut().load());
        if self.seen_version.replace(snapshot.version) != snapshot.version {
            self.pools.forget_all_but(&|unit| {
                snapshot.databases.values().any(|database| database.find_unit(unit).is_some())
            });
        }
        snapshot
    }
}
