//! What the watcher makes of servers that lag, break, die and change places.

use std::time::Duration;

use storage::replication::{Health, ReplicaLimits};
use testkit::{ReplicatedServers, Signal};

use crate::watched::{DATABASE, Watched, families};

fn limits(max_lag: Duration) -> ReplicaLimits {
    ReplicaLimits { max_lag, ..ReplicaLimits::default() }
}

#[tokio::test]
async fn a_replica_that_lags_or_stops_or_dies_leaves_and_comes_back() {
    for servers in families().await {
        let mut watched = Watched::new(servers, limits(Duration::from_secs(60)));
        watched.wait_for_primary(Some(0)).await;
        watched.wait_for_readable(&[1, 2]).await;
        watched.servers.stop_applying(1).await;
        watched.wait_for_readable(&[2]).await;
        assert!(watched.reason(1).contains("does not apply"), "{}", watched.reason(1));
        watched.servers.start_applying(1).await;
        watched.wait_for_readable(&[1, 2]).await;
        watched.servers.servers[2].signal(Signal::Kill).unwrap();
        watched.wait_for_readable(&[1]).await;
        assert!(watched.reason(2).contains("ds_2"), "{}", watched.reason(2));
        watched.servers.servers[2].restart().unwrap();
        watched.wait_for_readable(&[1, 2]).await;
        assert_eq!(watched.state.find_primary(), Some(crate::watched::unit_of(0)));
    }
}

#[tokio::test]
async fn a_replica_whose_lag_is_over_the_limit_leaves_until_it_has_caught_up() {
    for servers in families().await {
        let watched = Watched::new(servers, limits(Duration::from_millis(300)));
        watched.wait_for_readable(&[1, 2]).await;
        watched.servers.must(0, &format!("CREATE TABLE {DATABASE}.t (id INT PRIMARY KEY)")).await;
        watched.servers.wait_for_replicas().await;
        // A lock makes its applier wait while both threads run: lag, and nothing broken.
        let mut holder = watched.servers.client(1);
        holder.must(&format!("LOCK TABLES {DATABASE}.t READ")).await;
        watched.servers.must(0, &format!("INSERT INTO {DATABASE}.t VALUES (1)")).await;
        watched.wait_for_readable(&[2]).await;
        assert!(watched.reason(1).contains("ms behind"), "{}", watched.reason(1));
        holder.disconnect().await;
        watched.wait_for_readable(&[1, 2]).await;
    }
}

#[tokio::test]
async fn the_promoted_server_becomes_the_primary_and_the_old_one_a_replica() {
    for servers in families().await {
        let mut watched = Watched::new(servers, limits(Duration::from_secs(60)));
        watched.wait_for_readable(&[1, 2]).await;
        let term = watched.state.term();
        watched.servers.switch_to(1).await;
        watched.wait_for_primary(Some(1)).await;
        watched.wait_for_readable(&[0, 2]).await;
        assert!(watched.state.term() > term);
        watched.servers.switch_to(0).await;
        watched.wait_for_primary(Some(0)).await;
        watched.wait_for_readable(&[1, 2]).await;
    }
}

#[tokio::test]
async fn a_crashed_primary_is_followed_by_who_was_promoted_and_never_by_two() {
    for servers in families().await {
        let mut watched = Watched::new(servers, limits(Duration::from_secs(60)));
        watched.wait_for_readable(&[1, 2]).await;
        watched.servers.servers[0].signal(Signal::Kill).unwrap();
        watched.wait_for_readable(&[]).await;
        assert_eq!(watched.state.find_primary(), Some(crate::watched::unit_of(0)));
        watched.servers.promote(2).await;
        watched.servers.point(1, 2).await;
        watched.wait_for_primary(Some(2)).await;
        watched.wait_for_readable(&[1]).await;
        // It comes back as it was: writable, and nobody's replica.
        watched.servers.servers[0].restart().unwrap();
        watched.wait_for_primary(None).await;
        let refused = watched.state.require_primary().unwrap_err();
        assert_eq!(refused.code, 1290, "{refused:?}");
        assert!(refused.message.contains("several"), "{refused:?}");
        watched.servers.demote(0).await;
        watched.wait_for_primary(Some(2)).await;
        watched.wait_for_readable(&[0, 1]).await;
    }
}

#[tokio::test]
async fn a_detached_replica_does_not_take_the_place_of_a_primary_that_restarts() {
    for servers in families().await {
        let mut watched = Watched::new(servers, limits(Duration::from_secs(60)));
        watched.wait_for_readable(&[1, 2]).await;
        // Out of step and alone, but not writable yet: no reason for doubt while the primary works.
        watched.servers.stop_applying(1).await;
        watched.servers.must(0, &format!("CREATE TABLE {DATABASE}.t (id INT PRIMARY KEY)")).await;
        watched.wait_for_readable(&[2]).await;
        watched.wait_until("a look at the new table", |state| {
            state.members()[1].lag().is_some_and(|lag| lag > Duration::ZERO)
        })
        .await;
        watched.servers.servers[0].signal(Signal::Kill).unwrap();
        watched.wait_for_readable(&[]).await;
        watched.servers.promote(1).await;
        watched.wait_for_primary(None).await;
        let refused = watched.state.require_primary().unwrap_err();
        assert!(refused.message.contains("lacks transactions"), "{refused:?}");
        watched.servers.must(1, "SET GLOBAL read_only = ON").await;
        watched.servers.servers[0].restart().unwrap();
        watched.wait_for_primary(Some(0)).await;
    }
}

#[tokio::test]
async fn a_replica_without_replication_is_read_only_where_that_was_asked_for() {
    let servers = ReplicatedServers::start_mariadb(DATABASE).await;
    for number in [1, 2] {
        servers.must(number, "STOP SLAVE").await;
        servers.must(number, "RESET SLAVE ALL").await;
    }
    let watched = Watched::new(servers, limits(Duration::from_secs(60)));
    watched.wait_until("looked at", |state| {
        state.members()[1..].iter().all(|member| member.reason() == "does not replicate")
    })
    .await;
    let limits = ReplicaLimits { health: Health::Connection, ..ReplicaLimits::default() };
    watched.watcher.replace_groups(vec![crate::watched::group_of(&watched.servers, limits)]);
    let state = watched.watcher.find_state(crate::watched::unit_of(0)).unwrap();
    let end = std::time::Instant::now() + Duration::from_secs(60);
    while !state.members()[1..].iter().all(|member| member.is_readable()) {
        assert!(std::time::Instant::now() < end, "{state:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
