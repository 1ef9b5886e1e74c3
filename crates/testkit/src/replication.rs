//! Servers that really replicate: one primary, replicas of it, and what happens to such groups.

use std::time::Duration;

use sandbox::{DatabaseServer, Flavor, ServerOptions};

use crate::client::{Client, Endpoint};
use crate::outcome::Outcome;
use crate::servers::{start_mariadb, start_mysql};

/// Upper bound for what should take milliseconds on a machine that does much else.
const LIMIT: Duration = Duration::from_secs(60);

/// User and password of who sets a group up and replicates; all rights, also on read-only servers.
const USER: &str = "test";

/// A group of servers, all with the same database. Replicas are read-only, the primary is not. An
/// application logs in as [`ReplicatedServers::APPLICATION`], which read-only servers stop.
#[derive(Debug)]
pub struct ReplicatedServers {
    /// The servers; number 0 is the first primary.
    pub servers: Vec<DatabaseServer>,
    primary: usize,
    database: String,
}

impl ReplicatedServers {
    /// User and password of an application: no right to write where others may not.
    pub const APPLICATION: &str = "app";

    /// A MariaDB primary with two replicas, in step.
    ///
    /// # Panics
    /// When a server cannot be started or does not replicate; tests need it.
    pub async fn start_mariadb(database: &str) -> Self {
        let start = |options: &ServerOptions| Some(start_mariadb(options));
        let started = Self::start(database, &start, &["--log-slave-updates"]).await;
        started.unwrap_or_else(|| unreachable!("MariaDB always starts or panics"))
    }

    /// The same of MySQL, where there is one.
    ///
    /// # Panics
    /// When there is one and it cannot be started or does not replicate.
    pub async fn start_mysql(database: &str) -> Option<Self> {
        let arguments = ["--gtid-mode=ON", "--enforce-gtid-consistency=ON"];
        Self::start(database, &start_mysql, &arguments).await
    }

    async fn start(
        database: &str,
        start: &(dyn Fn(&ServerOptions) -> Option<DatabaseServer> + Sync),
        arguments: &[&str],
    ) -> Option<Self> {
        let options = |number: usize| {
            let mut all = vec![
                format!("--server-id={}", number + 1),
                // After the sandbox's own options, which turn it off.
                "--log-bin=binlog".to_owned(),
                "--relay-log=relay".to_owned(),
                "--innodb-flush-log-at-trx-commit=1".to_owned(),
                "--sync-binlog=1".to_owned(),
            ];
            all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
            ServerOptions { arguments: all, ..ServerOptions::default() }
        };
        let servers: Option<Vec<_>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..3).map(|number| scope.spawn(move || start(&options(number)))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
                Ok(server) => server,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().map(join).collect()
        });
        let mut group = Self { servers: servers?, primary: 0, database: database.to_owned() };
        group.set_up().await;
        Some(group)
    }

    async fn set_up(&mut self) {
        for replica in 1..self.servers.len() {
            self.point(replica, 0).await;
        }
        let user = Self::APPLICATION;
        let see_replication = match self.is_mysql() {
            true => "REPLICATION CLIENT",
            false => "SLAVE MONITOR, BINLOG MONITOR",
        };
        self.must(0, &format!("CREATE DATABASE `{}`", self.database)).await;
        self.must(0, &format!("CREATE USER '{user}'@'%' IDENTIFIED BY '{user}'")).await;
        let grant = format!(
            "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, LOCK TABLES, \
             CREATE TEMPORARY TABLES, {see_replication} ON *.* TO '{user}'@'%'"
        );
        self.must(0, &grant).await;
        self.wait_for_replicas().await;
    }

    /// The number of the server that is the primary now.
    #[must_use]
    pub fn primary(&self) -> usize {
        self.primary
    }

    /// A client of one server, as an ordinary user with all rights.
    #[must_use]
    pub fn client(&self, number: usize) -> Client {
        Client::new(Endpoint::new(self.servers[number].address(), USER, USER, ""))
    }

    /// Runs a statement on one server.
    ///
    /// # Panics
    /// When it fails.
    pub async fn must(&self, number: usize, sql: &str) -> Vec<Outcome> {
        let mut client = self.client(number);
        let outcomes = client.must(sql).await;
        client.disconnect().await;
        outcomes
    }

    fn is_mysql(&self) -> bool {
        matches!(self.servers[0].flavor(), Flavor::MySql { .. })
    }

    /// Makes a server a read-only replica of another one.
    pub async fn point(&self, replica: usize, source: usize) {
        let port = self.servers[source].port();
        let word = self.word();
        self.must(replica, &format!("STOP {word}")).await;
        let change = match self.is_mysql() {
            true => format!(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={port}, \
                 SOURCE_USER='{USER}', SOURCE_PASSWORD='{USER}', SOURCE_AUTO_POSITION=1, \
                 GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1"
            ),
            false => format!(
                "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={port}, \
                 MASTER_USER='{USER}', MASTER_PASSWORD='{USER}', MASTER_USE_GTID=slave_pos, \
                 MASTER_CONNECT_RETRY=1"
            ),
        };
        self.must(replica, &change).await;
        self.must(replica, "SET GLOBAL read_only = ON").await;
        self.must(replica, &format!("START {word}")).await;
    }

    /// A replica no longer applies what arrives.
    pub async fn stop_applying(&self, replica: usize) {
        let word = self.word();
        self.must(replica, &format!("STOP {word} SQL_THREAD")).await;
    }

    /// It goes on applying.
    pub async fn start_applying(&self, replica: usize) {
        let word = self.word();
        self.must(replica, &format!("START {word} SQL_THREAD")).await;
    }

    /// A planned switch: the primary takes no more writes, the new one catches up and is promoted,
    /// all others follow it.
    pub async fn switch_to(&mut self, number: usize) {
        let old = self.primary;
        self.must(old, "SET GLOBAL read_only = ON").await;
        self.wait_for_replica(number).await;
        self.promote(number).await;
        for other in (0..self.servers.len()).filter(|other| *other != number) {
            match other == old {
                true => self.demote(other).await,
                false => self.point(other, number).await,
            }
        }
    }

    /// Makes a former primary a replica of the primary of now.
    pub async fn demote(&self, old: usize) {
        if !self.is_mysql() {
            // What it wrote itself is not among what it has applied, which a replica begins at.
            self.must(old, "SET GLOBAL gtid_slave_pos = @@global.gtid_binlog_pos").await;
        }
        self.point(old, self.primary).await;
    }

    /// Makes a replica the primary, whatever the old one does.
    pub async fn promote(&mut self, number: usize) {
        let word = self.word();
        self.must(number, &format!("STOP {word}")).await;
        self.must(number, &format!("RESET {word} ALL")).await;
        self.must(number, "SET GLOBAL read_only = OFF").await;
        self.primary = number;
    }

    /// Waits until all replicas have what the primary has.
    pub async fn wait_for_replicas(&self) {
        for replica in (0..self.servers.len()).filter(|number| *number != self.primary) {
            self.wait_for_replica(replica).await;
        }
    }

    /// Waits until one replica has what the primary has now.
    pub async fn wait_for_replica(&self, replica: usize) {
        let (ask, wait) = match self.is_mysql() {
            true => ("SELECT @@global.gtid_executed", "WAIT_FOR_EXECUTED_GTID_SET"),
            false => ("SELECT @@global.gtid_binlog_pos", "MASTER_GTID_WAIT"),
        };
        let position = first_value(&self.must(self.primary, ask).await);
        let seconds = LIMIT.as_secs();
        let waited = self.must(replica, &format!("SELECT {wait}('{position}', {seconds})")).await;
        assert_eq!(first_value(&waited), "0", "server {replica} did not reach {position}");
    }

    /// What the server's family calls a replica in statements.
    fn word(&self) -> &'static str {
        match self.is_mysql() {
            true => "REPLICA",
            false => "SLAVE",
        }
    }
}

/// The first value of the first row, as text.
fn first_value(outcomes: &[Outcome]) -> String {
    let Some(Outcome::Rows { rows, .. }) = outcomes.last() else {
        panic!("no rows: {outcomes:?}")
    };
    match &rows[0][0] {
        mysql_async::Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => other.as_sql(true).trim_matches('\'').to_owned(),
    }
}
