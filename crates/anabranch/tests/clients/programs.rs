//! Programs as users run them: command lines and drivers of other languages. One that is not
//! installed is passed over, except for the mariadb client, which the tests require.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use testkit::find_mysql_root;

use crate::setting::{Place, places};

/// Runs a program with a text on its standard input.
fn run(mut command: Command, input: &str) -> Output {
    let streams = || Stdio::piped();
    let mut child = command.stdin(streams()).stdout(streams()).stderr(streams()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn succeed(command: Command, input: &str) -> String {
    let shown = format!("{command:?}");
    let output = run(command, input);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{shown}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn mariadb(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new("mariadb");
    command
        .args(["--no-defaults", "--batch", "--host=127.0.0.1", "--user=test", "--password=test"])
        .arg(format!("--port={}", place.proxy.address().port()))
        .args(arguments)
        .arg("clients");
    command
}

/// The command line, with TLS and without, and what it asks when it opens a database.
#[test]
fn the_mariadb_client_works() {
    for place in places() {
        for mode in ["--skip-ssl", "--ssl"] {
            let script = "CREATE TABLE IF NOT EXISTS c_cli (a INT PRIMARY KEY, b VARCHAR(20));\n\
                          REPLACE INTO c_cli VALUES (1, 'é'), (2, NULL);\n\
                          SELECT * FROM c_cli ORDER BY a; SHOW TABLES LIKE 'c_cli';";
            let text = succeed(mariadb(place, &[mode, "--auto-rehash"]), script);
            let expected = "a\tb\n1\té\n2\tNULL\nTables_in_clients (c_cli)\nc_cli\n";
            assert!(text.starts_with("a\tb\n1\té\n2\tNULL\n"), "{text} instead of {expected}");
            assert!(text.ends_with("\nc_cli\n"), "{text}");
            let status = succeed(mariadb(place, &[mode, "--table"]), "\\s\n");
            assert!(status.contains("Uptime:") && status.contains("Threads: "), "{status}");
            let is_encrypted = status.contains("Cipher in use");
            assert_eq!(is_encrypted, mode == "--ssl", "{status}");
        }
        let failed = run(mariadb(place, &["--force"]), "SELECT no_column;\nSELECT 'goes on';");
        assert!(String::from_utf8_lossy(&failed.stderr).contains("ERROR 1054 (42S22)"));
        assert!(String::from_utf8_lossy(&failed.stdout).contains("goes on"));
    }
}

/// R062 with the real client: the file is read where the client is.
#[test]
fn the_mariadb_client_loads_local_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let rows: String = (0..20_000).map(|row| format!("{row},text {row}\n")).collect();
    std::fs::write(&file, rows).unwrap();
    for place in places() {
        let script = format!(
            "CREATE TABLE c_load (a INT PRIMARY KEY, b VARCHAR(20));\n\
             LOAD DATA LOCAL INFILE '{}' INTO TABLE c_load FIELDS TERMINATED BY ',';\n\
             SELECT COUNT(*), SUM(a), MAX(b) FROM c_load;",
            file.display()
        );
        let text = succeed(mariadb(place, &["--local-infile=1", "--skip-column-names"]), &script);
        assert_eq!(text, "20000\t199990000\ttext 9999\n", "{}", place.name);
    }
}

/// R094 with the real client: Ctrl-C stops the statement, on every node.
#[test]
fn control_c_stops_the_statement() {
    for place in places() {
        let mut setup = place.create_sharded("c_stop", "id INT PRIMARY KEY");
        setup.must("INSERT INTO c_stop VALUES (1), (2), (3), (4)");
        let mut command = mariadb(place, &["--sigint-ignore=0"]);
        let child = command
            .args(["--execute", "SELECT id, SLEEP(30) AS c_stop_sleeps FROM c_stop"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for(place, true);
        let signal = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
        assert!(signal.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert!(!output.status.success(), "{}", place.name);
        wait_for(place, false);
    }
}

fn wait_for(place: &Place, wanted: bool) {
    let mut direct = place.direct(protocol::capability::Capabilities::NONE);
    for _ in 0..1000 {
        let list = direct.one("SHOW FULL PROCESSLIST").rows().texts();
        if list.iter().any(|row| row[7].contains("c_stop_sleeps")) == wanted {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("running: {wanted} expected on {}", place.name);
}

/// R070 and R072: the client of MySQL 9, whose only way to log in is caching_sha2_password: over
/// TLS, and with the server's RSA key where there is none.
#[test]
fn the_mysql_client_logs_in_every_way() {
    let Some(root) = find_mysql_root() else { return };
    for place in places() {
        let mysql = |arguments: &[&str]| {
            let mut command = Command::new("chroot");
            command.arg(&root).args(["mysql", "--no-defaults", "--batch", "--commands", "-N"]);
            command.args(["--protocol=tcp", "--host=127.0.0.1", "--password=test"]);
            command.arg(format!("--port={}", place.proxy.address().port()));
            command.args(arguments).arg("clients");
            command
        };
        // The first way caches nothing on our side: every login may be a full one.
        for (mode, encrypted) in [
            (&["--ssl-mode=REQUIRED"][..], true),
            (&["--ssl-mode=PREFERRED"], true),
            (&["--ssl-mode=DISABLED", "--get-server-public-key"], false),
            (&["--ssl-mode=DISABLED"], false),
            (&["--ssl-mode=DISABLED", "--default-auth=caching_sha2_password"], false),
        ] {
            let mut arguments = vec!["--user=test"];
            arguments.extend_from_slice(mode);
            let text = succeed(mysql(&arguments), "SELECT 40 + 2;");
            assert_eq!(text, "42\n", "{mode:?}");
            let status = succeed(mysql(&arguments), "\\s\n");
            assert_eq!(status.contains("Cipher in use"), encrypted, "{mode:?}: {status}");
        }
        let refused = run(mysql(&["--user=root"]), "SELECT 1;");
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(text.contains("ERROR 1045 (28000)"), "{text}");
        let unverified = run(mysql(&["--user=test", "--ssl-mode=VERIFY_CA"]), "SELECT 1;");
        assert!(!unverified.status.success());
    }
}

/// PyMySQL: text protocol, no DEPRECATE_EOF, start-up statements, binary values.
#[test]
fn pymysql_works() {
    let Some(python) = find_python() else { return pass_over("PyMySQL") };
    for place in places() {
        let mut command = Command::new(&python);
        command.args(["-", &place.proxy.address().port().to_string()]);
        assert_eq!(succeed(command, PYTHON), "ok\n", "{}", place.name);
    }
}

/// A program that is not installed is passed over, unless all of them have to be there.
fn pass_over(program: &str) {
    let must_be_there = std::env::var_os("ANABRANCH_ALL_CLIENTS").is_some();
    assert!(!must_be_there, "{program} is not installed, and ANABRANCH_ALL_CLIENTS is set");
    println!("passed over: {program} is not installed");
}

fn find_python() -> Option<String> {
    ["/usr/bin/python3", "python3"].into_iter().map(str::to_owned).find(|python| {
        let output = Command::new(python).args(["-c", "import pymysql"]).output();
        output.is_ok_and(|output| output.status.success())
    })
}

const PYTHON: &str = r#"
import datetime, decimal, sys, pymysql
def connect(**options):
    return pymysql.connect(host="127.0.0.1", port=int(sys.argv[1]), user="test", password="test",
                           database="clients", charset="utf8mb4", **options)
one = connect()
with one.cursor() as c:
    c.execute("CREATE TABLE c_python (id INT PRIMARY KEY AUTO_INCREMENT, t VARCHAR(20), b BLOB, "
              "d DECIMAL(10,2), at DATETIME(6))")
    row = ("\U0001F980", bytes(range(256)), decimal.Decimal("1.50"),
           datetime.datetime(2024, 5, 6, 7, 8, 9, 123456))
    c.execute("INSERT INTO c_python (t, b, d, at) VALUES (%s, _binary %s, %s, %s)", row)
    assert c.lastrowid == 1, c.lastrowid
    c.execute("SELECT t, b, d, at FROM c_python")
    assert c.fetchone() == row
    two = connect()
    with two.cursor() as other:
        other.execute("SELECT COUNT(*) FROM c_python")
        assert other.fetchone() == (0,), "not committed yet"
    one.commit()
    c.executemany("INSERT INTO c_python (t) VALUES (%s)", [("a",), ("b",), ("c",)])
    assert c.rowcount == 3
    one.rollback()
    try:
        c.execute("INSERT INTO c_python (id) VALUES (1)")
        raise SystemExit("a duplicate was accepted")
    except pymysql.err.IntegrityError as error:
        assert error.args[0] == 1062
several = connect(client_flag=pymysql.constants.CLIENT.MULTI_STATEMENTS)
with several.cursor() as c:
    c.execute("SELECT 1; SELECT 2")
    assert c.fetchall() == ((1,),) and c.nextset() and c.fetchall() == ((2,),)
unbuffered = connect(cursorclass=pymysql.cursors.SSCursor)
with unbuffered.cursor() as c:
    c.execute("SELECT id FROM c_python")
    assert list(c) == [(1,)]
one.ping()
one.select_db("clients")
print("ok")
"#;

/// PHP: mysqli and PDO, with emulated and with real prepared statements.
#[test]
fn php_works() {
    let has_drivers = Command::new("php").arg("-m").output().is_ok_and(|output| {
        let modules = String::from_utf8_lossy(&output.stdout).into_owned();
        modules.contains("mysqli") && modules.contains("pdo_mysql")
    });
    if !has_drivers {
        return pass_over("PHP with mysqli and PDO");
    }
    for place in places() {
        let mut command = Command::new("php");
        command.args(["--", &place.proxy.address().port().to_string()]);
        assert_eq!(succeed(command, PHP), "ok\n", "{}", place.name);
    }
}

const PHP: &str = r#"<?php
function check($is, $what) { if (!$is) { throw new Exception($what); } }
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$port = (int)$argv[1];
foreach ([false, true] as $emulated) {
    $pdo = new PDO("mysql:host=127.0.0.1;port=$port;dbname=clients;charset=utf8mb4", "test", "test",
        [PDO::ATTR_EMULATE_PREPARES => $emulated, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    $pdo->prepare("set names 'utf8mb4' collate 'utf8mb4_unicode_ci'")->execute();
    $pdo->prepare("set session sql_mode='STRICT_TRANS_TABLES'")->execute();
    check($pdo->query("SELECT @@sql_mode")->fetchColumn() === "STRICT_TRANS_TABLES", "sql_mode");
    $pdo->exec("DROP TABLE IF EXISTS c_php");
    $pdo->exec("CREATE TABLE c_php (id INT PRIMARY KEY AUTO_INCREMENT, n BIGINT, t VARCHAR(20))");
    $insert = $pdo->prepare("INSERT INTO c_php (n, t) VALUES (?, ?)");
    foreach ([[-1, "\u{1F980}"], [null, "it's"], [9223372036854775807, "x"]] as $row) {
        $insert->execute($row);
    }
    check($pdo->lastInsertId() == 3, "lastInsertId");
    $select = $pdo->prepare("SELECT n, t FROM c_php WHERE id = :id");
    $select->execute(["id" => 1]);
    check($select->fetch(PDO::FETCH_NUM) == [-1, "\u{1F980}"], "first row");
    $pdo->beginTransaction();
    $pdo->exec("DELETE FROM c_php");
    $pdo->rollBack();
    check($pdo->query("SELECT COUNT(*) FROM c_php")->fetchColumn() == 3, "rollback");
}
$db = new mysqli("127.0.0.1", "test", "test", "clients", $port);
$db->set_charset("utf8mb4");
$statement = $db->prepare("UPDATE c_php SET t = ? WHERE id = 2");
$null = null;
$statement->bind_param("b", $null);
foreach (["long ", "data"] as $piece) { $statement->send_long_data(0, $piece); }
$statement->execute();
check($statement->affected_rows === 1, "affected rows");
$statement = $db->prepare("SELECT t FROM c_php WHERE id = ?");
$id = 2;
$statement->bind_param("i", $id);
$statement->execute();
check($statement->get_result()->fetch_row() === ["long data"], "long data");
$statement->attr_set(MYSQLI_STMT_ATTR_CURSOR_TYPE, MYSQLI_CURSOR_TYPE_READ_ONLY);
$statement->execute();
$statement->bind_result($text);
check($statement->fetch() && $text === "long data", "cursor");
$statement->close();
$db->multi_query("SELECT 1; SELECT 2; SELECT no_column");
check($db->store_result()->fetch_row() === ["1"], "first result");
check($db->next_result() && $db->store_result()->fetch_row() === ["2"], "second result");
try { $db->next_result(); check(false, "no error"); }
catch (mysqli_sql_exception $e) { check($e->getCode() === 1054, $e->getMessage()); }
$db->change_user("test", "test", "clients");
check($db->query("SELECT 1")->fetch_row() === ["1"], "after a change of user");
echo "ok\n";
"#;
