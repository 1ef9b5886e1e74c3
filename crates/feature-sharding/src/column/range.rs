//! Ranges of a sharding column: the ends that a comparison gives, as the stored values inside.

use eval::Value;

use super::number::{self, Number};
use super::{ShardingColumn, moment};
use crate::algorithms::KeyRange;

/// One end of a range with whether the end itself is inside; `None` is open.
pub(super) type End<'v> = Option<(Value<'v>, bool)>;

/// One end of a range of integers.
enum Bound {
    /// The first or last integer inside.
    Integer(i128),
    /// No value is inside.
    Nothing,
    /// Cannot be told.
    Uncertain,
}

impl ShardingColumn {
    /// The values between two ends, or more; `None` where no row can have one.
    pub fn range(&self, lower: End<'_>, upper: End<'_>) -> Option<KeyRange> {
        let (lower, upper) = (lower.as_ref(), upper.as_ref());
        // NULL is in no range of any type.
        if [lower, upper].into_iter().flatten().any(|(value, _)| matches!(value, Value::Null)) {
            return None;
        }
        match self {
            Self::Integer { minimum, maximum, .. } => integers(*minimum, *maximum, lower, upper),
            Self::Decimal(column) => {
                let (mut least, mut greatest) = column.domain();
                if let Some((below, _)) = lower.and_then(|(value, _)| column.bound(value)) {
                    least = least.max(below);
                }
                if let Some((_, above)) = upper.and_then(|(value, _)| column.bound(value)) {
                    greatest = greatest.min(above);
                }
                (least <= greatest).then_some(KeyRange::Numbers { lower: least, upper: greatest })
            }
            Self::Moment(precision) => {
                let bound = |end: Option<&(Value<'_>, bool)>| moment::bound(*precision, &end?.0);
                let least = bound(lower).map_or(i64::MIN, |around| *around.start());
                let greatest = bound(upper).map_or(i64::MAX, |around| *around.end());
                (least <= greatest).then_some(KeyRange::Moments { lower: least, upper: greatest })
            }
            Self::Year | Self::Text(_) => Some(KeyRange::All),
        }
    }
}

fn integers(
    minimum: i128,
    maximum: i128,
    lower: Option<&(Value<'_>, bool)>,
    upper: Option<&(Value<'_>, bool)>,
) -> Option<KeyRange> {
    let (mut least, mut greatest) = (minimum, maximum);
    if let Some((value, is_inclusive)) = lower {
        match lower_bound(value, *is_inclusive) {
            Bound::Integer(bound) => least = least.max(bound),
            Bound::Nothing => return None,
            Bound::Uncertain => {}
        }
    }
    if let Some((value, is_inclusive)) = upper {
        match upper_bound(value, *is_inclusive) {
            Bound::Integer(bound) => greatest = greatest.min(bound),
            Bound::Nothing => return None,
            Bound::Uncertain => {}
        }
    }
    (least <= greatest).then_some(KeyRange::Integers { lower: least, upper: greatest })
}

/// The least integer that is `> value` (`>=` when `is_inclusive`).
fn lower_bound(value: &Value<'_>, is_inclusive: bool) -> Bound {
    match number::compared(value) {
        Number::Exact(value) if is_inclusive => Bound::Integer(value),
        Number::Exact(value) | Number::Between(value) => Bound::Integer(value.saturating_add(1)),
        Number::Null => Bound::Nothing,
        Number::Uncertain => Bound::Uncertain,
    }
}

/// The greatest integer that is `< value` (`<=` when `is_inclusive`).
fn upper_bound(value: &Value<'_>, is_inclusive: bool) -> Bound {
    match number::compared(value) {
        Number::Exact(value) if !is_inclusive => Bound::Integer(value.saturating_sub(1)),
        Number::Exact(value) | Number::Between(value) => Bound::Integer(value),
        Number::Null => Bound::Nothing,
        Number::Uncertain => Bound::Uncertain,
    }
}
