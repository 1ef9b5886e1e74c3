//! The statements of `tests/oracle/*.sql` on MySQL: a proxy over four databases of a MySQL server,
//! and a fifth with all the data. Passed over where `ANABRANCH_MYSQL_ROOT` names no server.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use std::path::Path;

use testkit::{
    CaseFile, Client, DatabaseServer, Endpoint, Pair, Protocol, Proxy, ProxyOptions, RunOptions,
    ServerOptions, run_cases, start_mysql,
};

/// The sharded tables of the cases: name, sharding column, algorithm and its count.
const RULES: &[(&str, &str, &str, u32)] =
    &[("t_mod", "id", "MOD", 4), ("t_user", "id", "MOD", 10), ("t_hash", "code", "HASH_MOD", 4)];

/// An empty database with all the data, four empty ones for the units, and a proxy over them.
async fn build(server: &DatabaseServer) -> (Proxy, Pair) {
    let mut direct = Client::new(Endpoint::new(server.address(), "test", "test", ""));
    for database in ["cases", "unit_0", "unit_1", "unit_2", "unit_3"] {
        direct.must(&format!("DROP DATABASE IF EXISTS {database}")).await;
        direct.must(&format!("CREATE DATABASE {database}")).await;
    }
    direct.disconnect().await;
    let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
    let proxy = Proxy::start(binary, &ProxyOptions::default()).unwrap();
    let mut client = Client::new(Endpoint::new(proxy.address(), "root", "root", ""));
    client.must("CREATE DATABASE cases").await;
    client.must("USE cases").await;
    let unit = |index: u8| {
        format!(
            "ds_{index} (HOST=\"127.0.0.1\", PORT={}, DB=\"unit_{index}\", USER=\"test\", \
             PASSWORD=\"test\")",
            server.port()
        )
    };
    let units: Vec<String> = (0..4).map(unit).collect();
    client.must(&format!("REGISTER STORAGE UNIT {}", units.join(", "))).await;
    for (table, column, algorithm, count) in RULES {
        let rule = format!(
            "CREATE SHARDING TABLE RULE {table} (STORAGE_UNITS(ds_0, ds_1, ds_2, ds_3), \
             SHARDING_COLUMN={column}, TYPE(NAME=\"{algorithm}\", \
             PROPERTIES(\"sharding-count\"={count})))"
        );
        client.must(&rule).await;
    }
    client.disconnect().await;
    let pair = Pair::new(
        Endpoint::new(server.address(), "test", "test", "cases"),
        Endpoint::new(proxy.address(), "root", "root", "cases"),
    );
    (proxy, pair)
}

#[tokio::test]
async fn the_answers_are_those_of_one_mysql() {
    let Some(server) = start_mysql(&ServerOptions::default()) else {
        println!("passed over: ANABRANCH_MYSQL_ROOT is not set");
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let mut failures = Vec::new();
    for file in CaseFile::load_folder(&folder).unwrap() {
        let (_proxy, mut pair) = build(&server).await;
        for protocol in [Protocol::Text, Protocol::Binary] {
            let options = RunOptions { protocol, subject_is_proxy: true };
            let report = run_cases(&mut pair, &file, options).await;
            println!("{}, {protocol:?}: {} run", file.path.display(), report.run);
            failures
                .extend(report.failures.iter().map(|failure| format!("{protocol:?} {failure}")));
        }
        pair.oracle.disconnect().await;
        pair.subject.disconnect().await;
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
