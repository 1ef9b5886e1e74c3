//! Every algorithm over every type of column: a row is found where it was placed, by equality in
//! another spelling and by any range around it.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use eval::Value;
use feature_sharding::NodeSet;
use feature_sharding::algorithms::{
    Known, StrategyKind, SuffixRule, TargetAlgorithm, Targets, build_target,
};
use feature_sharding::column::{Compared, ShardingColumn};
use kernel::model::ColumnMetadata;
use proptest::prelude::*;

const TARGETS: u32 = 12;

fn column(column_type: &str, collation: &str) -> ShardingColumn {
    let metadata = ColumnMetadata {
        name: "c".to_owned(),
        data_type: column_type.split(['(', ' ']).next().unwrap().to_owned(),
        column_type: column_type.to_owned(),
        collation: collation.to_owned(),
        is_nullable: true,
        is_auto_increment: false,
        has_default: false,
        is_invisible: false,
    };
    ShardingColumn::new("t", &metadata, false).unwrap()
}

fn built(type_name: &str, properties: &[(&str, &str)], prefix: &str) -> Box<dyn TargetAlgorithm> {
    let names: Vec<Arc<str>> =
        (0..TARGETS).map(|index| format!("{prefix}{index}").into()).collect();
    let columns = ["c".to_owned()];
    let suffix = SuffixRule::new("t", names.iter().map(AsRef::as_ref));
    let targets = Targets { table: "t", columns: &columns, names: &names, suffix: &suffix };
    let properties: BTreeMap<String, String> =
        properties.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    build_target(StrategyKind::Standard, type_name, &properties, &targets).unwrap()
}

fn algorithms() -> Vec<(&'static str, Box<dyn TargetAlgorithm>)> {
    let allow = ("allow-range-query-with-inline-sharding", "true");
    let volume = [("range-lower", "-500"), ("range-upper", "500"), ("sharding-volume", "100")];
    let seconds = [
        ("datetime-lower", "2024-01-01 00:00:00"),
        ("datetime-upper", "2024-01-11 00:00:00"),
        ("sharding-seconds", "86400"),
    ];
    let months = [
        ("datetime-pattern", "yyyy-MM-dd HH:mm:ss"),
        ("datetime-lower", "2023-01-01 00:00:00"),
        ("sharding-suffix-pattern", "M"),
        ("datetime-interval-unit", "MONTHS"),
    ];
    let years = [
        ("logic-name-prefix", "t_20"),
        ("datetime-lower", "2010-01-01 00:00:00"),
        ("datetime-upper", "2021-12-31 23:59:59"),
        ("sharding-suffix-pattern", "yy"),
        ("datetime-interval-unit", "YEARS"),
        ("zone-id", "UTC"),
    ];
    let expression = |text| [("algorithm-expression", text), allow];
    vec![
        ("MOD", built("MOD", &[("sharding-count", "12")], "t_")),
        ("MOD cut", built("MOD", &[("sharding-count", "12"), ("stop-offset", "1")], "t_")),
        ("HASH_MOD", built("HASH_MOD", &[("sharding-count", "12")], "t_")),
        ("VOLUME_RANGE", built("VOLUME_RANGE", &volume, "t_")),
        ("BOUNDARY_RANGE", built("BOUNDARY_RANGE", &[("sharding-ranges", "-9,0,5,700")], "t_")),
        ("AUTO_INTERVAL", built("AUTO_INTERVAL", &seconds, "t_")),
        ("INTERVAL", built("INTERVAL", &months, "t_x")),
        ("COSID_MOD", built("COSID_MOD", &[("mod", "12"), ("logic-name-prefix", "t_")], "t_")),
        ("COSID_INTERVAL", built("COSID_INTERVAL", &years, "t_20")),
        ("INLINE modulo", built("INLINE", &expression("t_${c % 12}"), "t_")),
        ("INLINE hash", built("INLINE", &expression("t_${Math.abs(c.hashCode() % 12)}"), "t_")),
        (
            "INLINE text",
            built("INLINE", &expression("t_${Math.abs((c + '').hashCode() % 12)}"), "t_"),
        ),
        (
            "INLINE month",
            built("INLINE", &expression("t_${c.toString().substring(5, 7).toInteger() - 1}"), "t_"),
        ),
    ]
}

/// A value with another spelling of it, and a number that orders as it does.
#[derive(Debug, Clone)]
struct Sample {
    written: Value<'static>,
    respelled: Value<'static>,
    order: i128,
}

fn text(text: String) -> Value<'static> {
    Value::Bytes(Cow::Owned(text.into_bytes()))
}

fn integer(value: i128) -> Sample {
    let respelled = if value.unsigned_abs() < 1 << 53 {
        text(value.to_string())
    } else {
        Value::Decimal(format!("{value}.0").into())
    };
    let written = match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => Value::Int(value),
        (_, Ok(value)) => Value::UInt(value),
        _ => Value::Decimal(value.to_string().into()),
    };
    Sample { written, respelled, order: value * 100 }
}

fn hundredths(value: i128) -> Sample {
    let sign = if value < 0 { "-" } else { "" };
    let magnitude = value.unsigned_abs();
    let written = format!("{sign}{}.{:02}", magnitude / 100, magnitude % 100);
    let respelled = Value::Decimal(format!("{written}0").into());
    Sample { written: Value::Decimal(written.into()), respelled, order: value }
}

fn moment(day: i128, second: i128) -> Sample {
    // Days from the year 2010 on, by the calendar of this test: months of 28 days are enough.
    let (year, month, date) = (2010 + day / 336, day / 28 % 12 + 1, day % 28 + 1);
    let clock = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    let short = format!("{year}-{month}-{date} {clock}");
    let long = format!("{year}-{month:02}-{date:02} {clock}.000");
    Sample { written: text(short), respelled: text(long), order: day * 86_400 + second }
}

fn samples() -> impl Strategy<Value = (usize, Vec<Sample>)> {
    let small = -1000_i128..1000;
    let edges = prop::sample::select(vec![
        i128::from(i32::MIN),
        i128::from(i32::MAX),
        i128::from(i64::MIN),
        i128::from(i64::MAX),
        1 << 63,
        i128::from(u64::MAX),
        1 << 31,
        -(1 << 31) - 1,
    ]);
    let number = prop_oneof![4 => small.clone(), 1 => edges];
    let moments = (0_i128..336 * 20, 0_i128..86_400, any::<bool>());
    let midnight = |(day, second, is_midnight): (i128, i128, bool)| {
        moment(day, if is_midnight { 0 } else { second })
    };
    prop_oneof![
        (0_usize..6, prop::collection::vec(number.prop_map(integer), 3)),
        (Just(6_usize), prop::collection::vec((-100_000_i128..100_000).prop_map(hundredths), 3)),
        (7_usize..10, prop::collection::vec(moments.prop_map(midnight), 3)),
    ]
}

fn found(algorithm: &dyn TargetAlgorithm, known: &Known<'_>) -> Option<NodeSet> {
    let mut nodes = NodeSet::empty(TARGETS);
    algorithm.find(std::slice::from_ref(known), &mut nodes).ok().map(|()| nodes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn rows_are_found_where_they_were_placed((kind, samples) in samples()) {
        let (column_type, collation) = [
            ("tinyint(4)", ""),
            ("int(11)", ""),
            ("int(10) unsigned", ""),
            ("bigint(20)", ""),
            ("bigint(20) unsigned", ""),
            ("decimal(20,0)", ""),
            ("decimal(12,2)", ""),
            ("datetime", ""),
            ("datetime(3)", ""),
            ("varchar(40)", "utf8mb4_bin"),
        ][kind];
        let column = column(column_type, collation);
        let [row, low, high] = &samples[..] else { unreachable!() };
        let Ok(key) = column.stored("c", row.written.clone(), true) else { return Ok(()) };
        for (name, algorithm) in algorithms() {
            let what = format!("{name} {column_type} {row:?}");
            let Ok(Some(target)) = algorithm.place(std::slice::from_ref(&key)) else { continue };
            for value in [&row.written, &row.respelled] {
                match column.compared(value.clone(), true, false) {
                    Compared::Key(compared) => {
                        let is_equal_text = kind != 9 || compared == key;
                        let only = algorithm.find_only(std::slice::from_ref(&compared));
                        let nodes = found(&*algorithm, &Known::Key(compared));
                        prop_assert!(
                            !is_equal_text || nodes.is_some_and(|nodes| nodes.contains(target)),
                            "{what} = {value:?}"
                        );
                        prop_assert!(!is_equal_text || only.is_none_or(|only| only == target), "{what}");
                    }
                    Compared::Nothing => prop_assert!(false, "{what} is not {value:?}"),
                    Compared::Uncertain => {}
                }
            }
            let lower = (low.order <= row.order).then(|| (low.written.clone(), true));
            let upper = (high.order > row.order).then(|| (high.written.clone(), false));
            if kind != 9 {
                let range = column.range(lower, upper);
                let nodes = range.and_then(|range| found(&*algorithm, &Known::Range(range)));
                prop_assert!(nodes.is_some_and(|nodes| nodes.contains(target)), "{what} in {range:?}");
            }
        }
    }
}

/// The property says nothing of what is never placed; each algorithm places something.
#[test]
fn each_algorithm_places() {
    let int = column("int(11)", "");
    let datetime = column("datetime", "");
    for (name, algorithm) in algorithms() {
        let number = int.stored("c", Value::Int(77), true).unwrap();
        let moments = [0, 336 * 14 + 28]
            .map(|day| datetime.stored("c", moment(day, 0).written, true).unwrap());
        let is_placed = |key| matches!(algorithm.place(&[key]), Ok(Some(_)));
        assert!(moments.into_iter().any(is_placed) || is_placed(number), "{name}");
    }
}
