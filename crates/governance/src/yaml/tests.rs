//! The folder as a whole, and the samples of the project.

use super::*;
use crate::snapshot_builder::tests::SPREAD;
use crate::users::native_verifier;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn every_file_has_its_place() {
    let folder = folder(&[
        ("server.yaml", "props: { sql-show: true }"),
        ("config-a.yaml", "databaseName: a"),
        ("database-b.yaml", "databaseName: b"),
        ("database-sample.yaml", "# nothing"),
        ("anabranch.yaml", "workers: 3"),
        ("agent.yaml", "plugins:"),
        ("logback.xml", "<configuration/>"),
    ]);
    let files = ConfigFiles::read(folder.path(), SPREAD).unwrap();
    assert_eq!(files.properties["sql-show"], "true");
    assert_eq!(files.databases.keys().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(files.options.workers, 3);
}

#[test]
fn errors_name_the_file() {
    let cases: [(&[(&str, &str)], &str); 4] = [
        (&[("global.yaml", "prop: {}")], "global.yaml: "),
        (&[("global.yaml", ""), ("server.yaml", "")], "keep one"),
        (
            &[("config-a.yaml", "databaseName: x"), ("database-b.yaml", "databaseName: x")],
            "database-b.yaml: databaseName: 'x' is in another file",
        ),
        (&[("anabranch.yaml", "workers: many")], "anabranch.yaml: workers"),
    ];
    for (files, expected) in cases {
        let folder = folder(files);
        let error = ConfigFiles::read(folder.path(), SPREAD).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let missing = ConfigFiles::read(Path::new("no/such/folder"), SPREAD).unwrap_err();
    assert!(missing.to_string().starts_with("no/such/folder: "), "{missing}");
}

#[test]
fn the_sample_folder_is_valid_and_shows_the_defaults() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conf");
    let files = ConfigFiles::read(&samples, SPREAD).unwrap();
    let accounts: Vec<_> = files
        .users
        .iter()
        .map(|user| (user.name.as_str(), user.host.as_str(), user.native_verifier.clone()))
        .collect();
    assert_eq!(
        accounts,
        [("root", "%", native_verifier(b"root")), ("test", "%", native_verifier(b"test"))]
    );
    assert_eq!(files.options, ServerOptions::default());
    assert!(files.databases.is_empty());
}
