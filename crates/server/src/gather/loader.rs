//! The connection with the copies: its temporary tables are made, filled and dropped.
//!
//! Rows go out in batches; while one is written the next is read, and no more than that.

use std::sync::Arc;
use std::time::Duration;

use kernel::error::StatementError;
use kernel::gather::{CopiedValue, Copy, GatherPlan};
use kernel::model::StorageUnit;
use protocol::response::{PacketRole, ResponseKind, ResponseWalker};
use protocol::text::TextRow;
use storage::command::{apply_settings, lost, put_query, server_error};
use storage::connection::Connection;
use storage::error::StorageError;
use storage::settings::{ServerKind, Settings};
use telemetry::METRICS;
use tokio::sync::OwnedSemaphorePermit;

use super::literal;
use crate::execute::Failure;
use crate::packets::PacketSource;
use crate::session::Session;

/// Size at which a batch goes out, far below the smallest `max_allowed_packet` in use.
const BATCH_BYTES: usize = 512 * 1024;

const ER_DUP_ENTRY: u16 = 1062;

/// Fills the copies of one statement.
pub(crate) struct Loader {
    /// Where the copies are.
    pub(super) connection: Box<Connection>,
    /// Names of the logical tables, for errors.
    tables: String,
    /// The logical table that is being copied.
    table: String,
    relax: Option<String>,
    values: Vec<CopiedValue>,
    /// `INSERT INTO .. VALUES `.
    head: String,
    batch: Vec<u8>,
    /// The batch that was sent and is not answered.
    in_flight: Option<Vec<u8>>,
    bytes: u64,
    rows: u64,
    most_bytes: u64,
    most_rows: u64,
    /// The right to hold one connection and wait for others.
    _permit: OwnedSemaphorePermit,
}

impl Loader {
    /// The copies are complete: only their connection is of use from now on.
    pub(super) fn into_connection(self) -> Box<Connection> {
        METRICS.gathered_rows_total.add(self.rows);
        METRICS.gathered_bytes_total.add(self.bytes);
        self.connection
    }

    /// Takes a connection and makes the temporary tables on it.
    pub(crate) async fn open(
        session: &mut Session,
        unit: &StorageUnit,
        gather: &GatherPlan,
    ) -> Result<Self, Failure> {
        let permit = wait_for_turn(session, unit).await?;
        let settings = load_settings();
        let pools = session.worker.pools.clone();
        let mut connection = pools.acquire(unit, session.class, &settings).await?;
        if connection.server.kind == ServerKind::MySql
            && let Some(name) = &gather.repeated
        {
            pools.release(connection);
            return Err(StatementError::unsupported(format!(
                "The common table '{name}' is read at several places, and its tables are on \
                 several nodes: MySQL cannot read copies of them more than once; write it as a \
                 derived table at each place"
            ))
            .into());
        }
        apply_settings(&mut connection, &settings).await?;
        let mut tables: Vec<&str> = gather.copies.iter().map(|copy| &*copy.table).collect();
        tables.sort_unstable();
        tables.dedup();
        let limits = &session.worker.shared.options.limits;
        let mut loader = Self {
            connection,
            tables: tables.join(", "),
            table: String::new(),
            relax: None,
            values: Vec::new(),
            head: String::new(),
            batch: Vec::new(),
            in_flight: None,
            bytes: 0,
            rows: 0,
            most_bytes: limits.gather_bytes,
            most_rows: limits.gather_rows,
            _permit: permit,
        };
        loader.create(session, gather).await?;
        Ok(loader)
    }

    async fn create(&mut self, session: &mut Session, gather: &GatherPlan) -> Result<(), Failure> {
        let mut packets = Vec::new();
        for copy in &gather.copies {
            put_query(&mut packets, copy.create.as_bytes());
        }
        self.write(&packets).await?;
        let mut failure = None;
        for _ in &gather.copies {
            if let Err(error) = self.read_answer(session).await? {
                failure.get_or_insert(error);
            }
        }
        let Some(error) = failure else { return Ok(()) };
        // What was made goes with the connection.
        self.connection.is_busy = true;
        let error = error.to_statement_error();
        Err(StatementError {
            message: format!(
                "Storage unit '{}' has no temporary table for a statement over several nodes \
                 (tables {}): {}. Its user needs the privilege CREATE TEMPORARY TABLES",
                self.connection.unit_name(),
                self.tables,
                error.message
            ),
            ..error
        }
        .into())
    }

    /// The next rows are those of this copy.
    pub(crate) fn begin(&mut self, copy: &Copy) {
        self.table.clone_from(&copy.table);
        self.relax.clone_from(&copy.relax);
        self.values.clone_from(&copy.values);
        self.head.clone_from(&copy.insert);
        self.batch.clear();
    }

    /// Adds a row of the text protocol.
    ///
    /// # Errors
    /// It is too much, or not a row of this copy.
    pub(crate) fn push(&mut self, payload: &[u8]) -> Result<(), StatementError> {
        self.bytes += payload.len() as u64;
        self.rows += 1;
        if self.bytes > self.most_bytes || self.rows > self.most_rows {
            return Err(self.too_much());
        }
        if self.batch.is_empty() {
            self.batch.extend_from_slice(self.head.as_bytes());
        } else {
            self.batch.push(b',');
        }
        self.batch.push(b'(');
        let mut columns = 0;
        for (value, kind) in TextRow::new(payload).values().zip(&self.values) {
            if columns > 0 {
                self.batch.push(b',');
            }
            columns += 1;
            let value = value.map_err(|_| self.inexact("a row that is not one"))?;
            if !literal::put(&mut self.batch, value, *kind) {
                return Err(self.inexact("a text that is not UTF-8"));
            }
        }
        if columns != self.values.len() {
            return Err(self.inexact("a row of another form"));
        }
        self.batch.push(b')');
        Ok(())
    }

    fn too_much(&self) -> StatementError {
        StatementError::new(
            1038,
            "HY001",
            format!(
                "The tables {} are on several nodes, and more than {} bytes or {} rows of them \
                 would have to be copied to answer this statement, the last of '{}': restrict it, \
                 or raise limits.gatherBytes and limits.gatherRows in anabranch.yaml",
                self.tables, self.most_bytes, self.most_rows, self.table
            ),
        )
    }

    fn inexact(&self, what: &str) -> StatementError {
        StatementError::unsupported(format!(
            "The rows of table '{}' cannot be copied exactly to storage unit '{}': {what}",
            self.table,
            self.connection.unit_name()
        ))
    }

    /// Sends the batch once it is large.
    pub(crate) async fn flush_when_full(&mut self, session: &mut Session) -> Result<(), Failure> {
        if self.batch.len() >= BATCH_BYTES { self.flush(session).await } else { Ok(()) }
    }

    async fn flush(&mut self, session: &mut Session) -> Result<(), Failure> {
        let spent = self.await_batch(session).await?;
        let batch = std::mem::replace(&mut self.batch, spent);
        if !batch.is_empty() {
            self.send(&batch).await?;
            self.in_flight = Some(batch);
        }
        Ok(())
    }

    /// The last row of the copy was given.
    pub(crate) async fn end(&mut self, session: &mut Session) -> Result<(), Failure> {
        self.flush(session).await?;
        self.await_batch(session).await?;
        Ok(())
    }

    /// Waits for the batch under way; gives its memory back, empty.
    async fn await_batch(&mut self, session: &mut Session) -> Result<Vec<u8>, Failure> {
        let Some(mut batch) = self.in_flight.take() else { return Ok(Vec::new()) };
        let mut answer = self.read_answer(session).await?;
        if let Err(StorageError::Server { code: ER_DUP_ENTRY, .. }) = &answer
            && let Some(relax) = self.relax.take()
        {
            // A key that is unique on each node only.
            self.run(session, &relax).await?;
            self.send(&batch).await?;
            answer = self.read_answer(session).await?;
        }
        match answer {
            Ok(0) => {}
            Ok(_) => {
                let warning = self.first_warning().await;
                return Err(self.inexact(&warning).into());
            }
            Err(error) => {
                let error = error.to_statement_error();
                let message = format!(
                    "The rows of table '{}' could not be copied to storage unit '{}': {}",
                    self.table,
                    self.connection.unit_name(),
                    error.message
                );
                return Err(StatementError { message, ..error }.into());
            }
        }
        batch.clear();
        Ok(batch)
    }

    async fn first_warning(&mut self) -> String {
        let shown = storage::command::query(&mut self.connection, "SHOW WARNINGS LIMIT 1").await;
        let text = shown.ok().and_then(|shown| shown.rows.into_iter().next()?.pop()?);
        text.map_or_else(String::new, |text| String::from_utf8_lossy(&text).into_owned())
    }

    /// Runs a statement of our own.
    async fn run(&mut self, session: &mut Session, text: &str) -> Result<(), Failure> {
        self.send(text.as_bytes()).await?;
        self.read_answer(session).await??;
        Ok(())
    }

    async fn send(&mut self, text: &[u8]) -> Result<(), StorageError> {
        let mut packet = Vec::with_capacity(text.len() + 16);
        put_query(&mut packet, text);
        self.write(&packet).await
    }

    async fn write(&mut self, packets: &[u8]) -> Result<(), StorageError> {
        self.connection.is_busy = true;
        let written = self.connection.stream.write_all(packets).await;
        written.map_err(|error| lost(&self.connection, &error.to_string()))
    }

    /// The number of warnings of the next answer, or its error.
    async fn read_answer(
        &mut self,
        session: &mut Session,
    ) -> Result<Result<u16, StorageError>, Failure> {
        let walker = ResponseWalker::new(ResponseKind::Query, self.connection.capabilities);
        let mut source = PacketSource::new(walker);
        let mut failure = None;
        while let Some(packet) = source.next(session, &mut self.connection).await? {
            if packet.role == PacketRole::Err {
                failure = Some(server_error(source.payload(&packet)));
            }
            source.drop_packet(&packet);
        }
        self.connection.is_busy = false;
        let warnings = source.walker.summary().warnings;
        Ok(failure.map_or(Ok(warnings), Err))
    }
}

/// A statement that copies holds a connection while it needs further ones: were all connections of a
/// pool held by such statements, none could go on.
async fn wait_for_turn(
    session: &Session,
    unit: &StorageUnit,
) -> Result<OwnedSemaphorePermit, StatementError> {
    let turns = Arc::clone(&session.worker.shared.gathers);
    let limit = Duration::from_millis(unit.config.pool.connection_timeout_ms);
    match tokio::time::timeout(limit, turns.acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) | Err(_) => Err(StatementError::new(
            13000,
            "HY000",
            "Too many statements whose tables are on several nodes run at a time; raise \
             limits.maxGathers in anabranch.yaml",
        )),
    }
}

/// Under which rows are written: nothing in them is changed or refused, and no time zone counts.
fn load_settings() -> Arc<Settings> {
    let mut settings = (*Settings::baseline()).clone();
    for (name, value) in
        [("sql_mode", "'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'"), ("time_zone", "'+00:00'")]
    {
        settings.variables.insert(name.to_owned(), value.to_owned());
    }
    settings.intern()
}
