//! Runs random statements on both servers and counts what was the same, refused and different.

use std::collections::BTreeMap;
use std::fmt;

use mysql_async::Value;
use mysql_async::consts::{ColumnFlags, ColumnType};

use crate::client::Protocol;
use crate::comparison::find_difference;
use crate::generator::{Class, Closeness, GeneratedStatement, Generator};
use crate::outcome::{ColumnShape, Outcome};
use crate::pair::Pair;

/// Errors from here on are refusals of the proxy: MySQL has no such numbers.
const FIRST_REFUSAL_CODE: u16 = 10_000;

/// What came of a run.
#[derive(Debug, Default)]
pub struct RandomReport {
    /// Statements by class.
    pub run: BTreeMap<Class, usize>,
    /// Refused ones by class and reason, names taken out.
    pub refused: BTreeMap<(Class, String), usize>,
    /// Statements that both servers answered with the same error.
    pub failed: usize,
    /// What was different, with the statement.
    pub differences: Vec<String>,
}

impl RandomReport {
    /// Counts another run with this one.
    pub fn add(&mut self, other: Self) {
        for (class, run) in other.run {
            *self.run.entry(class).or_default() += run;
        }
        for (key, count) in other.refused {
            *self.refused.entry(key).or_default() += count;
        }
        self.failed += other.failed;
        self.differences.extend(other.differences);
    }

    /// How many statements were run on both servers.
    #[must_use]
    pub fn total(&self) -> usize {
        self.run.values().sum()
    }

    /// The share of refused statements of a class, from 0 to 1.
    #[must_use]
    pub fn refusal_share(&self, class: Class) -> f64 {
        let refused: usize = self
            .refused
            .iter()
            .filter(|((other, _), _)| *other == class)
            .map(|(_, count)| count)
            .sum();
        refused as f64 / self.run.get(&class).copied().unwrap_or(0).max(1) as f64
    }
}

impl fmt::Display for RandomReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (class, run) in &self.run {
            let share = 100.0 * self.refusal_share(*class);
            writeln!(f, "{class:?}: {run} run, {share:.1} % refused")?;
        }
        for ((class, reason), count) in &self.refused {
            writeln!(f, "  {count:5} {class:?}: {reason}")?;
        }
        let (total, different) = (self.total(), self.differences.len());
        writeln!(f, "{total} compared, different: {different}, an error on both: {}", self.failed)?;
        self.differences.iter().try_for_each(|difference| writeln!(f, "  {difference}"))
    }
}

/// Runs the next `count` statements, every second one prepared and with parameters. It ends early
/// after `most_differences`.
pub async fn run_random(
    pair: &mut Pair,
    generator: &mut Generator,
    count: usize,
    most_differences: usize,
) -> RandomReport {
    let mut report = RandomReport::default();
    for number in 0..count {
        let is_prepared = number % 2 == 1;
        let statement = generator.next_statement(is_prepared);
        let protocol = if is_prepared { Protocol::Binary } else { Protocol::Text };
        run_one(pair, &statement, protocol, &mut report).await;
        if report.differences.len() >= most_differences {
            break;
        }
    }
    report
}

async fn run_one(
    pair: &mut Pair,
    statement: &GeneratedStatement,
    protocol: Protocol,
    report: &mut RandomReport,
) {
    *report.run.entry(statement.class).or_default() += 1;
    if statement.changes.is_some() {
        return change(pair, statement, protocol, report).await;
    }
    let (mut expected, mut actual) =
        pair.run_both(&statement.sql, protocol, statement.parameters.clone()).await;
    if let Some(reason) = find_refusal(&actual) {
        *report.refused.entry((statement.class, reason)).or_default() += 1;
        return;
    }
    report.failed += usize::from(is_error(&expected));
    if fails_beyond_limit(statement, &actual) && !is_error(&expected) {
        let reason = "1690 computed for a row that LIMIT leaves out".to_owned();
        *report.refused.entry((statement.class, reason)).or_default() += 1;
        return;
    }
    let is_join = statement.sql.contains(" JOIN ");
    for outcomes in [&mut expected, &mut actual] {
        loosen(outcomes, statement.closeness, is_join);
        if pair.ignores_plans {
            forget_plans(outcomes);
        }
    }
    if let Some(difference) = find_difference(&expected, &actual, statement.order) {
        report.differences.push(describe(statement, protocol, &difference));
    }
}

/// A change goes to the subject first: what it refuses, the oracle does not do either.
async fn change(
    pair: &mut Pair,
    statement: &GeneratedStatement,
    protocol: Protocol,
    report: &mut RandomReport,
) {
    let parameters = statement.parameters.clone();
    let actual = pair.subject.run_with(&statement.sql, protocol, parameters.clone()).await;
    if let Some(reason) = find_refusal(&actual) {
        *report.refused.entry((statement.class, reason)).or_default() += 1;
        return;
    }
    let expected = pair.oracle.run_with(&statement.sql, protocol, parameters).await;
    report.failed += usize::from(is_error(&expected));
    let mut difference = find_difference(&expected, &actual, statement.order);
    if let (None, Some(table)) = (&difference, &statement.changes) {
        difference = pair.compare_table(table).await.err();
    }
    if let Some(difference) = difference {
        report.differences.push(describe(statement, protocol, &difference));
    }
}

/// A value that is out of range in a row beyond LIMIT: a server that stops earlier does not compute it.
/// Which one does depends on its plan, on one server as well.
fn fails_beyond_limit(statement: &GeneratedStatement, actual: &[Outcome]) -> bool {
    const ER_DATA_OUT_OF_RANGE: u16 = 1690;
    let code = actual.last().and_then(Outcome::find_error_code);
    code == Some(ER_DATA_OUT_OF_RANGE) && statement.sql.contains(" LIMIT ")
}

fn describe(statement: &GeneratedStatement, protocol: Protocol, difference: &str) -> String {
    let parameters: Vec<String> =
        statement.parameters.iter().map(|value| value.as_sql(false)).collect();
    let with = if parameters.is_empty() {
        String::new()
    } else {
        format!(" with ({})", parameters.join(", "))
    };
    format!("{protocol:?}: {}{with}\n      {difference}", statement.sql)
}

fn is_error(outcomes: &[Outcome]) -> bool {
    outcomes.iter().any(|outcome| outcome.find_error_code().is_some())
}

/// The reason for a refusal without the names in it.
fn find_refusal(actual: &[Outcome]) -> Option<String> {
    let Some(Outcome::Error { code, message, .. }) = actual.last() else { return None };
    (*code >= FIRST_REFUSAL_CODE).then(|| {
        // An expression stands without quotes behind these words.
        let message = match message.find("The expression ") {
            Some(start) => {
                let end = message.find(" on an aggregate").unwrap_or(message.len());
                format!("{}The expression{}", &message[..start], &message[end..])
            }
            None => message.clone(),
        };
        let pieces: Vec<&str> = message.split('\'').step_by(2).collect();
        format!("{code} {}", pieces.join("'…'"))
    })
}

fn loosen(outcomes: &mut [Outcome], closeness: Closeness, is_join: bool) {
    for outcome in outcomes {
        let Outcome::Rows { columns, rows, .. } = outcome else { continue };
        columns.iter_mut().for_each(forget_the_way);
        if is_join {
            columns.iter_mut().for_each(forget_filling);
        }
        for row in rows {
            match closeness {
                Closeness::Exact => {}
                Closeness::Count => row.clear(),
                Closeness::Folded => row.iter_mut().for_each(fold),
            }
        }
    }
}

/// MySQL warns of the date 0000-00-00 where it fills a temporary table of its own with MIN or MAX of
/// dates that are NULL, and a computed number is a BIGINT or an INT by the way it went.
fn forget_plans(outcomes: &mut [Outcome]) {
    for outcome in outcomes {
        let Outcome::Rows { columns, warnings, .. } = outcome else { continue };
        *warnings = 0;
        for column in columns.iter_mut().filter(|column| column.table.is_empty()) {
            if column.kind == ColumnType::MYSQL_TYPE_LONGLONG {
                column.kind = ColumnType::MYSQL_TYPE_LONG;
            }
        }
    }
}

/// What depends on the way a server chose, through a temporary table of its own or not.
fn forget_the_way(column: &mut ColumnShape) {
    column.flags.remove(ColumnFlags::PRI_KEY_FLAG | ColumnFlags::AUTO_INCREMENT_FLAG);
    let is_text =
        matches!(column.kind, ColumnType::MYSQL_TYPE_VAR_STRING | ColumnType::MYSQL_TYPE_STRING);
    if is_text {
        // "As they come" or none.
        column.decimals = 0;
    } else {
        column.flags.remove(ColumnFlags::BINARY_FLAG);
    }
    // The width of a number that is computed, with or without room for a sign.
    let is_number = matches!(
        column.kind,
        ColumnType::MYSQL_TYPE_LONG
            | ColumnType::MYSQL_TYPE_LONGLONG
            | ColumnType::MYSQL_TYPE_DOUBLE
    );
    if column.table.is_empty() && is_number {
        column.length = 0;
    }
}

/// Flags that depend on whether a server took an outer join for an inner one, which its rows decide.
fn forget_filling(column: &mut ColumnShape) {
    column.flags.remove(
        ColumnFlags::NOT_NULL_FLAG
            | ColumnFlags::PART_KEY_FLAG
            | ColumnFlags::UNIQUE_KEY_FLAG
            | ColumnFlags::MULTIPLE_KEY_FLAG,
    );
}

/// Texts that a collation may take for equal become one text.
fn fold(value: &mut Value) {
    let Value::Bytes(bytes) = value else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let text = text.trim_end_matches(' ').to_lowercase().replace('é', "e");
    *bytes = text.into_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_by_its_reason() {
        let error = |code, message: &str| {
            [Outcome::Error { code, state: "HY000".to_owned(), message: message.to_owned() }]
        };
        assert_eq!(
            find_refusal(&error(30001, "Tables 'a' and 'b' cannot join")),
            Some("30001 Tables '…' and '…' cannot join".to_owned())
        );
        assert_eq!(find_refusal(&error(1146, "Table 'a' doesn't exist")), None);
    }

    #[test]
    fn equal_texts_fold_to_one() {
        let folded = |text: &str| {
            let mut value = Value::Bytes(text.as_bytes().to_vec());
            fold(&mut value);
            value
        };
        assert_eq!(folded("B "), folded("b"));
        assert_eq!(folded("é"), folded("E"));
        assert_ne!(folded("a"), folded("b"));
    }
}
