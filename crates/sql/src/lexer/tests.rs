//! Tokens of every kind, in every mode that changes them.

use super::*;
use TokenKind as T;
use proptest::prelude::*;

fn kinds_in(text: &str, mode: SqlMode, version: ServerVersion) -> Vec<(TokenKind, &str)> {
    let mut lexer = Lexer::new(text.as_bytes(), mode, version);
    let mut found = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == T::End {
            return found;
        }
        found.push((token.kind, &text[token.span.start as usize..token.span.end as usize]));
    }
}

fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
    kinds_in(text, SqlMode::default(), ServerVersion::Any)
}

#[track_caller]
fn check(text: &str, expected: &[(TokenKind, &str)]) {
    assert_eq!(kinds(text), expected, "{text}");
}

#[test]
fn numbers() {
    for (text, kind) in [
        ("1", T::Integer),
        ("00123", T::Integer),
        ("1.5", T::Decimal),
        (".5", T::Decimal),
        ("1.", T::Decimal),
        ("1e3", T::Float),
        ("1E+3", T::Float),
        ("1.5e-3", T::Float),
        (".5e1", T::Float),
        ("1.e1", T::Float),
        ("0x4D", T::Hex),
        ("x'4D'", T::Hex),
        ("X'4d5A'", T::Hex),
        ("0b01", T::Bit),
        ("b'01'", T::Bit),
        ("B''", T::Bit),
        ("1abc", T::Word),
        ("1e", T::Word),
        ("0xZZ", T::Word),
        ("0X4D", T::Word),
        ("0b012", T::Word),
        ("1_000", T::Word),
    ] {
        check(text, &[(kind, text)]);
    }
    check("1-1", &[(T::Integer, "1"), (T::Minus, "-"), (T::Integer, "1")]);
    check("1..5", &[(T::Decimal, "1."), (T::Decimal, ".5")]);
    check("x'4'", &[(T::Error(LexError::BadDigits), "x'4'")]);
    check("b'2'", &[(T::Error(LexError::BadDigits), "b'2'")]);
}

#[test]
fn names_and_dots() {
    check("t.1e3", &[(T::Word, "t"), (T::Dot, "."), (T::Word, "1e3")]);
    check(
        "db.123.a",
        &[(T::Word, "db"), (T::Dot, "."), (T::Word, "123"), (T::Dot, "."), (T::Word, "a")],
    );
    check("`a``b`.*", &[(T::QuotedIdent, "`a``b`"), (T::Dot, "."), (T::Star, "*")]);
    check("t .5", &[(T::Word, "t"), (T::Decimal, ".5")]);
    check("größe$1", &[(T::Word, "größe$1")]);
    check("\u{1f600}", &[(T::Word, "\u{1f600}")]);
    check("_utf8mb4'x'", &[(T::Introducer, "_utf8mb4"), (T::String, "'x'")]);
    check("_Latin1 'x'", &[(T::Introducer, "_Latin1"), (T::String, "'x'")]);
    check("_nothing", &[(T::Word, "_nothing")]);
}

#[test]
fn strings() {
    for text in ["'a'", "''", "'it''s'", r"'\''", r"'\\'", "\"a\"\"b\"", r#""\"""#, "'a\nb'"] {
        check(text, &[(T::String, text)]);
    }
    check("N'x' n'y'", &[(T::NationalString, "N'x'"), (T::NationalString, "n'y'")]);
    check("'a' 'b'", &[(T::String, "'a'"), (T::String, "'b'")]);
    for text in ["'a", r"'a\'", "\"x", "`x", "x'4", "'a''", "`a``", "N'", "@'x", "'", r"'\"] {
        check(text, &[(T::Error(LexError::UnterminatedString), text)]);
    }
}

#[test]
fn sql_mode_changes_quotes() {
    let ansi = SqlMode { ansi_quotes: true, ..SqlMode::default() };
    assert_eq!(kinds_in("\"a\"", ansi, ServerVersion::Any), [(T::QuotedIdent, "\"a\"")]);
    let plain = SqlMode { no_backslash_escapes: true, ..SqlMode::default() };
    assert_eq!(
        kinds_in(r"'a\' 'b'", plain, ServerVersion::Any),
        [(T::String, r"'a\'"), (T::String, "'b'")]
    );
}

#[test]
fn variables_and_accounts() {
    check("@a.b_$1", &[(T::UserVariable, "@a.b_$1")]);
    check("@`a b`", &[(T::UserVariable, "@`a b`")]);
    check("@'x'@\"y\"", &[(T::UserVariable, "@'x'"), (T::UserVariable, "@\"y\"")]);
    check("'u'@'%'", &[(T::String, "'u'"), (T::UserVariable, "@'%'")]);
    check("@@global.x", &[(T::AtAt, "@@"), (T::Word, "global"), (T::Dot, "."), (T::Word, "x")]);
    check("@a:=1", &[(T::UserVariable, "@a"), (T::Assign, ":="), (T::Integer, "1")]);
    check("@ a", &[(T::UserVariable, "@"), (T::Word, "a")]);
}

#[test]
fn operators() {
    for (text, kind) in [
        ("<=>", T::NullSafeEqual),
        ("<=", T::LessOrEqual),
        (">=", T::GreaterOrEqual),
        ("<>", T::NotEqual),
        ("!=", T::NotEqual),
        ("<<", T::ShiftLeft),
        (">>", T::ShiftRight),
        ("||", T::PipePipe),
        ("&&", T::AmpersandAmpersand),
        (":=", T::Assign),
        ("->", T::Arrow),
        ("->>", T::ArrowText),
        ("\\N", T::NullEscape),
        ("?", T::Param),
        ("!", T::Bang),
        ("~", T::Tilde),
        ("^", T::Caret),
    ] {
        check(text, &[(kind, text)]);
    }
    check("a->>'$.b'", &[(T::Word, "a"), (T::ArrowText, "->>"), (T::String, "'$.b'")]);
}

#[test]
fn comments_are_no_tokens() {
    for text in ["a/* b */", "a -- b", "a--", "a --\tb", "a # b", "/*+ h */ a", "-- x\na", "/**/a"]
    {
        check(text, &[(T::Word, "a")]);
    }
    check("1--1", &[(T::Integer, "1"), (T::Minus, "-"), (T::Minus, "-"), (T::Integer, "1")]);
    check("a /* b", &[(T::Word, "a"), (T::Error(LexError::UnterminatedComment), "/* b")]);
    check("/*/ a */ b", &[(T::Word, "b")]);
}

#[test]
fn executable_comments_count_up_to_a_version() {
    let my = ServerVersion::MySql(80_404);
    let maria = ServerVersion::MariaDb(101_106);
    let (yes, no) = (vec![(T::Word, "a"), (T::Word, "b")], vec![(T::Word, "b")]);
    for (text, version, expected) in [
        ("/*! a */ b", my, &yes),
        ("/*!50100a*/b", my, &yes),
        ("/*!80404 a */ b", my, &yes),
        ("/*!80405 a */ b", my, &no),
        ("/*!080404 a */ b", my, &yes),
        ("/*!90000 a /* x */ c */ b", my, &no),
        ("/*!50100 a /* x */ */ b", my, &yes),
        ("/*M! a */ b", my, &no),
        ("/*M!100100 a */ b", maria, &yes),
        ("/*M!110100 a */ b", maria, &no),
        ("/*!80000 a */ b", maria, &no),
        ("/*!50699 a */ b", maria, &yes),
        ("/*!999999 a */ b", ServerVersion::Any, &yes),
    ] {
        assert_eq!(&kinds_in(text, SqlMode::default(), version), expected, "{text} {version:?}");
    }
    check("/*! a", &[(T::Word, "a"), (T::Error(LexError::UnterminatedComment), "")]);
    check("2 */ 3", &[(T::Integer, "2"), (T::Star, "*"), (T::Slash, "/"), (T::Integer, "3")]);
}

#[test]
fn comments_can_be_asked_for() {
    let text = b"/* a */ SELECT /*+ b */ /*!50100 1 */ # c";
    let mut lexer = Lexer::new(text, SqlMode::default(), ServerVersion::Any);
    let found: Vec<_> = std::iter::repeat_with(|| lexer.next_with_comments())
        .take_while(|token| token.kind != T::End)
        .map(|token| (token.kind, str::from_utf8(token.span.of(text)).unwrap()))
        .collect();
    let expected = [
        (T::Comment, "/* a */"),
        (T::Word, "SELECT"),
        (T::OptimizerHint, "/*+ b */"),
        (T::ExecutableStart, "/*!50100"),
        (T::Integer, "1"),
        (T::ExecutableEnd, "*/"),
        (T::Comment, "# c"),
    ];
    assert_eq!(found, expected);
}

/// Pieces that meet the lexer's branches more often than random bytes do.
fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "'", "\"", "`", "\\", "/*", "*/", "/*!", "/*!50100", "/*M!", "/*+", "--", " ", "\n", "#",
        "@", "@@", ".", "1", "e", "x'", "0x", "b'", "0b", "N", "_utf8", "a", "é", "(", ")", "?",
        ";", ":=", "->", "<=>", "|", "&", "\0", "\u{7f}",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|list| list.concat().into_bytes())
}

/// Reads everything; checks that positions go on and stay inside.
fn read_all(text: &[u8], mode: SqlMode, version: ServerVersion) {
    let mut lexer = Lexer::new(text, mode, version);
    let mut end = 0;
    for _ in 0..=text.len() + 1 {
        let token = lexer.next_with_comments();
        assert!(token.span.start >= end && token.span.start <= token.span.end);
        assert!(token.span.end as usize <= text.len());
        end = token.span.end;
        if token.kind == T::End {
            return;
        }
    }
    panic!("the lexer does not come to an end");
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_the_end(text in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&text, SqlMode::default(), ServerVersion::Any);
    }

    #[test]
    fn any_fragments_are_read_to_the_end(text in fragments(), bits in 0_u8..8) {
        let mode = SqlMode {
            ansi_quotes: bits & 1 != 0,
            no_backslash_escapes: bits & 2 != 0,
            ..SqlMode::default()
        };
        let version =
            if bits & 4 != 0 { ServerVersion::MySql(50_099) } else { ServerVersion::Any };
        read_all(&text, mode, version);
    }
}
