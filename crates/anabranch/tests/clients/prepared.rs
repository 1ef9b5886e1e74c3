//! Prepared statements and the binary protocol.

use protocol::StatusFlags;
use protocol::capability::Capabilities;
use protocol::command::Command;

use crate::setting::{Place, places};
use crate::wire::{Param, Reply, Wire};

const TINY: u8 = 1;
const SHORT: u8 = 2;
const LONG: u8 = 3;
const DOUBLE: u8 = 5;
const LONGLONG: u8 = 8;

/// R036: an unsigned 64-bit value comes out as it went in, and its column says UNSIGNED.
#[test]
fn unsigned_values_keep_their_sign() {
    for place in places() {
        let columns = "id BIGINT UNSIGNED PRIMARY KEY, at DATETIME";
        let mut sharded = place.create_sharded("p_unsigned", columns);
        sharded
            .must("CREATE TABLE p_unsigned_single (id BIGINT UNSIGNED PRIMARY KEY, at DATETIME)");
        for table in ["p_unsigned", "p_unsigned_single"] {
            for id in [1, u64::MAX] {
                let unsigned =
                    Param { kind: [LONGLONG, 0x80], value: Some(id.to_le_bytes().into()) };
                let insert = format!("INSERT INTO {table} VALUES (?, '2024-05-06 07:08:09')");
                assert_eq!(
                    sharded.run_prepared(&insert, std::slice::from_ref(&unsigned)).affected(),
                    1
                );
                let select = format!("SELECT id FROM {table} WHERE id = ?");
                let reply = sharded.run_prepared(&select, &[unsigned]);
                let rows = reply.rows();
                assert_eq!(rows.rows[0][2..], id.to_le_bytes(), "{} {table}", place.name);
                let flags = rows.columns()[0].flags;
                assert_ne!(flags.0 & 32, 0, "UNSIGNED of {table}");
            }
        }
    }
}

/// R038: a negative value bound as any integer type is stored as itself.
#[test]
fn negative_values_of_every_width_are_stored() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, a TINYINT, b SMALLINT, c MEDIUMINT, d INT, e BIGINT";
        let mut client = place.create_sharded("p_negative", columns);
        let widths: [(u8, &[u8]); 4] =
            [(TINY, &[0xFF]), (SHORT, &[0xFF; 2]), (LONG, &[0xFF; 4]), (LONGLONG, &[0xFF; 8])];
        for (id, (kind, bytes)) in widths.into_iter().enumerate() {
            let value = || Param::new(kind, bytes);
            let params = [Param::int(id as i32), value(), value(), value(), value(), value()];
            let insert = "INSERT INTO p_negative VALUES (?, ?, ?, ?, ?, ?)";
            assert_eq!(client.run_prepared(insert, &params).affected(), 1);
            let stored =
                client.line(&format!("SELECT a, b, c, d, e FROM p_negative WHERE id = {id}"));
            assert_eq!(stored, "-1|-1|-1|-1|-1", "{}", place.name);
        }
    }
}

/// R040 and R042: every digit of temporal values, in both directions and both protocols.
#[test]
fn fractions_of_seconds_are_kept() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, a DATETIME(3), b DATETIME(6), c TIME(6), d DATETIME";
        let mut client = place.create_sharded("p_temporal", columns);
        let datetime = |micros: u32| {
            let mut bytes = vec![11, 0xE8, 0x07, 5, 6, 7, 8, 9];
            bytes.extend_from_slice(&micros.to_le_bytes());
            Param::new(12, &bytes)
        };
        // MySQL counts the days twice where it checks the range of a bound TIME.
        let mut time = vec![12, 1, 16, 0, 0, 0, 22, 59, 58];
        time.extend_from_slice(&1u32.to_le_bytes());
        let day = Param::new(12, &[4, 0xE4, 0x07, 2, 29]);
        let params =
            [Param::int(1), datetime(123_000), datetime(123_456), Param::new(11, &time), day];
        let insert = "INSERT INTO p_temporal VALUES (?, ?, ?, ?, ?)";
        assert_eq!(client.run_prepared(insert, &params).affected(), 1);
        assert_eq!(
            client.line("SELECT a, b, c, d FROM p_temporal"),
            "2024-05-06 07:08:09.123|2024-05-06 07:08:09.123456|-406:59:58.000001|\
             2020-02-29 00:00:00"
        );
        let reply = client.run_prepared("SELECT a, b, c, d FROM p_temporal", &[]);
        let values: Vec<u8> =
            params[1..].iter().flat_map(|param| param.value.clone().unwrap()).collect();
        assert_eq!(reply.rows().rows[0][2..], values, "{}", place.name);
    }
}

/// R044: types bound once are known to every connection the statement runs on later.
#[test]
fn types_follow_the_statement_to_other_connections() {
    for place in places() {
        let mut client = place.create_sharded("p_types", "id INT PRIMARY KEY, c DOUBLE, n INT");
        client.must("INSERT INTO p_types VALUES (1, 8, 1), (2, 8, 1), (3, 9, 1), (4, 8, 1)");
        let sql = "SELECT COUNT(*) FROM p_types WHERE c = ?";
        let statement = client.prepare(sql).unwrap();
        let bound = [Param::new(DOUBLE, &8f64.to_le_bytes())];
        let first = client.execute(&statement, &bound);
        assert_eq!(first[0].rows().rows[0][2..], 3i64.to_le_bytes());
        let mut others: Vec<Wire> = (0..3).map(|_| place.connect()).collect();
        for other in &mut others {
            // An open transaction keeps the connection this client used; it gets another one.
            other.must("BEGIN");
            other.must("SELECT * FROM p_types WHERE id < 5 FOR UPDATE");
            client.send_execute(statement.id, &bound, false, 0);
            let again = client.replies();
            assert_eq!(again[0].rows().rows, first[0].rows().rows, "{}", place.name);
            other.must("ROLLBACK");
        }
    }
}

/// R045: values of many sessions at once do not end up in each other's rows.
#[test]
fn values_of_concurrent_sessions_stay_apart() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, v VARBINARY(300), crc BIGINT";
        let mut client = place.create_sharded("p_values", columns);
        std::thread::scope(|scope| {
            for session in 0..8usize {
                let mut client = place.connect();
                scope.spawn(move || {
                    let sql = "INSERT INTO p_values VALUES (?, ?, CRC32(?)), (?, ?, CRC32(?)) \
                               ON DUPLICATE KEY UPDATE v = VALUES(v), crc = VALUES(crc)";
                    let statement = client.prepare(sql).unwrap();
                    for round in 0..40usize {
                        let value = |salt: usize| {
                            vec![(session * 31 + round + salt) as u8; 8 + (round * 7 + salt) % 290]
                        };
                        let mut params = Vec::new();
                        for row in 0..2usize {
                            let id = (session * 50 + round) * 2 + row;
                            params.push(Param::int(id as i32));
                            params.push(Param::bytes(&value(row)));
                            params.push(Param::bytes(&value(row)));
                        }
                        assert_eq!(client.execute(&statement, &params)[0].affected(), 2);
                    }
                });
            }
        });
        let wrong = "SELECT COUNT(*), SUM(crc <> CRC32(v)) FROM p_values";
        assert_eq!(client.line(wrong), "640|0", "{}", place.name);
    }
}

/// R046: a column added by another session shows up in a statement prepared before.
#[test]
fn a_changed_table_shows_in_old_statements() {
    for place in places() {
        let mut client = place.create_sharded("p_changed", "id INT PRIMARY KEY, a INT");
        client.must("INSERT INTO p_changed VALUES (1, 10), (2, 20)");
        for extra in
            [Capabilities::NONE, Capabilities::DEPRECATE_EOF, Capabilities::MARIADB_CACHE_METADATA]
        {
            let mut reader = place.connect_with(extra);
            let one = reader.prepare("SELECT * FROM p_changed WHERE id = ?").unwrap();
            let all = reader.prepare("SELECT * FROM p_changed ORDER BY id").unwrap();
            let before = one.columns.len();
            reader.execute(&one, &[Param::int(1)]);
            reader.execute(&all, &[]);
            client.must(&format!("ALTER TABLE p_changed ADD COLUMN c{before} INT DEFAULT 7"));
            for (statement, params) in [(&one, vec![Param::int(1)]), (&all, vec![])] {
                let reply = reader.execute(statement, &params).remove(0);
                let rows = reply.rows();
                assert!(rows.has_definitions, "{} {extra:?}", place.name);
                assert_eq!(rows.definitions.len(), before + 1, "{} {extra:?}", place.name);
                let last = &rows.rows[0][rows.rows[0].len() - 4..];
                assert_eq!(last, 7i32.to_le_bytes(), "{} {extra:?}", place.name);
            }
        }
    }
}

/// A server that caches metadata leaves definitions out; a client on another connection still gets
/// the ones it lacks.
#[test]
fn definitions_are_left_out_only_where_the_client_has_them() {
    for place in places().iter().filter(|place| place.is_mariadb) {
        let mut client = place.create_sharded("p_cached", "id INT PRIMARY KEY, a INT");
        client.must("INSERT INTO p_cached VALUES (1, 10), (2, 20), (3, 30)");
        let caching = Capabilities::MARIADB_CACHE_METADATA.union(Capabilities::DEPRECATE_EOF);
        let mut one = place.connect_with(caching);
        let mut two = place.connect_with(caching);
        for id in [1, 2, 3] {
            for reader in [&mut one, &mut two] {
                let statement = reader.prepare("SELECT * FROM p_cached WHERE id = ?").unwrap();
                for id in [id, 1, 2, 3] {
                    let reply = reader.execute(&statement, &[Param::int(id)]).remove(0);
                    let rows = reply.rows();
                    if rows.has_definitions {
                        assert_eq!(rows.definitions, statement.columns);
                    }
                    assert_eq!(rows.rows[0][2..6], id.to_le_bytes());
                }
            }
        }
        // The point of it all: the second execution on one connection comes without.
        let statement = one.prepare("SELECT * FROM p_cached WHERE id = ?").unwrap();
        one.execute(&statement, &[Param::int(1)]);
        let again = one.execute(&statement, &[Param::int(1)]).remove(0);
        assert!(!again.rows().has_definitions);
    }
}

/// R048: values sent ahead in pieces are stored byte by byte, and get no answer.
#[test]
fn long_data_is_stored_whole() {
    for place in places() {
        let mut client = place.create_sharded("p_long", "id INT PRIMARY KEY, b LONGBLOB, c INT");
        client.must("INSERT INTO p_long VALUES (1, NULL, 0), (2, NULL, 0), (3, NULL, 0)");
        let value: Vec<u8> = (0..40_000u32).map(|at| (at * 7) as u8).collect();
        for sql in [
            "UPDATE p_long SET b = ?, c = 1 WHERE id = ?",
            "UPDATE p_long SET b = ?, c = 2 WHERE id IN (2, 3, ?)",
        ] {
            let statement = client.prepare(sql).unwrap();
            send_long(&mut client, statement.id, 0, &value);
            let reply = client.execute(&statement, &[Param::long_data(), Param::int(1)]).remove(0);
            assert!(reply.affected() > 0);
        }
        let whole = "SELECT COUNT(*), MIN(LENGTH(b)), MIN(CRC32(b) = 1764268403) FROM p_long";
        let crc = client.line("SELECT CRC32(b) FROM p_long WHERE id = 1");
        let expected = crc32(&value).to_string();
        assert_eq!(crc, expected);
        let whole = whole.replace("1764268403", &expected);
        assert_eq!(client.line(&whole), "3|40000|1", "{}", place.name);
        // What was sent ahead is used once; COM_STMT_RESET forgets it.
        let statement = client.prepare("UPDATE p_long SET b = ? WHERE id = 1").unwrap();
        send_long(&mut client, statement.id, 0, b"gone");
        let id = statement.id.to_le_bytes();
        assert!(matches!(client.command(Command::StmtReset, &id), Reply::Ok { .. }));
        client.execute(&statement, &[Param::bytes(b"kept")]);
        assert_eq!(client.line("SELECT b FROM p_long WHERE id = 1"), "kept");
    }
}

fn send_long(client: &mut Wire, id: u32, param: u16, value: &[u8]) {
    for piece in value.chunks(8192) {
        let mut body = id.to_le_bytes().to_vec();
        body.extend_from_slice(&param.to_le_bytes());
        body.extend_from_slice(piece);
        client.send(Command::StmtSendLongData as u8, &body);
    }
}

/// CRC-32 as SQL's CRC32() computes it.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(!0, step)
}

/// R050: a cursor's rows come in the portions asked for.
#[test]
fn cursors_are_read_in_portions() {
    for place in places() {
        let mut client = place.create_sharded("p_cursor", "id INT PRIMARY KEY, a INT");
        client.must("CREATE TABLE p_cursor_single (id INT PRIMARY KEY, a INT)");
        for table in ["p_cursor", "p_cursor_single"] {
            client.must(&format!(
                "INSERT INTO {table} VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)"
            ));
            for extra in [Capabilities::NONE, Capabilities::DEPRECATE_EOF] {
                let mut reader = place.connect_with(extra);
                let sql = format!("SELECT id FROM {table} ORDER BY id");
                let statement = reader.prepare(&sql).unwrap();
                assert_eq!(read_by_cursor(&mut reader, statement.id), [1, 2, 3, 4, 5], "{table}");
                // Reset half-way closes it; the statement runs again.
                reader.send_execute(statement.id, &[], true, 1);
                let opened = reader.reply(true);
                if opened.status().contains(StatusFlags::CURSOR_EXISTS) {
                    fetch(&mut reader, statement.id, 2);
                }
                reader.command(Command::StmtReset, &statement.id.to_le_bytes());
                assert_eq!(read_by_cursor(&mut reader, statement.id), [1, 2, 3, 4, 5], "{table}");
                assert_eq!(reader.line(&format!("SELECT COUNT(*) FROM {table}")), "5");
            }
        }
        let mut body = 99u32.to_le_bytes().to_vec();
        body.extend_from_slice(&1u32.to_le_bytes());
        let unknown = client.command(Command::StmtFetch, &body).code();
        assert!(matches!(unknown, 1243 | 1421), "{unknown}");
    }
}

fn fetch(client: &mut Wire, id: u32, count: u32) -> Reply {
    let mut body = id.to_le_bytes().to_vec();
    body.extend_from_slice(&count.to_le_bytes());
    client.send(Command::StmtFetch as u8, &body);
    client.read_rows(Default::default())
}

/// All rows of a statement by portions of two; a server may send them all at once.
fn read_by_cursor(client: &mut Wire, id: u32) -> Vec<i32> {
    client.send_execute(id, &[], true, 1);
    let mut reply = client.reply(true);
    let mut values = Vec::new();
    loop {
        let portion = reply.rows().rows.iter();
        values.extend(portion.map(|row| i32::from_le_bytes(row[2..6].try_into().unwrap())));
        let status = reply.status();
        let goes_on = status.contains(StatusFlags::CURSOR_EXISTS)
            && !status.contains(StatusFlags::LAST_ROW_SENT);
        if !goes_on {
            return values;
        }
        reply = fetch(client, id, 2);
        assert!(reply.rows().rows.len() <= 2);
    }
}

/// R051: PREPARE describes parameters and columns as the server does, with logical names.
#[test]
fn prepare_describes_like_the_server() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, a VARCHAR(20), b DECIMAL(10,2), c BIGINT UNSIGNED";
        let mut client = place.create_sharded("p_described", columns);
        client.must(&format!("CREATE TABLE p_described_single ({columns})"));
        let mut direct = place.direct(Capabilities::NONE);
        for table in ["p_described", "p_described_single"] {
            let sql = format!("SELECT x.*, x.b + 1 AS d FROM {table} x WHERE id = ? AND a > ?");
            let through = client.prepare(&sql).unwrap();
            let sql = sql.replace("p_described ", "p_described_single ");
            let own = direct.prepare(&sql).unwrap();
            assert_eq!(through.params, own.params, "{}", place.name);
            assert_eq!(through.columns.len(), own.columns.len());
            for (through, own) in through.columns.iter().zip(&own.columns) {
                assert_eq!(plain(through), plain(own), "{} {table}", place.name);
            }
        }
    }
}

/// What of a definition does not depend on where the table is.
fn plain(payload: &[u8]) -> (String, u16, u8, u16, u32, u8) {
    let definition = protocol::packet::column_definition::ColumnDefinition41::decode(
        payload,
        Capabilities::NONE,
    );
    let definition = definition.unwrap();
    (
        String::from_utf8_lossy(definition.name).into_owned(),
        definition.collation,
        definition.column_type.0,
        definition.flags.0,
        definition.column_length,
        definition.decimals,
    )
}

/// R053: what the proxy answers itself is answered in the form of the command that asks.
#[test]
fn own_statements_can_be_prepared() {
    for place in places() {
        let mut client = place.connect();
        for (sql, variable, expected) in [
            ("SET SESSION sql_mode=''", "@@sql_mode", ""),
            (
                "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
                "@@collation_connection",
                "utf8mb4_unicode_ci",
            ),
            ("SET SESSION sql_mode='ANSI_QUOTES'", "@@sql_mode", "ANSI_QUOTES"),
            ("SET @a = 5", "@a", "5"),
        ] {
            let statement = client.prepare(sql).unwrap();
            assert_eq!(statement.columns.len() + statement.params.len(), 0, "{sql}");
            let reply = client.execute(&statement, &[]).remove(0);
            assert_eq!(reply.affected(), 0, "{sql}");
            assert_eq!(client.line(&format!("SELECT {variable}")), expected, "{sql}");
        }
        for sql in ["SELECT CONNECTION_ID()", "SELECT @@version_comment", "SELECT DATABASE()"] {
            let statement = client.prepare(sql).unwrap();
            assert_eq!(statement.columns.len(), 1, "{sql}");
            let reply = client.execute(&statement, &[]).remove(0);
            assert_eq!(reply.rows().rows.len(), 1, "{sql}");
        }
        for sql in ["BEGIN", "SAVEPOINT a", "ROLLBACK TO SAVEPOINT a", "COMMIT"] {
            assert_eq!(client.run_prepared(sql, &[]).affected(), 0, "{sql}");
        }
        let shown = client.run_prepared("SHOW WARNINGS", &[]);
        assert_eq!(shown.rows().definitions.len(), 3);
        let set = client.prepare("SET @b = ?").unwrap();
        assert_eq!(set.params.len(), 1);
        assert_eq!(client.execute(&set, &[Param::bytes(b"it's")])[0].affected(), 0);
        assert_eq!(client.line("SELECT @b"), "it's", "{}", place.name);
    }
}

/// R055: a server's limit is not reached by many clients with many texts.
#[test]
fn statements_of_connections_are_bounded() {
    for place in places() {
        let mut direct = place.direct(Capabilities::NONE);
        let mut client = place.connect();
        let ids: Vec<u32> = (0..700)
            .map(|number| client.prepare(&format!("SELECT {number}, ?")).unwrap().id)
            .collect();
        let count = prepared_count(&mut direct);
        assert!(count < 2_000, "{count} statements on {}", place.name);
        // One whose statement was closed on the server is prepared again.
        client.send_execute(ids[0], &[Param::int(1)], true, 0);
        let reply = client.replies().remove(0);
        assert_eq!(reply.rows().rows.len(), 1, "{reply:?}");
        for id in &ids[..350] {
            client.send(Command::StmtClose as u8, &id.to_le_bytes());
        }
        client.send_execute(ids[0], &[Param::int(1)], true, 0);
        assert_eq!(client.replies()[0].code(), 1243);
        client.send_execute(ids[699], &[Param::int(1)], true, 0);
        assert_eq!(client.replies()[0].rows().rows.len(), 1);
    }
}

fn prepared_count(direct: &mut Wire) -> usize {
    let line = direct.line("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");
    line.rsplit('|').next().unwrap().parse().unwrap()
}

/// R057: a change of user forgets the session's statements and nobody else's.
#[test]
fn a_change_of_user_keeps_the_statements_of_others() {
    for place in places() {
        let mut first = place.create_sharded("p_user", "id INT PRIMARY KEY, a INT");
        first.must("INSERT INTO p_user VALUES (1, 1)");
        let mut second = place.connect();
        let sql = "SELECT a FROM p_user WHERE id = ?";
        let statement = first.prepare(sql).unwrap();
        first.execute(&statement, &[Param::int(1)]);
        let own = second.prepare(sql).unwrap();
        second.execute(&own, &[Param::int(1)]);
        crate::session::change_user(&mut second, "root", "root", "clients");
        second.send_execute(own.id, &[Param::int(1)], true, 0);
        assert_eq!(second.replies()[0].code(), 1243, "{}", place.name);
        let reply = first.execute(&statement, &[Param::int(1)]).remove(0);
        assert_eq!(reply.rows().rows.len(), 1);
    }
}

/// R058: an execution above 16 MiB is joined; one above the limit is refused, and the proxy lives.
#[test]
fn an_execution_may_be_large() {
    for place in places() {
        let mut client = place.create_sharded("p_large", "id INT PRIMARY KEY, b LONGBLOB");
        let value = vec![b'x'; 20 << 20];
        let insert = "INSERT INTO p_large VALUES (?, ?)";
        let params = [Param::int(1), Param::bytes(&value)];
        assert_eq!(client.run_prepared(insert, &params).affected(), 1);
        assert_eq!(client.line("SELECT LENGTH(b) FROM p_large"), (20 << 20).to_string());
        drop(params);
        refuse_large_execution(place);
        assert_eq!(place.connect().line("SELECT COUNT(*) FROM p_large"), "1");
    }
}

fn refuse_large_execution(place: &Place) {
    let mut client = place.connect();
    let statement = client.prepare("INSERT INTO p_large VALUES (?, ?)").unwrap();
    let value = vec![b'x'; 45 << 20];
    client.send_execute(statement.id, &[Param::int(2), Param::bytes(&value)], true, 0);
    assert_eq!(client.replies()[0].code(), 1153);
}
