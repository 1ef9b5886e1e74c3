//! The rules of form that neither the compiler nor clippy checks; docs/style.md gives the reasons.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use std::path::{Path, PathBuf};

const LINES_AT_MOST: usize = 500;

/// Words that no file, folder or identifier is made of.
const BANNED_NAMES: &[&str] =
    &["utils", "util", "helper", "helpers", "manager", "common", "misc", "v2"];

/// Words of other vocabularies; ours is in ARCHITECTURE.md.
const BANNED_IDENTIFIERS: &[&str] = &[
    "data_source",
    "DataSource",
    "real_table",
    "RealTable",
    "physical_table",
    "PhysicalTable",
    "partition_key",
    "PartitionKey",
    "global_table",
    "GlobalTable",
    "Manager",
    "Helper",
    "master_",
    "slave_",
    "Master",
    "Slave",
];

/// Files and folders that spell things as MySQL or ShardingSphere do: packets, keywords, the keys of
/// configuration files, DistSQL.
const FOREIGN_SPELLINGS: &[&str] = &["protocol", "keyword", "yaml", "config", "distsql"];

/// One key of ShardingSphere that is read under its own name in several places.
const FOREIGN_KEY: &str = "default_data_source";

/// What a comment must not put off.
const BANNED_REMARKS: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every Rust file of the workspace with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let mut folders = vec![root().join("crates")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                sources.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    assert!(sources.len() > 20, "the sources were not found");
    sources
}

fn names_part(path: &Path, part: &str) -> bool {
    path.iter().any(|name| name.to_str().unwrap().trim_end_matches(".rs") == part)
}

fn check(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let is_silent = |text: &str| !text.starts_with("//!");
    let sources = sources();
    let silent = sources.iter().filter(|(_, text)| is_silent(text));
    let wrong: Vec<String> = silent.map(|(path, _)| path.display().to_string()).collect();
    check("files that do not start with `//!`", &wrong);
}

#[test]
fn files_are_short() {
    let sources = sources();
    let long = sources.iter().filter(|(_, text)| text.lines().count() > LINES_AT_MOST);
    let wrong: Vec<String> =
        long.map(|(path, text)| format!("{}: {}", path.display(), text.lines().count())).collect();
    check("files of more than 500 lines", &wrong);
}

#[test]
fn names_say_what_is_inside() {
    let mut wrong = Vec::new();
    for (path, _) in sources() {
        let is_named_badly = path.iter().any(|part| {
            let name = part.to_str().unwrap().trim_end_matches(".rs");
            name == "mod" || name.split(['_', '-']).any(|word| BANNED_NAMES.contains(&word))
        });
        if is_named_badly {
            wrong.push(path.display().to_string());
        }
    }
    check("files with a banned name", &wrong);
}

#[test]
fn identifiers_are_of_our_vocabulary() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let has_foreign_names = FOREIGN_SPELLINGS.iter().any(|part| names_part(&path, part));
        if has_foreign_names || path.ends_with("anabranch/tests/tidy.rs") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            // Texts and comments may speak of other products.
            let code = line.split("//").next().unwrap_or("");
            let code: String = code.split('"').step_by(2).collect();
            let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let words = words.filter(|word| *word != FOREIGN_KEY);
            for word in words.filter(|word| BANNED_IDENTIFIERS.iter().any(|b| word.contains(b))) {
                wrong.push(format!("{}:{}: {word}", path.display(), number + 1));
            }
        }
    }
    check("banned identifiers", &wrong);
}

#[test]
fn nothing_is_put_off_in_a_comment() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if path.ends_with("anabranch/tests/tidy.rs") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let remark = line.split("//").nth(1).unwrap_or("");
            let mut words = remark.split(|c: char| !c.is_alphanumeric());
            if words.any(|word| BANNED_REMARKS.contains(&word)) {
                wrong.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    check("remarks that put work off", &wrong);
}
