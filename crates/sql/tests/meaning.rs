//! What a statement says: precedence, values, and the parts of SET, SHOW and transactions.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use sql::ast::*;
use sql::{SqlMode, parse};

fn kind_in(text: &str, mode: SqlMode) -> StatementKind {
    match parse(text.as_bytes(), mode) {
        Ok(statement) => statement.kind,
        Err(error) => panic!("{error}: {text}"),
    }
}

fn kind(text: &str) -> StatementKind {
    kind_in(text, SqlMode::default())
}

fn expr_in(text: &str, mode: SqlMode) -> Expr {
    let StatementKind::Do(mut list) = kind_in(&format!("DO {text}"), mode) else { panic!() };
    list.remove(0)
}

/// The tree with parentheses everywhere.
fn shown(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Column(column) => column.name.value.clone(),
        ExprKind::Literal(Literal::Number(number)) => number.clone(),
        ExprKind::Nested(inner) => shown(inner),
        ExprKind::Unary(op, operand) => format!("({op:?} {})", shown(operand)),
        ExprKind::Binary(left, op, right) => format!("({} {op:?} {})", shown(left), shown(right)),
        ExprKind::Is { expr, negated, test } => {
            format!("({} Is{} {test:?})", shown(expr), if *negated { "Not" } else { "" })
        }
        ExprKind::InList { expr, negated, list } => {
            let list: Vec<_> = list.iter().map(shown).collect();
            format!(
                "({} {}In [{}])",
                shown(expr),
                if *negated { "Not" } else { "" },
                list.join(" ")
            )
        }
        ExprKind::Between { expr, low, high, .. } => {
            format!("({} Between {} {})", shown(expr), shown(low), shown(high))
        }
        ExprKind::Like { expr, pattern, .. } => {
            format!("({} Like {})", shown(expr), shown(pattern))
        }
        ExprKind::Collate { expr, collation } => format!("({} Collate {collation})", shown(expr)),
        ExprKind::Cast { expr, type_text } => format!("(Cast {} {type_text})", shown(expr)),
        ExprKind::Assign { variable, value } => format!("(@{variable} := {})", shown(value)),
        ExprKind::Interval { expr, unit } => format!("(Interval {} {unit})", shown(expr)),
        ExprKind::Function(function) => {
            let args: Vec<_> = function.args.iter().map(shown).collect();
            format!("{}({})", function.name.value, args.join(" "))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn operators_bind_as_mysqls() {
    for (text, tree) in [
        ("a OR b AND c", "(a Or (b And c))"),
        ("a OR b XOR c AND d", "(a Or (b Xor (c And d)))"),
        ("a AND b OR c", "((a And b) Or c)"),
        ("a OR b OR c", "((a Or b) Or c)"),
        ("NOT a AND b", "((Not a) And b)"),
        ("NOT a = b", "(Not (a Equal b))"),
        ("NOT a IS NULL", "(Not (a Is Null))"),
        ("NOT a BETWEEN b AND c", "(Not (a Between b c))"),
        ("!a = b", "((Not a) Equal b)"),
        ("a = b = c", "((a Equal b) Equal c)"),
        ("a = b IS NULL", "((a Equal b) Is Null)"),
        ("a = b LIKE c", "(a Equal (b Like c))"),
        ("a = b IN (1, 2)", "(a Equal (b In [1 2]))"),
        ("a BETWEEN b AND c AND d", "((a Between b c) And d)"),
        ("a BETWEEN b + 1 AND c | d OR e", "((a Between (b Plus 1) (c BitOr d)) Or e)"),
        ("a NOT IN (1)", "(a NotIn [1])"),
        ("a + b * c - d", "((a Plus (b Multiply c)) Minus d)"),
        ("a | b & c << d + e", "(a BitOr (b BitAnd (c ShiftLeft (d Plus e))))"),
        ("a * b ^ c", "(a Multiply (b BitXor c))"),
        ("a DIV b MOD c", "((a IntegerDivide b) Modulo c)"),
        ("-a ^ b", "((Minus a) BitXor b)"),
        ("- a * b", "((Minus a) Multiply b)"),
        ("a - -1", "(a Minus (Minus 1))"),
        ("~a + b", "((BitNot a) Plus b)"),
        ("BINARY a = b", "((Cast a BINARY) Equal b)"),
        ("a = b COLLATE c", "(a Equal (b Collate c))"),
        ("-a COLLATE b", "(Minus (a Collate b))"),
        ("a || b AND c", "(a Or (b And c))"),
        ("a && b || c", "((a And b) Or c)"),
        ("@x := a OR b", "(@x := (a Or b))"),
        ("a + INTERVAL b + 1 DAY", "(a Plus (Interval (b Plus 1) DAY))"),
        ("INTERVAL 1 DAY + a", "((Interval 1 DAY) Plus a)"),
        ("INTERVAL (1) + 1 DAY", "(Interval (1 Plus 1) DAY)"),
        ("INTERVAL(a, b, c) + 1", "(INTERVAL(a b c) Plus 1)"),
        ("a > b AND c < d", "((a Greater b) And (c Less d))"),
        ("a IS NOT TRUE AND b", "((a IsNot True) And b)"),
        ("a <=> NULL", "(a NullSafeEqual Literal(Null))"),
        ("a MEMBER OF (b)", "(a MemberOf b)"),
        ("a SOUNDS LIKE b", "(a SoundsLike b)"),
        ("trim(leading a from b)", "trim(b a)"),
    ] {
        assert_eq!(shown(&expr_in(text, SqlMode::default())), tree, "{text}");
    }
}

#[test]
fn sql_mode_changes_operators() {
    let concat = SqlMode { pipes_as_concat: true, ..SqlMode::default() };
    assert_eq!(shown(&expr_in("a || b = c", concat)), "((a Concat b) Equal c)");
    assert_eq!(shown(&expr_in("-a || b ^ c", concat)), "(((Minus a) Concat b) BitXor c)");
    let high = SqlMode { high_not_precedence: true, ..SqlMode::default() };
    assert_eq!(shown(&expr_in("NOT a BETWEEN b AND c", high)), "((Not a) Between b c)");
    let ansi = SqlMode { ansi_quotes: true, ..SqlMode::default() };
    assert_eq!(shown(&expr_in("\"a\" = \"b\"", ansi)), "(a Equal b)");
}

#[test]
fn literals_have_their_values() {
    let string = |value: &str| Literal::String { value: value.into(), introducer: None };
    for (text, literal) in [
        ("1", Literal::Number("1".into())),
        ("1.50", Literal::Number("1.50".into())),
        (".5e-3", Literal::Number(".5e-3".into())),
        ("'it''s'", string("it's")),
        (r"'a\nb\%'", string("a\nb\\%")),
        ("'a' \"b\" 'c'", string("abc")),
        ("x'4D5a'", Literal::Hex(b"MZ".to_vec())),
        ("0xF", Literal::Hex(vec![15])),
        ("b'101'", Literal::Bit(vec![5])),
        ("NULL", Literal::Null),
        ("\\N", Literal::Null),
        ("TRUE", Literal::Bool(true)),
        ("DATE '2020-01-02'", Literal::Temporal { keyword: "DATE", value: "2020-01-02".into() }),
        ("{t '10:00'}", Literal::Temporal { keyword: "TIME", value: "10:00".into() }),
        (
            "_latin1'x'",
            Literal::String { value: b"x".to_vec(), introducer: Some("_latin1".into()) },
        ),
        ("N'x'", Literal::String { value: b"x".to_vec(), introducer: Some("_utf8".into()) }),
        ("_utf8 x'41'", Literal::String { value: b"A".to_vec(), introducer: Some("_utf8".into()) }),
    ] {
        assert_eq!(expr_in(text, SqlMode::default()).kind, ExprKind::Literal(literal), "{text}");
    }
}

#[test]
fn set_operators_bind_as_mysqls() {
    let text = "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 UNION ALL SELECT 4";
    let StatementKind::Query(query) = kind(text) else { panic!() };
    let QueryBody::SetOperation { left, operator: SetOperator::Union, is_all: true, .. } =
        query.body
    else {
        panic!()
    };
    let QueryBody::SetOperation { right, operator: SetOperator::Union, is_all: false, .. } = *left
    else {
        panic!()
    };
    let intersect =
        matches!(*right, QueryBody::SetOperation { operator: SetOperator::Intersect, .. });
    assert!(intersect);
}

#[test]
fn assignments_of_set() {
    let StatementKind::Set(items) = kind(
        "SET autocommit = ON, GLOBAL a = 1, b = DEFAULT, @@session.C = 2, @d := 3, NAMES utf8mb4 \
         COLLATE utf8mb4_bin, CHARACTER SET DEFAULT, e.f = 1",
    ) else {
        panic!()
    };
    let shown: Vec<_> = items
        .iter()
        .map(|item| match item {
            SetItem::Variable { scope, name, value } => {
                format!("{scope:?} {name} {}", value.as_ref().map_or("-".into(), shown))
            }
            SetItem::UserVariable { name, value } => format!("@{name} {}", shown(value)),
            other => format!("{other:?}"),
        })
        .collect();
    let expected = [
        "Unspecified autocommit ON",
        "Global a 1",
        "Global b -",
        "Session c 2",
        "@d 3",
        "Names { charset: Some(\"utf8mb4\"), collation: Some(\"utf8mb4_bin\") }",
        "Charset(None)",
        "Global e.f 1",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn transactions() {
    let transaction = |text: &str| match kind(text) {
        StatementKind::Set(mut items) => items.remove(0),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        transaction("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY"),
        SetItem::Transaction {
            scope: VariableScope::Session,
            isolation: Some(IsolationLevel::ReadCommitted),
            read_only: Some(true),
        }
    );
    let begin = Begin { is_read_only: true, with_consistent_snapshot: true };
    assert_eq!(
        kind("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"),
        StatementKind::Begin(begin)
    );
    let end = EndTransaction { is_chained: true, is_release: false };
    assert_eq!(kind("COMMIT WORK AND CHAIN NO RELEASE"), StatementKind::Commit(end));
    let end = EndTransaction { is_chained: false, is_release: true };
    assert_eq!(kind("ROLLBACK AND NO CHAIN RELEASE"), StatementKind::Rollback(end));
    assert!(matches!(kind("XA PREPARE 'x'"), StatementKind::Xa(verb) if verb == "PREPARE"));
}

#[test]
fn kinds_of_show() {
    let show = |text: &str| match kind(text) {
        StatementKind::Show(show) => *show,
        other => panic!("{other:?}"),
    };
    let words = |words: &str| ShowKind::Other { words: words.into() };
    for (text, kind) in [
        ("SHOW FULL TABLES", ShowKind::Tables { is_full: true }),
        ("SHOW GLOBAL VARIABLES", ShowKind::Variables { scope: VariableScope::Global }),
        ("SHOW STATUS LIKE 'x'", ShowKind::Status { scope: VariableScope::Unspecified }),
        ("SHOW COUNT(*) WARNINGS", ShowKind::Warnings { is_count: true }),
        ("SHOW ENGINE INNODB STATUS", words("ENGINE INNODB STATUS")),
        ("SHOW CREATE PROCEDURE p", words("CREATE PROCEDURE")),
        ("SHOW CHARACTER SET LIKE 'x'", words("CHARACTER SET")),
        ("SHOW GRANTS FOR 'u'@'h'", words("GRANTS")),
        ("SHOW TRIGGERS FROM db", words("TRIGGERS")),
    ] {
        assert_eq!(show(text).kind, kind, "{text}");
    }
    let columns = show("SHOW FULL COLUMNS FROM t IN db LIKE 'a%'");
    assert_eq!(columns.database.unwrap().value, "db");
    assert_eq!(columns.filter, Some(ShowFilter::Like(b"a%".to_vec())));
    assert!(matches!(columns.kind, ShowKind::Columns { table, is_full: true }
        if table.name.value == "t"));
    assert!(matches!(show("SHOW TABLES WHERE a = 1").filter, Some(ShowFilter::Where(_))));
}

#[test]
fn shapes_name_their_tables() {
    for (text, verb, tables, complete) in [
        ("GRANT SELECT ON db.t TO u", "GRANT", vec!["t"], true),
        ("GRANT ALL ON *.* TO u", "GRANT", vec![], false),
        ("REVOKE SELECT ON db.* FROM u", "REVOKE", vec![], false),
        ("HANDLER t OPEN", "HANDLER", vec!["t"], true),
        ("FLUSH TABLES a, b", "FLUSH TABLES", vec!["a", "b"], true),
        (
            "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET @a = 1",
            "CREATE TRIGGER",
            vec!["t"],
            false,
        ),
        ("CREATE PROCEDURE p() SELECT 1", "CREATE PROCEDURE", vec![], false),
        ("CREATE USER 'u'@'%'", "CREATE USER", vec![], true),
        ("EXECUTE IMMEDIATE 'SELECT 1'", "EXECUTE IMMEDIATE", vec![], false),
        ("CREATE SEQUENCE s", "CREATE SEQUENCE", vec!["s"], true),
    ] {
        let StatementKind::Other(other) = kind(text) else { panic!("{text}") };
        let found: Vec<_> = other.tables.iter().map(|table| table.name.value.as_str()).collect();
        assert_eq!((other.verb.as_str(), found), (verb, tables), "{text}");
        assert_eq!(other.tables_are_complete, complete, "{text}");
    }
}

#[test]
fn deletes_name_what_they_delete_from() {
    for (text, targets, from) in [
        ("DELETE FROM t WHERE a = 1", 0, 1),
        ("DELETE t1, t2.* FROM t1 JOIN t2", 2, 1),
        ("DELETE FROM t1, t2 USING t1, t2, t3", 2, 3),
    ] {
        let StatementKind::Delete(delete) = kind(text) else { panic!("{text}") };
        assert_eq!((delete.targets.len(), delete.from.len()), (targets, from), "{text}");
    }
}

#[test]
fn windows_are_read() {
    let StatementKind::Query(query) = kind(
        "SELECT SUM(a) OVER (w ORDER BY b ROWS 1 PRECEDING) FROM t WINDOW w AS (PARTITION BY c)",
    ) else {
        panic!()
    };
    let QueryBody::Select(select) = query.body else { panic!() };
    assert!(select.has_window_clause);
    assert_eq!(select.windows[0].1.partition_by.len(), 1);
    let SelectItem::Expr { expr, .. } = &select.items[0] else { panic!() };
    let ExprKind::Function(function) = &expr.kind else { panic!() };
    let window = function.window.as_ref().unwrap();
    assert!(function.is_windowed && window.has_frame);
    assert_eq!(window.name.as_ref().unwrap().value, "w");
    assert_eq!(window.order_by.len(), 1);
}

#[test]
fn words_among_arguments_are_kept() {
    for (text, modifier, args) in [
        ("EXTRACT(day_hour FROM a)", Some("DAY_HOUR"), 1),
        ("TIMESTAMPDIFF(month, a, b)", Some("MONTH"), 2),
        ("TIMESTAMPADD(SQL_TSI_DAY, 1, a)", Some("SQL_TSI_DAY"), 2),
        ("TRIM(leading FROM a)", Some("LEADING"), 1),
        ("TRIM(TRAILING 'x' FROM a)", Some("TRAILING"), 2),
        ("TRIM('x' FROM a)", None, 2),
        ("TRIM(a)", None, 1),
        ("CHAR(65 USING utf8mb4)", Some("UTF8MB4"), 1),
    ] {
        let ExprKind::Function(function) = expr_in(text, SqlMode::default()).kind else { panic!() };
        assert_eq!(function.modifier.as_deref(), modifier, "{text}");
        assert_eq!(function.args.len(), args, "{text}");
    }
}
