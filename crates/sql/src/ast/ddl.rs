//! Definitions of tables, indexes, views and databases.

use super::{Ident, Query, TableName};
use crate::Span;

/// `CREATE TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTable {
    /// `OR REPLACE` of MariaDB.
    pub or_replace: bool,
    /// `TEMPORARY`.
    pub is_temporary: bool,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// The table.
    pub name: TableName,
    /// Its columns.
    pub columns: Vec<ColumnDefinition>,
    /// Its indexes and constraints.
    pub indexes: Vec<IndexDefinition>,
    /// `LIKE other`.
    pub like: Option<TableName>,
    /// `[AS] SELECT ..`.
    pub query: Option<Box<Query>>,
    /// True with `PARTITION BY`.
    pub has_partitions: bool,
}

/// One column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDefinition {
    /// Its name.
    pub name: Ident,
    /// The type as written, e.g. `int(11) unsigned`, `varchar(20) CHARACTER SET latin1`.
    pub type_span: Span,
    /// `AUTO_INCREMENT`.
    pub is_auto_increment: bool,
    /// `PRIMARY KEY` or `KEY` behind the column.
    pub is_primary_key: bool,
    /// `UNIQUE` behind the column.
    pub is_unique: bool,
    /// `REFERENCES t (..)` behind the column.
    pub references: Option<TableName>,
    /// The whole definition.
    pub span: Span,
}

/// A key or a constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexDefinition {
    /// Which.
    pub kind: IndexKind,
    /// `CONSTRAINT name`, or the index name.
    pub name: Option<Ident>,
    /// The indexed columns; expressions are left out.
    pub columns: Vec<Ident>,
    /// `REFERENCES t`.
    pub references: Option<TableName>,
    /// The whole definition.
    pub span: Span,
}

/// Kinds of keys and constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexKind {
    Primary,
    Unique,
    Plain,
    Fulltext,
    Spatial,
    Foreign,
    Check,
}

/// `ALTER TABLE t action, ..`.
#[derive(Debug, Clone, PartialEq)]
pub struct AlterTable {
    /// The table.
    pub name: TableName,
    /// Its actions.
    pub actions: Vec<AlterAction>,
}

/// One action of ALTER TABLE, in the depth that rewriting and checks need.
#[derive(Debug, Clone, PartialEq)]
pub enum AlterAction {
    /// `ADD [COLUMN] ..`, one entry a column.
    AddColumn(ColumnDefinition),
    /// `DROP [COLUMN] name`.
    DropColumn(Ident),
    /// `MODIFY`.
    ModifyColumn(ColumnDefinition),
    /// `CHANGE old new ..`.
    ChangeColumn(Ident, ColumnDefinition),
    /// `RENAME COLUMN a TO b`.
    RenameColumn(Ident, Ident),
    /// `ALTER [COLUMN] name ..`.
    AlterColumn(Ident),
    /// `ADD INDEX|KEY|PRIMARY KEY|UNIQUE|CONSTRAINT ..`.
    AddIndex(IndexDefinition),
    /// `DROP INDEX|KEY|PRIMARY KEY|FOREIGN KEY|CHECK|CONSTRAINT`; the name, if it has one.
    DropIndex(IndexKind, Option<Ident>),
    /// `RENAME [TO|AS] new`.
    Rename(TableName),
    /// `EXCHANGE PARTITION p WITH TABLE t`: the other table.
    ExchangePartition(TableName),
    /// `ADD|DROP|TRUNCATE|.. PARTITION`.
    Partition(Span),
    /// Table options and everything else, by its text.
    Other(Span),
}

/// `DROP TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropTable {
    /// `TEMPORARY`.
    pub is_temporary: bool,
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// The tables.
    pub names: Vec<TableName>,
}

/// `CREATE [UNIQUE|FULLTEXT|SPATIAL] INDEX i ON t (..)`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateIndex {
    /// Which.
    pub kind: IndexKind,
    /// Its name.
    pub name: Ident,
    /// The table.
    pub table: TableName,
    /// The indexed columns; expressions are left out.
    pub columns: Vec<Ident>,
}

/// `DROP INDEX i ON t`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropIndex {
    /// Its name.
    pub name: Ident,
    /// The table.
    pub table: TableName,
}

/// `CREATE [OR REPLACE] VIEW v AS ..`, `ALTER VIEW`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateView {
    /// The view.
    pub name: TableName,
    /// What it stands for.
    pub query: Box<Query>,
}

/// `DROP VIEW`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropView {
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// The views.
    pub names: Vec<TableName>,
}

/// `CREATE DATABASE|SCHEMA`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateDatabase {
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// Its name.
    pub name: Ident,
}

/// `DROP DATABASE|SCHEMA`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropDatabase {
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// Its name.
    pub name: Ident,
}

/// `ANALYZE|OPTIMIZE|CHECK|CHECKSUM|REPAIR TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableMaintenance {
    /// The verb in upper case.
    pub verb: &'static str,
    /// The tables.
    pub tables: Vec<TableName>,
}
