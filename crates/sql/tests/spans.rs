//! The places in the text that rewriting edits.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use sql::ast::*;
use sql::{Span, SqlMode, parse};

fn statement(text: &str) -> StatementKind {
    match parse(text.as_bytes(), SqlMode::default()) {
        Ok(statement) => statement.kind,
        Err(error) => panic!("{error}: {text}"),
    }
}

fn query(text: &str) -> Query {
    match statement(text) {
        StatementKind::Query(query) => *query,
        other => panic!("{other:?}"),
    }
}

fn select(text: &str) -> Select {
    match query(text).body {
        QueryBody::Select(select) => *select,
        other => panic!("{other:?}"),
    }
}

fn insert(text: &str) -> Insert {
    match statement(text) {
        StatementKind::Insert(insert) => *insert,
        other => panic!("{other:?}"),
    }
}

fn of(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

/// The text with `|` put at a position.
fn marked(text: &str, at: u32) -> String {
    let (before, behind) = text.split_at(at as usize);
    format!("{before}|{behind}")
}

#[test]
fn a_statement_ends_before_its_semicolon() {
    let text = " /* a */ SELECT 1 ; -- b";
    let statement = parse(text.as_bytes(), SqlMode::default()).unwrap();
    assert_eq!(of(text, statement.span), "SELECT 1");
}

#[test]
fn tables_have_the_span_of_their_name() {
    let text = "SELECT * FROM `d b` . `t``1` AS x USE INDEX (i), u PARTITION (p) y, v";
    let select = select(text);
    let tables: Vec<_> = select
        .from
        .iter()
        .map(|table| match table {
            TableRef::Table(table) => table,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(of(text, tables[0].name.span()), "`d b` . `t``1`");
    assert_eq!(tables[0].name.name.value, "t`1");
    assert_eq!(of(text, tables[0].name.name.span), "`t``1`");
    assert_eq!(of(text, tables[0].span), "`d b` . `t``1` AS x USE INDEX (i)");
    assert_eq!(of(text, tables[0].alias.as_ref().unwrap().span), "x");
    assert!(marked(text, tables[0].alias_at).contains("`t``1`| AS x"));
    assert!(marked(text, tables[1].alias_at).contains("u PARTITION (p)| y"));
    assert!(tables[1].has_partition && !tables[0].has_partition);
    assert!(marked(text, tables[2].alias_at).ends_with("v|"));
}

#[test]
fn clauses_have_the_place_where_they_are_or_could_be() {
    for (text, order_by_at, limit_at) in [
        ("SELECT 1", "SELECT 1|", "SELECT 1|"),
        ("SELECT a FROM t -- c", "SELECT a FROM t| -- c", "SELECT a FROM t| -- c"),
        (
            "SELECT a FROM t HAVING b FOR UPDATE",
            "SELECT a FROM t HAVING b| FOR UPDATE",
            "SELECT a FROM t HAVING b| FOR UPDATE",
        ),
        (
            "SELECT a FROM t ORDER BY b LIMIT 1",
            "SELECT a FROM t| ORDER BY b LIMIT 1",
            "SELECT a FROM t ORDER BY b| LIMIT 1",
        ),
        ("SELECT a FROM t INTO @x", "SELECT a FROM t| INTO @x", "SELECT a FROM t| INTO @x"),
        (
            "(SELECT a) UNION (SELECT b) LOCK IN SHARE MODE",
            "(SELECT a) UNION (SELECT b)| LOCK IN SHARE MODE",
            "(SELECT a) UNION (SELECT b)| LOCK IN SHARE MODE",
        ),
    ] {
        let query = query(text);
        assert_eq!(marked(text, query.order_by_at), order_by_at);
        assert_eq!(marked(text, query.limit_at), limit_at);
    }
}

#[test]
fn limits_have_all_their_parts() {
    for (text, limit, offset, count) in [
        ("SELECT a FROM t LIMIT 5 , 10 FOR UPDATE", "LIMIT 5 , 10", Some("5"), "10"),
        ("SELECT a FROM t LIMIT 10 OFFSET ?", "LIMIT 10 OFFSET ?", Some("?"), "10"),
        ("SELECT a FROM t LIMIT ?", "LIMIT ?", None, "?"),
    ] {
        let found = query(text).limit.unwrap();
        assert_eq!(of(text, found.span), limit);
        assert_eq!(found.offset.map(|offset| of(text, offset.span)), offset);
        assert_eq!(of(text, found.count.span), count);
    }
}

#[test]
fn select_lists_and_groups() {
    let text = "SELECT DISTINCT SQL_CALC_FOUND_ROWS a , t.* , COUNT( * ) AS c FROM t GROUP BY a , b WITH ROLLUP HAVING c > 1 ORDER BY a";
    let select = select(text);
    assert_eq!(of(text, select.distinct.unwrap()), "DISTINCT");
    assert_eq!(of(text, select.calc_found_rows.unwrap()), "SQL_CALC_FOUND_ROWS");
    assert!(marked(text, select.items_end).contains("AS c| FROM"));
    assert_eq!(of(text, select.group_by_span.unwrap()), "GROUP BY a , b WITH ROLLUP");
    assert!(select.with_rollup);
    assert_eq!(of(text, select.having_span.unwrap()), "HAVING c > 1");
    assert_eq!(of(text, select.having.unwrap().span), "c > 1");
    assert!(of(text, select.span).starts_with("SELECT") && of(text, select.span).ends_with("> 1"));
    let spans: Vec<_> = select
        .items
        .iter()
        .map(|item| match item {
            SelectItem::Wildcard { span, .. } | SelectItem::Expr { span, .. } => of(text, *span),
        })
        .collect();
    assert_eq!(spans, ["a", "t.*", "COUNT( * ) AS c"]);
}

#[test]
fn inserted_rows() {
    let text =
        "INSERT INTO t ( a , `b` ) VALUES (1, 'x') , ROW(2, ?) , () ON DUPLICATE KEY UPDATE a = 1";
    let insert = insert(text);
    assert_eq!(of(text, insert.columns_span), "( a , `b` )");
    let InsertSource::Values { rows, span } = insert.source else { panic!() };
    assert_eq!(of(text, span), "(1, 'x') , ROW(2, ?) , ()");
    let found: Vec<_> = rows.iter().map(|row| of(text, row.span)).collect();
    assert_eq!(found, ["(1, 'x')", "ROW(2, ?)", "()"]);
    assert_eq!(of(text, rows[1].values[1].span), "?");
    assert_eq!(rows[1].values[1].kind, ExprKind::Param(0));
    assert_eq!(insert.on_duplicate.len(), 1);
}

#[test]
fn a_missing_column_list_has_its_place() {
    for (text, expected) in [
        ("INSERT INTO t VALUES (1)", "INSERT INTO t| VALUES (1)"),
        ("INSERT INTO db.t PARTITION (p) SELECT 1", "INSERT INTO db.t PARTITION (p)| SELECT 1"),
        ("REPLACE t (SELECT 1)", "REPLACE t| (SELECT 1)"),
    ] {
        let insert = insert(text);
        assert_eq!(insert.columns, None);
        assert!(insert.columns_span.is_empty());
        assert_eq!(marked(text, insert.columns_span.start), expected);
    }
}

#[test]
fn expressions_cover_their_text() {
    for text in [
        "a",
        "t.a",
        "db . t . a",
        "`a`",
        "-1",
        "(1)",
        "( a , b )",
        "a + b * c",
        "NOT a",
        "a IS NOT NULL",
        "a NOT IN (1, 2)",
        "a IN (SELECT 1)",
        "a BETWEEN 1 AND 2",
        "a LIKE 'x' ESCAPE '!'",
        "COUNT(DISTINCT a)",
        "f ( )",
        "db.f(1)",
        "CASE a WHEN 1 THEN 2 END",
        "CAST(a AS CHAR(10))",
        "CONVERT(a USING utf8)",
        "a COLLATE utf8mb4_bin",
        "EXISTS (SELECT 1)",
        "(SELECT 1)",
        "a > ALL (SELECT 1)",
        "INTERVAL 1 DAY + a",
        "MATCH (a) AGAINST ('x' IN BOOLEAN MODE)",
        "@a := 1",
        "@@session.x",
        "'a' 'b'",
        "_utf8mb4 'x'",
        "SUM(a) OVER (PARTITION BY b)",
        "a -> '$.b'",
        "{d '2020-01-01'}",
        "DATE '2020-01-01'",
        "CURRENT_TIMESTAMP",
        "EXTRACT(DAY FROM a)",
        "TRIM(BOTH FROM a)",
        "BINARY a",
        "ROW(1, 2)",
        "(a OR b) AND c",
        "NOW(3)",
    ] {
        let whole = format!("SELECT {text} , 1");
        let select = select(&whole);
        let SelectItem::Expr { expr, .. } = &select.items[0] else { panic!("{text}") };
        assert_eq!(of(&whole, expr.span), text);
    }
}

#[test]
fn joins_and_derived_tables() {
    let text = "SELECT 1 FROM a x JOIN b ON x.i = b.i LEFT JOIN ( SELECT 1 ) d USING ( i ) , ( c , e ) WHERE 1";
    let select = select(text);
    let TableRef::Join(outer) = &select.from[0] else { panic!() };
    assert_eq!(of(text, outer.left.span()), "a x JOIN b ON x.i = b.i");
    assert_eq!(of(text, outer.right.span()), "( SELECT 1 ) d");
    assert_eq!(
        of(text, outer.span),
        "a x JOIN b ON x.i = b.i LEFT JOIN ( SELECT 1 ) d USING ( i )"
    );
    assert_eq!((outer.kind, outer.using.len()), (JoinKind::Left, 1));
    assert_eq!(of(text, select.from[1].span()), "( c , e )");
}

#[test]
fn a_join_without_condition_gives_back_what_follows() {
    let text = "SELECT 1 FROM a JOIN b JOIN c ON b.x = a.x";
    let TableRef::Join(outer) = select(text).from.remove(0) else { panic!() };
    assert_eq!(of(text, outer.left.span()), "a JOIN b");
    assert_eq!(of(text, outer.right.span()), "c");
    assert!(outer.on.is_some());
    assert_eq!(of(text, outer.span), &text[14..]);

    let text = "SELECT 1 FROM a JOIN b JOIN c ON 1 ON 2";
    let TableRef::Join(outer) = select(text).from.remove(0) else { panic!() };
    assert_eq!(of(text, outer.left.span()), "a");
    assert_eq!(of(text, outer.right.span()), "b JOIN c ON 1");
}

#[test]
fn definitions() {
    let text = "CREATE TABLE t (a VARCHAR(20) CHARACTER SET latin1 NOT NULL, id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, UNIQUE KEY u (a(5), id), CONSTRAINT f FOREIGN KEY (a) REFERENCES d.x (y) ON DELETE CASCADE) ENGINE=InnoDB PARTITION BY HASH(id)";
    let StatementKind::CreateTable(table) = statement(text) else { panic!() };
    assert_eq!(of(text, table.columns[0].type_span), "VARCHAR(20) CHARACTER SET latin1");
    assert_eq!(of(text, table.columns[0].span), "a VARCHAR(20) CHARACTER SET latin1 NOT NULL");
    let id = &table.columns[1];
    assert_eq!(of(text, id.type_span), "INT UNSIGNED");
    assert!(id.is_auto_increment && id.is_primary_key && !id.is_unique);
    let unique = &table.indexes[0];
    assert_eq!((unique.kind, unique.columns.len()), (IndexKind::Unique, 2));
    assert_eq!(of(text, unique.span), "UNIQUE KEY u (a(5), id)");
    assert_eq!(of(text, table.indexes[1].references.as_ref().unwrap().span()), "d.x");
    assert_eq!(table.indexes[1].name.as_ref().unwrap().value, "f");
    assert!(table.has_partitions);
}

#[test]
fn alterations() {
    let text = "ALTER TABLE t ADD COLUMN (a INT, b INT), DROP c, CHANGE d e TEXT FIRST, ADD PRIMARY KEY (a), ENGINE = InnoDB, EXCHANGE PARTITION p WITH TABLE u, RENAME TO v PARTITION BY HASH(a)";
    let StatementKind::AlterTable(alter) = statement(text) else { panic!() };
    let shown: Vec<_> = alter
        .actions
        .iter()
        .map(|action| match action {
            AlterAction::AddColumn(column) => format!("add {}", of(text, column.span)),
            AlterAction::DropColumn(name) => format!("drop {}", name.value),
            AlterAction::ChangeColumn(old, column) => {
                format!("{} to {}", old.value, of(text, column.span))
            }
            AlterAction::AddIndex(index) => format!("index {:?}", index.kind),
            AlterAction::Other(span) => format!("other {}", of(text, *span)),
            AlterAction::ExchangePartition(table) => format!("exchange {}", table.name.value),
            AlterAction::Rename(name) => format!("rename {}", name.name.value),
            AlterAction::Partition(span) => format!("partition {}", of(text, *span)),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        "add a INT",
        "add b INT",
        "drop c",
        "d to e TEXT",
        "index Primary",
        "other ENGINE = InnoDB",
        "exchange u",
        "rename v",
        "partition PARTITION BY HASH(a)",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn parameters_are_counted_in_text_order() {
    let text = "SELECT ?, JSON_TABLE(?, '$' COLUMNS (a INT PATH '$')) FROM t WHERE a = ? LIMIT ?";
    let text = text.replace(
        "JSON_TABLE(?, '$' COLUMNS (a INT PATH '$')) FROM t",
        "1 FROM JSON_TABLE(?, '$' COLUMNS (a INT PATH '$')) j",
    );
    let statement = parse(text.as_bytes(), SqlMode::default()).unwrap();
    assert_eq!(statement.param_count, 4);
    let StatementKind::Query(query) = statement.kind else { panic!() };
    assert_eq!(query.limit.unwrap().count.kind, ExprKind::Param(3));
}

#[test]
fn hints_come_with_the_statement() {
    let text = "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=ds_0 */ SELECT 1 /*shadow:true*/";
    let statement = parse(text.as_bytes(), SqlMode::default()).unwrap();
    let hints: Vec<_> =
        statement.hints.iter().map(|hint| (hint.key.as_str(), hint.value.as_str())).collect();
    assert_eq!(hints, [("DATA_SOURCE_NAME", "ds_0"), ("shadow", "true")]);
    assert_eq!(of(text, statement.hints[1].span), "/*shadow:true*/");
}
