//! The connections of one statement on several nodes.

use std::rc::Rc;

use storage::command::put_query;

use super::Part;
use crate::execute::{Failure, Ready, give_back, prepare_connection, send};
use crate::prepared::{self, PreparedPlan};
use crate::session::Session;

/// What is sent for one part.
pub(crate) enum PartCommand {
    /// This text.
    Query(Vec<u8>),
    /// A prepared execution of this text: the packet's body behind the statement id.
    Execute { plan: Rc<PreparedPlan>, sql: Vec<u8>, execution: Rc<prepared::Execution> },
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
                    abandon(session, lanes);
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

/// Sends every lane all of its parts before the first answer is read.
pub(crate) async fn send_all(
    session: &mut Session,
    lanes: &mut [Lane],
    parts: &[Part],
) -> Result<(), Failure> {
    for lane in lanes {
        let mut packets = Vec::new();
        for part in &lane.parts {
            put_part(session, &mut lane.ready, &parts[*part], &mut packets).await?;
        }
        send(&mut lane.ready, &packets).await?;
    }
    Ok(())
}

async fn put_part(
    session: &mut Session,
    ready: &mut Ready,
    part: &Part,
    packets: &mut Vec<u8>,
) -> Result<(), Failure> {
    match &part.command {
        PartCommand::Query(text) => put_query(packets, text),
        PartCommand::Execute { plan, sql, execution } => {
            let key = (plan.multi_id, part.node);
            let statement = prepared::place(session, &mut ready.connection, key, sql).await?;
            prepared::put_execute(&mut ready.connection, key, statement, execution, packets);
        }
    }
    Ok(())
}

/// Gives the connections back; those with answers outstanding are closed by it.
pub(crate) fn abandon(session: &mut Session, lanes: Vec<Lane>) {
    for lane in lanes {
        give_back(session, lane.ready, false);
    }
}
