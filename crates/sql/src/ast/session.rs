//! Transaction control, `SET`, `SHOW`, and what concerns the session.

use super::{Expr, Ident, Limit, Statement, TableName, VariableScope};
use crate::Span;

/// `BEGIN [WORK]`, `START TRANSACTION ..`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Begin {
    /// `READ ONLY`.
    pub is_read_only: bool,
    /// `WITH CONSISTENT SNAPSHOT`.
    pub with_consistent_snapshot: bool,
}

/// What follows `COMMIT` or `ROLLBACK`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EndTransaction {
    /// `AND CHAIN`.
    pub is_chained: bool,
    /// `RELEASE`.
    pub is_release: bool,
}

/// One assignment of a `SET` statement.
#[derive(Debug, Clone, PartialEq)]
pub enum SetItem {
    /// `[scope] name = value`, `@@scope.name = value`; `value` is `None` for `DEFAULT`.
    Variable { scope: VariableScope, name: String, value: Option<Expr> },
    /// `@name = value`.
    UserVariable { name: String, value: Expr },
    /// `NAMES charset [COLLATE collation]`; `None` for `NAMES DEFAULT`.
    Names { charset: Option<String>, collation: Option<String> },
    /// `CHARACTER SET charset`; `None` for DEFAULT.
    Charset(Option<String>),
    /// `[SESSION|GLOBAL] TRANSACTION ..`.
    Transaction { scope: VariableScope, isolation: Option<IsolationLevel>, read_only: Option<bool> },
    /// `PASSWORD`, `ROLE`, `DEFAULT ROLE`, `RESOURCE GROUP`: known by the word in upper case.
    Other(String),
}

/// Isolation levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IsolationLevel {
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

/// `SHOW ..`.
#[derive(Debug, Clone, PartialEq)]
pub struct Show {
    /// What is shown.
    pub kind: ShowKind,
    /// `FROM|IN database` (or `FROM t FROM db`).
    pub database: Option<Ident>,
    /// What restricts the rows.
    pub filter: Option<ShowFilter>,
    /// Which of them: WARNINGS and ERRORS.
    pub limit: Option<Limit>,
}

/// The kinds of SHOW.
#[derive(Debug, Clone, PartialEq)]
pub enum ShowKind {
    Databases,
    Tables {
        is_full: bool,
    },
    TableStatus,
    Columns {
        table: TableName,
        is_full: bool,
    },
    Index {
        table: TableName,
    },
    CreateTable(TableName),
    CreateView(TableName),
    CreateDatabase(Ident),
    Variables {
        scope: VariableScope,
    },
    Status {
        scope: VariableScope,
    },
    /// `SHOW WARNINGS [LIMIT ..]`, `SHOW COUNT(*) WARNINGS`.
    Warnings {
        is_count: bool,
    },
    Errors {
        is_count: bool,
    },
    ProcessList {
        is_full: bool,
    },
    /// Everything else: the words after SHOW in upper case, up to the first name or filter,
    /// e.g. `ENGINES`, `COLLATION`, `PROCEDURE STATUS`, `GRANTS`.
    Other {
        words: String,
    },
}

/// `LIKE 'pattern'` or `WHERE expr`.
#[derive(Debug, Clone, PartialEq)]
pub enum ShowFilter {
    /// The pattern, unescaped as a string.
    Like(Vec<u8>),
    /// The condition.
    Where(Expr),
}

/// `DESCRIBE t [column|'pattern']`.
#[derive(Debug, Clone, PartialEq)]
pub struct Describe {
    /// The table.
    pub table: TableName,
    /// The column or pattern.
    pub column: Option<String>,
}

/// `EXPLAIN [options] statement`.
#[derive(Debug, Clone, PartialEq)]
pub struct Explain {
    /// `EXPLAIN FOR CONNECTION n`.
    pub for_connection: bool,
    /// The statement; spans are those of the whole text.
    pub statement: Option<Statement>,
    /// True when the statement is run, too (`EXPLAIN ANALYZE`, MariaDB's `ANALYZE`).
    pub is_analyze: bool,
}

/// `KILL [HARD|SOFT] [CONNECTION|QUERY] id`.
#[derive(Debug, Clone, PartialEq)]
pub struct Kill {
    /// `QUERY`: only what it runs.
    pub is_query: bool,
    /// Whose.
    pub id: Expr,
}

/// `PREPARE name FROM 'text'|@variable`.
#[derive(Debug, Clone, PartialEq)]
pub struct PrepareText {
    /// Its name.
    pub name: Ident,
    /// A string literal or a user variable.
    pub source: Expr,
}

/// `EXECUTE name [USING @a, ..]`.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecuteText {
    /// Its name.
    pub name: Ident,
    /// Expressions after USING, nearly always user variables.
    pub using: Vec<Expr>,
    /// The whole statement.
    pub span: Span,
}
