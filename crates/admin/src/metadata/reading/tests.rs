//! Answers of information_schema as MySQL and MariaDB give them.

use super::*;

/// Rows of cells separated by `|`; `\N` is NULL.
fn table(lines: &[&str]) -> TextTable {
    let cell = |cell: &str| (cell != r"\N").then(|| cell.to_owned());
    TextTable {
        columns: Vec::new(),
        rows: lines.iter().map(|line| line.split('|').map(cell).collect()).collect(),
    }
}

#[test]
fn answers_become_metadata() {
    let columns = table(&[
        r"t|id|int|int(10) unsigned|\N|NO|\N|auto_increment",
        r"t|k|int|int(10) unsigned|\N|NO|0|",
        r"t|c|CHAR|char(120)|utf8mb4_general_ci|YES|NULL|",
        r"t|at|timestamp|timestamp|\N|NO|CURRENT_TIMESTAMP|DEFAULT_GENERATED on update CURRENT_TIMESTAMP",
        r"t|g|int|int|\N|YES|\N|VIRTUAL GENERATED, INVISIBLE",
        r"v|Total|decimal|decimal(32,0)|\N|YES|\N|",
    ]);
    let overview = table(&["t|BASE TABLE", "v|VIEW", r"\N|10.11.6-MariaDB"]);
    let keys = table(&[
        "t|PRIMARY|id",
        "t|PRIMARY|k",
        "t|by_c|c",
        r"t|by_expression|\N",
        "t|by_k|k",
        "t|by_k|c",
        "gone|PRIMARY|id",
    ]);
    let metadata = build_metadata(&overview, &columns, &keys).unwrap();
    assert_eq!(metadata.server_version, "10.11.6-MariaDB");
    assert_eq!(metadata.tables.keys().collect::<Vec<_>>(), ["t", "v"]);
    let t = &metadata.tables["t"];
    assert!(!t.is_view);
    assert_eq!(t.primary_key, ["id", "k"]);
    assert_eq!(t.unique_keys, [vec!["c"], vec!["k", "c"]]);
    let flags = |column: &ColumnMetadata| {
        let flags = [
            (column.is_nullable, "nullable"),
            (column.is_auto_increment, "auto_increment"),
            (column.has_default, "default"),
            (column.is_invisible, "invisible"),
        ];
        flags.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
    };
    let shown: Vec<_> =
        t.columns.iter().map(|c| format!("{} {}: {}", c.name, c.data_type, flags(c))).collect();
    assert_eq!(
        shown,
        [
            "id int: auto_increment",
            "k int: default",
            "c char: nullable",
            "at timestamp: default",
            "g int: nullable default invisible",
        ]
    );
    assert!(t.columns[0].is_unsigned());
    assert_eq!(t.columns[2].collation, "utf8mb4_general_ci");
    assert!(metadata.tables["v"].is_view);
}

#[test]
fn an_empty_database_has_a_version_and_no_tables() {
    let metadata = build_metadata(&table(&[r"\N|8.0.36"]), &table(&[]), &table(&[])).unwrap();
    assert_eq!((metadata.server_version.as_str(), metadata.tables.len()), ("8.0.36", 0));
}

#[test]
fn answers_of_another_form_are_refused() {
    let version = table(&[r"\N|8.0.36"]);
    for (version, columns, keys) in [
        (table(&[]), table(&[]), table(&[])),
        (version.clone(), table(&["t|id"]), table(&[])),
        (version, table(&[r"t|a|int|int|\N|NO|\N|"]), table(&["t|PRIMARY"])),
    ] {
        assert_eq!(build_metadata(&version, &columns, &keys), None);
    }
}

#[test]
fn names_cannot_break_out_of_the_query() {
    assert_eq!(quote("t_user$1"), "'t_user$1'");
    assert_eq!(quote("a'b"), "CONVERT(0x612762 USING utf8mb4)");
    assert_eq!(quote("é"), "CONVERT(0xc3a9 USING utf8mb4)");
    let names = ["a".to_owned(), "b c".to_owned()];
    let query = keys_query(Some(&names));
    assert!(
        query.contains("TABLE_NAME IN ('a', CONVERT(0x622063 USING utf8mb4)) ORDER"),
        "{query}"
    );
    assert!(columns_query(None).contains("= DATABASE() ORDER BY TABLE_NAME"));
    assert!(overview_query(Some(&names)).ends_with("USING utf8mb4))"));
    assert!(keys_query(Some(&[])).contains(" AND FALSE"));
}

#[test]
fn futures_run_side_by_side_and_keep_their_order() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let (mut sender, mut receiver) = (Some(sender), Some(receiver));
    // The first waits for the second: one after the other they would never end.
    let futures = [0, 1].map(|index| {
        let (sender, receiver) = match index {
            0 => (None, receiver.take()),
            _ => (sender.take(), None),
        };
        async move {
            if let Some(sender) = sender {
                sender.send(()).unwrap();
            }
            if let Some(receiver) = receiver {
                receiver.await.unwrap();
            }
            index
        }
    });
    assert_eq!(runtime.block_on(concurrently(futures.into_iter())), [0, 1]);
    assert!(
        runtime.block_on(concurrently(std::iter::empty::<std::future::Ready<()>>())).is_empty()
    );
}
