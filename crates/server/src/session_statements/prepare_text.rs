//! PREPARE, EXECUTE and DEALLOCATE as SQL text.

use kernel::error::StatementError;
use sql::ast::{ExecuteText, Expr, ExprKind, Literal, PrepareText};

use super::Asked;
use crate::execute::Failure;
use crate::session::Session;
use crate::statement::{self, Received};

/// A statement prepared by text: its own text, its placeholders filled at EXECUTE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextStatement {
    /// The text with `?`.
    pub(crate) text: String,
}

/// Most statements a session may prepare by text.
const MAX_TEXT_STATEMENTS: usize = 1024;

/// PREPARE name FROM source.
pub(super) fn prepare(session: &mut Session, prepare: &PrepareText) -> Result<(), StatementError> {
    let text = source_text(session, &prepare.source)?;
    sql::parse(text.as_bytes(), session.mode)
        .map_err(|error| StatementError::syntax(error.to_string()))?;
    if session.text_statements.len() >= MAX_TEXT_STATEMENTS {
        return Err(StatementError::new(
            1461,
            "42000",
            format!("Can't create more than {MAX_TEXT_STATEMENTS} prepared statements by text"),
        ));
    }
    let name = prepare.name.value.to_ascii_lowercase();
    session.text_statements.insert(name, TextStatement { text });
    Ok(())
}

fn source_text(session: &Session, source: &Expr) -> Result<String, StatementError> {
    match &source.kind {
        ExprKind::Literal(Literal::String { value, .. }) => {
            Ok(String::from_utf8_lossy(value).into_owned())
        }
        ExprKind::UserVariable(name) => {
            let literal = session.settings.user_variables.get(&name.to_ascii_lowercase());
            let parsed = literal.and_then(|text| literal_string(text));
            parsed.ok_or_else(|| StatementError::syntax("PREPARE needs a text"))
        }
        _ => Err(StatementError::syntax("PREPARE needs a text or a user variable")),
    }
}

/// The string a literal of our own settings stands for.
fn literal_string(text: &str) -> Option<String> {
    let statement = sql::parse(format!("DO {text}").as_bytes(), sql::SqlMode::default()).ok()?;
    let sql::ast::StatementKind::Do(values) = statement.kind else { return None };
    let mut value = values.into_iter().next()?;
    while let ExprKind::Collate { expr, .. } = value.kind {
        value = *expr;
    }
    match value.kind {
        ExprKind::Literal(Literal::String { value, .. } | Literal::Hex(value)) => {
            String::from_utf8(value).ok()
        }
        _ => None,
    }
}

/// EXECUTE name USING @a, ..
pub(super) async fn execute(
    session: &mut Session,
    execute: &ExecuteText,
    _asked: Asked<'_>,
) -> Result<(), Failure> {
    let name = execute.name.value.to_ascii_lowercase();
    let statement = session.text_statements.get(&name).cloned();
    let statement = statement.ok_or_else(|| unknown(&execute.name.value, "EXECUTE"))?;
    let mut values = Vec::new();
    for argument in &execute.using {
        let ExprKind::UserVariable(variable) = &argument.kind else {
            let text = "EXECUTE .. USING takes user variables";
            return Err(StatementError::unsupported(text).into());
        };
        let known = session.settings.user_variables.get(&variable.to_ascii_lowercase());
        values.push(known.cloned().unwrap_or_else(|| "NULL".to_owned()));
    }
    let text = fill(&statement.text, session.mode, &values)?;
    let received = Received { text: text.as_bytes(), packet: None };
    Box::pin(statement::run(session, received)).await
}

/// The text with each placeholder replaced by a literal.
pub(crate) fn fill(
    text: &str,
    mode: sql::SqlMode,
    values: &[String],
) -> Result<String, StatementError> {
    let mut filled = String::with_capacity(text.len() + 32);
    let (mut from, mut used) = (0, 0);
    for span in placeholders(text.as_bytes(), mode)? {
        let value = values.get(used).ok_or_else(wrong_arguments)?;
        filled.push_str(&text[from..span.start as usize]);
        filled.push_str(value);
        from = span.end as usize;
        used += 1;
    }
    if used != values.len() {
        return Err(wrong_arguments());
    }
    filled.push_str(&text[from..]);
    Ok(filled)
}

fn wrong_arguments() -> StatementError {
    StatementError::new(1210, "HY000", "Incorrect arguments to EXECUTE")
}

/// DEALLOCATE PREPARE name.
pub(super) fn deallocate(session: &mut Session, name: &str) -> Result<(), StatementError> {
    let removed = session.text_statements.remove(&name.to_ascii_lowercase());
    removed.map(drop).ok_or_else(|| unknown(name, "DEALLOCATE PREPARE"))
}

fn unknown(name: &str, verb: &str) -> StatementError {
    StatementError::new(
        1243,
        "HY000",
        format!("Unknown prepared statement handler ({name}) given to {verb}"),
    )
}

/// Where the placeholders of a text stand.
fn placeholders(text: &[u8], mode: sql::SqlMode) -> Result<Vec<sql::Span>, StatementError> {
    let mut lexer = sql::Lexer::new(text, mode, sql::ServerVersion::default());
    let mut spans = Vec::new();
    loop {
        let token = lexer.next_token();
        match token.kind {
            sql::TokenKind::End => return Ok(spans),
            sql::TokenKind::Param => spans.push(token.span),
            sql::TokenKind::Error(_) => return Err(StatementError::syntax("unfinished text")),
            _ => {}
        }
    }
}
