//! Two servers side by side: the oracle, which has all the data, and the subject under test.

use crate::client::{Client, Endpoint, Protocol};
use crate::comparison::{RowOrder, find_difference};
use crate::outcome::Outcome;
use mysql_async::Value;
use mysql_async::consts::{ColumnFlags, ColumnType};

/// Connections to an oracle and a subject that are given the same statements.
#[derive(Debug)]
pub struct Pair {
    /// The server with all the data.
    pub oracle: Client,
    /// The server under test.
    pub subject: Client,
    /// What a column definition takes from the plan of its statement is passed over: MySQL drops
    /// the flags of keys and of binary values, and digits of texts, where rows pass through a
    /// temporary table.
    pub ignores_plans: bool,
}

impl Pair {
    /// A pair of connections; they are opened at first use.
    #[must_use]
    pub fn new(oracle: Endpoint, subject: Endpoint) -> Self {
        Self { oracle: Client::new(oracle), subject: Client::new(subject), ignores_plans: false }
    }

    /// Another pair of connections to the same two servers.
    #[must_use]
    pub fn another(&self) -> Self {
        let (oracle, subject) = (self.oracle.endpoint(), self.subject.endpoint());
        Self { ignores_plans: self.ignores_plans, ..Self::new(oracle.clone(), subject.clone()) }
    }

    /// Runs a statement on both and compares the answers, rows in order where the statement has
    /// an ORDER BY of its own.
    ///
    /// # Errors
    /// The difference, in words.
    pub async fn compare(&mut self, sql: &str, protocol: Protocol) -> Result<(), String> {
        let order = if has_outer_order_by(sql) { RowOrder::AsSent } else { RowOrder::Any };
        self.compare_with(sql, protocol, Vec::new(), order).await.map(drop)
    }

    /// As [`compare`](Self::compare) with parameters and a given view of the order; returns the
    /// oracle's answer.
    ///
    /// # Errors
    /// The difference, in words.
    pub async fn compare_with(
        &mut self,
        sql: &str,
        protocol: Protocol,
        parameters: Vec<Value>,
        order: RowOrder,
    ) -> Result<Vec<Outcome>, String> {
        let (expected, actual) = self.run_both(sql, protocol, parameters).await;
        if self.ignores_plans {
            let (expected, actual) = (without_plan(&expected), without_plan(&actual));
            if let Some(difference) = find_difference(&expected, &actual, order) {
                return Err(difference);
            }
            return Ok(expected);
        }
        match find_difference(&expected, &actual, order) {
            None => Ok(expected),
            Some(difference) => Err(difference),
        }
    }

    /// The oracle's answer and the subject's.
    pub async fn run_both(
        &mut self,
        sql: &str,
        protocol: Protocol,
        parameters: Vec<Value>,
    ) -> (Vec<Outcome>, Vec<Outcome>) {
        let expected = self.oracle.run_with(sql, protocol, parameters.clone()).await;
        let actual = self.subject.run_with(sql, protocol, parameters).await;
        (expected, actual)
    }

    /// Compares the whole content of a table.
    ///
    /// # Errors
    /// The difference, in words.
    pub async fn compare_table(&mut self, table: &str) -> Result<(), String> {
        self.compare(&format!("SELECT * FROM {table}"), Protocol::Text)
            .await
            .map_err(|difference| format!("table {table} afterwards: {difference}"))
    }
}

fn without_plan(outcomes: &[Outcome]) -> Vec<Outcome> {
    let mut outcomes = outcomes.to_vec();
    for outcome in &mut outcomes {
        let Outcome::Rows { columns, .. } = outcome else { continue };
        for column in columns {
            column.flags -= ColumnFlags::PRI_KEY_FLAG
                | ColumnFlags::AUTO_INCREMENT_FLAG
                | ColumnFlags::BINARY_FLAG;
            if column.kind == ColumnType::MYSQL_TYPE_VAR_STRING {
                column.decimals = 0;
            }
        }
    }
    outcomes
}

/// Whether a statement has an ORDER BY outside of parentheses, strings and comments.
pub(crate) fn has_outer_order_by(sql: &str) -> bool {
    let mut depth = 0_i32;
    let mut last_word_was_order = false;
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' | '`' => quoted_length(rest, first),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if first.is_alphanumeric() || first == '_' || first == '@' => {
                let word = rest.find(|c: char| !(c.is_alphanumeric() || "_@$".contains(c)));
                let word = &rest[..word.unwrap_or(rest.len())];
                if depth == 0 && last_word_was_order && word.eq_ignore_ascii_case("by") {
                    return true;
                }
                last_word_was_order = word.eq_ignore_ascii_case("order");
                word.len()
            }
            _ => {
                depth += match first {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    false
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (position, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' if quote != '`' => escaped = true,
            _ if character == quote => return position + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::has_outer_order_by;

    #[test]
    fn only_an_outer_order_by_counts() {
        let cases = [
            ("SELECT 1", false),
            ("SELECT a FROM t ORDER BY a", true),
            ("select a from t order\n by a", true),
            ("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3) x", false),
            ("SELECT GROUP_CONCAT(a ORDER BY a) FROM t", false),
            ("SELECT 'x ORDER BY y' FROM t", false),
            ("SELECT 'it''s \\' ORDER BY' FROM t", false),
            ("SELECT a FROM t /* ORDER BY a */", false),
            ("SELECT `order by` FROM t", false),
            ("(SELECT 1) UNION (SELECT 2) ORDER BY 1", true),
        ];
        for (sql, expected) in cases {
            assert_eq!(has_outer_order_by(sql), expected, "{sql}");
        }
    }
}
