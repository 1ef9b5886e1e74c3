//! The statements prepared on one backend connection.

use std::collections::HashMap;
use std::sync::Arc;

use telemetry::{Held, METRICS};

/// Which statement: the prepared text (process-wide number) and the data node it was written for.
pub type StatementKey = (u64, u32);

/// What a server says of a prepared statement: payloads of its definition packets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Definitions {
    /// One a parameter.
    pub params: Vec<Vec<u8>>,
    /// One a result column.
    pub columns: Vec<Vec<u8>>,
}

/// A statement prepared on the server.
#[derive(Debug)]
pub struct BackendStatement {
    /// The server's id for it.
    pub id: u32,
    /// The parameter types the server saw last; empty when it saw none yet.
    pub bound_types: Vec<u8>,
    /// The definitions the server sent last for it: a server with MARIADB_CLIENT_CACHE_METADATA does
    /// not repeat them.
    pub definitions: Arc<Definitions>,
    last_used: u64,
    _held: Held,
}

/// At most [`Statements::limit`] of them; the one not used for longest gives way.
#[derive(Debug)]
pub struct Statements {
    by_key: HashMap<StatementKey, BackendStatement, foldhash::fast::RandomState>,
    limit: usize,
    clock: u64,
}

impl Statements {
    /// An empty set that holds up to `limit`.
    pub fn new(limit: usize) -> Self {
        Self { by_key: HashMap::default(), limit: limit.max(1), clock: 0 }
    }

    /// The statement, marked as used now.
    pub fn find(&mut self, key: StatementKey) -> Option<&mut BackendStatement> {
        self.clock += 1;
        let statement = self.by_key.get_mut(&key)?;
        statement.last_used = self.clock;
        Some(statement)
    }

    /// Adds a statement; returns the server's ids of those that gave way and must be closed.
    pub fn insert(
        &mut self,
        key: StatementKey,
        id: u32,
        definitions: Arc<Definitions>,
    ) -> Vec<u32> {
        self.clock += 1;
        let mut closed = Vec::new();
        let statement = BackendStatement {
            id,
            bound_types: Vec::new(),
            definitions,
            last_used: self.clock,
            _held: METRICS.backend_prepared_statements.hold(),
        };
        if let Some(old) = self.by_key.insert(key, statement) {
            closed.push(old.id);
        }
        self.evict(&mut closed);
        closed
    }

    /// Removes a statement; returns the server's id, to be closed.
    pub fn remove(&mut self, key: StatementKey) -> Option<u32> {
        self.by_key.remove(&key).map(|statement| statement.id)
    }

    /// Forgets all, after the server did (reset, change of user).
    pub fn clear(&mut self) {
        self.by_key.clear();
    }

    /// Halves the limit and gives up the oldest: the server has no room for more (error 1461).
    pub fn shrink(&mut self) -> Vec<u32> {
        self.limit = (self.by_key.len() / 2).max(1);
        let mut closed = Vec::new();
        self.evict(&mut closed);
        closed
    }

    fn evict(&mut self, closed: &mut Vec<u32>) {
        while self.by_key.len() > self.limit {
            let oldest = self.by_key.iter().min_by_key(|(_, s)| s.last_used).map(|(key, _)| *key);
            let Some(gone) = oldest.and_then(|key| self.by_key.remove(&key)) else { break };
            closed.push(gone.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_statement_gives_way() {
        let mut statements = Statements::new(2);
        assert!(statements.insert((1, 0), 11, Arc::default()).is_empty());
        assert!(statements.insert((2, 0), 12, Arc::default()).is_empty());
        assert_eq!(statements.find((1, 0)).unwrap().id, 11);
        assert_eq!(statements.insert((3, 0), 13, Arc::default()), [12]);
        assert!(statements.find((2, 0)).is_none());
        assert_eq!(statements.insert((3, 0), 14, Arc::default()), [13], "the same key replaces");
    }
}
