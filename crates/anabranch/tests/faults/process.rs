//! The proxy as a process: how it stops, how it does not start, what it keeps.

use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use testkit::{Client, Endpoint};

use crate::setting::{Setting, binary, code, rows, run};

#[tokio::test]
async fn a_stop_lets_statements_end_and_closes_idle_clients() {
    let mut setting = Setting::build().await;
    let mut idle = setting.client();
    idle.must("SELECT v FROM t WHERE id = 0").await;
    let half_open = TcpStream::connect(setting.proxy.address()).unwrap();
    let mut busy = setting.client();
    let busy = tokio::spawn(async move { run(&mut busy, "SELECT SLEEP(2), 'busy'").await });
    setting.wait_for_statement(0, "SELECT SLEEP(2)").await;
    let asked = Instant::now();
    let exit = setting.proxy.stop().unwrap().unwrap();
    assert_eq!((exit.status, exit.was_killed), (0, false));
    assert!(asked.elapsed() < Duration::from_secs(15));
    assert_eq!(code(&busy.await.unwrap()), 0);
    assert_eq!(code(&run(&mut idle, "SELECT 1").await), u16::MAX);
    drop(half_open);
}

#[tokio::test]
async fn a_stop_does_not_wait_for_ever_for_a_statement() {
    let mut setting = Setting::build().await;
    let mut busy = setting.client();
    let busy = tokio::spawn(async move { run(&mut busy, "SELECT SLEEP(500), 'long'").await });
    setting.wait_for_statement(0, "SELECT SLEEP(500)").await;
    let exit = setting.proxy.stop().unwrap().unwrap();
    assert_eq!((exit.status, exit.was_killed), (0, false));
    assert_ne!(code(&busy.await.unwrap()), 0);
    setting.wait_for_end(0, "SELECT SLEEP(500)").await;
}

#[tokio::test]
async fn what_was_set_up_survives_a_kill() {
    let mut setting = Setting::build().await;
    setting.proxy.kill().unwrap();
    setting.proxy.restart().unwrap();
    let mut client = setting.client();
    assert_eq!(rows(&client.must("SELECT COUNT(*) FROM t").await), [["4"]]);
    assert_eq!(rows(&client.must("SHOW SHARDING TABLE RULES").await).len(), 1);
    assert_eq!(rows(&client.must("SHOW STORAGE UNITS").await).len(), 2);
    let mut test = Client::new(Endpoint::new(setting.proxy.address(), "test", "test", "faults"));
    test.must("SELECT v FROM t WHERE id = 0").await;
}

/// Numbers that were given, used or not, are never given again.
#[tokio::test]
async fn no_number_is_given_twice_after_a_kill() {
    let mut setting = Setting::build().await;
    let mut client = setting.client();
    client
        .must(
            "CREATE SHARDING TABLE RULE counted (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN=a, \
             TYPE(NAME=\"MOD\", PROPERTIES(\"sharding-count\"=4)))",
        )
        .await;
    client.must("CREATE TABLE counted (a INT, id BIGINT AUTO_INCREMENT, KEY (id))").await;
    let mut greatest = 0;
    for round in 0..3 {
        for row in 0..700 {
            client.must(&format!("INSERT INTO counted (a) VALUES ({row})")).await;
        }
        // Numbers that leave no row behind are used, too.
        client.must("BEGIN").await;
        client.must("INSERT INTO counted (a) VALUES (1), (2), (3)").await;
        let unused = rows(&client.must("SELECT LAST_INSERT_ID() + 2").await)[0][0].clone();
        client.must("ROLLBACK").await;
        let ids = rows(&client.must("SELECT id FROM counted ORDER BY id").await);
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!((ids.len(), distinct.len()), (700 * (round + 1), 700 * (round + 1)));
        let first = format!("SELECT MIN(id) FROM counted WHERE id > {greatest}");
        assert!(!rows(&client.must(&first).await).is_empty());
        let above = format!("SELECT COUNT(*) FROM counted WHERE id > {greatest}");
        assert_eq!(rows(&client.must(&above).await), [["700"]], "all are new");
        greatest = unused.parse::<u64>().unwrap();
        setting.proxy.kill().unwrap();
        setting.proxy.restart().unwrap();
        client = setting.client();
    }
    client.must("DROP TABLE counted").await;
}

#[tokio::test]
async fn a_proxy_that_cannot_start_says_why() {
    let setting = Setting::build().await;
    let folder = setting.proxy.folder();
    let other = tempfile::tempdir().unwrap();
    let bad = other.path().join("bad");
    std::fs::create_dir(&bad).unwrap();
    std::fs::write(bad.join("anabranch.yaml"), "limits: { maxConnection: 1 }\n").unwrap();
    let port = setting.proxy.address().port().to_string();
    let path = |name: &str| folder.join(name).display().to_string();
    let fresh = other.path().join("data").display().to_string();
    let cases = [
        (path("conf"), path("data"), "0", "in use by another process"),
        (path("conf"), fresh.clone(), port.as_str(), "cannot listen on"),
        (bad.display().to_string(), fresh, "0", "maxConnection"),
    ];
    for (conf, data, port, expected) in cases {
        let output = Command::new(binary())
            .args(["serve", "--conf", &conf, "--data", &data, "--port", port])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{expected}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
    setting.must_be_clean().await;
}
