//! Read/write splitting on real servers. The replicas are plain servers whose rows say where they are,
//! so that every answer tells which server gave it.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

#[path = "readwrite/setting.rs"]
mod setting;

use setting::{Setting, code, place, rows};
use testkit::Protocol;

const READ: &str = "SELECT server FROM place WHERE id = 1";

#[tokio::test]
async fn reads_go_to_the_replicas_in_turn_and_changes_to_the_primary() {
    let setting = Setting::build("TYPE(NAME=\"ROUND_ROBIN\")").await;
    let mut client = setting.client();
    for protocol in [Protocol::Text, Protocol::Binary] {
        let mut places = Vec::new();
        for _ in 0..4 {
            places.push(place(&client.run(READ, protocol).await));
        }
        places.sort();
        assert_eq!(places, ["r0", "r0", "r1", "r1"], "{protocol:?}");
    }
    client.must("UPDATE place SET server = 'changed' WHERE id = 1").await;
    client.must("INSERT INTO place VALUES (2, 'new')").await;
    client.must("CREATE TABLE made (id INT)").await;
    let count = "SELECT COUNT(*) FROM place WHERE server IN ('changed', 'new')";
    let made = "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'made'";
    for (server, (changed, tables)) in [("2", "1"), ("0", "0"), ("0", "0")].iter().enumerate() {
        let mut direct = setting.direct(server);
        assert_eq!(rows(&direct.must(count).await), [[*changed]], "server {server}");
        assert_eq!(rows(&direct.must(made).await), [[*tables]], "server {server}");
    }
}

/// Category D: what is no read for certain must not be sent to a replica.
#[tokio::test]
async fn what_is_no_read_for_certain_goes_to_the_primary() {
    let setting = Setting::build("TYPE(NAME=\"RANDOM\")").await;
    setting
        .direct(0)
        .must("CREATE FUNCTION own() RETURNS INT DETERMINISTIC RETURN 1")
        .await;
    let mut client = setting.client();
    for text in [
        "SELECT server FROM place WHERE id = 1 FOR UPDATE",
        "SELECT server FROM place WHERE id = 1 LOCK IN SHARE MODE",
        "SELECT server, LAST_INSERT_ID() FROM place WHERE id = 1",
        "SELECT server FROM place WHERE id = 1 AND LAST_INSERT_ID() >= 0",
        "SELECT server, @n := 1 FROM place WHERE id = 1",
        "SELECT server, @@sql_mode FROM place WHERE id = 1",
        "SELECT server, own() FROM place WHERE id = 1",
        "SELECT server, SLEEP(0) FROM place WHERE id = 1",
        "SELECT server, UUID_SHORT() FROM place WHERE id = 1",
        "SELECT server, IS_FREE_LOCK('a') FROM place WHERE id = 1",
        "SELECT server FROM place WHERE id = (SELECT id FROM place WHERE id = 1 FOR UPDATE)",
        "SELECT server FROM (SELECT server, own() FROM place WHERE id = 1) AS d",
        "SELECT SQL_CALC_FOUND_ROWS server FROM place WHERE id = 1",
        "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ SELECT server FROM place WHERE id = 1",
        "/* ShardingSphere hint: writeRouteOnly=true */ SELECT server FROM place WHERE id = 1",
        "SELECT server FROM place WHERE id = 1 /* writeRouteOnly:true */",
    ] {
        for protocol in [Protocol::Text, Protocol::Binary] {
            let outcomes = client.run(text, protocol).await;
            assert_eq!(place(&outcomes), "w", "{text} ({protocol:?})");
        }
    }
    for text in [
        "SELECT UPPER(server) FROM place WHERE id = 1",
        "SELECT MAX(server), COUNT(*) FROM place WHERE id = 1",
        "SELECT server FROM place WHERE id = 1 AND NOW() > '2000-01-01' ORDER BY RAND()",
        "SELECT server FROM (SELECT server FROM place WHERE id = 1) AS d",
        "SELECT server FROM place WHERE id = 1 UNION SELECT server FROM place WHERE id = 1",
        "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=false */ SELECT server FROM place WHERE id = 1",
    ] {
        let found = place(&client.must(text).await).to_lowercase();
        assert!(found.starts_with('r'), "{text}: {found}");
    }
}

#[tokio::test]
async fn the_hint_of_the_session_forces_the_primary() {
    let setting = Setting::build("TYPE(NAME=\"RANDOM\")").await;
    let mut client = setting.client();
    let show = "SHOW READWRITE_SPLITTING HINT STATUS";
    assert_eq!(place(&client.must(show).await), "auto");
    client.must("SET READWRITE_SPLITTING HINT SOURCE = write").await;
    assert_eq!(place(&client.must(show).await), "write");
    assert_eq!(place(&client.must(READ).await), "w");
    client.must("CLEAR READWRITE_SPLITTING HINT").await;
    assert_ne!(place(&client.must(READ).await), "w");
}

#[tokio::test]
async fn reads_of_a_transaction_go_where_the_rule_says() {
    let setting = Setting::build("TYPE(NAME=\"ROUND_ROBIN\")").await;
    let mut client = setting.client();
    client.must("BEGIN").await;
    assert_eq!(place(&client.must(READ).await), "w", "the plain balancers stay on the primary");
    client.must("COMMIT").await;

    setting.alter("TYPE(NAME=\"FIXED_REPLICA_ROUND_ROBIN\")").await;
    for begin in ["BEGIN", "START TRANSACTION READ ONLY", "SET autocommit = 0"] {
        client.must(begin).await;
        let first = place(&client.must(READ).await);
        assert!(first.starts_with('r'), "{begin}: {first}");
        for _ in 0..3 {
            assert_eq!(place(&client.must(READ).await), first, "{begin}");
        }
        client.must("COMMIT").await;
        client.must("SET autocommit = 1").await;
    }
    for change in ["UPDATE place SET id = id WHERE id = 1", "SELECT 1 FROM place FOR UPDATE"] {
        client.must("BEGIN").await;
        assert_ne!(place(&client.must(READ).await), "w");
        client.must(change).await;
        assert_eq!(place(&client.must(READ).await), "w", "after {change}");
        client.must("ROLLBACK").await;
        assert_ne!(place(&client.must(READ).await), "w", "after the end");
    }
    client.must("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE").await;
    client.must("BEGIN").await;
    assert_eq!(place(&client.must(READ).await), "w", "serializable");
    client.must("COMMIT").await;
    client.must("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ").await;

    setting.alter("TRANSACTIONAL_READ_QUERY_STRATEGY='DYNAMIC', TYPE(NAME=\"ROUND_ROBIN\")").await;
    client.must("BEGIN").await;
    let first = place(&client.must(READ).await);
    let second = place(&client.must(READ).await);
    assert!(first.starts_with('r') && second.starts_with('r') && first != second);
    client.must("COMMIT").await;
}

#[tokio::test]
async fn temporary_tables_keep_the_session_on_the_primary() {
    let setting = Setting::build("TYPE(NAME=\"RANDOM\")").await;
    let mut client = setting.client();
    client.must("CREATE TEMPORARY TABLE own (id INT)").await;
    assert_eq!(place(&client.must(READ).await), "w");
    assert_eq!(place(&client.must("SELECT COUNT(*) FROM own").await), "0");
}

#[tokio::test]
async fn a_replica_that_is_down_is_passed_over() {
    let mut setting = Setting::build("TYPE(NAME=\"ROUND_ROBIN\")").await;
    let mut client = setting.client();
    client.must(READ).await;
    setting.kill(1).await;
    for _ in 0..4 {
        assert_eq!(place(&client.must(READ).await), "r1");
    }
    setting.kill(2).await;
    for protocol in [Protocol::Text, Protocol::Binary] {
        assert_eq!(place(&client.run(READ, protocol).await), "w");
    }
    setting.servers[1].restart().unwrap();
    setting.wait_for_rotation(&["r0"]).await;
    let mut places = Vec::new();
    for _ in 0..4 {
        places.push(place(&client.must(READ).await));
    }
    assert!(places.iter().all(|found| found == "r0"), "{places:?}");
}

#[tokio::test]
async fn a_replica_that_is_switched_off_stays_so() {
    let mut setting = Setting::build("TYPE(NAME=\"ROUND_ROBIN\")").await;
    let mut client = setting.client();
    client.must("ALTER READWRITE_SPLITTING RULE g DISABLE r0").await;
    setting.proxy.restart().unwrap();
    setting.wait_for_rotation(&["r1"]).await;
    let mut client = setting.client();
    let status = rows(&client.must("SHOW STATUS FROM READWRITE_SPLITTING RULES").await);
    assert_eq!(status, [["r0", "DISABLED"], ["r1", "ENABLED"]]);
    for _ in 0..3 {
        assert_eq!(place(&client.must(READ).await), "r1");
    }
    let last = client.run("ALTER READWRITE_SPLITTING RULE g DISABLE r1", Protocol::Text).await;
    assert_eq!(code(&last), 10200);
    client.must("ALTER READWRITE_SPLITTING RULE g ENABLE r0").await;
    let two = [place(&client.must(READ).await), place(&client.must(READ).await)];
    assert_ne!(two[0], two[1]);
}

#[tokio::test]
async fn a_group_is_a_storage_unit_of_a_sharding_rule() {
    let setting = Setting::build("TYPE(NAME=\"RANDOM\")").await;
    let mut client = setting.client();
    client.must("DROP READWRITE_SPLITTING RULE g").await;
    client
        .must("CREATE READWRITE_SPLITTING RULE g (WRITE_STORAGE_UNIT=w, READ_STORAGE_UNITS(r0))")
        .await;
    setting.wait_for_rotation(&["r0"]).await;
    client
        .must(
            "CREATE SHARDING TABLE RULE t (STORAGE_UNITS(g, r1), SHARDING_COLUMN=id, \
             TYPE(NAME=\"MOD\", PROPERTIES(\"sharding-count\"=2)))",
        )
        .await;
    client.must("CREATE TABLE t (id INT PRIMARY KEY, server VARCHAR(10))").await;
    client.must("INSERT INTO t VALUES (0, 'w'), (1, 'r1')").await;
    let mut replica = setting.direct(1);
    replica.must("CREATE TABLE t_0 (id INT PRIMARY KEY, server VARCHAR(10))").await;
    replica.must("INSERT INTO t_0 VALUES (0, 'r0')").await;

    let all = rows(&client.must("SELECT id, server FROM t ORDER BY id").await);
    assert_eq!(all, [["0", "r0"], ["1", "r1"]]);
    let locked = rows(&client.must("SELECT id, server FROM t ORDER BY id FOR UPDATE").await);
    assert_eq!(locked, [["0", "w"], ["1", "r1"]]);
    let route = rows(&client.must("EXPLAIN ROUTE SELECT server FROM t WHERE id = 0").await);
    assert_eq!(route[0][0], "r0");
    assert!(route[0][2].contains("a replica of g"), "{route:?}");
    let used = client.run("DROP READWRITE_SPLITTING RULE g", Protocol::Text).await;
    assert_eq!(code(&used), 10203);
    let unit = client.run("UNREGISTER STORAGE UNIT r0", Protocol::Text).await;
    assert_eq!(code(&unit), 10103);
}
