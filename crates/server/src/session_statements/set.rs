//! SET: what changes a session is remembered, and every backend connection is brought to it before
//! it serves the session.

use kernel::error::StatementError;
use sql::SqlMode;
use sql::ast::{Expr, ExprKind, IsolationLevel, Literal, SetItem, VariableScope};

use super::Asked;
use crate::evaluate;
use crate::execute::Failure;
use crate::session::Session;
use crate::transaction;

/// Runs all assignments, or none.
pub(super) async fn run(
    session: &mut Session,
    items: &[SetItem],
    asked: Asked<'_>,
) -> Result<(), Failure> {
    let (before, mode) = (std::sync::Arc::clone(&session.settings), session.mode);
    let mut result = Ok(());
    for item in items {
        result = assign(session, item, asked).await;
        if result.is_err() {
            break;
        }
    }
    if result.is_ok() && !std::sync::Arc::ptr_eq(&before, &session.settings) {
        result = evaluate::check_settings(session).await;
    }
    if result.is_err() {
        session.set_settings(before);
        session.set_mode(mode);
    }
    result
}

async fn assign(session: &mut Session, item: &SetItem, asked: Asked<'_>) -> Result<(), Failure> {
    match item {
        SetItem::Names { charset, collation } => {
            set_names(session, charset.as_deref(), collation.as_deref())?;
        }
        SetItem::Charset(charset) => set_names(session, charset.as_deref(), None)?,
        SetItem::Transaction { scope, isolation, read_only } => {
            return set_transaction(session, *scope, *isolation, *read_only);
        }
        SetItem::UserVariable { name, value } => {
            let value = value_text(session, value, asked).await?;
            let name = name.to_ascii_lowercase();
            session.change_settings(|settings| {
                settings.user_variables.insert(name, value);
            });
        }
        SetItem::Variable { scope, name, value } => {
            if matches!(scope, VariableScope::Global | VariableScope::Persist) {
                return Err(StatementError::unsupported(format!(
                    "SET GLOBAL {name} is not supported: set it on the storage units"
                ))
                .into());
            }
            return set_variable(session, name, value.as_ref(), asked).await;
        }
        SetItem::Other(word) => {
            return Err(StatementError::unsupported(format!("SET {word} is not supported")).into());
        }
    }
    Ok(())
}

async fn set_variable(
    session: &mut Session,
    name: &str,
    value: Option<&Expr>,
    asked: Asked<'_>,
) -> Result<(), Failure> {
    let name = name.to_ascii_lowercase();
    let text = match value {
        Some(value) => Some(value_text(session, value, asked).await?),
        None => None,
    };
    match name.as_str() {
        "autocommit" => return set_autocommit(session, text.as_deref()).await,
        "sql_mode" => {
            let plain = text.as_deref().map(unquote).unwrap_or_default();
            session.set_mode(SqlMode::from_variable(&plain));
        }
        "last_insert_id" | "identity" => {
            let id = text.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default();
            session.diagnostics.last_insert_id = id;
            return Ok(());
        }
        "character_set_connection" => forget(session, "collation_connection"),
        "collation_connection" => forget(session, "character_set_connection"),
        _ => {}
    }
    session.change_settings(|settings| match text {
        Some(text) => {
            settings.variables.insert(canonical_name(&name), text);
        }
        None => {
            settings.variables.remove(&canonical_name(&name));
        }
    });
    Ok(())
}

/// Of two variables that say the same the one set last counts.
fn forget(session: &mut Session, name: &str) {
    session.change_settings(|settings| drop(settings.variables.remove(name)));
}

/// Two names of one variable are one.
fn canonical_name(name: &str) -> String {
    match name {
        "tx_isolation" => "transaction_isolation",
        "tx_read_only" => "transaction_read_only",
        other => other,
    }
    .to_owned()
}

/// Autocommit on commits what is open.
async fn set_autocommit(session: &mut Session, text: Option<&str>) -> Result<(), Failure> {
    let word = text.map(unquote).unwrap_or_else(|| "1".to_owned()).to_ascii_uppercase();
    let is_on = match word.as_str() {
        "1" | "ON" | "TRUE" => true,
        "0" | "OFF" | "FALSE" => false,
        _ => {
            return Err(StatementError::new(
                1231,
                "42000",
                format!("Variable 'autocommit' can't be set to the value of '{word}'"),
            )
            .into());
        }
    };
    if is_on == session.is_autocommit() {
        return Ok(());
    }
    if is_on {
        transaction::commit(session).await?;
    }
    session.change_settings(|settings| {
        if is_on {
            settings.variables.remove("autocommit");
        } else {
            settings.variables.insert("autocommit".to_owned(), "0".to_owned());
        }
    });
    Ok(())
}

fn set_transaction(
    session: &mut Session,
    scope: VariableScope,
    isolation: Option<IsolationLevel>,
    read_only: Option<bool>,
) -> Result<(), Failure> {
    match scope {
        VariableScope::Global | VariableScope::Persist => {
            let text = "SET GLOBAL TRANSACTION is not supported: set it on the storage units";
            return Err(StatementError::unsupported(text).into());
        }
        VariableScope::Session => session.change_settings(|settings| {
            if let Some(level) = isolation {
                let text = format!("'{}'", transaction::level_text(level).replace(' ', "-"));
                settings.variables.insert("transaction_isolation".to_owned(), text);
            }
            if let Some(read_only) = read_only {
                let text = if read_only { "1" } else { "0" };
                settings.variables.insert("transaction_read_only".to_owned(), text.to_owned());
            }
        }),
        VariableScope::Unspecified if session.transaction.is_open() => {
            return Err(StatementError::new(
                1568,
                "25001",
                "Transaction characteristics can't be changed while a transaction is in progress",
            )
            .into());
        }
        VariableScope::Unspecified => {
            session.transaction.isolation = isolation.or(session.transaction.isolation);
            session.transaction.read_only = read_only.or(session.transaction.read_only);
        }
    }
    Ok(())
}

/// A collation that is not named is the server's default.
fn set_names(
    session: &mut Session,
    charset: Option<&str>,
    collation: Option<&str>,
) -> Result<(), StatementError> {
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let mut names = charset.unwrap_or("utf8mb4").to_ascii_lowercase();
    if names.is_empty() || !is_name(&names) {
        let text = format!("Unknown character set: '{names}'");
        return Err(StatementError::new(1115, "42000", text));
    }
    if let Some(collation) = collation {
        if !is_name(collation) {
            let text = format!("Unknown collation: '{collation}'");
            return Err(StatementError::new(1273, "HY000", text));
        }
        names += &format!(" COLLATE {}", collation.to_ascii_lowercase());
    }
    session.change_settings(|settings| settings.set_names(names));
    Ok(())
}

/// The value as SQL text that means the same on any connection.
async fn value_text(
    session: &mut Session,
    value: &Expr,
    asked: Asked<'_>,
) -> Result<String, Failure> {
    let text = String::from_utf8_lossy(value.span.of(asked.text)).into_owned();
    match &value.kind {
        ExprKind::Literal(Literal::Number(_) | Literal::Null | Literal::Hex(_)) => Ok(text),
        ExprKind::Literal(Literal::Bool(value)) => Ok(u8::from(*value).to_string()),
        ExprKind::Literal(Literal::String { .. }) => Ok(text),
        ExprKind::Column(name) if name.table.is_none() => Ok(name.name.value.clone()),
        ExprKind::Default => Ok("DEFAULT".to_owned()),
        _ => {
            let text = crate::session_functions::substitute_expression(session, &text);
            evaluate::to_literal(session, &text).await
        }
    }
}

/// A quoted text without its quotes.
fn unquote(text: &str) -> String {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'));
    match quote {
        Some(quote) if text.len() >= 2 && text.ends_with(quote) => {
            text[1..text.len() - 1].replace(&format!("{quote}{quote}"), &quote.to_string())
        }
        _ => text.to_owned(),
    }
}
