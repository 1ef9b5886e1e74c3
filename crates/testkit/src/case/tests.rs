//! Reading case files.

use super::*;

#[test]
fn annotations_hold_for_what_they_should() {
    let text = "\
# A remark.
-- group first
-- tables t, s
-- error 1062
INSERT INTO t
VALUES (1);
SELECT 1;

-- group second
-- tables -
-- unordered
-- connection 2
SELECT 2 ORDER BY 1;
-- unsupported
SELECT 3;
-- unsupported 1235
SELECT 4;
";
    let cases = parse(text).unwrap();
    assert_eq!(cases.len(), 5);
    assert_eq!(cases[0].sql, "INSERT INTO t\nVALUES (1)");
    assert_eq!((cases[0].line, cases[0].connection), (5, 1));
    assert_eq!(cases[0].expectation, Expectation::Error(1062));
    assert_eq!(cases[0].tables, ["t", "s"]);
    assert_eq!((cases[1].group.as_str(), &cases[1].expectation), ("first", &Expectation::Same));
    assert_eq!((cases[2].group.as_str(), cases[2].connection), ("second", 2));
    assert!(cases[2].is_unordered && cases[2].tables.is_empty());
    assert_eq!(cases[3].expectation, Expectation::Unsupported(None));
    assert_eq!(cases[4].expectation, Expectation::Unsupported(Some(1235)));
}

#[test]
fn parameters_have_types() {
    let values = parse_values("1, -2, 18446744073709551615, 1.5, 'it''s, ok', NULL, ''").unwrap();
    let expected = [
        Value::Int(1),
        Value::Int(-2),
        Value::UInt(u64::MAX),
        Value::Double(1.5),
        Value::Bytes(b"it's, ok".to_vec()),
        Value::NULL,
        Value::Bytes(Vec::new()),
    ];
    assert_eq!(values, expected);
}

#[test]
fn mistakes_are_told_with_their_line() {
    let cases = [
        ("SELECT 1", 1, "no `;`"),
        ("\n-- eror 1\nSELECT 1;", 2, "not understood"),
        ("-- error x\nSELECT 1;", 1, "not an error number"),
        ("-- params 'x\nSELECT ?;", 1, "closing quote"),
    ];
    for (text, line, problem) in cases {
        let (found_line, found) = parse(text).unwrap_err();
        assert_eq!(found_line, line, "{text}");
        assert!(found.contains(problem), "{text}: {found}");
    }
}
