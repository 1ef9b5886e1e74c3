//! What all workers share of one unit's pool: the number of open connections and who waits.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kernel::model::StorageUnit;
use telemetry::{Held, METRICS};
use tokio::sync::oneshot;

use crate::connect::ConnectOptions;
use crate::connection::{Connection, Parcel};
use crate::pool::names::KnownAddresses;

/// How often the first in the queue may be passed over in favour of a waiter on the worker that
/// gives a connection back (which then need not move).
const MAX_PASSED_OVER: u32 = 8;

/// Shared by the pools of one unit.
#[derive(Debug)]
pub struct PoolLimit {
    /// The unit.
    pub unit: StorageUnit,
    /// How its connections are opened.
    pub options: Arc<ConnectOptions>,
    version: OnceLock<String>,
    open: AtomicU32,
    /// Rises when the connections that are open then are to be closed.
    generation: AtomicU32,
    /// Where the unit's host name led.
    pub(crate) addresses: KnownAddresses,
    waiting: AtomicU32,
    queue: Mutex<VecDeque<Waiter>>,
}

/// What a waiter is given.
#[derive(Debug)]
pub(crate) enum Grant {
    /// A connection of the same worker.
    Connection(Box<Connection>),
    /// A connection of another worker.
    Parcel(Box<Parcel>),
    /// The right to open one.
    Permit(Slot),
}

#[derive(Debug)]
struct Waiter {
    worker: usize,
    passed_over: u32,
    grant: oneshot::Sender<Grant>,
}

/// The right to one open connection of a unit, given back when dropped.
#[derive(Debug)]
pub struct Slot {
    limit: Arc<PoolLimit>,
    generation: u32,
    _open: Held,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.limit.open.fetch_sub(1, AcqRel);
        if self.limit.has_waiters()
            && let Some(slot) = PoolLimit::try_slot(&self.limit)
        {
            self.limit.grant_permit(slot);
        }
    }
}

impl Slot {
    /// The limit it belongs to.
    pub fn limit(&self) -> &Arc<PoolLimit> {
        &self.limit
    }

    /// False once the connection in this place is to be closed.
    pub fn is_current(&self) -> bool {
        self.generation == self.limit.generation.load(Relaxed)
    }

    /// The connection in this place was closed; another one may be opened.
    pub(crate) fn renew(&mut self) {
        self.generation = self.limit.generation.load(Relaxed);
    }
}

impl PoolLimit {
    /// For a unit without open connections.
    pub fn new(unit: StorageUnit, options: Arc<ConnectOptions>) -> Self {
        Self {
            unit,
            options,
            version: OnceLock::new(),
            open: AtomicU32::new(0),
            generation: AtomicU32::new(0),
            addresses: KnownAddresses::default(),
            waiting: AtomicU32::new(0),
            queue: Mutex::new(VecDeque::new()),
        }
    }

    /// What the server calls itself, once it was asked.
    pub fn server_version(&self) -> Option<String> {
        self.version.get().cloned()
    }

    /// A connection was opened: the server says this of itself.
    pub(crate) fn note_version(&self, version: &str) {
        self.version.get_or_init(|| version.to_owned());
    }

    /// Open connections over all workers.
    pub fn open(&self) -> u32 {
        self.open.load(Relaxed)
    }

    /// Connections that are open now are not used again.
    pub fn retire_connections(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// True when someone waits for a connection.
    pub fn has_waiters(&self) -> bool {
        self.waiting.load(Acquire) > 0
    }

    /// The right to open one more connection, if the limit allows it.
    pub fn try_slot(limit: &Arc<Self>) -> Option<Slot> {
        let max = limit.unit.config.pool.max_size.max(1);
        limit
            .open
            .fetch_update(AcqRel, Acquire, |open| (open < max).then_some(open + 1))
            .ok()
            .map(|_| Slot {
                limit: Arc::clone(limit),
                generation: limit.generation.load(Relaxed),
                _open: METRICS.backend_connections.hold(),
            })
    }

    /// Stands in the queue.
    pub(crate) fn wait(&self, worker: usize) -> oneshot::Receiver<Grant> {
        let (grant, receiver) = oneshot::channel();
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push_back(Waiter { worker, passed_over: 0, grant });
        self.waiting.store(queue.len() as u32, std::sync::atomic::Ordering::Release);
        receiver
    }

    /// The next waiter that still waits, one of `worker` before others within reason.
    fn next_waiter(&self, worker: usize) -> Option<Waiter> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.retain(|waiter| !waiter.grant.is_closed());
        let index = match queue.front() {
            None => None,
            Some(first) if first.worker == worker || first.passed_over >= MAX_PASSED_OVER => {
                Some(0)
            }
            Some(_) => Some(queue.iter().position(|w| w.worker == worker).unwrap_or(0)),
        };
        let next = index.and_then(|index| {
            if index > 0 {
                queue[0].passed_over += 1;
            }
            queue.remove(index)
        });
        self.waiting.store(queue.len() as u32, std::sync::atomic::Ordering::Release);
        next
    }

    /// Gives a connection of `worker` to the next waiter; returns it when nobody waits. A TLS
    /// connection cannot move: for a waiter of another worker it is closed, which frees its place.
    pub(crate) fn hand_over(
        &self,
        worker: usize,
        mut connection: Box<Connection>,
    ) -> Option<Box<Connection>> {
        while let Some(waiter) = self.next_waiter(worker) {
            if waiter.worker == worker {
                match waiter.grant.send(Grant::Connection(connection)) {
                    Err(Grant::Connection(refused)) => connection = refused,
                    _ => return None,
                }
                continue;
            }
            METRICS.pool_moves_total.increment();
            // When the waiter is gone by now, so is the connection: its slot serves the next one.
            match connection.into_parcel() {
                Ok(parcel) => drop(waiter.grant.send(Grant::Parcel(Box::new(parcel)))),
                Err(tls) => self.close_for(waiter, tls),
            }
            return None;
        }
        Some(connection)
    }

    /// Offers a free place to the first in the queue.
    pub(crate) fn serve_waiters(self: &Arc<Self>) {
        if let Some(slot) = Self::try_slot(self) {
            self.grant_permit(slot);
        }
    }

    fn close_for(&self, waiter: Waiter, connection: Box<Connection>) {
        let Connection { slot, stream, .. } = *connection;
        drop(stream);
        drop(waiter.grant.send(Grant::Permit(slot)));
    }

    /// Gives the right to open a connection to the next waiter; drops it when nobody waits.
    fn grant_permit(&self, slot: Slot) {
        let mut grant = Grant::Permit(slot);
        while let Some(waiter) = self.next_waiter(usize::MAX) {
            match waiter.grant.send(grant) {
                Ok(()) => return,
                Err(refused) => grant = refused,
            }
        }
        // Dropping a slot looks for waiters again; there are none, so this ends.
        drop(grant);
    }
}
