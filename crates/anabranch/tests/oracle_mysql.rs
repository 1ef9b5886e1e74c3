//! The statements of `tests/oracle/*.sql` on MySQL: a proxy over four databases of a MySQL server,
//! and a fifth with all the data. Passed over where `ANABRANCH_MYSQL_ROOT` names no server.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

#[path = "oracle/rules.rs"]
mod rules;

use std::path::Path;

use rules::create_rules;
use testkit::{
    CaseFile, Client, DatabaseServer, Endpoint, Pair, Protocol, Proxy, ProxyOptions, RunOptions,
    ServerOptions, run_cases, start_mysql,
};

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
    let units = (0..4).map(|index| (server.port(), format!("unit_{index}")));
    create_rules(&proxy, units.collect()).await;
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
        // Copies have other indexes than the tables, nodes have other statistics, and so other plans.
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        pair.ignores_plans = name.starts_with("gather") || name == "joins.sql";
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
