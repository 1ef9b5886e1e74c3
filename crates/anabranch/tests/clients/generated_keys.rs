//! Generated keys of sharded tables as clients see them: the values, the answer's insert id,
//! LAST_INSERT_ID().

use std::collections::BTreeSet;

use crate::setting::{Place, places};
use crate::wire::{Param, Reply, Wire};

fn insert_id(reply: &Reply) -> u64 {
    let Reply::Ok { last_insert_id, .. } = reply else { panic!("{reply:?}") };
    *last_insert_id
}

/// The rows of a query.
fn list(client: &mut Wire, sql: &str) -> String {
    let rows = client.one(sql).rows().texts();
    rows.iter().map(|row| row.join("=")).collect::<Vec<_>>().join(" ")
}

const COUNTED: &str = "id BIGINT PRIMARY KEY AUTO_INCREMENT, a INT, b VARCHAR(20)";

/// R077: the last generated key is the session's, on sharded tables, too.
#[test]
fn numbers_are_the_tables_and_the_last_is_the_sessions() {
    for place in places() {
        let mut client = place.create_sharded("g_key", COUNTED);
        let mut other = place.connect();
        let three = other.must("INSERT INTO g_key (a) VALUES (1), (2), (3)");
        assert_eq!((insert_id(&three), three.affected()), (1, 3), "{}", place.name);
        assert_eq!(insert_id(&client.must("INSERT INTO g_key (a) VALUES (4)")), 4);
        for sql in ["SELECT LAST_INSERT_ID() AS id", "SELECT @@identity", "SELECT @@last_insert_id"]
        {
            assert_eq!(client.line(sql), "4", "{sql} on {}", place.name);
            assert_eq!(other.line(sql), "1", "{sql} on {}", place.name);
        }
        client.must("INSERT INTO g_key (a) VALUES (LAST_INSERT_ID())");
        assert_eq!(client.line("SELECT a FROM g_key WHERE id = LAST_INSERT_ID()"), "4");
        // A number of the client's own is told, and not remembered.
        assert_eq!(insert_id(&client.must("INSERT INTO g_key (id, a) VALUES (40, 1)")), 40);
        assert_eq!(client.line("SELECT LAST_INSERT_ID()"), "5", "{}", place.name);
        let ids = list(&mut client, "SELECT id FROM g_key ORDER BY id");
        assert_eq!(ids, "1 2 3 4 5 40", "{}", place.name);
    }
}

/// A prepared statement gets its numbers as one more parameter, wherever its rows go.
#[test]
fn prepared_statements_get_numbers() {
    for place in places() {
        let mut client = place.create_sharded("g_prepared", COUNTED);
        let left_out = client.prepare("INSERT INTO g_prepared (a, b) VALUES (?, ?)").unwrap();
        let given = client.prepare("INSERT INTO g_prepared (id, a) VALUES (?, ?)").unwrap();
        let null = Param { kind: [6, 0], value: None };
        for round in 0..8 {
            let reply = client.execute(&left_out, &[Param::int(round), Param::bytes(b"x")]);
            assert_eq!(insert_id(&reply[0]), 2 * round as u64 + 1, "{}", place.name);
            let reply = client.execute(&given, &[null.clone(), Param::int(round)]);
            assert_eq!(insert_id(&reply[0]), 2 * round as u64 + 2, "{}", place.name);
        }
        let reply = client.execute(&given, &[Param::int(100), Param::int(1)]);
        assert_eq!(insert_id(&reply[0]), 100);
        let expected: Vec<String> = (1..=16).chain([100]).map(|id| id.to_string()).collect();
        let ids = list(&mut client, "SELECT id FROM g_prepared ORDER BY id");
        assert_eq!(ids, expected.join(" "), "{}", place.name);
    }
}

/// The rows of one prepared statement go to other nodes with other values; each node gets the text
/// of its own rows.
#[test]
fn rows_of_a_prepared_statement_change_their_nodes() {
    for place in places() {
        let mut client = place.create_sharded("g_rows", "id INT PRIMARY KEY, a VARCHAR(9)");
        let sql = "INSERT INTO g_rows VALUES (?, 'first'), (?, 'second'), (?, 'third')";
        let statement = client.prepare(sql).unwrap();
        for ids in [[0, 1, 2], [5, 4, 8], [12, 16, 20], [7, 11, 9]] {
            let replies = client.execute(&statement, &ids.map(Param::int));
            assert_eq!(replies[0].affected(), 3, "{ids:?} on {}", place.name);
            for (id, expected) in ids.iter().zip(["first", "second", "third"]) {
                let line = client.line(&format!("SELECT a FROM g_rows WHERE id = {id}"));
                assert_eq!(line, expected, "{id} on {}", place.name);
            }
        }
    }
}

/// Clients that insert at the same time never get one number.
#[test]
fn clients_share_no_number() {
    for place in places() {
        place.create_sharded("g_shared", COUNTED);
        let insert = |mut client: Wire| {
            move || {
                (0..100)
                    .flat_map(|_| {
                        let one = client.must("INSERT INTO g_shared (a) VALUES (1)");
                        let two = client.must("INSERT INTO g_shared (a) VALUES (1), (2)");
                        let first = insert_id(&two);
                        [insert_id(&one), first, first + 1]
                    })
                    .collect::<Vec<u64>>()
            }
        };
        let threads: Vec<_> = (0..6).map(|_| std::thread::spawn(insert(place.connect()))).collect();
        let all: Vec<u64> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
        let distinct: BTreeSet<u64> = all.iter().copied().collect();
        assert_eq!((all.len(), distinct.len()), (1800, 1800), "{}", place.name);
        assert_eq!(place.connect().line("SELECT COUNT(*) FROM g_shared"), "1800");
    }
}

/// Rows that somebody has put on a node past the proxy are noticed.
#[test]
fn rows_from_elsewhere_are_skipped() {
    for place in places() {
        let mut client = place.create_sharded("g_past", COUNTED);
        client.must("INSERT INTO g_past (a) VALUES (1)");
        direct(place, "INSERT INTO unit_0.g_past_2 (id, a) VALUES (2, 9), (6, 9)");
        assert_eq!(client.one("INSERT INTO g_past (a) VALUES (2)").code(), 1062);
        assert_eq!(insert_id(&client.must("INSERT INTO g_past (a) VALUES (3)")), 7);
    }
}

fn direct(place: &Place, sql: &str) {
    place.direct(protocol::capability::Capabilities::NONE).must(sql);
}

/// Lines of a file go to their nodes; one server with the same file answers the same.
#[test]
fn files_are_loaded_as_by_one_server() {
    let columns = "id INT PRIMARY KEY, a INT DEFAULT 5, b VARCHAR(20)";
    let lines =
        |count: u32| (0..count).map(|id| format!("{id}\t{}\ttext {id}\n", id % 7)).collect();
    let cases: Vec<(&str, String)> = vec![
        ("", lines(3)),
        ("", lines(1)),
        ("", String::new()),
        ("IGNORE 1 LINES", "id\ta\tb\n10\t1\tx\n11\t2\ty".to_owned()),
        ("FIELDS TERMINATED BY ','", "20,1,a\n21,2,b\\,c\n22,\\N,\\N\n".to_owned()),
        (
            "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' LINES TERMINATED BY '\\r\\n'",
            "30,1,\"a,\"\"b\"\"\"\r\n31,2,NULL\r\n".to_owned(),
        ),
        ("FIELDS TERMINATED BY ';' (b, id)", "x;40\ny;41\nz;42\nx;43".to_owned()),
        ("CHARACTER SET utf8mb4 (id, b)", "50\té日\n51\tß\n".to_owned()),
        // Rows that are there already are ignored, with a warning; REPLACE replaces them.
        ("", "0\t1\tagain\n1\t1\tagain\n60\t1\tnew\n".to_owned()),
        ("REPLACE", "0\t1\tagain\n1\t1\tagain\n61\t1\tnew\n".to_owned()),
        // Values that do not fit.
        ("", "70\tmany\tx\n71\t2\tmuch too long a text for it\n72\n73\t1\t2\t3\n".to_owned()),
        ("", lines(50_000)),
    ];
    for place in places() {
        let mut client = place.create_sharded("g_load", columns);
        let mut server = place.direct(protocol::capability::Capabilities::NONE);
        server.must(&format!("CREATE TABLE g_load_one ({columns})"));
        for (clauses, file) in &cases {
            let loaded = load(&mut client, "g_load", clauses, file);
            let expected = load(&mut server, "g_load_one", clauses, file);
            assert_eq!(loaded, expected, "{clauses} on {}", place.name);
            let sum = |table: &str| {
                format!(
                    "SELECT COUNT(*), SUM(id), SUM(a), SUM(CRC32(CONCAT_WS('-', id, a, b))), \
                     SUM(b IS NULL) FROM {table}"
                )
            };
            assert_eq!(client.line(&sum("g_load")), server.line(&sum("g_load_one")), "{clauses}");
        }
        server.must("DROP TABLE g_load_one");
    }
}

/// Affected rows, warnings and info.
fn load(client: &mut Wire, table: &str, clauses: &str, file: &str) -> (u64, u16, String) {
    let (before, clauses) = match clauses.strip_prefix("REPLACE") {
        Some(rest) => ("REPLACE", rest),
        None => ("", clauses),
    };
    let sql = format!("LOAD DATA LOCAL INFILE 'f.txt' {before} INTO TABLE {table} {clauses}");
    match client.one(&sql) {
        Reply::Infile(name) => assert_eq!(name, "f.txt"),
        other => panic!("{sql}: {other:?}"),
    }
    for piece in file.as_bytes().chunks(7_777) {
        client.write(piece);
    }
    client.write(b"");
    match client.reply(false) {
        Reply::Ok { affected, warnings, info, .. } => (affected, warnings, info),
        other => panic!("{sql}: {other:?}"),
    }
}

/// Lines that lack a number get one, and all lines of a file are loaded or none.
#[test]
fn files_get_numbers_and_are_loaded_whole() {
    for place in places() {
        let mut client = place.create_sharded("g_file", COUNTED);
        let (affected, ..) = load(&mut client, "g_file", "(a, b)", "1\tx\n2\ty\n3\tz\n4\t\\N\n");
        assert_eq!((affected, client.line("SELECT LAST_INSERT_ID()").as_str()), (4, "1"));
        load(&mut client, "g_file", "", "\\N\t5\tfive\n10\t6\tsix\n0\t7\tseven\n");
        let all = list(&mut client, "SELECT id, a FROM g_file ORDER BY id");
        assert_eq!(all, "1=1 2=2 3=3 4=4 5=5 10=6 11=7", "{}", place.name);
        let sql = "LOAD DATA LOCAL INFILE 'f' INTO TABLE g_file";
        let before = client.line("SELECT COUNT(*) FROM g_file");
        for (file, code) in [("20\t1\tx\nno number\t2\ty\n", 1366), ("21\t1\tx\n\t2\ty\n", 1366)] {
            assert!(matches!(client.one(sql), Reply::Infile(_)));
            client.write(file.as_bytes());
            client.write(b"");
            assert_eq!(client.reply(false).code(), code, "{}", place.name);
            assert_eq!(client.line("SELECT COUNT(*) FROM g_file"), before);
        }
        client.must("BEGIN");
        load(&mut client, "g_file", "", "30\t1\tx\n31\t1\tx\n32\t1\tx\n33\t1\tx\n");
        client.must("ROLLBACK");
        assert_eq!(client.line("SELECT COUNT(*) FROM g_file"), before);
        for (sql, code) in [
            ("LOAD DATA INFILE '/tmp/f' INTO TABLE g_file", 20030),
            ("LOAD DATA LOCAL INFILE 'f' INTO TABLE g_file (id, @a) SET a = @a", 30001),
            ("LOAD DATA LOCAL INFILE 'f' INTO TABLE g_file CHARACTER SET gbk", 30001),
            ("LOAD DATA LOCAL INFILE 'f' INTO TABLE g_file FIELDS TERMINATED BY ''", 30001),
            ("LOAD XML LOCAL INFILE 'f' INTO TABLE g_file", 30001),
        ] {
            assert_eq!(client.one(sql).code(), code, "{sql} on {}", place.name);
        }
        assert_eq!(client.line("SELECT 1"), "1");
    }
}

/// Keys by a rule's strategy: of the sharding column, before it decides the node.
#[test]
fn strategies_make_keys() {
    for place in places() {
        let mut client = place.connect();
        for (table, generator, column) in [
            ("g_snow", "SNOWFLAKE", "BIGINT"),
            ("g_uuid", "UUID", "VARCHAR(32) COLLATE utf8mb4_bin"),
            ("g_nano", "NANOID", "VARCHAR(21) COLLATE utf8mb4_bin"),
        ] {
            let algorithm = if column == "BIGINT" { "MOD" } else { "HASH_MOD" };
            client.must(&format!(
                "CREATE SHARDING TABLE RULE {table} (STORAGE_UNITS(ds_0, ds_1), \
                 SHARDING_COLUMN=id, TYPE(NAME=\"{algorithm}\", \
                 PROPERTIES(\"sharding-count\"=4)), \
                 KEY_GENERATE_STRATEGY(COLUMN=id, TYPE(NAME=\"{generator}\")))"
            ));
            client.must(&format!("CREATE TABLE {table} (id {column} PRIMARY KEY, a INT)"));
            let many = client.must(&format!("INSERT INTO {table} (a) VALUES (1), (2), (3), (4)"));
            let sql = format!("INSERT INTO {table} (a) VALUES (?)");
            client.run_prepared(&sql, &[Param::int(5)]);
            let one = client.must(&format!("INSERT INTO {table} SET a = 6"));
            let ids = client.one(format!("SELECT id FROM {table} ORDER BY a")).rows().texts();
            let distinct: BTreeSet<&str> = ids.iter().map(|row| row[0].as_str()).collect();
            assert_eq!((ids.len(), distinct.len()), (6, 6), "{table} on {}", place.name);
            if generator == "SNOWFLAKE" {
                assert_eq!(insert_id(&many).to_string(), ids[0][0], "{}", place.name);
                assert_eq!(insert_id(&one).to_string(), ids[5][0], "{}", place.name);
                assert_eq!(client.line("SELECT LAST_INSERT_ID()"), ids[5][0]);
                assert!(ids.is_sorted_by(|a, b| a[0].len() == b[0].len() && a < b), "{ids:?}");
            }
            let id = &ids[2][0];
            assert_eq!(client.line(&format!("SELECT a FROM {table} WHERE id = '{id}'")), "3");
        }
    }
}
