//! What a statement leaves on its connection and the session must know: it is read before the
//! connection serves others, and replayed on every other one.

use std::sync::Arc;

use kernel::plan::Effects;
use storage::command::{ColumnKind, TextResult, query};
use storage::connection::Connection;

use crate::session::Session;

/// What is to be read after the statement at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadBack {
    /// User variables in lower case, each once.
    variables: Vec<String>,
    /// LAST_INSERT_ID(), which no answer with rows tells.
    last_insert_id: bool,
    /// FOUND_ROWS() beyond a LIMIT.
    found_rows: bool,
}

impl ReadBack {
    /// For a statement with these effects; `None` when it leaves nothing.
    pub(crate) fn of(effects: &Effects) -> Option<Self> {
        let mut variables = effects.assigns_user_variables.clone();
        variables.sort_unstable();
        variables.dedup();
        let wanted = Self {
            variables,
            last_insert_id: effects.sets_last_insert_id,
            found_rows: effects.calculates_found_rows,
        };
        let is_any = !wanted.variables.is_empty() || wanted.last_insert_id || wanted.found_rows;
        is_any.then_some(wanted)
    }

    fn text(&self) -> String {
        let mut text = "SELECT FOUND_ROWS(), LAST_INSERT_ID()".to_owned();
        for name in &self.variables {
            let name = format!("@`{}`", name.replace('`', "``"));
            text += &format!(", {name}, HEX({name}), COLLATION({name})");
        }
        text
    }

    /// Reads it from the connection that ran the statement. When that fails the connection is lost
    /// and with it what was to be read.
    pub(crate) async fn read(&self, session: &mut Session, connection: &mut Connection) {
        let Ok(result) = query(connection, &self.text()).await else {
            connection.is_busy = true;
            return;
        };
        let number = |column| {
            let value = cell(&result, column)?;
            String::from_utf8_lossy(value).parse::<u64>().ok()
        };
        if let Some(found) = number(0).filter(|_| self.found_rows) {
            session.diagnostics.found_rows = found;
        }
        if let Some(id) = number(1).filter(|_| self.last_insert_id) {
            session.diagnostics.last_insert_id = id;
        }
        if self.variables.is_empty() {
            return;
        }
        session.change_settings(|settings| {
            for (index, name) in self.variables.iter().enumerate() {
                let literal = literal_at(&result, 2 + 3 * index);
                settings.user_variables.insert(name.clone(), literal);
            }
        });
        // The connection has them already.
        connection.settings = Arc::clone(&session.settings);
    }
}

fn cell(result: &TextResult, column: usize) -> Option<&[u8]> {
    result.rows.first()?.get(column)?.as_deref()
}

/// The value of a column as a literal of its type; the columns behind it are its bytes as
/// hexadecimal and its collation.
pub(crate) fn literal_at(result: &TextResult, column: usize) -> String {
    let text = |column| cell(result, column).map(String::from_utf8_lossy);
    let Some(value) = text(column) else { return "NULL".to_owned() };
    match result.kinds.get(column) {
        Some(ColumnKind::Number) => value.into_owned(),
        Some(ColumnKind::Double) => format!("{value}e0"),
        _ => {
            let hex = text(column + 1).unwrap_or_default();
            let collation = text(column + 2).unwrap_or_default();
            match collation.split('_').next().unwrap_or("binary") {
                "binary" | "" => format!("x'{hex}'"),
                charset => format!("_{charset} x'{hex}' COLLATE {collation}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_keeps_its_type() {
        let cell = |text: &str| Some(text.as_bytes().to_vec());
        for (kind, value, hex, collation, expected) in [
            (ColumnKind::Number, "1.50", "2", "binary", "1.50"),
            (ColumnKind::Double, "0.5", "1", "binary", "0.5e0"),
            (ColumnKind::Text, "ab", "6162", "utf8mb4_bin", "_utf8mb4 x'6162' COLLATE utf8mb4_bin"),
            (ColumnKind::Text, "a", "61", "binary", "x'61'"),
        ] {
            let result = TextResult {
                columns: Vec::new(),
                kinds: vec![kind, ColumnKind::Text, ColumnKind::Text],
                rows: vec![vec![cell(value), cell(hex), cell(collation)]],
            };
            assert_eq!(literal_at(&result, 0), expected);
        }
        assert_eq!(literal_at(&TextResult::default(), 0), "NULL");
    }

    #[test]
    fn a_variable_is_read_once() {
        let effects = Effects {
            assigns_user_variables: vec!["b".to_owned(), "a".to_owned(), "b".to_owned()],
            ..Effects::default()
        };
        assert_eq!(ReadBack::of(&effects).unwrap().variables, ["a", "b"]);
        assert_eq!(ReadBack::of(&Effects::default()), None);
    }
}
