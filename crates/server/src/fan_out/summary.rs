//! Statements without rows on several nodes: all of them or none.
//!
//! One MySQL server undoes a statement that fails half way. Here a change on several nodes runs in a
//! transaction of its own when the client has none, and behind a savepoint when it has one.

use kernel::merge::Summary;
use kernel::plan::StatementClass;
use protocol::packet::ok::OkPacket;
use protocol::response::{PacketRole, ResponseKind, ResponseWalker};
use storage::error::StorageError;

use super::lanes::{Lane, abandon, open, send_all};
use super::{FanOut, Part};
use crate::answer::{Encoding, Outcome};
use crate::execute::{Failure, finish_prelude, give_back, read_warnings};
use crate::packets::PacketSource;
use crate::session::{Session, Warning};

/// The savepoint before a statement on several nodes of an open transaction.
const SAVEPOINT: &str = "`anabranch_statement`";

/// How a failed statement is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Undo {
    /// It has a transaction of its own.
    Transaction,
    /// A savepoint stands before it.
    Savepoint,
    /// It cannot be undone (DDL).
    Nothing,
}

impl Undo {
    fn of(session: &Session, class: StatementClass) -> Self {
        match class {
            StatementClass::Ddl | StatementClass::Other => Self::Nothing,
            _ if session.transaction.is_open() || !session.is_autocommit() => Self::Savepoint,
            _ => Self::Transaction,
        }
    }

    fn statement(self) -> Option<String> {
        match self {
            Self::Transaction => Some("START TRANSACTION".to_owned()),
            Self::Savepoint => Some(format!("SAVEPOINT {SAVEPOINT}")),
            Self::Nothing => None,
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
    for lane in lanes.iter_mut() {
        lane.ready.prelude.extend(undo.statement());
    }
    send_all(session, lanes, &fan_out.parts).await?;
    let mut summary: Option<Summary> = None;
    let mut first_error: Option<(usize, StorageError)> = None;
    let mut duplicates = 0;
    for lane in lanes.iter_mut() {
        finish_prelude(&mut lane.ready).await?;
        for part in lane.parts.clone() {
            match read_answer(session, lane, fan_out.encoding).await? {
                Ok(answer) => {
                    lane.warnings += u64::from(answer.warnings);
                    duplicates += duplicates_of(&answer);
                    match &mut summary {
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

/// Runs the statement, undoes it everywhere if it failed anywhere, and answers.
pub(super) async fn run(session: &mut Session, fan_out: FanOut<'_>) -> Result<(), Failure> {
    let undo = Undo::of(session, fan_out.class);
    let mut lanes = open(session, &fan_out.parts, false).await?;
    let ran = run_parts(session, &fan_out, &mut lanes, undo).await;
    let Ran { summary, duplicates, first_error } = match ran {
        Ok(ran) => ran,
        Err(failure) => {
            abandon(session, lanes);
            let was_open = session.transaction.is_open() || !session.is_autocommit();
            if was_open {
                crate::transaction::fail(session, "a storage unit was lost").await;
            }
            return Err(failure);
        }
    };
    let is_failed = first_error.is_some();
    let ended = end(&mut lanes, undo, is_failed).await;
    let warnings = collect_warnings(&mut lanes, fan_out.class).await;
    for lane in lanes {
        give_back(session, lane.ready, undo != Undo::Transaction);
    }
    if let Some((part, error)) = first_error {
        return Err(explain(error, part, &fan_out.parts, undo));
    }
    ended?;
    let diagnostics = &mut session.diagnostics;
    diagnostics.clear_warnings();
    diagnostics.warning_count = u64::from(summary.warnings);
    diagnostics.warnings = warnings;
    diagnostics.row_count = summary.affected_rows as i64;
    if summary.last_insert_id != 0 {
        diagnostics.last_insert_id = summary.last_insert_id;
    }
    let info = match fan_out.rows {
        // Parts of one row say nothing; the statement's own text counts all rows.
        Some(rows) if rows > 1 => records_info(rows, duplicates, summary.warnings),
        _ => summary.info.clone().into_bytes(),
    };
    session.put_ok(&Outcome {
        affected_rows: summary.affected_rows,
        last_insert_id: summary.last_insert_id,
        warnings: summary.warnings,
        info,
    });
    Ok(())
}

/// The warnings of all lanes, as far as they are kept; of DDL, those of one node.
async fn collect_warnings(lanes: &mut [Lane], class: StatementClass) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for lane in lanes.iter_mut().filter(|lane| lane.warnings > 0) {
        read_warnings(&mut lane.ready.connection, &mut warnings).await;
        if class == StatementClass::Ddl {
            break;
        }
    }
    warnings
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
async fn end(lanes: &mut [Lane], undo: Undo, is_failed: bool) -> Result<(), Failure> {
    let text = match (undo, is_failed) {
        (Undo::Nothing, _) => return Ok(()),
        (Undo::Transaction, false) => "COMMIT".to_owned(),
        (Undo::Transaction, true) => "ROLLBACK".to_owned(),
        (Undo::Savepoint, false) => format!("RELEASE SAVEPOINT {SAVEPOINT}"),
        (Undo::Savepoint, true) => format!("ROLLBACK TO SAVEPOINT {SAVEPOINT}"),
    };
    let mut result = Ok(());
    for lane in lanes {
        if let Err(error) = storage::command::run(&mut lane.ready.connection, &text).await
            && !is_failed
        {
            result = Err(error.into());
        }
    }
    result
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
