//! Golden cases: a statement, where it goes, what is sent, how it is merged.
//!
//! Each file in `cases/` holds statements behind `> ` (parameters of a prepared statement in
//! brackets before them) and, below each, what is expected. `BLESS=1` rewrites the expectations;
//! a person reads the diff.

#![allow(clippy::unwrap_used, reason = "a broken expectation is a failed test")]

#[path = "golden/describe.rs"]
mod describe;
#[path = "golden/fixture.rs"]
mod fixture;

use std::path::Path;

use describe::describe;
use fixture::Fixture;

/// Statements are kept, everything below them is replaced.
fn rewritten(fixture: &Fixture, text: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        if let Some(statement) = line.strip_prefix("> ") {
            result.push_str(line);
            result.push('\n');
            result.push_str(&describe(fixture, statement));
        } else if line.is_empty() || line.starts_with('#') {
            result.push_str(line);
            result.push('\n');
        }
    }
    result
}

#[test]
fn cases_are_as_written() {
    let fixture = Fixture::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let is_blessing = std::env::var_os("BLESS").is_some();
    let mut statements = 0;
    let mut failed = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        statements += text.lines().filter(|line| line.starts_with("> ")).count();
        let found = rewritten(&fixture, &text);
        if found == text {
            continue;
        }
        if is_blessing {
            std::fs::write(&path, found).unwrap();
        } else {
            let first = text.lines().zip(found.lines()).find(|(a, b)| a != b);
            failed.push(format!("{}: {first:?}", path.display()));
        }
    }
    assert!(failed.is_empty(), "run with BLESS=1 and read the diff:\n{}", failed.join("\n"));
    assert!(statements >= 120, "only {statements} cases were found");
}
