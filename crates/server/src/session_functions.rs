//! Functions and variables that a storage unit would answer for its own connection: their values
//! are written into the text before it is planned. Plans with values in them are never cached.

use std::collections::HashSet;

use kernel::error::StatementError;
use sql::ast::{Query, QueryBody, Select, SelectItem, Statement, StatementKind, TableRef};
use sql::{Lexer, ServerVersion, Span, SqlMode, Token, TokenKind};

use crate::session::Session;

/// What is asked of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    ConnectionId,
    Database,
    User,
    CurrentUser,
    FoundRows,
    RowCount,
    /// In INSERT, where it may be what places a row; elsewhere a connection is told it.
    LastInsertId,
    Version,
    MaxAllowedPacket,
    WarningCount,
    ErrorCount,
}

impl Question {
    /// `NAME()`.
    fn of_function(name: &[u8]) -> Option<Self> {
        let known: [(&str, Self); 11] = [
            ("CONNECTION_ID", Self::ConnectionId),
            ("DATABASE", Self::Database),
            ("SCHEMA", Self::Database),
            ("USER", Self::User),
            ("SESSION_USER", Self::User),
            ("SYSTEM_USER", Self::User),
            ("CURRENT_USER", Self::CurrentUser),
            ("FOUND_ROWS", Self::FoundRows),
            ("ROW_COUNT", Self::RowCount),
            ("LAST_INSERT_ID", Self::LastInsertId),
            ("VERSION", Self::Version),
        ];
        find(&known, name)
    }

    /// `@@name`.
    fn of_variable(name: &[u8]) -> Option<Self> {
        let known: [(&str, Self); 5] = [
            ("pseudo_thread_id", Self::ConnectionId),
            ("version", Self::Version),
            ("max_allowed_packet", Self::MaxAllowedPacket),
            ("warning_count", Self::WarningCount),
            ("error_count", Self::ErrorCount),
        ];
        find(&known, name)
    }

    /// True when its answer is written into the text.
    fn is_answered(self, is_insert: bool) -> bool {
        is_insert || self != Self::LastInsertId
    }

    /// The value as SQL text of the type that MySQL gives it.
    fn answer(self, session: &Session) -> String {
        let value = self.value(session);
        match value {
            Value::Unsigned(id) if self == Self::LastInsertId => id.to_string(),
            // The unit may take less.
            Value::Unsigned(limit) if self == Self::MaxAllowedPacket => {
                format!("CAST(LEAST(@@max_allowed_packet, {limit}) AS UNSIGNED)")
            }
            // The other branch gives it the type of the function.
            Value::Signed(number) if self == Self::RowCount => {
                format!("IF(TRUE, {number}, ROW_COUNT())")
            }
            Value::Signed(number) if self == Self::FoundRows => {
                format!("IF(TRUE, {number}, FOUND_ROWS())")
            }
            Value::Unsigned(number) => format!("CAST({number} AS UNSIGNED)"),
            Value::Signed(number) => format!("CAST({number} AS SIGNED)"),
            Value::Text(_) | Value::Null => value.to_literal(),
        }
    }

    fn value(self, session: &Session) -> Value {
        let diagnostics = &session.diagnostics;
        let handle = session.entered.handle();
        match self {
            Self::ConnectionId => Value::Unsigned(handle.id.into()),
            Self::Database => {
                session.database.as_deref().map_or(Value::Null, |name| Value::Text(name.to_owned()))
            }
            Self::User => {
                let host = &handle.host;
                let host = host.rsplit_once(':').map_or(host.as_str(), |(host, _)| host);
                Value::Text(format!("{}@{host}", session.user))
            }
            Self::CurrentUser => Value::Text(session.account.clone()),
            Self::FoundRows => Value::Signed(diagnostics.found_rows as i64),
            Self::LastInsertId => Value::Unsigned(diagnostics.last_insert_id),
            Self::RowCount => Value::Signed(diagnostics.row_count),
            Self::Version => {
                let announced = session.worker.shared.announced_version();
                // MariaDB puts this before its version in greetings only.
                Value::Text(announced.strip_prefix("5.5.5-").unwrap_or(&announced).to_owned())
            }
            Self::MaxAllowedPacket => {
                Value::Unsigned(session.worker.shared.options.limits.max_allowed_packet)
            }
            Self::WarningCount => Value::Unsigned(diagnostics.warning_count),
            Self::ErrorCount => {
                let is_error = |warning: &&crate::session::Warning| warning.0 == "Error";
                Value::Unsigned(diagnostics.warnings.iter().filter(is_error).count() as u64)
            }
        }
    }
}

/// A value that the session knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// NULL.
    Null,
    /// A text.
    Text(String),
    /// A BIGINT.
    Signed(i64),
    /// A BIGINT UNSIGNED.
    Unsigned(u64),
}

impl Value {
    /// The value of a function without arguments.
    pub(crate) fn of_function(session: &Session, name: &[u8]) -> Option<Self> {
        if name.eq_ignore_ascii_case(b"LAST_INSERT_ID") {
            return Some(Self::Unsigned(session.diagnostics.last_insert_id));
        }
        Question::of_function(name).map(|question| question.value(session))
    }

    /// The value as a literal.
    pub(crate) fn to_literal(&self) -> String {
        match self {
            Self::Null => "NULL".to_owned(),
            Self::Text(text) => string_literal(text),
            Self::Signed(number) => number.to_string(),
            Self::Unsigned(number) => number.to_string(),
        }
    }

    /// The value of a variable that only the session knows.
    pub(crate) fn of_variable(session: &Session, name: &[u8]) -> Option<Self> {
        if name == b"last_insert_id" || name == b"identity" {
            return Some(Self::Unsigned(session.diagnostics.last_insert_id));
        }
        Question::of_variable(name).map(|question| question.value(session))
    }
}

fn find(known: &[(&str, Question)], name: &[u8]) -> Option<Question> {
    let mut found = known.iter().filter(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
    found.next().map(|(_, question)| *question)
}

/// Text that means the same in every `sql_mode` and character set.
fn string_literal(text: &str) -> String {
    if text.is_ascii() && !text.contains(['\\', '\'', '\0']) {
        return format!("'{text}'");
    }
    let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("_utf8mb4 x'{hex}'")
}

/// Words before a table name, which may look like a call: `INSERT INTO user () VALUES ()`.
const BEFORE_TABLE: &[&str] = &[
    "INTO",
    "INSERT",
    "REPLACE",
    "IGNORE",
    "DELAYED",
    "LOW_PRIORITY",
    "HIGH_PRIORITY",
    "JOIN",
    "WITH",
    "RECURSIVE",
];

/// Whether there can be a question in a text, at the price of a search: all but `CURRENT_USER` have an
/// `@` or parentheses with nothing, white space or a comment between them.
fn can_ask(text: &[u8]) -> bool {
    const CURRENT_USER: &[u8] = b"CURRENT_USER";
    memchr::memchr3_iter(b'@', b'(', b'_', text).any(|at| match text[at] {
        b'(' => text.get(at + 1).is_some_and(|next| {
            next.is_ascii_whitespace() || matches!(next, 0x0b | b')' | b'/' | b'#' | b'-')
        }),
        b'_' => at.checked_sub(b"CURRENT".len()).is_some_and(|start| {
            let word = text.get(start..start + CURRENT_USER.len());
            word.is_some_and(|word| word.eq_ignore_ascii_case(CURRENT_USER))
        }),
        _ => true,
    })
}

/// Finds the questions in a text.
fn questions(text: &[u8], mode: SqlMode) -> Vec<(Span, Question)> {
    let mut found = Vec::new();
    if !can_ask(text) {
        return found;
    }
    let mut lexer = Lexer::new(text, mode, ServerVersion::default());
    let (mut before, mut token) = (None, lexer.next_token());
    while !matches!(token.kind, TokenKind::End | TokenKind::Error(_)) {
        let mut ahead = lexer.next_token();
        if token.kind == TokenKind::AtAt {
            let name = variable_name(&mut lexer, text, ahead);
            if let Some(question) = Question::of_variable(name.0.span.of(text)) {
                found.push((token.span.to(name.0.span), question));
            }
            (token, ahead) = name;
        } else if token.kind == TokenKind::Word && may_be_call(text, before) {
            if ahead.kind == TokenKind::LeftParen {
                let open = ahead;
                ahead = lexer.next_token();
                let is_call = ahead.kind == TokenKind::RightParen;
                let question = Question::of_function(token.span.of(text)).filter(|_| is_call);
                if let Some(question) = question {
                    found.push((token.span.to(ahead.span), question));
                }
                token = open;
            } else if token.span.of(text).eq_ignore_ascii_case(b"CURRENT_USER") {
                found.push((token.span, Question::CurrentUser));
            }
        }
        before = Some(token);
        token = ahead;
    }
    found
}

/// The last word of `[scope.]name`, and the token behind it.
fn variable_name(lexer: &mut Lexer<'_>, text: &[u8], first: Token) -> (Token, Token) {
    let behind = lexer.next_token();
    let word = first.span.of(text);
    let is_scope = ["global", "session", "local"]
        .iter()
        .any(|scope| word.eq_ignore_ascii_case(scope.as_bytes()));
    if is_scope && behind.kind == TokenKind::Dot {
        let name = lexer.next_token();
        return (name, lexer.next_token());
    }
    (first, behind)
}

fn may_be_call(text: &[u8], before: Option<Token>) -> bool {
    before.is_none_or(|before| match before.kind {
        TokenKind::Dot => false,
        TokenKind::Word => {
            let word = before.span.of(text);
            !BEFORE_TABLE.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
        }
        _ => true,
    })
}

/// True when the statement asks something of the session that no storage unit knows.
pub(crate) fn asks(text: &[u8], mode: SqlMode, statement: &Statement) -> bool {
    let may = matches!(
        statement.kind,
        StatementKind::Query(_)
            | StatementKind::Insert(_)
            | StatementKind::Update(_)
            | StatementKind::Delete(_)
            | StatementKind::Do(_)
            | StatementKind::Call(_)
    );
    let is_insert = matches!(statement.kind, StatementKind::Insert(_));
    may && questions(text, mode).iter().any(|(_, question)| question.is_answered(is_insert))
}

/// The statement with the answers in it; columns keep their names.
pub(crate) fn substitute(session: &Session, text: &[u8]) -> Result<Vec<u8>, StatementError> {
    let statement = sql::parse(text, session.mode)
        .map_err(|error| StatementError::syntax(error.to_string()))?;
    let variables = crate::inserted_variables::edits(session, &statement);
    let is_insert = matches!(statement.kind, StatementKind::Insert(_));
    let mut edits: Vec<(Span, Vec<u8>)> = questions(text, session.mode)
        .into_iter()
        .filter(|(_, question)| question.is_answered(is_insert))
        .map(|(span, question)| (span, question.answer(session).into_bytes()))
        .collect();
    edits.extend(variables);
    if let StatementKind::Query(query) = &statement.kind {
        let mut items = Vec::new();
        label_query(query, &mut items);
        let changed: HashSet<u32> = edits.iter().map(|(span, _)| span.start).collect();
        for item in items {
            if changed.iter().any(|start| (item.start..item.end).contains(start)) {
                let label = label(item.of(text));
                edits.push((Span { start: item.end, end: item.end }, label));
            }
        }
    }
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    Ok(apply(text, &edits))
}

/// An expression with the answers in it.
pub(crate) fn substitute_expression(session: &Session, text: &str) -> String {
    let edits: Vec<_> = questions(text.as_bytes(), session.mode)
        .into_iter()
        .filter(|(_, question)| question.is_answered(false))
        .map(|(span, question)| (span, question.answer(session).into_bytes()))
        .collect();
    String::from_utf8_lossy(&apply(text.as_bytes(), &edits)).into_owned()
}

fn apply(text: &[u8], edits: &[(Span, Vec<u8>)]) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len() + 64 * edits.len());
    let mut from = 0;
    for (span, with) in edits {
        written.extend_from_slice(&text[from..span.start as usize]);
        written.extend_from_slice(with);
        from = span.end as usize;
    }
    written.extend_from_slice(&text[from..]);
    written
}

/// A column is named by the text of its expression; a longer name than servers take is left out.
fn label(text: &[u8]) -> Vec<u8> {
    const MAX_ALIAS: usize = 255;
    if text.len() > MAX_ALIAS {
        return Vec::new();
    }
    let mut label = b" AS `".to_vec();
    for byte in text {
        label.push(*byte);
        if *byte == b'`' {
            label.push(b'`');
        }
    }
    label.push(b'`');
    label
}

/// The select items without alias whose names somebody can see.
fn label_query(query: &Query, items: &mut Vec<Span>) {
    for table in &query.with {
        label_query(&table.query, items);
    }
    label_body(&query.body, items);
}

fn label_body(body: &QueryBody, items: &mut Vec<Span>) {
    match body {
        QueryBody::Select(select) => label_select(select, items),
        QueryBody::SetOperation { left, right, .. } => {
            label_body(left, items);
            label_body(right, items);
        }
        QueryBody::Nested(query) => label_query(query, items),
        QueryBody::Values(_) | QueryBody::Table(_) => {}
    }
}

fn label_select(select: &Select, items: &mut Vec<Span>) {
    for item in &select.items {
        if let SelectItem::Expr { alias: None, span, .. } = item {
            items.push(*span);
        }
    }
    for table in &select.from {
        label_table(table, items);
    }
}

fn label_table(table: &TableRef, items: &mut Vec<Span>) {
    match table {
        TableRef::Derived { query, .. } => label_query(query, items),
        TableRef::Join(join) => {
            label_table(&join.left, items);
            label_table(&join.right, items);
        }
        TableRef::Nested(tables, _) => tables.iter().for_each(|table| label_table(table, items)),
        TableRef::Table(_) | TableRef::Function { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        questions(text.as_bytes(), SqlMode::default())
            .into_iter()
            .map(|(span, _)| &text[span.start as usize..span.end as usize])
            .collect()
    }

    #[test]
    fn questions_are_found_wherever_they_stand() {
        for (text, expected) in [
            ("SELECT CONNECTION_ID()", &["CONNECTION_ID()"][..]),
            ("SELECT database ( ), user()", &["database ( )", "user()"]),
            ("SELECT 1 FROM t WHERE u = CURRENT_USER", &["CURRENT_USER"]),
            ("SELECT CURRENT_USER()", &["CURRENT_USER()"]),
            ("SELECT @@version, @@session.version", &["@@version", "@@session.version"]),
            ("SELECT @@max_allowed_packet", &["@@max_allowed_packet"]),
            ("SELECT CONCAT(DATABASE(), USER())", &["DATABASE()", "USER()"]),
            ("INSERT INTO t VALUES (ROW_COUNT())", &["ROW_COUNT()"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_question_is_none() {
        for text in [
            "SELECT user FROM t",
            "SELECT 'DATABASE()'",
            "SELECT `version`()",
            "SELECT db.user()",
            "INSERT INTO user () VALUES ()",
            "INSERT INTO t (user, version) VALUES (1, 2)",
            "SELECT @@version_comment, @version",
            "SELECT t.current_user FROM t",
            "SELECT USER(1)",
            "SELECT 1 /* DATABASE() */",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn literals_mean_the_same_in_every_mode() {
        assert_eq!(string_literal("shop"), "'shop'");
        assert_eq!(string_literal("a\\'"), "_utf8mb4 x'615c27'");
        assert_eq!(label(b"a`b"), b" AS `a``b`");
    }
}
