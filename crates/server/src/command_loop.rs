//! The command loop: one command after the other until the client goes.

use std::sync::atomic::Ordering::Relaxed;

use kernel::error::StatementError;
use protocol::command::Command;
use protocol::status::StatusFlags;

use crate::answer::Outcome;
use crate::execute::Failure;
use crate::receive::{Command as Received, NoCommand, receive};
use crate::registry::{IDLE, Request};
use crate::session::Session;
use crate::statement;
use crate::{change_user, field_list, prepared};

/// Whether the session goes on.
type Goes = bool;

/// Serves a client from after its login to its end.
pub(crate) async fn run(mut session: Session) {
    if session.flush().await.is_ok() {
        while step(&mut session).await {}
    }
    // Whatever was not committed is undone before the connections serve others.
    change_user::let_go(&mut session).await;
}

async fn step(session: &mut Session) -> Goes {
    let received = receive(session).await;
    session.begin_answer();
    session.is_answering = false;
    session.is_stopping = false;
    match received {
        Ok(()) => {}
        Err(NoCommand::Closed) => return false,
        Err(NoCommand::TooLarge(size)) => return refuse_large(session, size).await,
    }
    let mut command = std::mem::take(&mut session.command);
    session.out.seq = command.answer_seq();
    let goes = serve(session, &mut command).await;
    session.command = command;
    goes
}

async fn refuse_large(session: &mut Session, size: u64) -> Goes {
    let limit = session.worker.shared.options.limits.max_allowed_packet;
    crate::receive::skip_command(session).await;
    session.put_error(&StatementError::new(
        1153,
        "08S01",
        format!("Got a packet of {size} bytes, bigger than 'max_allowed_packet' ({limit} bytes)"),
    ));
    let _ = session.flush().await;
    // The rest of the packet is still on its way; the client must see the error, not a reset.
    crate::receive::discard(session).await;
    false
}

/// Serves one command; the answer is written when it returns.
async fn serve(session: &mut Session, received: &mut Received) -> Goes {
    let payload = received.payload();
    let Some(&byte) = payload.first() else {
        session.put_error(&StatementError::new(1835, "HY000", "Malformed communication packet"));
        return session.flush().await.is_ok();
    };
    let entered = std::sync::Arc::clone(session.entered.handle());
    entered.command.store(byte, Relaxed);
    entered.since.store(session.worker.shared.registry.seconds(), Relaxed);
    let command = Command::from_byte(byte);
    let outcome = match command {
        Some(Command::Quit) => return false,
        Some(Command::StmtExecute) => prepared::execute(session, received).await,
        Some(command) => dispatch(session, command, received).await,
        None => Err(unknown_command()),
    };
    entered.command.store(IDLE, Relaxed);
    entered.since.store(session.worker.shared.registry.seconds(), Relaxed);
    if session.is_stopping {
        entered.statement_stopped();
    }
    match outcome {
        Ok(()) => {}
        Err(Failure::Session) => return false,
        Err(Failure::Statement(error)) => {
            session.out.more_results = false;
            session.put_error(&error);
        }
    }
    session.flush().await.is_ok() && entered.request() != Request::Close
}

fn unknown_command() -> Failure {
    StatementError::new(1047, "08S01", "Unknown command").into()
}

async fn dispatch(
    session: &mut Session,
    command: Command,
    received: &Received,
) -> Result<(), Failure> {
    let body = &received.payload()[1..];
    match command {
        Command::Query => query(session, body, received).await,
        Command::StmtPrepare => Box::pin(prepared::prepare(session, body)).await,
        Command::StmtClose => prepared::close(session, body).await,
        Command::StmtReset => prepared::reset(session, body).await,
        Command::StmtFetch => prepared::fetch(session, body).await,
        Command::StmtSendLongData => prepared::send_long_data(session, body),
        Command::Ping => {
            session.put_ok(&Outcome::default());
            Ok(())
        }
        Command::InitDb => {
            let snapshot = session.worker.snapshot();
            session.use_database(&String::from_utf8_lossy(body), &snapshot)?;
            session.put_ok(&Outcome::default());
            Ok(())
        }
        Command::SetOption => set_option(session, body),
        Command::Statistics => {
            statistics(session);
            Ok(())
        }
        Command::ResetConnection => {
            Box::pin(change_user::reset(session)).await;
            session.put_ok(&Outcome::default());
            Ok(())
        }
        Command::ChangeUser => Box::pin(change_user::run(session, body)).await,
        Command::FieldList => Box::pin(field_list::run(session, body)).await,
        Command::ProcessKill => kill(session, body),
        Command::ProcessInfo => {
            let received = statement::Received { text: b"SHOW PROCESSLIST", packet: None };
            statement::run(session, received).await
        }
        _ => Err(unknown_command()),
    }
}

/// COM_QUERY: one statement, or several where the client may send them.
async fn query(session: &mut Session, body: &[u8], received: &Received) -> Result<(), Failure> {
    let (text, is_bare) = crate::query_attributes::strip(session.capabilities, body)?;
    session.entered.handle().text.note(text);
    let packet = (is_bare && !received.is_joined).then_some(received.bytes.as_slice());
    if !session.multi_statements || !text.contains(&b';') {
        return statement::run(session, statement::Received { text, packet }).await;
    }
    let spans: Vec<_> = sql::split_statements(text, session.mode).collect();
    if spans.len() <= 1 {
        return statement::run(session, statement::Received { text, packet }).await;
    }
    Box::pin(several(session, text, &spans)).await
}

/// Several statements in one text: one result each, and none after the first error.
async fn several(session: &mut Session, text: &[u8], spans: &[sql::Span]) -> Result<(), Failure> {
    for (index, span) in spans.iter().enumerate() {
        session.out.more_results = index + 1 < spans.len();
        session.is_rebuilding = true;
        session.entered.handle().text.note(span.of(text));
        let received = statement::Received { text: span.of(text), packet: None };
        let result = statement::run(session, received).await;
        session.is_rebuilding = false;
        let is_failed = result.is_err() || session.last_failed;
        result?;
        if is_failed {
            return Ok(());
        }
    }
    Ok(())
}

/// COM_SET_OPTION: multi-statements on (0) or off (1).
fn set_option(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    match body {
        [0, 0] => session.multi_statements = true,
        [1, 0] => session.multi_statements = false,
        _ => return Err(unknown_command()),
    }
    let status: StatusFlags = session.status();
    session.put_end_of_rows(0, status);
    Ok(())
}

fn statistics(session: &mut Session) {
    let registry = &session.worker.shared.registry;
    let metrics = &telemetry::METRICS;
    let text = format!(
        "Uptime: {}  Threads: {}  Questions: {}  Plans found: {}  Backend connections: {}",
        registry.seconds(),
        registry.len(),
        metrics.statements_total.get(),
        metrics.plan_cache_hits_total.get(),
        metrics.backend_connections.get(),
    );
    session.put_payload(text.as_bytes());
}

fn kill(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    let id = body.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)).unwrap_or_default();
    crate::session_statements::kill_id(session, id, false)
        .ok_or_else(|| StatementError::new(1094, "HY000", format!("Unknown thread id: {id}")))?;
    session.put_ok(&Outcome::default());
    Ok(())
}
