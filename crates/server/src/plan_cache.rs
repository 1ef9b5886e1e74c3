//! One worker's plans, found by fingerprint.
//!
//! A hit costs the scan that made the fingerprint, one look-up, and a comparison of the text outside
//! the literals: a hash collision can never route a statement wrongly.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::plan::Plan;
use kernel::snapshot::{LogicalDatabase, Snapshot};
use sql::ast::Statement;
use sql::fingerprint::{LiteralSpan, same_text};
use telemetry::METRICS;

use crate::session::Place;

/// What a statement text leads to.
#[derive(Debug)]
pub(crate) enum Body {
    /// It goes to storage units.
    Routed(Box<Plan>),
    /// The session itself answers it (transaction control, SET, USE, SHOW, DistSQL, ...).
    Session(Statement),
    /// It asks something only the session knows: each execution is planned anew, with the answers in
    /// its text.
    Asking,
}

/// One text with its plan.
#[derive(Debug)]
pub(crate) struct CachedStatement {
    /// The text the plan's positions refer to.
    pub(crate) text: Box<[u8]>,
    /// Its literals.
    pub(crate) literals: Box<[LiteralSpan]>,
    /// What it leads to.
    pub(crate) body: Body,
    /// The database it was planned in.
    pub(crate) database: Option<Arc<LogicalDatabase>>,
    /// The snapshot it was planned under.
    pub(crate) snapshot: Arc<Snapshot>,
    /// DDL: the logical tables it names.
    pub(crate) changed_tables: Vec<String>,
    /// DDL: generated numbers of those tables start anew after it.
    pub(crate) restarts_keys: bool,
    /// Nothing is done before it is routed or after its answer.
    pub(crate) is_straight: bool,
}

/// What a plan depends on besides the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlanKey {
    /// The fingerprint's hash.
    pub(crate) hash: u64,
    /// The current database and how the text is read.
    pub(crate) place: Place,
}

impl PlanKey {
    fn slot(&self) -> u64 {
        self.hash ^ self.place.low()
    }
}

/// Plans of the current catalog version, at most [`PlanCache::limit_bytes`] of them by estimate.
/// When it is full it starts anew: plans are cheap to make again, and the working set of an
/// application is far below the limit.
#[derive(Debug)]
pub(crate) struct PlanCache {
    by_slot: HashMap<u64, (PlanKey, Rc<CachedStatement>), foldhash::fast::RandomState>,
    version: u64,
    bytes: usize,
    limit_bytes: usize,
}

impl PlanCache {
    /// An empty cache.
    pub(crate) fn new(limit_bytes: usize) -> Self {
        Self { by_slot: HashMap::default(), version: 0, bytes: 0, limit_bytes }
    }

    /// The plan of a text with this key under this catalog version.
    pub(crate) fn find(
        &mut self,
        key: &PlanKey,
        version: u64,
        text: &[u8],
        literals: &[LiteralSpan],
    ) -> Option<Rc<CachedStatement>> {
        if self.version != version {
            self.clear();
            self.version = version;
            return None;
        }
        let (found_key, cached) = self.by_slot.get(&key.slot())?;
        let is_same = found_key == key && same_text(&cached.text, &cached.literals, text, literals);
        is_same.then(|| Rc::clone(cached))
    }

    /// Keeps a plan made under `version`.
    pub(crate) fn insert(&mut self, key: PlanKey, version: u64, cached: Rc<CachedStatement>) {
        if version != self.version {
            return;
        }
        // A plan with its templates is a few times its text.
        let weight = 1024 + 4 * cached.text.len();
        if self.bytes + weight > self.limit_bytes {
            self.clear();
        }
        self.bytes += weight;
        METRICS.plan_cache_bytes.add(weight as i64);
        self.by_slot.insert(key.slot(), (key, cached));
    }

    fn clear(&mut self) {
        METRICS.plan_cache_bytes.add(-(self.bytes as i64));
        self.by_slot.clear();
        self.bytes = 0;
    }
}

impl Drop for PlanCache {
    fn drop(&mut self) {
        self.clear();
    }
}
