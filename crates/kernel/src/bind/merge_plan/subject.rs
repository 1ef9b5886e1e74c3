//! The tables of the SELECT whose columns are meant.

use sql::ast::{ColumnName, TableName};

use crate::bind::scope::{Column, Look, Scope};
use crate::model::ColumnMetadata;

/// The block of a SELECT.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    /// What is known of the statement.
    pub scope: &'a Scope<'a>,
    /// The block.
    pub block: usize,
}

impl<'a> Subject<'a> {
    /// The column that a name means.
    pub(super) fn find(self, name: &ColumnName) -> Option<Column> {
        self.scope.resolve(self.block, name)
    }

    /// No member of FROM has the column.
    pub(super) fn lacks(self, name: &ColumnName) -> bool {
        self.scope.look(self.block, name) == Look::Absent
    }

    /// The metadata of a column.
    pub(super) fn metadata(self, name: &ColumnName) -> Option<&'a ColumnMetadata> {
        self.scope.metadata(self.find(name)?)
    }

    /// By which the column is qualified.
    pub(super) fn qualifier<'n>(self, name: &'n ColumnName) -> Option<&'n str>
    where
        'a: 'n,
    {
        match &name.table {
            Some(table) => Some(&table.value),
            None => self.scope.owner(self.block, name),
        }
    }

    /// The columns of `*` or `t.*`, each with its qualifier; `None` where they cannot be told.
    pub(super) fn columns(self, table: Option<&TableName>) -> Option<Vec<(&'a str, &'a str)>> {
        self.scope.visible_columns(self.block, table)
    }
}
