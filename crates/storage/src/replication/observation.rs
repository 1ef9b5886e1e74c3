//! What one look at a server has shown.
//!
//! # Source
//! Columns by name, as both families have them: MySQL's `SHOW REPLICA STATUS` (`Source_Host`,
//! `Replica_IO_Running`, ..), and the older names of MySQL before 8.0.22 and of MariaDB
//! (`Master_Host`, `Slave_IO_Running`, ..). MariaDB's `SHOW ALL SLAVES STATUS` has a row for each
//! connection.

use crate::command::TextResult;
use crate::replication::gtid::GtidPosition;

/// A server as it was seen at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// `read_only` or `super_read_only` is on: it takes no writes of ordinary users.
    pub is_read_only: bool,
    /// The transactions it has; `None` where it does not keep ids.
    pub position: Option<GtidPosition>,
    /// Where it replicates from; empty for a server that does not.
    pub channels: Vec<Channel>,
}

/// One source that a server replicates from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Host name or address of the source.
    pub source_host: String,
    /// Its port.
    pub source_port: u16,
    /// The source's changes arrive.
    pub receives: bool,
    /// They are applied.
    pub applies: bool,
    /// How far behind it says it is, seconds; `None` where it cannot tell.
    pub behind_seconds: Option<u64>,
    /// The last error of either thread; empty without one.
    pub error: String,
}

impl Channel {
    /// True when changes arrive and are applied.
    pub fn runs(&self) -> bool {
        self.receives && self.applies
    }
}

impl Observation {
    /// True for a server that takes writes and gets none from anywhere: what a primary looks like.
    pub fn looks_like_primary(&self) -> bool {
        !self.is_read_only && self.channels.is_empty()
    }
}

/// The channels of a replication status.
pub fn channels(status: &TextResult) -> Vec<Channel> {
    let index_of = |names: [&str; 2]| {
        let is_named = |column: &Vec<u8>| {
            names.iter().any(|name| column.eq_ignore_ascii_case(name.as_bytes()))
        };
        status.columns.iter().position(is_named)
    };
    let host = index_of(["Source_Host", "Master_Host"]);
    let port = index_of(["Source_Port", "Master_Port"]);
    let receives = index_of(["Replica_IO_Running", "Slave_IO_Running"]);
    let applies = index_of(["Replica_SQL_Running", "Slave_SQL_Running"]);
    let behind = index_of(["Seconds_Behind_Source", "Seconds_Behind_Master"]);
    let errors = [index_of(["Last_IO_Error"; 2]), index_of(["Last_SQL_Error"; 2])];
    let read = |row: &crate::command::TextRow| {
        let text = |index: Option<usize>| {
            let value = row.get(index?)?.as_deref()?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        let is_yes = |index| text(index).is_some_and(|value| value.eq_ignore_ascii_case("yes"));
        Channel {
            source_host: text(host).unwrap_or_default(),
            source_port: text(port).and_then(|text| text.parse().ok()).unwrap_or_default(),
            receives: is_yes(receives),
            applies: is_yes(applies),
            behind_seconds: text(behind).and_then(|text| text.parse().ok()),
            error: errors
                .into_iter()
                .filter_map(text)
                .find(|text| !text.is_empty())
                .unwrap_or_default(),
        }
    };
    status.rows.iter().map(read).collect()
}

/// Whether the value of `@@read_only` or `@@super_read_only` means "on": they are numbers, and words
/// in newer MariaDB.
pub fn is_on(value: &str) -> bool {
    !matches!(value, "" | "0") && !value.eq_ignore_ascii_case("off")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(columns: &[&str], rows: &[&[Option<&str>]]) -> TextResult {
        TextResult {
            columns: columns.iter().map(|name| name.as_bytes().to_vec()).collect(),
            kinds: Vec::new(),
            rows: rows
                .iter()
                .map(|row| row.iter().map(|v| v.map(|v| v.as_bytes().to_vec())).collect())
                .collect(),
        }
    }

    #[test]
    fn both_families_are_read_by_the_names_of_their_columns() {
        let old = status(
            &[
                "Connection_name",
                "Master_Host",
                "Master_Port",
                "Slave_IO_Running",
                "Slave_SQL_Running",
                "Last_SQL_Error",
                "Seconds_Behind_Master",
            ],
            &[&[Some(""), Some("db1"), Some("3306"), Some("Yes"), Some("Yes"), Some(""), Some("4")]],
        );
        let new = status(
            &[
                "Replica_SQL_Running",
                "Replica_IO_Running",
                "Source_Port",
                "Source_Host",
                "Seconds_Behind_Source",
            ],
            &[&[Some("Yes"), Some("Yes"), Some("3306"), Some("db1"), Some("4")]],
        );
        let expected = Channel {
            source_host: "db1".to_owned(),
            source_port: 3306,
            receives: true,
            applies: true,
            behind_seconds: Some(4),
            error: String::new(),
        };
        assert_eq!(channels(&old), std::slice::from_ref(&expected));
        assert_eq!(channels(&new), [expected]);
    }

    #[test]
    fn a_thread_that_is_connecting_does_not_run() {
        let names = [
            "Slave_IO_Running",
            "Slave_SQL_Running",
            "Seconds_Behind_Master",
            "Last_IO_Error",
            "Last_SQL_Error",
        ];
        let broken = [Some("Connecting"), Some("No"), None, Some("no route"), Some("duplicate")];
        let channel = channels(&status(&names, &[&broken])).remove(0);
        assert!(!channel.receives && !channel.applies && !channel.runs());
        assert_eq!((channel.behind_seconds, channel.error.as_str()), (None, "no route"));
    }

    #[test]
    fn read_only_is_a_number_or_a_word() {
        for (value, expected) in [("0", false), ("OFF", false), ("1", true), ("ON", true)] {
            assert_eq!(is_on(value), expected, "{value}");
        }
        assert!(is_on("NO_LOCK_NO_ADMIN"));
    }
}
