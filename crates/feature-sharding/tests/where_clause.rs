//! No row that WHERE accepts is on a node that is not asked, whatever the condition.

#![allow(clippy::unwrap_used, reason = "a broken expectation is a failed test")]

#[path = "golden/fixture.rs"]
#[allow(dead_code)]
mod fixture;

use eval::Value;
use fixture::Fixture;
use kernel::bind::{BindContext, plan};
use kernel::predicate::ValueSource;
use kernel::values::{ParamValues, TextValues};
use proptest::prelude::*;
use sql::SqlMode;
use sql::fingerprint::{Fingerprint, LiteralSpan};

/// A condition on two columns.
#[derive(Debug, Clone)]
enum Condition {
    Compare(&'static str, &'static str, Option<i64>, bool),
    In(&'static str, Vec<Option<i64>>, bool),
    Between(&'static str, i64, i64, bool),
    Null(&'static str, bool),
    Rows(Vec<(i64, i64)>),
    Columns(&'static str),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Is(Box<Condition>, bool),
    Constant(Option<bool>),
}

use Condition as C;

/// A row: the sharding column is never NULL.
type Row = (i64, Option<i64>);

fn number(value: Option<i64>) -> String {
    value.map_or("NULL".to_owned(), |value| value.to_string())
}

impl Condition {
    fn text(&self) -> String {
        let not = |negated: bool| if negated { "NOT " } else { "" };
        match self {
            C::Compare(column, op, value, false) => format!("{column} {op} {}", number(*value)),
            C::Compare(column, op, value, true) => format!("{} {op} {column}", number(*value)),
            C::In(column, values, negated) => {
                let values = values.iter().map(|value| number(*value)).collect::<Vec<_>>();
                format!("{column} {}IN ({})", not(*negated), values.join(", "))
            }
            C::Between(column, low, high, negated) => {
                format!("{column} {}BETWEEN {low} AND {high}", not(*negated))
            }
            C::Null(column, negated) => format!("{column} IS {}NULL", not(*negated)),
            C::Rows(rows) => {
                let rows = rows.iter().map(|(a, b)| format!("({a}, {b})")).collect::<Vec<_>>();
                format!("(id, age) IN ({})", rows.join(", "))
            }
            C::Columns(op) => format!("id {op} age"),
            C::Not(inner) => format!("NOT ({})", inner.text()),
            C::And(a, b) => format!("({} AND {})", a.text(), b.text()),
            C::Or(a, b) => format!("({} OR {})", a.text(), b.text()),
            C::Is(inner, truth) => {
                format!("(({}) IS {})", inner.text(), if *truth { "TRUE" } else { "FALSE" })
            }
            C::Constant(value) => match value {
                None => "NULL".to_owned(),
                Some(true) => "TRUE".to_owned(),
                Some(false) => "FALSE".to_owned(),
            },
        }
    }

    /// The truth of the condition for a row, with SQL's third value as `None`.
    fn truth(&self, row: Row) -> Option<bool> {
        let of = |column: &str| if column == "id" { Some(row.0) } else { row.1 };
        match self {
            C::Compare(column, op, value, false) => compare(of(column), op, *value),
            C::Compare(column, op, value, true) => compare(*value, op, of(column)),
            C::In(column, values, negated) => {
                let value = of(column)?;
                let found = if values.contains(&Some(value)) {
                    Some(true)
                } else if values.contains(&None) {
                    None
                } else {
                    Some(false)
                };
                found.map(|found| found != *negated)
            }
            C::Between(column, low, high, negated) => {
                let value = of(column)?;
                Some((*low <= value && value <= *high) != *negated)
            }
            C::Null(column, negated) => Some(of(column).is_none() != *negated),
            C::Rows(rows) => {
                if row.1.is_some() {
                    return Some(rows.iter().any(|(a, b)| row == (*a, Some(*b))));
                }
                if rows.iter().any(|(a, _)| row.0 == *a) { None } else { Some(false) }
            }
            C::Columns(op) => compare(Some(row.0), op, row.1),
            C::Not(inner) => inner.truth(row).map(|truth| !truth),
            C::And(a, b) => match (a.truth(row), b.truth(row)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            C::Or(a, b) => match (a.truth(row), b.truth(row)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            C::Is(inner, truth) => Some(inner.truth(row) == Some(*truth)),
            C::Constant(value) => *value,
        }
    }
}

fn compare(a: Option<i64>, op: &str, b: Option<i64>) -> Option<bool> {
    if op == "<=>" {
        return Some(a == b);
    }
    let (a, b) = (a?, b?);
    Some(match op {
        "=" => a == b,
        "<>" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        other => panic!("not made by the strategy: {other}"),
    })
}

fn conditions() -> impl Strategy<Value = Condition> {
    let column = || prop_oneof![3 => Just("id"), 1 => Just("age")];
    let op = || prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">=", "<=>"]);
    let value = || prop_oneof![8 => (-12_i64..25).prop_map(Some), 1 => Just(None)];
    let plain = || -12_i64..25;
    let leaf = prop_oneof![
        6 => (column(), op(), value(), any::<bool>())
            .prop_map(|(column, op, value, mirrored)| C::Compare(column, op, value, mirrored)),
        2 => (column(), prop::collection::vec(value(), 1..4), any::<bool>())
            .prop_map(|(column, values, negated)| C::In(column, values, negated)),
        2 => (column(), plain(), plain(), any::<bool>())
            .prop_map(|(column, low, high, negated)| C::Between(column, low, high, negated)),
        1 => (column(), any::<bool>()).prop_map(|(column, negated)| C::Null(column, negated)),
        1 => prop::collection::vec((plain(), plain()), 1..4).prop_map(C::Rows),
        1 => op().prop_map(C::Columns),
        1 => prop_oneof![Just(None), Just(Some(true)), Just(Some(false))].prop_map(C::Constant),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|inner| C::Not(Box::new(inner))),
            two.clone().prop_map(|(a, b)| C::And(Box::new(a), Box::new(b))),
            two.prop_map(|(a, b)| C::Or(Box::new(a), Box::new(b))),
            (inner, any::<bool>()).prop_map(|(inner, truth)| C::Is(Box::new(inner), truth)),
        ]
    })
}

/// The nodes of `t_user` (ten of them, by `id` modulo 10) that a statement is sent to.
fn nodes(
    fixture: &Fixture,
    text: &str,
    literals: &[LiteralSpan],
    values: &dyn ValueSource,
) -> Vec<u32> {
    let statement = sql::parse(text.as_bytes(), SqlMode::default()).unwrap();
    let context = BindContext {
        database: Some(&fixture.snapshot.databases["shop"]),
        is_in_system_database: false,
        snapshot: &fixture.snapshot,
        sql_mode: SqlMode::default(),
        temporary_tables: &[],
    };
    let plan = plan(text.as_bytes(), &statement, literals, &context).unwrap();
    plan.route(values).unwrap().iter().map(|unit| unit.node).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_accepted_row_is_lost(condition in conditions()) {
        let fixture = Fixture::new();
        let text = format!("SELECT * FROM t_user WHERE {}", condition.text());
        let mode = SqlMode::default();
        let mut fingerprint = Fingerprint::default();
        fingerprint.scan(text.as_bytes(), mode);
        let literals = &fingerprint.literals;
        let values = TextValues { text: text.as_bytes(), literals, mode, is_utf8: true };
        let asked = nodes(&fixture, &text, literals, &values);
        let constant = nodes(&fixture, &text, &[], &ParamValues { params: &[], is_utf8: true });
        prop_assert_eq!(&asked, &constant, "{}", text);
        for id in -14..28 {
            for age in (-14..28).map(Some).chain([None]) {
                if condition.truth((id, age)) == Some(true) {
                    let node = id.rem_euclid(10) as u32;
                    prop_assert!(asked.contains(&node), "({id}, {age:?}) of {text}: {asked:?}");
                }
            }
        }
    }
}

/// Conditions that must narrow: a route that always asks all nodes would pass the test above.
#[test]
fn routes_are_narrow() {
    let fixture = Fixture::new();
    let params = [Value::Int(13), Value::Int(14)];
    let values = ParamValues { params: &params, is_utf8: true };
    for (condition, expected) in [
        ("id = ?", vec![3]),
        ("id = ? OR id = ?", vec![3, 4]),
        ("id >= ? AND id < ?", vec![3]),
        ("NOT (id < ? OR id > ?)", vec![3, 4]),
        ("(id, age) = (?, ?)", vec![3]),
        ("id IN (?, ?) AND age IN (1, 2)", vec![3, 4]),
        ("id IN (?, 14) AND NOT id <> ?", vec![4]),
    ] {
        let text = format!("SELECT * FROM t_user WHERE {condition}");
        assert_eq!(nodes(&fixture, &text, &[], &values), expected, "{condition}");
    }
}
