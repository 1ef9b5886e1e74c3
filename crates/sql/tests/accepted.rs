//! Statements that must be read, and as what: `corpus/accepted.txt`; and those that must not.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use sql::ast::StatementKind;
use sql::{SqlMode, parse};

/// The lines of a corpus file without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn kind_name(kind: &StatementKind) -> String {
    let shown = format!("{kind:?}");
    let end = shown.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(shown.len());
    shown[..end].to_owned()
}

#[test]
fn every_statement_is_read_as_its_kind() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines(include_str!("corpus/accepted.txt")) {
        let (expected, text) = line.split_once(' ').unwrap_or((line, ""));
        count += 1;
        match parse(text.as_bytes(), SqlMode::default()) {
            Ok(statement) => {
                let found = kind_name(&statement.kind);
                if found != expected {
                    wrong.push(format!("{found} instead of {expected}: {text}"));
                }
            }
            Err(error) => wrong.push(format!("{error}: {text}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 400, "the corpus has shrunk to {count}");
}

#[test]
fn what_is_no_statement_is_refused_where_it_goes_wrong() {
    let mut wrong = Vec::new();
    for line in lines(include_str!("corpus/rejected.txt")) {
        let expected = line.find('^').unwrap();
        let text = line.replacen('^', "", 1);
        match parse(text.as_bytes(), SqlMode::default()) {
            Ok(statement) => wrong.push(format!("{} is read: {line}", kind_name(&statement.kind))),
            Err(error) if error.position as usize != expected => {
                wrong.push(format!("at {} instead of {expected}: {line}", error.position));
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn an_error_reads_as_mysqls() {
    let error = parse(b"SELECT *\nFROM t WHERE a = = 1", SqlMode::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "You have an error in your SQL syntax; check the manual that corresponds to your MySQL \
         server version for the right syntax to use near '= 1' at line 2"
    );
}
