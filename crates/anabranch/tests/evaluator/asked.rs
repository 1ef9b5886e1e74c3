//! One expression, evaluated and asked for.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use eval::expression::{
    Context, EvalError, Expression, Flavour, Kind, NoRow, Scope, Slot, Type, compile,
};
use eval::{ColumnType, Value, type_code};
use mysql_async::consts::ColumnFlags;
use sql::ast::{Expr, ExprKind, QueryBody, SelectItem, StatementKind};
use testkit::{Client, ColumnShape, Endpoint, Outcome, Protocol};

use crate::table;

/// Differences that are shown.
const SHOWN: usize = 60;
/// MariaDB says 39 where MySQL says 31: as many decimals as a value has.
const NOT_FIXED: u8 = 31;
const BINARY_CHARSET: u16 = 63;

/// What became of the expressions.
#[derive(Default)]
pub(crate) struct Tally {
    compared: usize,
    /// How many were refused, by the reason.
    refused: BTreeMap<String, usize>,
    differences: Vec<String>,
}

impl Tally {
    /// Fails on a difference, and where more than `percent` of all were refused.
    pub(crate) fn check(self, what: &str, percent: usize) {
        let refused: usize = self.refused.values().sum();
        println!("{what}: {} compared, {refused} refused", self.compared);
        let mut reasons: Vec<_> = self.refused.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in reasons {
            println!("    {count:5} {reason}");
        }
        assert!(
            self.differences.is_empty(),
            "{what}: {} differences:\n{}",
            self.differences.len(),
            self.differences[..self.differences.len().min(SHOWN)].join("\n")
        );
        let all = self.compared + refused;
        assert!(refused * 100 <= all * percent, "{what}: {refused} of {all} refused");
    }

    fn refuse(&mut self, reason: &str) {
        *self.refused.entry(reason.to_owned()).or_default() += 1;
    }
}

/// The server, and the rows of its table.
pub(crate) struct Comparison {
    client: Client,
    context: Context,
    columns: Vec<(String, Type)>,
    rows: Vec<Vec<Value<'static>>>,
}

struct Columns<'a>(&'a [(String, Type)]);

impl Scope for Columns<'_> {
    fn resolve(&self, expr: &Expr) -> Option<Slot> {
        let ExprKind::Column(column) = &expr.kind else { return None };
        let index = self.0.iter().position(|(name, _)| *name == column.name.value)?;
        Some(Slot { index, ty: self.0[index].1.clone() })
    }
}

impl Comparison {
    /// `collation` is that of the connection and of the table's columns without their own.
    pub(crate) async fn begin(address: SocketAddr, flavour: Flavour, collation: &str) -> Self {
        let mut client = Client::new(Endpoint::new(address, "test", "test", "cases"));
        client.must(&format!("SET NAMES utf8mb4 COLLATE {collation}")).await;
        client.must("DROP TABLE IF EXISTS cells").await;
        client.must(&table::CREATE.replace("utf8mb4_general_ci", collation)).await;
        client.must(table::INSERT).await;
        let outcomes = client.must("SELECT * FROM cells ORDER BY id").await;
        let Outcome::Rows { columns, rows, .. } = &outcomes[0] else { panic!("no rows") };
        let columns = columns
            .iter()
            .map(|column| (column.name.clone(), type_of(column, collation)))
            .collect();
        let rows = rows.iter().map(|row| row.iter().map(value_of).collect()).collect();
        let context = Context { flavour, collation: collation.into(), ..Context::default() };
        Self { client, context, columns, rows }
    }

    pub(crate) async fn compare(&mut self, text: &str, tally: &mut Tally) {
        let compiled =
            parsed(text).map(|expr| (compile(&expr, &Columns(&self.columns), &self.context), expr));
        let expression = match compiled {
            Some((Ok(expression), _)) => expression,
            Some((Err(error), _)) => return tally.refuse(&error.to_string()),
            None => return tally.refuse("what does not parse"),
        };
        let uses_rows = !expression.is_constant();
        let sql = match uses_rows {
            true => format!("SELECT {text} FROM cells ORDER BY id"),
            false => format!("SELECT {text}"),
        };
        let outcomes = self.client.run(&sql, Protocol::Text).await;
        let nothing = vec![Vec::new()];
        let rows = if uses_rows { &self.rows } else { &nothing };
        let answers: Vec<_> =
            rows.iter().map(|row| expression.evaluate_text(row, &self.context)).collect();
        let problem = match &outcomes[0] {
            Outcome::Rows { columns, rows, warnings } => {
                // Whether these are BIGINT or DECIMAL depends on how many digits a type may have.
                let is_whole = text.contains("FLOOR(") || text.contains("CEIL(");
                let shape = shape_differs(&columns[0], &expression, is_whole);
                shape
                    .or_else(|| rows_differ(rows, &answers))
                    .or_else(|| self.warnings_differ(text, &expression, *warnings))
            }
            Outcome::Error { code, message, .. } => error_differs(*code, message, &answers),
            other => Some(other.summary()),
        };
        if let Some(problem) = problem {
            return tally.differences.push(format!("{text}\n    {problem}"));
        }
        let refusal = answers.iter().find_map(|answer| match answer {
            Err(EvalError::Unsupported(reason)) => Some(format!("{reason} (for some values)")),
            _ => None,
        });
        match refusal {
            Some(reason) => tally.refuse(&reason),
            None => tally.compared += 1,
        }
    }
}

impl Comparison {
    /// What is folded may have no warning of the server's.
    fn warnings_differ(
        &self,
        text: &str,
        expression: &Expression,
        warnings: u16,
    ) -> Option<String> {
        // MySQL warns that it will not always have these two operators.
        let is_old = text.contains('!') || text.contains("BINARY ");
        if !expression.is_constant() || warnings == 0 || is_old {
            return None;
        }
        match expression.evaluate_counting(&NoRow, &self.context) {
            Ok((_, 0)) => Some(format!("expected {warnings} warnings, got none")),
            _ => None,
        }
    }
}

type Answer = Result<Option<Vec<u8>>, EvalError>;

fn rows_differ(rows: &[Vec<mysql_async::Value>], answers: &[Answer]) -> Option<String> {
    rows.iter().zip(answers).enumerate().find_map(|(number, (row, answer))| {
        let expected = match &row[0] {
            mysql_async::Value::Bytes(bytes) => Some(bytes),
            _ => None,
        };
        match answer {
            Ok(actual) if actual.as_ref() == expected => None,
            Ok(actual) => Some(format!(
                "row {}: expected {}, got {}",
                number + 1,
                shown(expected),
                shown(actual.as_ref())
            )),
            Err(EvalError::Unsupported(_)) => None,
            Err(error) => {
                Some(format!("row {}: expected {}, got {error}", number + 1, shown(expected)))
            }
        }
    })
}

fn error_differs(code: u16, message: &str, answers: &[Answer]) -> Option<String> {
    let is_known = answers.iter().any(|answer| match answer {
        Err(EvalError::Server { code: known, .. }) => *known == code,
        Err(EvalError::Unsupported(_)) => true,
        Ok(_) => false,
    });
    (!is_known).then(|| format!("expected error {code} ({message}), got {answers:?}"))
}

fn shown(text: Option<&Vec<u8>>) -> String {
    text.map_or("NULL".to_owned(), |text| format!("'{}'", text.escape_ascii()))
}

fn shape_differs(column: &ColumnShape, expression: &Expression, is_whole: bool) -> Option<String> {
    let expected = type_of(column, "utf8mb4_bin");
    let actual = expression.result_type();
    let is_same = match (expected.kind, actual.kind) {
        (Kind::Integer, Kind::Integer) => expected.is_unsigned == actual.is_unsigned,
        (Kind::Text, Kind::Text) => {
            let is_binary = actual.collation.as_ref().is_some_and(|one| &*one.name == "binary");
            is_binary == (column.collation == BINARY_CHARSET)
        }
        (Kind::Double, Kind::Double) => {
            expected.decimals.min(NOT_FIXED) == actual.decimals.min(NOT_FIXED)
        }
        (Kind::Decimal, Kind::Integer) if is_whole => true,
        (expected_kind, actual_kind) => {
            expected_kind == actual_kind && expected.decimals == actual.decimals
        }
    };
    let unsigned = if expected.is_unsigned { " unsigned" } else { "" };
    (!is_same).then(|| {
        let decimals = expected.decimals;
        format!("expected {:?}{unsigned} of {decimals} decimals, got {actual:?}", expected.kind)
    })
}

fn type_of(column: &ColumnShape, collation: &str) -> Type {
    let flags = column.flags.bits();
    // YEAR() of MySQL is a YEAR, which computes as an integer.
    let kind = match column.kind as u8 {
        type_code::YEAR => type_code::SHORT,
        kind => kind,
    };
    let definition = ColumnType::new(kind, flags, column.collation, column.length, column.decimals);
    let collation = match column.name.as_str() {
        "k" => "utf8mb4_bin",
        _ => collation,
    };
    let is_unsigned = column.flags.contains(ColumnFlags::UNSIGNED_FLAG);
    let ty = Type::of_column(&definition, collation);
    ty.map_or(Type::NULL, |ty| Type { is_unsigned, ..ty })
}

fn value_of(value: &mysql_async::Value) -> Value<'static> {
    match value {
        mysql_async::Value::Bytes(bytes) => Value::Bytes(bytes.clone().into()),
        _ => Value::Null,
    }
}

fn parsed(text: &str) -> Option<Expr> {
    let statement = sql::parse(format!("SELECT {text}").as_bytes(), sql::SqlMode::default());
    let StatementKind::Query(query) = statement.ok()?.kind else { return None };
    let QueryBody::Select(select) = query.body else { return None };
    match select.items.into_iter().next()? {
        SelectItem::Expr { expr, .. } => Some(expr),
        _ => None,
    }
}
