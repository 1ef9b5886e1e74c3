//! One worker: a thread with its own runtime, plans, pools and buffers. Nothing on a statement's way
//! is shared with another worker.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::rc::{Rc, Weak};
use std::sync::{self, Arc};

use admin::NodeInfo;
use arc_swap::{ArcSwap, Cache};
use governance::Governance;
use governance::yaml::ServerOptions;
use kernel::snapshot::Snapshot;
use sql::SqlMode;
use sql::fingerprint::Fingerprint;
use storage::pool::{PoolSet, SharedLimits};
use storage::replication::watcher::Watcher;
use storage::statements::Definitions;
use tokio::sync::Semaphore;

use crate::keys::Snowflakes;
use crate::login::LoginSecrets;
use crate::plan_cache::PlanCache;
use crate::prepared::PreparedPlan;
use crate::registry::Registry;

/// Bytes a worker reads at a time. Shared by all its sessions, so it may be generous.
const SCRATCH_BYTES: usize = 64 * 1024;

/// What all workers share.
pub(crate) struct Shared {
    /// Where the snapshot comes from.
    pub(crate) governance: Arc<Governance>,
    /// Limits, TLS, the announced version.
    pub(crate) options: ServerOptions,
    /// Every session.
    pub(crate) registry: Arc<Registry>,
    /// Limits of the pools.
    pub(crate) limits: Arc<SharedLimits>,
    /// Looks at servers that replicate.
    pub(crate) watcher: Arc<Watcher>,
    /// This node, for SHOW COMPUTE NODES.
    pub(crate) node: NodeInfo,
    /// How many more statements may copy rows now.
    pub(crate) gathers: Arc<Semaphore>,
    /// TLS and the RSA key of logins.
    pub(crate) secrets: LoginSecrets,
    /// The state behind generated keys.
    pub(crate) snowflakes: Snowflakes,
}

/// Text, database and mode of a prepared statement.
pub(crate) type PreparedKey = (Vec<u8>, Option<Arc<str>>, SqlMode);

/// Where a worker looks for the snapshot in force.
struct SnapshotPointer(Arc<Governance>);

impl std::ops::Deref for SnapshotPointer {
    type Target = ArcSwap<Snapshot>;

    fn deref(&self) -> &Self::Target {
        self.0.pointer()
    }
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
    /// Heads of answers are rewritten here. Never borrowed across an await.
    pub(crate) rewritten: RefCell<Vec<u8>>,
    /// The fingerprint of the statement at hand. Never borrowed across an await.
    pub(crate) fingerprint: RefCell<Fingerprint>,
    /// Plans of texts that clients have prepared, for as long as one of them has.
    pub(crate) prepared: RefCell<HashMap<PreparedKey, Weak<PreparedPlan>>>,
    /// What servers have said of prepared statements, each once: whether a client knows what a
    /// connection's server has said is then a comparison of pointers.
    definitions: RefCell<HashMap<u64, sync::Weak<Definitions>>>,
    snapshot: RefCell<Cache<SnapshotPointer, Arc<Snapshot>>>,
    seen_version: Cell<u64>,
}

impl Shared {
    /// The version the greeting announces: the configured one, else the first unit's, else ours.
    pub(crate) fn announced_version(&self) -> String {
        if let Some(configured) = &self.options.server_version {
            return configured.clone();
        }
        let snapshot = self.governance.current();
        let mut units = snapshot.databases.values().flat_map(|database| &database.units);
        let known = units.find_map(|unit| self.limits.server_version(unit.id));
        known.unwrap_or_else(|| DEFAULT_VERSION.to_owned())
    }

    /// True when clients are told that they talk to MariaDB.
    pub(crate) fn announces_mariadb(&self) -> bool {
        self.announced_version().contains("MariaDB")
    }
}

/// Announced while no storage unit is known.
const DEFAULT_VERSION: &str = "8.0.40-anabranch";

impl Worker {
    /// Worker number `index`.
    pub(crate) fn new(index: usize, shared: Arc<Shared>) -> Rc<Self> {
        let cache = Cache::new(SnapshotPointer(Arc::clone(&shared.governance)));
        let plan_bytes = shared.options.limits.plan_cache_bytes as usize;
        Rc::new(Self {
            pools: PoolSet::new(index, Arc::clone(&shared.limits)),
            plans: RefCell::new(PlanCache::new(plan_bytes)),
            scratch: RefCell::new(vec![0; SCRATCH_BYTES].into_boxed_slice()),
            rewritten: RefCell::new(Vec::new()),
            fingerprint: RefCell::new(Fingerprint::default()),
            prepared: RefCell::new(HashMap::new()),
            definitions: RefCell::new(HashMap::new()),
            snapshot: RefCell::new(cache),
            seen_version: Cell::new(0),
            shared,
        })
    }

    /// The one shared object equal to these definitions.
    pub(crate) fn intern(&self, definitions: Definitions) -> Arc<Definitions> {
        let hash = foldhash::fast::FixedState::default().hash_one(&definitions);
        let mut interned = self.definitions.borrow_mut();
        if let Some(found) = interned.get(&hash).and_then(sync::Weak::upgrade)
            && *found == definitions
        {
            return found;
        }
        if interned.len() > 256 && interned.len().is_power_of_two() {
            interned.retain(|_, definitions| definitions.strong_count() > 0);
        }
        let definitions = Arc::new(definitions);
        interned.insert(hash, Arc::downgrade(&definitions));
        definitions
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
