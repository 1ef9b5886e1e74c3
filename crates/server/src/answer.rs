//! Send: what the proxy itself writes to the client — OK, ERR, EOF, small tables, rebuilt packets.

use std::task::Poll;

use kernel::error::StatementError;
use kernel::feature::TextTable;
use protocol::capability::Capabilities;
use protocol::charset;
use protocol::column_type::{ColumnFlags, ColumnType};
use protocol::field::{write_lenenc_bytes, write_lenenc_int};
use protocol::frame::write_with;
use protocol::packet::column_definition::ColumnDefinition41;
use protocol::packet::eof::EofPacket;
use protocol::packet::err::ErrPacket;
use protocol::packet::ok::{OkHeader, OkPacket};
use protocol::status::StatusFlags;

use crate::registry::Request;
use crate::session::Session;

/// A client that reads slowly stops the reading from its storage units: nothing is read while this
/// many bytes wait to be written.
pub(crate) const FLUSH_BYTES: usize = 32 * 1024;

/// Capacity kept between commands.
const KEPT_CAPACITY: usize = 4 * 1024;

/// The utf8mb4_general_ci collation: what our own texts are sent in.
const UTF8MB4: u16 = 45;

/// Bytes on their way to the client, within one answer.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    /// Not yet written.
    pub(crate) bytes: Vec<u8>,
    /// Sequence id of the next packet.
    pub(crate) seq: u8,
    /// Another result follows the one that is being written.
    pub(crate) more_results: bool,
}

/// What is reported of a statement without rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outcome {
    /// Affected rows.
    pub(crate) affected_rows: u64,
    /// The first generated id.
    pub(crate) last_insert_id: u64,
    /// Number of warnings.
    pub(crate) warnings: u16,
    /// `Rows matched: ..`.
    pub(crate) info: Vec<u8>,
}

impl Session {
    /// Server status as the client must see it now.
    pub(crate) fn status(&self) -> StatusFlags {
        let mut status = StatusFlags::NONE;
        status.set(StatusFlags::AUTOCOMMIT, self.is_autocommit());
        status.set(StatusFlags::IN_TRANS, self.transaction.is_open());
        status.set(StatusFlags::NO_BACKSLASH_ESCAPES, self.mode.no_backslash_escapes);
        status.set(StatusFlags::ANSI_QUOTES, self.mode.ansi_quotes);
        status.set(StatusFlags::MORE_RESULTS_EXISTS, self.out.more_results);
        status
    }

    /// A new answer begins.
    pub(crate) fn begin_answer(&mut self) {
        self.out.bytes.clear();
        self.out.bytes.shrink_to(KEPT_CAPACITY);
        self.out.seq = 1;
        self.out.more_results = false;
    }

    /// Appends an OK packet.
    pub(crate) fn put_ok(&mut self, outcome: &Outcome) {
        let status = self.status();
        self.put_ok_with(outcome, status);
    }

    /// Appends an OK packet with this status.
    pub(crate) fn put_ok_with(&mut self, outcome: &Outcome, status: StatusFlags) {
        let packet = OkPacket {
            affected_rows: outcome.affected_rows,
            last_insert_id: outcome.last_insert_id,
            status,
            warnings: outcome.warnings,
            info: &outcome.info,
            session_state: &[],
        };
        let capabilities = self.capabilities;
        let Outgoing { bytes, seq, .. } = &mut self.out;
        write_with(bytes, seq, |out| packet.encode(out, OkHeader::Ok, capabilities));
    }

    /// Appends what ends a result set: OK or EOF, as negotiated.
    pub(crate) fn put_end_of_rows(&mut self, warnings: u16, status: StatusFlags) {
        if !self.capabilities.contains(Capabilities::DEPRECATE_EOF) {
            return self.put_eof(warnings, status);
        }
        let packet = OkPacket {
            affected_rows: 0,
            last_insert_id: 0,
            status,
            warnings,
            info: &[],
            session_state: &[],
        };
        let capabilities = self.capabilities;
        let Outgoing { bytes, seq, .. } = &mut self.out;
        write_with(bytes, seq, |out| packet.encode(out, OkHeader::EndOfRows, capabilities));
    }

    /// Appends an EOF packet.
    pub(crate) fn put_eof(&mut self, warnings: u16, status: StatusFlags) {
        let Outgoing { bytes, seq, .. } = &mut self.out;
        write_with(bytes, seq, |out| EofPacket { warnings, status }.encode(out));
    }

    /// Appends what ends column definitions: nothing under DEPRECATE_EOF.
    pub(crate) fn put_end_of_metadata(&mut self) {
        if !self.capabilities.contains(Capabilities::DEPRECATE_EOF) {
            let status = self.status();
            self.put_eof(0, status);
        }
    }

    /// Appends an ERR packet and remembers the error for SHOW WARNINGS.
    pub(crate) fn put_error(&mut self, error: &StatementError) {
        telemetry::METRICS.statement_errors_total.increment();
        self.diagnostics.note_error(error.code, &error.message);
        /// An incorrect value: 22007 on MariaDB, without a state of its own on MySQL.
        const ER_TRUNCATED_WRONG_VALUE_FOR_FIELD: u16 = 1366;
        let mut sqlstate = *b"HY000";
        let has_own = error.code != ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
            || self.worker.shared.announces_mariadb();
        if has_own && error.sqlstate.len() == sqlstate.len() {
            sqlstate.copy_from_slice(error.sqlstate.as_bytes());
        }
        self.put_raw_error(error.code, sqlstate, error.message.as_bytes());
    }

    /// Appends an ERR packet.
    pub(crate) fn put_raw_error(&mut self, code: u16, sqlstate: [u8; 5], message: &[u8]) {
        let packet = ErrPacket { code, sqlstate: Some(sqlstate), message };
        let capabilities = self.capabilities;
        let Outgoing { bytes, seq, .. } = &mut self.out;
        write_with(bytes, seq, |out| packet.encode(out, capabilities));
    }

    /// Appends the number of columns of a result set.
    pub(crate) fn put_column_count(&mut self, count: u64, has_metadata: bool) {
        let caches_metadata = self.capabilities.contains(Capabilities::MARIADB_CACHE_METADATA);
        let Outgoing { bytes, seq, .. } = &mut self.out;
        write_with(bytes, seq, |out| {
            write_lenenc_int(out, count);
            if caches_metadata {
                out.push(u8::from(has_metadata));
            }
        });
    }

    /// Appends a packet.
    pub(crate) fn put_payload(&mut self, payload: &[u8]) {
        let Outgoing { bytes, seq, .. } = &mut self.out;
        protocol::frame::write_packet(bytes, seq, payload);
    }

    /// Appends a table of our own in the text protocol, or in the binary one.
    pub(crate) fn put_table(&mut self, table: &TextTable, encoding: Encoding) {
        let types: Vec<_> = table.columns.iter().map(|name| OwnType::of(table, name)).collect();
        self.put_typed_table(&table.columns, &types, &table.rows, encoding);
    }

    /// Appends rows of columns of these names and types.
    pub(crate) fn put_typed_table(
        &mut self,
        names: &[String],
        types: &[OwnType],
        rows: &[Vec<Option<String>>],
        encoding: Encoding,
    ) {
        self.put_column_count(names.len() as u64, true);
        let manner = self.manner();
        let capabilities = self.capabilities;
        for (name, own_type) in names.iter().zip(types) {
            let Outgoing { bytes, seq, .. } = &mut self.out;
            let definition = own_type.definition(name, manner);
            write_with(bytes, seq, |out| definition.encode(out, capabilities));
        }
        self.put_end_of_metadata();
        for row in rows {
            let Outgoing { bytes, seq, .. } = &mut self.out;
            write_with(bytes, seq, |out| encode_row(out, types, row, encoding));
        }
        let status = self.status();
        self.put_end_of_rows(0, status);
    }

    /// How texts of our own are described to this client.
    fn manner(&self) -> Manner {
        let is_mariadb = self.worker.shared.announces_mariadb();
        let named = self.settings.names.split_once(" COLLATE ").map(|(_, name)| name);
        let default = if is_mariadb { UTF8MB4 } else { charset::UTF8MB4_0900_AI_CI };
        let known = named.and_then(charset::find_by_name);
        Manner {
            decimals: if is_mariadb { 39 } else { 31 },
            code_length: if is_mariadb { 4 } else { 5 },
            collation: match (named, known) {
                (None, _) => default,
                (Some(_), Some(known)) if known.charset == "utf8mb4" => known.id,
                (Some(_), _) => UTF8MB4,
            },
        }
    }

    /// Appends the definition of a column of our own.
    pub(crate) fn put_own_column(&mut self, name: &str, is_number: bool) {
        let capabilities = self.capabilities;
        let Outgoing { bytes, seq, .. } = &mut self.out;
        write_with(bytes, seq, |out| own_column(name, is_number).encode(out, capabilities));
    }

    /// Writes what waits to the client.
    ///
    /// # Errors
    /// The client is gone.
    pub(crate) async fn flush(&mut self) -> std::io::Result<()> {
        if self.out.bytes.is_empty() {
            return Ok(());
        }
        let Self { client, out, entered, .. } = self;
        let (mut written, handle) = (0, entered.handle());
        // A client that reads nothing cannot be told that it has to go.
        std::future::poll_fn(|cx| match client.poll_write_from(cx, &out.bytes, &mut written) {
            Poll::Pending if handle.request() == Request::Close => {
                Poll::Ready(Err(std::io::ErrorKind::ConnectionAborted.into()))
            }
            polled => polled,
        })
        .await?;
        out.bytes.clear();
        Ok(())
    }

    /// Writes what waits once it is a good deal.
    ///
    /// # Errors
    /// The client is gone.
    pub(crate) async fn flush_when_full(&mut self) -> std::io::Result<()> {
        if self.out.bytes.len() >= FLUSH_BYTES { self.flush().await } else { Ok(()) }
    }
}

/// The definition of a column of our own.
pub(crate) fn own_column(name: &str, is_number: bool) -> ColumnDefinition41<'_> {
    let own_type = if is_number { OwnType::LongLong } else { OwnType::Text };
    own_type.definition(name, Manner { decimals: 31, collation: UTF8MB4, code_length: 5 })
}

/// How a server describes its texts.
#[derive(Debug, Clone, Copy)]
struct Manner {
    /// 31 on MySQL, 39 on MariaDB: as they come.
    decimals: u8,
    collation: u16,
    /// Digits of an error's number.
    code_length: u32,
}

/// What a column of our own holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnType {
    /// Text of no certain length.
    Text,
    /// Text that is never NULL, of at most this many characters.
    Required(u32),
    /// An integer.
    LongLong,
    /// A number of things.
    Count,
    /// The number of an error.
    Code,
}

impl OwnType {
    /// A column is a number when its name says so and all its values are.
    fn of(table: &TextTable, name: &str) -> Self {
        let known = match name {
            "Id" | "Time" | "count" | "affected_rows" => Self::LongLong,
            "@@session.warning_count" | "@@session.error_count" => return Self::Count,
            "Code" => Self::Code,
            "Rows" | "Avg_row_length" | "Data_length" | "Max_data_length" | "Index_length"
            | "Data_free" | "Auto_increment"
                if table.columns.first().is_some_and(|first| first == "Name") =>
            {
                return Self::Count;
            }
            "Level" => return Self::Required(7),
            "Message" => return Self::Required(512),
            _ => return Self::Text,
        };
        let index = table.columns.iter().position(|column| column == name);
        let is_number = |row: &Vec<Option<String>>| {
            let value = index.and_then(|index| row.get(index)).and_then(Option::as_ref);
            value.is_some_and(|text| text.parse::<i64>().is_ok())
        };
        if table.rows.iter().all(is_number) { known } else { Self::Text }
    }

    /// # Source
    /// The columns of SHOW WARNINGS as servers send them.
    fn definition(self, name: &str, manner: Manner) -> ColumnDefinition41<'_> {
        let mut not_null = ColumnFlags::NOT_NULL;
        let (column_type, flags, column_length) = match self {
            Self::Text => (ColumnType::VAR_STRING, ColumnFlags(0), 4 * 1024),
            Self::Required(characters) => (ColumnType::VAR_STRING, not_null, 4 * characters),
            Self::LongLong => (ColumnType::LONGLONG, ColumnFlags::BINARY, 21),
            Self::Count => {
                let flags = ColumnFlags(ColumnFlags::BINARY.0 | ColumnFlags::UNSIGNED.0);
                (ColumnType::LONGLONG, flags, 21)
            }
            Self::Code => {
                not_null.0 |= ColumnFlags::BINARY.0 | ColumnFlags::UNSIGNED.0;
                (ColumnType::LONG, not_null, manner.code_length)
            }
        };
        let is_number = !matches!(self, Self::Text | Self::Required(_));
        ColumnDefinition41 {
            catalog: b"def",
            database: b"",
            table: b"",
            org_table: b"",
            name: name.as_bytes(),
            org_name: name.as_bytes(),
            extended: &[],
            collation: if is_number { charset::BINARY } else { manner.collation },
            column_length,
            column_type,
            flags,
            decimals: if is_number { 0 } else { manner.decimals },
            default: None,
        }
    }
}

/// How rows are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As COM_QUERY answers.
    Text,
    /// As COM_STMT_EXECUTE answers.
    Binary,
}

fn encode_row(out: &mut Vec<u8>, types: &[OwnType], row: &[Option<String>], encoding: Encoding) {
    match encoding {
        Encoding::Text => {
            for value in row {
                match value {
                    Some(text) => write_lenenc_bytes(out, text.as_bytes()),
                    None => out.push(0xfb),
                }
            }
        }
        Encoding::Binary => {
            out.push(0);
            let bitmap_at = out.len();
            out.resize(bitmap_at + (row.len() + 9) / 8, 0);
            for (index, (value, own_type)) in row.iter().zip(types).enumerate() {
                let Some(text) = value else {
                    out[bitmap_at + (index + 2) / 8] |= 1 << ((index + 2) % 8);
                    continue;
                };
                let number: i128 = text.parse().unwrap_or_default();
                match own_type {
                    OwnType::LongLong | OwnType::Count => {
                        out.extend_from_slice(&(number as u64).to_le_bytes());
                    }
                    OwnType::Code => out.extend_from_slice(&(number as u32).to_le_bytes()),
                    OwnType::Text | OwnType::Required(_) => {
                        write_lenenc_bytes(out, text.as_bytes());
                    }
                }
            }
        }
    }
}
