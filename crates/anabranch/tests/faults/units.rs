//! Storage units that die, hang, fill up or refuse.

use std::time::{Duration, Instant};

use testkit::{Protocol, ProxyOptions, Signal};

use crate::setting::{SOON, Setting, code, message, rows, run};

/// Lost while the statement ran.
const LOST: u16 = 13200;
/// Cannot be reached.
const UNREACHABLE: u16 = 10110;

#[tokio::test]
async fn a_unit_killed_in_a_statement_is_an_error_and_others_work() {
    let mut setting = Setting::build().await;
    let (mut victim, mut fan_out, mut other) =
        (setting.client(), setting.client(), setting.client());
    let one = tokio::spawn(async move {
        let sql = "SELECT SLEEP(600), 'one' FROM t WHERE id = 0";
        let outcomes = run(&mut victim, sql).await;
        (outcomes, Instant::now(), victim)
    });
    // Its second unit works on; the client is told all the same.
    let all = tokio::spawn(async move {
        let sql = "SELECT SLEEP(600), 'all' FROM t ORDER BY id";
        let outcomes = run(&mut fan_out, sql).await;
        (outcomes, Instant::now(), fan_out)
    });
    for unit in [0, 1] {
        setting.wait_for_statement(unit, "SELECT SLEEP(600), ''all''").await;
    }
    setting.wait_for_statement(0, "SELECT SLEEP(600), ''one''").await;
    let killed = Instant::now();
    setting.units[0].signal(Signal::Kill).unwrap();
    for waiting in [one, all] {
        let (outcomes, told, mut client) = waiting.await.unwrap();
        assert!([LOST, UNREACHABLE].contains(&code(&outcomes)), "{outcomes:?}");
        assert!(told - killed < Duration::from_secs(5), "{:?}", told - killed);
        assert_eq!(rows(&client.must("SELECT v FROM t WHERE id = 1").await), [["1"]]);
        client.disconnect().await;
    }
    setting.wait_for_end(1, "SELECT SLEEP(600)").await;
    assert_eq!(code(&run(&mut other, "SELECT v FROM t WHERE id = 2").await), UNREACHABLE);
    assert_eq!(code(&run(&mut other, "SELECT v FROM t ORDER BY id").await), UNREACHABLE);
    setting.units[0].restart().unwrap();
    assert_eq!(rows(&other.must("SELECT COUNT(*) FROM t").await), [["4"]]);
    other.disconnect().await;
    setting.must_be_clean().await;
}

#[tokio::test]
async fn a_transaction_that_lost_a_unit_is_failed_until_rollback() {
    let mut setting = Setting::build().await;
    for autocommit in ["BEGIN", "SET autocommit = 0"] {
        let mut client = setting.client();
        client.must(autocommit).await;
        client.must("UPDATE t SET v = 100 WHERE id = 0").await;
        client.must("UPDATE t SET v = 100 WHERE id = 1").await;
        setting.units[0].signal(Signal::Kill).unwrap();
        let lost = run(&mut client, "UPDATE t SET v = 101 WHERE id = 0").await;
        assert_eq!(code(&lost), LOST, "{lost:?}");
        // The other unit is rolled back, and nothing runs outside the transaction by mistake.
        let untouched = "SELECT v FROM t_1 WHERE id = 1 FOR UPDATE";
        setting.wait_for(1, untouched, |value| value == "1").await;
        let refused = run(&mut client, "UPDATE t SET v = 102 WHERE id = 1").await;
        assert_eq!(code(&refused), 1180, "{refused:?}");
        setting.units[0].restart().unwrap();
        assert_eq!(code(&run(&mut client, "SELECT v FROM t WHERE id = 0").await), 1180);
        client.must("ROLLBACK").await;
        let values = rows(&client.must("SELECT v FROM t ORDER BY id").await);
        assert_eq!(values, [["0"], ["1"], ["2"], ["3"]]);
        client.must("COMMIT").await;
        client.disconnect().await;
    }
    setting.must_be_clean().await;
}

#[tokio::test]
async fn commit_with_a_dead_unit_says_which_units_have_committed() {
    let mut setting = Setting::build().await;
    let mut client = setting.client();
    client.must("BEGIN").await;
    client.must("UPDATE t SET v = v + 10").await;
    setting.units[0].signal(Signal::Kill).unwrap();
    let committed = run(&mut client, "COMMIT").await;
    assert_eq!(code(&committed), LOST);
    let text = message(&committed);
    assert!(text.contains("ds_0") && text.contains("committed on: ds_1"), "{text}");
    setting.units[0].restart().unwrap();
    let values = rows(&client.must("SELECT v FROM t ORDER BY id").await);
    assert_eq!(values, [["0"], ["11"], ["2"], ["13"]]);
    client.disconnect().await;
    setting.must_be_clean().await;
}

#[tokio::test]
async fn a_write_that_fails_on_one_unit_is_undone_on_all() {
    let setting = Setting::build().await;
    let mut client = setting.client();
    let duplicate = "INSERT INTO t VALUES (4, 4), (5, 5), (1, 1)";
    assert_eq!(code(&run(&mut client, duplicate).await), 1062);
    assert_eq!(rows(&client.must("SELECT COUNT(*) FROM t").await), [["4"]]);
    client.must("BEGIN").await;
    client.must("INSERT INTO t VALUES (6, 6), (7, 7)").await;
    assert_eq!(code(&run(&mut client, duplicate).await), 1062);
    client.must("COMMIT").await;
    let ids = rows(&client.must("SELECT id FROM t ORDER BY id").await);
    assert_eq!(ids, [["0"], ["1"], ["2"], ["3"], ["6"], ["7"]]);
    client.disconnect().await;
    setting.must_be_clean().await;
}

#[tokio::test]
async fn dead_idle_connections_never_reach_a_client() {
    let mut setting = Setting::build().await;
    let mut client = setting.client();
    for protocol in [Protocol::Text, Protocol::Binary] {
        for (index, sql) in ["SELECT v FROM t WHERE id = 0", "SELECT v FROM t ORDER BY id LIMIT 1"]
            .into_iter()
            .enumerate()
        {
            assert_eq!(code(&client.run(sql, protocol).await), 0);
            // What wait_timeout, a firewall and a restart do, seen from the proxy.
            let mut direct = setting.direct(0);
            let ids = "SELECT id FROM information_schema.processlist \
                       WHERE command = 'Sleep' AND id <> CONNECTION_ID()";
            for id in rows(&direct.must(ids).await) {
                run(&mut direct, &format!("KILL {}", id[0])).await;
            }
            direct.disconnect().await;
            assert_eq!(code(&client.run(sql, protocol).await), 0, "{index} {protocol:?}");
            setting.units[0].restart().unwrap();
            assert_eq!(code(&client.run(sql, protocol).await), 0, "{index} {protocol:?}");
        }
    }
    client.disconnect().await;
    setting.must_be_clean().await;
}

#[tokio::test]
async fn a_unit_that_was_down_at_the_start_is_used_when_it_is_up() {
    let mut setting = Setting::build().await;
    setting.units[0].stop().unwrap();
    setting.proxy.restart().unwrap();
    let mut client = setting.client();
    assert_ne!(code(&run(&mut client, "SELECT v FROM t WHERE id = 0").await), 0);
    setting.units[0].restart().unwrap();
    let end = Instant::now() + SOON;
    while code(&run(&mut client, "SELECT v FROM t WHERE id = 0").await) != 0 {
        assert!(Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(rows(&client.must("SELECT COUNT(*) FROM t").await), [["4"]]);
}

#[tokio::test]
async fn a_hung_unit_holds_up_nobody_else() {
    let options = ProxyOptions {
        files: vec![(
            "anabranch.yaml".to_owned(),
            "backend: { connectTimeoutMilliseconds: 500 }\n".to_owned(),
        )],
        ..ProxyOptions::default()
    };
    let mut setting = Setting::build_with("", &options).await;
    let mut stuck = setting.client();
    stuck.must("SELECT v FROM t WHERE id = 0").await;
    setting.units[0].signal(Signal::Freeze).unwrap();
    let stuck = tokio::spawn(async move {
        let outcomes = run(&mut stuck, "SELECT v FROM t WHERE id = 0").await;
        stuck.disconnect().await;
        outcomes
    });
    let mut client = setting.client();
    for _ in 0..20 {
        client.must("SELECT v FROM t WHERE id = 1").await;
    }
    let mut killer = setting.client();
    let listed = rows(&killer.must("SHOW PROCESSLIST").await);
    let id = &listed.iter().find(|row| row[4] == "Query").unwrap()[0];
    killer.must(&format!("KILL {id}")).await;
    assert_eq!(code(&stuck.await.unwrap()), u16::MAX);
    let refused = run(&mut client, "SELECT v FROM t WHERE id = 0").await;
    assert_eq!(code(&refused), UNREACHABLE, "{refused:?}");
    client.must("SELECT v FROM t WHERE id = 1").await;
    setting.units[0].signal(Signal::Resume).unwrap();
    client.must("SELECT v FROM t WHERE id = 0").await;
    client.disconnect().await;
    killer.disconnect().await;
    setting.must_be_clean().await;
    setting.proxy.stop().unwrap();
}

#[tokio::test]
async fn a_full_pool_is_an_error_in_time_and_leaks_nothing() {
    let pool = ", PROPERTIES(\"maxPoolSize\"=1, \"connectionTimeoutMilliseconds\"=400)";
    let setting = Setting::build_with(pool, &ProxyOptions::default()).await;
    let mut holder = setting.client();
    holder.must("BEGIN").await;
    holder.must("UPDATE t SET v = v WHERE id = 0").await;
    let mut client = setting.client();
    for _ in 0..3 {
        assert_eq!(code(&run(&mut client, "SELECT v FROM t WHERE id = 0").await), 13000);
        assert_eq!(code(&run(&mut client, "SELECT v FROM t ORDER BY id").await), 13000);
        client.must("SELECT v FROM t WHERE id = 1").await;
    }
    holder.must("COMMIT").await;
    client.must("SELECT v FROM t ORDER BY id").await;
    holder.disconnect().await;
    client.disconnect().await;
    setting.must_be_clean().await;
    assert!(setting.gauges().await["anabranch_backend_connections"] <= 2);
}

#[tokio::test]
async fn many_fan_outs_over_small_pools_all_end() {
    let pool = ", PROPERTIES(\"maxPoolSize\"=2)";
    let setting = Setting::build_with(pool, &ProxyOptions::default()).await;
    let mut clients = Vec::new();
    for number in 0..24 {
        let mut client = setting.client();
        clients.push(tokio::spawn(async move {
            for round in 0..20 {
                let sql = match (number + round) % 4 {
                    0 => "UPDATE t SET v = v + 1 WHERE id = 0",
                    1 => "SELECT v FROM t WHERE id = 1",
                    _ => "SELECT id FROM t ORDER BY id",
                };
                client.must(sql).await;
            }
            client.disconnect().await;
        }));
    }
    for client in clients {
        client.await.unwrap();
    }
    setting.must_be_clean().await;
    assert!(setting.gauges().await["anabranch_backend_connections"] <= 4);
}

#[tokio::test]
async fn kill_stops_a_statement_on_all_of_its_units() {
    let setting = Setting::build().await;
    for (kill, expected) in [("KILL QUERY", 0), ("KILL CONNECTION", u16::MAX)] {
        let mut client = setting.client();
        let running = tokio::spawn(async move {
            let outcomes = run(&mut client, "SELECT SLEEP(300), id FROM t ORDER BY id").await;
            let after = run(&mut client, "SELECT v FROM t WHERE id = 0").await;
            client.disconnect().await;
            (outcomes, after)
        });
        for unit in [0, 1] {
            setting.wait_for_statement(unit, "SELECT SLEEP(300)").await;
        }
        let mut killer = setting.client();
        let listed = rows(&killer.must("SHOW PROCESSLIST").await);
        let own = rows(&killer.must("SELECT CONNECTION_ID()").await)[0][0].clone();
        let id = &listed.iter().find(|row| row[4] == "Query" && row[0] != own).unwrap()[0];
        killer.must(&format!("{kill} {id}")).await;
        let (outcomes, after) = running.await.unwrap();
        match expected {
            // SLEEP() gives 1 when it is stopped; a statement may also end in 1317.
            0 => assert!([0, 1317].contains(&code(&outcomes)), "{outcomes:?}"),
            _ => assert_eq!(code(&outcomes), u16::MAX, "{outcomes:?}"),
        }
        assert_eq!(code(&after), 0, "{after:?}");
        for unit in [0, 1] {
            setting.wait_for_end(unit, "SELECT SLEEP(300)").await;
        }
        killer.disconnect().await;
    }
    setting.must_be_clean().await;
}
