//! The parsed statement. Every node that rewriting can touch carries its byte span.
//!
//! Names and string values are stored unquoted and unescaped; the spans lead back to the text as
//! written. The tree borrows nothing, so a plan can keep parts of it.

mod ddl;
mod distsql;
mod dml;
mod expr;
mod query;
mod session;

pub use ddl::*;
pub use distsql::*;
pub use dml::*;
pub use expr::*;
pub use query::*;
pub use session::*;

use crate::Span;

/// One identifier as written, with its quotes in the span and without them in the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ident {
    /// The name without quotes, doubled quotes undone.
    pub value: String,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// `[database.]table`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableName {
    /// The qualifier, when written.
    pub database: Option<Ident>,
    /// The table.
    pub name: Ident,
}

impl TableName {
    /// From the qualifier (if any) to the end of the name.
    pub fn span(&self) -> Span {
        self.database.as_ref().map_or(self.name.span, |database| database.span.to(self.name.span))
    }
}

/// One statement with what surrounds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// From its first token to its last, without a trailing semicolon.
    pub span: Span,
    /// Routing hints found in comments (inventory 3.8), in order, keys as written.
    pub hints: Vec<Hint>,
    /// How many `?` placeholders it has.
    pub param_count: u32,
}

/// `KEY=value` of a hint comment, e.g. `/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=ds_0 */`,
/// or `shadow:true` of the old form (key `shadow`, value `true`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// As written.
    pub key: String,
    /// As written, trimmed.
    pub value: String,
    /// The whole comment.
    pub span: Span,
}

/// All kinds of statements. What the grammar does not model in depth is [`StatementKind::Other`].
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `SELECT`, `TABLE t`, `VALUES ROW(..)`, unions of them, with `WITH`.
    Query(Box<Query>),
    /// `INSERT` and `REPLACE`.
    Insert(Box<Insert>),
    /// `UPDATE`, single and multi-table.
    Update(Box<Update>),
    /// `DELETE`, single and multi-table.
    Delete(Box<Delete>),
    /// `LOAD DATA`/`LOAD XML`.
    LoadData(Box<LoadData>),
    /// `CALL p(..)`.
    Call(Box<Call>),
    /// `DO expr, ..`.
    Do(Vec<Expr>),

    /// `CREATE TABLE`.
    CreateTable(Box<CreateTable>),
    /// `ALTER TABLE`.
    AlterTable(Box<AlterTable>),
    /// `DROP [TEMPORARY] TABLE`.
    DropTable(DropTable),
    /// `TRUNCATE [TABLE] t`.
    TruncateTable(TableName),
    /// `RENAME TABLE a TO b, ..`.
    RenameTable(Vec<(TableName, TableName)>),
    /// `CREATE INDEX`.
    CreateIndex(Box<CreateIndex>),
    /// `DROP INDEX i ON t`.
    DropIndex(DropIndex),
    /// `CREATE VIEW`/`ALTER VIEW`.
    CreateView(Box<CreateView>),
    /// `DROP VIEW`.
    DropView(DropView),
    /// `CREATE DATABASE`.
    CreateDatabase(CreateDatabase),
    /// `DROP DATABASE`.
    DropDatabase(DropDatabase),

    /// `BEGIN`, `START TRANSACTION`.
    Begin(Begin),
    /// `COMMIT`.
    Commit(EndTransaction),
    /// `ROLLBACK` without `TO`.
    Rollback(EndTransaction),
    /// `SAVEPOINT name`.
    Savepoint(Ident),
    /// `ROLLBACK TO [SAVEPOINT] name`.
    RollbackTo(Ident),
    /// `RELEASE SAVEPOINT name`.
    ReleaseSavepoint(Ident),
    /// `XA ..`; the verb in upper case, e.g. `START`.
    Xa(String),
    /// `LOCK TABLES`.
    LockTables(Vec<TableName>),
    /// `UNLOCK TABLES`.
    UnlockTables,

    /// `SET ..` in all forms but `SET [SESSION|GLOBAL] TRANSACTION`, which is
    /// [`SetItem::Transaction`] in the same list.
    Set(Vec<SetItem>),
    /// `USE db`.
    Use(Ident),
    /// `SHOW ..`.
    Show(Box<Show>),
    /// `DESCRIBE t [column]` (also `EXPLAIN t`).
    Describe(Describe),
    /// `EXPLAIN <statement>`, `ANALYZE <statement>` of MariaDB.
    Explain(Box<Explain>),
    /// `KILL ..`.
    Kill(Kill),
    /// `PREPARE name FROM ..`.
    Prepare(PrepareText),
    /// `EXECUTE name [USING @a, ..]`.
    Execute(ExecuteText),
    /// `DEALLOCATE PREPARE name`.
    Deallocate(Ident),

    /// `ANALYZE|OPTIMIZE|CHECK|CHECKSUM|REPAIR TABLE t, ..`.
    TableMaintenance(TableMaintenance),
    /// A DistSQL statement.
    DistSql(Box<DistSql>),
    /// A statement known only by its leading words and the tables it names.
    Other(Other),
    /// Nothing but comments and white space.
    Empty,
}

/// A statement read for its shape only: it can be passed on verbatim, or refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Other {
    /// The leading one or two key words in upper case, e.g. `CREATE TRIGGER`, `GRANT`.
    pub verb: String,
    /// Tables it names, as far as they can be told.
    pub tables: Vec<TableName>,
    /// False when the text may name tables that `tables` lacks.
    pub tables_are_complete: bool,
}
