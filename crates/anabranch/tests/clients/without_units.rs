//! A proxy that was just started has no storage unit yet; clients must be able to connect and to
//! register some.

use std::path::Path;

use protocol::capability::Capabilities;
use testkit::{Proxy, ProxyOptions};

use crate::wire::{Reply, Wire};

fn start() -> (Proxy, Wire) {
    let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
    let proxy = Proxy::start(binary, &ProxyOptions::default()).unwrap();
    let mut client = Wire::connect(proxy.address(), "", Capabilities::NONE);
    client.must("CREATE DATABASE empty");
    client.must("USE empty");
    (proxy, client)
}

#[test]
fn what_drivers_ask_when_they_connect_is_answered() {
    let (_proxy, mut client) = start();
    for (sql, expected) in [
        ("select @@version_comment limit 1", "Anabranch"),
        ("select DATABASE(), USER() limit 1", "empty|test@127.0.0.1"),
        ("SELECT 1", "1"),
        ("SELECT 'a' AS x, NULL, TRUE", "a|NULL|1"),
        ("SELECT @@max_allowed_packet", "67108864"),
        ("SELECT @@autocommit, @@session.tx_isolation", "1|REPEATABLE-READ"),
        (
            "/* mysql-connector-j */SELECT  @@session.auto_increment_increment AS \
             auto_increment_increment, @@character_set_client AS character_set_client, \
             @@character_set_connection AS character_set_connection, @@character_set_results AS \
             character_set_results, @@character_set_server AS character_set_server, \
             @@collation_server AS collation_server, @@collation_connection AS \
             collation_connection, @@init_connect AS init_connect, @@interactive_timeout AS \
             interactive_timeout, @@license AS license, @@lower_case_table_names AS \
             lower_case_table_names, @@max_allowed_packet AS max_allowed_packet, \
             @@net_write_timeout AS net_write_timeout, @@performance_schema AS \
             performance_schema, @@sql_mode AS sql_mode, @@system_time_zone AS system_time_zone, \
             @@time_zone AS time_zone, @@transaction_isolation AS transaction_isolation, \
             @@wait_timeout AS wait_timeout",
            "1|utf8mb4|utf8mb4|utf8mb4|utf8mb4|utf8mb4_general_ci|utf8mb4_general_ci||28800|\
             Apache-2.0|0|67108864|60|0|ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,\
             NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION|UTC|SYSTEM|\
             REPEATABLE-READ|28800",
        ),
    ] {
        assert_eq!(client.line(sql), expected, "{sql}");
    }
    for sql in ["SET NAMES utf8mb4", "SET autocommit=1", "SET character_set_results = NULL"] {
        client.must(sql);
    }
    assert_eq!(client.line("SELECT @@character_set_results"), "NULL");
    let variables =
        client.must("SHOW VARIABLES WHERE Variable_name IN ('sql_notes', 'wait_timeout')");
    assert_eq!(variables.rows().texts(), [["sql_notes", "ON"], ["wait_timeout", "28800"]]);
}

#[test]
fn what_the_session_sets_is_what_it_reads() {
    let (_proxy, mut client) = start();
    client.must("SET @old = @@sql_mode, sql_mode = 'ANSI_QUOTES', @n = 5, wait_timeout = 100");
    assert_eq!(
        client.line("SELECT @@sql_mode, @n, @@wait_timeout, @@foreign_key_checks"),
        "ANSI_QUOTES|5|100|1"
    );
    client.must("SET sql_mode = @old, foreign_key_checks = OFF");
    assert!(client.line("SELECT @@sql_mode").starts_with("ONLY_FULL_GROUP_BY,"));
    assert_eq!(client.line("SELECT @@foreign_key_checks"), "0");
    client.must("SET NAMES latin1 COLLATE latin1_german1_ci");
    let names = client.line("SELECT @@character_set_client, @@collation_connection");
    assert_eq!(names, "latin1|latin1_german1_ci");
}

#[test]
fn what_needs_a_unit_says_so() {
    let (_proxy, mut client) = start();
    for (sql, code) in [
        ("SELECT 1 + 1", 10101),
        ("SELECT NOW()", 10101),
        ("SELECT @@no_such_variable", 1193),
        ("SELECT * FROM t", 1146),
        ("SET @a = 1 + 1", 30001),
    ] {
        let reply = client.one(sql);
        assert!(matches!(&reply, Reply::Err { .. }), "{sql}: {reply:?}");
        assert_eq!(reply.code(), code, "{sql}");
    }
}
