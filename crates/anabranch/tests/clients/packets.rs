//! Packets and commands: sizes, capabilities, what is unknown or malformed.

use std::io::Write;

use protocol::StatusFlags;
use protocol::capability::Capabilities;
use protocol::command::Command;
use protocol::field::{write_lenenc_bytes, write_lenenc_int};

use crate::setting::{MAX_ALLOWED_PACKET, places};
use crate::wire::{Param, Reply};

/// R059: a statement of any size up to the limit, and exact multiples of a full packet.
#[test]
fn statements_of_many_sizes() {
    for place in places() {
        let mut client = place.connect();
        client.must("CREATE TABLE k_sizes (id INT PRIMARY KEY, t LONGTEXT)");
        let full = 0xFF_FFFF;
        let head = "INSERT INTO k_sizes VALUES (1, '";
        for payload in [8_388_607, full - 1, full, full + 1, 2 * full, 2 * full + 1] {
            client.must("DELETE FROM k_sizes");
            // The command byte belongs to the payload.
            let length = payload - 1 - head.len() - 2;
            let sql = format!("{head}{}')", "x".repeat(length));
            assert_eq!(client.one(&sql).affected(), 1, "{payload} on {}", place.name);
            let stored = client.line("SELECT LENGTH(t), t LIKE '%xx' FROM k_sizes");
            assert_eq!(stored, format!("{length}|1"));
            let reply = client.one("SELECT t FROM k_sizes");
            assert!(reply.rows().rows[0].len() > length);
        }
    }
}

/// Rows whose packets are exact multiples of a full packet, in both protocols.
#[test]
fn rows_of_full_packets() {
    for place in places() {
        for extra in [Capabilities::NONE, Capabilities::DEPRECATE_EOF] {
            let mut client = place.connect_with(extra);
            let full = 0xFF_FFFFusize;
            // Text: four bytes of length before the value; binary: two more before it.
            for (payload, head) in [(full, 4), (full, 6), (2 * full, 9)] {
                let length = payload - head;
                let sql = format!("SELECT REPEAT('y', {length})");
                let reply = match head {
                    6 => client.run_prepared(&sql, &[]),
                    _ => client.one(&sql),
                };
                let rows = reply.rows();
                assert_eq!((rows.rows.len(), rows.rows[0].len()), (1, payload), "{}", place.name);
                assert_eq!(client.line("SELECT 1"), "1");
            }
        }
    }
}

/// R061: the limit that is shown is the one that is enforced.
#[test]
fn the_largest_packet_is_the_one_announced() {
    for place in places() {
        let mut client = place.connect();
        let expected = MAX_ALLOWED_PACKET.to_string();
        assert_eq!(client.line("SELECT @@max_allowed_packet"), expected, "{}", place.name);
        let shown = client.line("SHOW VARIABLES LIKE 'max_allowed_packet'");
        assert_eq!(shown, format!("max_allowed_packet|{expected}"));
        let statement = |size: usize| {
            let head = "SELECT LENGTH('";
            format!("{head}{}')", "x".repeat(size - 1 - head.len() - 2))
        };
        assert!(matches!(client.one(statement(MAX_ALLOWED_PACKET - 1)), Reply::Rows(_)));
        assert_eq!(client.one(statement(MAX_ALLOWED_PACKET + 1)).code(), 1153);
        assert_eq!(place.connect().line("SELECT 1"), "1");
    }
}

/// R062: the client's file goes to the storage unit; the proxy opens none.
#[test]
fn local_files_come_from_the_client() {
    for place in places() {
        let mut client = place.connect();
        client.must("CREATE TABLE k_file (a INT, b VARCHAR(20))");
        let sql =
            "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE k_file FIELDS TERMINATED BY ','";
        let Reply::Infile(name) = client.one(sql) else { panic!("a request for the file") };
        assert_eq!(name, "/etc/hostname");
        for piece in ["1,one\n2,t", "wo\n3,three\n"] {
            client.write(piece.as_bytes());
        }
        client.write(b"");
        let reply = client.reply(false);
        assert_eq!(reply.affected(), 3, "{}: {reply:?}", place.name);
        assert_eq!(client.line("SELECT GROUP_CONCAT(b ORDER BY a) FROM k_file"), "one,two,three");
        // A client that has no such file sends nothing.
        assert!(matches!(client.one(sql), Reply::Infile(_)));
        client.write(b"");
        assert_eq!(client.reply(false).affected(), 0);
    }
}

/// R065: COM_SET_OPTION switches several statements in one text on and off.
#[test]
fn several_statements_can_be_switched() {
    for place in places() {
        let mut client = place.connect();
        assert_eq!(client.one("SELECT 1; SELECT 2").code(), 1064, "{}", place.name);
        assert!(matches!(client.command(Command::SetOption, &[0, 0]), Reply::Ok { .. }));
        assert_eq!(client.query("SELECT 1; SELECT 2").len(), 2);
        assert!(matches!(client.command(Command::SetOption, &[1, 0]), Reply::Ok { .. }));
        assert_eq!(client.one("SELECT 1; SELECT 2").code(), 1064);
        assert_eq!(client.command(Command::SetOption, &[7, 0]).code(), 1047);
    }
}

/// R066 and R068: each statement is routed on its own, one result each, none after an error.
#[test]
fn several_statements_have_a_result_each() {
    for place in places() {
        place.create_sharded("k_several", "id INT PRIMARY KEY, a INT");
        for eof in [Capabilities::NONE, Capabilities::DEPRECATE_EOF] {
            let mut client = place.connect_with(eof.union(Capabilities::MULTI_STATEMENTS));
            let inserted = client.query(
                "INSERT INTO k_several VALUES (1, 1); INSERT INTO k_several VALUES (2, 2), (3, 3);\
                 INSERT INTO k_several VALUES (4, NULL) ; ",
            );
            let affected: Vec<u64> = inserted.iter().map(Reply::affected).collect();
            assert_eq!(affected, [1, 2, 1], "{}", place.name);
            let replies = client.query(
                "SELECT id FROM k_several WHERE id = 1; SELECT id FROM k_several ORDER BY id; \
                 SELECT ';' /* ; */, 'a;b' -- ;\n; UPDATE k_several SET a = 9 WHERE id = 2",
            );
            let texts: Vec<String> =
                replies[..3].iter().map(|reply| format!("{:?}", reply.rows().texts())).collect();
            assert_eq!(
                texts,
                [r#"[["1"]]"#, r#"[["1"], ["2"], ["3"], ["4"]]"#, r#"[[";", "a;b"]]"#],
                "{}",
                place.name
            );
            assert_eq!(replies[3].affected(), 1);
            assert!(!replies[3].status().contains(StatusFlags::MORE_RESULTS_EXISTS));
            let replies = client.query(
                "SELECT 1; UPDATE k_several SET a = 8 WHERE id = 2; SELECT no_column; \
                 UPDATE k_several SET a = 7 WHERE id = 2",
            );
            assert_eq!(replies.len(), 3, "{replies:?}");
            assert_eq!(replies[2].code(), 1054);
            let replies = client.query("SELECT 1; SELEC; SELECT 2");
            assert_eq!((replies.len(), replies[1].code()), (2, 1064));
            assert_eq!(client.line("SELECT a FROM k_several WHERE id = 2"), "8");
            let deletes: Vec<String> =
                (1..=9).map(|id| format!("DELETE FROM k_several WHERE id = {id}")).collect();
            let deleted = client.query(deletes.join(";"));
            let affected: Vec<u64> = deleted.iter().map(Reply::affected).collect();
            assert_eq!(affected, [1, 1, 1, 1, 0, 0, 0, 0, 0]);
        }
    }
}

/// R069: every combination of what changes the bytes gets well-formed answers of every kind.
#[test]
fn capabilities_shape_the_answer() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, a VARCHAR(20)";
        let mut client = place.create_sharded("k_caps", columns);
        client.must(&format!("CREATE TABLE k_caps_single ({columns})"));
        for table in ["k_caps", "k_caps_single"] {
            client.must(&format!("INSERT INTO {table} VALUES (1, 'x'), (2, NULL), (3, 'z')"));
        }
        let flags = [
            Capabilities::DEPRECATE_EOF,
            Capabilities::FOUND_ROWS,
            Capabilities::SESSION_TRACK,
            Capabilities::MARIADB_CACHE_METADATA,
            Capabilities::IGNORE_SPACE,
            Capabilities::CONNECT_ATTRS,
        ];
        for bits in 0..1u32 << flags.len() {
            let chosen = flags.iter().enumerate().filter(|(bit, _)| bits & 1 << bit != 0);
            let extra = chosen.fold(Capabilities::NONE, |all, (_, flag)| all.union(*flag));
            let mut client = place.connect_with(extra);
            for table in ["k_caps", "k_caps_single"] {
                let sql = format!("SELECT a FROM {table} ORDER BY id");
                assert_eq!(client.one(&sql).rows().texts().concat(), ["x", "NULL", "z"]);
                let reply = client.run_prepared(&sql, &[]);
                assert_eq!(reply.rows().rows.len(), 3, "{extra:?}");
                let one = format!("SELECT id, a FROM {table} WHERE id = ?");
                let reply = client.run_prepared(&one, &[Param::int(3)]);
                assert_eq!(reply.rows().rows[0][2..], [3, 0, 0, 0, 1, b'z'], "{extra:?}");
                let unchanged = client.must(&format!("UPDATE {table} SET a = 'x' WHERE id = 1"));
                let expected = u64::from(extra.contains(Capabilities::FOUND_ROWS));
                assert_eq!(unchanged.affected(), expected, "{extra:?} {table}");
            }
            assert_eq!(client.one("SELECT no_column").code(), 1054);
            assert_eq!(client.one("SET @x = 1").affected(), 0);
        }
    }
}

/// Connections of one session state and many capabilities meet on few backend connections.
#[test]
fn query_attributes_are_passed_over() {
    for place in places().iter().filter(|place| !place.is_mariadb) {
        let mut client = place.connect_with(Capabilities::QUERY_ATTRIBUTES);
        assert!(client.offered.contains(Capabilities::QUERY_ATTRIBUTES));
        let mut body = Vec::new();
        write_lenenc_int(&mut body, 1);
        write_lenenc_int(&mut body, 1);
        body.extend_from_slice(&[0, 1, 253, 0]);
        write_lenenc_bytes(&mut body, b"traceparent");
        write_lenenc_bytes(&mut body, b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        body.extend_from_slice(b"SELECT 'after attributes'");
        client.send(Command::Query as u8, &body);
        assert_eq!(client.replies()[0].line(), "after attributes");
        let statement = client.prepare("SELECT ?").unwrap();
        let mut body = statement.id.to_le_bytes().to_vec();
        body.extend_from_slice(&[8, 1, 0, 0, 0, 2, 0, 1]);
        for (kind, name) in [(3, &b""[..]), (253, b"name")] {
            body.extend_from_slice(&[kind, 0]);
            write_lenenc_bytes(&mut body, name);
        }
        body.extend_from_slice(&42i32.to_le_bytes());
        write_lenenc_bytes(&mut body, b"value");
        client.send(Command::StmtExecute as u8, &body);
        let reply = client.replies().remove(0);
        assert_eq!(reply.rows().rows[0][2], 42);
    }
}

/// Old and rare commands, and ones that do not exist.
#[test]
fn every_command_is_answered() {
    for place in places() {
        let mut client = place.create_sharded("k_commands", "id INT PRIMARY KEY, a INT");
        for byte in [0, 5, 6, 7, 8, 11, 13, 15, 16, 18, 19, 20, 21, 29, 30, 0x20, 0x7F, 0xF0, 0xFF]
        {
            client.send(byte, b"");
            assert_eq!(client.reply(false).code(), 1047, "{byte}");
        }
        assert!(matches!(client.command(Command::Ping, b""), Reply::Ok { .. }));
        client.send(Command::Statistics as u8, b"");
        let text = String::from_utf8(client.read()).unwrap();
        assert!(text.starts_with("Uptime: ") && text.contains("Threads: "), "{text}");
        assert!(matches!(client.command(Command::InitDb, b"clients"), Reply::Ok { .. }));
        assert_eq!(client.command(Command::InitDb, b"nowhere").code(), 1049);
        client.send(Command::FieldList as u8, b"k_commands\0%");
        let first = client.read();
        let second = client.read();
        assert!(first.windows(2).any(|bytes| bytes == b"id"), "{first:?}");
        assert!(second.windows(2).any(|bytes| bytes == b"\x01a"), "{second:?}");
        assert_eq!(client.read()[0], 0xFE);
        client.send(Command::FieldList as u8, b"no_table\0");
        assert_eq!(client.reply(false).code(), 1146);
        client.send(Command::ProcessInfo as u8, b"");
        assert!(!client.replies()[0].rows().rows.is_empty());
        let id = 4_000_000_000u32.to_le_bytes();
        assert_eq!(client.command(Command::ProcessKill, &id).code(), 1094);
        assert_eq!(client.line("SELECT 1"), "1", "{}", place.name);
        client.send(Command::Quit as u8, b"");
        assert!(client.try_read().is_none());
    }
}

/// Commands cut short are refused one by one; the session goes on.
#[test]
fn malformed_commands_are_errors() {
    for place in places() {
        let mut client = place.connect();
        let commands = [
            (Command::StmtExecute, &b""[..]),
            (Command::StmtExecute, &[1, 0]),
            (Command::StmtExecute, &[9, 9, 0, 0, 0, 1, 0, 0, 0]),
            (Command::StmtFetch, &[1]),
            (Command::StmtReset, &[]),
            (Command::SetOption, &[]),
            (Command::ChangeUser, b"root"),
        ];
        for (command, body) in &commands[..6] {
            let reply = client.command(*command, body);
            assert!(matches!(reply, Reply::Err { .. }), "{command:?}: {reply:?}");
        }
        // These have no answer, whatever they hold.
        for body in [&b""[..], &[1, 0], &[9, 9, 0, 0, 0, 0, 1]] {
            client.send(Command::StmtSendLongData as u8, body);
            client.send(Command::StmtClose as u8, body);
        }
        assert_eq!(client.line("SELECT 1"), "1");
        let statement = client.prepare("SELECT ?, ?").unwrap();
        let mut body = statement.id.to_le_bytes().to_vec();
        body.extend_from_slice(&[0, 1, 0, 0, 0, 0, 1, 253, 0, 253, 0, 250, 1]);
        for cut in 4..body.len() {
            let reply = client.command(Command::StmtExecute, &body[..cut]);
            assert!(matches!(reply, Reply::Err { .. }), "{cut}: {reply:?}");
        }
        assert_eq!(client.one("").code(), 1065, "{}", place.name);
        let (command, body) = commands[6];
        assert!(matches!(client.command(command, body), Reply::Err { .. }));
    }
}

/// A client that goes away in the middle of a packet leaves nothing behind.
#[test]
fn broken_clients_do_no_harm() {
    for place in places() {
        for bytes in [&b""[..], &[0xFF, 0xFF, 0xFF, 0, 3], &[9, 0, 0, 0, 3, b'S'], &[0, 0, 0, 0]] {
            let mut client = place.connect();
            client.stream.write_all(bytes).unwrap();
            drop(client);
        }
        assert_eq!(place.connect().line("SELECT 1"), "1");
    }
}

/// R156: a list of ten thousand values, as text and bound, reaches exactly its rows.
#[test]
fn long_lists_are_routed() {
    for place in places() {
        let mut client = place.create_sharded("p_list", "id INT PRIMARY KEY, a INT");
        let rows: Vec<String> = (0..2_000).map(|id| format!("({id}, {id})")).collect();
        client.must(&format!("INSERT INTO p_list VALUES {}", rows.join(", ")));
        for count in [1_200, 10_000] {
            let values: Vec<String> = (0..count).map(|value| (value * 2).to_string()).collect();
            let sql = format!("SELECT COUNT(*) FROM p_list WHERE id IN ({})", values.join(","));
            assert_eq!(client.line(&sql), "1000", "{}", place.name);
            let marks = vec!["?"; count as usize].join(",");
            let sql = format!("SELECT COUNT(*) FROM p_list WHERE id IN ({marks})");
            let params: Vec<Param> = (0..count).map(|value| Param::int(value * 2)).collect();
            let reply = client.run_prepared(&sql, &params);
            assert_eq!(reply.rows().rows[0][2..], 1_000i64.to_le_bytes(), "{}", place.name);
        }
    }
}

/// R046 where nobody told the proxy: a table changed on the server itself.
#[test]
fn a_table_changed_behind_the_proxy_is_read_right() {
    for place in places() {
        let mut client = place.connect();
        client.must("CREATE TABLE p_behind (id INT PRIMARY KEY, a INT)");
        client.must("INSERT INTO p_behind VALUES (1, 10)");
        let caching = Capabilities::MARIADB_CACHE_METADATA;
        let mut readers = [place.connect_with(caching), place.connect_with(caching)];
        let sql = "SELECT * FROM p_behind WHERE id = ?";
        let statements: Vec<_> =
            readers.iter_mut().map(|reader| reader.prepare(sql).unwrap()).collect();
        for (reader, statement) in readers.iter_mut().zip(&statements) {
            reader.execute(statement, &[Param::int(1)]);
        }
        let mut direct = place.direct(Capabilities::NONE);
        direct.must("ALTER TABLE p_behind ADD COLUMN b INT DEFAULT 7");
        for (reader, statement) in readers.iter_mut().zip(&statements) {
            let mut known = 2;
            for _ in 0..3 {
                let reply = reader.execute(statement, &[Param::int(1)]).remove(0);
                let rows = reply.rows();
                if rows.has_definitions {
                    known = rows.definitions.len();
                }
                assert_eq!(known, 3, "{}", place.name);
                assert_eq!(rows.rows[0].len(), 2 + 12, "{}", place.name);
            }
        }
    }
}
