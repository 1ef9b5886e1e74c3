//! Storage units, a proxy over them and what the tests ask of both.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use testkit::{
    Client, DatabaseServer, Endpoint, Outcome, Protocol, Proxy, ProxyOptions, ServerOptions,
    start_mariadbs,
};

/// Upper bound for what should take milliseconds on a machine that does much else.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// The table of most tests: even ids on `ds_0`, odd ones on `ds_1`.
const RULE: &str = "CREATE SHARDING TABLE RULE t (STORAGE_UNITS(ds_0, ds_1), \
                    SHARDING_COLUMN=id, TYPE(NAME=\"MOD\", PROPERTIES(\"sharding-count\"=2)))";

/// Two storage units behind a proxy.
pub(crate) struct Setting {
    pub(crate) units: Vec<DatabaseServer>,
    pub(crate) proxy: Proxy,
}

/// The program under test.
pub(crate) fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_anabranch"))
}

impl Setting {
    /// With the defaults.
    pub(crate) async fn build() -> Self {
        Self::build_with("", &ProxyOptions::default()).await
    }

    /// With these pool properties, such as `"maxPoolSize"=1`.
    pub(crate) async fn build_with(properties: &str, options: &ProxyOptions) -> Self {
        let servers = ServerOptions {
            databases: vec!["faults".to_owned()],
            arguments: vec!["--innodb-flush-log-at-trx-commit=1".to_owned()],
            ..ServerOptions::default()
        };
        let units = start_mariadbs(2, &servers);
        let proxy = Proxy::start(binary(), options).unwrap();
        let setting = Self { units, proxy };
        let mut client = Client::new(setting.endpoint(""));
        client.must("CREATE DATABASE faults").await;
        client.must("USE faults").await;
        for (index, unit) in setting.units.iter().enumerate() {
            let port = unit.port();
            let register = format!(
                "REGISTER STORAGE UNIT ds_{index} (HOST=\"127.0.0.1\", PORT={port}, \
                 DB=\"faults\", USER=\"test\", PASSWORD=\"test\"{properties})"
            );
            client.must(&register).await;
        }
        client.must(RULE).await;
        client.must("CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL)").await;
        client.must("INSERT INTO t VALUES (0, 0), (1, 1), (2, 2), (3, 3)").await;
        client.disconnect().await;
        setting
    }

    /// As the administrator.
    pub(crate) fn endpoint(&self, database: &str) -> Endpoint {
        Endpoint::new(self.proxy.address(), "root", "root", database)
    }

    /// A client of the database.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.endpoint("faults"))
    }

    /// A client of one storage unit.
    pub(crate) fn direct(&self, unit: usize) -> Client {
        Client::new(Endpoint::new(self.units[unit].address(), "test", "test", "faults"))
    }

    /// What the proxy counts of itself.
    pub(crate) async fn gauges(&self) -> BTreeMap<String, i64> {
        let mut client = Client::new(self.endpoint(""));
        let rows = rows(&client.must("SHOW STATUS LIKE 'anabranch%'").await);
        client.disconnect().await;
        let number = |row: &Vec<String>| (row[0].clone(), row[1].parse().unwrap());
        rows.iter().map(number).collect()
    }

    /// Waits until no client but the one that asks is there and nothing is left of any other.
    pub(crate) async fn must_be_clean(&self) {
        let end = Instant::now() + SOON;
        loop {
            let gauges = self.gauges().await;
            let left = |name: &str| gauges[&format!("anabranch_{name}")];
            let now = [
                left("client_connections"),
                left("pinned_sessions"),
                left("client_prepared_statements"),
            ];
            if now == [1, 0, 0] {
                return;
            }
            assert!(Instant::now() < end, "left behind: {now:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a statement with this text runs on a unit.
    pub(crate) async fn wait_for_statement(&self, unit: usize, text: &str) {
        let ask = format!(
            "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '{text}%'"
        );
        self.wait_for(unit, &ask, |count| count != "0").await;
    }

    /// Waits until no statement with this text runs on a unit any more.
    pub(crate) async fn wait_for_end(&self, unit: usize, text: &str) {
        let ask = format!(
            "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '{text}%'"
        );
        self.wait_for(unit, &ask, |count| count == "0").await;
    }

    /// Asks a unit until its answer is right.
    pub(crate) async fn wait_for(&self, unit: usize, ask: &str, is_right: impl Fn(&str) -> bool) {
        let mut client = self.direct(unit);
        let end = Instant::now() + SOON;
        loop {
            let value = rows(&client.must(ask).await)[0][0].clone();
            if is_right(&value) {
                client.disconnect().await;
                return;
            }
            assert!(Instant::now() < end, "{ask}: {value}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
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

/// The number of the error that a statement ended with; 0 for none.
pub(crate) fn code(outcomes: &[Outcome]) -> u16 {
    match outcomes.last() {
        Some(Outcome::Error { code, .. }) => *code,
        Some(Outcome::Lost(_)) => u16::MAX,
        _ => 0,
    }
}

/// The text of the error that a statement ended with.
pub(crate) fn message(outcomes: &[Outcome]) -> String {
    match outcomes.last() {
        Some(Outcome::Error { message, .. } | Outcome::Lost(message)) => message.clone(),
        other => panic!("no error: {other:?}"),
    }
}

/// Runs a statement as text.
pub(crate) async fn run(client: &mut Client, sql: &str) -> Vec<Outcome> {
    client.run(sql, Protocol::Text).await
}
