//! Digests as a MySQL server shows them, and the limits.

use super::*;

/// A statement, then its digest text indented by two spaces, as MySQL 9.7.4 gave them.
const SAMPLES: &str = include_str!("samples.txt");

fn text_of(statement: &str) -> String {
    digest(statement.as_bytes(), SqlMode::default(), ServerVersion::MySql(90_704)).text
}

#[test]
fn texts_are_those_of_mysql() {
    let lines: Vec<&str> = SAMPLES.lines().collect();
    assert!(lines.len() > 400 && lines.len().is_multiple_of(2));
    let wrong: Vec<String> = lines
        .chunks(2)
        .filter(|pair| text_of(pair[0]) != pair[1].trim_start())
        .map(|pair| format!("{}\n  is {}\n  not {}", pair[0], pair[1].trim(), text_of(pair[0])))
        .collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn parameters_are_values_without_their_sign() {
    for (statement, text) in [
        ("select ?, ? from t where a = -? and b in (?) and b in (?,?) order by ?, 1", {
            "SELECT ?, ... FROM `t` WHERE `a` = - ? AND `b` IN (...) AND `b` IN (...) ORDER BY ?, ..."
        }),
        ("insert into t values (?,?),(?, 1)", "INSERT INTO `t` VALUES (...) /* , ... */"),
        ("select a from t order by 1, ? limit ?", "SELECT `a` FROM `t` ORDER BY 1 , ? LIMIT ?"),
    ] {
        assert_eq!(text_of(statement), text);
    }
}

#[test]
fn the_hash_is_that_of_the_text() {
    let one = digest(b"select 1", SqlMode::default(), ServerVersion::Any);
    let two = digest(b"SELECT /* c */ 'x';", SqlMode::default(), ServerVersion::Any);
    assert_eq!(one, two);
    // printf 'SELECT ?' | sha256sum
    assert_eq!(one.hex(), SELECT_VALUE_SHA256);
    assert_ne!(one.sha256, digest(b"select a", SqlMode::default(), ServerVersion::Any).sha256);
}

const SELECT_VALUE_SHA256: &str =
    "66cbb3a40d4bbd150b75825ad291a6545399f3098fc1079e4d8b5bb061a6a481";

#[test]
fn modes_and_versions_count() {
    let ansi = SqlMode { ansi_quotes: true, ..SqlMode::default() };
    let text = |statement: &str, mode| digest(statement.as_bytes(), mode, ServerVersion::Any).text;
    assert_eq!(text("select \"a\"", ansi), "SELECT `a`");
    let ignore_space = SqlMode { ignore_space: true, ..SqlMode::default() };
    assert_eq!(text("select count (a)", ignore_space), "SELECT COUNT ( `a` )");
    let old = digest(b"select /*!80000 1, */ a", SqlMode::default(), ServerVersion::MySql(50_700));
    assert_eq!(old.text, "SELECT `a`");
}

#[test]
fn long_statements_are_cut_behind_a_token() {
    let columns = |count: usize| format!("SELECT {}", vec!["`a`"; count].join(" , "));
    // SELECT is 2 bytes, a column 5, a comma 2.
    assert_eq!(text_of(&columns(146)), columns(146));
    let cut = text_of(&columns(147));
    assert_eq!(cut, format!("{} ,", columns(146)));
    assert_eq!(text_of(&columns(400)), cut);
    let values = format!("insert into t values (1{})", ",1".repeat(100_000));
    assert_eq!(text_of(&values), "INSERT INTO `t` VALUES (...)");
}

proptest::proptest! {
    #[test]
    fn no_input_breaks_it(text in proptest::collection::vec(proptest::num::u8::ANY, 0..64)) {
        digest(&text, SqlMode::default(), ServerVersion::Any);
    }

    #[test]
    fn values_and_white_space_do_not_matter(
        number in 0..100_000_i32,
        string in "[a-z]{0,9}",
        space in "[ \t\n]{1,4}",
    ) {
        let sample = format!(
            "select{space}a{space}from t where b = {number}{space}and c in ('{string}', -{number})"
        );
        proptest::prop_assert_eq!(
            text_of(&sample),
            "SELECT `a` FROM `t` WHERE `b` = ? AND `c` IN (...)"
        );
    }
}
