//! How far a server is in the history of its group: a position of global transaction ids.
//!
//! # Source
//! MariaDB: <https://mariadb.com/kb/en/gtid/> (a position is the last `domain-server-sequence` of each
//! domain). MySQL: <https://dev.mysql.com/doc/refman/8.4/en/replication-gtids-concepts.html> (a
//! position is a set of intervals for each source, with a tag since 8.3).

use std::collections::BTreeMap;

/// The transactions a server has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GtidPosition {
    /// MariaDB: the greatest sequence number of each domain.
    MariaDb(BTreeMap<u32, u64>),
    /// MySQL: the intervals (first and last number, both within) of each source and tag, in order
    /// and apart from each other.
    MySql(BTreeMap<String, Vec<(u64, u64)>>),
}

impl GtidPosition {
    /// From `gtid_slave_pos` or `gtid_binlog_pos`; `None` when the text is not a position.
    pub fn parse_mariadb(text: &str) -> Option<Self> {
        let mut domains = BTreeMap::new();
        for gtid in text.split(',').map(str::trim).filter(|gtid| !gtid.is_empty()) {
            let mut parts = gtid.split('-');
            let domain = parts.next()?.parse().ok()?;
            let _server: u32 = parts.next()?.parse().ok()?;
            let sequence: u64 = parts.next()?.parse().ok()?;
            if parts.next().is_some() {
                return None;
            }
            let known = domains.entry(domain).or_insert(sequence);
            *known = sequence.max(*known);
        }
        Some(Self::MariaDb(domains))
    }

    /// From `gtid_executed`; `None` when the text is not a set.
    pub fn parse_mysql(text: &str) -> Option<Self> {
        let mut sources: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
        for set in text.split(',').map(str::trim).filter(|set| !set.is_empty()) {
            let mut parts = set.split(':').map(str::trim);
            let source = parts.next()?.to_ascii_lowercase();
            let mut key = source.clone();
            for part in parts {
                if part.starts_with(|first: char| first.is_ascii_digit()) {
                    sources.entry(key.clone()).or_default().push(interval(part)?);
                } else {
                    key = format!("{source}:{}", part.to_ascii_lowercase());
                }
            }
        }
        sources.values_mut().for_each(unite);
        Some(Self::MySql(sources))
    }

    /// The newer of two MariaDB positions in each domain: what was applied and what was written.
    #[must_use]
    pub fn united(mut self, other: Self) -> Self {
        match (&mut self, other) {
            (Self::MariaDb(domains), Self::MariaDb(others)) => {
                for (domain, sequence) in others {
                    let known = domains.entry(domain).or_insert(sequence);
                    *known = sequence.max(*known);
                }
            }
            (Self::MySql(sources), Self::MySql(others)) => {
                for (source, intervals) in others {
                    let known = sources.entry(source).or_default();
                    known.extend(intervals);
                    unite(known);
                }
            }
            _ => {}
        }
        self
    }

    /// True when every transaction of `other` is among these. Positions of two kinds of server have
    /// nothing in common.
    pub fn contains(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::MariaDb(have), Self::MariaDb(asked)) => asked
                .iter()
                .all(|(domain, sequence)| have.get(domain).is_some_and(|known| known >= sequence)),
            (Self::MySql(have), Self::MySql(asked)) => asked.iter().all(|(source, intervals)| {
                let known = have.get(source).map(Vec::as_slice).unwrap_or_default();
                intervals.iter().all(|(first, last)| {
                    known.iter().any(|(from, to)| from <= first && last <= to)
                })
            }),
            _ => false,
        }
    }

    /// True for a server that has no transaction with an id.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::MariaDb(domains) => domains.is_empty(),
            Self::MySql(sources) => sources.is_empty(),
        }
    }
}

fn interval(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some((first, last))
}

/// Puts intervals in order and joins those that touch.
fn unite(intervals: &mut Vec<(u64, u64)>) {
    intervals.sort_unstable();
    let mut united: Vec<(u64, u64)> = Vec::with_capacity(intervals.len());
    for &(first, last) in intervals.iter() {
        match united.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => united.push((first, last)),
        }
    }
    *intervals = united;
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

    #[test]
    fn mariadb_positions_compare_in_each_domain() {
        let position = |text| GtidPosition::parse_mariadb(text).unwrap();
        let cases = [
            ("0-1-10", "0-1-10", true),
            ("0-1-10", "0-2-9", true),
            ("0-1-10", "0-1-11", false),
            ("0-1-10,1-1-5", "1-7-5", true),
            ("0-1-10", "1-1-1", false),
            ("", "", true),
            ("0-1-1", "", true),
            ("", "0-1-1", false),
        ];
        for (have, asked, expected) in cases {
            assert_eq!(position(have).contains(&position(asked)), expected, "{have} / {asked}");
        }
        assert_eq!(
            position("0-1-10,2-1-1").united(position("0-1-12,1-1-3")),
            position("0-1-12,1-1-3,2-1-1")
        );
        for wrong in ["0-1", "a-1-1", "0-1-2-3", "0-1-99999999999999999999"] {
            assert_eq!(GtidPosition::parse_mariadb(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn mysql_sets_compare_by_intervals() {
        let set = |text: &str| GtidPosition::parse_mysql(&text.replace('A', A)).unwrap();
        let cases = [
            ("A:1-10", "A:1-10", true),
            ("A:1-10", "A:3-4:7", true),
            ("A:1-4:6-10", "A:4-6", false),
            ("A:1-4:5-10", "A:4-6", true),
            ("A:1-10", "b0000000-0000-0000-0000-000000000000:1", false),
            ("A:1-10,\n b0000000-0000-0000-0000-000000000000:1-2", "A:10", true),
            ("A:1-5:tag:1-3", "A:tag:2", true),
            ("A:1-5:tag:1-3", "A:4", true),
            ("A:1-5", "A:tag:1", false),
            ("A:1-5", "", true),
        ];
        for (have, asked, expected) in cases {
            assert_eq!(set(have).contains(&set(asked)), expected, "{have} / {asked}");
        }
        assert_eq!(set("A:5-6:1-2").united(set("A:3-4")), set("A:1-6"));
        for wrong in ["a:1-x", "a:5-4"] {
            assert_eq!(GtidPosition::parse_mysql(wrong), None, "{wrong}");
        }
        let other = GtidPosition::parse_mariadb("0-1-1").unwrap();
        assert!(!set("A:1").contains(&other) && !other.contains(&set("A:1")));
    }
}
