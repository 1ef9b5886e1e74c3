//! A proxy over a primary and two servers that play its replicas.

use std::path::Path;
use std::time::{Duration, Instant};

use testkit::{
    Client, DatabaseServer, Endpoint, Outcome, Proxy, ProxyOptions, ServerOptions, Signal,
    start_mariadbs,
};

const UNITS: [&str; 3] = ["w", "r0", "r1"];

/// The servers do not replicate, so that each answer tells who gave it: nothing but whether they can be
/// reached counts, and what a session has written is nowhere else.
const WATCHED_BY_CONNECTION: &str = "replication: { health: connection, readOwnWrites: off, \
                                     goodLooks: 1, lookIntervalMilliseconds: 50 }\n";

/// Upper bound for what should take milliseconds on a machine that does much else.
const SOON: Duration = Duration::from_secs(60);

/// The servers in the order of [`UNITS`], and the proxy.
pub(crate) struct Setting {
    pub(crate) servers: Vec<DatabaseServer>,
    pub(crate) proxy: Proxy,
}

impl Setting {
    /// With the group `g` over the three units; `balancer` ends its definition.
    pub(crate) async fn build(balancer: &str) -> Self {
        let options =
            ServerOptions { databases: vec!["split".to_owned()], ..ServerOptions::default() };
        let servers = start_mariadbs(3, &options);
        let proxy_options = ProxyOptions {
            files: vec![("anabranch.yaml".to_owned(), WATCHED_BY_CONNECTION.to_owned())],
            ..ProxyOptions::default()
        };
        let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
        let proxy = Proxy::start(binary, &proxy_options).unwrap();
        let setting = Self { servers, proxy };
        for (server, unit) in UNITS.iter().enumerate() {
            let mut direct = setting.direct(server);
            direct.must("CREATE TABLE place (id INT PRIMARY KEY, server VARCHAR(10))").await;
            direct.must(&format!("INSERT INTO place VALUES (1, '{unit}')")).await;
            direct.disconnect().await;
        }
        let mut client = Client::new(setting.endpoint(""));
        client.must("CREATE DATABASE split").await;
        client.must("USE split").await;
        for (server, unit) in UNITS.iter().enumerate() {
            let port = setting.servers[server].port();
            let register = format!(
                "REGISTER STORAGE UNIT {unit} (HOST=\"127.0.0.1\", PORT={port}, DB=\"split\", \
                 USER=\"test\", PASSWORD=\"test\")"
            );
            client.must(&register).await;
        }
        client.must(&definition("CREATE", balancer)).await;
        client.disconnect().await;
        setting.wait_for_rotation(&["r0", "r1"]).await;
        setting
    }

    /// Waits until these replicas, and no others, are read.
    pub(crate) async fn wait_for_rotation(&self, units: &[&str]) {
        let end = Instant::now() + SOON;
        let mut client = self.client();
        loop {
            let show = "SHOW STATUS FROM READWRITE_SPLITTING RULES";
            let mut read = rows(&client.must(show).await);
            read.retain(|row| row[1] == "ENABLED");
            if read.iter().map(|row| row[0].as_str()).eq(units.iter().copied()) {
                client.disconnect().await;
                return;
            }
            assert!(Instant::now() < end, "{read:?} instead of {units:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Changes the group.
    pub(crate) async fn alter(&self, balancer: &str) {
        let mut client = self.client();
        client.must(&definition("ALTER", balancer)).await;
        client.disconnect().await;
    }

    /// Ends a server as a crash does; it accepts nobody any more when this returns.
    pub(crate) async fn kill(&self, server: usize) {
        self.servers[server].signal(Signal::Kill).unwrap();
        while std::net::TcpStream::connect(self.servers[server].address()).is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// A client of the logical database.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.endpoint("split"))
    }

    /// A client of one server.
    pub(crate) fn direct(&self, server: usize) -> Client {
        Client::new(Endpoint::new(self.servers[server].address(), "test", "test", "split"))
    }

    fn endpoint(&self, database: &str) -> Endpoint {
        Endpoint::new(self.proxy.address(), "root", "root", database)
    }
}

fn definition(verb: &str, balancer: &str) -> String {
    format!(
        "{verb} READWRITE_SPLITTING RULE g (WRITE_STORAGE_UNIT=w, READ_STORAGE_UNITS(r0, r1), \
         {balancer})"
    )
}

/// The rows of the last result as text.
pub(crate) fn rows(outcomes: &[Outcome]) -> Vec<Vec<String>> {
    let Some(Outcome::Rows { rows, .. }) = outcomes.last() else { panic!("no rows: {outcomes:?}") };
    let text = |value: &mysql_async::Value| match value {
        mysql_async::Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => other.as_sql(true),
    };
    rows.iter().map(|row| row.iter().map(text).collect()).collect()
}

/// The first value of the first row: in these tests, where it was read.
pub(crate) fn place(outcomes: &[Outcome]) -> String {
    rows(outcomes)[0][0].clone()
}

/// The number of the error that a statement ended with; 0 for none.
pub(crate) fn code(outcomes: &[Outcome]) -> u16 {
    match outcomes.last() {
        Some(Outcome::Error { code, .. }) => *code,
        Some(Outcome::Lost(_)) => u16::MAX,
        _ => 0,
    }
}
