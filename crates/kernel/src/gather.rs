//! A query that its nodes cannot answer each for itself: the rows it needs are copied into temporary
//! tables of one storage unit, and the client's own statement runs there.

use crate::plan::{Relabel, Template};

/// How a query is answered from copies.
#[derive(Debug)]
pub struct GatherPlan {
    /// No route makes it a statement of one node.
    pub is_always: bool,
    /// Some nodes lack some of the tables: what its columns are can be told over copies only.
    pub is_apart: bool,
    /// One copy for each place at which a table is named: MySQL opens a temporary table once in a
    /// statement.
    pub copies: Vec<Copy>,
    /// A common table that is read at several places: MySQL would open the copies below it again.
    pub repeated: Option<String>,
    /// In which order the copies are filled.
    pub order: Vec<usize>,
    /// The client's statement over the copies.
    pub statement: Template,
    /// Logical names for the copies in result metadata.
    pub relabel: Relabel,
}

/// A temporary table and the rows it holds.
#[derive(Debug)]
pub struct Copy {
    /// The logical table, for people.
    pub table: String,
    /// The temporary table.
    pub name: String,
    /// `CREATE TEMPORARY TABLE ..`.
    pub create: String,
    /// `INSERT INTO .. VALUES `, to which rows are added.
    pub insert: String,
    /// `ALTER TABLE ..` that keeps the indexes but lets values occur twice: keys of a sharded table
    /// are unique on each node only.
    pub relax: Option<String>,
    /// The statement whose rows are copied: one on logical tables, routed and merged like a
    /// client's own.
    pub read: Template,
    /// The read has a WHERE.
    pub has_where: bool,
    /// What ends the read: its locking clause.
    pub lock: String,
    /// Rows that only matter where they fit to rows copied before.
    pub narrowings: Vec<Narrowing>,
    /// What its columns hold, in order.
    pub values: Vec<CopiedValue>,
}

/// `column IN (..)`, the values being those of a column that was copied.
#[derive(Debug)]
pub struct Narrowing {
    /// The column as the read names it.
    pub column: String,
    /// The copy with the values.
    pub source: usize,
    /// The query for the values.
    pub values: String,
    /// They are whole numbers; otherwise text.
    pub is_number: bool,
}

/// How the text of a value becomes the literal of an INSERT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopiedValue {
    /// A whole or exact number, which is a literal as it is.
    Number,
    /// An approximate number.
    Double,
    /// Characters, in utf8mb4.
    Text,
    /// Bytes.
    Bytes,
    /// Seconds since 1970, of a TIMESTAMP: no time zone has a part in it.
    UnixTime,
}
