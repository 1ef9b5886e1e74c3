//! Statements without rows on several nodes: all of them or none.
//!
//! One MySQL server undoes a statement that fails half way. Here a change on several nodes runs in a
//! transaction of its own when the client has none, and behind a savepoint when it has one.

use kernel::merge::{MergePlan, Summary};
use kernel::plan::StatementClass;
use protocol::packet::ok::OkPacket;
use protocol::response::{PacketRole, ResponseKind, ResponseWalker};
use storage::error::StorageError;

use super::lanes::{Lane, abandon, await_answers, open, send_all};
use super::{FanOut, Part};
use crate::answer::{Encoding, Outcome};
use crate::execute::{Failure, LOST_UNIT, finish_prelude, give_back, read_warnings};
use crate::packets::PacketSource;
use crate::session::{Session, Warning};

/// A deadlock: InnoDB has rolled back the whole transaction, savepoints and all.
const ER_LOCK_DEADLOCK: u16 = 1213;

/// How a failed statement is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undo {
    /// It has a transaction of its own.
    Transaction,
    /// A savepoint stands before it.
    Savepoint,
    /// It cannot be undone (DDL).
    Nothing,
}

impl Undo {
    pub(super) fn of(session: &Session, class: StatementClass) -> Self {
        match class {
            StatementClass::Ddl | StatementClass::Other => Self::Nothing,
            _ if session.transaction.is_open() || !session.is_autocommit() => Self::Savepoint,
            _ => Self::Transaction,
        }
    }

    /// What begins it.
    pub(super) fn statement(self) -> Option<&'static str> {
        match self {
            Self::Transaction => Some("START TRANSACTION"),
            Self::Savepoint => Some("SAVEPOINT `anabranch_statement`"),
            Self::Nothing => None,
        }
    }

    /// What ends it.
    fn end(self, is_failed: bool) -> Option<&'static str> {
        match (self, is_failed) {
            (Self::Nothing, _) => None,
            (Self::Transaction, false) => Some("COMMIT"),
            (Self::Transaction, true) => Some("ROLLBACK"),
            (Self::Savepoint, false) => Some("RELEASE SAVEPOINT `anabranch_statement`"),
            (Self::Savepoint, true) => Some("ROLLBACK TO SAVEPOINT `anabranch_statement`"),
        }
    }
}

/// What the parts of a statement did.
struct Ran {
    summary: Summary,
    duplicates: u64,
    first_error: Option<(usize, StorageError)>,
}

/// Duplicates of one part of an INSERT: told of several rows; one row says by its affected rows that
/// it was updated (2), replaced (1 and those deleted) or ignored (0).
fn duplicates_of(answer: &Summary) -> u64 {
    let told = answer
        .info
        .split_once("Duplicates: ")
        .and_then(|(_, rest)| rest.split(' ').next().and_then(|number| number.parse().ok()));
    told.unwrap_or_else(|| answer.affected_rows.abs_diff(1))
}

/// Runs the statement and answers with one OK.
async fn run_parts(
    session: &mut Session,
    fan_out: &FanOut<'_>,
    lanes: &mut [Lane],
    undo: Undo,
) -> Result<Ran, Failure> {
    send_all(session, lanes, &fan_out.parts, undo.statement()).await?;
    await_answers(session, lanes, |lane| lane.parts.len()).await?;
    let mut summary: Option<Summary> = None;
    let mut first_error: Option<(usize, StorageError)> = None;
    let mut duplicates = 0;
    for lane in lanes.iter_mut() {
        finish_prelude(&mut lane.ready).await?;
        for part in lane.parts.clone() {
            match read_answer(session, lane, fan_out.encoding).await? {
                Ok(answer) => {
                    lane.warnings += u64::from(answer.warnings);
                    let is_copy = matches!(fan_out.merge, MergePlan::Same) && summary.is_some();
                    if !is_copy {
                        duplicates += duplicates_of(&answer);
                    }
                    match &mut summary {
                        // Every unit has done the same: one of them is told of.
                        Some(_) if is_copy => {}
                        Some(summary) => add(summary, &answer, fan_out.class),
                        None => summary = Some(answer),
                    }
                }
                Err(error) if first_error.as_ref().is_none_or(|(other, _)| part < *other) => {
                    first_error = Some((part, error));
                }
                Err(_) => {}
            }
        }
        lane.ready.connection.is_busy = false;
        lane.is_done = true;
    }
    Ok(Ran { summary: summary.unwrap_or_default(), duplicates, first_error })
}

/// What a statement did on all of its nodes.
pub(crate) struct Changed {
    /// The answers, added up.
    pub(crate) summary: Summary,
    /// Rows of an INSERT that met others.
    pub(crate) duplicates: u64,
    /// As far as they are kept.
    pub(crate) warnings: Vec<Warning>,
}

/// Runs the statement, and undoes it everywhere if it failed anywhere.
pub(crate) async fn change(
    session: &mut Session,
    fan_out: &FanOut<'_>,
) -> Result<Changed, Failure> {
    let undo = Undo::of(session, fan_out.class);
    let mut lanes = open(session, &fan_out.parts, false).await?;
    let ran = run_parts(session, fan_out, &mut lanes, undo).await;
    let Ran { mut summary, duplicates, first_error } = match ran {
        Ok(ran) => ran,
        Err(failure) => {
            abandon(session, lanes).await;
            return Err(failure);
        }
    };
    // The warnings first: what ends the statement clears them.
    let warnings = collect_warnings(&mut lanes, &mut summary, fan_out).await;
    let ended = end(&mut lanes, undo, first_error.is_some()).await;
    let is_lost = lanes.iter().any(|lane| lane.ready.connection.is_busy);
    for lane in lanes {
        give_back(session, lane.ready, undo != Undo::Transaction);
    }
    if is_lost && undo != Undo::Transaction {
        crate::transaction::fail_if_begun(session, LOST_UNIT).await;
    }
    if let Some((part, error)) = first_error {
        let is_deadlock = matches!(&error, StorageError::Server { code: ER_LOCK_DEADLOCK, .. });
        if is_deadlock && session.transaction.is_open() && !is_lost {
            crate::transaction::rollback(session).await;
        }
        return Err(explain(error, part, &fan_out.parts, undo));
    }
    ended?;
    Ok(Changed { summary, duplicates, warnings })
}

/// Runs the statement, all of it or nothing, and answers.
pub(super) async fn run(session: &mut Session, fan_out: FanOut<'_>) -> Result<(), Failure> {
    let Changed { summary, duplicates, warnings } = change(session, &fan_out).await?;
    let diagnostics = &mut session.diagnostics;
    diagnostics.clear_warnings();
    diagnostics.warning_count = u64::from(summary.warnings);
    diagnostics.warnings = warnings;
    diagnostics.row_count = summary.affected_rows as i64;
    let told = summary.last_insert_id;
    let remembered = match &session.inserted {
        Some(inserted) => inserted.remembered(told, summary.affected_rows),
        None => Some(told).filter(|told| *told != 0),
    };
    if let Some(id) = remembered {
        diagnostics.last_insert_id = id;
    }
    let info = match fan_out.rows {
        // Parts of one row say nothing; the statement's own text counts all rows.
        Some(rows) if rows > 1 => records_info(rows, duplicates, summary.warnings),
        _ => summary.info.clone().into_bytes(),
    };
    session.put_ok(&Outcome {
        affected_rows: summary.affected_rows,
        last_insert_id: session.insert_id(told, summary.affected_rows),
        warnings: summary.warnings,
        info,
    });
    Ok(())
}

/// The warnings of all lanes, as far as they are kept; of what is the same everywhere, those of one.
async fn collect_warnings(
    lanes: &mut [Lane],
    summary: &mut Summary,
    fan_out: &FanOut<'_>,
) -> Vec<Warning> {
    let mut warning_lanes = lanes.iter_mut().filter(|lane| lane.warnings > 0);
    if fan_out.class == StatementClass::Ddl || matches!(fan_out.merge, MergePlan::Same) {
        let mut warnings = Vec::new();
        if let Some(lane) = warning_lanes.next() {
            read_warnings(&mut lane.ready.connection, &mut warnings).await;
        }
        return warnings;
    }
    if warning_lanes.next().is_none() {
        return Vec::new();
    }
    let gathered = super::warnings::gather(lanes.iter_mut()).await;
    summary.set_warnings(u16::try_from(gathered.count).unwrap_or(u16::MAX));
    gathered.kept
}

/// The info text of an INSERT of several rows. Duplicates are what affected rows count beyond one a
/// row (an update counts twice), or lack (IGNORE), as the servers tell them.
///
/// # Source
/// MySQL manual, `mysql_info()`.
fn records_info(rows: usize, duplicates: u64, warnings: u16) -> Vec<u8> {
    format!("Records: {rows}  Duplicates: {duplicates}  Warnings: {warnings}").into_bytes()
}

/// Adds the answer of another node. What one server says once, it says once of DDL on many.
fn add(summary: &mut Summary, answer: &Summary, class: StatementClass) {
    let warnings = summary.warnings.max(answer.warnings);
    summary.add(answer);
    if class == StatementClass::Ddl {
        summary.warnings = warnings;
    }
}

/// Reads one answer of a lane: what it changed, or its error.
async fn read_answer(
    session: &mut Session,
    lane: &mut Lane,
    encoding: Encoding,
) -> Result<Result<Summary, StorageError>, Failure> {
    let connection = &mut lane.ready.connection;
    let kind = match encoding {
        Encoding::Text => ResponseKind::Query,
        Encoding::Binary => ResponseKind::StmtExecute,
    };
    let mut source = PacketSource::new(ResponseWalker::new(kind, connection.capabilities));
    let mut answer = Ok(Summary::default());
    while let Some(packet) = source.next(session, connection).await? {
        match packet.role {
            PacketRole::Err => {
                answer = Err(storage::command::server_error(source.payload(&packet)))
            }
            PacketRole::Ok => {
                let ok = OkPacket::decode(source.payload(&packet), connection.capabilities)
                    .map_err(|e| storage::command::broken(connection, &e.to_string()))?;
                answer = Ok(Summary {
                    affected_rows: ok.affected_rows,
                    last_insert_id: ok.last_insert_id,
                    warnings: ok.warnings,
                    info: String::from_utf8_lossy(ok.info).into_owned(),
                });
            }
            // Table maintenance answers with rows; what they say, the server's log says, too.
            _ => {}
        }
        source.drop_packet(&packet);
    }
    Ok(answer)
}

/// Commits or undoes on every lane at once.
///
/// # Errors
/// Units on which it could not be committed, with those on which it was.
pub(super) async fn end(lanes: &mut [Lane], undo: Undo, is_failed: bool) -> Result<(), Failure> {
    let Some(text) = undo.end(is_failed) else { return Ok(()) };
    let mut sent = Vec::with_capacity(lanes.len());
    for lane in lanes.iter_mut() {
        sent.push(storage::command::send(&mut lane.ready.connection, text).await);
    }
    let (mut done, mut failure) = (Vec::new(), None);
    for (lane, sent) in lanes.iter_mut().zip(sent) {
        let connection = &mut lane.ready.connection;
        let ended = match sent {
            Ok(()) => storage::command::finish(connection).await,
            Err(error) => Err(error),
        };
        match ended {
            Ok(()) => done.push(lane.ready.unit().name.to_string()),
            Err(error) => failure = failure.or(Some((lane.ready.unit().name.to_string(), error))),
        }
    }
    let Some((unit, error)) = failure.filter(|_| !is_failed) else { return Ok(()) };
    tracing::warn!(%error, unit, text, "the end of a statement on several units");
    let mut told = error.to_statement_error();
    if undo == Undo::Transaction {
        let done = if done.is_empty() { "no unit".to_owned() } else { done.join(", ") };
        told.message =
            format!("COMMIT failed on storage unit {unit}: {}; committed on: {done}", told.message);
    }
    Err(told.into())
}

/// The unit's error; for what cannot be undone, with the nodes that may have changed.
fn explain(error: StorageError, part: usize, parts: &[Part], undo: Undo) -> Failure {
    let mut told = error.to_statement_error();
    if undo == Undo::Nothing {
        let unit = &parts[part].unit.name;
        told.message = format!(
            "{} (on storage unit '{unit}'; other data nodes of this statement may have been \
             changed)",
            told.message
        );
    }
    Failure::Statement(told)
}
