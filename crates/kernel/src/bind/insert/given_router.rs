//! Numbers that a node would generate for itself are refused: two nodes could give the same one.

use std::sync::Arc;

use eval::Value;

use crate::error::StatementError;
use crate::feature::RowRouter;
use crate::predicate::{ValueRef, ValueSource};

/// Refuses values that make a node generate one: NULL and 0 of an AUTO_INCREMENT column.
#[derive(Debug)]
pub(super) struct GivenRouter {
    /// Finds the node.
    pub(super) router: Arc<dyn RowRouter>,
    /// How many values of a row it takes.
    pub(super) sharding_columns: usize,
    /// Where the AUTO_INCREMENT value stands in a row, and its column.
    pub(super) generated: Option<(usize, String)>,
    /// The logical table.
    pub(super) table: Arc<str>,
}

impl RowRouter for GivenRouter {
    fn node_of(&self, row: &[ValueRef], values: &dyn ValueSource) -> Result<u32, StatementError> {
        if let Some((position, column)) = &self.generated
            && let Some(value) = row.get(*position)
            && is_generated(&values.value(value))
        {
            return Err(needs_number(&self.table, column));
        }
        self.router.node_of(row.get(..self.sharding_columns).unwrap_or(row), values)
    }
}

/// # Source
/// MySQL 8.4 manual, "Using AUTO_INCREMENT": NULL and 0 generate a number.
fn is_generated(value: &Value<'_>) -> bool {
    match value {
        Value::Null | Value::Int(0) | Value::UInt(0) => true,
        Value::Decimal(text) => text.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-' | b'+')),
        Value::Double(value) => *value == 0.0,
        Value::Bytes(text) => text.iter().all(|byte| *byte == b'0'),
        Value::Int(_) | Value::UInt(_) => false,
    }
}

/// Numbers are not generated across nodes.
pub(super) fn needs_number(table: &str, column: &str) -> StatementError {
    StatementError::new(
        20020,
        "44000",
        format!(
            "AUTO_INCREMENT column '{column}' of sharded table '{table}' needs a value in every \
             row: numbers are not generated across nodes yet"
        ),
    )
}
