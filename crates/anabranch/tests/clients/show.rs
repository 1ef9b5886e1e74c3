//! SHOW of what the proxy knows itself: sessions, tables over nodes, warnings, status.

use protocol::capability::Capabilities;
use protocol::command::Command;

use crate::setting::{Place, places};
use crate::wire::Wire;

fn texts(client: &mut Wire, sql: &str) -> Vec<Vec<String>> {
    client.must(sql).rows().texts()
}

/// Waits until the session of `id` is listed with this command.
fn wait_for(client: &mut Wire, id: u32, command: &str) -> Vec<String> {
    for _ in 0..1000 {
        let list = texts(client, "SHOW FULL PROCESSLIST");
        let found = list.into_iter().find(|row| row[0] == id.to_string() && row[4] == command);
        if let Some(row) = found {
            return row;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("session {id} never had a {command}");
}

#[test]
fn the_process_list_shows_what_runs() {
    for place in places() {
        let mut other = place.connect();
        let mut runner = place.connect();
        let id = runner.connection_id;
        let sql = format!("SELECT SLEEP(20), '{}'", "x".repeat(300));
        let statement = runner.prepare(&sql).unwrap();
        for command in ["Query", "Execute"] {
            match command {
                "Query" => runner.send(Command::Query as u8, sql.as_bytes()),
                _ => runner.send_execute(statement.id, &[], true, 0),
            }
            let row = wait_for(&mut other, id, command);
            assert_eq!(row[1..5].join(" "), format!("test {} clients {command}", row[2]));
            assert_eq!((row[6].as_str(), row[7].as_str()), ("executing", sql.as_str()));
            let list = texts(&mut other, "SHOW PROCESSLIST");
            let short = list.iter().find(|row| row[0] == id.to_string()).unwrap();
            assert_eq!(short[7], sql[..100]);
            let own = list.iter().find(|row| row[0] == other.connection_id.to_string()).unwrap();
            assert_eq!(own[4..].join("|"), format!("Query|{}|init|SHOW PROCESSLIST", own[5]));
            other.must(&format!("KILL QUERY {id}"));
            runner.replies();
        }
        let idle = wait_for(&mut other, id, "Sleep");
        assert_eq!((idle[4].as_str(), idle[6].as_str(), idle[7].as_str()), ("Sleep", "", "NULL"));
    }
}

fn fill(place: &Place, table: &str, rows: u32) -> Wire {
    let mut client = place.create_sharded(table, "id INT PRIMARY KEY, v VARCHAR(30)");
    let values: Vec<String> = (0..rows).map(|id| format!("({id}, 'v')")).collect();
    client.must(&format!("INSERT INTO {table} VALUES {}", values.join(", ")));
    client.must(&format!("ANALYZE TABLE {table}"));
    client
}

#[test]
fn the_status_of_a_sharded_table_is_that_of_all_its_nodes() {
    for place in places() {
        let mut client = fill(place, "status_sharded", 40);
        client.must("CREATE TABLE status_single (id INT PRIMARY KEY) COMMENT = 'one'");
        let status = texts(&mut client, "SHOW TABLE STATUS LIKE 'status\\_%'");
        let names: Vec<&str> = status.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(names, ["status_sharded", "status_single"], "{}", place.name);
        assert_eq!((status[0][1].as_str(), status[0][4].as_str()), ("InnoDB", "40"));
        assert_eq!(status[0][6], (4 * 16384).to_string(), "a page for each node");
        assert_eq!(status[1][17], "one");
        let found =
            texts(&mut client, "SHOW TABLE STATUS FROM clients WHERE Name = 'status_sharded'");
        assert_eq!(found.len(), 1);
        let found =
            texts(&mut client, "SHOW TABLE STATUS WHERE Name LIKE 'status%' AND `Rows` = 40");
        assert_eq!(found.len(), 1);
        let mut nowhere = Wire::connect(place.proxy.address(), "", Capabilities::NONE);
        assert_eq!(nowhere.one("SHOW TABLE STATUS").code(), 1046);
        assert_eq!(client.one("SHOW TABLE STATUS FROM nowhere").code(), 1049);
    }
}

#[test]
fn warnings_are_limited_and_counted() {
    for place in places() {
        let mut client = place.connect();
        client.must("SELECT CAST('1a' AS SIGNED), CAST('2b' AS SIGNED), CAST('3c' AS SIGNED)");
        let warnings = texts(&mut client, "SHOW WARNINGS");
        assert_eq!(warnings.len(), 3, "{}", place.name);
        assert_eq!(texts(&mut client, "SHOW WARNINGS LIMIT 2"), warnings[..2]);
        assert_eq!(texts(&mut client, "SHOW WARNINGS LIMIT 1, 5"), warnings[1..]);
        assert_eq!(texts(&mut client, "SHOW WARNINGS LIMIT 1 OFFSET 2"), warnings[2..]);
        assert_eq!(texts(&mut client, "SHOW ERRORS LIMIT 1").len(), 0);
        assert_eq!(client.line("SHOW COUNT(*) WARNINGS"), "3");
        assert_eq!(client.line("SHOW COUNT(*) ERRORS"), "0");
        assert_eq!(client.one("SHOW WARNINGS LIMIT 'a'").code(), 1064);
    }
}

#[test]
fn status_and_variables_are_filtered() {
    for place in places() {
        let mut client = place.connect();
        let uptime = texts(&mut client, "SHOW STATUS LIKE 'upti%'");
        assert_eq!((uptime.len(), uptime[0][0].as_str()), (1, "Uptime"), "{}", place.name);
        let condition = "Variable_name IN ('Threads_connected', 'Uptime') AND Value > 0";
        let connected = texts(&mut client, &format!("SHOW GLOBAL STATUS WHERE {condition}"));
        assert!(connected.iter().any(|row| row[0] == "Threads_connected"));
        let condition = "Variable_name = 'autocommit' OR Variable_name = 'max_allowed_packet'";
        let variables = texts(&mut client, &format!("SHOW SESSION VARIABLES WHERE {condition}"));
        assert_eq!(variables[0], ["autocommit", "ON"]);
        assert_eq!(variables[1][0], "max_allowed_packet");
        assert_eq!(client.one("SHOW STATUS WHERE nothing = 1").code(), 1054);
    }
}

#[test]
fn the_route_is_explained_with_its_reason() {
    let place = &places()[0];
    let mut client = place.create_sharded("explained", "id INT PRIMARY KEY, v VARCHAR(30)");
    client.must("CREATE TABLE explained_alone (id INT)");
    for (sql, rows, reason) in [
        ("SELECT v FROM explained WHERE id = 5", 1, "of 4 nodes"),
        ("SELECT v FROM explained", 4, "no condition on id, of 4 nodes"),
        ("INSERT INTO explained VALUES (1, 'a'), (2, 'b')", 2, "each of 2 rows by its sharding"),
        ("SELECT * FROM explained_alone", 1, "all its tables are in this storage unit"),
        ("ALTER TABLE explained ADD COLUMN w INT", 4, "it changes all 4 nodes"),
        ("SELECT 1", 1, "it needs no table"),
    ] {
        let shown = texts(&mut client, &format!("EXPLAIN ROUTE {sql}"));
        assert_eq!(shown.len(), rows, "{sql}: {shown:?}");
        assert!(shown.iter().all(|row| row[2].contains(reason)), "{sql}: {shown:?}");
        let preview = texts(&mut client, &format!("PREVIEW {sql}"));
        assert_eq!(preview.len(), rows, "{sql}");
        assert!(shown.iter().zip(&preview).all(|(shown, preview)| shown[..2] == preview[..]));
    }
    client.must("CREATE TABLE route (id INT)");
    assert_eq!(texts(&mut client, "EXPLAIN route")[0][0], "id");
}
