//! A client that sees every packet: any capabilities, any bytes, and what came back as it came.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use protocol::StatusFlags;
use protocol::auth::{ClientAuth, ClientStep};
use protocol::capability::Capabilities;
use protocol::command::Command;
use protocol::field::{Cursor, write_lenenc_bytes};
use protocol::frame::{HEADER_LEN, Header, MAX_PAYLOAD, write_packet};
use protocol::packet::column_definition::ColumnDefinition41;
use protocol::packet::handshake_response::HandshakeResponse41;
use protocol::packet::handshake_v10::HandshakeV10;
use protocol::packet::ok::OkPacket;

/// Nothing in these tests takes so long; a test that waits for ever shows nothing.
const READ_LIMIT: Duration = Duration::from_secs(30);

/// What every client of today sets.
pub const BASIC: Capabilities = Capabilities(
    Capabilities::PROTOCOL_41.0
        | Capabilities::LONG_PASSWORD.0
        | Capabilities::LONG_FLAG.0
        | Capabilities::CONNECT_WITH_DB.0
        | Capabilities::TRANSACTIONS.0
        | Capabilities::SECURE_CONNECTION.0
        | Capabilities::MULTI_RESULTS.0
        | Capabilities::PS_MULTI_RESULTS.0
        | Capabilities::PLUGIN_AUTH.0
        | Capabilities::LOCAL_FILES.0,
);

/// One answer of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Ok {
        affected: u64,
        last_insert_id: u64,
        status: StatusFlags,
        warnings: u16,
        info: String,
    },
    Err {
        code: u16,
        state: String,
        message: String,
    },
    Rows(Rows),
    /// The server wants this file.
    Infile(String),
}

/// A result set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows {
    /// Payloads of the definitions; empty where they were left out.
    pub definitions: Vec<Vec<u8>>,
    pub has_definitions: bool,
    pub rows: Vec<Vec<u8>>,
    pub status: StatusFlags,
    pub warnings: u16,
}

impl Rows {
    /// Rows of the text protocol; NULL is `NULL`.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let text = |value: Option<&[u8]>| {
            value.map_or("NULL".to_owned(), |bytes| String::from_utf8_lossy(bytes).into_owned())
        };
        let row = |row: &Vec<u8>| {
            let row = protocol::text::TextRow::new(row);
            row.values().map(|value| text(value.unwrap())).collect()
        };
        self.rows.iter().map(row).collect()
    }

    pub fn columns(&self) -> Vec<ColumnDefinition41<'_>> {
        let decode = |payload| ColumnDefinition41::decode(payload, Capabilities::NONE).unwrap();
        self.definitions.iter().map(|payload| decode(payload)).collect()
    }
}

impl Reply {
    pub fn rows(&self) -> &Rows {
        match self {
            Self::Rows(rows) => rows,
            other => panic!("rows expected: {other:?}"),
        }
    }

    /// The texts of the first row, with `|` between them.
    pub fn line(&self) -> String {
        self.rows().texts().first().map(|row| row.join("|")).unwrap_or_default()
    }

    pub fn code(&self) -> u16 {
        match self {
            Self::Err { code, .. } => *code,
            other => panic!("an error expected: {other:?}"),
        }
    }

    pub fn affected(&self) -> u64 {
        match self {
            Self::Ok { affected, .. } => *affected,
            other => panic!("OK expected: {other:?}"),
        }
    }

    pub fn status(&self) -> StatusFlags {
        match self {
            Self::Ok { status, .. } => *status,
            Self::Rows(rows) => rows.status,
            _ => StatusFlags::NONE,
        }
    }
}

/// A prepared statement.
#[derive(Debug, Clone, Default)]
pub struct Prepared {
    pub id: u32,
    pub params: Vec<Vec<u8>>,
    pub columns: Vec<Vec<u8>>,
}

/// A parameter as it is bound: its two type bytes and its value; no value is NULL.
#[derive(Debug, Clone)]
pub struct Param {
    pub kind: [u8; 2],
    pub value: Option<Vec<u8>>,
}

impl Param {
    pub fn new(kind: u8, value: &[u8]) -> Self {
        Self { kind: [kind, 0], value: Some(value.to_vec()) }
    }

    pub fn int(value: i32) -> Self {
        Self::new(3, &value.to_le_bytes())
    }

    pub fn bytes(value: &[u8]) -> Self {
        let mut encoded = Vec::new();
        write_lenenc_bytes(&mut encoded, value);
        Self::new(253, &encoded)
    }

    /// Its value was sent ahead.
    pub fn long_data() -> Self {
        Self { kind: [252, 0], value: Some(Vec::new()) }
    }
}

/// One connection.
pub struct Wire {
    pub stream: TcpStream,
    pub capabilities: Capabilities,
    /// What the server can do.
    pub offered: Capabilities,
    pub server_version: String,
    pub connection_id: u32,
    /// The id the next packet must have.
    seq: u8,
}

impl Wire {
    /// Logs in as test/test.
    pub fn connect(address: SocketAddr, database: &str, extra: Capabilities) -> Self {
        Self::log_in(address, "test", "test", database, extra).unwrap()
    }

    /// # Errors
    /// The server's refusal.
    pub fn log_in(
        address: SocketAddr,
        user: &str,
        password: &str,
        database: &str,
        extra: Capabilities,
    ) -> Result<Self, Reply> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(READ_LIMIT)).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut wire = Self {
            stream,
            capabilities: BASIC.union(extra),
            offered: Capabilities::NONE,
            server_version: String::new(),
            connection_id: 0,
            seq: 0,
        };
        let greeting = wire.read();
        let greeting = HandshakeV10::decode(&greeting).unwrap();
        wire.offered = greeting.capabilities;
        wire.server_version = String::from_utf8_lossy(greeting.server_version).into_owned();
        wire.connection_id = greeting.connection_id;
        let extended = wire.offered.intersect(Capabilities::MARIADB_EXTENDED);
        let lower = Capabilities(u64::from(u32::MAX));
        wire.capabilities = wire.capabilities.intersect(lower.union(extended));
        // MariaDB's extended flags stand where MySQL's LONG_PASSWORD is unset.
        if wire.capabilities.0 & Capabilities::MARIADB_EXTENDED.0 != 0 {
            wire.capabilities.0 &= !Capabilities::LONG_PASSWORD.0;
        }
        let mut auth =
            ClientAuth::new(greeting.auth_plugin, greeting.nonce, password.as_bytes(), false, true);
        let mut attributes = Vec::new();
        for text in ["_client_name", "wire", "program_name", "a test"] {
            write_lenenc_bytes(&mut attributes, text.as_bytes());
        }
        let response = HandshakeResponse41 {
            capabilities: wire.capabilities,
            max_packet: 1 << 30,
            collation: 45,
            user: user.as_bytes(),
            auth_response: &auth.response(),
            database: (!database.is_empty()).then_some(database.as_bytes()),
            auth_plugin: Some(auth.plugin().name().as_bytes()),
            attributes: &attributes,
            zstd_level: 0,
        };
        let mut payload = Vec::new();
        response.encode(&mut payload);
        wire.write(&payload);
        loop {
            let packet = wire.read();
            match auth.receive(&packet).unwrap() {
                ClientStep::Send(payload) => wire.write(&payload),
                ClientStep::Wait => {}
                ClientStep::Accepted => return Ok(wire),
                ClientStep::Refused => return Err(wire.decode_error(&packet)),
            }
        }
    }

    /// Writes one packet, split where it is long, with the next sequence ids.
    pub fn write(&mut self, payload: &[u8]) {
        let mut bytes = Vec::with_capacity(payload.len() + HEADER_LEN);
        write_packet(&mut bytes, &mut self.seq, payload);
        self.stream.write_all(&bytes).unwrap();
    }

    /// Reads one packet, joined where it is long; its sequence ids must be the next ones.
    pub fn read(&mut self) -> Vec<u8> {
        self.try_read().expect("a packet")
    }

    /// The same, `None` when the server has closed the connection.
    pub fn try_read(&mut self) -> Option<Vec<u8>> {
        let mut payload = Vec::new();
        loop {
            let mut header = [0; HEADER_LEN];
            self.stream.read_exact(&mut header).ok()?;
            let header = Header::read(&header);
            assert_eq!(header.seq, self.seq, "sequence id");
            self.seq = self.seq.wrapping_add(1);
            let start = payload.len();
            payload.resize(start + header.len as usize, 0);
            self.stream.read_exact(&mut payload[start..]).ok()?;
            if (header.len as usize) < MAX_PAYLOAD {
                return Some(payload);
            }
        }
    }

    /// Sends a command without waiting for its answer.
    pub fn send(&mut self, command: u8, body: &[u8]) {
        self.seq = 0;
        let mut payload = Vec::with_capacity(body.len() + 1);
        payload.push(command);
        payload.extend_from_slice(body);
        self.write(&payload);
    }

    /// Sends a command and reads its one answer.
    pub fn command(&mut self, command: Command, body: &[u8]) -> Reply {
        self.send(command as u8, body);
        self.reply(false)
    }

    /// Runs a statement and returns its results.
    pub fn query(&mut self, sql: impl AsRef<[u8]>) -> Vec<Reply> {
        self.send(Command::Query as u8, sql.as_ref());
        self.replies()
    }

    /// Runs a statement with one result.
    pub fn one(&mut self, sql: impl AsRef<[u8]>) -> Reply {
        let mut replies = self.query(sql);
        assert_eq!(replies.len(), 1, "{replies:?}");
        replies.remove(0)
    }

    /// Runs a statement that must not fail.
    pub fn must(&mut self, sql: &str) -> Reply {
        let reply = self.query(sql).pop().unwrap();
        assert!(!matches!(reply, Reply::Err { .. }), "{sql}: {reply:?}");
        reply
    }

    /// The first row of a statement, with `|` between the values.
    pub fn line(&mut self, sql: &str) -> String {
        match self.one(sql) {
            reply @ Reply::Rows(_) => reply.line(),
            other => panic!("{sql}: {other:?}"),
        }
    }

    /// Reads answers until none follows.
    pub fn replies(&mut self) -> Vec<Reply> {
        let mut replies = Vec::new();
        loop {
            let reply = self.reply(false);
            let goes_on = reply.status().contains(StatusFlags::MORE_RESULTS_EXISTS);
            replies.push(reply);
            if !goes_on {
                return replies;
            }
        }
    }

    /// Reads one answer; `has_cursor` where its rows stay on the server.
    pub fn reply(&mut self, has_cursor: bool) -> Reply {
        let first = self.read();
        match first[0] {
            0x00 => self.decode_ok(&first),
            0xFE if first.len() < 9 => {
                let status = StatusFlags(u16::from_le_bytes([first[3], first[4]]));
                let info = String::new();
                Reply::Ok { affected: 0, last_insert_id: 0, status, warnings: 0, info }
            }
            0xFF => self.decode_error(&first),
            0xFB => Reply::Infile(String::from_utf8_lossy(&first[1..]).into_owned()),
            _ => self.read_result(&first, has_cursor),
        }
    }

    fn read_result(&mut self, head: &[u8], has_cursor: bool) -> Reply {
        let mut cursor = Cursor::new(head);
        let count = cursor.read_lenenc_int().unwrap();
        let mut result = Rows { has_definitions: true, ..Rows::default() };
        if self.capabilities.contains(Capabilities::MARIADB_CACHE_METADATA) {
            result.has_definitions = cursor.read_u8().unwrap() == 1;
        }
        assert!(cursor.is_empty(), "column count: {head:?}");
        if result.has_definitions {
            result.definitions = (0..count).map(|_| self.read()).collect();
        }
        let deprecate_eof = self.capabilities.contains(Capabilities::DEPRECATE_EOF);
        if !deprecate_eof {
            let eof = self.read();
            assert!(eof[0] == 0xFE && eof.len() == 5, "EOF after definitions: {eof:?}");
            result.status = StatusFlags(u16::from_le_bytes([eof[3], eof[4]]));
        }
        if has_cursor && !deprecate_eof && result.status.contains(StatusFlags::CURSOR_EXISTS) {
            return Reply::Rows(result);
        }
        self.read_rows(result)
    }

    /// Reads rows to their end.
    pub fn read_rows(&mut self, mut result: Rows) -> Reply {
        loop {
            let packet = self.read();
            match packet[0] {
                0xFF => return self.decode_error(&packet),
                0xFE if self.is_end(&packet) => {
                    (result.status, result.warnings) = self.decode_end(&packet);
                    return Reply::Rows(result);
                }
                _ => result.rows.push(packet),
            }
        }
    }

    fn is_end(&self, packet: &[u8]) -> bool {
        match self.capabilities.contains(Capabilities::DEPRECATE_EOF) {
            true => packet.len() < MAX_PAYLOAD,
            false => packet.len() == 5,
        }
    }

    fn decode_end(&self, packet: &[u8]) -> (StatusFlags, u16) {
        if self.capabilities.contains(Capabilities::DEPRECATE_EOF) {
            let ok = OkPacket::decode(packet, self.capabilities).unwrap();
            return (ok.status, ok.warnings);
        }
        let number = |at: usize| u16::from_le_bytes([packet[at], packet[at + 1]]);
        (StatusFlags(number(3)), number(1))
    }

    fn decode_ok(&self, packet: &[u8]) -> Reply {
        let ok = OkPacket::decode(packet, self.capabilities).unwrap();
        Reply::Ok {
            affected: ok.affected_rows,
            last_insert_id: ok.last_insert_id,
            status: ok.status,
            warnings: ok.warnings,
            info: String::from_utf8_lossy(ok.info).into_owned(),
        }
    }

    fn decode_error(&self, packet: &[u8]) -> Reply {
        let error = protocol::packet::err::ErrPacket::decode(packet).unwrap();
        Reply::Err {
            code: error.code,
            state: String::from_utf8_lossy(&error.sqlstate.unwrap_or_default()).into_owned(),
            message: String::from_utf8_lossy(error.message).into_owned(),
        }
    }

    /// COM_STMT_PREPARE.
    ///
    /// # Errors
    /// The server's error.
    pub fn prepare(&mut self, sql: &str) -> Result<Prepared, Reply> {
        self.send(Command::StmtPrepare as u8, sql.as_bytes());
        let head = self.read();
        if head[0] == 0xFF {
            return Err(self.decode_error(&head));
        }
        assert!(head.len() >= 12, "{head:?}");
        let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let id = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        let (columns, params) = (number(5), number(7));
        Ok(Prepared { id, params: self.definitions(params), columns: self.definitions(columns) })
    }

    fn definitions(&mut self, count: u16) -> Vec<Vec<u8>> {
        let definitions = (0..count).map(|_| self.read()).collect();
        if count > 0 && !self.capabilities.contains(Capabilities::DEPRECATE_EOF) {
            assert_eq!(self.read().len(), 5, "EOF after definitions");
        }
        definitions
    }

    /// COM_STMT_EXECUTE with the types of its parameters.
    pub fn execute(&mut self, statement: &Prepared, params: &[Param]) -> Vec<Reply> {
        self.send_execute(statement.id, params, true, 0);
        self.replies()
    }

    /// Sends COM_STMT_EXECUTE.
    pub fn send_execute(&mut self, id: u32, params: &[Param], with_types: bool, flags: u8) {
        let mut body = id.to_le_bytes().to_vec();
        body.push(flags);
        body.extend_from_slice(&1u32.to_le_bytes());
        if !params.is_empty() {
            let mut nulls = vec![0; params.len().div_ceil(8)];
            for (index, param) in params.iter().enumerate() {
                nulls[index / 8] |= u8::from(param.value.is_none()) << (index % 8);
            }
            body.extend_from_slice(&nulls);
            body.push(u8::from(with_types));
            if with_types {
                body.extend(params.iter().flat_map(|param| param.kind));
            }
            body.extend(params.iter().filter_map(|param| param.value.as_deref()).flatten());
        }
        self.send(Command::StmtExecute as u8, &body);
    }

    /// Prepares, executes once, closes.
    pub fn run_prepared(&mut self, sql: &str, params: &[Param]) -> Reply {
        let statement = match self.prepare(sql) {
            Ok(statement) => statement,
            Err(error) => return error,
        };
        let reply = self.execute(&statement, params).remove(0);
        self.send(Command::StmtClose as u8, &statement.id.to_le_bytes());
        reply
    }
}
