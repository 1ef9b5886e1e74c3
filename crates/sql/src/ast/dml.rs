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

/// `LOAD DATA|XML [LOCAL] INFILE 'f' INTO TABLE t ..`.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadData {
    /// `XML`.
    pub is_xml: bool,
    /// `LOCAL`: the file is the client's.
    pub is_local: bool,
    /// The file's name.
    pub file: Vec<u8>,
    /// `REPLACE` or `IGNORE` before INTO.
    pub on_duplicate: LoadDuplicates,
    /// Where the rows go.
    pub table: TableName,
    /// `PARTITION (..)` was written.
    pub has_partition: bool,
    /// `CHARACTER SET`.
    pub charset: Option<String>,
    /// How fields and lines end.
    pub format: LoadFormat,
    /// `CHARACTER SET`, `FIELDS` and `LINES` as written.
    pub format_span: Span,
    /// `IGNORE n LINES`.
    pub ignored_lines: u64,
    /// The list of columns; a user variable is `None`. `None` without a list.
    pub columns: Option<Vec<Option<Ident>>>,
    /// `SET`, or what else follows.
    pub rest: Option<Span>,
}

/// What LOAD DATA does with rows that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadDuplicates {
    /// Nothing was said: an error, or with LOCAL as IGNORE.
    Unsaid,
    /// The new one is left out.
    Ignore,
    /// The new one replaces it.
    Replace,
}

/// `FIELDS` and `LINES` of LOAD DATA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadFormat {
    /// `FIELDS TERMINATED BY`.
    pub field_end: Vec<u8>,
    /// `FIELDS ENCLOSED BY`.
    pub enclosure: Vec<u8>,
    /// `FIELDS ESCAPED BY`.
    pub escape: Vec<u8>,
    /// `LINES STARTING BY`.
    pub line_start: Vec<u8>,
    /// `LINES TERMINATED BY`.
    pub line_end: Vec<u8>,
}

impl Default for LoadFormat {
    /// # Source
    /// MySQL 8.4 manual, `LOAD DATA`: `FIELDS TERMINATED BY '\t' ENCLOSED BY '' ESCAPED BY '\\'
    /// LINES TERMINATED BY '\n' STARTING BY ''`.
    fn default() -> Self {
        Self {
            field_end: b"\t".to_vec(),
            enclosure: Vec::new(),
            escape: b"\\".to_vec(),
            line_start: Vec::new(),
            line_end: b"\n".to_vec(),
        }
    }
}

/// `CALL [db.]procedure(..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The procedure.
    pub name: TableName,
    /// Its arguments.
    pub args: Vec<Expr>,
}
