//! Values as the sharding column's type sees them.

use super::*;

fn column(data_type: &str, column_type: &str, collation: &str) -> ShardingColumn {
    let metadata = ColumnMetadata {
        name: "c".to_owned(),
        data_type: data_type.to_owned(),
        column_type: column_type.to_owned(),
        collation: collation.to_owned(),
        is_nullable: true,
        is_auto_increment: false,
        has_default: false,
        is_invisible: false,
    };
    ShardingColumn::new("t", &metadata).unwrap()
}

fn bytes(text: &str) -> Value<'_> {
    Value::Bytes(Cow::Borrowed(text.as_bytes()))
}

fn decimal(text: &str) -> Value<'_> {
    Value::Decimal(Cow::Borrowed(text))
}

fn integer(value: i128) -> Compared<'static> {
    Compared::Key(Key::Integer { value, is_long: false })
}

#[test]
fn comparisons_with_an_integer_column() {
    let int = column("int", "int(11)", "");
    for (value, expected) in [
        (Value::Int(5), integer(5)),
        (Value::Int(-5), integer(-5)),
        (Value::UInt(7), integer(7)),
        (Value::Int(1 << 31), Compared::Nothing),
        (Value::UInt(u64::MAX), Compared::Nothing),
        (decimal("5.000"), integer(5)),
        (decimal("-5.0"), integer(-5)),
        (decimal("1.5"), Compared::Nothing),
        (decimal("-.5"), Compared::Nothing),
        (decimal("x"), Compared::Uncertain),
        (Value::Double(5.0), integer(5)),
        (Value::Double(5.25), Compared::Nothing),
        (Value::Double(1e18), Compared::Uncertain),
        (Value::Double(f64::NAN), Compared::Uncertain),
        (bytes("12"), integer(12)),
        (bytes("-12"), integer(-12)),
        (bytes("012"), integer(12)),
        (bytes("12abc"), Compared::Uncertain),
        (bytes(" 12"), Compared::Uncertain),
        (bytes("1.5"), Compared::Uncertain),
        (bytes("9007199254740993"), Compared::Uncertain),
        (bytes(""), Compared::Uncertain),
        (Value::Null, Compared::Nothing),
    ] {
        assert_eq!(int.compared(value.clone(), true, false), expected, "{value:?}");
    }
}

#[test]
fn the_domain_of_unsigned_columns() {
    let tiny = column("tinyint", "tinyint(3) unsigned", "");
    assert_eq!(tiny.domain(), Some((0, 255)));
    assert_eq!(tiny.compared(Value::Int(-1), true, false), Compared::Nothing);
    let big = column("bigint", "bigint(20) unsigned", "");
    let expected = Compared::Key(Key::Integer { value: i128::from(u64::MAX), is_long: true });
    assert_eq!(big.compared(Value::UInt(u64::MAX), true, false), expected);
    assert_eq!(big.compared(decimal("18446744073709551616"), true, false), Compared::Nothing);
}

#[test]
fn bounds_are_the_nearest_integers_inside() {
    let int = column("int", "int(11)", "");
    for (value, lower_in, lower_out, upper_in, upper_out) in [
        (Value::Int(5), 5, 6, 5, 4),
        (decimal("5.5"), 6, 6, 5, 5),
        (decimal("-5.5"), -5, -5, -6, -6),
        (decimal("-5.0"), -5, -4, -5, -6),
        (Value::Double(-0.5), 0, 0, -1, -1),
        (bytes("7"), 7, 8, 7, 6),
    ] {
        assert_eq!(int.lower_bound(&value, true), Bound::Integer(lower_in), "{value:?} >=");
        assert_eq!(int.lower_bound(&value, false), Bound::Integer(lower_out), "{value:?} >");
        assert_eq!(int.upper_bound(&value, true), Bound::Integer(upper_in), "{value:?} <=");
        assert_eq!(int.upper_bound(&value, false), Bound::Integer(upper_out), "{value:?} <");
    }
    assert_eq!(int.lower_bound(&bytes("7x"), true), Bound::Uncertain);
    assert_eq!(int.lower_bound(&Value::Null, true), Bound::Nothing);
}

#[test]
fn what_an_integer_column_stores() {
    let int = column("int", "int(11)", "");
    for (value, expected) in [
        (Value::Int(-1), Ok(-1)),
        (decimal("1.5"), Ok(2)),
        (decimal("-1.5"), Ok(-2)),
        (decimal("2.4"), Ok(2)),
        (Value::Double(3.0), Ok(3)),
        (Value::Double(2.5), Err(1366)),
        (bytes("12"), Ok(12)),
        (bytes("12abc"), Err(1366)),
        (Value::Null, Err(20020)),
        (Value::Int(i64::MAX), Err(1264)),
    ] {
        let stored = int.stored("c", value.clone(), true).map_err(|error| error.code);
        let expected = expected.map(|value| Key::Integer { value, is_long: false });
        assert_eq!(stored, expected, "{value:?}");
    }
}

#[test]
fn years_have_four_digits() {
    let year = column("year", "year(4)", "");
    assert_eq!(year.compared(Value::Int(2024), true, false), integer(2024));
    assert_eq!(year.compared(Value::Int(70), true, false), Compared::Uncertain);
    assert_eq!(
        year.stored("c", bytes("2024"), true),
        Ok(Key::Integer { value: 2024, is_long: false })
    );
    assert_eq!(year.stored("c", Value::Int(70), true).unwrap_err().code, 1264);
}

#[test]
fn comparisons_with_a_string_column() {
    let key = |text: &'static str| Compared::Key(Key::Text(Cow::Borrowed(text.as_bytes())));
    let ci = column("varchar", "varchar(20)", "utf8mb4_general_ci");
    let bin = column("varchar", "varchar(20)", "utf8mb4_bin");
    let no_pad = column("varchar", "varchar(20)", "utf8mb4_0900_bin");
    let binary = column("binary", "binary(4)", "");
    let latin = column("varchar", "varchar(20)", "latin1_bin");
    for (column, value, expected) in [
        (&ci, "abc", Compared::Uncertain),
        (&ci, "123", key("123")),
        (&ci, "123  ", key("123")),
        (&ci, "", Compared::Uncertain),
        (&bin, "abc", key("abc")),
        (&bin, "abc  ", key("abc")),
        (&bin, "é", key("é")),
        (&no_pad, "abc ", key("abc ")),
        (&binary, "a\0\0", key("a")),
        (&latin, "é", key("é")),
        (&latin, "a?", Compared::Uncertain),
    ] {
        assert_eq!(column.compared(bytes(value), true, false), expected, "{column:?} {value}");
    }
    assert_eq!(bin.compared(Value::Int(5), true, false), Compared::Uncertain);
    assert_eq!(bin.compared(bytes("é"), false, false), Compared::Uncertain);
    assert_eq!(ci.compared(bytes("abc"), true, true), key("abc"));
}

#[test]
fn what_a_string_column_stores() {
    let key = |text: &'static str| Ok(Key::Text(Cow::Borrowed(text.as_bytes())));
    let ci = column("varchar", "varchar(3)", "utf8mb4_general_ci");
    let utf8mb3 = column("varchar", "varchar(3)", "utf8mb3_bin");
    for (column, value, expected) in [
        (&ci, bytes("abc"), key("abc")),
        (&ci, bytes("äöü"), key("äöü")),
        (&ci, bytes("abc   "), key("abc")),
        (&ci, bytes("abcd"), Err(1406)),
        (&ci, bytes("１２"), Err(1366)),
        (&ci, bytes("1\u{200b}2"), Err(1366)),
        (&ci, Value::Int(12), key("12")),
        (&ci, decimal("1.5"), Err(1366)),
        (&ci, Value::Null, Err(20020)),
        (&utf8mb3, bytes("😀"), Err(1366)),
    ] {
        let stored = column.stored("c", value.clone(), true).map_err(|error| error.code);
        assert_eq!(stored, expected, "{value:?}");
    }
}

#[test]
fn other_types_are_refused() {
    for data_type in ["decimal", "double", "datetime", "enum", "json", "bit"] {
        let metadata = ColumnMetadata {
            name: "c".to_owned(),
            data_type: data_type.to_owned(),
            column_type: data_type.to_owned(),
            collation: String::new(),
            is_nullable: true,
            is_auto_increment: false,
            has_default: false,
            is_invisible: false,
        };
        assert_eq!(ShardingColumn::new("t", &metadata).unwrap_err().code, 10410, "{data_type}");
    }
}
