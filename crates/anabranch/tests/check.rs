//! `anabranch check`: every file that is wrong is named, and the exit code says whether one is.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::path::Path;
use std::process::Command;

fn check(files: &[(&str, &str)]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    check_folder(folder.path())
}

fn check_folder(folder: &Path) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anabranch"));
    let output = command.arg("check").arg("--conf").arg(folder).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_samples_are_right() {
    let conf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conf");
    let (code, text) = check_folder(&conf);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no errors; 2 users, 0 databases"), "{text}");
}

/// Files by name, and what is said of them.
type Wrong<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);

#[test]
fn everything_that_is_wrong_is_said() {
    let wrong: &[Wrong<'_>] = &[
        (
            &[
                ("anabranch.yaml", "limits: { maxConnection: 1 }"),
                ("global.yaml", "props: { sql-shoe: true }"),
                ("database-a.yaml", "databaseName: [1]"),
            ],
            &["anabranch.yaml: limits", "global.yaml: ", "sql-shoe", "database-a.yaml: "],
        ),
        (
            &[("anabranch.yaml", "backend: { ca: none.pem }")],
            &["anabranch.yaml: TLS: ", "none.pem"],
        ),
        (
            &[("anabranch.yaml", "tls: { certificate: a.pem, key: b.pem }")],
            &["anabranch.yaml: TLS: ", "a.pem"],
        ),
        (&[("global.yaml", "{}"), ("server.yaml", "{}")], &["two generations"]),
    ];
    for (files, expected) in wrong {
        let (code, text) = check(files);
        assert_eq!(code, Some(1), "{files:?}: {text}");
        for part in *expected {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    assert_eq!(check(&[]).0, Some(0));
    assert_eq!(check_folder(Path::new("no/such/folder")).0, Some(1));
}
