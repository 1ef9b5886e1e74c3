//! What needs a server that no other test shares: one with little room for prepared statements, one
//! that counts its connections, one that speaks an older protocol.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;

use protocol::capability::Capabilities;
use testkit::{DatabaseServer, Proxy, ProxyOptions, ServerOptions, start_mariadb};

use crate::wire::{Param, Wire};

const CLIENTS: usize = 300;

fn server(arguments: &[&str]) -> DatabaseServer {
    start_mariadb(&ServerOptions {
        databases: vec!["unit".to_owned()],
        arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
        ..ServerOptions::default()
    })
}

/// A proxy with one worker over one unit at `port`.
fn proxy_over(port: u16) -> (Proxy, Wire) {
    let options = ProxyOptions {
        files: vec![("anabranch.yaml".to_owned(), "workers: 1\n".to_owned())],
        arguments: Vec::new(),
    };
    let proxy = Proxy::start(Path::new(env!("CARGO_BIN_EXE_anabranch")), &options).unwrap();
    let mut client = Wire::connect(proxy.address(), "", Capabilities::NONE);
    client.must("CREATE DATABASE own");
    client.must("USE own");
    client.must(&format!(
        "REGISTER STORAGE UNIT u (HOST=\"127.0.0.1\", PORT={port}, DB=\"unit\", USER=\"test\", \
         PASSWORD=\"test\")"
    ));
    client.must("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))");
    client.must("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
    (proxy, client)
}

/// The server takes 20 prepared statements in all: those used least recently make room.
#[test]
fn a_server_without_room_for_prepared_statements_gets_room() {
    let server = server(&["--max-prepared-stmt-count=20"]);
    let (_proxy, mut client) = proxy_over(server.port());
    let statements: Vec<_> = (0..60)
        .map(|n| {
            (n, client.prepare(&format!("SELECT CONCAT(v, ' {n}') FROM t WHERE id = ?")).unwrap())
        })
        .collect();
    for round in 0..2 {
        for (n, statement) in &statements {
            let reply = &client.execute(statement, &[Param::int(1)])[0];
            assert_eq!(text_of(&reply.rows().rows[0]), format!("one {n}"), "round {round}");
        }
    }
    let mut direct = Wire::connect(server.address(), "unit", Capabilities::NONE);
    let status = direct.one("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'").rows().texts();
    assert!(status[0][1].parse::<u32>().unwrap() <= 20, "{status:?}");
}

/// The text in a binary row of one column: behind a zero, the bits of NULL, and the length.
fn text_of(row: &[u8]) -> String {
    String::from_utf8_lossy(&row[3..]).into_owned()
}

/// R083: what drivers set when they connect keeps no connection of a unit.
#[test]
fn clients_that_set_and_idle_share_few_connections() {
    let server = server(&[]);
    let (proxy, _client) = proxy_over(server.port());
    let start_up = [
        "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
        "SET SESSION sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
        "SET character_set_results = NULL",
        "SET autocommit=1, @@session.wait_timeout = 2147483, @@session.sql_auto_is_null = 0",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
    ];
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let mut client = Wire::connect(proxy.address(), "own", Capabilities::NONE);
        for text in start_up {
            client.must(text);
        }
        client.must(&format!("SET @number = {number}"));
        assert_eq!(client.line("SELECT v FROM t WHERE id = 2"), "two");
        clients.push(client);
    }
    let mut direct = Wire::connect(server.address(), "unit", Capabilities::NONE);
    let status = direct.one("SHOW GLOBAL STATUS LIKE 'Threads_connected'").rows().texts();
    assert!(status[0][1].parse::<usize>().unwrap() < CLIENTS / 20, "{status:?}");
    for (number, client) in clients.iter_mut().enumerate().step_by(37) {
        let seen = client.line("SELECT @number, @@sql_mode, @@collation_connection FROM t LIMIT 1");
        let expected = "STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION|utf8mb4_unicode_ci";
        assert_eq!(seen, format!("{number}|{expected}"));
    }
}

/// Between proxy and server: takes DEPRECATE_EOF out of the server's greeting.
fn start_older_server(server: SocketAddr) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (Ok(client), Ok(server)) = (client, TcpStream::connect(server)) else { return };
            std::thread::spawn(move || relay(client, server));
        }
    });
    port
}

fn relay(mut client: TcpStream, mut server: TcpStream) -> Option<()> {
    let mut header = [0; 4];
    server.read_exact(&mut header).ok()?;
    let mut greeting = vec![0; usize::from(header[0]) | usize::from(header[1]) << 8];
    server.read_exact(&mut greeting).ok()?;
    let version_end = greeting.iter().position(|byte| *byte == 0)?;
    // Behind the version: id, nonce, filler, lower flags, collation, status, upper flags.
    let upper_flags = version_end + 1 + 4 + 8 + 1 + 2 + 1 + 2;
    greeting[upper_flags + 1] &= !1;
    client.write_all(&[&header[..], &greeting].concat()).ok()?;
    let (mut to, mut from) = (server.try_clone().ok()?, client.try_clone().ok()?);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(std::net::Shutdown::Both);
    });
    let _ = std::io::copy(&mut server, &mut client);
    client.shutdown(std::net::Shutdown::Both).ok()
}

/// Client and server end their results differently: the proxy translates.
#[test]
fn results_are_translated_where_only_the_client_has_deprecated_eof() {
    let server = server(&[]);
    let port = start_older_server(server.address());
    let (proxy, mut first) = proxy_over(port);
    first.must(
        "CREATE SHARDING TABLE RULE s (STORAGE_UNITS(u), SHARDING_COLUMN=id, TYPE(NAME=\"MOD\", \
         PROPERTIES(\"sharding-count\"=2)))",
    );
    first.must("CREATE TABLE s (id INT PRIMARY KEY, v VARCHAR(20))");
    for extra in [Capabilities::DEPRECATE_EOF, Capabilities::NONE] {
        let mut client = Wire::connect(proxy.address(), "own", extra);
        assert_eq!(client.line("SELECT v FROM t WHERE id = 1"), "one");
        assert_eq!(client.must("SELECT id, v FROM t ORDER BY id").rows().texts().len(), 2);
        assert_eq!(client.must("SELECT id FROM t WHERE id = 9").rows().texts().len(), 0);
        assert_eq!(client.must("UPDATE t SET v = 'zwei' WHERE id = 2").affected(), 1);
        assert_eq!(client.must("UPDATE t SET v = 'two' WHERE id = 2").affected(), 1);
        assert_eq!(client.one("SELECT nothing FROM t").code(), 1054);
        let statement = client.prepare("SELECT v FROM t WHERE id >= ? ORDER BY id").unwrap();
        for _ in 0..2 {
            let reply = &client.execute(&statement, &[Param::int(1)])[0];
            let rows: Vec<String> = reply.rows().rows.iter().map(|row| text_of(row)).collect();
            assert_eq!(rows, ["one", "two"]);
        }
        assert_eq!(client.must("INSERT INTO s VALUES (1, 'a'), (2, 'b'), (3, 'c')").affected(), 3);
        assert_eq!(client.line("SELECT v FROM s WHERE id = 3"), "c");
        let rows = client.must("SELECT id FROM s ORDER BY v DESC").rows().texts();
        assert_eq!(rows, [["3"], ["2"], ["1"]]);
        assert_eq!(client.must("DELETE FROM s").affected(), 3);
        client.must("SELECT 1/0");
        let warnings = client.must("SHOW WARNINGS").rows().texts().len();
        assert_eq!(warnings, 1);
    }
}
