//! Statements that run over copies of their tables: limits, large values, KILL, privileges, and what
//! they leave behind.

use std::path::Path;

use protocol::capability::Capabilities;
use protocol::command::Command;
use testkit::{Proxy, ProxyOptions};

use crate::setting::{Place, places};
use crate::wire::{Reply, Wire};

/// A second proxy over the units of a place, with other options.
fn start(place: &Place, user: &str, options: &str) -> (Proxy, Wire) {
    let files = vec![("anabranch.yaml".to_owned(), options.to_owned())];
    let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
    let proxy = Proxy::start(binary, &ProxyOptions { files, arguments: Vec::new() }).unwrap();
    let mut client = Wire::connect(proxy.address(), "", Capabilities::NONE);
    client.must("CREATE DATABASE other");
    client.must("USE other");
    let port = place.server.port();
    let unit = |index: u8| {
        format!(
            "ds_{index} (HOST=\"127.0.0.1\", PORT={port}, DB=\"unit_{index}\", USER=\"{user}\", \
             PASSWORD=\"{user}\")"
        )
    };
    client.must(&format!("REGISTER STORAGE UNIT {}, {}", unit(0), unit(1)));
    (proxy, client)
}

fn define(client: &mut Wire, table: &str) {
    client.must(&format!(
        "CREATE SHARDING TABLE RULE {table} (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN=id, \
         TYPE(NAME=\"MOD\", PROPERTIES(\"sharding-count\"=4)))"
    ));
}

fn message(reply: &Reply) -> String {
    match reply {
        Reply::Err { code, message, .. } => format!("{code} {message}"),
        other => panic!("an error was expected, not {other:?}"),
    }
}

#[test]
fn too_much_is_refused_and_nothing_else_is_harmed() {
    for place in places() {
        let options = "limits: { gatherRows: 20, gatherBytes: 4KiB }\n";
        let (_proxy, mut client) = start(place, "test", options);
        for table in ["gl_a", "gl_b"] {
            define(&mut client, table);
            client.must(&format!("CREATE TABLE {table} (id INT PRIMARY KEY, t VARCHAR(4000))"));
        }
        let rows: Vec<String> = (0..15).map(|id| format!("({id}, 'x')")).collect();
        for table in ["gl_a", "gl_b"] {
            client.must(&format!("INSERT INTO {table} VALUES {}", rows.join(", ")));
        }
        client.must("BEGIN");
        client.must("UPDATE gl_a SET t = 'changed' WHERE id = 3");
        let many = client.one("SELECT COUNT(*) FROM gl_a a JOIN gl_b b ON a.t < b.t");
        let many = message(&many);
        assert!(many.starts_with("1038 ") && many.contains("gl_a, gl_b"), "{many}");
        assert!(many.contains("limits.gatherRows"), "{many}");
        assert_eq!(
            client.line("SELECT a.t FROM gl_a a JOIN gl_b b ON a.id = b.id WHERE a.id = 3"),
            "changed",
            "the transaction goes on"
        );
        client.must("COMMIT");
        client.must("UPDATE gl_b SET t = REPEAT('y', 4000)");
        let large = client.one("SELECT COUNT(*) FROM gl_a a JOIN gl_b b ON a.id <> b.id");
        assert!(message(&large).starts_with("1038 "), "{large:?}");
        for table in ["gl_a", "gl_b"] {
            client.must(&format!("DROP TABLE {table}"));
        }
    }
}

#[test]
fn a_unit_without_temporary_tables_is_named() {
    for place in places() {
        let mut direct = Wire::connect(place.server.address(), "", Capabilities::NONE);
        direct.one("CREATE USER poor IDENTIFIED BY 'poor'");
        let rights = "SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX";
        for unit in ["unit_0", "unit_1"] {
            if let Reply::Err { code, message, .. } =
                direct.one(format!("GRANT {rights} ON {unit}.* TO poor"))
            {
                panic!("{code} {message}");
            }
        }
        let (_proxy, mut client) = start(place, "poor", "");
        for table in ["gp_a", "gp_b"] {
            define(&mut client, table);
            client.must(&format!("CREATE TABLE {table} (id INT PRIMARY KEY, a INT)"));
        }
        let refused = client.one("SELECT COUNT(*) FROM gp_a JOIN gp_b ON gp_a.a = gp_b.a");
        let refused = message(&refused);
        assert!(refused.contains("CREATE TEMPORARY TABLES"), "{refused}");
        assert!(refused.contains("gp_a, gp_b"), "{refused}");
        for table in ["gp_a", "gp_b"] {
            client.must(&format!("DROP TABLE {table}"));
        }
    }
}

#[test]
fn large_values_and_many_rows_are_copied_whole() {
    for place in places() {
        let mut client =
            place.create_sharded("g_big", "id INT PRIMARY KEY, t LONGTEXT, b LONGBLOB, n INT");
        place.create_sharded("g_small", "id INT PRIMARY KEY, big INT");
        let text = "ä'\\".repeat(1 << 20);
        client.must("INSERT INTO g_small VALUES (1, 6), (2, 7)");
        client.must(&format!(
            "INSERT INTO g_big VALUES (6, REPEAT('{}', 1048576), REPEAT(x'00FF275C', 2097152), 1)",
            "ä''\\\\"
        ));
        client.must("INSERT INTO g_big VALUES (7, '', '', 2)");
        let sql = "SELECT b.t, SHA2(b.b, 256), LENGTH(b.b) FROM g_small s JOIN g_big b ON b.id = s.big \
                   WHERE s.id = 1";
        let rows = client.one(sql).rows().texts();
        let bytes = [0x00, 0xff, 0x27, 0x5c].repeat(2 << 20);
        assert_eq!(rows[0][0], text, "{}", place.name);
        assert_eq!(rows[0][2], bytes.len().to_string());
        let expected = client.line("SELECT SHA2(REPEAT(x'00FF275C', 2097152), 256)");
        assert_eq!(rows[0][1], expected);
        for start in (100..20_100).step_by(2000) {
            let rows: Vec<String> = (start..start + 2000)
                .map(|id| format!("({id}, REPEAT('z', 80), NULL, {id})"))
                .collect();
            client.must(&format!("INSERT INTO g_big VALUES {}", rows.join(", ")));
        }
        assert_eq!(
            client.line("SELECT COUNT(*), SUM(a.n) FROM g_big a LEFT JOIN g_big b ON a.n = b.id"),
            format!("20002|{}", 3 + (100..20_100).sum::<i64>())
        );
        client.must("DROP TABLE g_big");
        client.must("DROP TABLE g_small");
    }
}

/// A unique key of a sharded table holds on each node only.
#[test]
fn values_that_are_unique_on_each_node_may_meet() {
    for place in places() {
        let mut client =
            place.create_sharded("g_twice", "id INT PRIMARY KEY, mail VARCHAR(20) NOT NULL UNIQUE");
        client.must("INSERT INTO g_twice VALUES (1, 'a'), (2, 'b')");
        client.must("INSERT INTO g_twice VALUES (3, 'b'), (4, 'a'), (5, 'c')");
        let sql = "SELECT x.id, y.id FROM g_twice x JOIN g_twice y ON x.mail = y.mail \
                   WHERE x.id < y.id ORDER BY x.id";
        let rows = client.one(sql).rows().texts();
        assert_eq!(rows, [["1", "4"], ["2", "3"]], "{}", place.name);
        client.must("DROP TABLE g_twice");
    }
}

#[test]
fn what_runs_over_copies_can_be_stopped() {
    for place in places() {
        let mut client = place.create_sharded("g_stop", "id INT PRIMARY KEY, a INT");
        client.must("INSERT INTO g_stop VALUES (1, 1), (2, 2)");
        let id = client.connection_id;
        let sql = "SELECT x.id, SLEEP(20) FROM g_stop x JOIN g_stop y ON x.a = y.a ORDER BY x.id";
        client.send(Command::Query as u8, sql.as_bytes());
        crate::session::wait_for_sleep(place, true);
        place.connect().must(&format!("KILL QUERY {id}"));
        let reply = &client.replies()[0];
        assert!(matches!(reply, Reply::Err { code: 1317, .. }), "{}: {reply:?}", place.name);
        assert_eq!(client.line("SELECT COUNT(*) FROM g_stop x JOIN g_stop y ON x.a = y.a"), "2");
        client.must("DROP TABLE g_stop");
    }
}

#[test]
fn preview_shows_the_copies_and_the_statement_over_them() {
    for place in places() {
        let mut client = place.create_sharded("g_seen", "id INT PRIMARY KEY, a INT");
        let sql = "PREVIEW SELECT x.id FROM g_seen x JOIN g_seen y ON x.id = y.a WHERE y.id = 2";
        let rows = client.one(sql).rows().texts();
        let texts: Vec<&str> = rows.iter().map(|row| row[1].as_str()).collect();
        assert_eq!(texts.len(), 6, "{texts:?}");
        assert!(texts.contains(&"SELECT `id`, `a` FROM `g_seen_2` AS `y` WHERE (y.id = 2)"));
        assert_eq!(
            texts[5],
            "SELECT x.id FROM `__ab_copy_0` AS `x` JOIN `__ab_copy_1` AS `y` ON x.id = y.a WHERE \
             y.id = 2"
        );
        client.must("DROP TABLE g_seen");
    }
}
