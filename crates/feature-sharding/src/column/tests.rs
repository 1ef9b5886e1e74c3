//! Values as the sharding column's type sees them.

use super::*;
use crate::algorithms::KeyRange;

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
    ShardingColumn::new("t", &metadata, false).unwrap()
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
    assert_eq!(tiny.range(None, None), Some(KeyRange::Integers { lower: 0, upper: 255 }));
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
        let (least, greatest) = (i128::from(i32::MIN), i128::from(i32::MAX));
        let from = |lower| Some(KeyRange::Integers { lower, upper: greatest });
        let to = |upper| Some(KeyRange::Integers { lower: least, upper });
        assert_eq!(int.range(Some((value.clone(), true)), None), from(lower_in), "{value:?} >=");
        assert_eq!(int.range(Some((value.clone(), false)), None), from(lower_out), "{value:?} >");
        assert_eq!(int.range(None, Some((value.clone(), true))), to(upper_in), "{value:?} <=");
        assert_eq!(int.range(None, Some((value.clone(), false))), to(upper_out), "{value:?} <");
    }
    assert_eq!(int.range(Some((bytes("7x"), true)), None), int.range(None, None));
    assert_eq!(int.range(Some((Value::Null, true)), None), None);
    assert_eq!(int.range(Some((bytes("7"), true)), Some((bytes("6"), true))), None);
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
    for data_type in ["double", "float", "timestamp", "time", "enum", "json", "bit"] {
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
        assert_eq!(
            ShardingColumn::new("t", &metadata, false).unwrap_err().code,
            10410,
            "{data_type}"
        );
    }
}

#[test]
fn decimals() {
    let key = |unscaled| Key::Decimal { unscaled, scale: 2 };
    let column = |column_type: &str| column("decimal", column_type, "");
    let price = column("decimal(5,2)");
    for (value, compared, stored) in [
        (Value::Int(5), Compared::Key(key(500)), Ok(key(500))),
        (Value::Int(-5), Compared::Key(key(-500)), Ok(key(-500))),
        (decimal("5.5"), Compared::Key(key(550)), Ok(key(550))),
        (decimal("5.500"), Compared::Key(key(550)), Ok(key(550))),
        (decimal("5.555"), Compared::Nothing, Ok(key(556))),
        (decimal("-5.555"), Compared::Nothing, Ok(key(-556))),
        (decimal("-5.554"), Compared::Nothing, Ok(key(-555))),
        (decimal("-.001"), Compared::Nothing, Ok(key(0))),
        (decimal("999.99"), Compared::Key(key(99_999)), Ok(key(99_999))),
        (decimal("999.995"), Compared::Nothing, Err(1264)),
        (Value::Int(1000), Compared::Nothing, Err(1264)),
        (bytes("5.55"), Compared::Uncertain, Ok(key(555))),
        (bytes("5e1"), Compared::Uncertain, Err(1366)),
        (Value::Double(5.5), Compared::Uncertain, Err(1366)),
        (Value::Null, Compared::Nothing, Err(20020)),
    ] {
        assert_eq!(price.compared(value.clone(), true, false), compared, "{value:?}");
        let result = price.stored("c", value.clone(), true).map_err(|error| error.code);
        assert_eq!(result, stored, "{value:?}");
    }
    let unsigned = column("decimal(5,2) unsigned");
    assert_eq!(unsigned.stored("c", Value::Int(-1), true).unwrap_err().code, 1264);
    assert_eq!(
        column("decimal(10,0)").compared(Value::Int(7), true, false),
        Compared::Key(Key::Integer { value: 7, is_long: true })
    );
    let range = price.range(Some((decimal("-1.5"), true)), Some((decimal("2.001"), false)));
    assert_eq!(range, Some(KeyRange::Numbers { lower: -2, upper: 3 }));
}

#[test]
fn dates_and_times() {
    let day = 19_727 * DAY;
    let key = |micros, precision| Key::Moment { micros, precision };
    let (date, seconds, millis) = (Precision::Day, Precision::Fraction(0), Precision::Fraction(3));
    for (data_type, column_type, value, compared, stored) in [
        ("date", "date", "2024-01-05", Some(key(day, date)), Ok(key(day, date))),
        ("date", "date", "2024-1-5 10:00:00", None, Ok(key(day, date))),
        ("date", "date", "2024-01-05 10:00:00.5", None, Err(1292)),
        ("date", "date", "20240105", None, Err(1292)),
        ("datetime", "datetime", "2024-1-5", Some(key(day, seconds)), Ok(key(day, seconds))),
        ("datetime", "datetime", "2024-01-05 00:00:00.5", None, Err(1292)),
        (
            "datetime",
            "datetime",
            "2024-01-05 00:00:00.0",
            Some(key(day, seconds)),
            Ok(key(day, seconds)),
        ),
        (
            "datetime",
            "datetime(3)",
            "2024-01-05 00:00:00.5",
            Some(key(day + 500_000, millis)),
            Ok(key(day + 500_000, millis)),
        ),
        ("datetime", "datetime", "0000-00-00 00:00:00", None, Err(1292)),
    ] {
        let column = column(data_type, column_type, "");
        let compared = compared.map_or(Compared::Uncertain, Compared::Key);
        assert_eq!(column.compared(bytes(value), true, false), compared, "{column_type} {value}");
        let result = column.stored("c", bytes(value), true).map_err(|error| error.code);
        assert_eq!(result, stored, "{column_type} {value}");
    }
    let datetime = column("datetime", "datetime", "");
    assert_eq!(datetime.compared(Value::Null, true, false), Compared::Nothing);
    assert_eq!(datetime.compared(Value::Int(20_240_105), true, false), Compared::Uncertain);
    let range = datetime.range(Some((bytes("2024-01-05"), true)), Some((Value::Int(1), true)));
    assert_eq!(range, Some(KeyRange::Moments { lower: day, upper: i64::MAX }));
}
