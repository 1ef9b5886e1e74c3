//! The store against restarts, locks and damage.

use super::*;
use std::io::{Seek, SeekFrom, Write};

fn configuration(value: &str) -> Configuration {
    Configuration {
        properties: [("sql-show".to_owned(), value.to_owned())].into(),
        ..Configuration::default()
    }
}

#[test]
fn what_is_stored_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("deep/data");
    {
        let store = Store::open(&data).unwrap();
        assert_eq!(store.load().unwrap(), None);
        store.store(&configuration("true")).unwrap();
        store.store(&configuration("false")).unwrap();
    }
    let store = Store::open(&data).unwrap();
    assert_eq!(store.load().unwrap(), Some(configuration("false")));
}

#[test]
fn only_the_owner_may_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    std::fs::write(&path, b"").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    drop(Store::open(folder.path()).unwrap());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_second_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let _first = Store::open(folder.path()).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Locked(_)), "{error}");
    assert!(error.to_string().contains("in use by another process"));
}

#[test]
fn a_file_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(FILE_NAME), b"not a store at all".repeat(1000)).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
}

#[test]
fn a_damaged_file_is_an_error_or_the_last_good_state() {
    for cut in [1, 7, 64, 320, 4096, 5000, 9000, 20_000, 50_000] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        Store::open(folder.path()).unwrap().store(&configuration("true")).unwrap();
        let length = std::fs::metadata(&path).unwrap().len();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(length.min(cut)).unwrap();
        drop(file);
        match Store::open(folder.path()).and_then(|store| store.load()) {
            Ok(loaded) => assert_eq!(loaded, Some(configuration("true")), "cut at {cut}"),
            Err(StoreError::Corrupt { .. }) => {}
            Err(other) => panic!("cut at {cut}: {other}"),
        }
    }
}

#[test]
fn overwritten_pages_never_load_as_something_else() {
    for at in (0..40_000).step_by(512) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        Store::open(folder.path()).unwrap().store(&configuration("true")).unwrap();
        let mut file = OpenOptions::new().write(true).open(&path).unwrap();
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&[0xa5; 64]).unwrap();
        drop(file);
        if let Ok(loaded) = Store::open(folder.path()).and_then(|store| store.load()) {
            assert_eq!(loaded, Some(configuration("true")), "damage at {at}");
        }
    }
}

#[test]
fn a_newer_format_is_refused() {
    let store = Store::in_memory().unwrap();
    let transaction = store.database.begin_write().unwrap();
    let bytes: &[u8] = br#"{"format":2,"anything":[]}"#;
    transaction.open_table(TABLE).unwrap().insert(KEY, bytes).unwrap();
    transaction.commit().unwrap();
    let error = store.load().unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 2, .. }), "{error}");
}

/// The child half of [`a_killed_process_loses_no_committed_change`]: stores ever rising numbers and
/// says so after each commit.
#[test]
#[ignore = "started by another test, as a process of its own"]
fn child_that_stores_until_it_is_killed() {
    let folder = std::env::var_os("STORE_FOLDER").expect("the parent test sets it");
    let store = Store::open(Path::new(&folder)).unwrap();
    for number in 1..u64::MAX {
        store.store(&configuration(&number.to_string())).unwrap();
        println!("\nstored {number}");
    }
}

#[test]
fn a_killed_process_loses_no_committed_change() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    for round in [1, 5, 23, 60] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture"])
            .arg("store::tests::child_that_stores_until_it_is_killed")
            .env("STORE_FOLDER", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = 0;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            if let Some(number) = line.unwrap().strip_prefix("stored ") {
                told = number.parse::<u64>().unwrap();
                if told >= round {
                    break;
                }
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(told >= round, "the child ended by itself");
        let stored = Store::open(folder.path()).unwrap().load().unwrap().unwrap();
        let stored: u64 = stored.properties["sql-show"].parse().unwrap();
        assert!(stored >= told, "told {told}, found {stored}");
    }
}
