//! What is a literal, what stays in the key, and that positions follow.

use super::*;
use crate::TokenKind;

fn scan(text: &str) -> Fingerprint {
    scan_in(text, SqlMode::default())
}

fn scan_in(text: &str, mode: SqlMode) -> Fingerprint {
    let mut fingerprint = Fingerprint::default();
    fingerprint.scan(text.as_bytes(), mode);
    fingerprint
}

/// The text with its literals replaced by a letter for their kind.
fn key(text: &str) -> String {
    key_in(text, SqlMode::default())
}

fn key_in(text: &str, mode: SqlMode) -> String {
    let fingerprint = scan_in(text, mode);
    if !fingerprint.is_cacheable {
        return "not cacheable".to_owned();
    }
    let mut key = String::new();
    let mut from = 0;
    for literal in &fingerprint.literals {
        key.push_str(&text[from..literal.span.start as usize]);
        key.push_str(match literal.kind {
            LiteralKind::Integer => "{i}",
            LiteralKind::Decimal => "{d}",
            LiteralKind::Float => "{f}",
            LiteralKind::String => "{s}",
            LiteralKind::Hex => "{x}",
            LiteralKind::Bit => "{b}",
            LiteralKind::Comment => "{c}",
        });
        from = literal.span.end as usize;
    }
    key.push_str(&text[from..]);
    key
}

fn assert_keys(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(key(text), *expected, "of {text}");
    }
}

#[test]
fn literals_are_taken_outside_lists() {
    assert_keys(&[
        ("SELECT c FROM sbtest1 WHERE id=5031", "SELECT c FROM sbtest1 WHERE id={i}"),
        ("select 1, 'a' from t where a = 'b'", "select 1, 'a' from t where a = {s}"),
        ("SELECT * FROM t WHERE a IN (1,2)", "SELECT * FROM t WHERE a IN ({i},{i})"),
        ("SELECT * FROM t WHERE a = -5 or b=- 5", "SELECT * FROM t WHERE a = -{i} or b=- {i}"),
        (
            "SELECT a FROM t WHERE a>1 GROUP BY a+1 HAVING a>2 ORDER BY 1, a+2 LIMIT 3, 4",
            "SELECT a FROM t WHERE a>{i} GROUP BY a+1 HAVING a>2 ORDER BY 1, a+2 LIMIT {i}, {i}",
        ),
        (
            "INSERT INTO t (a,b) VALUES (1,'x'),(2,'y') ON DUPLICATE KEY UPDATE a=3",
            "INSERT INTO t (a,b) VALUES ({i},{s}),({i},{s}) ON DUPLICATE KEY UPDATE a={i}",
        ),
        (
            "INSERT INTO t SELECT 1,a FROM u WHERE b=2",
            "INSERT INTO t SELECT 1,a FROM u WHERE b={i}",
        ),
        ("UPDATE t SET a=a+1,b='x' WHERE id=7", "UPDATE t SET a=a+{i},b={s} WHERE id={i}"),
        ("DELETE FROM t WHERE id=7 LIMIT 1", "DELETE FROM t WHERE id={i} LIMIT {i}"),
        ("replace t values (1)", "replace t values ({i})"),
        ("SELECT a FROM t WHERE a = ? AND b = 1", "SELECT a FROM t WHERE a = ? AND b = {i}"),
        (
            "SELECT a FROM t WHERE a = TRUE AND b = NULL",
            "SELECT a FROM t WHERE a = TRUE AND b = NULL",
        ),
        ("SELECT c FROM t WHERE id=1;", "SELECT c FROM t WHERE id={i};"),
        ("BEGIN", "BEGIN"),
        ("  commit ; ", "  commit ; "),
    ]);
}

#[test]
fn all_forms_of_literals() {
    let cases = [
        ("1", "{i}"),
        ("1.5", "{d}"),
        (".5", "{d}"),
        ("1.", "{d}"),
        ("1e5", "{f}"),
        ("1.5E-3", "{f}"),
        (".5e+3", "{f}"),
        ("0x1F", "{x}"),
        ("x'1f'", "{x}"),
        ("0b01", "{b}"),
        ("B'01'", "{b}"),
        ("'it''s'", "{s}"),
        (r"'it\'s'", "{s}"),
        ("\"a\"\"b\"", "{s}"),
        ("''", "{s}"),
        ("N'a'", "N'a'"),
        ("_utf8mb4'a'", "_utf8mb4'a'"),
        ("_utf8mb4 'a'", "_utf8mb4 'a'"),
        ("_binary 0x41", "_binary 0x41"),
        ("_utf8 x'41'", "_utf8 x'41'"),
        ("'a' 'b'", "'a' 'b'"),
        ("'a' /* x */ 'b'", "'a' {c} 'b'"),
        ("'a'\n'b' 'c'", "'a'\n'b' 'c'"),
        ("'a' /*! 80000 */", "'a' /*! 80000 */"),
        ("/*! DATE */ 'a'", "/*! DATE */ 'a'"),
        ("DATE '2020-01-01'", "DATE '2020-01-01'"),
        ("timestamp'2020-01-01 00:00:00'", "timestamp'2020-01-01 00:00:00'"),
        ("CAST('1' AS CHAR(5))", "CAST('1' AS CHAR(5))"),
        ("f('1', 5)", "f({s}, {i})"),
        ("@a", "@a"),
        ("@1", "@1"),
        ("@'x y'", "@'x y'"),
        ("@@global.x1", "@@global.x1"),
        ("t.1a", "t.1a"),
        ("1a", "1a"),
        ("0X1F", "0X1F"),
        ("0xZZ", "0xZZ"),
        ("`1`", "`1`"),
        ("`a``1`", "`a``1`"),
        ("1 -- x", "{i} {c}"),
        ("1 --2", "{i} --{i}"),
        ("1 # '", "{i} {c}"),
        ("1/2", "{i}/{i}"),
        ("1 /* 'it*/", "{i} {c}"),
        ("u&1", "u&{i}"),
        ("é1", "é1"),
    ];
    for (written, expected) in cases {
        let text = format!("SELECT a FROM t WHERE a = {written}");
        assert_eq!(key(&text), format!("SELECT a FROM t WHERE a = {expected}"), "of {written}");
    }
}

#[test]
fn a_query_in_a_list_is_a_label_and_a_derived_table_is_not() {
    assert_keys(&[
        (
            "SELECT (SELECT a FROM u WHERE b=1), f(2) FROM t WHERE c=3",
            "SELECT (SELECT a FROM u WHERE b=1), f(2) FROM t WHERE c={i}",
        ),
        (
            "SELECT x FROM (SELECT 1 x FROM t WHERE a=2) d WHERE x=3",
            "SELECT x FROM (SELECT 1 x FROM t WHERE a={i}) d WHERE x={i}",
        ),
        (
            "SELECT EXTRACT(DAY FROM 1), 2 FROM t ORDER BY TRIM(3 FROM a) , 4 LIMIT 5",
            "SELECT EXTRACT(DAY FROM 1), 2 FROM t ORDER BY TRIM(3 FROM a) , 4 LIMIT {i}",
        ),
        (
            "(SELECT 1 FROM t WHERE a=1) UNION (SELECT 2 FROM t WHERE a=2) ORDER BY 1 LIMIT 3",
            "(SELECT 1 FROM t WHERE a={i}) UNION (SELECT 2 FROM t WHERE a={i}) ORDER BY 1 LIMIT {i}",
        ),
        (
            "WITH c AS (SELECT a FROM t WHERE b=1) SELECT 2 FROM c WHERE a=3",
            "WITH c AS (SELECT a FROM t WHERE b={i}) SELECT 2 FROM c WHERE a={i}",
        ),
        ("SELECT t.from, 1 FROM t", "SELECT t.from, 1 FROM t"),
        ("SELECT `from`, 1 FROM t", "SELECT `from`, 1 FROM t"),
        ("INSERT INTO t VALUES (1) RETURNING 2", "INSERT INTO t VALUES ({i}) RETURNING 2"),
    ]);
}

#[test]
fn comments_that_count_stay() {
    assert_keys(&[
        ("SELECT /*+ X(1) */ a FROM t /* b */", "SELECT /*+ X(1) */ a FROM t {c}"),
        ("SELECT /*!40001 SQL_NO_CACHE */ * FROM t", "SELECT /*!40001 SQL_NO_CACHE */ * FROM t"),
        ("SELECT /*M!100100 a */ b FROM t", "SELECT /*M!100100 a */ b FROM t"),
        ("SELECT /*! a FROM */ 1 FROM t", "not cacheable"),
        ("SELECT /*! ( */ 1 FROM t", "not cacheable"),
        ("SELECT /*+ QB(`a*/ 1, `) */ 1", "not cacheable"),
    ]);
    for hint in [
        "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=ds_0 */",
        "/* ShardingSphere hint: dataSourceName=ds_0 */",
        "/*shadow:true*/",
        "/* foo:bar, SHADOW:true */",
        "/*a:b*/",
    ] {
        let text = format!("{hint} SELECT a FROM t");
        assert_eq!(key(&text), text);
        assert!(scan(&text).hint_comment, "{hint}");
    }
    for ordinary in ["/* ordinary */", "/* note: this is prose */", "/*a='b%3A',c='d'*/", "/*:*/"] {
        assert!(!scan(&format!("SELECT a FROM t {ordinary}")).hint_comment, "{ordinary}");
    }
}

#[test]
fn quoting_follows_the_mode() {
    let ansi = SqlMode { ansi_quotes: true, ..SqlMode::default() };
    let text = "SELECT a FROM t WHERE \"b\" = 'c'";
    assert_eq!(key_in(text, ansi), "SELECT a FROM t WHERE \"b\" = {s}");
    assert_eq!(key(text), "SELECT a FROM t WHERE {s} = {s}");
    let plain = SqlMode { no_backslash_escapes: true, ..SqlMode::default() };
    let text = r"SELECT a FROM t WHERE a = '\' AND b = ''";
    assert_eq!(key_in(text, plain), "SELECT a FROM t WHERE a = {s} AND b = {s}");
    assert_eq!(key(text), "not cacheable");
}

#[test]
fn what_is_read_with_doubt_has_no_plan() {
    for text in [
        "",
        "   ",
        "/* x */",
        "SET a = 1",
        "SHOW TABLES",
        "CREATE TABLE t (a INT)",
        "SELECT 1; SELECT 2",
        "SELECT 1; -- x",
        "SELECT 'a",
        "SELECT `a",
        "SELECT /* a",
        "SELECT (1",
        "SELECT 1)",
        "SELECT {d '2020-01-01'}",
        "SELECT a FROM t WHERE a = x'1'",
        "SELECT a FROM t WHERE a = b'2'",
        "SELECT a FROM t WHERE a = 1.5e",
        "SELECT `t`.5 FROM t",
        r"SELECT 'a\",
        "SELECT a FROM t WHERE a = x'",
        "select.a",
        "@a",
    ] {
        let fingerprint = scan(text);
        assert!(!fingerprint.is_cacheable, "{text}");
        assert!(fingerprint.literals.is_empty(), "{text}");
        assert_eq!(fingerprint.hash, 0, "{text}");
    }
}

#[test]
fn size_and_depth_have_limits() {
    let values = |count: usize| format!("INSERT INTO t VALUES (1{})", ",1".repeat(count - 1));
    assert!(scan(&values(MAX_LITERALS)).is_cacheable);
    assert!(!scan(&values(MAX_LITERALS + 1)).is_cacheable);
    let long = |length: usize| format!("SELECT a FROM t WHERE a='{}'", "x".repeat(length - 26));
    assert!(scan(&long(MAX_TEXT)).is_cacheable);
    assert!(!scan(&long(MAX_TEXT + 1)).is_cacheable);
    let nested = |depth: usize| format!("SELECT {}1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(scan(&nested(60)).is_cacheable);
    assert!(!scan(&nested(61)).is_cacheable);
    assert!(!scan(&"(".repeat(16_000)).is_cacheable);
}

#[test]
fn equal_but_for_literals_is_the_same_and_nothing_else() {
    let plan = "SELECT c FROM t WHERE id=5 AND b='x' /* 1 */ LIMIT 3";
    let same = "SELECT c FROM t WHERE id=50001 AND b='' /*a*/ LIMIT 10";
    let (a, b) = (scan(plan), scan(same));
    assert_eq!(a.hash, b.hash);
    assert!(same_text(plan.as_bytes(), &a.literals, same.as_bytes(), &b.literals));
    for other in [
        "SELECT c FROM t WHERE id=5 AND b=1 /* 1 */ LIMIT 3",
        "SELECT c FROM t WHERE id=5 AND b='x' /* 1 */ LIMIT 3 ",
        "SELECT d FROM t WHERE id=5 AND b='x' /* 1 */ LIMIT 3",
        "select c FROM t WHERE id=5 AND b='x' /* 1 */ LIMIT 3",
        "SELECT c FROM t WHERE id=-5 AND b='x' /* 1 */ LIMIT 3",
        "SELECT c FROM t WHERE id=5.0 AND b='x' /* 1 */ LIMIT 3",
        "SELECT c FROM t WHERE id=5 AND b='x' /* 1 */ LIMIT 3,3",
        "SELECT c FROM t WHERE id=5 AND b='x' LIMIT 3",
    ] {
        let c = scan(other);
        assert!(c.is_cacheable, "{other}");
        assert_ne!(a.hash, c.hash, "{other}");
        assert!(!same_text(plan.as_bytes(), &a.literals, other.as_bytes(), &c.literals), "{other}");
    }
}

#[test]
fn positions_move_with_the_literals_before_them() {
    let plan = "SELECT c FROM t WHERE id=5 AND b='x' LIMIT 3";
    let text = "SELECT c FROM t WHERE id=50001 AND b='' LIMIT 10";
    let (a, b) = (scan(plan).literals, scan(text).literals);
    for word in ["SELECT", "t WHERE", "id", "AND", "b=", "LIMIT"] {
        let position = plan.find(word).expect("in the plan") as u32;
        let moved = shift(position, literals_before(&a, position), &a, &b);
        assert_eq!(moved as usize, text.find(word).expect("in the text"), "{word}");
    }
    let end = plan.len() as u32;
    assert_eq!(shift(end, literals_before(&a, end), &a, &b) as usize, text.len());
}

#[test]
fn literals_are_found_by_span() {
    let text = "SELECT c FROM t WHERE id=-5 AND b='x'";
    let literals = scan(text).literals;
    assert_eq!(literals_in(&literals, Span::new(26, 27)), 0..1);
    assert_eq!(literals_in(&literals, Span::new(25, 27)), 0..1);
    assert_eq!(literals_in(&literals, Span::new(0, 26)), 0..0);
    assert_eq!(literals_in(&literals, Span::new(0, 37)), 0..2);
    assert_eq!(literals_in(&literals, Span::new(27, 30)), 1..1);
}

#[test]
fn the_buffer_forgets_the_text_before() {
    let mut fingerprint = Fingerprint::default();
    fingerprint.scan(b"/*shadow:true*/ SELECT a FROM t WHERE a = 1", SqlMode::default());
    assert!(fingerprint.hint_comment && fingerprint.literals.len() == 1);
    fingerprint.scan(b"SET a = 1", SqlMode::default());
    assert!(!fingerprint.hint_comment && fingerprint.literals.is_empty());
}

const PIECES: [&str; 48] = [
    "'a'",
    "'it''s'",
    "'\\\\'",
    "'\\'",
    "\"b\"",
    "`c`",
    "``",
    "1",
    "23",
    ".",
    "1.",
    ".5",
    "1e5",
    "1.5e-3",
    "1e",
    "0x4D",
    "0x",
    "0b01",
    "0b2",
    "x'41'",
    "x'4'",
    "b'1'",
    "N'a'",
    "(",
    ")",
    "/* c */",
    "/*",
    "*/",
    "/*! a */",
    "/*!99999 b */",
    "/*+ H(1) */",
    "/**/",
    "-- c\n",
    "--",
    "#c\n",
    "-",
    "/",
    "@a",
    "@'x'",
    "@@b.c",
    "a",
    "t1",
    "é",
    "_utf8mb4",
    "_x",
    "DATE",
    ",",
    "?",
];

/// Literals and ordinary comments as the lexer sees them.
fn lexed(text: &str, mode: SqlMode) -> Vec<LiteralSpan> {
    let mut lexer = crate::Lexer::new(text.as_bytes(), mode, crate::ServerVersion::Any);
    let mut found = Vec::new();
    loop {
        let token = lexer.next_with_comments();
        let kind = match token.kind {
            TokenKind::End => return found,
            TokenKind::Integer => LiteralKind::Integer,
            TokenKind::Decimal => LiteralKind::Decimal,
            TokenKind::Float => LiteralKind::Float,
            TokenKind::String => LiteralKind::String,
            TokenKind::Hex => LiteralKind::Hex,
            TokenKind::Bit => LiteralKind::Bit,
            TokenKind::Comment => LiteralKind::Comment,
            _ => continue,
        };
        found.push(LiteralSpan { span: token.span, kind });
    }
}

proptest::proptest! {
    #[test]
    fn no_input_breaks_it(text in proptest::collection::vec(proptest::num::u8::ANY, 0..64)) {
        let mut whole = b"SELECT a FROM t WHERE ".to_vec();
        whole.extend(text);
        let mut fingerprint = Fingerprint::default();
        fingerprint.scan(&whole, SqlMode::default());
        let mut from = 0;
        for literal in &fingerprint.literals {
            assert!(literal.span.start >= from && literal.span.end > literal.span.start);
            from = literal.span.end;
        }
        assert!(from as usize <= whole.len());
    }

    /// The lexer is the judge of where literals and comments begin and end.
    #[test]
    fn literals_are_those_of_the_lexer(
        tokens in proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..16),
        glue in proptest::sample::select(vec!["", " ", "\n"]),
        ansi_quotes: bool,
        no_backslash_escapes: bool,
    ) {
        let text = format!("SELECT a FROM t WHERE {}", tokens.join(glue));
        let mode = SqlMode { ansi_quotes, no_backslash_escapes, ..SqlMode::default() };
        let fingerprint = scan_in(&text, mode);
        let tokens = lexed(&text, mode);
        for literal in &fingerprint.literals {
            proptest::prop_assert!(tokens.contains(literal), "{literal:?} of {text}");
        }
    }

    #[test]
    fn every_hint_is_part_of_the_key(
        body in "(shardingsphere[_ ]hint:)?[ab:,= \t\u{a0}'é]{0,12}",
    ) {
        let text = format!("SELECT a FROM t /*{body}*/");
        let hints = crate::hint::find_hints(
            text.as_bytes(), SqlMode::default(), crate::ServerVersion::Any,
        );
        proptest::prop_assert!(hints.is_empty() || scan(&text).hint_comment, "{text}");
    }

    #[test]
    fn tokens_in_any_order_break_nothing(
        tokens in proptest::collection::vec(proptest::sample::select(vec![
            "'a'", "\"b\"", "`c`", "1", ".", "1e5", "x'41'", "(", ")", "/*", "*/", "/*!", "/*+",
            "-- ", "#", "\n", "@", "SELECT", "FROM", "WHERE", "ORDER BY", "_utf8", "\\", "'", "é",
        ]), 0..24),
    ) {
        let text = format!("SELECT {}", tokens.join(" "));
        scan(&text);
        scan(&format!("SELECT {}", tokens.concat()));
    }
}
