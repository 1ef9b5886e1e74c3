//! Targets of moments.

use std::sync::Arc;

use super::super::{StrategyKind, SuffixRule, build_target};
use super::*;
use crate::column::{Precision, parse_moment};

fn built(properties: &[(&str, &str)], names: &[&str]) -> Result<Box<dyn TargetAlgorithm>, u16> {
    let properties = properties.iter().map(|(key, value)| ((*key).into(), (*value).into()));
    let names: Vec<Arc<str>> = names.iter().map(|name| Arc::from(*name)).collect();
    let columns = ["created".to_owned()];
    let suffix = SuffixRule::default();
    let targets = Targets { table: "t", columns: &columns, names: &names, suffix: &suffix };
    build_target(StrategyKind::Standard, "INTERVAL", &properties.collect(), &targets)
        .map_err(|error| error.code)
}

fn monthly() -> Box<dyn TargetAlgorithm> {
    let properties = [
        ("datetime-pattern", "yyyy-MM-dd HH:mm:ss"),
        ("datetime-lower", "2023-11-01 00:00:00"),
        ("datetime-upper", "2024-03-15 00:00:00"),
        ("sharding-suffix-pattern", "yyyyMM"),
        ("datetime-interval-unit", "Months"),
    ];
    built(&properties, &["t_202311", "t_202312", "t_202401", "t_202402", "t_202403", "t_202404"])
        .unwrap()
}

fn moment(text: &str) -> i64 {
    parse_moment(text.as_bytes()).unwrap()
}

fn key(text: &str) -> Key<'static> {
    Key::Moment { micros: moment(text), precision: Precision::Fraction(6) }
}

fn found(algorithm: &dyn TargetAlgorithm, count: u32, known: Known<'_>) -> Vec<u32> {
    let mut nodes = NodeSet::empty(count);
    algorithm.find(&[known], &mut nodes).unwrap();
    (0..count).filter(|node| nodes.contains(*node)).collect()
}

#[test]
fn months() {
    let algorithm = monthly();
    for (text, target) in [
        ("2023-11-01 00:00:00", Some(0)),
        ("2023-11-30 23:59:59.999", Some(0)),
        ("2023-12-01", Some(1)),
        ("2024-02-29 12:00:00", Some(3)),
        // The window of March begins before the end and is whole.
        ("2024-03-31 23:59:59", Some(4)),
        ("2024-04-01", None),
        ("2023-10-31 23:59:59", None),
    ] {
        assert_eq!(algorithm.place(&[key(text)]), Ok(target), "{text}");
        assert_eq!(algorithm.find_only(&[key(text)]), target, "{text}");
        let expected: Vec<u32> = target.into_iter().collect();
        assert_eq!(found(&*algorithm, 6, Known::Key(key(text))), expected, "{text}");
    }
    assert_eq!(algorithm.place(&[Key::Text(b"2024-01-05".as_slice().into())]), Ok(Some(2)));
    assert_eq!(algorithm.place(&[Key::Text(b"x".as_slice().into())]).unwrap_err().code, 10440);
    assert_eq!(found(&*algorithm, 6, Known::Key(Key::Text(b"x".as_slice().into()))).len(), 6);
}

#[test]
fn ranges() {
    let algorithm = monthly();
    let range = |lower: i64, upper: i64| Known::Range(KeyRange::Moments { lower, upper });
    for (lower, upper, expected) in [
        (moment("2023-12-31"), moment("2024-01-01"), vec![1, 2]),
        (i64::MIN, moment("2023-12-01"), vec![0, 1]),
        (moment("2024-02-10"), i64::MAX, vec![3, 4]),
        (i64::MIN, i64::MAX, vec![0, 1, 2, 3, 4]),
        (i64::MIN, moment("2023-10-01"), vec![]),
        (moment("2025-01-01"), i64::MAX, vec![]),
    ] {
        assert_eq!(found(&*algorithm, 6, range(lower, upper)), expected, "{lower} {upper}");
    }
    assert_eq!(found(&*algorithm, 6, Known::Range(KeyRange::All)).len(), 6);
    assert_eq!(found(&*algorithm, 6, Known::Anything).len(), 6);
}

#[test]
fn other_patterns() {
    // Quarters, by hand: 2024-01 to 2024-03 are the first one.
    let quarters = [
        ("datetime-pattern", "yyyy-MM-dd"),
        ("datetime-lower", "2024-01-01"),
        ("sharding-suffix-pattern", "yyyyQQ"),
        ("datetime-interval-amount", "3"),
        ("datetime-interval-unit", "MONTHS"),
    ];
    let algorithm = built(&quarters, &["t_202401", "t_202402", "t_202503"]).unwrap();
    for (text, target) in [
        ("2024-03-31 23:59:59", Some(0)),
        ("2024-04-01", Some(1)),
        ("2025-08-01", Some(2)),
        ("2024-08-01", None),
    ] {
        assert_eq!(algorithm.place(&[key(text)]), Ok(target), "{text}");
    }
    // Days of the week's tables: the suffix comes back every month.
    let days = [
        ("datetime-pattern", "yyyy-MM-dd HH:mm:ss.SSS"),
        ("datetime-lower", "2024-01-01 00:00:00.000"),
        ("sharding-suffix-pattern", "dd"),
    ];
    let algorithm = built(&days, &["t_01", "t_02"]).unwrap();
    assert_eq!(algorithm.place(&[key("2024-05-02 10:00:00")]), Ok(Some(1)));
    assert_eq!(algorithm.place(&[key("2031-07-01 23:59:59.9999")]), Ok(Some(0)));
    // A number of digits that a pattern reads.
    let integers = [
        ("datetime-pattern", "yyyyMMdd"),
        ("datetime-lower", "20240101"),
        ("sharding-suffix-pattern", "yyyy"),
        ("datetime-interval-unit", "YEARS"),
    ];
    let algorithm = built(&integers, &["t_2024", "t_2025"]).unwrap();
    let integer = |value| Key::Integer { value, is_long: true };
    assert_eq!(algorithm.place(&[integer(20_251_231)]), Ok(Some(1)));
    assert_eq!(algorithm.place(&[integer(5)]).unwrap_err().code, 10440);
    assert_eq!(
        found(&*algorithm, 2, Known::Range(KeyRange::Integers { lower: 1, upper: 2 })),
        [0, 1]
    );
}

#[test]
fn an_end_that_several_names_have_cannot_place() {
    let days = [
        ("datetime-pattern", "yyyy-MM-dd"),
        ("datetime-lower", "2024-01-01"),
        ("sharding-suffix-pattern", "d"),
    ];
    let algorithm = built(&days, &["t_1", "t_2", "t_11"]).unwrap();
    assert_eq!(algorithm.place(&[key("2024-01-01")]).unwrap_err().code, 10440);
    assert_eq!(algorithm.find_only(&[key("2024-01-01")]), None);
    assert_eq!(found(&*algorithm, 3, Known::Key(key("2024-01-01"))), [0, 2]);
    assert_eq!(algorithm.place(&[key("2024-01-02")]), Ok(Some(1)));
    assert_eq!(algorithm.place(&[key("2024-01-11")]), Ok(Some(2)));
}

#[test]
fn bad_definitions_are_refused() {
    let all = [
        ("datetime-pattern", "yyyy-MM-dd"),
        ("datetime-lower", "2024-01-01"),
        ("sharding-suffix-pattern", "yyyyMM"),
        ("datetime-interval-unit", "MONTHS"),
    ];
    for (key, value, code) in [
        ("datetime-pattern", "", 10404),
        ("datetime-pattern", "EEE", 10404),
        ("datetime-pattern", "MM-dd", 10404),
        ("datetime-lower", "", 10404),
        ("datetime-lower", "2024-01", 20022),
        ("datetime-lower", "2024-01-31", 10404),
        ("datetime-upper", "x", 20022),
        ("sharding-suffix-pattern", "", 10404),
        ("datetime-interval-unit", "HOURS", 10404),
        ("datetime-interval-unit", "FORTNIGHTS", 10404),
        ("datetime-interval-amount", "0", 10404),
    ] {
        let mut properties: Vec<_> = all.iter().copied().filter(|(name, _)| *name != key).collect();
        properties.push((key, value));
        assert_eq!(built(&properties, &["t_202401"]).unwrap_err(), code, "{key}={value}");
    }
}
