//! Targets of remainders and spans.

use std::sync::Arc;

use super::super::{StrategyKind, SuffixRule, build_target};
use super::*;
use crate::column::{Precision, parse_moment};

fn built(
    type_name: &str,
    properties: &[(&str, &str)],
    names: &[&str],
) -> Result<Box<dyn TargetAlgorithm>, u16> {
    let properties = properties.iter().map(|(key, value)| ((*key).into(), (*value).into()));
    let names: Vec<Arc<str>> = names.iter().map(|name| Arc::from(*name)).collect();
    let columns = ["id".to_owned()];
    let suffix = SuffixRule::default();
    let targets = Targets { table: "t", columns: &columns, names: &names, suffix: &suffix };
    build_target(StrategyKind::Standard, type_name, &properties.collect(), &targets)
        .map_err(|error| error.code)
}

fn integer(value: i128) -> Key<'static> {
    Key::Integer { value, is_long: true }
}

fn found(algorithm: &dyn TargetAlgorithm, count: u32, known: Known<'_>) -> Vec<u32> {
    let mut nodes = NodeSet::empty(count);
    algorithm.find(&[known], &mut nodes).unwrap();
    (0..count).filter(|node| nodes.contains(*node)).collect()
}

#[test]
fn remainders() {
    let properties = [("mod", "3"), ("logic-name-prefix", "t_")];
    let algorithm = built("COSID_MOD", &properties, &["t_0", "t_1", "t_2"]).unwrap();
    for (value, target) in [(0, 0), (4, 1), (-1, 2), (i128::from(u64::MAX), 2)] {
        assert_eq!(algorithm.place(&[integer(value)]), Ok(Some(target)), "{value}");
        assert_eq!(found(&*algorithm, 3, Known::Key(integer(value))), [target], "{value}");
    }
    let range = |lower, upper| Known::Range(KeyRange::Integers { lower, upper });
    assert_eq!(found(&*algorithm, 3, range(5, 6)), [0, 2]);
    assert_eq!(found(&*algorithm, 3, range(5, 7)), [0, 1, 2]);
    let algorithm = built("COSID_MOD", &properties, &["t_0", "t_1"]).unwrap();
    assert_eq!(algorithm.place(&[integer(5)]).unwrap_err().code, 20051);
    assert_eq!(
        built("COSID_MOD", &[("mod", "0"), ("logic-name-prefix", "t_")], &[]).unwrap_err(),
        10404
    );
    assert_eq!(built("COSID_MOD", &[("mod", "2")], &[]).unwrap_err(), 10404);
}

const SPANS: [(&str, &str); 6] = [
    ("logic-name-prefix", "t_"),
    ("datetime-lower", "2021-01-15 00:00:00"),
    ("datetime-upper", "2021-03-31 23:59:59"),
    ("sharding-suffix-pattern", "yyyyMM"),
    ("datetime-interval-unit", "MONTHS"),
    ("zone-id", "UTC"),
];
const NAMES: [&str; 3] = ["t_202101", "t_202102", "t_202103"];

#[test]
fn spans() {
    let algorithm = built("COSID_INTERVAL", &SPANS, &NAMES).unwrap();
    let key = |text: &str| Key::Moment {
        micros: parse_moment(text.as_bytes()).unwrap(),
        precision: Precision::Fraction(0),
    };
    for (text, target) in [
        ("2021-01-15 00:00:00", Some(0)),
        ("2021-02-28 23:59:59", Some(1)),
        ("2021-03-31 23:59:59", Some(2)),
        ("2021-01-14 23:59:59", None),
        ("2021-04-01 00:00:00", None),
    ] {
        assert_eq!(algorithm.place(&[key(text)]), Ok(target), "{text}");
        assert_eq!(algorithm.place(&[Key::Text(text.as_bytes().into())]), Ok(target), "{text}");
    }
    // 2021-02-01 00:00:00 UTC in milliseconds, and the one before.
    assert_eq!(algorithm.place(&[integer(1_612_137_600_000)]), Ok(Some(1)));
    assert_eq!(algorithm.place(&[integer(1_612_137_599_999)]), Ok(Some(0)));
    let micros = |text: &str| parse_moment(text.as_bytes()).unwrap();
    let range = KeyRange::Moments { lower: i64::MIN, upper: micros("2021-02-01") };
    assert_eq!(found(&*algorithm, 3, Known::Range(range)), [0, 1]);
    let range = KeyRange::Integers { lower: 1_612_137_600_000, upper: 1_612_137_600_001 };
    assert_eq!(found(&*algorithm, 3, Known::Range(range)), [1]);
    let no_zone: Vec<_> = SPANS.iter().copied().filter(|(name, _)| *name != "zone-id").collect();
    let algorithm = built("COSID_INTERVAL", &no_zone, &NAMES).unwrap();
    assert_eq!(algorithm.place(&[integer(1_612_137_600_000)]).unwrap_err().code, 10440);
    assert_eq!(found(&*algorithm, 3, Known::Key(integer(5))).len(), 3);
}

#[test]
fn snowflakes() {
    let mut properties = SPANS.to_vec();
    properties.push(("epoch", "1600000000000"));
    let algorithm = built("COSID_INTERVAL_SNOWFLAKE", &properties, &NAMES).unwrap();
    let id = |millis: i128, low: i128| integer(((millis - 1_600_000_000_000) << 22) + low);
    assert_eq!(algorithm.place(&[id(1_612_137_599_999, 4_194_303)]), Ok(Some(0)));
    assert_eq!(algorithm.place(&[id(1_612_137_600_000, 0)]), Ok(Some(1)));
    assert_eq!(algorithm.place(&[integer(-1)]).unwrap_err().code, 10440);
    let ends = [id(1_612_137_599_999, 0), id(1_612_137_600_000, 5)];
    let [Key::Integer { value: lower, .. }, Key::Integer { value: upper, .. }] = ends else {
        unreachable!()
    };
    let range = Known::Range(KeyRange::Integers { lower, upper });
    assert_eq!(found(&*algorithm, 3, range), [0, 1]);
}

#[test]
fn bad_definitions_are_refused() {
    for (key, value) in [
        ("datetime-interval-unit", "HOURS"),
        ("datetime-interval-amount", "0"),
        ("datetime-lower", "2021-01-15"),
        ("datetime-upper", "2020-01-01 00:00:00"),
        ("sharding-suffix-pattern", "ww"),
        ("logic-name-prefix", ""),
    ] {
        let mut properties: Vec<_> =
            SPANS.iter().copied().filter(|(name, _)| *name != key).collect();
        properties.push((key, value));
        assert_eq!(
            built("COSID_INTERVAL", &properties, &NAMES).unwrap_err(),
            10404,
            "{key}={value}"
        );
    }
    let mut properties: Vec<_> =
        SPANS.iter().copied().filter(|(name, _)| *name != "zone-id").collect();
    properties.push(("zone-id", "Europe/Berlin"));
    assert_eq!(built("COSID_INTERVAL_SNOWFLAKE", &properties, &NAMES).unwrap_err(), 10404);
}
