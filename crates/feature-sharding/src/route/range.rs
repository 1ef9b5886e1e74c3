//! Ranges of a sharding column as algorithms read them.

use kernel::predicate::{ValueRef, ValueSource};

use crate::algorithms::KeyRange;
use crate::column::{Bound, ShardingColumn};

/// The values between two ends, or more; `None` where no row can have one.
pub(super) fn key_range(
    column: &ShardingColumn,
    lower: Option<&(ValueRef, bool)>,
    upper: Option<&(ValueRef, bool)>,
    values: &dyn ValueSource,
) -> Option<KeyRange> {
    let Some((mut least, mut greatest)) = column.domain() else {
        // NULL is in no range of any type.
        let is_null = |bound: Option<&(ValueRef, bool)>| {
            bound.is_some_and(|(value, _)| matches!(values.value(value), eval::Value::Null))
        };
        return (!is_null(lower) && !is_null(upper)).then_some(KeyRange::All);
    };
    if let Some((value, is_inclusive)) = lower {
        match column.lower_bound(&values.value(value), *is_inclusive) {
            Bound::Integer(bound) => least = least.max(bound),
            Bound::Nothing => return None,
            Bound::Uncertain => {}
        }
    }
    if let Some((value, is_inclusive)) = upper {
        match column.upper_bound(&values.value(value), *is_inclusive) {
            Bound::Integer(bound) => greatest = greatest.min(bound),
            Bound::Nothing => return None,
            Bound::Uncertain => {}
        }
    }
    (least <= greatest).then_some(KeyRange::Integers { lower: least, upper: greatest })
}
