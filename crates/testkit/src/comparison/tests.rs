//! The comparison must see every difference that a client can see, and no other.

use super::*;

fn column(name: &str, kind: ColumnType) -> ColumnShape {
    ColumnShape {
        name: name.to_owned(),
        table: "t".to_owned(),
        kind,
        flags: ColumnFlags::empty(),
        collation: 63,
        decimals: 0,
        length: 20,
    }
}

fn rows(kind: ColumnType, values: &[Value]) -> Vec<Outcome> {
    vec![Outcome::Rows {
        columns: vec![column("a", kind)],
        rows: values.iter().map(|value| vec![value.clone()]).collect(),
        warnings: 0,
    }]
}

fn text(value: &str) -> Value {
    Value::Bytes(value.as_bytes().to_vec())
}

#[test]
fn order_counts_only_where_asked() {
    let kind = ColumnType::MYSQL_TYPE_LONGLONG;
    let up = rows(kind, &[text("1"), text("2")]);
    let down = rows(kind, &[text("2"), text("1")]);
    assert_eq!(find_difference(&up, &down, RowOrder::Any), None);
    let difference = find_difference(&up, &down, RowOrder::AsSent).unwrap();
    assert_eq!(difference, "row 1: expected ('1'), got ('2')");
}

#[test]
fn a_bag_counts_its_copies() {
    let kind = ColumnType::MYSQL_TYPE_LONGLONG;
    let one = rows(kind, &[text("1"), text("1"), text("2")]);
    let two = rows(kind, &[text("1"), text("2"), text("2")]);
    assert!(find_difference(&one, &two, RowOrder::Any).is_some());
}

#[test]
fn doubles_agree_to_the_last_places_and_decimals_exactly() {
    let cases = [
        (ColumnType::MYSQL_TYPE_DOUBLE, "0.30000000000000004", "0.3", true),
        (ColumnType::MYSQL_TYPE_DOUBLE, "0.3000001", "0.3", false),
        (ColumnType::MYSQL_TYPE_NEWDECIMAL, "0.30", "0.3", false),
        (ColumnType::MYSQL_TYPE_VAR_STRING, "0.30", "0.3", false),
    ];
    for (kind, expected, actual, same) in cases {
        let difference = find_difference(
            &rows(kind, &[text(expected)]),
            &rows(kind, &[text(actual)]),
            RowOrder::AsSent,
        );
        assert_eq!(difference.is_none(), same, "{kind:?} {expected} {actual}");
    }
}

#[test]
fn columns_count() {
    let base = column("a", ColumnType::MYSQL_TYPE_LONG);
    let variants = [
        ColumnShape { name: "b".to_owned(), ..base.clone() },
        ColumnShape { table: "t_0".to_owned(), ..base.clone() },
        ColumnShape { kind: ColumnType::MYSQL_TYPE_LONGLONG, ..base.clone() },
        ColumnShape { flags: ColumnFlags::UNSIGNED_FLAG, ..base.clone() },
        ColumnShape { collation: 45, ..base.clone() },
        ColumnShape { decimals: 4, ..base.clone() },
        ColumnShape { length: 11, ..base.clone() },
    ];
    let result = |column: &ColumnShape| {
        vec![Outcome::Rows { columns: vec![column.clone()], rows: vec![], warnings: 0 }]
    };
    for variant in variants {
        let difference = find_difference(&result(&base), &result(&variant), RowOrder::Any);
        assert!(difference.is_some(), "{variant:?}");
    }
}

#[test]
fn errors_compare_by_number_and_state() {
    let error = |code, state: &str, message: &str| {
        vec![Outcome::Error { code, state: state.to_owned(), message: message.to_owned() }]
    };
    let base = error(1062, "23000", "here");
    assert_eq!(find_difference(&base, &error(1062, "23000", "there"), RowOrder::Any), None);
    assert!(find_difference(&base, &error(1064, "42000", "here"), RowOrder::Any).is_some());
    let done =
        vec![Outcome::Done { affected: 0, last_insert_id: None, warnings: 0, info: String::new() }];
    assert!(find_difference(&base, &done, RowOrder::Any).is_some());
}
