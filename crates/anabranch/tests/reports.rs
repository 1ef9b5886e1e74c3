//! What users of sharding proxies reported as broken, as statements with the right value: through
//! the proxy over two units with explicit data nodes, and on one MariaDB with all the data.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use std::path::Path;

use testkit::{
    CaseFile, Client, DatabaseServer, Endpoint, Pair, Protocol, Proxy, ProxyOptions, RunOptions,
    ServerOptions, run_cases, start_mariadbs,
};

/// Two units with two tables each, chosen by two columns.
const RULES: &[&str] = &[
    r#"CREATE SHARDING TABLE RULE t_order (
        DATANODES("ds_${0..1}.t_order_${0..1}"),
        DATABASE_STRATEGY(TYPE="standard", SHARDING_COLUMN=user_id,
            SHARDING_ALGORITHM(TYPE(NAME="inline",
                PROPERTIES("algorithm-expression"="ds_${Math.abs(user_id % 2)}",
                    "allow-range-query-with-inline-sharding"="true")))),
        TABLE_STRATEGY(TYPE="standard", SHARDING_COLUMN=order_id,
            SHARDING_ALGORITHM(TYPE(NAME="inline",
                PROPERTIES("algorithm-expression"="t_order_${Math.abs(order_id % 2)}",
                    "allow-range-query-with-inline-sharding"="true"))))
    )"#,
    r#"CREATE SHARDING TABLE RULE t_loose (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN=id,
        TYPE(NAME="MOD", PROPERTIES("sharding-count"=3)))"#,
    r#"CREATE SHARDING TABLE RULE t_shot (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN=id,
        TYPE(NAME="MOD", PROPERTIES("sharding-count"=2)))"#,
    r#"CREATE SHARDING TABLE RULE t_alert (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN=id,
        TYPE(NAME="MOD", PROPERTIES("sharding-count"=3)))"#,
];

/// Two storage units behind a proxy, and one server beside them.
struct Setting {
    _units: Vec<DatabaseServer>,
    oracle: DatabaseServer,
    proxy: Proxy,
}

impl Setting {
    async fn build() -> Self {
        let options =
            ServerOptions { databases: vec!["cases".to_owned()], ..ServerOptions::default() };
        let mut units = start_mariadbs(3, &options);
        let oracle = units.pop().unwrap();
        let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
        let proxy = Proxy::start(binary, &ProxyOptions::default()).unwrap();
        let mut client = Client::new(Endpoint::new(proxy.address(), "root", "root", ""));
        client.must("CREATE DATABASE cases").await;
        client.must("USE cases").await;
        for (index, unit) in units.iter().enumerate() {
            let register = format!(
                "REGISTER STORAGE UNIT ds_{index} (HOST=\"127.0.0.1\", PORT={}, DB=\"cases\", \
                 USER=\"test\", PASSWORD=\"test\")",
                unit.port()
            );
            client.must(&register).await;
        }
        for rule in RULES {
            client.must(rule).await;
        }
        Self { _units: units, oracle, proxy }
    }

    fn pair(&self) -> Pair {
        Pair::new(
            Endpoint::new(self.oracle.address(), "test", "test", "cases"),
            Endpoint::new(self.proxy.address(), "root", "root", "cases"),
        )
    }
}

async fn run_file(name: &str) {
    let setting = Setting::build().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports");
    let file = CaseFile::load(&folder.join(name)).unwrap();
    let mut failures = Vec::new();
    for protocol in [Protocol::Text, Protocol::Binary] {
        let options = RunOptions { protocol, subject_is_proxy: true };
        let report = run_cases(&mut setting.pair(), &file, options).await;
        failures.extend(report.failures.iter().map(|failure| format!("{protocol:?} {failure}")));
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[tokio::test]
async fn routing() {
    run_file("routing.sql").await;
}

#[tokio::test]
async fn merging() {
    run_file("merging.sql").await;
}

#[tokio::test]
async fn joining() {
    run_file("joining.sql").await;
}
