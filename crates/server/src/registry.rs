//! Every open session, for `KILL`, `SHOW PROCESSLIST` and shutdown. Touched when a session starts
//! and ends, not by statements.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Waker;
use std::time::Instant;

use crate::statement_text::StatementText;

/// What others may ask of a session. Higher values win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Request {
    /// Nothing.
    None = 0,
    /// Stop the statement that runs (`KILL QUERY`).
    StopStatement = 1,
    /// Finish what runs, then close (shutdown).
    CloseWhenIdle = 2,
    /// Stop and close (`KILL CONNECTION`).
    Close = 3,
}

/// The part of a session that others see.
#[derive(Debug)]
pub(crate) struct SessionHandle {
    /// The connection id the client was told.
    pub(crate) id: u32,
    /// Who, once logged in.
    pub(crate) user: OnceLock<String>,
    /// From where, `address:port`.
    pub(crate) host: String,
    /// The command byte that runs; 0xff while idle.
    pub(crate) command: AtomicU8,
    /// When it changed, in seconds since the registry was made.
    pub(crate) since: AtomicU64,
    /// The logical database.
    pub(crate) database: Mutex<Option<Arc<str>>>,
    /// What it runs.
    pub(crate) text: StatementText,
    request: AtomicU8,
    waker: OnceLock<Waker>,
}

/// How often silent clients are looked for, in seconds.
const LOOK_EVERY: u64 = 5;

/// The command byte of an idle session.
pub(crate) const IDLE: u8 = 0xff;

impl SessionHandle {
    /// What is asked of the session.
    pub(crate) fn request(&self) -> Request {
        match self.request.load(Relaxed) {
            0 => Request::None,
            1 => Request::StopStatement,
            2 => Request::CloseWhenIdle,
            _ => Request::Close,
        }
    }

    /// Remembers which task to wake; a session runs in one task from start to end.
    pub(crate) fn set_waker(&self, waker: &Waker) {
        self.waker.get_or_init(|| waker.clone());
    }

    /// Asks something of the session and wakes it.
    pub(crate) fn ask(&self, request: Request) {
        self.request.fetch_max(request as u8, Relaxed);
        if let Some(waker) = self.waker.get() {
            waker.wake_by_ref();
        }
    }

    /// The statement was stopped (or had ended already).
    pub(crate) fn statement_stopped(&self) {
        let stop = Request::StopStatement as u8;
        let _ = self.request.compare_exchange(stop, 0, Relaxed, Relaxed);
    }
}

/// Every open session.
#[derive(Debug)]
pub(crate) struct Registry {
    sessions: Mutex<HashMap<u32, Arc<SessionHandle>>>,
    next_id: AtomicU32,
    started: Instant,
    /// Seconds since then, as of the last tick: commands read it instead of a clock.
    seconds: AtomicU64,
    is_closing: AtomicBool,
}

impl Registry {
    /// Without sessions.
    pub(crate) fn new() -> Self {
        Self {
            sessions: Mutex::new(HashMap::new()),
            next_id: AtomicU32::new(1),
            started: Instant::now(),
            seconds: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
        }
    }

    /// Adds a session; it leaves when the guard is dropped.
    pub(crate) fn enter(self: &Arc<Self>, host: String) -> Entered {
        let id = self.next_id.fetch_add(1, Relaxed);
        let is_closing = self.is_closing.load(Relaxed);
        let request = if is_closing { Request::CloseWhenIdle } else { Request::None };
        let handle = Arc::new(SessionHandle {
            id,
            user: OnceLock::new(),
            host,
            command: AtomicU8::new(IDLE),
            since: AtomicU64::new(self.seconds()),
            database: Mutex::new(None),
            text: StatementText::new(),
            request: AtomicU8::new(request as u8),
            waker: OnceLock::new(),
        });
        self.lock().insert(id, Arc::clone(&handle));
        Entered { registry: Arc::clone(self), handle }
    }

    /// A session by its connection id.
    pub(crate) fn find(&self, id: u32) -> Option<Arc<SessionHandle>> {
        self.lock().get(&id).cloned()
    }

    /// All sessions, by id.
    pub(crate) fn all(&self) -> Vec<Arc<SessionHandle>> {
        let mut all: Vec<_> = self.lock().values().cloned().collect();
        all.sort_by_key(|handle| handle.id);
        all
    }

    /// Asks every session, and every one that still comes, to end when its statement has.
    pub(crate) fn close_when_idle(&self) {
        self.is_closing.store(true, Relaxed);
        for handle in self.all() {
            handle.ask(Request::CloseWhenIdle);
        }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// How many of them run a command.
    pub(crate) fn running(&self) -> usize {
        let sessions = self.lock();
        sessions.values().filter(|handle| handle.command.load(Relaxed) != IDLE).count()
    }

    /// Seconds since the registry was made, good to about one.
    pub(crate) fn seconds(&self) -> u64 {
        self.seconds.load(Relaxed)
    }

    /// About once a second: time goes on, and clients that were silent for longer than `idle_limit`
    /// seconds (0 for no limit) are closed.
    pub(crate) fn tick(&self, idle_limit: u64) {
        let now = self.started.elapsed().as_secs();
        self.seconds.store(now, Relaxed);
        if idle_limit > 0 && now.is_multiple_of(LOOK_EVERY) {
            self.close_silent(now, idle_limit);
        }
    }

    fn close_silent(&self, now: u64, idle_limit: u64) {
        for handle in self.all() {
            let silent = now.saturating_sub(handle.since.load(Relaxed));
            if handle.command.load(Relaxed) == IDLE && silent > idle_limit {
                handle.ask(Request::CloseWhenIdle);
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Arc<SessionHandle>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session's place in the registry.
#[derive(Debug)]
pub(crate) struct Entered {
    registry: Arc<Registry>,
    handle: Arc<SessionHandle>,
}

impl Entered {
    /// The part others see.
    pub(crate) fn handle(&self) -> &Arc<SessionHandle> {
        &self.handle
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.registry.lock().remove(&self.handle.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_silent_clients_are_closed() {
        let registry = Arc::new(Registry::new());
        let entered = registry.enter("127.0.0.1:1".to_owned());
        registry.tick(1);
        assert_eq!(entered.handle().request(), Request::None, "it has just come");
        entered.handle().command.store(3, Relaxed);
        registry.close_silent(100, 10);
        assert_eq!(entered.handle().request(), Request::None, "it runs a statement");
        entered.handle().command.store(IDLE, Relaxed);
        registry.close_silent(100, 200);
        assert_eq!(entered.handle().request(), Request::None, "its time is not up");
        registry.close_silent(100, 10);
        assert_eq!(entered.handle().request(), Request::CloseWhenIdle);
    }
}
