//! A replica is known to have a write exactly when it has it, and connections to a former primary go.

use std::time::Duration;

use storage::class::Class;
use storage::pool::PoolSet;
use storage::replication::ReplicaLimits;
use storage::replication::own_writes::{position, wait};
use storage::replication::state::Moment;
use storage::settings::Settings;

use crate::watched::{DATABASE, Watched, families, unit_of, units};

#[tokio::test]
async fn a_write_is_proven_on_replicas_that_have_it_and_on_no_other() {
    for servers in families().await {
        let watched = Watched::new(servers, ReplicaLimits::default());
        watched.wait_for_readable(&[1, 2]).await;
        watched.servers.stop_applying(1).await;
        watched.servers.must(0, &format!("CREATE TABLE {DATABASE}.t (id INT PRIMARY KEY)")).await;
        let written = Moment::now();
        let has = |number| watched.state.has_write(unit_of(number), written);
        watched.wait_until("proven on server 2", |_| has(2)).await;
        assert!(!has(1), "it does not apply what arrives");
        assert!(!has(0), "the primary is no replica");
        watched.servers.start_applying(1).await;
        watched.wait_until("proven on server 1", |_| has(1)).await;
    }
}

#[tokio::test]
async fn a_wait_ends_when_the_replica_has_the_write_or_time_is_up() {
    for servers in families().await {
        let watched = Watched::new(servers, ReplicaLimits::default());
        let (pools, units) = (PoolSet::new(0, watched.pools.clone()), units(&watched.servers));
        let settings = Settings::baseline();
        let mut primary = pools.acquire(&units[0], Class::own(), &settings).await.unwrap();
        let mut replica = pools.acquire(&units[1], Class::own(), &settings).await.unwrap();
        watched.servers.stop_applying(1).await;
        watched.servers.must(0, &format!("CREATE TABLE {DATABASE}.t (id INT PRIMARY KEY)")).await;
        let reached = position(&mut primary).await.unwrap().unwrap();
        let short = Duration::from_millis(100);
        assert!(!wait(&mut replica, &reached, short).await.unwrap(), "{reached}");
        watched.servers.start_applying(1).await;
        let long = Duration::from_secs(60);
        assert!(wait(&mut replica, &reached, long).await.unwrap(), "{reached}");
        let table = format!("SELECT COUNT(*) FROM {DATABASE}.t");
        assert!(storage::command::query(&mut replica, &table).await.is_ok());
    }
}

#[tokio::test]
async fn connections_to_a_former_primary_are_not_used_again() {
    for servers in families().await {
        let mut watched = Watched::new(servers, ReplicaLimits::default());
        let (pools, units) = (PoolSet::new(0, watched.pools.clone()), units(&watched.servers));
        watched.wait_for_readable(&[1, 2]).await;
        let settings = Settings::baseline();
        let idle = pools.acquire(&units[0], Class::own(), &settings).await.unwrap();
        let held = pools.acquire(&units[0], Class::own(), &settings).await.unwrap();
        pools.release(idle);
        watched.servers.switch_to(1).await;
        watched.wait_for_primary(Some(1)).await;
        watched.wait_until("retired", |_| !held.slot.is_current()).await;
        assert!(pools.take_idle(&units[0], Class::own(), &settings).is_none());
        pools.release(held);
        assert!(pools.take_idle(&units[0], Class::own(), &settings).is_none());
        let fresh = pools.acquire(&units[0], Class::own(), &settings).await.unwrap();
        assert!(fresh.slot.is_current());
    }
}
