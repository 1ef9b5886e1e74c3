//! Runs case files on a pair of servers and gathers everything that went wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::case::{Case, CaseFile, Expectation, Side};
use crate::client::Protocol;
use crate::comparison::RowOrder;
use crate::outcome::Outcome;
use crate::pair::{Pair, has_outer_order_by};

/// Statements that start so change no rows: nothing is compared after them.
const READING_WORDS: &[&str] = &[
    "SELECT",
    "SHOW",
    "DESC",
    "DESCRIBE",
    "EXPLAIN",
    "WITH",
    "VALUES",
    "SET",
    "USE",
    "BEGIN",
    "START",
    "SAVEPOINT",
    "CREATE",
    "DROP",
    "PREPARE",
    "DO",
];

/// MySQL does not prepare these, MariaDB does.
///
/// # Source
/// MySQL manual, "SQL Syntax Permitted in Prepared Statements".
const UNPREPARABLE_WORDS: &[&str] = &[
    "BEGIN",
    "START",
    "SAVEPOINT",
    "ROLLBACK",
    "RELEASE",
    "USE",
    "LOCK",
    "SHOW",
    "UNLOCK",
    "PREPARE",
    "EXECUTE",
    "DEALLOCATE",
];

/// How to run the cases.
#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// The protocol of all statements; those with parameters always use the binary one.
    pub protocol: Protocol,
    /// False where the subject is a plain server too: what only the proxy does is passed over.
    pub subject_is_proxy: bool,
}

/// A case that did not do what it should.
#[derive(Debug, Clone)]
pub struct CaseFailure {
    /// The file.
    pub path: PathBuf,
    /// The line of the statement.
    pub line: usize,
    /// Its group.
    pub group: String,
    /// The statement.
    pub sql: String,
    /// What went wrong.
    pub problem: String,
}

impl std::fmt::Display for CaseFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, line, group, sql, problem } = self;
        write!(f, "{}:{line} [{group}]\n    {sql}\n    {problem}", path.display())
    }
}

/// What came of a file.
#[derive(Debug, Clone, Default)]
pub struct CaseReport {
    /// How many statements were run.
    pub run: usize,
    /// How many were passed over.
    pub skipped: usize,
    /// How many are known to differ.
    pub pending: usize,
    /// What went wrong.
    pub failures: Vec<CaseFailure>,
}

/// Runs all cases of a file in order.
pub async fn run_cases(pair: &mut Pair, file: &CaseFile, options: RunOptions) -> CaseReport {
    let mut report = CaseReport::default();
    let mut others: BTreeMap<u32, Pair> = BTreeMap::new();
    let is_mysql = is_mysql(pair).await;
    for case in &file.cases {
        let is_for_the_proxy = case.only == Some(Side::Subject)
            || matches!(case.expectation, Expectation::Unsupported(_));
        if is_for_the_proxy && !options.subject_is_proxy || case.is_for_mariadb && is_mysql {
            report.skipped += 1;
            continue;
        }
        let pair = match case.connection {
            1 => &mut *pair,
            number => others.entry(number).or_insert_with(|| pair.another()),
        };
        report.run += 1;
        let is_text = is_mysql && starts_with(&case.sql, UNPREPARABLE_WORDS);
        let protocol = if is_text { Protocol::Text } else { options.protocol };
        let result = run_case(pair, case, protocol).await;
        let is_pending = case.pending.is_some() && options.subject_is_proxy;
        let problem = match (result, is_pending) {
            (Ok(()), false) => continue,
            (Err(_), true) => {
                report.pending += 1;
                continue;
            }
            (Ok(()), true) => "works now: remove its `-- pending`".to_owned(),
            (Err(problem), false) => problem,
        };
        report.failures.push(CaseFailure {
            path: file.path.clone(),
            line: case.line,
            group: case.group.clone(),
            sql: case.sql.clone(),
            problem,
        });
    }
    for (_, mut pair) in others {
        pair.oracle.disconnect().await;
        pair.subject.disconnect().await;
    }
    report
}

async fn is_mysql(pair: &mut Pair) -> bool {
    let outcomes = pair.oracle.run_with("SELECT VERSION()", Protocol::Text, Vec::new()).await;
    match outcomes.first() {
        Some(Outcome::Rows { rows, .. }) => !format!("{rows:?}").contains("MariaDB"),
        _ => false,
    }
}

async fn run_case(pair: &mut Pair, case: &Case, protocol: Protocol) -> Result<(), String> {
    let protocol = if case.parameters.is_some() { Protocol::Binary } else { protocol };
    let parameters = case.parameters.clone().unwrap_or_default();
    if let Expectation::Unsupported(code) = case.expectation {
        let outcomes = pair.subject.run_with(&case.sql, protocol, parameters).await;
        return check_refusal(&outcomes, code);
    }
    if let Some(side) = case.only {
        let client = match side {
            Side::Oracle => &mut pair.oracle,
            Side::Subject => &mut pair.subject,
        };
        let outcomes = client.run_with(&case.sql, protocol, parameters).await;
        return check_expectation(&outcomes, &case.expectation);
    }
    let order = match has_outer_order_by(&case.sql) && !case.is_unordered {
        true => RowOrder::AsSent,
        false => RowOrder::Any,
    };
    let outcomes = pair.compare_with(&case.sql, protocol, parameters, order).await?;
    check_expectation(&outcomes, &case.expectation)?;
    if writes(&case.sql) {
        for table in &case.tables {
            pair.compare_table(table).await?;
        }
    }
    Ok(())
}

fn check_refusal(outcomes: &[Outcome], code: Option<u16>) -> Result<(), String> {
    let last = outcomes.last().map_or_else(String::new, Outcome::summary);
    match outcomes.last().and_then(Outcome::find_error_code) {
        Some(found) if code.is_none_or(|code| code == found) => Ok(()),
        _ => Err(format!(
            "must be refused{}, got {last}",
            match code {
                Some(code) => format!(" with error {code}"),
                None => String::new(),
            }
        )),
    }
}

fn check_expectation(outcomes: &[Outcome], expectation: &Expectation) -> Result<(), String> {
    let last = outcomes.last();
    let summary = last.map_or_else(String::new, Outcome::summary);
    match (expectation, last) {
        (Expectation::Error(code), Some(outcome)) if outcome.find_error_code() == Some(*code) => {
            Ok(())
        }
        (Expectation::Error(code), _) => Err(format!("must be error {code}, got {summary}")),
        (_, Some(Outcome::Error { .. } | Outcome::Lost(_)) | None) => {
            Err(format!("must succeed, got {summary}"))
        }
        _ => Ok(()),
    }
}

fn writes(sql: &str) -> bool {
    sql.trim_start().starts_with(|c: char| c.is_ascii_alphabetic())
        && !starts_with(sql, READING_WORDS)
}

fn starts_with(sql: &str, words: &[&str]) -> bool {
    let word = sql.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}
