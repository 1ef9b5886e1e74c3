//! A group of servers with a watcher of its own over them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::model::{BackendTls, PoolConfig, Secret, StorageUnit, StorageUnitConfig, UnitId};
use storage::connect::ConnectOptions;
use storage::pool::SharedLimits;
use storage::replication::state::GroupState;
use storage::replication::watcher::{WatchIntervals, Watcher};
use storage::replication::{Group, ReplicaLimits};
use testkit::ReplicatedServers;

/// Upper bound for what should take milliseconds on a machine that does much else.
const SOON: Duration = Duration::from_secs(60);

/// The database of the tests.
pub(crate) const DATABASE: &str = "replicated";

/// Servers, and a watcher that looks at them.
pub(crate) struct Watched {
    pub(crate) servers: ReplicatedServers,
    pub(crate) pools: Arc<SharedLimits>,
    pub(crate) watcher: Arc<Watcher>,
    pub(crate) state: Arc<GroupState>,
    task: tokio::task::JoinHandle<()>,
}

/// The unit of a server; server 0 is the configured primary.
pub(crate) fn unit_of(number: usize) -> UnitId {
    UnitId(number as u32)
}

/// These servers as storage units.
pub(crate) fn units(servers: &ReplicatedServers) -> Vec<StorageUnit> {
    let unit = |(number, server): (usize, &testkit::DatabaseServer)| StorageUnit {
        id: unit_of(number),
        name: format!("ds_{number}").into(),
        config: Arc::new(StorageUnitConfig {
            host: "127.0.0.1".to_owned(),
            port: server.port(),
            database: DATABASE.to_owned(),
            user: ReplicatedServers::APPLICATION.to_owned(),
            password: Secret(ReplicatedServers::APPLICATION.to_owned()),
            tls: BackendTls::Disabled,
            pool: PoolConfig::default(),
            other_properties: Default::default(),
        }),
    };
    servers.servers.iter().enumerate().map(unit).collect()
}

/// Every family of servers there is on this machine.
pub(crate) async fn families() -> Vec<ReplicatedServers> {
    let mut families = vec![ReplicatedServers::start_mariadb(DATABASE).await];
    match ReplicatedServers::start_mysql(DATABASE).await {
        Some(mysql) => families.push(mysql),
        None => eprintln!("no MySQL: passed over"),
    }
    families
}

/// The servers as one group.
pub(crate) fn group_of(servers: &ReplicatedServers, limits: ReplicaLimits) -> Group {
    let mut units = units(servers);
    let configured_primary = units.remove(0);
    let replicas = units.into_iter().map(|unit| (unit, Arc::default())).collect();
    Group { name: "g".into(), configured_primary, replicas, limits }
}

impl Watched {
    /// Watches these servers, often, so that tests are quick.
    pub(crate) fn new(servers: ReplicatedServers, limits: ReplicaLimits) -> Self {
        let options = Arc::new(ConnectOptions::default());
        let pools = SharedLimits::new(1, ConnectOptions::default());
        let intervals =
            WatchIntervals { pause: Duration::from_millis(20), limit: Duration::from_secs(10) };
        let watcher = Arc::new(Watcher::new(options, Arc::clone(&pools), intervals));
        watcher.replace_groups(vec![group_of(&servers, limits)]);
        let state = watcher.find_state(unit_of(0)).unwrap();
        let looking = Arc::clone(&watcher);
        let task = tokio::spawn(async move { looking.watch().await });
        Self { servers, pools, watcher, state, task }
    }

    /// Waits until the state is right.
    pub(crate) async fn wait_until(&self, what: &str, is_right: impl Fn(&GroupState) -> bool) {
        let end = Instant::now() + SOON;
        while !is_right(&self.state) {
            assert!(Instant::now() < end, "not {what}: {:?}", self.state);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until exactly these servers are replicas that may be read.
    pub(crate) async fn wait_for_readable(&self, numbers: &[usize]) {
        let what = format!("readable: {numbers:?}");
        let is_right = |state: &GroupState| {
            state.members().iter().all(|member| {
                member.is_readable() == numbers.iter().any(|n| unit_of(*n) == member.unit)
            })
        };
        self.wait_until(&what, is_right).await;
    }

    /// Waits until this server is the primary.
    pub(crate) async fn wait_for_primary(&self, number: Option<usize>) {
        let what = format!("primary: {number:?}");
        self.wait_until(&what, |state| state.find_primary() == number.map(unit_of)).await;
    }

    /// Why a server is not read.
    pub(crate) fn reason(&self, number: usize) -> String {
        self.state.members()[number].reason()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.task.abort();
    }
}
