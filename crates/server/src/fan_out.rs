//! Execute on several route units at once, and merge.
//!
//! Every unit gets one connection (in unit order, so that two statements never wait for each other
//! in a circle). Reads outside a transaction use further connections of a unit where some are free,
//! so that each part streams; otherwise the parts of a unit follow one another on its connection and
//! all but the last are kept in memory, up to a limit.

mod context;
mod lanes;
pub(crate) mod load;
mod rows;
mod summary;
mod warnings;

use kernel::merge::MergePlan;
use kernel::model::StorageUnit;
use kernel::plan::{Relabel, StatementClass};

pub(crate) use lanes::PartCommand;
pub(crate) use rows::column_types;
pub(crate) use summary::{Changed, change};

use crate::answer::Encoding;
use crate::execute::Failure;
use crate::gather::Loader;
use crate::session::Session;
use crate::transfer::Rows;

/// One route unit's statement.
pub(crate) struct Part {
    /// Where it runs.
    pub(crate) unit: StorageUnit,
    /// What is sent.
    pub(crate) command: PartCommand,
}

/// A statement on several nodes.
pub(crate) struct FanOut<'a> {
    /// What kind of work it is.
    pub(crate) class: StatementClass,
    /// What happens to the answers.
    pub(crate) merge: &'a MergePlan,
    /// What of merging depends on the values of the statement.
    pub(crate) values: kernel::merge::MergeValues,
    /// Names in result metadata.
    pub(crate) relabel: Option<&'a Relabel>,
    /// How rows are encoded.
    pub(crate) encoding: Encoding,
    /// The parts, in node order.
    pub(crate) parts: Vec<Part>,
    /// INSERT .. VALUES: how many rows the statement has.
    pub(crate) rows: Option<usize>,
}

/// Where merged rows go.
pub(crate) enum Sink<'a> {
    /// To the client.
    Client,
    /// Into a copy.
    Copy(&'a mut Loader),
    /// Into memory.
    Rows(&'a mut Rows),
}

/// Runs a statement on its nodes and copies the rows; the client hears nothing of it.
pub(crate) async fn copy(
    session: &mut Session,
    fan_out: FanOut<'_>,
    loader: &mut Loader,
) -> Result<(), Failure> {
    rows::run(session, fan_out, &mut Sink::Copy(loader)).await
}

/// Runs a query on its nodes and keeps its rows; the client hears nothing of it.
pub(crate) async fn collect(
    session: &mut Session,
    fan_out: FanOut<'_>,
    rows: &mut Rows,
) -> Result<(), Failure> {
    rows::run(session, fan_out, &mut Sink::Rows(rows)).await
}

/// Runs a statement on its nodes and answers the client with the merged result.
pub(crate) async fn run(session: &mut Session, fan_out: FanOut<'_>) -> Result<(), Failure> {
    match fan_out.merge {
        MergePlan::Summarize | MergePlan::Same => summary::run(session, fan_out).await,
        MergePlan::Concatenate | MergePlan::Rows(_) => {
            rows::run(session, fan_out, &mut Sink::Client).await
        }
    }
}
