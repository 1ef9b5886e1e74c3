//! `VOLUME_RANGE` and `BOUNDARY_RANGE`: shard `i` holds the numbers from boundary `i - 1` up to,
//! but without, boundary `i`; the first and the last shard have no end.
//!
//! Source: inventory 2.2.

use kernel::error::StatementError;

use super::{KeyRange, MAX_SHARDING_COUNT, Properties, ShardingAlgorithm, invalid, required};
use crate::column::Key;
use crate::node_set::NodeSet;

#[derive(Debug)]
struct Ranges {
    /// In ascending order.
    boundaries: Vec<i64>,
}

/// `BOUNDARY_RANGE`: the boundaries are listed; what is not a number in the list is left out.
pub(super) fn build_boundary(
    properties: &Properties,
) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
    let text = required("BOUNDARY_RANGE", properties, "sharding-ranges")?;
    let mut boundaries: Vec<i64> =
        text.split(',').filter_map(|item| item.trim().parse().ok()).collect();
    if boundaries.is_empty() {
        return Err(invalid(
            "BOUNDARY_RANGE",
            format!("'sharding-ranges' must be a list such as 10,20, not '{text}'"),
        ));
    }
    boundaries.sort_unstable();
    Ranges::checked("BOUNDARY_RANGE", boundaries)
}

/// `VOLUME_RANGE`: boundaries from `range-lower` to `range-upper`, so far apart.
pub(super) fn build_volume(
    properties: &Properties,
) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
    let number = |name: &str| {
        let text = required("VOLUME_RANGE", properties, name)?;
        text.parse::<i64>().map_err(|_| {
            invalid("VOLUME_RANGE", format!("'{name}' must be a whole number, not '{text}'"))
        })
    };
    let (lower, upper) = (number("range-lower")?, number("range-upper")?);
    let volume = number("sharding-volume")?;
    let width = i128::from(upper) - i128::from(lower);
    if volume <= 0 || width < i128::from(volume) {
        return Err(invalid(
            "VOLUME_RANGE",
            "'sharding-volume' must be positive, and 'range-upper' at least that much above \
             'range-lower'"
                .to_owned(),
        ));
    }
    if width / i128::from(volume) > i128::from(MAX_SHARDING_COUNT) {
        return Err(too_many("VOLUME_RANGE"));
    }
    let mut boundaries = Vec::new();
    let mut boundary = i128::from(lower);
    while boundary < i128::from(upper) {
        // Below `upper`, which fits.
        boundaries.push(boundary as i64);
        boundary += i128::from(volume);
    }
    boundaries.push(upper);
    Ranges::checked("VOLUME_RANGE", boundaries)
}

impl Ranges {
    fn checked(
        type_name: &str,
        boundaries: Vec<i64>,
    ) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
        if boundaries.len() >= MAX_SHARDING_COUNT as usize {
            return Err(too_many(type_name));
        }
        Ok(Box::new(Self { boundaries }))
    }

    fn shard(&self, value: i128) -> u32 {
        self.boundaries.partition_point(|boundary| i128::from(*boundary) <= value) as u32
    }
}

fn too_many(type_name: &str) -> StatementError {
    invalid(type_name, format!("at most {MAX_SHARDING_COUNT} shards are possible"))
}

/// A text that Java reads as a Long: a sign and digits.
fn parse(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

impl ShardingAlgorithm for Ranges {
    fn sharding_count(&self) -> u32 {
        self.boundaries.len() as u32 + 1
    }

    fn place(&self, key: &Key<'_>) -> Result<u32, String> {
        match key {
            Key::Integer { value, .. } if i64::try_from(*value).is_ok() => Ok(self.shard(*value)),
            Key::Integer { .. } => Err("ranges place numbers of at most 63 bits".to_owned()),
            Key::Decimal { unscaled, scale } => {
                Ok(self.shard(unscaled.div_euclid(10_i128.pow(*scale))))
            }
            Key::Text(text) => parse(text)
                .map(|value| self.shard(value.into()))
                .ok_or_else(|| "ranges place numbers, or texts that are whole numbers".to_owned()),
            Key::Moment { .. } => {
                Err("ranges place numbers; use AUTO_INTERVAL or INTERVAL".to_owned())
            }
        }
    }

    fn find(&self, key: &Key<'_>, nodes: &mut NodeSet) {
        match self.place(key) {
            Ok(shard) => nodes.insert(shard),
            Err(_) => nodes.fill(),
        }
    }

    fn find_only(&self, key: &Key<'_>) -> Option<u32> {
        self.place(key).ok()
    }

    fn find_range(&self, range: &KeyRange, nodes: &mut NodeSet) {
        let (KeyRange::Integers { lower, upper } | KeyRange::Numbers { lower, upper }) = *range
        else {
            return nodes.fill();
        };
        // Integers of more than 63 bits are placed by no rule.
        if i64::try_from(upper).is_err() && matches!(range, KeyRange::Integers { .. }) {
            return nodes.fill();
        }
        if lower <= upper {
            for shard in self.shard(lower)..=self.shard(upper) {
                nodes.insert(shard);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::build;
    use super::*;

    fn built(
        type_name: &str,
        properties: &[(&str, &str)],
    ) -> Result<Box<dyn ShardingAlgorithm>, u16> {
        let properties = properties.iter().map(|(key, value)| ((*key).into(), (*value).into()));
        build(type_name, &properties.collect()).map_err(|error| error.code)
    }

    fn volume(lower: &str, upper: &str, volume: &str) -> Result<Box<dyn ShardingAlgorithm>, u16> {
        built(
            "VOLUME_RANGE",
            &[("range-lower", lower), ("range-upper", upper), ("sharding-volume", volume)],
        )
    }

    #[test]
    fn places() {
        // (-inf,10) [10,20) [20,30) [30,35) [35,inf)
        let by_volume = volume("10", "35", "10").unwrap();
        // (-inf,-5) [-5,5) [5,10) [10,inf)
        let by_boundary = built("BOUNDARY_RANGE", &[("sharding-ranges", " 10, 5,x,-5")]).unwrap();
        assert_eq!((by_volume.sharding_count(), by_boundary.sharding_count()), (5, 4));
        for (value, volume, boundary) in [
            (i128::from(i64::MIN), 0, 0),
            (-6, 0, 0),
            (-5, 0, 1),
            (4, 0, 1),
            (5, 0, 2),
            (9, 0, 2),
            (10, 1, 3),
            (19, 1, 3),
            (20, 2, 3),
            (34, 3, 3),
            (35, 4, 3),
            (i128::from(i64::MAX), 4, 3),
        ] {
            let key = Key::Integer { value, is_long: true };
            assert_eq!(by_volume.place(&key), Ok(volume), "{value}");
            assert_eq!(by_boundary.place(&key), Ok(boundary), "{value}");
            let text = value.to_string();
            assert_eq!(by_volume.place(&Key::Text(text.as_bytes().into())), Ok(volume), "{value}");
        }
        assert_eq!(by_volume.place(&Key::Decimal { unscaled: 1999, scale: 2 }), Ok(1));
        assert_eq!(by_boundary.place(&Key::Decimal { unscaled: -501, scale: 2 }), Ok(0));
        assert!(by_volume.place(&Key::Integer { value: 1 << 63, is_long: true }).is_err());
        assert!(by_volume.place(&Key::Text(b"1.5".as_slice().into())).is_err());
    }

    #[test]
    fn ranges() {
        let algorithm = volume("10", "35", "10").unwrap();
        for (lower, upper, expected) in [
            (11, 12, vec![1]),
            (9, 10, vec![0, 1]),
            (i128::from(i64::MIN), 20, vec![0, 1, 2]),
            (34, i128::from(i64::MAX), vec![3, 4]),
            (20, 19, vec![]),
        ] {
            let mut nodes = NodeSet::empty(5);
            algorithm.find_range(&KeyRange::Integers { lower, upper }, &mut nodes);
            let found: Vec<_> = (0..5).filter(|node| nodes.contains(*node)).collect();
            assert_eq!(found, expected, "{lower}..={upper}");
        }
    }

    #[test]
    fn bad_definitions_are_refused() {
        assert_eq!(volume("1", "10", "10").unwrap_err(), 10404);
        assert_eq!(volume("1", "10", "0").unwrap_err(), 10404);
        assert_eq!(volume("1", "x", "1").unwrap_err(), 10404);
        assert_eq!(volume("0", "9223372036854775807", "1").unwrap_err(), 10404);
        assert_eq!(volume("1", "2", "1").unwrap().sharding_count(), 3);
        assert_eq!(built("BOUNDARY_RANGE", &[("sharding-ranges", "a,b")]).unwrap_err(), 10404);
        assert_eq!(built("BOUNDARY_RANGE", &[]).unwrap_err(), 10404);
    }
}
