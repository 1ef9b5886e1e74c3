//! Where the host names of units lead, so that a name that leads elsewhere takes its connections
//! along. A new connection asks for the address anyway; this is for those that are open.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// The addresses a name led to when it was last asked for.
#[derive(Debug, Default)]
pub(crate) struct KnownAddresses(Mutex<BTreeSet<IpAddr>>);

impl KnownAddresses {
    /// Takes over what the name leads to now. True when none of it was known before: the server is
    /// another one. An answer that overlaps is one of several servers behind a name, in turns; an
    /// empty one is a failure of the name service, not of the server.
    pub(crate) fn note(&self, found: BTreeSet<IpAddr>) -> bool {
        if found.is_empty() {
            return false;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_moved = !known.is_empty() && known.is_disjoint(&found);
        *known = found;
        has_moved
    }
}

/// True for what has to be asked for: an address leads nowhere else.
pub(crate) fn is_name(host: &str) -> bool {
    host.parse::<IpAddr>().is_err()
}

/// What a name leads to; empty when nobody can tell.
pub(crate) async fn addresses(host: &str) -> BTreeSet<IpAddr> {
    match tokio::net::lookup_host((host, 0)).await {
        Ok(found) => found.map(|address| address.ip()).collect(),
        Err(error) => {
            tracing::debug!(host, %error, "name service");
            BTreeSet::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(addresses: &[&str]) -> BTreeSet<IpAddr> {
        addresses.iter().map(|address| address.parse().unwrap()).collect()
    }

    #[test]
    fn a_name_has_moved_when_nothing_it_leads_to_was_known() {
        let known = KnownAddresses::default();
        let answers: [(&[&str], bool); 6] = [
            (&["10.0.0.1"], false),
            (&["10.0.0.1", "10.0.0.2"], false),
            (&[], false),
            (&["10.0.0.2"], false),
            (&["10.0.0.3"], true),
            (&["10.0.0.3"], false),
        ];
        for (answer, expected) in answers {
            assert_eq!(known.note(set(answer)), expected, "{answer:?}");
        }
    }

    #[test]
    fn addresses_are_not_asked_for() {
        for host in ["127.0.0.1", "::1"] {
            assert!(!is_name(host), "{host}");
        }
        assert!(is_name("localhost") && is_name("db.example.org"));
    }

    #[tokio::test]
    async fn the_name_service_is_asked() {
        assert!(addresses("localhost").await.iter().any(IpAddr::is_loopback));
        assert!(addresses("no name\0").await.is_empty());
    }
}
