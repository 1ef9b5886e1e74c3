//! Session state: it follows its client over backend connections, and never another one.

use protocol::StatusFlags;
use protocol::capability::Capabilities;
use protocol::command::Command;

use crate::setting::{Place, places};
use crate::wire::{Param, Reply, Wire};

/// COM_CHANGE_USER, with the password for whatever the server asks.
pub fn change_user(client: &mut Wire, user: &str, password: &str, database: &str) {
    use protocol::auth::{ClientAuth, ClientStep};
    let mut auth =
        ClientAuth::new(b"caching_sha2_password", [1; 20], password.as_bytes(), false, true);
    let mut body = user.as_bytes().to_vec();
    // An unknown plugin makes the server ask with a nonce of its own.
    body.extend_from_slice(&[0, 0]);
    body.extend_from_slice(database.as_bytes());
    body.extend_from_slice(&[0, 45, 0]);
    body.extend_from_slice(b"mysql_clear_password\0");
    client.send(Command::ChangeUser as u8, &body);
    loop {
        let packet = client.read();
        match auth.receive(&packet).unwrap() {
            ClientStep::Send(payload) => client.write(&payload),
            ClientStep::Wait => {}
            ClientStep::Accepted => return,
            ClientStep::Refused => panic!("{packet:?}"),
        }
    }
}

/// R063: a reset session is a new one in its database.
#[test]
fn a_reset_session_is_like_new() {
    for place in places() {
        let mut client = place.create_sharded("s_reset", "id INT PRIMARY KEY, a INT");
        client.must("CREATE TABLE s_reset_key (id INT PRIMARY KEY AUTO_INCREMENT)");
        let default_mode = client.line("SELECT @@sql_mode");
        for way in ["reset", "change"] {
            client.must("SET @v = 1, SESSION sql_mode = 'ANSI_QUOTES', @@autocommit = 0");
            client.must("CREATE TEMPORARY TABLE s_temporary (a INT)");
            client.must("INSERT INTO s_reset_key VALUES ()");
            client.must("SELECT GET_LOCK('s_reset', 0)");
            client.must("BEGIN");
            client.must("INSERT INTO s_reset VALUES (1, 1), (2, 2)");
            let statement = client.prepare("SELECT ?").unwrap();
            if way == "reset" {
                let reply = client.command(Command::ResetConnection, b"");
                assert!(matches!(reply, Reply::Ok { .. }), "{reply:?}");
                assert!(reply.status().contains(StatusFlags::AUTOCOMMIT));
            } else {
                change_user(&mut client, "test", "test", "clients");
            }
            assert_eq!(client.line("SELECT COUNT(*) FROM s_reset"), "0", "{way} {}", place.name);
            assert_eq!(client.line("SELECT @v"), "NULL");
            assert_eq!(client.line("SELECT @@sql_mode"), default_mode);
            assert_eq!(client.line("SELECT @@autocommit"), "1");
            assert_eq!(client.line("SELECT LAST_INSERT_ID()"), "0");
            assert_eq!(client.one("SELECT * FROM s_temporary").code(), 1146);
            client.send_execute(statement.id, &[Param::int(1)], true, 0);
            assert_eq!(client.replies()[0].code(), 1243);
            // The lock is gone: another session gets it.
            let mut other = place.connect();
            assert_eq!(other.line("SELECT GET_LOCK('s_reset', 5)"), "1", "{}", place.name);
            other.must("SELECT RELEASE_LOCK('s_reset')");
        }
    }
}

/// A change of user with a wrong password ends the session.
#[test]
fn a_refused_change_of_user_ends_the_session() {
    for place in places() {
        let refused =
            Wire::log_in(place.proxy.address(), "test", "wrong", "clients", Capabilities::NONE);
        assert_eq!(refused.err().unwrap().code(), 1045);
        let unknown =
            Wire::log_in(place.proxy.address(), "test", "test", "nowhere", Capabilities::NONE);
        assert_eq!(unknown.err().unwrap().code(), 1049);
        let mut client = place.connect();
        let mut body = b"test\0\x14".to_vec();
        body.extend_from_slice(&[7; 20]);
        body.extend_from_slice(b"clients\0\x2d\0mysql_native_password\0");
        client.send(Command::ChangeUser as u8, &body);
        let mut last = Vec::new();
        while let Some(packet) = client.try_read() {
            if packet[0] == 0xFE {
                client.write(&[7; 20]);
            }
            last = packet;
        }
        assert_eq!(last[0], 0xFF, "{last:?}");
    }
}

/// R073: the character set of the session holds on every connection.
#[test]
fn character_sets_follow_the_session() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, t VARCHAR(20) CHARACTER SET utf8mb4";
        let mut client = place.create_sharded("s_names", columns);
        client.must("SET NAMES utf8mb4");
        let mut latin = place.connect();
        latin.must("SET NAMES latin1");
        let mut gbk = place.connect();
        gbk.must("SET NAMES gbk");
        for id in (0..20).map(|round| round * 3) {
            client.must(&format!("INSERT INTO s_names VALUES ({id}, '🦀é')"));
            let text = format!("INSERT INTO s_names VALUES ({}, '\u{e9}')", id + 1);
            let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
            assert_eq!(latin.one(bytes).affected(), 1);
            let mut text = format!("INSERT INTO s_names VALUES ({}, '", id + 2).into_bytes();
            text.extend_from_slice(b"\xd6\xd0')");
            assert_eq!(gbk.one(text).affected(), 1, "{}", place.name);
            let mine = client.line(&format!("SELECT t FROM s_names WHERE id = {id}"));
            assert_eq!(mine, "🦀é", "{}", place.name);
        }
        let counts = "SELECT SUM(HEX(t) = 'C3A9'), SUM(HEX(t) = 'E4B8AD'), \
                      SUM(HEX(t) = 'F09FA680C3A9') FROM s_names";
        assert_eq!(client.line(counts), "20|20|20", "{}", place.name);
        // The second byte of this letter is a backslash: the text cannot be read for certain.
        let refused = gbk.one(b"SELECT '\xd5\x5c'");
        assert!(matches!(refused, Reply::Err { .. }), "{refused:?}");
        let shown = latin.one("SHOW VARIABLES LIKE 'character_set_c%'").rows().texts();
        assert!(shown.contains(&vec!["character_set_client".into(), "latin1".into()]));
        assert!(shown.contains(&vec!["character_set_connection".into(), "latin1".into()]));
        let row = latin.one("SELECT t FROM s_names WHERE id = 1").rows().rows[0].clone();
        assert_eq!(row, [1, 0xE9]);
    }
}

/// R075: what counts as affected is each client's own choice, over the same pool.
#[test]
fn found_rows_is_each_clients_own() {
    for place in places() {
        let mut first = place.create_sharded("s_found", "id INT PRIMARY KEY, v INT, version INT");
        first.must("INSERT INTO s_found VALUES (1, 1, 1), (2, 1, 1)");
        let mut second = place.connect_with(Capabilities::FOUND_ROWS);
        for _ in 0..5 {
            for (client, expected) in [(&mut first, 0), (&mut second, 1)] {
                let reply = client.one("UPDATE s_found SET v = v WHERE id = 1");
                let Reply::Ok { affected, info, .. } = reply else { panic!("{reply:?}") };
                assert_eq!(affected, expected, "{}", place.name);
                assert_eq!(info, "Rows matched: 1  Changed: 0  Warnings: 0");
                let all = client.one("UPDATE s_found SET v = v");
                let Reply::Ok { affected, info, .. } = all else { panic!("{all:?}") };
                assert_eq!(affected, 2 * expected);
                assert_eq!(info, "Rows matched: 2  Changed: 0  Warnings: 0");
                let lock = "UPDATE s_found SET v = ? WHERE id = 1 AND version = ?";
                let bound = client.run_prepared(lock, &[Param::int(1), Param::int(1)]);
                assert_eq!(bound.affected(), expected);
                let missed = client.run_prepared(lock, &[Param::int(1), Param::int(2)]);
                assert_eq!(missed.affected(), 0);
            }
        }
    }
}

/// R077: the last generated key is the session's, wherever it is asked for.
#[test]
fn the_last_generated_key_is_the_sessions() {
    for place in places() {
        let mut client = place.connect();
        client.must("CREATE TABLE s_key (id INT PRIMARY KEY AUTO_INCREMENT, a INT)");
        let mut other = place.connect();
        other.must("INSERT INTO s_key (a) VALUES (1), (2), (3)");
        let reply = client.must("INSERT INTO s_key (a) VALUES (4)");
        let Reply::Ok { last_insert_id, .. } = reply else { panic!("{reply:?}") };
        assert_eq!(last_insert_id, 4);
        for sql in ["SELECT LAST_INSERT_ID() AS id", "SELECT @@identity", "SELECT @@last_insert_id"]
        {
            assert_eq!(client.line(sql), "4", "{sql} on {}", place.name);
            assert_eq!(other.line(sql), "1", "{sql} on {}", place.name);
        }
        client.must("INSERT INTO s_key (a) VALUES (LAST_INSERT_ID())");
        assert_eq!(client.line("SELECT a FROM s_key WHERE id = LAST_INSERT_ID()"), "4");
        client.must("UPDATE s_key SET id = LAST_INSERT_ID(id + 100) WHERE id = 1");
        assert_eq!(client.line("SELECT LAST_INSERT_ID()"), "101", "{}", place.name);
        let prepared = client.run_prepared("SELECT LAST_INSERT_ID()", &[]);
        assert_eq!(prepared.rows().rows[0][2..], 101u64.to_le_bytes());
    }
}

/// R079: what one client sets no other sees.
#[test]
fn settings_of_one_client_stay_its_own() {
    for place in places() {
        let mut first = place.create_sharded("s_set", "id INT PRIMARY KEY, a INT");
        first.must("INSERT INTO s_set VALUES (1, 1), (2, 2)");
        let mut second = place.connect();
        first.must("SET SESSION sql_safe_updates = 1");
        first.must("SET SESSION TRANSACTION READ ONLY");
        first.must("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        for _ in 0..5 {
            assert_eq!(first.one("UPDATE s_set SET a = 3").code(), 1792, "{}", place.name);
            assert_eq!(first.line("SELECT @@sql_safe_updates"), "1");
            assert_eq!(second.line("SELECT @@sql_safe_updates"), "0");
            assert!(second.one("UPDATE s_set SET a = a + 1").affected() == 2);
            let name = if place.is_mariadb { "tx_isolation" } else { "transaction_isolation" };
            assert_eq!(first.line(&format!("SELECT @@{name}")), "SERIALIZABLE");
            assert_eq!(second.line(&format!("SELECT @@{name}")), "REPEATABLE-READ");
        }
        first.must("SET SESSION TRANSACTION READ WRITE");
        assert_eq!(first.one("UPDATE s_set SET a = 3").code(), 1175);
        first.must("SET SESSION sql_safe_updates = DEFAULT");
        assert_eq!(first.one("UPDATE s_set SET a = 3").affected(), 2);
        // An unknown variable or value changes nothing.
        assert_eq!(first.one("SET no_such_variable = 1").code(), 1193);
        assert_eq!(first.one("SET @x = 5, no_such_variable = 1").code(), 1193);
        assert_eq!(first.line("SELECT @x"), "NULL");
        assert_eq!(first.one("SET sql_mode = 'NO_SUCH_MODE'").code(), 1231);
        assert_eq!(first.line("SELECT 1"), "1");
    }
}

/// R080: user variables, wherever the next statement runs.
#[test]
fn user_variables_follow_the_session() {
    for place in places() {
        let mut client = place.create_sharded("s_user", "id INT PRIMARY KEY, a VARCHAR(20)");
        let mut others: Vec<Wire> = (0..3).map(|_| place.connect()).collect();
        client.must("SET @a := 1, @b = @a + 1");
        for (index, other) in others.iter_mut().enumerate() {
            other.must(&format!("SET @a = 'other {index}'"));
            assert_eq!(other.line("SELECT @a"), format!("other {index}"));
            assert_eq!(client.line("SELECT @a, @b"), "1|2", "{}", place.name);
        }
        client.must("INSERT INTO s_user VALUES (2, @a), (3, 'it\\'s')");
        assert_eq!(client.line("SELECT a FROM s_user WHERE id = @b"), "1");
        client.must("SET @t = (SELECT a FROM s_user WHERE id = 3)");
        assert_eq!(client.line("SELECT @t"), "it's", "{}", place.name);
        client.must("SET @r = 0");
        assert_eq!(client.line("SELECT @r := @r + 1"), "1");
        assert_eq!(client.line("SELECT @r := @r + 1"), "2");
        assert_eq!(client.line("SELECT @r"), "2", "{}", place.name);
        client.must("SET @r = 0");
        assert_eq!(client.line("SELECT @r"), "0", "{}", place.name);
        client.must("SET @n = NULL, @d = 1.50, @h = x'00ff', @`odd name` = 'x'");
        let line = client.line("SELECT @n, @d, HEX(@h), @`odd name`, @missing");
        assert_eq!(line, "NULL|1.50|00FF|x|NULL", "{}", place.name);
        client.must("SELECT a INTO @into FROM s_user WHERE id = 3");
        assert_eq!(client.line("SELECT @into"), "it's");
        client.must("PREPARE s FROM 'SELECT ? + ?'");
        client.must("SET @x = 40, @y = 2");
        assert_eq!(client.line("EXECUTE s USING @x, @y"), "42");
        client.must("DEALLOCATE PREPARE s");
        assert_eq!(client.one("EXECUTE s USING @x, @y").code(), 1243);
    }
}

/// R083: clients that have said what drivers say at start, and wait, hold no backend connection.
#[test]
fn idle_clients_hold_no_backend_connection() {
    for place in places() {
        let before = threads_connected(place);
        let clients: Vec<Wire> = (0..300)
            .map(|number| {
                let mut client = place.connect();
                for sql in start_up(number) {
                    client.must(sql);
                }
                client
            })
            .collect();
        let held = threads_connected(place).saturating_sub(before);
        assert!(held <= 40, "{held} connections for {} clients on {}", clients.len(), place.name);
    }
}

/// What Rails, Laravel, Go, JDBC and PyMySQL send first.
fn start_up(number: usize) -> &'static [&'static str] {
    const DRIVERS: [&[&str]; 5] = [
        &["SET NAMES utf8mb4 COLLATE utf8mb4_general_ci,  @@SESSION.sql_auto_is_null = 0, \
             @@SESSION.wait_timeout = 2147483, @@SESSION.sql_mode = 'STRICT_ALL_TABLES'"],
        &[
            "set names 'utf8mb4' collate 'utf8mb4_unicode_ci'",
            "set session sql_mode='ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,\
             NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
        ],
        &["SET NAMES utf8mb4", "SET time_zone = '+00:00'"],
        &[
            "/* mysql-connector-j */SELECT @@session.auto_increment_increment AS \
             auto_increment_increment, @@character_set_client AS character_set_client, \
             @@max_allowed_packet AS max_allowed_packet, @@time_zone AS time_zone",
            "SET character_set_results = NULL",
            "SET autocommit=1",
            "SET sql_mode='STRICT_TRANS_TABLES'",
            "SET @@session.net_write_timeout = 600",
        ],
        &[
            "SET AUTOCOMMIT = 0",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "ROLLBACK",
        ],
    ];
    DRIVERS[number % DRIVERS.len()]
}

fn threads_connected(place: &Place) -> usize {
    let line = place.direct(Capabilities::NONE).line("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
    line.rsplit('|').next().unwrap().parse().unwrap()
}

/// R092: column definitions are the server's, with logical names.
#[test]
fn column_definitions_are_the_servers() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, a BINARY(8), b VARBINARY(9), c BIT(1), d BIT(10), \
                       e TINYINT(1), f YEAR, g JSON, h DECIMAL(20,6), i ENUM('x', 'y'), \
                       j SET('x', 'y'), k GEOMETRY, l BIGINT UNSIGNED, m CHAR(3) CHARACTER SET \
                       latin1, n TIMESTAMP(3) NULL, o TIME(6), p FLOAT, q DOUBLE, r TEXT, s BLOB, \
                       t VARCHAR(10) NOT NULL DEFAULT ''";
        let mut client = place.create_sharded("s_columns", columns);
        client.must(&format!("CREATE TABLE s_columns_single ({columns})"));
        let mut direct = place.direct(Capabilities::NONE);
        let own = direct.one("SELECT * FROM s_columns_single");
        for table in ["s_columns_single", "s_columns"] {
            let sql = format!("SELECT * FROM {table}");
            for reply in [client.one(&sql), client.run_prepared(&sql, &[])] {
                let through = reply.rows().columns();
                for (through, own) in through.iter().zip(own.rows().columns()) {
                    let mut expected = own;
                    expected.database = b"clients";
                    expected.table = table.as_bytes();
                    expected.org_table = table.as_bytes();
                    let mut through = *through;
                    // MySQL names utf8mb4 by the collation of the handshake, or by its default one
                    // once SET has named the character set on the connection.
                    if through.collation == 255 {
                        through.collation = 45;
                    }
                    assert_eq!(through, expected, "{}", place.name);
                }
                assert_eq!(through.len(), 21);
            }
        }
    }
}

/// R094: a statement is stopped by the proxy's connection id, on every node, and the session lives.
#[test]
fn a_statement_is_stopped_by_the_proxys_id() {
    for place in places() {
        let mut client = place.create_sharded("s_kill", "id INT PRIMARY KEY, a INT");
        client.must("INSERT INTO s_kill VALUES (1, 1), (2, 2)");
        for sql in ["SELECT SLEEP(20)", "SELECT id, SLEEP(20) FROM s_kill ORDER BY id"] {
            for prepared in [false, true] {
                let id = client.connection_id;
                let statement = prepared.then(|| client.prepare(sql).unwrap());
                match &statement {
                    Some(statement) => client.send_execute(statement.id, &[], true, 0),
                    None => client.send(Command::Query as u8, sql.as_bytes()),
                }
                wait_for_sleep(place, true);
                place.connect().must(&format!("KILL QUERY {id}"));
                let replies = client.replies();
                // MariaDB and MySQL end SLEEP() early; a select of it then is an error or a row.
                let reply = &replies[0];
                let is_stopped = match reply {
                    Reply::Err { code, .. } => *code == 1317,
                    Reply::Rows(_) => sql == "SELECT SLEEP(20)",
                    _ => false,
                };
                assert!(is_stopped, "{sql} on {}: {reply:?}", place.name);
                wait_for_sleep(place, false);
                assert_eq!(client.line("SELECT 1"), "1");
            }
        }
        assert_eq!(client.one("KILL QUERY 4000000000").code(), 1094);
        let mut other = place.connect();
        let id = other.connection_id;
        client.must(&format!("KILL {id}"));
        other.send(Command::Ping as u8, b"");
        assert!(other.try_read().is_none_or(|packet| packet[0] == 0xFF));
    }
}

/// Waits until a SLEEP() runs on the server, or none does.
pub fn wait_for_sleep(place: &Place, wanted: bool) {
    let mut direct = place.direct(Capabilities::NONE);
    for _ in 0..1000 {
        let list = direct.one("SHOW FULL PROCESSLIST").rows().texts();
        let sleeps = list.iter().any(|row| row[7].contains("SLEEP(20)"));
        if sleeps == wanted {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("SLEEP() running: {wanted} expected on {}", place.name);
}

/// R096: what a session asks about its last statement is as on one connection.
#[test]
fn what_lives_on_a_connection_stays_with_its_session() {
    for place in places() {
        let mut client = place.connect();
        client.must("CREATE TABLE s_pin (id INT PRIMARY KEY, a TINYINT)");
        client.must("INSERT INTO s_pin VALUES (1, 1), (2, 2), (3, 3)");
        let mut other = place.connect();
        client.must("CREATE TEMPORARY TABLE s_pin_temporary (a INT)");
        client.must("INSERT INTO s_pin_temporary VALUES (7)");
        assert_eq!(other.one("SELECT * FROM s_pin_temporary").code(), 1146, "{}", place.name);
        assert_eq!(client.line("SELECT * FROM s_pin_temporary"), "7");
        client.must("DROP TEMPORARY TABLE s_pin_temporary");
        assert_eq!(client.line("SELECT GET_LOCK('s_pin', 0)"), "1");
        assert_eq!(other.line("SELECT GET_LOCK('s_pin', 0)"), "0", "{}", place.name);
        assert_eq!(client.line("SELECT RELEASE_LOCK('s_pin')"), "1");
        assert_eq!(other.line("SELECT GET_LOCK('s_pin', 0)"), "1", "{}", place.name);
        client.must("SET sql_mode = ''");
        client.must("INSERT INTO s_pin VALUES (4, 1000)");
        other.must("SELECT 1");
        let warnings = client.one("SHOW WARNINGS").rows().texts();
        assert_eq!((warnings.len(), warnings[0][1].as_str()), (1, "1264"), "{}", place.name);
        assert_eq!(client.one("SELECT no_column FROM s_pin").code(), 1054);
        let warnings = client.one("SHOW WARNINGS").rows().texts();
        assert_eq!((warnings.len(), warnings[0][1].as_str()), (1, "1054"), "{}", place.name);
    }
}

/// A transaction keeps its connection; others do not see what it has not committed.
#[test]
fn status_flags_tell_of_the_transaction() {
    for place in places() {
        let mut client = place.create_sharded("s_status", "id INT PRIMARY KEY, a INT");
        let in_transaction = |reply: Reply| reply.status().contains(StatusFlags::IN_TRANS);
        assert!(in_transaction(client.one("BEGIN")));
        assert!(in_transaction(client.one("INSERT INTO s_status VALUES (1, 1)")));
        assert!(in_transaction(client.one("SELECT * FROM s_status WHERE id = 1")));
        assert!(in_transaction(client.one("SELECT * FROM s_status")));
        assert!(in_transaction(client.command(Command::Ping, b"")));
        assert!(!in_transaction(client.one("COMMIT")));
        let reply = client.one("SET autocommit = 0");
        assert!(!reply.status().contains(StatusFlags::AUTOCOMMIT));
        client.must("UPDATE s_status SET a = 2 WHERE id = 1");
        assert_eq!(place.connect().line("SELECT a FROM s_status"), "1");
        client.must("ROLLBACK");
        assert_eq!(client.line("SELECT a FROM s_status"), "1");
        assert!(client.one("SET autocommit = 1").status().contains(StatusFlags::AUTOCOMMIT));
    }
}

/// R082: the version that is announced is the storage unit's.
#[test]
fn the_announced_version_is_the_units() {
    for place in places() {
        let mut direct = place.direct(Capabilities::NONE);
        let version = direct.line("SELECT VERSION()");
        let mut client = place.connect();
        assert!(client.server_version.ends_with(&version), "{}", client.server_version);
        assert_eq!(client.line("SELECT VERSION()"), version);
        assert_eq!(client.line("SELECT @@version"), version);
        let (known, unknown) = match place.is_mariadb {
            true => ("tx_isolation", "transaction_isolation"),
            false => ("transaction_isolation", "tx_isolation"),
        };
        assert_eq!(client.line(&format!("SELECT @@session.{known}")), "REPEATABLE-READ");
        assert_eq!(client.one(format!("SELECT @@{unknown}")).code(), 1193, "{}", place.name);
        let wanted = usize::from(place.is_mariadb);
        let shown = client.one("SHOW VARIABLES LIKE 'query_cache_size'");
        assert_eq!(shown.rows().rows.len(), wanted, "{}", place.name);
    }
}
