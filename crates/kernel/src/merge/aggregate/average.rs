//! AVG from partial sums and counts.

use eval::{ColumnType, Scalar, type_code};

use super::super::ColumnPosition;
use super::super::key::resolve_position;
use super::super::number::{number_kind, to_decimal};
use crate::error::StatementError;

/// AVG: a sum and a count, each from a column of its own.
#[derive(Debug)]
pub(super) struct Average {
    pub(super) sum_column: usize,
    pub(super) count_column: usize,
    /// Digits that the average has more than the sum.
    increment: u8,
    pub(super) sum: Option<Scalar>,
    pub(super) count: Scalar,
}

impl Average {
    pub(super) fn resolve(
        column: usize,
        sum: ColumnPosition,
        count: ColumnPosition,
        columns: &[ColumnType],
        hidden: usize,
    ) -> Result<Self, StatementError> {
        let sum_column = resolve_position(sum, columns, hidden)?;
        let count_column = resolve_position(count, columns, hidden)?;
        number_kind(&columns[sum_column])?;
        number_kind(&columns[count_column])?;
        let increment = columns[column].decimals.saturating_sub(columns[sum_column].decimals);
        Ok(Self { sum_column, count_column, increment, sum: None, count: Scalar::Int(0) })
    }

    pub(super) fn result(&self, column: &ColumnType) -> Option<Scalar> {
        let sum = self.sum?;
        let count = match self.count {
            Scalar::Int(count) => u64::try_from(count).ok()?,
            Scalar::UInt(count) => count,
            Scalar::Decimal(_) | Scalar::Double(_) => return None,
        };
        if matches!(column.type_code, type_code::DOUBLE | type_code::FLOAT) {
            return (count > 0).then(|| Scalar::Double(sum.to_f64() / count as f64));
        }
        let quotient = to_decimal(sum)?.divide_by_count(count, self.increment)?;
        Some(Scalar::Decimal(quotient.round(column.decimals)))
    }
}
