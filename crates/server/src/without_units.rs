//! What drivers and tools ask when they connect, answered while there is no storage unit to ask:
//! variables, functions of the session, constants.

use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::snapshot::Snapshot;
use sql::ast::{
    Expr, ExprKind, Literal, QueryBody, Select, SelectItem, ShowKind, Statement, StatementKind,
};

use crate::answer::{Encoding, OwnType};
use crate::default_variables::{self, VARIABLES, VariableKind};
use crate::execute::Failure;
use crate::session::Session;
use crate::session_functions::Value;

/// The error of a statement that found no storage unit.
const NO_UNIT: u16 = 10101;

/// Answers a statement that failed because there is no unit, where it needs none.
///
/// # Errors
/// The failure itself, where the statement needs a unit or failed for another reason.
pub(crate) fn answer(
    session: &mut Session,
    snapshot: &Snapshot,
    text: &[u8],
    failure: Failure,
) -> Result<(), Failure> {
    let is_without_unit = matches!(&failure, Failure::Statement(error) if error.code == NO_UNIT)
        && snapshot.databases.values().all(|database| database.units.is_empty());
    let Some(statement) = is_without_unit.then(|| sql::parse(text, session.mode).ok()).flatten()
    else {
        return Err(failure);
    };
    let table = match rows(session, &statement, text)? {
        Some(table) => table,
        None => return Err(failure),
    };
    session.diagnostics.clear_warnings();
    session.diagnostics.found_rows = table.rows.len() as u64;
    session.diagnostics.row_count = -1;
    session.put_typed_table(&table.columns, &table.types, &table.rows, Encoding::Text);
    Ok(())
}

/// A result with the types of its columns.
struct Answer {
    columns: Vec<String>,
    types: Vec<OwnType>,
    rows: Vec<Vec<Option<String>>>,
}

fn rows(
    session: &Session,
    statement: &Statement,
    text: &[u8],
) -> Result<Option<Answer>, StatementError> {
    match &statement.kind {
        StatementKind::Query(query) => match &query.body {
            QueryBody::Select(select) if query.with.is_empty() && query.into.is_none() => {
                let is_empty = query
                    .limit
                    .as_ref()
                    .is_some_and(|limit| limit.offset.is_some() || is_number(&limit.count, "0"));
                let answer = one_row(session, select, text)?;
                Ok(answer.filter(|_| !is_empty))
            }
            _ => Ok(None),
        },
        StatementKind::Show(show) if matches!(show.kind, ShowKind::Variables { .. }) => {
            let mut table = TextTable {
                columns: vec!["Variable_name".to_owned(), "Value".to_owned()],
                rows: VARIABLES.iter().map(|(name, ..)| shown(session, name)).collect(),
            };
            admin::logical_show::filter_rows(&mut table, show.filter.as_ref())?;
            let TextTable { columns, rows } = table;
            Ok(Some(Answer { columns, types: vec![OwnType::Text; 2], rows }))
        }
        _ => Ok(None),
    }
}

fn is_number(expr: &Expr, digits: &str) -> bool {
    matches!(&expr.kind, ExprKind::Literal(Literal::Number(written)) if written == digits)
}

/// `SELECT value, ..` without tables.
fn one_row(
    session: &Session,
    select: &Select,
    text: &[u8],
) -> Result<Option<Answer>, StatementError> {
    let has_more = !select.from.is_empty()
        || select.where_.is_some()
        || !select.group_by.is_empty()
        || select.having.is_some();
    if has_more {
        return Ok(None);
    }
    let mut answer = Answer { columns: Vec::new(), types: Vec::new(), rows: Vec::new() };
    let mut row = Vec::new();
    for item in &select.items {
        let SelectItem::Expr { expr, alias, .. } = item else { return Ok(None) };
        let Some(value) = evaluate(session, expr)? else { return Ok(None) };
        answer.columns.push(match (alias, &expr.kind) {
            (Some(alias), _) => alias.value.clone(),
            (None, ExprKind::Literal(Literal::String { value, .. })) => {
                String::from_utf8_lossy(value).into_owned()
            }
            (None, _) => String::from_utf8_lossy(expr.span.of(text)).into_owned(),
        });
        let (own_type, cell) = match value {
            Value::Null => (OwnType::Text, None),
            Value::Text(text) => (OwnType::Text, Some(text)),
            Value::Signed(number) => (OwnType::LongLong, Some(number.to_string())),
            Value::Unsigned(number) => (OwnType::Count, Some(number.to_string())),
        };
        answer.types.push(own_type);
        row.push(cell);
    }
    answer.rows.push(row);
    Ok(Some(answer))
}

/// The value of an expression that needs no server; `None` for others.
fn evaluate(session: &Session, expr: &Expr) -> Result<Option<Value>, StatementError> {
    Ok(match &expr.kind {
        ExprKind::Nested(inner) => evaluate(session, inner)?,
        ExprKind::Literal(Literal::Null) => Some(Value::Null),
        ExprKind::Literal(Literal::Bool(value)) => Some(Value::Signed(i64::from(*value))),
        ExprKind::Literal(Literal::Number(digits)) => digits.parse().ok().map(Value::Signed),
        ExprKind::Literal(Literal::String { value, introducer: None }) => {
            Some(Value::Text(String::from_utf8_lossy(value).into_owned()))
        }
        ExprKind::Function(function) if function.schema.is_none() && function.args.is_empty() => {
            Value::of_function(session, function.name.value.as_bytes())
        }
        ExprKind::SystemVariable(variable) => Some(require_variable(session, &variable.name)?),
        ExprKind::UserVariable(name) => {
            let text = session.settings.user_variables.get(&name.to_ascii_lowercase());
            Some(text.map_or(Value::Null, |text| literal(text)))
        }
        _ => None,
    })
}

fn require_variable(session: &Session, name: &str) -> Result<Value, StatementError> {
    if let Some(value) = Value::of_variable(session, name.as_bytes()) {
        return Ok(value);
    }
    let (kind, default) = default_variables::find(name).ok_or_else(|| {
        StatementError::new(1193, "HY000", format!("Unknown system variable '{name}'"))
    })?;
    let set = set_value(session, name);
    let text = set.unwrap_or_else(|| default.to_owned());
    Ok(match kind {
        VariableKind::Text if text.eq_ignore_ascii_case("NULL") => Value::Null,
        VariableKind::Text => Value::Text(text),
        VariableKind::Number => text.parse().map_or(Value::Text(text), Value::Unsigned),
        VariableKind::Switch => {
            let is_on = matches!(text.to_ascii_uppercase().as_str(), "1" | "ON" | "TRUE");
            Value::Signed(i64::from(is_on))
        }
    })
}

/// What the session has set, without quotes.
fn set_value(session: &Session, name: &str) -> Option<String> {
    let settings = &session.settings;
    let name = match name {
        "tx_isolation" => "transaction_isolation",
        "tx_read_only" => "transaction_read_only",
        other => other,
    };
    let set = settings.variables.get(name).filter(|text| *text != "DEFAULT").cloned();
    let of_names = || {
        let (charset, collation) = match settings.names.split_once(" COLLATE ") {
            Some((charset, collation)) => (charset, Some(collation)),
            None => (settings.names.as_str(), None),
        };
        match name {
            "character_set_client" | "character_set_connection" | "character_set_results" => {
                Some(charset.to_owned())
            }
            "collation_connection" => collation.map(str::to_owned),
            _ => None,
        }
    };
    let text = set.or_else(of_names)?;
    Some(match literal(&text) {
        Value::Text(text) => text,
        _ => text,
    })
}

/// The value of a literal as settings hold it.
fn literal(text: &str) -> Value {
    let parsed = sql::parse(format!("DO {text}").as_bytes(), sql::SqlMode::default());
    let Ok(Statement { kind: StatementKind::Do(values), .. }) = parsed else {
        return Value::Text(text.to_owned());
    };
    match values.first().map(|value| &value.kind) {
        Some(ExprKind::Literal(Literal::Null)) => Value::Null,
        Some(ExprKind::Literal(Literal::Number(digits))) => {
            digits.parse().map_or_else(|_| Value::Text(digits.clone()), Value::Signed)
        }
        Some(ExprKind::Literal(
            Literal::String { value, .. } | Literal::Hex(value) | Literal::Bit(value),
        )) => Value::Text(String::from_utf8_lossy(value).into_owned()),
        _ => Value::Text(text.to_owned()),
    }
}

/// An expression that needs no server as a literal of its value; `None` for others.
pub(crate) fn to_literal(
    session: &Session,
    expression: &str,
) -> Result<Option<String>, StatementError> {
    let parsed = sql::parse(format!("DO {expression}").as_bytes(), session.mode);
    let Ok(Statement { kind: StatementKind::Do(values), .. }) = parsed else { return Ok(None) };
    let [value] = values.as_slice() else { return Ok(None) };
    Ok(evaluate(session, value)?.map(|value| value.to_literal()))
}

/// A row of SHOW VARIABLES.
fn shown(session: &Session, name: &str) -> Vec<Option<String>> {
    let value = match require_variable(session, name) {
        Ok(Value::Text(text)) => text,
        Ok(Value::Unsigned(number)) => number.to_string(),
        Ok(Value::Signed(number)) => if number == 0 { "OFF" } else { "ON" }.to_owned(),
        Ok(Value::Null) | Err(_) => String::new(),
    };
    vec![Some(name.to_owned()), Some(value)]
}
