//! Changes whose rows are read from other nodes than they are written to, or chosen over several: a
//! query is answered like a client's own, and the change is made with its rows.

/// What is done with the rows of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransferKind {
    /// They are inserted.
    Insert,
    /// They are keys of rows that are updated.
    Update,
    /// They are keys of rows that are deleted.
    Delete,
}

/// How the rows of one text are moved. It holds parts of that very text, so that a cached plan says
/// only that there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// What is done with the rows.
    pub kind: TransferKind,
    /// No route makes it a statement of one node.
    pub is_always: bool,
    /// The logical table, for people.
    pub table: String,
    /// The query.
    pub query: String,
    /// The statement before the rows: `INSERT INTO t (a, b) VALUES `.
    pub before: String,
    /// What follows the rows: ` ON DUPLICATE KEY UPDATE ..`.
    pub after: String,
}
