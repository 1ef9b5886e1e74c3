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
        ("(1, NULL) IN ((1, 2), (2, 3))", "NULL"),
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
