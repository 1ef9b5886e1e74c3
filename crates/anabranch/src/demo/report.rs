//! The table at the end.

use comfy_table::{CellAlignment, Table, presets};

use super::client::TableCounts;
use super::sysbench::SysbenchFigures;
use crate::cli::DemoArguments;

/// All that was measured.
pub(crate) struct Report {
    /// Through the proxy.
    pub(crate) figures: SysbenchFigures,
    /// On one server alone.
    pub(crate) direct: SysbenchFigures,
    /// Where the rows are.
    pub(crate) rows: Vec<(&'static str, TableCounts)>,
}

impl Report {
    /// Prints it.
    pub(crate) fn print(&self, arguments: &DemoArguments) {
        println!(
            "\noltp_read_write, {} rows, {} threads, {} s:",
            arguments.table_size, arguments.threads, arguments.time
        );
        println!("{}", figures_table(&self.figures, &self.direct));
        println!("Rows of sbtest1 after the run:");
        println!("{}", rows_table(&self.rows));
        if !self.is_clean(arguments.table_size) {
            eprintln!("There were errors, or rows are missing: see the tables.");
        }
    }

    /// No error anywhere, and every row on some unit. (A transaction of the test deletes a row
    /// and inserts it again, so that the number does not change.)
    pub(crate) fn is_clean(&self, expected_rows: u64) -> bool {
        let rows: u64 = self.rows.iter().map(|(_, counts)| counts.rows).sum();
        let figures = [&self.figures, &self.direct];
        rows == expected_rows
            && figures.iter().all(|figures| figures.errors == 0 && figures.reconnects == 0)
    }
}

fn figures_table(figures: &SysbenchFigures, direct: &SysbenchFigures) -> Table {
    let mut table = table(&["", "TPS", "QPS", "avg ms", "p95 ms", "p99 ms", "errors"]);
    for (name, figures) in [("Anabranch, 4 units", figures), ("MariaDB, direct", direct)] {
        table.add_row([
            name.to_owned(),
            format!("{:.0}", figures.transactions_per_second),
            format!("{:.0}", figures.queries_per_second),
            format!("{:.2}", figures.average_ms),
            format!("{:.2}", figures.p95_ms),
            format!("{:.2}", figures.p99_ms),
            (figures.errors + figures.reconnects).to_string(),
        ]);
    }
    align_right(&mut table, 1..=6);
    table
}

fn rows_table(rows: &[(&'static str, TableCounts)]) -> Table {
    let mut table = table(&["storage unit", "actual tables", "rows"]);
    for (name, counts) in rows {
        table.add_row([(*name).to_owned(), counts.tables.join(" "), counts.rows.to_string()]);
    }
    let total: u64 = rows.iter().map(|(_, counts)| counts.rows).sum();
    table.add_row(["together".to_owned(), String::new(), total.to_string()]);
    align_right(&mut table, 2..=2);
    table
}

/// A table with this header.
pub(super) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    table
}

/// Puts the figures of these columns under one another.
pub(super) fn align_right(table: &mut Table, columns: std::ops::RangeInclusive<usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
