//! Aggregates, combined from the partial results of the nodes.

mod average;
mod concat;
mod extreme;
mod variance;

use std::cmp::Ordering;

use eval::{ColumnType, Scalar};

use super::key::resolve_position;
use super::number::{add_numbers, number_kind, read_number, write_number};
use super::row::RowFormat;
use super::sources::Head;
use super::{AggregateColumn, AggregateFunction};
use crate::error::StatementError;
use average::Average;
use concat::Concatenation;
use extreme::Extreme;
use variance::Variance;

/// An aggregate of a result whose columns are known, with what it has seen of the current group.
#[derive(Debug)]
pub(crate) struct Aggregate {
    /// Where its result stands.
    pub(crate) column: usize,
    /// Rows with a repeated key are not added.
    pub(crate) is_distinct: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    Count(Scalar),
    Sum(Option<Scalar>),
    Average(Average),
    Extreme(Extreme),
    /// Of integers only: that of binary strings, which MySQL has since version 8, is not combined.
    Bits(BitOperation, u64),
    Concatenation(Concatenation),
    Variance(Variance),
}

#[derive(Debug, Clone, Copy)]
enum BitOperation {
    And,
    Or,
    Xor,
}

impl BitOperation {
    /// What it gives for no values.
    fn neutral(self) -> u64 {
        if matches!(self, Self::And) { u64::MAX } else { 0 }
    }
}

/// The columns and the encoding of the rows that are combined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowShape<'a> {
    pub(crate) columns: &'a [ColumnType],
    pub(crate) format: RowFormat,
}

impl Aggregate {
    /// # Errors
    /// A column does not exist, or does not hold what the function combines.
    pub(crate) fn resolve(
        aggregate: &AggregateColumn,
        columns: &[ColumnType],
        hidden: usize,
    ) -> Result<Self, StatementError> {
        let column = resolve_position(aggregate.column, columns, hidden)?;
        let state = State::resolve(&aggregate.function, column, columns, hidden)?;
        Ok(Self { column, is_distinct: aggregate.is_distinct, state })
    }

    /// Begins a new group.
    pub(crate) fn reset(&mut self) {
        match &mut self.state {
            State::Count(count) => *count = Scalar::Int(0),
            State::Sum(sum) => *sum = None,
            State::Average(average) => {
                average.sum = None;
                average.count = Scalar::Int(0);
            }
            State::Extreme(extreme) => extreme.best = None,
            State::Bits(operation, bits) => *bits = operation.neutral(),
            State::Concatenation(texts) => texts.reset(),
            State::Variance(variance) => variance.reset(),
        }
    }

    /// Adds the partial result of a node.
    ///
    /// # Errors
    /// A value is not of its column's type, or a sum is too large for it.
    pub(crate) fn add(
        &mut self,
        head: Head<'_>,
        shape: RowShape<'_>,
    ) -> Result<(), StatementError> {
        let number = |column: usize| {
            read_number(&shape.columns[column], shape.format, &head.cells[column], head.row)
        };
        match &mut self.state {
            State::Count(count) => add_to(count, number(self.column)?),
            State::Sum(sum) => add_to_sum(sum, number(self.column)?),
            State::Average(average) => {
                add_to(&mut average.count, number(average.count_column)?)?;
                add_to_sum(&mut average.sum, number(average.sum_column)?)
            }
            State::Extreme(extreme) => extreme.add(self.column, head, shape.format),
            State::Concatenation(texts) => texts.add(self.column, head, shape),
            State::Variance(variance) => variance.add(head, shape),
            State::Bits(operation, bits) => {
                let other = match number(self.column)? {
                    Some(Scalar::Int(value)) => value.cast_unsigned(),
                    Some(Scalar::UInt(value)) => value,
                    _ => return Ok(()),
                };
                match operation {
                    BitOperation::And => *bits &= other,
                    BitOperation::Or => *bits |= other,
                    BitOperation::Xor => *bits ^= other,
                }
                Ok(())
            }
        }
    }

    /// Appends the encoded result to `out`; `false` for NULL.
    pub(crate) fn write(&self, shape: RowShape<'_>, out: &mut Vec<u8>) -> bool {
        let column = &shape.columns[self.column];
        let number = match &self.state {
            State::Count(count) => Some(*count),
            State::Sum(sum) => *sum,
            State::Average(average) => average.result(column),
            State::Variance(variance) => variance.result(),
            State::Concatenation(texts) => return texts.write(out),
            State::Bits(_, bits) if column.is_unsigned => Some(Scalar::from_u64(*bits)),
            State::Bits(_, bits) => Some(Scalar::Int(bits.cast_signed())),
            State::Extreme(extreme) => {
                if extreme.best.is_some() {
                    out.extend_from_slice(&extreme.value);
                }
                return extreme.best.is_some();
            }
        };
        let Some(number) = number else { return false };
        write_number(number, column, shape.format, out);
        true
    }

    /// The key column of MIN and MAX with its encoded value (`None`: NULL), where it is a column
    /// of its own.
    pub(crate) fn key_value(&self) -> Option<(usize, Option<&[u8]>)> {
        let State::Extreme(extreme) = &self.state else { return None };
        let value = extreme.best.map(|_| extreme.best_row.as_slice());
        (extreme.key.column != self.column).then_some((extreme.key.column, value))
    }
}

impl State {
    fn resolve(
        function: &AggregateFunction,
        column: usize,
        columns: &[ColumnType],
        hidden: usize,
    ) -> Result<Self, StatementError> {
        match function {
            AggregateFunction::Min(key) => Extreme::resolve(key, Ordering::Less, columns, hidden),
            AggregateFunction::Max(key) => {
                Extreme::resolve(key, Ordering::Greater, columns, hidden)
            }
            AggregateFunction::GroupConcat { separator, length, max_length } => {
                let length = resolve_position(*length, columns, hidden)?;
                let max_length = resolve_position(*max_length, columns, hidden)?;
                Ok(Self::Concatenation(Concatenation::new(separator, length, max_length)))
            }
            AggregateFunction::Variance { kind, count, mean, variance } => {
                let resolve = |position| resolve_position(position, columns, hidden);
                let columns = [resolve(*count)?, resolve(*mean)?, resolve(*variance)?];
                Ok(Self::Variance(Variance::new(*kind, columns)))
            }
            _ => {
                number_kind(&columns[column])?;
                Ok(match function {
                    AggregateFunction::Sum => Self::Sum(None),
                    AggregateFunction::Avg { sum, count } => {
                        Self::Average(Average::resolve(column, *sum, *count, columns, hidden)?)
                    }
                    AggregateFunction::BitAnd => Self::Bits(BitOperation::And, u64::MAX),
                    AggregateFunction::BitOr => Self::Bits(BitOperation::Or, 0),
                    AggregateFunction::BitXor => Self::Bits(BitOperation::Xor, 0),
                    _ => Self::Count(Scalar::Int(0)),
                })
            }
        }
    }
}

fn add_to(sum: &mut Scalar, number: Option<Scalar>) -> Result<(), StatementError> {
    if let Some(number) = number {
        *sum = add_numbers(*sum, number)?;
    }
    Ok(())
}

fn add_to_sum(sum: &mut Option<Scalar>, number: Option<Scalar>) -> Result<(), StatementError> {
    if let Some(number) = number {
        *sum = Some(match *sum {
            Some(sum) => add_numbers(sum, number)?,
            None => number,
        });
    }
    Ok(())
}
