//! One worker's idle connections.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kernel::model::{StorageUnit, UnitId};
use telemetry::METRICS;
use tokio::sync::Notify;

use super::limit::{Grant, PoolLimit, Slot};
use super::names;
use crate::class::Class;
use crate::connect::{ConnectOptions, connect};
use crate::connection::Connection;
use crate::error::StorageError;
use crate::settings::Settings;

/// What the workers share: the limit of each unit, and how to wake a worker.
#[derive(Debug)]
pub struct SharedLimits {
    options: Arc<ConnectOptions>,
    by_unit: Mutex<HashMap<UnitId, Arc<PoolLimit>>>,
    wake: Vec<Notify>,
}

/// How a unit's pool stands, over all workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolStatus {
    /// The unit.
    pub unit: UnitId,
    /// Open connections.
    pub open: u32,
}

impl SharedLimits {
    /// For this many workers.
    pub fn new(workers: usize, options: ConnectOptions) -> Arc<Self> {
        Arc::new(Self {
            options: Arc::new(options),
            by_unit: Mutex::new(HashMap::new()),
            wake: (0..workers.max(1)).map(|_| Notify::new()).collect(),
        })
    }

    fn limit_of(&self, unit: &StorageUnit) -> Arc<PoolLimit> {
        let mut by_unit = self.by_unit.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(
            by_unit.entry(unit.id).or_insert_with(|| {
                Arc::new(PoolLimit::new(unit.clone(), Arc::clone(&self.options)))
            }),
        )
    }

    /// Lets every worker look after its idle connections; about once a second.
    pub fn tick(&self) {
        for wake in &self.wake {
            wake.notify_one();
        }
    }

    /// Connections of the unit that are open now serve no further statement: they lead to a server
    /// that is not the right one any more. Those at work are closed when they are given back.
    pub fn retire_connections(&self, unit: UnitId) {
        let by_unit = self.by_unit.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(limit) = by_unit.get(&unit) {
            limit.retire_connections();
        }
        drop(by_unit);
        self.tick();
    }

    /// Asks where the host names of all units lead now; connections of a unit whose name leads
    /// elsewhere are retired. To be done every few seconds: it costs nothing where hosts are
    /// addresses.
    pub async fn follow_names(&self) {
        let limits: Vec<_> = {
            let by_unit = self.by_unit.lock().unwrap_or_else(PoisonError::into_inner);
            by_unit.values().map(Arc::clone).collect()
        };
        let of_names = limits.iter().filter(|limit| names::is_name(&limit.unit.config.host));
        for limit in of_names {
            let host = &limit.unit.config.host;
            if limit.addresses.note(names::addresses(host).await) {
                tracing::info!(unit = &*limit.unit.name, host, "the name leads to another server");
                limit.retire_connections();
            }
        }
    }

    /// What the unit's server calls itself, once a connection to it was opened.
    pub fn server_version(&self, unit: UnitId) -> Option<String> {
        let by_unit = self.by_unit.lock().unwrap_or_else(PoisonError::into_inner);
        by_unit.get(&unit)?.server_version()
    }

    /// Open connections of each unit that was ever used and still is known.
    pub fn status(&self) -> Vec<PoolStatus> {
        let by_unit = self.by_unit.lock().unwrap_or_else(PoisonError::into_inner);
        by_unit.iter().map(|(unit, l)| PoolStatus { unit: *unit, open: l.open() }).collect()
    }
}

/// The pools of one worker.
#[derive(Debug, Clone)]
pub struct PoolSet(Rc<Pools>);

#[derive(Debug)]
struct Pools {
    worker: usize,
    shared: Arc<SharedLimits>,
    by_unit: RefCell<Vec<Option<UnitPool>>>,
    /// As of the last tick: good enough for time-outs of seconds.
    now: Cell<Instant>,
}

#[derive(Debug)]
struct UnitPool {
    limit: Arc<PoolLimit>,
    /// Used from the back, so that the surplus grows old at the front.
    #[allow(clippy::vec_box, reason = "a connection is large and goes from hand to hand")]
    idle: Vec<Box<Connection>>,
}

impl PoolSet {
    /// For worker number `worker`.
    pub fn new(worker: usize, shared: Arc<SharedLimits>) -> Self {
        Self(Rc::new(Pools {
            worker,
            shared,
            by_unit: RefCell::new(Vec::new()),
            now: Cell::new(Instant::now()),
        }))
    }

    fn with_pool<T>(&self, unit: &StorageUnit, f: impl FnOnce(&mut UnitPool) -> T) -> T {
        let mut by_unit = self.0.by_unit.borrow_mut();
        let index = unit.id.0 as usize;
        if by_unit.len() <= index {
            by_unit.resize_with(index + 1, || None);
        }
        let pool = by_unit[index].get_or_insert_with(|| UnitPool {
            limit: self.0.shared.limit_of(unit),
            idle: Vec::new(),
        });
        f(pool)
    }

    /// A connection that is idle on this worker, without waiting; one that needs no change if there
    /// is one.
    pub fn take_idle(
        &self,
        unit: &StorageUnit,
        class: Class,
        settings: &Arc<Settings>,
    ) -> Option<Box<Connection>> {
        self.with_pool(unit, |pool| pool.take(class, settings))
    }

    /// A connection of `class`: an idle one, a new one, or the next one that becomes free. Its
    /// settings may still differ.
    ///
    /// # Errors
    /// The unit cannot be reached, or no connection became free within the unit's time-out.
    pub async fn acquire(
        &self,
        unit: &StorageUnit,
        class: Class,
        settings: &Arc<Settings>,
    ) -> Result<Box<Connection>, StorageError> {
        if let Some(connection) = self.take_idle(unit, class, settings) {
            return Ok(connection);
        }
        Box::pin(self.acquire_slowly(unit, class)).await
    }

    /// A further connection if one can be had without waiting for another statement.
    ///
    /// # Errors
    /// The unit cannot be reached.
    pub async fn acquire_if_free(
        &self,
        unit: &StorageUnit,
        class: Class,
        settings: &Arc<Settings>,
    ) -> Result<Option<Box<Connection>>, StorageError> {
        if let Some(connection) = self.take_idle(unit, class, settings) {
            return Ok(Some(connection));
        }
        match self.free_slot(unit, class) {
            Some(slot) => Box::pin(connect(slot, class)).await.map(|c| Some(Box::new(c))),
            None => Ok(None),
        }
    }

    /// The right to open a connection, for which an idle one of another class may give way.
    fn free_slot(&self, unit: &StorageUnit, class: Class) -> Option<Slot> {
        self.with_pool(unit, |pool| {
            if pool.limit.has_waiters() {
                return None;
            }
            PoolLimit::try_slot(&pool.limit).or_else(|| {
                let other = pool.idle.iter().position(|c| c.class != class)?;
                drop(pool.idle.remove(other));
                PoolLimit::try_slot(&pool.limit)
            })
        })
    }

    async fn acquire_slowly(
        &self,
        unit: &StorageUnit,
        class: Class,
    ) -> Result<Box<Connection>, StorageError> {
        if let Some(slot) = self.free_slot(unit, class) {
            return connect(slot, class).await.map(Box::new);
        }
        METRICS.pool_waits_total.increment();
        let limit = self.with_pool(unit, |pool| Arc::clone(&pool.limit));
        let deadline =
            Instant::now() + Duration::from_millis(unit.config.pool.connection_timeout_ms);
        loop {
            let receiver = limit.wait(self.0.worker);
            // A place that became free before we stood in the queue was offered to nobody.
            limit.serve_waiters();
            self.wake_others();
            let left = deadline.saturating_duration_since(Instant::now());
            match tokio::time::timeout(left, receiver).await {
                Ok(Ok(Grant::Permit(slot))) => return connect(slot, class).await.map(Box::new),
                Ok(Ok(Grant::Connection(connection))) => return take_over(connection, class).await,
                Ok(Ok(Grant::Parcel(parcel))) => {
                    if let Ok(connection) = parcel.unpack() {
                        return take_over(Box::new(connection), class).await;
                    }
                }
                Ok(Err(_)) => {}
                Err(_) => {
                    METRICS.pool_timeouts_total.increment();
                    return Err(StorageError::PoolExhausted {
                        unit: unit.name.to_string(),
                        max: unit.config.pool.max_size,
                    });
                }
            }
        }
    }

    fn wake_others(&self) {
        for (worker, wake) in self.0.shared.wake.iter().enumerate() {
            if worker != self.0.worker {
                wake.notify_one();
            }
        }
    }

    /// Gives a connection back. One with an answer outstanding is closed instead.
    pub fn release(&self, mut connection: Box<Connection>) {
        if connection.is_busy || !connection.slot.is_current() {
            return;
        }
        let limit = Arc::clone(connection.slot.limit());
        if limit.has_waiters() {
            match limit.hand_over(self.0.worker, connection) {
                Some(back) => connection = back,
                None => return,
            }
        }
        connection.idle_since = self.0.now.get();
        self.with_pool(&limit.unit, |pool| pool.idle.push(connection));
    }

    /// Closes what is too old or too long idle, and gives idle connections to other workers that
    /// wait. Runs as long as the worker does, at each [`SharedLimits::tick`] and when a worker waits:
    /// a timer of its own would cost every wait of the worker's event loop.
    pub async fn keep(&self) {
        loop {
            self.0.shared.wake[self.0.worker].notified().await;
            let now = Instant::now();
            self.0.now.set(now);
            self.retire(now);
            self.give_up_idle();
        }
    }

    fn retire(&self, now: Instant) {
        for pool in self.0.by_unit.borrow_mut().iter_mut().flatten() {
            pool.retire(now);
        }
    }

    /// Drops every idle connection of units that are not in `units` any more.
    pub fn forget_all_but(&self, units: &dyn Fn(UnitId) -> bool) {
        for pool in self.0.by_unit.borrow_mut().iter_mut() {
            if pool.as_ref().is_some_and(|pool| !units(pool.limit.unit.id)) {
                *pool = None;
            }
        }
        let mut by_unit = self.0.shared.by_unit.lock().unwrap_or_else(PoisonError::into_inner);
        by_unit.retain(|unit, limit| units(*unit) || limit.open() > 0);
    }

    fn give_up_idle(&self) {
        for pool in self.0.by_unit.borrow_mut().iter_mut().flatten() {
            while pool.limit.has_waiters() {
                let Some(connection) = pool.idle.pop() else { break };
                if let Some(back) = pool.limit.hand_over(self.0.worker, connection) {
                    pool.idle.push(back);
                    break;
                }
            }
        }
    }
}

/// Uses a connection that was handed over; one of another class or a dead one is replaced.
async fn take_over(
    mut connection: Box<Connection>,
    class: Class,
) -> Result<Box<Connection>, StorageError> {
    if connection.class == class
        && connection.slot.is_current()
        && connection.stream.is_quiet()
    {
        return Ok(connection);
    }
    let Connection { mut slot, stream, .. } = *connection;
    drop(stream);
    slot.renew();
    connect(slot, class).await.map(Box::new)
}

impl UnitPool {
    /// The best idle connection of the class that is still alive.
    fn take(&mut self, class: Class, settings: &Arc<Settings>) -> Option<Box<Connection>> {
        loop {
            let exact = |c: &Connection| c.class == class && Arc::ptr_eq(&c.settings, settings);
            let index = self
                .idle
                .iter()
                .rposition(|c| exact(c))
                .or_else(|| self.idle.iter().rposition(|c| c.class == class))?;
            let mut connection = self.idle.remove(index);
            if connection.slot.is_current() && connection.stream.is_quiet() {
                return Some(connection);
            }
        }
    }

    fn retire(&mut self, now: Instant) {
        let config = &self.limit.unit.config.pool;
        let lifetime = Duration::from_millis(config.max_lifetime_ms);
        let idle_timeout = Duration::from_millis(config.idle_timeout_ms);
        self.idle.retain_mut(|c| {
            let is_expired = !lifetime.is_zero() && now.duration_since(c.opened) > lifetime;
            !is_expired && c.slot.is_current() && c.stream.is_quiet()
        });
        let surplus = self.limit.open().saturating_sub(config.min_size) as usize;
        let old = |c: &Connection| now.duration_since(c.idle_since) > idle_timeout;
        let retired = self.idle.iter().take(surplus).take_while(|c| old(c)).count();
        if !idle_timeout.is_zero() {
            self.idle.drain(..retired);
        }
    }
}
