//! `AUTO_INTERVAL`: equal spans of seconds after a first moment; shard 0 holds what is not later.
//!
//! Source: inventory 2.2.

use kernel::error::StatementError;

use super::pattern::{DATE_TIME, Pattern};
use super::{KeyRange, MAX_SHARDING_COUNT, Properties, ShardingAlgorithm, invalid, required};
use crate::column::{Key, SECOND};
use crate::node_set::NodeSet;

#[derive(Debug)]
struct AutoInterval {
    /// The pattern of texts.
    pattern: Pattern,
    /// Seconds since 1970-01-01.
    lower: i64,
    seconds: i64,
    count: u32,
}

/// Checks the properties.
pub(super) fn build(properties: &Properties) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
    let type_name = "AUTO_INTERVAL";
    let pattern = Pattern::date_time();
    let moment = |name: &str| {
        let text = required(type_name, properties, name)?;
        pattern.parse(text).map(|micros| micros.div_euclid(SECOND)).ok_or_else(|| {
            invalid(type_name, format!("'{name}' must have the form {DATE_TIME}, not '{text}'"))
        })
    };
    let (lower, upper) = (moment("datetime-lower")?, moment("datetime-upper")?);
    let text = required(type_name, properties, "sharding-seconds")?;
    let seconds = text.parse::<i64>().ok().filter(|seconds| *seconds > 0).ok_or_else(|| {
        invalid(type_name, format!("'sharding-seconds' must be positive, not '{text}'"))
    })?;
    if upper < lower {
        return Err(invalid(type_name, "'datetime-upper' is before 'datetime-lower'".to_owned()));
    }
    let count = (upper - lower) / seconds + 2;
    let count = u32::try_from(count)
        .ok()
        .filter(|count| *count <= MAX_SHARDING_COUNT)
        .ok_or_else(|| invalid(type_name, format!("{count} shards are too many")))?;
    Ok(Box::new(AutoInterval { pattern, lower, seconds, count }))
}

impl AutoInterval {
    /// The number of spans after the first moment, rounded to two decimals and then up, as the
    /// reference does.
    fn shard(&self, micros: i64) -> u32 {
        let after = micros.div_euclid(SECOND) - self.lower;
        if after <= 0 {
            return 0;
        }
        let spans = format!("{:.2}", after as f64 / self.seconds as f64);
        let spans = spans.parse::<f64>().unwrap_or(f64::MAX).ceil();
        (spans as u32).min(self.count - 1)
    }
}

impl ShardingAlgorithm for AutoInterval {
    fn sharding_count(&self) -> u32 {
        self.count
    }

    fn place(&self, key: &Key<'_>) -> Result<u32, String> {
        let micros = match key {
            Key::Moment { micros, .. } => Some(*micros),
            Key::Text(text) => self.pattern.parse_cut(text),
            Key::Integer { .. } | Key::Decimal { .. } => None,
        };
        micros
            .map(|micros| self.shard(micros))
            .ok_or_else(|| format!("the value has to be a moment of the form {DATE_TIME}"))
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
        match *range {
            KeyRange::Moments { lower, upper } => {
                for shard in self.shard(lower)..=self.shard(upper) {
                    nodes.insert(shard);
                }
            }
            _ => nodes.fill(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::build;
    use super::*;
    use crate::column::{Precision, parse_moment};

    fn built(lower: &str, upper: &str, seconds: &str) -> Result<Box<dyn ShardingAlgorithm>, u16> {
        let properties = Properties::from([
            ("datetime-lower".to_owned(), lower.to_owned()),
            ("datetime-upper".to_owned(), upper.to_owned()),
            ("sharding-seconds".to_owned(), seconds.to_owned()),
        ]);
        build("auto_interval", &properties).map_err(|error| error.code)
    }

    fn moment(text: &str) -> i64 {
        parse_moment(text.as_bytes()).unwrap()
    }

    #[test]
    fn places() {
        let algorithm = built("2020-01-01 00:00:00", "2020-01-01 00:00:16", "4").unwrap();
        // 16 / 4 + 2
        assert_eq!(algorithm.sharding_count(), 6);
        for (text, shard) in [
            ("2019-12-31 23:59:59", 0),
            ("2020-01-01 00:00:00", 0),
            ("2020-01-01 00:00:01", 1),
            ("2020-01-01 00:00:04", 1),
            ("2020-01-01 00:00:05", 2),
            ("2020-01-01 00:00:15", 4),
            ("2020-01-01 00:00:16", 4),
            ("2020-01-01 00:00:17", 5),
            ("2030-01-01 00:00:00", 5),
        ] {
            let key = Key::Moment { micros: moment(text), precision: Precision::Fraction(0) };
            assert_eq!(algorithm.place(&key), Ok(shard), "{text}");
            assert_eq!(algorithm.place(&Key::Text(text.as_bytes().into())), Ok(shard), "{text}");
        }
        let fraction = moment("2020-01-01 00:00:04.9");
        let key = Key::Moment { micros: fraction, precision: Precision::Fraction(1) };
        assert_eq!(algorithm.place(&key), Ok(1), "fractions are cut");
    }

    #[test]
    fn the_first_hundredths_of_a_span_belong_to_the_one_before() {
        let algorithm = built("2020-01-01 00:00:00", "2021-01-01 00:00:00", "86400").unwrap();
        assert_eq!(algorithm.sharding_count(), 368);
        for (text, shard) in [
            // 431 / 86400 = 0.00498.. -> 0.00, 433 / 86400 = 0.00501.. -> 0.01
            ("2020-01-01 00:07:11", 0),
            ("2020-01-01 00:07:13", 1),
            ("2020-01-02 00:07:11", 1),
            ("2020-01-02 00:07:13", 2),
        ] {
            let key = Key::Moment { micros: moment(text), precision: Precision::Fraction(0) };
            assert_eq!(algorithm.place(&key), Ok(shard), "{text}");
        }
    }

    #[test]
    fn ranges() {
        let algorithm = built("2020-01-01 00:00:00", "2020-01-01 00:00:16", "4").unwrap();
        for (lower, upper, expected) in [
            (i64::MIN, i64::MAX, vec![0, 1, 2, 3, 4, 5]),
            (moment("2020-01-01 00:00:03"), moment("2020-01-01 00:00:09"), vec![1, 2, 3]),
            (i64::MIN, moment("2020-01-01 00:00:01"), vec![0, 1]),
        ] {
            let mut nodes = NodeSet::empty(6);
            algorithm.find_range(&KeyRange::Moments { lower, upper }, &mut nodes);
            let found: Vec<_> = (0..6).filter(|node| nodes.contains(*node)).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn bad_definitions_are_refused() {
        for (lower, upper, seconds) in [
            ("2020-01-01", "2020-01-02 00:00:00", "4"),
            ("2020-01-01 00:00:00", "2020-13-02 00:00:00", "4"),
            ("2020-01-01 00:00:00", "2020-01-02 00:00:00", "0"),
            ("2020-01-01 00:00:00", "2020-01-02 00:00:00", "x"),
            ("2020-01-02 00:00:00", "2020-01-01 00:00:00", "4"),
            ("2020-01-01 00:00:00", "2021-01-01 00:00:00", "1"),
        ] {
            assert_eq!(
                built(lower, upper, seconds).unwrap_err(),
                10404,
                "{lower} {upper} {seconds}"
            );
        }
    }
}
