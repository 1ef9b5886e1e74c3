//! Receive: the bytes of one command from the client.
//!
//! Reads go into the worker's scratch buffer; only what belongs to the command is copied into the
//! session. An idle session holds no buffer worth mentioning.

use std::task::Poll;

use protocol::frame::{HEADER_LEN, Header, MAX_PAYLOAD};

use crate::registry::Request;
use crate::session::Session;

/// Capacity a session keeps between commands.
const KEPT_CAPACITY: usize = 4 * 1024;

/// One command: a header's room, then its payload. A payload of one packet stands exactly as it was
/// received, so that it can be forwarded with its header.
#[derive(Debug, Default)]
pub(crate) struct Command {
    /// Header and payload.
    pub(crate) bytes: Vec<u8>,
    /// It came in several packets; the header is room only, but for the last one's sequence id.
    pub(crate) is_joined: bool,
}

impl Command {
    /// Command byte and what follows.
    pub(crate) fn payload(&self) -> &[u8] {
        &self.bytes[HEADER_LEN..]
    }

    /// The sequence id that the answer begins with.
    pub(crate) fn answer_seq(&self) -> u8 {
        self.bytes.get(HEADER_LEN - 1).map_or(1, |seq| seq.wrapping_add(1))
    }
}

/// Why no command came.
#[derive(Debug)]
pub(crate) enum NoCommand {
    /// The client went away, or the session was asked to end.
    Closed,
    /// A packet above the limit; its size.
    TooLarge(u64),
}

/// Waits for the next command and puts it into `session.command`.
pub(crate) async fn receive(session: &mut Session) -> Result<(), NoCommand> {
    session.command.is_joined = false;
    session.command.bytes.clear();
    session.command.bytes.shrink_to(KEPT_CAPACITY);
    loop {
        if take_command(session)? {
            return Ok(());
        }
        read_some(session).await?;
    }
}

/// Moves one whole command from the unread bytes into `session.command`.
fn take_command(session: &mut Session) -> Result<bool, NoCommand> {
    let limit = session.worker.shared.options.limits.max_allowed_packet;
    let unread = &session.unread;
    if unread.len() < HEADER_LEN {
        return Ok(false);
    }
    let first_len = header_len(unread);
    if first_len as u64 > limit && first_len < MAX_PAYLOAD {
        return Err(NoCommand::TooLarge(first_len as u64));
    }
    if first_len < MAX_PAYLOAD {
        let end = HEADER_LEN + first_len;
        if unread.len() < end {
            return Ok(false);
        }
        if unread.len() == end {
            std::mem::swap(&mut session.command.bytes, &mut session.unread);
            session.unread.clear();
            session.unread.shrink_to(KEPT_CAPACITY);
        } else {
            session.command.bytes.extend_from_slice(&unread[..end]);
            session.unread.drain(..end);
        }
        return Ok(true);
    }
    take_joined(session, limit)
}

/// The same for a command that came in packets of 16 MiB: they are joined as they come.
fn take_joined(session: &mut Session, limit: u64) -> Result<bool, NoCommand> {
    let (mut at, mut total) = (0, 0u64);
    loop {
        if session.unread.len() < at + HEADER_LEN {
            return if total > limit { Err(NoCommand::TooLarge(total)) } else { Ok(false) };
        }
        let len = header_len(&session.unread[at..]);
        total += len as u64;
        if total > limit {
            return Err(NoCommand::TooLarge(total));
        }
        at += HEADER_LEN + len;
        if len < MAX_PAYLOAD {
            break;
        }
    }
    if session.unread.len() < at {
        return Ok(false);
    }
    let mut joined = Vec::with_capacity(total as usize + HEADER_LEN);
    joined.extend_from_slice(&[0; HEADER_LEN]);
    let mut from = 0;
    while from < at {
        let len = header_len(&session.unread[from..]);
        joined[HEADER_LEN - 1] = session.unread[from + HEADER_LEN - 1];
        joined.extend_from_slice(&session.unread[from + HEADER_LEN..from + HEADER_LEN + len]);
        from += HEADER_LEN + len;
    }
    session.unread.drain(..at);
    session.unread.shrink_to(KEPT_CAPACITY);
    session.command.bytes = joined;
    session.command.is_joined = true;
    Ok(true)
}

fn header_len(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) | usize::from(bytes[1]) << 8 | usize::from(bytes[2]) << 16
}

/// Reads what the client has sent, waiting if it has sent nothing.
pub(crate) async fn read_some(session: &mut Session) -> Result<(), NoCommand> {
    let Session { client, unread, worker, entered, .. } = session;
    let handle = entered.handle();
    std::future::poll_fn(|cx| {
        handle.set_waker(cx.waker());
        if handle.request() >= Request::CloseWhenIdle {
            return Poll::Ready(Err(NoCommand::Closed));
        }
        let mut scratch = worker.scratch.borrow_mut();
        match client.poll_read(cx, &mut scratch[..]) {
            Poll::Ready(Ok(0)) => Poll::Ready(Err(NoCommand::Closed)),
            Poll::Ready(Ok(n)) => {
                unread.extend_from_slice(&scratch[..n]);
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(_)) => Poll::Ready(Err(NoCommand::Closed)),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Reads and throws away the command at hand, so that its answer has the sequence id the client
/// expects and is not lost in a reset.
pub(crate) async fn skip_command(session: &mut Session) {
    const LIMIT: std::time::Duration = std::time::Duration::from_secs(10);
    let (mut left, mut goes_on) = (0, true);
    let skipped = async {
        while left > 0 || goes_on {
            let there = session.unread.len().min(left);
            session.unread.drain(..there);
            left -= there;
            match session.unread.first_chunk::<HEADER_LEN>().map(Header::read) {
                Some(header) if left == 0 && goes_on => {
                    session.unread.drain(..HEADER_LEN);
                    left = header.len as usize;
                    goes_on = header.is_continued();
                    session.out.seq = header.seq.wrapping_add(1);
                }
                _ if left == 0 && !goes_on => {}
                _ if read_some(session).await.is_err() => return,
                _ => {}
            }
        }
    };
    let _ = tokio::time::timeout(LIMIT, skipped).await;
}

/// Reads and throws away what the client still sends, for a moment, so that it gets to read what it
/// was told.
pub(crate) async fn discard(session: &mut Session) {
    let drained = async {
        while read_some(session).await.is_ok() {
            session.unread.clear();
        }
    };
    let _ = tokio::time::timeout(std::time::Duration::from_millis(500), drained).await;
}
