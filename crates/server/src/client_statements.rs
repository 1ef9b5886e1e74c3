//! A statement as a client has prepared it.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::model::UnitId;
use sql::SqlMode;
use storage::statements::Definitions;
use telemetry::Held;

/// The text of a prepared statement and how it is read. The plan is found anew when the catalog has
/// changed.
#[derive(Debug)]
pub(crate) struct ClientStatement {
    /// The text as prepared.
    pub(crate) text: Rc<[u8]>,
    /// How it is read.
    pub(crate) mode: SqlMode,
    /// The database it was prepared in.
    pub(crate) database: Option<Arc<str>>,
    /// Its plan under the catalog it was last used with.
    pub(crate) plan: Rc<crate::prepared::PreparedPlan>,
    /// Where it asks something of the session: the text with the answers of the last execution.
    pub(crate) answered: Option<(Rc<[u8]>, Rc<crate::prepared::PreparedPlan>)>,
    /// Number of parameters.
    pub(crate) param_count: u16,
    /// Two bytes a parameter, as last bound; empty before the first execution.
    pub(crate) param_types: Vec<u8>,
    /// Values sent ahead by COM_STMT_SEND_LONG_DATA, by parameter.
    pub(crate) long_data: BTreeMap<u16, Vec<u8>>,
    /// The column definitions the client was given last.
    pub(crate) known: Arc<Definitions>,
    /// Where its open cursor is.
    pub(crate) cursor: Option<OpenCursor>,
    /// Counts it.
    pub(crate) _held: Held,
}

/// A cursor lives on one connection until it is read to its end or closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenCursor {
    /// Whose connection the session holds for it.
    pub(crate) unit: UnitId,
    /// The server's id of the statement.
    pub(crate) statement: u32,
}
