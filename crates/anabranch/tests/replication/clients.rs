//! What clients of the proxy see of servers that lag and change places.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use testkit::{
    Client, Endpoint, Outcome, Protocol, Proxy, ProxyOptions, ReplicatedServers, Signal,
};

use crate::watched::{DATABASE, families};

/// Upper bound for what should take milliseconds on a machine that does much else.
const SOON: Duration = Duration::from_secs(60);

/// Looks often, so that tests are quick.
const WATCHED: &str = "replication: { lookIntervalMilliseconds: 50, lookTimeoutMilliseconds: 500, \
                       goodLooks: 1, maxLagMilliseconds: 600000 }\n";

/// Servers that replicate as one group behind a proxy.
struct Setting {
    servers: ReplicatedServers,
    proxy: Proxy,
}

impl Setting {
    async fn build(servers: ReplicatedServers) -> Self {
        let options = ProxyOptions {
            files: vec![("anabranch.yaml".to_owned(), WATCHED.to_owned())],
            ..ProxyOptions::default()
        };
        let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
        let setting = Self { servers, proxy: Proxy::start(binary, &options).unwrap() };
        let mut client = Client::new(Endpoint::new(setting.proxy.address(), "root", "root", ""));
        client.must(&format!("CREATE DATABASE {DATABASE}")).await;
        client.must(&format!("USE {DATABASE}")).await;
        let user = ReplicatedServers::APPLICATION;
        for (number, server) in setting.servers.servers.iter().enumerate() {
            let port = server.port();
            let register = format!(
                "REGISTER STORAGE UNIT ds_{number} (HOST=\"127.0.0.1\", PORT={port}, \
                 DB=\"{DATABASE}\", USER=\"{user}\", PASSWORD=\"{user}\")"
            );
            client.must(&register).await;
        }
        let rule = "CREATE READWRITE_SPLITTING RULE g (WRITE_STORAGE_UNIT=ds_0, \
                    READ_STORAGE_UNITS(ds_1, ds_2), TYPE(NAME=\"ROUND_ROBIN\"))";
        client.must(rule).await;
        client.must("CREATE TABLE t (id INT PRIMARY KEY)").await;
        setting.servers.wait_for_replicas().await;
        setting.wait_for_replicas(&mut client, 2).await;
        client.disconnect().await;
        setting
    }

    fn client(&self) -> Client {
        Client::new(Endpoint::new(self.proxy.address(), "root", "root", DATABASE))
    }

    /// Waits until so many replicas are read.
    async fn wait_for_replicas(&self, client: &mut Client, count: usize) {
        let end = Instant::now() + SOON;
        loop {
            let status = client.must("SHOW STATUS FROM READWRITE_SPLITTING RULES").await;
            let Some(Outcome::Rows { rows, .. }) = status.last() else { panic!("{status:?}") };
            if rows.iter().filter(|row| row[1].as_sql(true) == "'ENABLED'").count() == count {
                return;
            }
            assert!(Instant::now() < end, "{status:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until this unit is written to, without writing: the old one may hang.
    async fn wait_for_primary(&self, client: &mut Client, unit: &str) {
        let end = Instant::now() + SOON;
        loop {
            let route = client.must("PREVIEW INSERT INTO t VALUES (9)").await;
            let Some(Outcome::Rows { rows, .. }) = route.last() else { panic!("{route:?}") };
            if rows[0][0].as_sql(true) == format!("'{unit}'") {
                return;
            }
            assert!(Instant::now() < end, "{route:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until a statement succeeds.
    async fn wait_for(&self, client: &mut Client, sql: &str) {
        let end = Instant::now() + SOON;
        loop {
            let outcomes = client.run(sql, Protocol::Text).await;
            if failure(&outcomes).is_none() {
                return;
            }
            assert!(Instant::now() < end, "{sql}: {outcomes:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The number of the error that a statement ended with.
fn failure(outcomes: &[Outcome]) -> Option<u16> {
    match outcomes.last() {
        Some(Outcome::Error { code, .. }) => Some(*code),
        Some(Outcome::Lost(_)) => Some(u16::MAX),
        _ => None,
    }
}

fn number(outcomes: &[Outcome]) -> usize {
    let Some(Outcome::Rows { rows, .. }) = outcomes.last() else { panic!("{outcomes:?}") };
    rows[0][0].as_sql(true).trim_matches('\'').parse().unwrap()
}

/// R110: replicas that are in the rotation, and behind.
#[tokio::test]
async fn a_session_reads_what_it_has_written_however_far_replicas_are_behind() {
    for servers in families().await {
        let setting = Setting::build(servers).await;
        let mut holders = Vec::new();
        for replica in [1, 2] {
            let mut holder = setting.servers.client(replica);
            holder.must(&format!("LOCK TABLES {DATABASE}.t READ")).await;
            holders.push(holder);
        }
        let mut client = setting.client();
        for id in 0..20 {
            client.must(&format!("INSERT INTO t VALUES ({id})")).await;
            for protocol in [Protocol::Text, Protocol::Binary] {
                let seen = number(&client.run("SELECT COUNT(*) FROM t", protocol).await);
                assert_eq!(seen, id + 1, "{protocol:?}");
            }
        }
        let mut other = setting.client();
        let seen = number(&other.must("SELECT COUNT(*) FROM t").await);
        assert_eq!(seen, 0, "whoever has written nothing reads the replicas, which are behind");
        for holder in &mut holders {
            holder.disconnect().await;
        }
    }
}

#[tokio::test]
async fn no_acknowledged_write_is_lost_when_the_primary_is_switched_under_load() {
    for servers in families().await {
        let mut setting = Setting::build(servers).await;
        let stop = Arc::new(AtomicBool::new(false));
        let mut writers = Vec::new();
        for writer in 0..4 {
            let (mut client, stop) = (setting.client(), Arc::clone(&stop));
            writers.push(tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                for id in 0.. {
                    if stop.load(Relaxed) {
                        break;
                    }
                    let id = writer * 1_000_000 + id;
                    let sql = format!("INSERT INTO t VALUES ({id})");
                    if failure(&client.run(&sql, Protocol::Text).await).is_none() {
                        acknowledged.push(id);
                    }
                }
                client.disconnect().await;
                acknowledged
            }));
        }
        let mut client = setting.client();
        for (round, number) in [1, 2, 0].into_iter().enumerate() {
            setting.servers.switch_to(number).await;
            // Written by the new primary: writers have gone over.
            setting.wait_for(&mut client, &format!("INSERT INTO t VALUES (-{})", round + 1)).await;
        }
        stop.store(true, Relaxed);
        let mut acknowledged: Vec<i32> = Vec::new();
        for writer in writers {
            let own = writer.await.unwrap();
            assert!(!own.is_empty());
            acknowledged.extend(own);
        }
        setting.servers.wait_for_replicas().await;
        let list: Vec<_> = acknowledged.iter().map(ToString::to_string).collect();
        let sql =
            format!("SELECT COUNT(*) FROM {DATABASE}.t WHERE id IN ({})", list.join(", "));
        for server in 0..3 {
            let found = number(&setting.servers.must(server, &sql).await);
            assert_eq!(found, acknowledged.len(), "server {server}");
        }
    }
}

#[tokio::test]
async fn a_transaction_on_a_former_primary_fails_so_that_it_is_repeated() {
    for end in ["INSERT INTO t VALUES (2)", "COMMIT"] {
        let servers = ReplicatedServers::start_mariadb(DATABASE).await;
        let mut setting = Setting::build(servers).await;
        let (mut client, mut other) = (setting.client(), setting.client());
        client.must("BEGIN").await;
        client.must("INSERT INTO t VALUES (1)").await;
        // It hangs, somebody promotes another one.
        setting.servers.servers[0].signal(Signal::Freeze).unwrap();
        setting.servers.promote(1).await;
        setting.servers.point(2, 1).await;
        setting.wait_for_primary(&mut other, "ds_1").await;
        other.must("INSERT INTO t VALUES (3)").await;
        let failed = client.run(end, Protocol::Text).await;
        let Some(Outcome::Error { code, state, message }) = failed.last() else {
            panic!("{end}: {failed:?}")
        };
        assert_eq!((*code, state.as_str()), (1213, "40001"), "{end}");
        assert!(message.contains("ds_0") && message.contains("restarting"), "{message}");
        // What a program that repeats transactions does then.
        client.must("ROLLBACK").await;
        client.must("BEGIN").await;
        client.must("INSERT INTO t VALUES (1)").await;
        client.must("COMMIT").await;
        let found = setting.servers.must(1, &format!("SELECT COUNT(*) FROM {DATABASE}.t")).await;
        assert_eq!(number(&found), 2, "{end}");
        setting.servers.servers[0].signal(Signal::Resume).unwrap();
    }
}

#[tokio::test]
async fn with_two_writable_servers_none_is_written_to() {
    for servers in families().await {
        let mut setting = Setting::build(servers).await;
        let mut client = setting.client();
        setting.servers.promote(1).await;
        let end = Instant::now() + SOON;
        let refused = loop {
            let outcomes = client.run("SELECT id FROM t FOR UPDATE", Protocol::Text).await;
            match outcomes.last() {
                Some(Outcome::Error { code: 1290, message, .. }) => break message.clone(),
                _ => assert!(Instant::now() < end, "{outcomes:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert!(refused.contains("'g'") && refused.contains("read_only"), "{refused}");
        setting.servers.must(0, "SET GLOBAL read_only = ON").await;
        setting.wait_for(&mut client, "INSERT INTO t VALUES (1)").await;
        let found = setting.servers.must(1, &format!("SELECT COUNT(*) FROM {DATABASE}.t")).await;
        assert_eq!(number(&found), 1);
    }
}

#[tokio::test]
async fn a_restarted_proxy_finds_the_primary_before_it_serves_anybody() {
    for servers in families().await {
        let mut setting = Setting::build(servers).await;
        let mut client = setting.client();
        setting.servers.switch_to(1).await;
        setting.wait_for_primary(&mut client, "ds_1").await;
        client.disconnect().await;
        setting.proxy.restart().unwrap();
        client.must("INSERT INTO t VALUES (1)").await;
        let found = setting.servers.must(1, &format!("SELECT COUNT(*) FROM {DATABASE}.t")).await;
        assert_eq!(number(&found), 1);
    }
}
