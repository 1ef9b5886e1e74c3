//! The test kit on two plain MariaDB servers: they must agree on every case and every random
//! statement, or the case is at fault; and a difference that is there must be found.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use std::path::{Path, PathBuf};

use testkit::{
    CaseFile, Endpoint, Generator, Pair, Protocol, RunOptions, ServerOptions, run_cases,
    run_random, start_mariadbs,
};

fn case_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../anabranch/tests/oracle")
}

fn options() -> ServerOptions {
    ServerOptions { databases: vec!["cases".to_owned()], ..ServerOptions::default() }
}

#[tokio::test]
async fn two_plain_servers_agree_on_all_cases() {
    let servers = start_mariadbs(2, &options());
    let endpoint = |index: usize| Endpoint::new(servers[index].address(), "test", "test", "cases");
    let mut failures = Vec::new();
    for file in CaseFile::load_folder(&case_folder()).unwrap() {
        for protocol in [Protocol::Text, Protocol::Binary] {
            let mut pair = Pair::new(endpoint(0), endpoint(1));
            let options = RunOptions { protocol, subject_is_proxy: false };
            let report = run_cases(&mut pair, &file, options).await;
            failures.extend(report.failures.iter().map(ToString::to_string));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[tokio::test]
async fn two_plain_servers_agree_on_random_statements() {
    let servers = start_mariadbs(2, &options());
    let endpoint = |index: usize| Endpoint::new(servers[index].address(), "test", "test", "cases");
    let mut pair = Pair::new(endpoint(0), endpoint(1));
    let mut generator = Generator::new(20_240_229);
    for table in generator.tables() {
        pair.compare(&table.create(), Protocol::Text).await.unwrap();
    }
    let mut statements = generator.first_rows();
    for statement in &statements {
        pair.oracle.must(statement).await;
    }
    statements.reverse();
    for statement in &statements {
        pair.subject.must(statement).await;
    }
    let report = run_random(&mut pair, &mut generator, 1500, 20).await;
    println!("{report}");
    assert!(report.differences.is_empty(), "{report}");
    assert!(report.refused.is_empty(), "{report}");
    assert!(report.failed < 15, "most statements have an answer\n{report}");
}

#[tokio::test]
async fn a_difference_is_found_in_both_protocols() {
    let servers = start_mariadbs(2, &options());
    let endpoint = |index: usize| Endpoint::new(servers[index].address(), "test", "test", "cases");
    let mut pair = Pair::new(endpoint(0), endpoint(1));
    pair.compare("CREATE TABLE t (a INT)", Protocol::Text).await.unwrap();
    pair.subject.must("INSERT INTO t VALUES (1)").await;
    for protocol in [Protocol::Text, Protocol::Binary] {
        let difference = pair.compare("SELECT a FROM t", protocol).await.unwrap_err();
        assert_eq!(difference, "expected 0 rows, got 1");
    }
    let difference = pair.compare("SELECT COUNT(*) FROM t", Protocol::Binary).await.unwrap_err();
    assert_eq!(difference, "row 1: expected (0), got (1)".replace("row", "sorted row"));
    let wrong = pair.compare_table("t").await.unwrap_err();
    assert!(wrong.starts_with("table t afterwards"), "{wrong}");
}

#[tokio::test]
async fn a_server_survives_a_crash_with_its_data_and_port() {
    let mut server = testkit::start_mariadb(&options());
    let port = server.port();
    let endpoint = Endpoint::new(server.address(), "test", "test", "cases");
    let mut client = testkit::Client::new(endpoint);
    client.must("CREATE TABLE t (a INT) ENGINE=InnoDB").await;
    client.must("SET GLOBAL innodb_flush_log_at_trx_commit = 1").await;
    client.must("INSERT INTO t VALUES (5)").await;
    server.signal(testkit::Signal::Kill).unwrap();
    let lost = client.run("SELECT a FROM t", Protocol::Text).await;
    assert!(matches!(lost[0], testkit::Outcome::Lost(_)), "{lost:?}");
    server.restart().unwrap();
    assert_eq!(server.port(), port);
    let found = client.must("SELECT a FROM t").await;
    assert_eq!(found[0].summary(), "1 rows of 1 columns");
}

#[tokio::test]
async fn a_real_mysql_starts_where_one_is_named() {
    let Some(server) = testkit::start_mysql(&options()) else {
        println!("passed over: ANABRANCH_MYSQL_ROOT is not set");
        return;
    };
    let mut client = testkit::Client::new(Endpoint::new(server.address(), "test", "test", "cases"));
    client.must("CREATE TABLE t (a INT)").await;
    client.must("INSERT INTO t VALUES (1), (2)").await;
    for protocol in [Protocol::Text, Protocol::Binary] {
        let found = client.run("SELECT a FROM t WHERE a > 1 FOR SHARE", protocol).await;
        assert_eq!(found[0].summary(), "1 rows of 1 columns");
    }
}
