//! Ranges of a sharding column as algorithms read them.

use kernel::predicate::{ValueRef, ValueSource};

use crate::algorithms::KeyRange;
use crate::column::ShardingColumn;

/// The values between two ends, or more; `None` where no row can have one.
pub(super) fn key_range(
    column: &ShardingColumn,
    lower: Option<&(ValueRef, bool)>,
    upper: Option<&(ValueRef, bool)>,
    values: &dyn ValueSource,
) -> Option<KeyRange> {
    column.range(end(lower, values), end(upper, values))
}

/// One end of a range with its value.
fn end<'v>(
    bound: Option<&'v (ValueRef, bool)>,
    values: &'v dyn ValueSource,
) -> Option<(eval::Value<'v>, bool)> {
    bound.map(|(value, is_inclusive)| (values.value(value), *is_inclusive))
}
