//! A table's rule with its sharding columns as they are in the table.

use std::sync::Arc;

use eval::Value;
use kernel::error::StatementError;
use kernel::model::LogicalTable;
use smallvec::SmallVec;

use crate::column::{Key, ShardingColumn};
use crate::rule::{ShardingRule, TableRule};

/// A rule and the table it is for.
pub(super) struct Bound {
    pub(super) rule: Arc<TableRule>,
    /// The sharding columns in the rule's order.
    pub(super) columns: SmallVec<[BoundColumn; 1]>,
}

/// A sharding column as it is in the table.
#[derive(Debug, Clone)]
pub(super) struct BoundColumn {
    /// Its position in the table.
    pub(super) position: usize,
    /// Its type.
    pub(super) column: ShardingColumn,
    is_nullable: bool,
}

impl BoundColumn {
    /// What is stored when `value` is inserted.
    ///
    /// # Errors
    /// NULL, or a value of which the stored form is not certain.
    pub(super) fn stored<'v>(
        &self,
        name: &str,
        value: Value<'v>,
        is_utf8: bool,
    ) -> Result<Key<'v>, StatementError> {
        if !self.is_nullable && matches!(value, Value::Null) {
            let text = format!("Column '{name}' cannot be null");
            return Err(StatementError::new(1048, "23000", text));
        }
        self.column.stored(name, value, is_utf8)
    }
}

impl Bound {
    /// The only column of an auto table.
    pub(super) fn one_column(&self) -> Result<BoundColumn, StatementError> {
        self.columns.first().cloned().ok_or_else(|| {
            let text = format!("Table '{}' has no sharding column", self.rule.table);
            StatementError::new(10200, "44000", text)
        })
    }
}

impl ShardingRule {
    /// The rule of a table with the positions and types of its sharding columns.
    pub(super) fn bind(&self, table: &LogicalTable) -> Result<Bound, StatementError> {
        let rule = self.find(&table.name).ok_or_else(|| {
            StatementError::new(
                20001,
                "44000",
                format!("Table '{}' has no sharding rule", table.name),
            )
        })?;
        let mut columns = SmallVec::new();
        for name in &rule.columns {
            let (position, declared) = table.find_column(name).ok_or_else(|| {
                StatementError::new(
                    1054,
                    "42S22",
                    format!(
                        "Table '{}' has no column '{name}', which its sharding rule names",
                        table.name
                    ),
                )
            })?;
            columns.push(BoundColumn {
                position,
                column: ShardingColumn::new(&table.name, declared, rule.is_canonical)?,
                is_nullable: declared.is_nullable,
            });
        }
        Ok(Bound { rule: rule.clone(), columns })
    }
}
