//! SHOW DATABASES and SHOW TABLES, with LIKE and WHERE.

use super::*;
use crate::tests::{Node, lines};
use sql::Span;
use sql::ast::{BinaryOp, ColumnName, Expr, ExprKind, Ident, Literal, UnaryOp};

fn like(pattern: &str) -> ShowFilter {
    ShowFilter::Like(pattern.as_bytes().to_vec())
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn column(name: &str) -> Expr {
    let name = Ident { value: name.to_owned(), span: Span::default() };
    expr(ExprKind::Column(ColumnName { database: None, table: None, name }))
}

fn text(value: &str) -> Expr {
    let value = value.as_bytes().to_vec();
    expr(ExprKind::Literal(Literal::String { value, introducer: None }))
}

fn binary(left: Expr, op: BinaryOp, right: Expr) -> Expr {
    expr(ExprKind::Binary(Box::new(left), op, Box::new(right)))
}

#[test]
fn databases_are_those_the_user_may_use() {
    let node = Node::with_units(&[]);
    for name in ["a_db", "zoo"] {
        node.governance
            .change("test", |draft| {
                draft.configuration.databases.insert(name.to_owned(), Default::default());
                Ok(())
            })
            .unwrap();
    }
    let snapshot = node.governance.current();
    let all = show_databases(&snapshot, None, None).unwrap();
    assert_eq!(
        (all.columns[0].as_str(), lines(&all)),
        ("Database", vec!["a_db".into(), "db".into(), "zoo".into()])
    );
    let permitted = ["db".to_owned(), "zoo".to_owned()];
    let some = show_databases(&snapshot, Some(&permitted), Some(&like("%d%"))).unwrap();
    assert_eq!((some.columns[0].as_str(), lines(&some)), ("Database (%d%)", vec!["db".into()]));
}

#[test]
fn tables_are_those_that_exist() {
    let node = Node::with_units(&[&["b", "v_view", "t_user_0"], &[]]);
    node.run("CREATE SHARDING TABLE RULE t_user (STORAGE_UNITS(a,b), SHARDING_COLUMN=id, TYPE(NAME=MOD))")
        .unwrap();
    let snapshot = node.governance.current();
    let show = |is_full, filter: Option<ShowFilter>| {
        show_tables(&snapshot, None, Some("db"), is_full, filter.as_ref())
    };
    let plain = show(false, None).unwrap();
    assert_eq!(plain.columns, ["Tables_in_db"]);
    assert_eq!(lines(&plain), ["b", "t_user", "v_view"]);
    let full = show(true, Some(like(r"%\_%"))).unwrap();
    assert_eq!(full.columns, [r"Tables_in_db (%\_%)", "Table_type"]);
    assert_eq!(lines(&full), ["t_user|BASE TABLE", "v_view|VIEW"]);

    let is_view = binary(column("table_type"), BinaryOp::Equal, text("view"));
    let not_view = expr(ExprKind::Unary(UnaryOp::Not, Box::new(is_view.clone())));
    let named_b = expr(ExprKind::InList {
        expr: Box::new(column("Tables_in_db")),
        negated: false,
        list: vec![text("B"), text("x")],
    });
    let cases = [
        (is_view.clone(), vec!["v_view|VIEW"]),
        (binary(is_view, BinaryOp::Or, named_b.clone()), vec!["b|BASE TABLE", "v_view|VIEW"]),
        (binary(not_view, BinaryOp::And, named_b), vec!["b|BASE TABLE"]),
    ];
    for (condition, expected) in cases {
        assert_eq!(lines(&show(true, Some(ShowFilter::Where(condition))).unwrap()), expected);
    }
    let unknown = binary(column("engine"), BinaryOp::Equal, text("x"));
    assert_eq!(show(true, Some(ShowFilter::Where(unknown))).unwrap_err().code, 1054);
    let complex = expr(ExprKind::Param(0));
    assert_eq!(show(true, Some(ShowFilter::Where(complex))).unwrap_err().code, 30001);
}

#[test]
fn errors_are_those_of_mysql() {
    let node = Node::with_units(&[]);
    let snapshot = node.governance.current();
    let code = |permitted, database| {
        show_tables(&snapshot, permitted, database, false, None).unwrap_err().code
    };
    assert_eq!(code(None, None), 1046);
    assert_eq!(code(None, Some("gone")), 1049);
    assert_eq!(code(Some(&[][..]), Some("db")), 1044);
}
