//! The connections of one statement on several nodes.

use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use protocol::frame::{HEADER_LEN, Header};
use storage::command::{lost, put_query};
use storage::error::StorageError;
use storage::statements::StatementKey;

use super::Part;
use crate::execute::{Failure, LOST_UNIT, Ready, give_back, prepare_connection, send};
use crate::prepared;
use crate::registry::Request;
use crate::session::Session;

/// What is sent for one part.
pub(crate) enum PartCommand {
    /// This text.
    Query(Vec<u8>),
    /// A prepared execution of this text: the packet's body behind the statement id.
    Execute { key: StatementKey, sql: Vec<u8>, execution: Rc<prepared::Execution> },
}

/// One connection and the parts it runs, one after the other.
pub(crate) struct Lane {
    /// The connection.
    pub(crate) ready: Ready,
    /// Positions in the list of parts.
    pub(crate) parts: Vec<usize>,
    /// Warnings of its parts.
    pub(crate) warnings: u64,
    /// The statement ran on it to its end, so it can be used again.
    pub(crate) is_done: bool,
}

/// Finds a connection for each unit; with `spread`, further ones where they are free.
pub(crate) async fn open(
    session: &mut Session,
    parts: &[Part],
    spread: bool,
) -> Result<Vec<Lane>, Failure> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|part| parts[*part].unit.id);
    let mut lanes: Vec<Lane> = Vec::new();
    for part in order {
        let unit = &parts[part].unit;
        let same = lanes.iter_mut().rfind(|lane| lane.ready.unit().id == unit.id);
        let Some(lane) = same else {
            match prepare_connection(session, unit).await {
                Ok(ready) => {
                    lanes.push(Lane { ready, parts: vec![part], warnings: 0, is_done: false })
                }
                Err(failure) => {
                    abandon(session, lanes).await;
                    return Err(failure);
                }
            }
            continue;
        };
        lane.parts.push(part);
    }
    if spread {
        spread_out(session, &mut lanes).await;
    }
    Ok(lanes)
}

/// Gives parts that would have to queue a connection of their own, as far as some are free.
async fn spread_out(session: &mut Session, lanes: &mut Vec<Lane>) {
    for index in 0..lanes.len() {
        while lanes[index].parts.len() > 1 {
            let unit = lanes[index].ready.unit().clone();
            let class = lanes[index].ready.connection.class;
            let pools = session.worker.pools.clone();
            let free = pools.acquire_if_free(&unit, class, &session.settings).await;
            let Ok(Some(mut connection)) = free else { break };
            if storage::command::apply_settings(&mut connection, &session.settings).await.is_err() {
                break;
            }
            let Some(part) = lanes[index].parts.pop() else { break };
            let ready = Ready { connection, has_begun: false, prelude: Default::default() };
            lanes.push(Lane { ready, parts: vec![part], warnings: 0, is_done: false });
        }
    }
}

/// Sends every lane its prelude and all of its parts before the first answer is read. Statements to
/// be executed are prepared everywhere first, so that one that cannot be is refused before anything
/// has run. `before` is sent ahead of the parts.
pub(crate) async fn send_all(
    session: &mut Session,
    lanes: &mut [Lane],
    parts: &[Part],
    before: Option<&str>,
) -> Result<(), Failure> {
    let mut packets_of_lanes = Vec::with_capacity(lanes.len());
    for lane in lanes.iter_mut() {
        let mut packets = Vec::new();
        for part in &lane.parts {
            put_part(session, &mut lane.ready, &parts[*part], &mut packets).await?;
        }
        packets_of_lanes.push(packets);
    }
    for (lane, packets) in lanes.iter_mut().zip(packets_of_lanes) {
        lane.ready.prelude.extend(before.map(str::to_owned));
        send(&mut lane.ready, &packets).await?;
    }
    Ok(())
}

/// Most bytes of one lane that are taken before its turn to be read.
const AHEAD_BYTES: usize = 64 * 1024;

/// Waits until every lane has answered its prelude and `answers` of its parts (each at least one
/// packet). All lanes are watched at once, so that the loss of one is noticed while another still
/// works, and an order to stop reaches them all.
pub(crate) async fn await_answers(
    session: &mut Session,
    lanes: &mut [Lane],
    answers: impl Fn(&Lane) -> usize,
) -> Result<(), Failure> {
    loop {
        let handle = Arc::clone(session.entered.handle());
        let worker = Rc::clone(&session.worker);
        let is_stopping = session.is_stopping;
        let all_here = std::future::poll_fn(|cx| {
            let asked = matches!(handle.request(), Request::StopStatement | Request::Close);
            if asked && !is_stopping {
                return Poll::Ready(Ok(false));
            }
            let mut is_pending = false;
            for lane in lanes.iter_mut() {
                let wanted = lane.ready.prelude.len() + answers(lane);
                let mut scratch = worker.scratch.borrow_mut();
                is_pending |= poll_ahead(&mut lane.ready, wanted, cx, &mut scratch)?.is_pending();
            }
            if is_pending { Poll::Pending } else { Poll::Ready(Ok::<_, StorageError>(true)) }
        });
        if all_here.await? {
            return Ok(());
        }
        stop(session, lanes);
        if handle.request() == Request::Close {
            return Err(Failure::Session);
        }
    }
}

/// Reads until `wanted` packets are there, or a good deal.
fn poll_ahead(
    ready: &mut Ready,
    wanted: usize,
    cx: &mut Context<'_>,
    scratch: &mut [u8],
) -> Result<Poll<()>, StorageError> {
    let connection = &mut ready.connection;
    while connection.unread.len() < AHEAD_BYTES && !has_packets(&connection.unread, wanted) {
        let read = match connection.stream.poll_read(cx, scratch) {
            Poll::Pending => return Ok(Poll::Pending),
            Poll::Ready(Ok(0)) => return Err(lost(connection, "closed by the server")),
            Poll::Ready(Ok(read)) => read,
            Poll::Ready(Err(error)) => return Err(lost(connection, &error.to_string())),
        };
        connection.unread.extend_from_slice(&scratch[..read]);
    }
    Ok(Poll::Ready(()))
}

/// True when at least `wanted` whole packets stand in `bytes`.
fn has_packets(bytes: &[u8], wanted: usize) -> bool {
    let mut rest = bytes;
    for _ in 0..wanted {
        let Some(header) = rest.first_chunk::<HEADER_LEN>() else { return false };
        let end = HEADER_LEN + Header::read(header).len as usize;
        let Some(behind) = rest.get(end..) else { return false };
        rest = behind;
    }
    true
}

/// Stops what runs on every lane; answers (usually error 1317) still come.
pub(crate) fn stop(session: &mut Session, lanes: &[Lane]) {
    for lane in lanes.iter().filter(|lane| !lane.is_done) {
        crate::kill::stop_statement(session, &lane.ready.connection);
    }
}

async fn put_part(
    session: &mut Session,
    ready: &mut Ready,
    part: &Part,
    packets: &mut Vec<u8>,
) -> Result<(), Failure> {
    match &part.command {
        PartCommand::Query(text) => put_query(packets, text),
        PartCommand::Execute { key, sql, execution } => {
            let statement = prepared::place(session, &mut ready.connection, *key, sql).await?;
            prepared::put_execute(&mut ready.connection, *key, statement, execution, packets);
        }
    }
    Ok(())
}

/// Gives the connections back; those with answers outstanding are closed by it, and their servers
/// told to stop. When that breaks the session's transaction, it fails.
pub(crate) async fn abandon(session: &mut Session, lanes: Vec<Lane>) {
    let mut is_lost = false;
    for lane in lanes {
        if lane.ready.connection.is_busy && !lane.is_done {
            is_lost = true;
            crate::kill::stop_abandoned(&lane.ready.connection);
        }
        give_back(session, lane.ready, true);
    }
    if is_lost {
        crate::transaction::fail_if_begun(session, LOST_UNIT).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_packets_are_counted() {
        let bytes = [1, 0, 0, 1, 0xff, 0, 0, 0, 2, 2, 0, 0, 3, 7];
        for (wanted, is_there) in [(0, true), (1, true), (2, true), (3, false)] {
            assert_eq!(has_packets(&bytes, wanted), is_there, "{wanted}");
        }
    }
}
