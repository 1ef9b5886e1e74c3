//! `SELECT` and what it is made of.

use super::{Expr, Ident, TableName, WindowSpec};
use crate::Span;

/// A query expression: a body with what applies to its whole result.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// `WITH [RECURSIVE] ..`.
    pub with: Vec<CommonTable>,
    /// `WITH RECURSIVE`.
    pub is_recursive: bool,
    /// The select, or a union of them.
    pub body: QueryBody,
    /// `ORDER BY` of the whole.
    pub order_by: Vec<OrderItem>,
    /// `LIMIT` of the whole.
    pub limit: Option<Limit>,
    /// `FOR UPDATE`, `FOR SHARE`, `LOCK IN SHARE MODE`; its text.
    pub lock: Option<Span>,
    /// `INTO @a, ..`, `INTO OUTFILE ..`, `INTO DUMPFILE ..`.
    pub into: Option<Into>,
    /// First byte to last.
    pub span: Span,
    /// Where `ORDER BY` could be added when absent: after HAVING, before LIMIT and locks.
    pub order_by_at: u32,
    /// Where `LIMIT` could be added when absent: after ORDER BY, before locks and INTO.
    pub limit_at: u32,
}

/// One table of a `WITH` clause.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonTable {
    /// Its name.
    pub name: Ident,
    /// `(a, b)` after the name.
    pub columns: Vec<Ident>,
    /// What it stands for.
    pub query: Query,
}

/// What a query reads.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryBody {
    /// One `SELECT`.
    Select(Box<Select>),
    /// `left UNION [ALL] right`, and INTERSECT, EXCEPT.
    SetOperation {
        left: Box<QueryBody>,
        operator: SetOperator,
        is_all: bool,
        right: Box<QueryBody>,
    },
    /// `(query)`.
    Nested(Box<Query>),
    /// `VALUES ROW(..), ..`.
    Values(Vec<Vec<Expr>>),
    /// `TABLE t`.
    Table(TableName),
}

/// Set operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetOperator {
    Union,
    Intersect,
    Except,
}

/// One `SELECT` block.
#[derive(Debug, Clone, PartialEq)]
pub struct Select {
    /// `DISTINCT`, `DISTINCTROW`; the key word.
    pub distinct: Option<Span>,
    /// `SQL_CALC_FOUND_ROWS`; the key word.
    pub calc_found_rows: Option<Span>,
    /// `STRAIGHT_JOIN` and the other modifiers without meaning for us are only in the text.
    pub items: Vec<SelectItem>,
    /// One past the last select item: where hidden columns are added.
    pub items_end: u32,
    /// `FROM`; empty without one. A comma list is a list here.
    pub from: Vec<TableRef>,
    /// `WHERE`.
    pub where_: Option<Expr>,
    /// `GROUP BY`.
    pub group_by: Vec<OrderItem>,
    /// `GROUP BY .. WITH ROLLUP`.
    pub with_rollup: bool,
    /// From the word GROUP to the end of the clause.
    pub group_by_span: Option<Span>,
    /// `HAVING`; its span starts at the expression.
    pub having: Option<Expr>,
    /// From the word HAVING to the end of the clause.
    pub having_span: Option<Span>,
    /// True when it has a `WINDOW` clause.
    pub has_window_clause: bool,
    /// `WINDOW name AS (..), ..`.
    pub windows: Vec<(Ident, WindowSpec)>,
    /// First byte (the word SELECT) to last.
    pub span: Span,
}

/// One entry of the select list.
#[derive(Debug, Clone, PartialEq)]
pub enum SelectItem {
    /// `*`, `t.*`, `db.t.*`.
    Wildcard { table: Option<TableName>, span: Span },
    /// An expression with its alias; `span` covers both.
    Expr { expr: Expr, alias: Option<Ident>, span: Span },
}

/// One entry of ORDER BY or GROUP BY.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderItem {
    /// The expression, an alias, or a position.
    pub expr: Expr,
    /// `DESC`.
    pub is_descending: bool,
}

/// `LIMIT [offset,] count` or `LIMIT count OFFSET offset`.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// How many rows to skip.
    pub offset: Option<Expr>,
    /// How many rows to give.
    pub count: Expr,
    /// From the word LIMIT to the end.
    pub span: Span,
}

/// `INTO` of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Into {
    /// User variables, without `@`.
    pub variables: Vec<String>,
    /// True for OUTFILE and DUMPFILE.
    pub is_file: bool,
    /// The clause.
    pub span: Span,
}

/// A member of a `FROM` clause.
#[derive(Debug, Clone, PartialEq)]
pub enum TableRef {
    /// A named table (or common table, or view).
    Table(Box<TableFactor>),
    /// `[LATERAL] (query) alias [(columns)]`.
    Derived { query: Box<Query>, alias: Option<Ident>, is_lateral: bool, span: Span },
    /// A join.
    Join(Box<Join>),
    /// `(a, b)` or `(a JOIN b ..)`.
    Nested(Vec<TableRef>, Span),
    /// `JSON_TABLE(..) alias` and other table functions.
    Function { alias: Option<Ident>, span: Span },
}

impl TableRef {
    /// First byte to last.
    pub fn span(&self) -> Span {
        match self {
            Self::Table(table) => table.span,
            Self::Join(join) => join.span,
            Self::Derived { span, .. } | Self::Nested(_, span) | Self::Function { span, .. } => {
                *span
            }
        }
    }
}

/// `t [PARTITION (..)] [AS] alias [index hints]`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFactor {
    /// The name.
    pub name: TableName,
    /// The alias.
    pub alias: Option<Ident>,
    /// `PARTITION (..)` was written.
    pub has_partition: bool,
    /// Name to the end of the hints.
    pub span: Span,
    /// Where an alias could be added when absent: after the name and PARTITION, before hints.
    pub alias_at: u32,
}

/// `left <kind> JOIN right [ON .. | USING (..)]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    /// Left side.
    pub left: TableRef,
    /// Which join.
    pub kind: JoinKind,
    /// Right side.
    pub right: TableRef,
    /// `ON`.
    pub on: Option<Expr>,
    /// `USING`.
    pub using: Vec<Ident>,
    /// First byte to last.
    pub span: Span,
}

/// Kinds of joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    /// `JOIN`, `INNER JOIN`, `CROSS JOIN`, `STRAIGHT_JOIN`.
    Inner,
    Left,
    Right,
    NaturalInner,
    NaturalLeft,
    NaturalRight,
}
