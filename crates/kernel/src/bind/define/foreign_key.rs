//! Foreign keys of sharded tables: each node checks its own rows, which is right where a row and the
//! one it refers to are on nodes of the same number, or where every unit has all rows.

use std::sync::Arc;

use sql::ast::{ColumnDefinition, CreateTable, Ident, IndexDefinition, IndexKind, TableName};

use crate::bind::Binder;
use crate::bind::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::model::{ColumnMetadata, DataNode, LogicalTable, TableMetadata};
use crate::plan::SpliceText;
use crate::rewrite::Draft;

/// What the server names a foreign key without a name, behind the table's name.
const GENERATED: &str = "_ibfk_";

/// `FOREIGN KEY (columns) REFERENCES table (referenced)`.
struct ForeignKey<'a> {
    columns: &'a [Ident],
    table: &'a TableName,
    referenced: &'a [Ident],
}

impl<'a> ForeignKey<'a> {
    fn of_index(index: &'a IndexDefinition) -> Option<Self> {
        let table = index.references.as_ref()?;
        Some(Self { columns: &index.columns, table, referenced: &index.referenced_columns })
    }

    fn of_column(column: &'a ColumnDefinition) -> Option<Self> {
        let table = column.references.as_ref()?;
        let columns = std::slice::from_ref(&column.name);
        Some(Self { columns, table, referenced: &column.referenced_columns })
    }

    /// True where `column` refers to `referenced`.
    fn joins(&self, column: &str, referenced: &str) -> bool {
        self.columns.iter().zip(self.referenced).any(|(own, other)| {
            own.value.eq_ignore_ascii_case(column) && other.value.eq_ignore_ascii_case(referenced)
        })
    }
}

impl Binder<'_> {
    /// The foreign keys of a CREATE TABLE, with the actual tables they refer to.
    pub(super) fn create_references(
        &self,
        create: &CreateTable,
        sharded: Sharded<'_>,
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        let of_columns = create.columns.iter().filter_map(ForeignKey::of_column);
        let of_indexes = create.indexes.iter().filter_map(ForeignKey::of_index);
        let table = Arc::new(LogicalTable {
            metadata: Some(Arc::new(self.described(create))),
            ..LogicalTable::clone(sharded.table)
        });
        let own = Sharded { table: &table, nodes: sharded.nodes };
        of_columns.chain(of_indexes).try_for_each(|key| self.place_reference(&key, own, draft))
    }

    /// The foreign key of a column of an ALTER TABLE, if it has one.
    pub(super) fn column_reference(
        &self,
        column: &ColumnDefinition,
        sharded: Sharded<'_>,
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        ForeignKey::of_column(column)
            .map_or(Ok(()), |key| self.place_reference(&key, sharded, draft))
    }

    /// The foreign key of a constraint, if it is one.
    pub(super) fn index_reference(
        &self,
        index: &IndexDefinition,
        sharded: Sharded<'_>,
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        ForeignKey::of_index(index).map_or(Ok(()), |key| self.place_reference(&key, sharded, draft))
    }

    /// Checks that a node can answer for its rows, and names the actual table there.
    fn place_reference(
        &self,
        key: &ForeignKey<'_>,
        own: Sharded<'_>,
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        self.strip_database(key.table, draft);
        match self.find_table(key.table)? {
            Found::Broadcast(other) if is_everywhere(own.nodes, other.nodes) => Ok(()),
            Found::Sharded(other) if self.is_beside(key, own, other)? => {
                draft.replace(key.table.name.span, SpliceText::TableName(other.nodes.clone()));
                Ok(())
            }
            _ => Err(elsewhere(&own.table.name, &key.table.name.value)),
        }
    }

    /// Whether the row that is referred to is on the node of the same number.
    fn is_beside(
        &self,
        key: &ForeignKey<'_>,
        own: Sharded<'_>,
        other: Sharded<'_>,
    ) -> Result<bool, StatementError> {
        let stage = self.route_stage(own)?;
        // The table that is being made refers to itself.
        let other_table = if other.table.name == own.table.name { own.table } else { other.table };
        let is_bound = stage.are_bound(own.table, other_table);
        let columns = stage.sharding_columns(&own.table.name).unwrap_or_default();
        let others = stage.sharding_columns(&other.table.name).unwrap_or_default();
        let joins = |(column, other): (&String, &String)| key.joins(column, other);
        Ok(is_bound && !columns.is_empty() && columns.iter().zip(&others).all(joins))
    }

    /// The columns that a CREATE TABLE writes down, as far as placing rows depends on them. Without the
    /// collation of a text it is not sure which of its values are equal, so that none is given.
    fn described(&self, create: &CreateTable) -> TableMetadata {
        let column = |column: &ColumnDefinition| {
            let written = String::from_utf8_lossy(column.type_span.of(self.text));
            let column_type = written.to_ascii_lowercase();
            let word_end = column_type.find(|c: char| !c.is_ascii_alphanumeric());
            ColumnMetadata {
                name: column.name.value.clone(),
                data_type: column_type[..word_end.unwrap_or(column_type.len())].to_owned(),
                column_type,
                collation: String::new(),
                is_nullable: true,
                is_auto_increment: column.is_auto_increment,
                has_default: false,
                is_invisible: false,
            }
        };
        TableMetadata {
            name: create.name.name.value.clone(),
            is_view: false,
            columns: create.columns.iter().map(column).collect(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
        }
    }

    /// Names of constraints are unique in a database: each node gets its own.
    pub(super) fn suffix_constraint(
        &self,
        index: &IndexDefinition,
        nodes: &Arc<[DataNode]>,
        draft: &mut Draft,
    ) {
        // `FOREIGN KEY name (..)` names an index, whose name is its table's own.
        let has_symbol = index
            .span
            .of(self.text)
            .get(..10)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"CONSTRAINT"));
        let is_unique_in_database = match index.kind {
            IndexKind::Check => true,
            IndexKind::Foreign => has_symbol,
            _ => false,
        };
        if let Some(name) = index.name.as_ref().filter(|_| is_unique_in_database) {
            draft.replace(name.span, SpliceText::Suffixed(name.value.clone(), nodes.clone()));
        }
    }

    /// The name of a constraint as the nodes have it, one that a server has made included.
    pub(super) fn constraint_name(name: &Ident, sharded: Sharded<'_>) -> SpliceText {
        let nodes = sharded.nodes.clone();
        match name.value.strip_prefix(&*sharded.table.name) {
            Some(rest) if rest.starts_with(GENERATED) => {
                SpliceText::Extended(nodes, rest.to_owned())
            }
            _ => SpliceText::Suffixed(name.value.clone(), nodes),
        }
    }
}

/// Every unit of the one has the other.
fn is_everywhere(own: &[DataNode], other: &[DataNode]) -> bool {
    own.iter().all(|node| other.iter().any(|other| other.unit == node.unit))
}

fn elsewhere(table: &str, referenced: &str) -> StatementError {
    StatementError::unsupported(format!(
        "A foreign key of sharded table '{table}' to '{referenced}' is not supported: the row it refers \
         to may be on another node. It can refer to a broadcast table, or by the sharding columns to \
         those of a table of one reference rule"
    ))
}
