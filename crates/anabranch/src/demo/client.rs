//! Statements through the `mariadb` command line client, as a person would send them.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::Failure;

/// One server as one user.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) port: u16,
    pub(crate) user: &'static str,
    pub(crate) password: &'static str,
    pub(crate) database: &'static str,
}

impl Client {
    /// Runs statements and returns their rows, tab-separated, without names.
    pub(crate) fn run(&self, sql: &str) -> Result<String, Failure> {
        let output = Command::new("mariadb")
            .args(["--no-defaults", "--protocol=tcp", "--host=127.0.0.1", "--batch"])
            .args(["--skip-column-names", "--default-character-set=utf8mb4"])
            .arg(format!("--port={}", self.port))
            .arg(format!("--user={}", self.user))
            .arg(format!("--database={}", self.database))
            .args(["-e", sql])
            // Not on the command line, where every user of the machine can read it.
            .env("MYSQL_PWD", self.password)
            .stdin(Stdio::null())
            .process_group(0)
            .output()
            .map_err(|error| format!("running the client `mariadb`: {error}"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let answer = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(format!("{sql}\n{answer}").into())
    }

    /// All rows of the tables whose names start with `prefix`.
    pub(crate) fn count_rows(&self, prefix: &str) -> Result<TableCounts, Failure> {
        let tables = self.run(&format!("SHOW TABLES LIKE '{prefix}%'"))?;
        let mut counts = TableCounts::default();
        for table in tables.lines() {
            let count = self.run(&format!("SELECT COUNT(*) FROM `{table}`"))?;
            counts.rows += count.trim().parse::<u64>().unwrap_or(0);
            counts.tables.push(table.to_owned());
        }
        Ok(counts)
    }
}

/// What one server holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableCounts {
    pub(crate) tables: Vec<String>,
    pub(crate) rows: u64,
}

/// An error that says what to install where the client is missing.
pub(crate) fn require_installed() -> Result<(), Failure> {
    Command::new("mariadb")
        .arg("--version")
        .output()
        .map(drop)
        .map_err(|_| "`mariadb` is not installed; install the Debian package mariadb-client".into())
}
