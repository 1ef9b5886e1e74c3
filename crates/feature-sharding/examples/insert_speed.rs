//! What a row of a long INSERT costs: parse, bind, route and rewrite of a statement that misses the
//! plan cache, over four nodes.
//!
//! `cargo run --release -p feature-sharding --example insert_speed [ROUNDS]`; a round is one statement
//! of 500 rows.

#[path = "../tests/golden/fixture.rs"]
#[allow(dead_code)]
mod fixture;

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use fixture::Fixture;
use kernel::bind::{BindContext, plan};
use kernel::plan::Text;
use kernel::values::TextValues;
use sql::SqlMode;

const ROWS: usize = 500;
const ROUNDS: u32 = 200;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    let fixture = Fixture::new();
    let text = statement();
    let mut out = Vec::with_capacity(text.len());
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        run(&fixture, black_box(text.as_bytes()), &mut out);
        best = best.min(start.elapsed().as_secs_f64() * 1e9);
    }
    println!("{:.0} ns a row", best / ROWS as f64);
}

/// The form of sysbench's loader.
fn statement() -> String {
    let mut text = String::from("INSERT INTO sbtest1(id, k, c, pad) VALUES");
    for row in 0..ROWS {
        let separator = if row == 0 { "" } else { ", " };
        let (id, k) = (row + 1, row * 7919 % 50_000);
        let (c, pad) = ("68487932199-96439406143-".repeat(5), "67847967377-48000963322".repeat(2));
        let _ = write!(text, "{separator}({id}, {k}, '{c}', '{pad}')");
    }
    text
}

fn run(fixture: &Fixture, text: &[u8], out: &mut Vec<u8>) {
    let mode = SqlMode::default();
    let statement = sql::parse(text, mode).expect("the text is a statement");
    let context = BindContext {
        database: fixture.snapshot.databases.get("shop").map(|database| &**database),
        is_in_system_database: false,
        snapshot: &fixture.snapshot,
        sql_mode: mode,
        temporary_tables: &[],
    };
    let plan = plan(text, &statement, &[], &context).expect("the table exists");
    let values = TextValues { text, literals: &[], mode, is_utf8: true };
    let units = plan.route(&values).expect("every row has a place");
    let multi = plan.multi.as_ref().expect("an INSERT can be split");
    for unit in &units {
        out.clear();
        multi.template.render(Text { bytes: text, literals: &[], values: &values }, unit, out);
        black_box(&out);
    }
}
