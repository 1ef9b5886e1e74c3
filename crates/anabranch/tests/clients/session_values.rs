//! What only the session knows, in whatever place a statement asks for it, whichever unit runs it.

use protocol::capability::Capabilities;

use crate::setting::places;
use crate::wire::Param;

fn names(reply: &crate::wire::Reply) -> Vec<String> {
    let columns = reply.rows().columns();
    columns.iter().map(|column| String::from_utf8_lossy(column.name).into_owned()).collect()
}

#[test]
fn functions_of_the_session_have_its_values() {
    for place in places() {
        let mut client = place.connect();
        let reply = client.one("SELECT DATABASE(), schema(), CURRENT_USER, current_user()");
        assert_eq!(reply.line(), "clients|clients|test@%|test@%", "{}", place.name);
        assert_eq!(names(&reply), ["DATABASE()", "schema()", "CURRENT_USER", "current_user()"]);
        assert_eq!(client.line("SELECT USER()"), "test@127.0.0.1");
        let id = client.line("SELECT CONNECTION_ID()");
        assert_eq!(client.line("SELECT @@pseudo_thread_id"), id);
        assert_eq!(client.line("SELECT CONNECTION_ID() + 0"), id);
        assert_eq!(client.line("SELECT COUNT(*) FROM (SELECT USER()) a WHERE `USER()` <> ''"), "1");
        let other = place.connect().line("SELECT CONNECTION_ID()");
        assert_ne!(id, other);
        let listed = client.one("SHOW PROCESSLIST");
        assert!(listed.rows().texts().iter().any(|row| row[0] == id));
    }
}

#[test]
fn without_a_database_there_is_none() {
    let place = &places()[0];
    let mut client = crate::wire::Wire::connect(place.proxy.address(), "", Capabilities::NONE);
    assert_eq!(client.line("SELECT DATABASE()"), "NULL");
}

#[test]
fn counts_are_those_of_the_last_statement() {
    for place in places() {
        let mut client = place.create_sharded("counts", "id INT PRIMARY KEY, v VARCHAR(30)");
        client.must("INSERT INTO counts VALUES (1, DATABASE()), (2, 'b'), (3, 'c')");
        assert_eq!(client.line("SELECT ROW_COUNT()"), "3", "{}", place.name);
        assert_eq!(client.line("SELECT v FROM counts WHERE id = 1"), "clients");
        client.must("SELECT * FROM counts");
        assert_eq!(client.line("SELECT FOUND_ROWS()"), "3");
        assert_eq!(client.line("SELECT FOUND_ROWS()"), "1");
        client.must("SELECT 1/0");
        let warnings = client.line("SELECT @@warning_count");
        assert_eq!(warnings, if place.is_mariadb { "1" } else { warnings.as_str() });
        assert_eq!(client.line("SELECT id FROM counts WHERE v = DATABASE()"), "1");
    }
}

#[test]
fn prepared_statements_ask_at_every_execution() {
    for place in places() {
        let mut client = place.create_sharded("asked", "id INT PRIMARY KEY, v VARCHAR(30)");
        let insert = client.prepare("INSERT INTO asked VALUES (?, DATABASE())").unwrap();
        for id in 0..4 {
            let replies = client.execute(&insert, &[Param::int(id)]);
            assert_eq!(replies[0].affected(), 1, "{}", place.name);
        }
        assert_eq!(client.line("SELECT COUNT(*) FROM asked WHERE v = 'clients'"), "4");
        let count = client.prepare("SELECT ROW_COUNT() = ?").unwrap();
        client.must("UPDATE asked SET v = 'x'");
        let reply = &client.execute(&count, &[Param::int(4)])[0];
        assert_eq!(reply.rows().rows[0].get(2), Some(&1));
        client.must("UPDATE asked SET v = 'y' WHERE id = 1");
        let reply = &client.execute(&count, &[Param::int(1)])[0];
        assert_eq!(reply.rows().rows[0].get(2), Some(&1));
    }
}

#[test]
fn variables_assigned_by_expressions_are_right_on_every_unit() {
    for place in places() {
        let mut client = place.create_sharded("assigned", "id INT PRIMARY KEY, v VARCHAR(30)");
        client.must("INSERT INTO assigned VALUES (0, 'it''s'), (1, 'b'), (2, 'c'), (3, 'd')");
        client.must("SELECT @a := id, @s := v FROM assigned WHERE id = 1");
        for id in 0..4 {
            let line = client.line(&format!("SELECT @a, @s FROM assigned WHERE id = {id}"));
            assert_eq!(line, "1|b", "{}", place.name);
        }
        client.must("SELECT v INTO @v FROM assigned WHERE id = 0");
        client.must("SET @w = (SELECT v FROM assigned WHERE id = 3), @n = 1.50 * 2");
        for id in 0..4 {
            let line = client.line(&format!("SELECT @v, @w, @n FROM assigned WHERE id = {id}"));
            assert_eq!(line, "it's|d|3.00", "{}", place.name);
        }
        assert_eq!(client.one("SELECT @a := id FROM assigned").code(), 30001);
    }
}

#[test]
fn found_rows_and_insert_ids_are_read_back() {
    for place in places() {
        let mut client = place.connect();
        client.must("DROP TABLE IF EXISTS read_back");
        client.must("CREATE TABLE read_back (id INT PRIMARY KEY AUTO_INCREMENT, v INT)");
        client.must("INSERT INTO read_back (v) VALUES (1), (2), (3)");
        assert_eq!(client.line("SELECT LAST_INSERT_ID(), @@identity"), "1|1", "{}", place.name);
        client.must("INSERT INTO read_back (v) VALUES (LAST_INSERT_ID())");
        assert_eq!(client.line("SELECT v FROM read_back WHERE id = LAST_INSERT_ID()"), "1");
        client.must("SELECT SQL_CALC_FOUND_ROWS * FROM read_back LIMIT 1");
        assert_eq!(client.line("SELECT FOUND_ROWS()"), "4");
        client.must("SELECT LAST_INSERT_ID(77)");
        assert_eq!(client.line("SELECT LAST_INSERT_ID()"), "77");
        client.must("UPDATE read_back SET id = LAST_INSERT_ID(id + 100) WHERE id = 1");
        assert_eq!(client.line("SELECT LAST_INSERT_ID()"), "101");
    }
}

#[test]
fn show_answers_with_logical_names() {
    for place in places() {
        let columns = "id INT PRIMARY KEY, v INT, CONSTRAINT positive CHECK (v > 0)";
        let mut client = place.create_sharded("shown", columns);
        let created = client.one("SHOW CREATE TABLE shown").rows().texts().remove(0);
        assert_eq!(created[0], "shown", "{}", place.name);
        assert!(created[1].starts_with("CREATE TABLE `shown` ("), "{}", created[1]);
        assert!(created[1].contains("CONSTRAINT `positive` CHECK"), "{}", created[1]);
        let index = client.one("SHOW INDEX FROM shown");
        assert_eq!(index.rows().texts()[0][0], "shown");
        let prepared = client.run_prepared("SHOW CREATE TABLE shown", &[]);
        let row = String::from_utf8_lossy(&prepared.rows().rows[0]).into_owned();
        assert!(row.contains("CREATE TABLE `shown` (") && !row.contains("shown_0"), "{row}");
    }
}

#[test]
fn the_packet_limit_is_the_smaller_one() {
    let place = &places()[0];
    let mut client = place.connect();
    let limit = crate::setting::MAX_ALLOWED_PACKET.to_string();
    assert_eq!(client.line("SELECT @@max_allowed_packet"), limit);
    let shown = client.line("SHOW VARIABLES LIKE 'max_allowed_packet'");
    assert_eq!(shown, format!("max_allowed_packet|{limit}"));
}

#[test]
fn a_hint_names_the_unit() {
    let place = &places()[0];
    let mut client = place.create_sharded("hinted", "id INT PRIMARY KEY");
    client.must("INSERT INTO hinted VALUES (0), (1), (2), (3)");
    let hint =
        |unit: &str, sql: &str| format!("/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME={unit} */ {sql}");
    assert_eq!(client.line(&hint("ds_0", "SELECT COUNT(*) FROM hinted_0")), "1");
    assert_eq!(client.line(&hint("ds_1", "SELECT COUNT(*) FROM hinted_1")), "1");
    assert_eq!(client.one(hint("ds_1", "SELECT COUNT(*) FROM hinted_0")).code(), 1146);
    assert_eq!(client.one(hint("ds_9", "SELECT 1")).code(), 12200);
    let ignored = "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ SELECT COUNT(*) FROM hinted";
    assert_eq!(client.line(ignored), "4");
}

#[test]
fn actual_names_are_never_shown() {
    let place = &places()[0];
    let mut client = place.connect();
    for table in ["TABLES", "columns", "SCHEMATA", "STATISTICS", "KEY_COLUMN_USAGE"] {
        let sql = format!("SELECT * FROM information_schema.{table}");
        assert_eq!(client.one(&sql).code(), 30001, "{table}");
    }
    assert_eq!(client.line("SELECT COUNT(*) > 0 FROM information_schema.ENGINES"), "1");
}
