//! The query of an INSERT .. SELECT, answered as a client's own would be.

use std::sync::Arc;

use kernel::plan::Text;
use kernel::snapshot::Snapshot;

use super::Rows;
use crate::execute::Failure;
use crate::gather::{self, Texts};
use crate::plan_cache::Body;
use crate::session::Session;
use crate::{fan_out, statement};

/// Reads all rows of the query.
pub(super) async fn read(
    session: &mut Session,
    snapshot: &Arc<Snapshot>,
    query: &[u8],
    rows: &mut Rows,
) -> Result<(), Failure> {
    let own = Arc::clone(&session.settings);
    session.set_settings(gather::read_settings(&own));
    let read = read_with_settings(session, snapshot, query, rows).await;
    session.set_settings(own);
    read
}

async fn read_with_settings(
    session: &mut Session,
    snapshot: &Arc<Snapshot>,
    query: &[u8],
    rows: &mut Rows,
) -> Result<(), Failure> {
    let cached = statement::plan_answered(session, snapshot, query)?;
    let Body::Routed(plan) = &cached.body else { return Err(super::changed().into()) };
    let texts = {
        let values = statement::text_values(session, query, &[]);
        let text = Text { bytes: query, literals: &[], values: &values };
        let units = statement::route(session, &cached, plan, &values)?;
        let gather = gather::over_several(plan).filter(|_| units.len() != 1);
        gather.map(|gather| Texts::of(gather, text))
    };
    match texts {
        Some(texts) => gather::collect(session, &cached, plan, texts, rows).await,
        None => {
            let read = gather::plan_once(session, &cached, query)?;
            fan_out::collect(session, read.fan_out(), rows).await
        }
    }
}
