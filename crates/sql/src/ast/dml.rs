//! `INSERT`, `REPLACE`, `UPDATE`, `DELETE`, `LOAD DATA`, `CALL`.

use super::{ColumnName, CommonTable, Expr, Ident, Limit, OrderItem, Query, TableName, TableRef};
use crate::Span;

/// `INSERT` or `REPLACE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Insert {
    /// `REPLACE`.
    pub is_replace: bool,
    /// `IGNORE`.
    pub is_ignore: bool,
    /// `DELAYED`.
    pub is_delayed: bool,
    /// Where the rows go.
    pub table: TableName,
    /// `PARTITION (..)` was written.
    pub has_partition: bool,
    /// The column list; `None` without one, empty for `()`.
    pub columns: Option<Vec<ColumnName>>,
    /// The list with its parentheses; without one, an empty span where it could be added.
    pub columns_span: Span,
    /// Where the rows come from.
    pub source: InsertSource,
    /// `AS new[(a, b)]` after the values (MySQL 8.0.19).
    pub row_alias: Option<Ident>,
    /// The alias has a list of column names.
    pub has_row_alias_columns: bool,
    /// `ON DUPLICATE KEY UPDATE`.
    pub on_duplicate: Vec<Assignment>,
    /// `RETURNING ..` of MariaDB: the clause.
    pub returning: Option<Span>,
}

/// Where the inserted rows come from.
#[derive(Debug, Clone, PartialEq)]
pub enum InsertSource {
    /// `VALUES (..), (..)`; `span` covers all rows, from the first `(` to the last `)`.
    Values { rows: Vec<InsertRow>, span: Span },
    /// `SET a = 1, ..`.
    Set(Vec<Assignment>),
    /// `SELECT ..`.
    Query(Box<Query>),
}

/// `(a, b, ..)` of VALUES.
#[derive(Debug, Clone, PartialEq)]
pub struct InsertRow {
    /// The values.
    pub values: Vec<Expr>,
    /// With its parentheses (and the word ROW).
    pub span: Span,
}

/// `column = value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The column.
    pub column: ColumnName,
    /// Its new value.
    pub value: Expr,
}

/// `UPDATE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// `WITH` before it.
    pub with: Vec<CommonTable>,
    /// `IGNORE`.
    pub is_ignore: bool,
    /// The tables; one for the single-table form.
    pub tables: Vec<TableRef>,
    /// `SET`.
    pub assignments: Vec<Assignment>,
    /// `WHERE`.
    pub where_: Option<Expr>,
    /// `ORDER BY`.
    pub order_by: Vec<OrderItem>,
    /// `LIMIT`.
    pub limit: Option<Limit>,
}

/// `DELETE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Delete {
    /// `WITH` before it.
    pub with: Vec<CommonTable>,
    /// `IGNORE`.
    pub is_ignore: bool,
    /// `DELETE t1, t2 FROM ..` or `DELETE FROM t1, t2 USING ..`; empty for the single-table form.
    pub targets: Vec<TableName>,
    /// The tables that are read; one for the single-table form.
    pub from: Vec<TableRef>,
    /// `WHERE`.
    pub where_: Option<Expr>,
    /// `ORDER BY`.
    pub order_by: Vec<OrderItem>,
    /// `LIMIT`.
    pub limit: Option<Limit>,
    /// `RETURNING ..` of MariaDB: the clause.
    pub returning: Option<Span>,
}

/// `LOAD DATA [LOCAL] INFILE 'f' INTO TABLE t ..`.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadData {
    /// `LOCAL`: the file is the client's.
    pub is_local: bool,
    /// Where the rows go.
    pub table: TableName,
}

/// `CALL [db.]procedure(..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The procedure.
    pub name: TableName,
    /// Its arguments.
    pub args: Vec<Expr>,
}
