//! Targets of inline expressions.

use super::super::{StrategyKind, SuffixRule, build_target};
use super::*;

fn names(list: &[&str]) -> Vec<Arc<str>> {
    list.iter().map(|name| Arc::from(*name)).collect()
}

fn built(
    kind: StrategyKind,
    type_name: &str,
    properties: &[(&str, &str)],
    columns: &[&str],
    targets: &[&str],
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let properties: Properties =
        properties.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let columns: Vec<String> = columns.iter().map(|column| (*column).to_owned()).collect();
    let names = names(targets);
    let suffix = SuffixRule::new("t", targets.iter().copied());
    let targets = Targets { table: "t", columns: &columns, names: &names, suffix: &suffix };
    build_target(kind, type_name, &properties, &targets)
}

fn standard(expression: &str, targets: &[&str]) -> Box<dyn TargetAlgorithm> {
    let properties = [("algorithm-expression", expression)];
    built(StrategyKind::Standard, "inline", &properties, &["id"], targets).unwrap()
}

fn int(value: i128) -> Key<'static> {
    Key::Integer { value, is_long: false }
}

fn long(value: i128) -> Key<'static> {
    Key::Integer { value, is_long: true }
}

fn text(text: &'static str) -> Key<'static> {
    Key::Text(text.as_bytes().into())
}

fn found(algorithm: &dyn TargetAlgorithm, count: u32, known: &[Known<'_>]) -> Vec<u32> {
    let mut nodes = NodeSet::empty(count);
    algorithm.find(known, &mut nodes).unwrap();
    (0..count).filter(|node| nodes.contains(*node)).collect()
}

#[test]
fn rows_are_placed_by_the_expression() {
    let four = ["t_0", "t_1", "t_2", "t_3"];
    for (expression, targets, key, expected) in [
        ("t_${id % 4}", four.as_slice(), int(7), Ok(3)),
        ("T_${id % 4}", &four, int(7), Ok(3)),
        ("t_${id % 4}", &four, long(i128::from(u64::MAX)), Ok(3)),
        ("t_${id % 4}", &four, int(-1), Err(20051)),
        ("t_${id % 5}", &four, int(4), Err(20051)),
        ("t_${Math.abs(id.hashCode()) % 4}", &four, text("abc"), Ok(2)),
        ("t_${Math.abs(id.hashCode()) % 4}", &four, int(-1), Ok(1)),
        ("t_${Math.abs(id.hashCode()) % 4}", &four, long(-1), Ok(0)),
        ("t_${id.substring(0, 4)}", &["t_2023", "t_2024"], text("2024-05"), Ok(1)),
        ("t_${id.substring(0, 4)}", &["t_2023", "t_2024"], text("20"), Err(10440)),
        ("t_${id % 4}", &four, Key::Text(vec![0xff].into()), Err(10440)),
    ] {
        let algorithm = standard(expression, targets);
        let placed = algorithm.place(std::slice::from_ref(&key)).map_err(|error| error.code);
        assert_eq!(placed, expected.map(Some), "{expression} {key:?}");
        if let Ok(target) = expected {
            let count = targets.len() as u32;
            let nodes = found(&*algorithm, count, &[Known::Key(key.clone())]);
            assert!(nodes.contains(&target), "{expression} {key:?}");
            let only = algorithm.find_only(std::slice::from_ref(&key));
            assert!(only.is_none_or(|only| nodes == [only]), "{expression} {key:?}");
        }
    }
}

#[test]
fn both_forms_of_a_negative_number_are_read() {
    let algorithm = standard("t_${Math.abs(id.hashCode()) % 4}", &["t_0", "t_1", "t_2", "t_3"]);
    assert_eq!(found(&*algorithm, 4, &[Known::Key(long(-1))]), [0, 1]);
    assert_eq!(found(&*algorithm, 4, &[Known::Key(long(6))]), [2]);
    assert_eq!(algorithm.find_only(&[long(-1)]), None);
    assert_eq!(algorithm.find_only(&[long(6)]), Some(2));
}

#[test]
fn a_value_without_a_target_is_an_error_for_reads_too() {
    let algorithm = standard("t_${id % 4}", &["t_0", "t_1"]);
    let mut nodes = NodeSet::empty(2);
    let error = algorithm.find(&[Known::Key(int(3))], &mut nodes).unwrap_err();
    assert_eq!(error.code, 20051);
    assert!(
        error.message.contains("t_3") && error.message.contains("t_0, t_1"),
        "{}",
        error.message
    );
}

#[test]
fn ranges_are_refused_until_they_are_allowed() {
    let range = [Known::Range(super::super::KeyRange::Integers { lower: 1, upper: 2 })];
    let algorithm = standard("t_${id % 2}", &["t_0", "t_1"]);
    let error = algorithm.find(&range, &mut NodeSet::empty(2)).unwrap_err();
    assert_eq!(error.code, 30001);
    assert!(error.message.contains(ALLOW_RANGE), "{}", error.message);
    assert_eq!(found(&*algorithm, 2, &[Known::Anything]), [0, 1]);
    let properties = [(EXPRESSION, "t_${id % 2}"), (ALLOW_RANGE, "true")];
    let algorithm =
        built(StrategyKind::Standard, "INLINE", &properties, &["id"], &["t_0", "t_1"]).unwrap();
    assert_eq!(found(&*algorithm, 2, &range), [0, 1]);
}

#[test]
fn several_columns() {
    let properties = [(EXPRESSION, "t_${a % 2}_${b % 2}")];
    let targets = ["t_0_0", "t_0_1", "t_1_0", "t_1_1"];
    let algorithm =
        built(StrategyKind::Complex, "COMPLEX_INLINE", &properties, &["a", "b", "c"], &targets)
            .unwrap();
    let row = [int(3), int(4), text("unused")];
    assert_eq!(algorithm.place(&row), Ok(Some(2)));
    assert_eq!(algorithm.find_only(&row), Some(2));
    let known = [Known::Key(int(3)), Known::Key(int(4)), Known::Anything];
    assert_eq!(found(&*algorithm, 4, &known), [2]);
    let known = [Known::Key(int(3)), Known::Anything, Known::Anything];
    assert_eq!(found(&*algorithm, 4, &known), [0, 1, 2, 3]);
}

#[test]
fn hints() {
    let targets = ["ds_0", "ds_1"];
    let build = |properties: &[(&str, &str)]| {
        built(StrategyKind::Hint, "HINT_INLINE", properties, &[], &targets).unwrap()
    };
    let algorithm = build(&[(EXPRESSION, "ds_${value % 2}")]);
    assert_eq!(algorithm.place(&[int(3)]), Ok(Some(1)));
    assert_eq!(found(&*algorithm, 2, &[Known::Key(int(4))]), [0]);
    assert_eq!(found(&*algorithm, 2, &[Known::Anything]), [0, 1]);
    assert_eq!(build(&[]).place(&[text("ds_1")]), Ok(Some(1)));
}

#[test]
fn bad_definitions_are_refused() {
    use StrategyKind::{Complex, Hint, Standard};
    for (kind, type_name, properties, code) in [
        (Standard, "INLINE", vec![], 10404),
        (Standard, "INLINE", vec![(EXPRESSION, "")], 10404),
        (Standard, "INLINE", vec![(EXPRESSION, "t_${user % 2}")], 20052),
        (Standard, "INLINE", vec![(EXPRESSION, "t_id_${1}")], 20052),
        (Standard, "INLINE", vec![(EXPRESSION, "t_${id % }")], 10404),
        (Standard, "INLINE", vec![(EXPRESSION, "t_${id}"), (ALLOW_RANGE, "maybe")], 10404),
        (Standard, "COMPLEX_INLINE", vec![(EXPRESSION, "t_${id}")], 10410),
        (Complex, "INLINE", vec![(EXPRESSION, "t_${id}")], 10410),
        (Hint, "INLINE", vec![(EXPRESSION, "t_${id}")], 10410),
        (
            Complex,
            "COMPLEX_INLINE",
            vec![(EXPRESSION, "t_${id}"), ("sharding-columns", "a,b")],
            20053,
        ),
        (Standard, "NOPE", vec![], 10402),
        (Standard, "CLASS_BASED", vec![], 10410),
    ] {
        let error = built(kind, type_name, &properties, &["id"], &["t_0"]).unwrap_err();
        assert_eq!(error.code, code, "{type_name} {properties:?}: {}", error.message);
    }
}

#[test]
fn shapes_leave_names_out() {
    let shape = |table: &str, column: &str, expression: &str| {
        let columns = [column.to_owned()];
        let names = names(&[&format!("{table}_0"), &format!("{table}_1")]);
        let suffix = SuffixRule::new(table, names.iter().map(AsRef::as_ref));
        let targets = Targets { table, columns: &columns, names: &names, suffix: &suffix };
        let properties = Properties::from([(EXPRESSION.to_owned(), expression.to_owned())]);
        build_target(StrategyKind::Standard, "INLINE", &properties, &targets).unwrap().shape()
    };
    let one = shape("t_order", "order_id", "t_order_${order_id % 2}");
    assert_eq!(one, shape("t_item", "oid", "t_item_$->{oid  %  2}"));
    assert_ne!(one, shape("t_item", "oid", "t_item_${oid % 3}"));
}
