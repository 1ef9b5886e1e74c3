//! Files of statements that are run on the oracle and on the subject.
//!
//! A statement ends with `;` at the end of a line. Lines that start with `#` are remarks. A line
//! that starts with `--` says something about the statement below it, or about all that follow:
//!
//! | line | meaning |
//! | --- | --- |
//! | `-- group NAME` | what the following statements are about |
//! | `-- tables A, B` | compared after each of the following statements that writes; `-` for none |
//! | `-- unordered` | rows as a bag although there is an ORDER BY (ties) |
//! | `-- error N` | both must answer with this error |
//! | `-- unsupported [N]` | the subject must refuse (with error N); the oracle is not asked |
//! | `-- subject` / `-- oracle` | only that one is asked, and must succeed |
//! | `-- params V, V` | values of the parameters; binary protocol only |
//! | `-- mariadb` | not on MySQL: the case is about what only MariaDB does so |
//! | `-- connection N` | on another connection of this number |
//! | `-- pending REASON` | known to differ; fails as soon as it no longer does |

use std::path::{Path, PathBuf};

use mysql_async::Value;

/// A file that cannot be read as cases.
#[derive(Debug)]
pub struct CaseError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl std::fmt::Display for CaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.problem)
    }
}

impl std::error::Error for CaseError {}

/// What must come of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Expectation {
    /// The same answer from both, and no error.
    #[default]
    Same,
    /// This error from both.
    Error(u16),
    /// A refusal by the subject alone, with this number where it is given.
    Unsupported(Option<u16>),
}

/// One of the two servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one with all the data.
    Oracle,
    /// The one under test.
    Subject,
}

/// One statement with what was said about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Case {
    /// The line its statement starts on.
    pub line: usize,
    /// The group it stands in.
    pub group: String,
    /// The statement without its `;`.
    pub sql: String,
    /// What must come of it.
    pub expectation: Expectation,
    /// Compared as a bag even where there is an ORDER BY.
    pub is_unordered: bool,
    /// Passed over on MySQL.
    pub is_for_mariadb: bool,
    /// Only this side is asked.
    pub only: Option<Side>,
    /// Values of its parameters.
    pub parameters: Option<Vec<Value>>,
    /// Which connection; 1 is the usual one.
    pub connection: u32,
    /// Why it is known to differ.
    pub pending: Option<String>,
    /// What is compared after it, where it writes.
    pub tables: Vec<String>,
}

/// A file of statements.
#[derive(Debug, Clone)]
pub struct CaseFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its statements in order.
    pub cases: Vec<Case>,
}

impl CaseFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or a line is not understood.
    pub fn load(path: &Path) -> Result<Self, CaseError> {
        let fail = |line, problem: String| CaseError { path: path.to_owned(), line, problem };
        let text = std::fs::read_to_string(path).map_err(|error| fail(0, error.to_string()))?;
        let cases = parse(&text).map_err(|(line, problem)| fail(line, problem))?;
        Ok(Self { path: path.to_owned(), cases })
    }

    /// All `.sql` files of a folder, by name.
    ///
    /// # Errors
    /// When the folder holds none or one of them cannot be read.
    pub fn load_folder(folder: &Path) -> Result<Vec<Self>, CaseError> {
        let fail = |problem: String| CaseError { path: folder.to_owned(), line: 0, problem };
        let entries = std::fs::read_dir(folder).map_err(|error| fail(error.to_string()))?;
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
            .collect();
        paths.sort();
        if paths.is_empty() {
            return Err(fail("no .sql files".to_owned()));
        }
        paths.iter().map(|path| Self::load(path)).collect()
    }
}

/// What holds for the next statement, and what for all that follow.
#[derive(Default)]
struct Reader {
    next: Case,
    group: String,
    tables: Vec<String>,
}

fn parse(text: &str) -> Result<Vec<Case>, (usize, String)> {
    let mut reader = Reader::default();
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let is_inside = !reader.next.sql.is_empty();
        if !is_inside && (line.trim().is_empty() || line.starts_with('#')) {
            continue;
        }
        if let Some(words) = line.strip_prefix("--").filter(|_| !is_inside) {
            reader.annotate(words.trim()).map_err(|problem| (number, problem))?;
            continue;
        }
        if is_inside {
            reader.next.sql.push('\n');
        } else {
            reader.next.line = number;
        }
        match line.trim_end().strip_suffix(';') {
            Some(end) => {
                reader.next.sql.push_str(end);
                cases.push(reader.finish());
            }
            None => reader.next.sql.push_str(line),
        }
    }
    if !reader.next.sql.is_empty() {
        return Err((reader.next.line, "the statement has no `;` at the end of a line".to_owned()));
    }
    Ok(cases)
}

impl Reader {
    fn annotate(&mut self, words: &str) -> Result<(), String> {
        let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
        let rest = rest.trim();
        let number = |text: &str| {
            text.parse::<u16>().map_err(|_| format!("`{text}` is not an error number"))
        };
        match word {
            "group" => self.group = rest.to_owned(),
            "tables" => {
                let names = rest.split(',').map(|name| name.trim().to_owned());
                self.tables = names.filter(|name| name != "-").collect();
            }
            "mariadb" if rest.is_empty() => self.next.is_for_mariadb = true,
            "unordered" => self.next.is_unordered = true,
            "error" => self.next.expectation = Expectation::Error(number(rest)?),
            "unsupported" => {
                let code = (!rest.is_empty()).then(|| number(rest)).transpose()?;
                self.next.expectation = Expectation::Unsupported(code);
            }
            "subject" => self.next.only = Some(Side::Subject),
            "oracle" => self.next.only = Some(Side::Oracle),
            "params" => self.next.parameters = Some(parse_values(rest)?),
            "connection" => {
                self.next.connection =
                    rest.parse().map_err(|_| format!("`{rest}` is not a connection number"))?;
            }
            "pending" if !rest.is_empty() => self.next.pending = Some(rest.to_owned()),
            _ => return Err(format!("`-- {words}` is not understood")),
        }
        Ok(())
    }

    fn finish(&mut self) -> Case {
        let mut case = std::mem::take(&mut self.next);
        case.group.clone_from(&self.group);
        case.tables.clone_from(&self.tables);
        case.connection = case.connection.max(1);
        case
    }
}

/// `1, -2, 1.5, 'it''s', NULL`: integers, doubles, strings, NULL.
fn parse_values(text: &str) -> Result<Vec<Value>, String> {
    let mut values = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (value, after) = match rest.strip_prefix('\'') {
            Some(after) => parse_string(after)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (parse_plain(rest[..end].trim())?, &rest[end..])
            }
        };
        values.push(value);
        let after = after.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
    Ok(values)
}

fn parse_string(text: &str) -> Result<(Value, &str), String> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('\'').ok_or("a string without its closing quote")?;
        value.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('\'') {
            Some(after) => {
                value.push('\'');
                rest = after;
            }
            None => return Ok((Value::Bytes(value.into_bytes()), rest)),
        }
    }
}

fn parse_plain(text: &str) -> Result<Value, String> {
    if text.eq_ignore_ascii_case("null") {
        return Ok(Value::NULL);
    }
    text.parse()
        .map(Value::Int)
        .or_else(|_| text.parse().map(Value::UInt))
        .or_else(|_| text.parse().map(Value::Double))
        .map_err(|_| format!("`{text}` is not a value"))
}

#[cfg(test)]
mod tests;
