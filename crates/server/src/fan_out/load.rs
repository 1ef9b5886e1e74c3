//! LOAD DATA LOCAL into a sharded table: the client's lines are collected by node, and each node is
//! given its own in pieces, as files of its own. All of them are loaded or none.

mod file;
mod rows;

use kernel::error::StatementError;
use kernel::load::LoadPlan;
use kernel::merge::Summary;
use kernel::plan::{Plan, RouteUnit, StatementClass};
use protocol::capability::Capabilities;
use protocol::frame::{Header, MAX_PAYLOAD};
use protocol::packet::local_infile::LocalInfileRequest;
use protocol::packet::ok::OkPacket;
use protocol::response::{PacketRole, ResponseKind, ResponseWalker};
use storage::command::put_query;

use super::lanes::{Lane, abandon};
use super::summary::{Undo, end};
use crate::answer::Outcome;
use crate::execute::{
    Failure, LOST_UNIT, finish_prelude, give_back, prepare_connection, read_warnings, send,
};
use crate::packets::PacketSource;
use crate::plan_cache::{Body, CachedStatement};
use crate::session::{Diagnostics, Session, Warning};
use crate::statement;

/// Bytes of a node's lines that are sent at a time: little enough to stand in the buffers of a
/// socket, so that the units load at the same time.
const PIECE_BYTES: usize = 256 * 1024;

/// Runs a LOAD DATA whose plan is for this text or another of its fingerprint.
pub(crate) async fn run(session: &mut Session, text: &[u8]) -> Result<(), Failure> {
    // What separates fields are literals, which a cached plan does not have.
    let snapshot = session.worker.snapshot();
    let cached = statement::plan_answered(session, &snapshot, text)?;
    let Body::Routed(plan) = &cached.body else {
        return Err(StatementError::syntax("LOAD DATA became another statement").into());
    };
    let Some(load) = plan.load.as_deref() else {
        return Err(StatementError::unsupported("LOAD DATA became another statement").into());
    };
    if !session.capabilities.contains(Capabilities::LOCAL_FILES) {
        return Err(StatementError::new(
            3948,
            "42000",
            "Loading local data is disabled; this must be enabled on both the client and server \
             sides",
        )
        .into());
    }
    crate::replicas::note_change(session, plan);
    let undo = Undo::of(session, StatementClass::Write);
    let mut request = Vec::new();
    LocalInfileRequest { file_name: &load.file }.encode(&mut request);
    session.put_payload(&request);
    session.flush().await?;
    let mut file = file::ClientFile::default();
    let mut loading = Loading::new(&cached, plan, load, undo);
    let loaded = rows::read(session, &mut loading, &mut file).await;
    if matches!(loaded, Err(Failure::Session)) {
        abandon(session, loading.lanes).await;
        return Err(Failure::Session);
    }
    // The answer is read behind the file only.
    file.skip(session).await?;
    loading.finish(session, loaded).await
}

/// A LOAD DATA while it runs.
struct Loading<'p> {
    cached: &'p CachedStatement,
    plan: &'p Plan,
    load: &'p LoadPlan,
    undo: Undo,
    /// A connection a unit, as far as they were needed.
    lanes: Vec<Lane>,
    /// By lane, the answer that is still to be read.
    answers: Vec<Option<PacketSource>>,
    /// Lines by node.
    pieces: Vec<Vec<u8>>,
    summary: Option<Summary>,
    warnings: Vec<Warning>,
    /// The first generated number.
    first_key: Option<u64>,
}

impl<'p> Loading<'p> {
    fn new(cached: &'p CachedStatement, plan: &'p Plan, load: &'p LoadPlan, undo: Undo) -> Self {
        Self {
            cached,
            plan,
            load,
            undo,
            lanes: Vec::new(),
            answers: Vec::new(),
            pieces: vec![Vec::new(); load.nodes.len()],
            summary: None,
            warnings: Vec::new(),
            first_key: None,
        }
    }

    /// A line for a node.
    async fn add(&mut self, session: &mut Session, node: u32, line: &[u8]) -> Result<(), Failure> {
        let Some(piece) = self.pieces.get_mut(node as usize) else {
            return Err(StatementError::unsupported("A row belongs to no node").into());
        };
        piece.extend_from_slice(line);
        if piece.len() >= PIECE_BYTES {
            self.flush(session, node).await?;
        }
        Ok(())
    }

    /// Sends what has been collected for a node; its answer is read when the next piece for its unit
    /// is there.
    async fn flush(&mut self, session: &mut Session, node: u32) -> Result<(), Failure> {
        let piece = std::mem::take(&mut self.pieces[node as usize]);
        if piece.is_empty() {
            return Ok(());
        }
        let lane = self.lane(session, node).await?;
        self.await_answer(session, lane).await?;
        let ready = &mut self.lanes[lane].ready;
        let mut packet = Vec::new();
        put_query(&mut packet, self.load.text_for(node).as_bytes());
        send(ready, &packet).await?;
        finish_prelude(ready).await?;
        let connection = &mut ready.connection;
        connection.is_busy = true;
        let walker = ResponseWalker::new(ResponseKind::Query, connection.capabilities);
        let mut source = PacketSource::new(walker);
        // Anything but the request for the file is read as the answer it is.
        if let Some(packet) = source.next(session, connection).await?
            && packet.role == PacketRole::LocalInfile
        {
            let seq = packet.seq.wrapping_add(1);
            source.drop_packet(&packet);
            let written = connection.stream.write_all(&framed(&piece, seq)).await;
            written.map_err(|e| storage::command::lost(connection, &e.to_string()))?;
        }
        self.answers[lane] = Some(source);
        self.pieces[node as usize] = reused(piece);
        Ok(())
    }

    /// The lane of a node's unit.
    async fn lane(&mut self, session: &mut Session, node: u32) -> Result<usize, Failure> {
        let unit = self.load.nodes[node as usize].unit;
        if let Some(known) = self.lanes.iter().position(|lane| lane.ready.unit().id == unit) {
            return Ok(known);
        }
        let route = RouteUnit { unit, node, rows: Default::default() };
        let storage_unit = statement::find_unit(session, self.cached, &route)?;
        let mut ready = prepare_connection(session, storage_unit).await?;
        ready.prelude.extend(self.undo.statement().map(str::to_owned));
        self.lanes.push(Lane { ready, parts: Vec::new(), warnings: 0, is_done: false });
        self.answers.push(None);
        Ok(self.lanes.len() - 1)
    }

    /// Reads the outstanding answer of a lane.
    async fn await_answer(&mut self, session: &mut Session, lane: usize) -> Result<(), Failure> {
        let Some(mut source) = self.answers[lane].take() else { return Ok(()) };
        let connection = &mut self.lanes[lane].ready.connection;
        let mut failure = None;
        let mut answer = Summary::default();
        while let Some(packet) = source.next(session, connection).await? {
            match packet.role {
                PacketRole::Err => {
                    failure = Some(storage::command::server_error(source.payload(&packet)));
                }
                PacketRole::Ok => {
                    let ok = OkPacket::decode(source.payload(&packet), connection.capabilities)
                        .map_err(|e| storage::command::broken(connection, &e.to_string()))?;
                    answer = Summary {
                        affected_rows: ok.affected_rows,
                        last_insert_id: 0,
                        warnings: ok.warnings,
                        info: String::from_utf8_lossy(ok.info).into_owned(),
                    };
                }
                _ => {}
            }
            source.drop_packet(&packet);
        }
        connection.is_busy = false;
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        if answer.warnings > 0 && self.warnings.len() < Diagnostics::MAX_WARNINGS {
            read_warnings(connection, &mut self.warnings).await;
        }
        match &mut self.summary {
            Some(summary) => summary.add(&answer),
            None => self.summary = Some(answer),
        }
        Ok(())
    }

    /// What is left is sent, and all answers are read.
    async fn flush_all(&mut self, session: &mut Session) -> Result<(), Failure> {
        for node in 0..self.pieces.len() as u32 {
            self.flush(session, node).await?;
        }
        for lane in 0..self.lanes.len() {
            self.await_answer(session, lane).await?;
        }
        Ok(())
    }

    /// Commits, or undoes everything, and answers.
    async fn finish(
        mut self,
        session: &mut Session,
        loaded: Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut loaded = match loaded {
            Ok(()) => self.flush_all(session).await,
            Err(failure) => Err(failure),
        };
        for lane in 0..self.lanes.len() {
            if let Err(failure) = self.await_answer(session, lane).await {
                loaded = loaded.and(Err(failure));
            }
        }
        if matches!(loaded, Err(Failure::Session)) {
            abandon(session, self.lanes).await;
            return Err(Failure::Session);
        }
        let mut lanes: Vec<Lane> = Vec::new();
        let mut is_lost = false;
        for mut lane in self.lanes {
            lane.is_done = !lane.ready.connection.is_busy;
            // A connection that is lost takes its rows with it.
            match lane.is_done {
                true => lanes.push(lane),
                false => is_lost = true,
            }
        }
        let ended = end(&mut lanes, self.undo, loaded.is_err()).await;
        is_lost |= lanes.iter().any(|lane| lane.ready.connection.is_busy);
        for lane in lanes {
            give_back(session, lane.ready, self.undo != Undo::Transaction);
        }
        if is_lost && self.undo != Undo::Transaction {
            crate::transaction::fail_if_begun(session, LOST_UNIT).await;
        }
        loaded?;
        ended?;
        answer(session, self.summary.unwrap_or_else(nothing), self.warnings, self.first_key);
        Ok(())
    }
}

/// # Source
/// MySQL 8.4 manual, `LOAD DATA`, "Statement Result Information".
fn nothing() -> Summary {
    let info = "Records: 0  Deleted: 0  Skipped: 0  Warnings: 0".to_owned();
    Summary { info, ..Summary::default() }
}

fn answer(session: &mut Session, summary: Summary, warnings: Vec<Warning>, first_key: Option<u64>) {
    let diagnostics = &mut session.diagnostics;
    diagnostics.clear_warnings();
    diagnostics.warning_count = u64::from(summary.warnings);
    diagnostics.warnings = warnings;
    diagnostics.row_count = summary.affected_rows as i64;
    if let Some(first) = first_key.filter(|_| summary.affected_rows > 0) {
        diagnostics.last_insert_id = first;
    }
    session.put_ok(&Outcome {
        affected_rows: summary.affected_rows,
        last_insert_id: 0,
        warnings: summary.warnings,
        info: summary.info.into_bytes(),
    });
}

/// A file as packets, with the empty one behind it.
fn framed(file: &[u8], mut seq: u8) -> Vec<u8> {
    let mut packets = Vec::with_capacity(file.len() + 16);
    // A packet of the greatest length would be joined with the one behind it.
    for chunk in file.chunks(MAX_PAYLOAD - 1).chain([&[][..]]) {
        packets.extend_from_slice(&Header { len: chunk.len() as u32, seq }.to_bytes());
        packets.extend_from_slice(chunk);
        seq = seq.wrapping_add(1);
    }
    packets
}

fn reused(mut piece: Vec<u8>) -> Vec<u8> {
    piece.clear();
    piece
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_ends_with_an_empty_packet() {
        assert_eq!(framed(b"ab", 2), [2, 0, 0, 2, b'a', b'b', 0, 0, 0, 3]);
        assert_eq!(framed(b"", 255), [0, 0, 0, 255]);
    }
}
