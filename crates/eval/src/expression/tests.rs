//! Values as MariaDB 10.11 gives them; the comparison with servers has many more.

use sql::ast::{QueryBody, SelectItem, StatementKind};

use super::*;

fn parsed(text: &str) -> Expr {
    let statement = sql::parse(format!("SELECT {text}").as_bytes(), sql::SqlMode::default());
    let StatementKind::Query(query) = statement.unwrap().kind else { panic!("{text}") };
    let QueryBody::Select(select) = query.body else { panic!("{text}") };
    match select.items.into_iter().next() {
        Some(SelectItem::Expr { expr, .. }) => expr,
        _ => panic!("{text}"),
    }
}

fn shown(text: &str) -> String {
    let context = Context {
        flavour: Flavour::MariaDb,
        collation: "utf8mb4_general_ci".into(),
        ..Context::default()
    };
    let expression = match compile(&parsed(text), &NoColumns, &context) {
        Ok(expression) => expression,
        Err(error) => return error.to_string(),
    };
    match expression.evaluate_text(&NoRow, &context) {
        Ok(None) => "NULL".to_owned(),
        Ok(Some(text)) => String::from_utf8(text).unwrap(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn values_are_those_of_the_servers() {
    let cases = [
        ("1 + 2 * 3", "7"),
        ("1 / 3", "0.3333"),
        ("(1 / 3) * 3", "1.0000"),
        ("1 / 3 = 0.3333", "1"),
        ("5 DIV 2", "2"),
        ("-5 DIV 2", "-2"),
        ("-5 % 3", "-2"),
        ("5.5 % 2", "1.5"),
        ("1.10 * 2.05", "2.2550"),
        ("1 / 0", "NULL"),
        ("'1.5' + 1", "2.5"),
        ("1e0 / 3", "0.3333333333333333"),
        ("9223372036854775807 + 1", "BIGINT value is out of range"),
        ("18446744073709551615 - 1", "18446744073709551614"),
        ("NULL AND 0", "0"),
        ("NULL OR 0", "NULL"),
        ("NOT 0.0", "1"),
        ("'a' = 'A '", "1"),
        ("1 IN (2, NULL)", "NULL"),
        ("1 NOT IN (1, NULL)", "0"),
        ("2 BETWEEN 1 AND NULL", "NULL"),
        ("NULL <=> NULL", "1"),
        ("IF(1, 1, 2.50)", "1.00"),
        ("CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END", "b"),
        ("COALESCE(NULL, 'x', 3)", "x"),
        ("NULLIF(1, 1)", "NULL"),
        ("(1, 2) = (1, 3)", "0"),
        ("(1, 3) IN ((1, 2), (1, 3))", "1"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("DATE '2024-01-31' > '2024-01-30'", "1"),
        ("DATE '2024-01-31' + 1", "20240132"),
        ("100000000000 / 7.77", "12870012870.0129"),
        ("NOW()", "NOW is not computed by the proxy"),
    ];
    for (text, value) in cases {
        assert_eq!(shown(text), value, "{text}");
    }
}

#[test]
fn only_certain_constants_are_folded() {
    let context = Context::default();
    let folded = |text: &str| fold(&parsed(text), &NoColumns, &context);
    assert_eq!(folded("1 + 2"), Some(Value::Int(3)));
    assert_eq!(folded("CONCAT('a', 1)"), Some(Value::Bytes(b"a1".into())));
    assert_eq!(folded("CAST('2024-01-31' AS DATE)"), Some(Value::Bytes(b"2024-01-31".into())));
    assert_eq!(folded("NULLIF(1, 1)"), Some(Value::Null));
    for uncertain in ["'1x' + 1", "1 / 0", "a + 1", "NOW()", "RAND()", "9223372036854775807 + 1"] {
        assert_eq!(folded(uncertain), None, "{uncertain}");
    }
}

#[test]
fn what_depends_on_the_session_is_not_folded_anywhere() {
    let folded = |text: &str| fold_anywhere(&parsed(text), &NoColumns);
    assert_eq!(folded("7 - 9"), Some(Value::Int(-2)));
    assert_eq!(folded("6 / 2"), Some(Value::Decimal("3.0000".into())));
    assert_eq!(folded("UPPER('ab')"), Some(Value::Bytes(b"AB".into())));
    for uncertain in ["1 / 3", "IF('a' = 'a ', 1, 2)", "CAST(9 AS UNSIGNED) - 9"] {
        assert_eq!(folded(uncertain), None, "{uncertain}");
    }
}

#[test]
fn columns_are_read_from_text_rows() {
    struct OneColumn(Type);
    impl Scope for OneColumn {
        fn resolve(&self, expr: &Expr) -> Option<Slot> {
            let is_column = matches!(expr.kind, sql::ast::ExprKind::Column(_));
            is_column.then(|| Slot { index: 0, ty: self.0.clone() })
        }
    }
    let context = Context { collation: "utf8mb4_bin".into(), ..Context::default() };
    let text = || Type::text_of("utf8mb4_bin", Coercibility::Implicit);
    let cases = [
        (Type::INTEGER, "-5", "a * 2", Some("-10")),
        (Type::UNSIGNED, "18446744073709551615", "a DIV 2", Some("9223372036854775807")),
        (Type::decimal(2), "1.50", "a * a", Some("2.2500")),
        (Type::DOUBLE, "1e300", "a / 10", Some("1e299")),
        (Type::DATE, "2024-02-29", "a + INTERVAL 1 YEAR", Some("2025-02-28")),
        (Type::date_time(0), "2024-12-31 23:59:59", "YEAR(a)", Some("2024")),
        (Type::time(0), "-10:11:12", "a + 0", Some("-101112")),
        (text(), "abc", "a LIKE 'a_c'", Some("1")),
        (text(), "abc", "NULLIF(a, 'abc')", None),
    ];
    for (ty, value, expression, expected) in cases {
        let compiled = compile(&parsed(expression), &OneColumn(ty), &context).unwrap();
        let row = vec![Value::Bytes(value.as_bytes().into())];
        let text = compiled.evaluate_text(&row, &context).unwrap();
        assert_eq!(text.as_deref(), expected.map(str::as_bytes), "{expression} of {value}");
        let nothing = vec![Value::Null];
        assert_eq!(compiled.evaluate_text(&nothing, &context), Ok(None), "{expression} of NULL");
    }
}

#[test]
fn strings_are_limited() {
    let context = Context { max_allowed_packet: 10, ..Context::default() };
    for text in
        ["REPEAT('abc', 4)", "SPACE(11)", "LPAD('a', 11, 'b')", "CONCAT('abcdef', 'abcdef')"]
    {
        let compiled = compile(&parsed(text), &NoColumns, &context).unwrap();
        assert_eq!(compiled.evaluate_counting(&NoRow, &context), Ok((Value::Null, 1)), "{text}");
    }
}

#[test]
fn deep_trees_are_refused() {
    let deep = format!("1{}", " + 1".repeat(400));
    assert!(compile(&parsed(&deep), &NoColumns, &Context::default()).is_err());
    let wide = format!("1{}", " AND 1".repeat(5000));
    assert!(compile(&parsed(&wide), &NoColumns, &Context::default()).is_ok());
}
