//! Reading one's own writes from a replica: what a session has written, where the primary is, and a
//! wait until a replica is there.
//!
//! The primary is asked where it is when a session first reads after it has written, not at every
//! write: the position it has then includes the write, which it has acknowledged before.
//!
//! # Source
//! MariaDB's `MASTER_GTID_WAIT(position, seconds)`: 0 when reached, -1 after the time. MySQL's
//! `WAIT_FOR_EXECUTED_GTID_SET(set, seconds)`: 0 when reached, 1 after the time.

use std::time::Duration;

use crate::command::query;
use crate::connection::Connection;
use crate::error::StorageError;
use crate::replication::state::Moment;
use crate::settings::ServerKind;

/// When a session has last written, as far as that decides what it may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnWrites {
    has_written: bool,
    moment: u64,
}

impl OwnWrites {
    /// A statement was sent that may change something. Looks at no clock.
    pub fn note(&mut self) {
        self.has_written = true;
    }

    /// The moment that a replica has to be fresher than (see
    /// [`kernel::replicas::ReplicaState::has_write`]). To be asked before a read outside a
    /// transaction: all writes are acknowledged then, so that now is late enough for them.
    pub fn moment(&mut self) -> u64 {
        if std::mem::take(&mut self.has_written) {
            self.moment = Moment::now().number();
        }
        self.moment
    }

    /// The same for people who ask, without looking at a clock: later than any moment where the
    /// session was not asked since its last write.
    pub fn needed(&self) -> u64 {
        if self.has_written { u64::MAX } else { self.moment }
    }
}

/// Asks a primary where it is; `None` where it keeps no transaction ids.
///
/// # Errors
/// The server's error, or the connection is lost.
pub async fn position(primary: &mut Connection) -> Result<Option<String>, StorageError> {
    let question = match primary.server.kind {
        ServerKind::MariaDb => "SELECT @@global.gtid_binlog_pos",
        ServerKind::MySql => "SELECT @@global.gtid_executed",
    };
    let answer = query(primary, question).await?;
    Ok(first_text(&answer).filter(|position| !position.is_empty()))
}

/// Waits until a replica has reached a position of its primary, at most for `limit`; false when it
/// has not.
///
/// # Errors
/// The server's error, or the connection is lost.
pub async fn wait(
    replica: &mut Connection,
    position: &str,
    limit: Duration,
) -> Result<bool, StorageError> {
    let text = wait_text(replica.server.kind, position, limit);
    let answer = query(replica, &text).await?;
    Ok(first_text(&answer).as_deref() == Some("0"))
}

fn wait_text(kind: ServerKind, position: &str, limit: Duration) -> String {
    // It comes from a server, and goes into a statement all the same.
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | ',' | '_');
    let position: String = position.chars().filter(is_plain).collect();
    let function = match kind {
        ServerKind::MariaDb => "MASTER_GTID_WAIT",
        ServerKind::MySql => "WAIT_FOR_EXECUTED_GTID_SET",
    };
    format!("SELECT {function}('{position}', {:.3})", limit.as_secs_f64())
}

fn first_text(answer: &crate::command::TextResult) -> Option<String> {
    let value = answer.rows.first()?.first()?.as_deref()?;
    Some(String::from_utf8_lossy(value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_has_not_written_reads_every_replica() {
        let mut own = OwnWrites::default();
        assert_eq!((own.needed(), own.moment()), (0, 0));
        own.note();
        assert_eq!(own.needed(), u64::MAX);
        let first = own.moment();
        assert!(first > 0);
        assert_eq!((own.needed(), own.moment()), (first, first), "only a write makes it later");
        own.note();
        assert!(own.moment() >= first);
    }

    #[test]
    fn the_wait_has_an_end_and_nothing_but_a_position_in_it() {
        let limit = Duration::from_millis(1500);
        assert_eq!(
            wait_text(ServerKind::MariaDb, "0-1-5,1-1-2", limit),
            "SELECT MASTER_GTID_WAIT('0-1-5,1-1-2', 1.500)"
        );
        assert_eq!(
            wait_text(ServerKind::MySql, "3e11-aa:1-5:7,\n3e12:tag:1", limit),
            "SELECT WAIT_FOR_EXECUTED_GTID_SET('3e11-aa:1-5:7,3e12:tag:1', 1.500)"
        );
        assert_eq!(
            wait_text(ServerKind::MySql, "x'), SLEEP(9", limit),
            "SELECT WAIT_FOR_EXECUTED_GTID_SET('x,SLEEP9', 1.500)"
        );
    }
}
