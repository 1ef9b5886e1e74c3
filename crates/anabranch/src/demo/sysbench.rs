//! sysbench: its command lines and the figures in its output.

use std::path::{Path, PathBuf};
use std::process::Command;

use sandbox::Program;

use super::interrupt::Interrupt;
use crate::Failure;
use crate::cli::DemoArguments;

/// A server as sysbench sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) port: u16,
    pub(crate) user: &'static str,
    pub(crate) password: &'static str,
    pub(crate) database: &'static str,
}

/// sysbench's read/write test against one target.
pub(crate) struct Sysbench {
    options: Vec<String>,
    output: PathBuf,
}

impl Sysbench {
    pub(crate) fn new(target: Target, arguments: &DemoArguments, folder: &Path) -> Self {
        let Target { port, user, password, database } = target;
        let options = vec![
            "--mysql-host=127.0.0.1".to_owned(),
            format!("--mysql-port={port}"),
            format!("--mysql-user={user}"),
            format!("--mysql-password={password}"),
            format!("--mysql-db={database}"),
            "--tables=1".to_owned(),
            format!("--table-size={}", arguments.table_size),
            "--report-interval=5".to_owned(),
            format!("--time={}", arguments.time),
            format!("--threads={}", arguments.threads),
            "--max-requests=0".to_owned(),
            "--percentile=99".to_owned(),
            "--mysql-ignore-errors=all".to_owned(),
            "--range_selects=off".to_owned(),
            "--rand-type=uniform".to_owned(),
            // For the 95th percentile beside the 99th.
            "--histogram=on".to_owned(),
        ];
        Self { options, output: folder.join(format!("sysbench-{port}.log")) }
    }

    /// With a further option.
    pub(crate) fn with_option(mut self, option: &str) -> Self {
        self.options.push(option.to_owned());
        self
    }

    /// The command as one would type it.
    pub(crate) fn command_line(&self, step: &str) -> String {
        format!("sysbench oltp_read_write {} {step}", self.options.join(" "))
    }

    /// Runs one step (`cleanup`, `prepare`, `run`) and returns what it printed.
    pub(crate) fn run(&self, step: &str, interrupt: &Interrupt) -> Result<String, Failure> {
        let mut command = vec!["sysbench".to_owned(), "oltp_read_write".to_owned()];
        command.extend(self.options.iter().cloned());
        command.push(step.to_owned());
        let start = std::fs::metadata(&self.output).map_or(0, |file| file.len()) as usize;
        let program = Program::start(&command, &self.output, None)?;
        let exit = program.wait(|| interrupt.is_set())?;
        interrupt.check()?;
        let text = std::fs::read(&self.output)?;
        let text = String::from_utf8_lossy(text.get(start..).unwrap_or_default()).into_owned();
        if exit.status == 0 && !text.contains("FATAL") {
            return Ok(text);
        }
        Err(format!("sysbench {step} failed with status {}:\n{text}", exit.status).into())
    }
}

/// What a run showed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct SysbenchFigures {
    pub(crate) transactions_per_second: f64,
    pub(crate) queries_per_second: f64,
    pub(crate) average_ms: f64,
    pub(crate) p95_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) errors: u64,
    pub(crate) reconnects: u64,
}

impl SysbenchFigures {
    /// Reads sysbench 1.0's report.
    pub(crate) fn parse(output: &str) -> Option<Self> {
        let after = |label: &str| {
            let rest = output.split(label).nth(1)?;
            Some(rest.lines().next()?.trim().to_owned())
        };
        // `transactions:  1234   (123.40 per sec.)`
        let per_second = |label: &str| {
            let line = after(label)?;
            let (_, rate) = line.split_once('(')?;
            rate.split(' ').next()?.parse().ok()
        };
        let count = |label: &str| after(label)?.split(' ').next()?.parse().ok();
        let histogram = parse_histogram(output);
        Some(Self {
            transactions_per_second: per_second("transactions:")?,
            queries_per_second: per_second("queries:")?,
            average_ms: after("avg:")?.parse().ok()?,
            p95_ms: percentile(&histogram, 95)?,
            p99_ms: after("99th percentile:")?.parse().ok()?,
            errors: count("ignored errors:")?,
            reconnects: count("reconnects:")?,
        })
    }
}

/// Lines such as `   1.234 |*********      56`.
fn parse_histogram(output: &str) -> Vec<(f64, u64)> {
    let line = |line: &str| {
        let (value, rest) = line.split_once('|')?;
        let count = rest.trim_start_matches('*').trim();
        Some((value.trim().parse().ok()?, count.parse().ok()?))
    };
    output.lines().filter_map(line).collect()
}

fn percentile(histogram: &[(f64, u64)], percent: u64) -> Option<f64> {
    let total: u64 = histogram.iter().map(|(_, count)| count).sum();
    let mut seen = 0;
    histogram.iter().find_map(|(value, count)| {
        seen += count;
        (seen * 100 >= total * percent).then_some(*value)
    })
}

/// An error that says what to install where sysbench is missing.
pub(crate) fn require_installed() -> Result<(), Failure> {
    Command::new("sysbench")
        .arg("--version")
        .output()
        .map(drop)
        .map_err(|_| "`sysbench` is not installed; install the Debian package sysbench".into())
}

#[cfg(test)]
mod tests;
