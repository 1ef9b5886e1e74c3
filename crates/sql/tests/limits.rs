//! Deep, long and wide statements: read or refused, in a small stack, quickly, and dropped again.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use sql::{ParseError, ParseReason, SqlMode, parse};

/// What a statement of greatest depth and height may use; debug builds have larger frames.
const STACK_BYTES: usize = if cfg!(debug_assertions) { 2048 } else { 1024 } * 1024;

/// Parses, clones, compares and drops in a thread with a small stack.
fn parse_in_small_stack(text: String) -> Result<(), ParseError> {
    let work = move || {
        let statement = parse(text.as_bytes(), SqlMode::default())?;
        assert!(statement.clone() == statement);
        Ok(())
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.expect("a thread starts").join().expect("the stack is large enough")
}

#[track_caller]
fn check_accepted(text: String) {
    if let Err(error) = parse_in_small_stack(text) {
        panic!("{error}");
    }
}

#[track_caller]
fn check_too_deep(text: String) {
    let error = parse_in_small_stack(text).expect_err("too deep");
    assert_eq!(error.reason, ParseReason::TooDeep, "{error}");
    assert!(error.to_string().contains("nested too deeply"));
}

#[test]
fn deep_nesting_is_refused() {
    let n = 100_000;
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("(SELECT ", "1", ")"),
        ("f(", "1", ")"),
        ("CASE WHEN ", "1", " THEN 1 END"),
        ("NOT ", "1", ""),
        ("- ", "1", ""),
        ("!", "1", ""),
        ("@a := ", "1", ""),
        ("1 + (", "1", ")"),
        ("1 OR 1 XOR 1 AND NOT 1 = 1 | 1 & 1 << 1 + 1 * 1 ^ - (", "1", ")"),
        ("(1, ", "1", ")"),
        ("1 IN (", "1", ")"),
        ("EXISTS (SELECT ", "1", ")"),
        ("INTERVAL (", "1", ") DAY"),
        ("{fn ", "1", "}"),
        ("BINARY ", "1", ""),
        ("CAST(", "1", " AS CHAR)"),
        ("f(1) OVER (ORDER BY ", "1", ")"),
    ] {
        check_too_deep(format!("SELECT {}{middle}{}", open.repeat(n), close.repeat(n)));
        check_too_deep(format!("SELECT {}", open.repeat(n)));
    }
    for (open, close) in [
        ("(SELECT * FROM ", ") t"),
        ("(", ")"),
        ("(t JOIN ", ")"),
        ("t JOIN ", ""),
        ("t LEFT JOIN ", " ON 1"),
        ("{OJ ", "}"),
        ("LATERAL (SELECT * FROM ", ") t"),
    ] {
        check_too_deep(format!("SELECT * FROM {}t{}", open.repeat(n), close.repeat(n)));
    }
    check_too_deep(format!("{}SELECT 1{}", "(".repeat(n), ")".repeat(n)));
    check_too_deep(format!("{}SELECT 1", "WITH a AS (".repeat(n)));
}

#[test]
fn ordinary_nesting_is_read() {
    for depth in [10, 50] {
        check_accepted(format!("SELECT {}1{}", "(".repeat(depth), ")".repeat(depth)));
        check_accepted(format!(
            "SELECT {}1{}",
            "a OR (b AND (".repeat(depth / 2),
            "))".repeat(depth / 2)
        ));
    }
    let joins: String = (0..61).map(|index| format!(" JOIN t{index} USING (a)")).collect();
    check_accepted(format!("SELECT * FROM t{joins}"));
    let joins: String = (0..61).map(|index| format!(" JOIN t{index}")).collect();
    check_accepted(format!("SELECT * FROM t{joins}"));
}

#[test]
fn long_logical_chains_are_read() {
    for operator in ["OR", "AND", "||", "&&"] {
        check_accepted(format!("SELECT 1{}", format!(" {operator} a = 1").repeat(100_000)));
    }
    check_accepted(format!("SELECT 1 WHERE a{}", " OR a AND b".repeat(50_000)));
}

#[test]
fn other_long_chains_are_read_or_refused() {
    for link in
        ["+1", "-1", "*1", "|1", "=1", " XOR 1", " IS NULL", " COLLATE x", "->'$.a'", " IN (1)"]
    {
        check_accepted(format!("SELECT 1{}", link.repeat(200)));
        check_too_deep(format!("SELECT 1{}", link.repeat(100_000)));
    }
    for link in [" UNION SELECT 1", " UNION ALL SELECT 1", " UNION (SELECT 1) UNION ALL SELECT 1"] {
        check_accepted(format!("SELECT 1{}", link.repeat(100)));
    }
    check_accepted(format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(50_000)));
    check_too_deep(format!("SELECT 1{}", " UNION SELECT 1 UNION ALL SELECT 1".repeat(50_000)));
    check_too_deep(format!("SELECT 1{}", " EXCEPT SELECT 1".repeat(100_000)));
    check_too_deep(format!("SELECT * FROM t{}", " NATURAL JOIN t".repeat(100_000)));
    check_too_deep(format!("SELECT * FROM t{}", " JOIN t ON 1".repeat(100_000)));
}

#[test]
fn wide_statements_are_read() {
    let list = |item: &str, n| vec![item; n].join(",");
    check_accepted(format!("SELECT 1 FROM t WHERE a IN ({})", list("123", 100_000)));
    check_accepted(format!("INSERT INTO t VALUES {}", list("(1,'a',?)", 50_000)));
    check_accepted(format!("SELECT {} FROM t", list("a", 50_000)));
    check_accepted(format!("SELECT * FROM {}", list("t", 50_000)));
    check_accepted(format!("SELECT {}", "'a' ".repeat(100_000)));
}
