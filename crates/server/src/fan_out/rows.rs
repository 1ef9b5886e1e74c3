//! Rows of several nodes, merged as they come.

use std::time::Duration;

use eval::ColumnType;
use kernel::merge::{MergeInput, MergePlan, Merger, RowBatch, RowFormat, RowMerge, Step};
use protocol::capability::Capabilities;
use protocol::packet::column_definition::ColumnDefinition41;
use protocol::response::{PacketRole, PacketView, ResponseKind, ResponseWalker};
use storage::connection::Connection;

use super::lanes::{Lane, abandon, await_answers, open, send_all};
use super::warnings;
use super::{FanOut, Sink, context};
use crate::answer::Encoding;
use crate::execute::{Failure, finish_prelude};
use crate::packets::PacketSource;
use crate::session::Session;

/// How long unneeded rows of one connection may take to read.
const DRAIN_LIMIT: Duration = Duration::from_millis(20);

/// A lane while its answers are read.
struct Reading {
    lane: Lane,
    source: Option<PacketSource>,
    /// Position in `lane.parts` of the part whose answer is being read.
    at: usize,
    /// That answer has been begun.
    has_begun: bool,
    /// The connection broke.
    is_lost: bool,
    /// A batch that was read, for its memory.
    spare: Option<RowBatch>,
}

impl Reading {
    fn of(lane: Lane) -> Self {
        Self { lane, source: None, at: 0, has_begun: false, is_lost: false, spare: None }
    }
}

/// Runs the statement and answers with merged rows.
pub(super) async fn run(
    session: &mut Session,
    fan_out: FanOut<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let is_concatenated = matches!(fan_out.merge, MergePlan::Concatenate);
    let spread = !is_concatenated
        && !session.transaction.is_open()
        && session.is_autocommit()
        && session.open_cursors == 0
        && session.pin.is_none();
    let mut lanes = open(session, &fan_out.parts, spread).await?;
    let sent = match send_all(session, &mut lanes, &fan_out.parts, None).await {
        Ok(()) => await_answers(session, &mut lanes, |_| 1).await,
        Err(failure) => Err(failure),
    };
    if let Err(failure) = sent {
        abandon(session, lanes).await;
        return Err(failure);
    }
    let mut readings: Vec<Reading> = lanes.into_iter().map(Reading::of).collect();
    let merged = merge(session, &fan_out, &mut readings, sink).await;
    if matches!(merged, Err(Failure::Session)) {
        abandon(session, readings.into_iter().map(|reading| reading.lane).collect()).await;
        return merged;
    }
    drain_all(session, &mut readings).await;
    abandon(session, readings.into_iter().map(|reading| reading.lane).collect()).await;
    merged
}

/// Reads what is left of the answers, so that the connections can be used again. What a transaction
/// needs is read to its end; of other connections, no more than it would cost to open them anew.
async fn drain_all(session: &mut Session, readings: &mut [Reading]) {
    let is_kept = session.transaction.is_open()
        || !session.is_autocommit()
        || session.pin.is_some()
        || session.open_cursors > 0;
    if is_kept && readings.iter().any(|reading| reading.is_lost) {
        // The transaction fails anyway: nothing is worth waiting for.
        return;
    }
    for reading in readings {
        // A connection that cannot be drained stays busy, and is closed.
        if is_kept {
            let _ = drain(session, reading).await;
        } else {
            let _ = tokio::time::timeout(DRAIN_LIMIT, drain(session, reading)).await;
        }
    }
}

/// Reads every stream's head, then lets the merger say what comes next.
async fn merge(
    session: &mut Session,
    fan_out: &FanOut<'_>,
    readings: &mut [Reading],
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let concatenation = RowMerge::default();
    let plan = match fan_out.merge {
        MergePlan::Rows(plan) => plan.as_ref(),
        _ => &concatenation,
    };
    let mut columns: Option<Vec<Vec<u8>>> = None;
    for reading in readings.iter_mut() {
        finish_prelude(&mut reading.lane.ready).await?;
        let definitions = read_head(session, reading, fan_out).await?;
        columns.get_or_insert(definitions);
    }
    let definitions = columns.unwrap_or_default();
    let types = column_types(&definitions);
    put_metadata(session, fan_out, &definitions, plan.hidden, sink)?;
    let kind = readings.first().map(|reading| reading.lane.ready.connection.server.kind);
    let context = context::of(session, plan, kind)?;
    let input = MergeInput {
        columns: &types,
        format: match fan_out.encoding {
            Encoding::Text => RowFormat::Text,
            Encoding::Binary => RowFormat::Binary,
        },
        streams: fan_out.parts.len(),
        values: &fan_out.values,
        context: &context,
        memory_limit_bytes: session.worker.shared.options.limits.sort_memory_bytes as usize,
    };
    let mut merger = Merger::new(plan, &input)?;
    if matches!(fan_out.merge, MergePlan::Rows(_)) {
        keep_early_parts(session, fan_out, readings, &mut merger, input.memory_limit_bytes).await?;
    }
    loop {
        let needed = match merger.step()? {
            Step::Row(payload) => {
                match sink {
                    Sink::Client => session.put_payload(payload),
                    Sink::Copy(loader) => loader.push(payload)?,
                    Sink::Rows(rows) => rows.push(payload)?,
                }
                None
            }
            Step::Needs(stream) => Some(stream),
            Step::Done => break,
        };
        match (needed, &mut *sink) {
            (None, Sink::Client) => session.flush_when_full().await?,
            (None, Sink::Copy(loader)) => loader.flush_when_full(session).await?,
            (None, Sink::Rows(_)) => {}
            (Some(stream), _) => feed(session, fan_out, readings, &mut merger, stream).await?,
        }
    }
    match sink {
        Sink::Client => {}
        Sink::Copy(_) => return Ok(()),
        Sink::Rows(rows) => {
            for reading in readings.iter_mut() {
                drain(session, reading).await?;
            }
            let warnings = readings.iter().map(|reading| reading.lane.warnings).sum();
            return Ok(rows.check_warnings(warnings)?);
        }
    }
    end_answer(session, readings, merger.counted_rows()).await
}

/// The client gets the end of its rows; the session takes note of them.
async fn end_answer(
    session: &mut Session,
    readings: &mut [Reading],
    counted_rows: u64,
) -> Result<(), Failure> {
    session.diagnostics.clear_warnings();
    session.diagnostics.found_rows = counted_rows;
    session.diagnostics.row_count = -1;
    let generated = session.inserted.as_ref().and_then(|inserted| inserted.returned(counted_rows));
    if let Some(id) = generated {
        session.diagnostics.last_insert_id = id;
    }
    for reading in readings.iter_mut() {
        drain(session, reading).await?;
    }
    let warnings = take_warnings(session, readings).await;
    let status = session.status();
    session.put_end_of_rows(u16::try_from(warnings).unwrap_or(u16::MAX), status);
    Ok(())
}

/// Takes the warnings of all nodes over; gives their number.
async fn take_warnings(session: &mut Session, readings: &mut [Reading]) -> u64 {
    if readings.iter().all(|reading| reading.lane.warnings == 0) {
        return 0;
    }
    let gathered = warnings::gather(readings.iter_mut().map(|reading| &mut reading.lane)).await;
    session.diagnostics.warning_count = gathered.count;
    session.diagnostics.warnings = gathered.kept;
    gathered.count
}

/// Reads an answer up to its first row; gives the column definitions.
async fn read_head(
    session: &mut Session,
    reading: &mut Reading,
    fan_out: &FanOut<'_>,
) -> Result<Vec<Vec<u8>>, Failure> {
    let connection = &mut reading.lane.ready.connection;
    let kind = match fan_out.encoding {
        Encoding::Text => ResponseKind::Query,
        Encoding::Binary => ResponseKind::StmtExecute,
    };
    let mut source = PacketSource::new(ResponseWalker::new(kind, connection.capabilities));
    let mut definitions = Vec::new();
    reading.has_begun = true;
    loop {
        let next = source.next(session, connection).await;
        let Some(packet) = next.inspect_err(|_| reading.is_lost = true)? else { break };
        match packet.role {
            PacketRole::Err => {
                let error = storage::command::server_error(source.payload(&packet));
                end_with(source, &packet, session, connection).await?;
                return Err(error.into());
            }
            PacketRole::ColumnDefinition => definitions.push(source.payload(&packet).to_vec()),
            _ => {}
        }
        source.drop_packet(&packet);
        let columns = source.walker.summary().columns as usize;
        if !source.walker.summary().has_metadata && columns > 0 {
            let part = &fan_out.parts[reading.lane.parts[reading.at]];
            definitions = crate::prepared::known_definitions(connection, part);
        }
        if columns > 0 && definitions.len() == columns {
            break;
        }
    }
    reading.source = Some(source);
    Ok(definitions)
}

/// The types in column definitions.
pub(crate) fn column_types(definitions: &[Vec<u8>]) -> Vec<ColumnType> {
    let column_type = |definition: &Vec<u8>| {
        ColumnDefinition41::decode(definition, Capabilities::NONE).map_or_else(
            |_| ColumnType::new(253, 0, 63, 0, 0),
            |d| {
                let (code, flags) = (d.column_type.0, d.flags.0);
                ColumnType::new(code, flags, d.collation, d.column_length, d.decimals)
            },
        )
    };
    definitions.iter().map(column_type).collect()
}

fn put_metadata(
    session: &mut Session,
    fan_out: &FanOut<'_>,
    definitions: &[Vec<u8>],
    hidden: usize,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let visible = definitions.len().saturating_sub(hidden);
    match sink {
        Sink::Client => {}
        Sink::Copy(_) => return Ok(()),
        Sink::Rows(rows) => return Ok(rows.begin(&column_types(&definitions[..visible]))?),
    }
    session.put_column_count(visible as u64, true);
    for definition in &definitions[..visible] {
        crate::rebuild::put_definition(session, definition, fan_out.relabel)?;
    }
    session.put_end_of_metadata();
    Ok(())
}

/// Parts that others follow on the same connection are read into memory: the merger needs the head
/// of every stream.
async fn keep_early_parts(
    session: &mut Session,
    fan_out: &FanOut<'_>,
    readings: &mut [Reading],
    merger: &mut Merger,
    limit_bytes: usize,
) -> Result<(), Failure> {
    let mut kept = 0;
    for reading in readings {
        while reading.at + 1 < reading.lane.parts.len() {
            let stream = reading.lane.parts[reading.at];
            while let Some(batch) = read_batch(session, reading).await? {
                kept += batch.bytes.len();
                if kept > limit_bytes {
                    return Err(kernel::error::StatementError::new(
                        1038,
                        "HY001",
                        "Out of memory for rows that wait to be merged; raise \
                         limits.sortMemoryBytes in anabranch.yaml, or run the statement outside \
                         the transaction",
                    )
                    .into());
                }
                merger.push(stream, batch);
            }
            merger.finish(stream);
            reading.at += 1;
            read_head(session, reading, fan_out).await?;
        }
    }
    Ok(())
}

/// Gives the merger more rows of a stream, or its end.
async fn feed(
    session: &mut Session,
    fan_out: &FanOut<'_>,
    readings: &mut [Reading],
    merger: &mut Merger,
    stream: usize,
) -> Result<(), Failure> {
    let holds = |reading: &&mut Reading| reading.lane.parts.contains(&stream);
    let Some(reading) = readings.iter_mut().find(holds) else {
        merger.finish(stream);
        return Ok(());
    };
    while reading.lane.parts[reading.at] != stream {
        if reading.source.is_some() {
            // Concatenated parts come in the order of their lane, so an earlier one has ended.
            while read_batch(session, reading).await?.is_some() {}
        }
        reading.at += 1;
        read_head(session, reading, fan_out).await?;
    }
    match read_batch(session, reading).await? {
        Some(batch) => reading.spare = merger.push(stream, batch),
        None => merger.finish(stream),
    }
    Ok(())
}

/// Some rows of the answer at hand; `None` after the last.
async fn read_batch(
    session: &mut Session,
    reading: &mut Reading,
) -> Result<Option<RowBatch>, Failure> {
    let Some(source) = &mut reading.source else { return Ok(None) };
    let connection = &mut reading.lane.ready.connection;
    loop {
        let next = source.next(session, connection).await;
        let Some(packet) = next.inspect_err(|_| reading.is_lost = true)? else {
            reading.lane.warnings += u64::from(source.walker.summary().warnings);
            reading.source = None;
            return Ok(None);
        };
        match packet.role {
            PacketRole::Row => {
                let mut batch = reading.spare.take().unwrap_or_default();
                batch.clear();
                source
                    .take_rows(&packet, &mut batch)
                    .map_err(|error| storage::command::broken(connection, &error.to_string()))?;
                return Ok(Some(batch));
            }
            PacketRole::Err => {
                let error = storage::command::server_error(source.payload(&packet));
                if let Some(source) = reading.source.take() {
                    end_with(source, &packet, session, connection).await?;
                }
                return Err(error.into());
            }
            _ => source.drop_packet(&packet),
        }
    }
}

/// The answer has ended with this packet; what was read beyond it stays with the connection.
async fn end_with(
    mut source: PacketSource,
    packet: &PacketView,
    session: &mut Session,
    connection: &mut Connection,
) -> Result<(), Failure> {
    source.drop_packet(packet);
    source.next(session, connection).await.map(drop)
}

/// Reads what the merger did not need, so that the connection can be used again. Errors of the
/// server are part of what is read.
async fn drain(session: &mut Session, reading: &mut Reading) -> Result<(), Failure> {
    if reading.lane.is_done {
        return Ok(());
    }
    if reading.is_lost {
        return Err(Failure::Session);
    }
    finish_prelude(&mut reading.lane.ready).await?;
    if let Some(mut source) = reading.source.take() {
        let connection = &mut reading.lane.ready.connection;
        while let Some(packet) = source.next(session, connection).await? {
            source.drop_packet(&packet);
        }
        reading.lane.warnings += u64::from(source.walker.summary().warnings);
        reading.at += 1;
    } else if reading.has_begun {
        reading.at += 1;
    }
    while reading.at < reading.lane.parts.len() {
        reading.at += 1;
        // Read like the others, so that it can be stopped like the others.
        let connection = &mut reading.lane.ready.connection;
        let walker = ResponseWalker::new(ResponseKind::Query, connection.capabilities);
        let mut source = PacketSource::new(walker);
        while let Some(packet) = source.next(session, connection).await? {
            source.drop_packet(&packet);
        }
    }
    reading.lane.ready.connection.is_busy = false;
    reading.lane.is_done = true;
    Ok(())
}
