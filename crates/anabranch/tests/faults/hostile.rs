//! Clients that are refused, broken, slow, gone or malicious.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use testkit::{Client, Endpoint, ProxyOptions, Random};

use crate::setting::{SOON, Setting, code, rows, run};

/// A user without a password, so that a login is two packets; one with few rights; small limits.
fn options() -> ProxyOptions {
    let global = "\
authority:
  users:
    - { user: root@%, password: root, admin: true }
    - { user: open@%, password: '', admin: true }
    - { user: few@%, password: few }
  privilege:
    type: DATABASE_PERMITTED
    props:
      user-database-mappings: few@%=elsewhere
";
    let limits = "limits: { maxAllowedPacket: 1MiB, maxConnections: 40 }\n";
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    ProxyOptions {
        files: vec![file("global.yaml", global), file("anabranch.yaml", limits)],
        ..ProxyOptions::default()
    }
}

/// A client that sends what it is told to.
struct Wire(TcpStream);

/// PROTOCOL_41, CONNECT_WITH_DB, TRANSACTIONS, SECURE_CONNECTION, MULTI_STATEMENTS, PLUGIN_AUTH.
const CAPABILITIES: u32 = 0x0009_a20d | 0x0001_0000;

impl Wire {
    fn connect(setting: &Setting) -> Self {
        let stream = TcpStream::connect(setting.proxy.address()).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        stream.set_write_timeout(Some(SOON)).unwrap();
        Self(stream)
    }

    fn log_in(setting: &Setting) -> Self {
        let mut wire = Self::connect(setting);
        assert_eq!(wire.read().unwrap()[0], 10);
        let mut response = CAPABILITIES.to_le_bytes().to_vec();
        response.extend_from_slice(&[0, 0, 0, 1, 45]);
        response.extend_from_slice(&[0; 23]);
        response.extend_from_slice(b"open\0\0faults\0mysql_native_password\0");
        wire.send(1, &response);
        loop {
            let answer = wire.read().unwrap();
            match answer[0] {
                0 => return wire,
                // Asked for the other plugin, or told that it is done: an empty password is empty.
                0xfe => wire.send(3, &[]),
                1 => {}
                _ => panic!("{}", String::from_utf8_lossy(&answer)),
            }
        }
    }

    fn send(&mut self, seq: u8, payload: &[u8]) {
        let mut packet = (payload.len() as u32).to_le_bytes().to_vec();
        packet[3] = seq;
        packet.extend_from_slice(payload);
        // The other side may have closed: what is then read says so.
        let _ = self.0.write_all(&packet);
    }

    fn query(&mut self, text: &str) {
        self.send(0, &[b"\x03", text.as_bytes()].concat());
    }

    /// A packet, or nothing when the connection has ended.
    fn read(&mut self) -> Option<Vec<u8>> {
        let mut header = [0; 4];
        self.0.read_exact(&mut header).ok()?;
        let length = u32::from_le_bytes([header[0], header[1], header[2], 0]) as usize;
        let mut payload = vec![0; length];
        self.0.read_exact(&mut payload).ok()?;
        Some(payload)
    }

    /// The number of the error that comes.
    fn read_error(&mut self) -> u16 {
        let packet = self.read().expect("an error, not the end");
        assert_eq!(packet[0], 0xff, "{packet:?}");
        u16::from_le_bytes([packet[1], packet[2]])
    }

    /// Reads to the end, which must come.
    fn read_to_end(&mut self) {
        let mut bytes = [0; 4096];
        loop {
            match self.0.read(&mut bytes) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => {
                    assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "it hangs");
                    return;
                }
            }
        }
    }
}

fn random_bytes(random: &mut Random, most: u64) -> Vec<u8> {
    let length = random.below(most) + 1;
    (0..length).map(|_| random.below(256) as u8).collect()
}

#[tokio::test]
async fn refused_clients_are_told_why() {
    let setting = Setting::build_with("", &options()).await;
    let login = |user: &str, password: &str, database: &str| {
        Client::new(Endpoint::new(setting.proxy.address(), user, password, database))
    };
    let cases = [
        ("root", "wrong", "", 1045),
        ("nobody", "root", "", 1045),
        ("root", "root", "missing", 1049),
        ("few", "few", "faults", 1044),
    ];
    for (user, password, database, expected) in cases {
        let outcomes = run(&mut login(user, password, database), "SELECT 1").await;
        assert_eq!(code(&outcomes), expected, "{user} {database}: {outcomes:?}");
    }
    let mut root = setting.client();
    assert_eq!(code(&run(&mut root, "USE missing").await), 1049);
    let mut few = login("few", "few", "");
    assert_eq!(code(&run(&mut few, "USE faults").await), 1044);
    assert_eq!(code(&run(&mut few, "SELECT * FROM faults.t").await), 1044);
    root.disconnect().await;
    few.disconnect().await;
    let crowd: Vec<Wire> = (0..40).map(|_| Wire::log_in(&setting)).collect();
    assert_eq!(Wire::connect(&setting).read_error(), 1040);
    drop(crowd);
    setting.must_be_clean().await;
}

#[tokio::test]
async fn garbage_before_and_in_the_login_ends_the_connection() {
    let setting = Setting::build_with("", &options()).await;
    let mut random = Random::new(7);
    for round in 0..200 {
        let mut wire = Wire::connect(&setting);
        let bytes = random_bytes(&mut random, 600);
        match round % 3 {
            // Raw bytes instead of the protocol.
            0 => drop(wire.0.write_all(&bytes)),
            // A well-framed packet with nonsense in it.
            1 => wire.send(1, &bytes),
            // A wish for TLS, and no TLS behind it.
            _ => {
                let mut request = (CAPABILITIES | 0x800).to_le_bytes().to_vec();
                request.extend_from_slice(&[0; 28]);
                wire.send(1, &request);
                let _ = wire.0.write_all(&bytes);
            }
        }
        let _ = wire.0.shutdown(Shutdown::Write);
        wire.read_to_end();
    }
    let half_open: Vec<Wire> = (0..10).map(|_| Wire::connect(&setting)).collect();
    setting.client().must("SELECT v FROM t WHERE id = 0").await;
    drop(half_open);
    setting.must_be_clean().await;
}

#[tokio::test]
async fn random_commands_leave_the_proxy_alive() {
    let setting = Setting::build_with("", &options()).await;
    let mut random = Random::new(11);
    for _ in 0..150 {
        let mut wire = Wire::log_in(&setting);
        for _ in 0..8 {
            let mut bytes = random_bytes(&mut random, 60);
            bytes[0] = random.below(40) as u8;
            wire.send(0, &bytes);
        }
        let _ = wire.0.shutdown(Shutdown::Write);
        wire.read_to_end();
    }
    assert_eq!(rows(&setting.client().must("SELECT COUNT(*) FROM t").await), [["4"]]);
    setting.must_be_clean().await;
}

#[tokio::test]
async fn malformed_commands_are_errors_and_the_session_goes_on() {
    let setting = Setting::build_with("", &options()).await;
    let mut wire = Wire::log_in(&setting);
    wire.send(0, &[0x77, 1, 2]);
    assert_eq!(wire.read_error(), 1047);
    // Executions of no statement, with and without the rest of the packet.
    wire.send(0, &[0x17, 9, 0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(wire.read_error(), 1243);
    wire.send(0, &[0x17, 9]);
    assert_eq!(wire.read_error(), 1835);
    wire.send(0, b"\x16SELECT v FROM t WHERE id = ?");
    let prepared = wire.read().unwrap();
    // Two definitions and the EOF behind each.
    for _ in 0..4 {
        wire.read().unwrap();
    }
    let mut execute = vec![0x17];
    execute.extend_from_slice(&prepared[1..5]);
    for rest in
        [&[][..], &[0, 1, 0, 0, 0], &[0, 1, 0, 0, 0, 0, 1, 8, 0, 1, 2], &[0, 1, 0, 0, 0, 0, 0]]
    {
        wire.send(0, &[execute.as_slice(), rest].concat());
        assert_eq!(wire.read_error(), 1210, "{rest:?}");
    }
    for (open, close) in [("(", ")"), ("NOT ", ""), ("- ", ""), ("IF(1,", ",1)")] {
        let text = format!("SELECT {}1{}", open.repeat(100_000), close.repeat(100_000));
        wire.query(&text);
        let error = wire.read_error();
        assert!([1064, 1436, 1235].contains(&error), "{open}: {error}");
    }
    wire.send(0, &[0x0e]);
    assert_eq!(wire.read().unwrap()[0], 0);
    let mut large = Wire::log_in(&setting);
    large.query(&format!("SELECT '{}'", "x".repeat(2 << 20)));
    assert_eq!(large.read_error(), 1153);
    large.read_to_end();
    drop(wire);
    setting.must_be_clean().await;
}

#[tokio::test]
async fn clients_that_vanish_leave_nothing_behind() {
    let setting = Setting::build_with("", &options()).await;
    let mut fill = setting.client();
    fill.must("CREATE TABLE big (id INT PRIMARY KEY)").await;
    let values: Vec<String> = (0..2000).map(|id| format!("({id})")).collect();
    fill.must(&format!("INSERT INTO big VALUES {}", values.join(","))).await;
    fill.disconnect().await;
    // In the login, in a command, in a large answer of one unit and of several, in a statement.
    drop(Wire::connect(&setting));
    Wire::log_in(&setting).0.write_all(&[200, 0, 0, 0, 3, b'S']).unwrap();
    for large in ["SELECT REPEAT('x', 100000) FROM big", "SELECT id, REPEAT('x', 10000000) FROM t"]
    {
        let mut wire = Wire::log_in(&setting);
        wire.query(large);
        let mut some = [0; 100_000];
        wire.0.read_exact(&mut some).unwrap();
    }
    Wire::log_in(&setting).query("SELECT SLEEP(1) FROM t ORDER BY id");
    for begin in ["BEGIN", "SET autocommit = 0"] {
        let mut wire = Wire::log_in(&setting);
        wire.query(begin);
        wire.read().unwrap();
        wire.query("UPDATE t SET v = 50");
        assert_eq!(wire.read().unwrap()[0], 0);
        drop(wire);
        // Rolled back: the rows can be changed again, and have their old values.
        let mut client = setting.client();
        client.must("UPDATE t SET v = v + 0").await;
        let values = rows(&client.must("SELECT v FROM t ORDER BY id").await);
        assert_eq!(values, [["0"], ["1"], ["2"], ["3"]]);
        client.disconnect().await;
    }
    setting.must_be_clean().await;
}

#[tokio::test]
async fn a_slow_reader_costs_little_memory() {
    const MOST: u64 = 16 << 20;
    let setting = Setting::build_with("", &options()).await;
    let mut fill = setting.client();
    let values: Vec<String> = (4..4000).map(|id| format!("({id}, {id})")).collect();
    fill.must(&format!("INSERT INTO t VALUES {}", values.join(","))).await;
    fill.must("CREATE TABLE big (id INT PRIMARY KEY)").await;
    let values: Vec<String> = (0..4000).map(|id| format!("({id})")).collect();
    fill.must(&format!("INSERT INTO big VALUES {}", values.join(","))).await;
    fill.disconnect().await;
    let pid = setting.proxy.find_pid().unwrap();
    // 2 GB each, of which a part is read in small pieces.
    let relayed = "SELECT REPEAT('x', 500000) FROM big";
    let merged = "SELECT REPEAT('x', 500000), id FROM t ORDER BY id";
    for sql in [relayed, merged] {
        let before = resident_bytes(pid);
        let mut wire = Wire::log_in(&setting);
        wire.query(sql);
        let (mut most, mut some) = (0, vec![0; 256 << 10]);
        for round in 0..200 {
            wire.0.read_exact(&mut some).unwrap();
            if round % 20 == 0 {
                // Long enough for everything on the way to fill up.
                std::thread::sleep(Duration::from_millis(100));
            }
            most = most.max(resident_bytes(pid));
        }
        let grown = most.saturating_sub(before);
        assert!(grown < MOST, "{sql}: {grown} bytes");
    }
    setting.must_be_clean().await;
}

/// Resident memory of a process.
fn resident_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes * 1024
}
