//! How long a cached plan takes (fingerprint, route, rewrite of a point select and an update), and how
//! long it takes to make one (parse and bind).
//!
//! `cargo run --release -p feature-sharding --example plan_speed [ROUNDS [hit|miss]]`; with ROUNDS one
//! batch of so many, with a word only what a hit or a miss of the plan cache costs.

#[path = "../tests/golden/fixture.rs"]
#[allow(dead_code)]
mod fixture;

use std::hint::black_box;
use std::time::Instant;

use fixture::Fixture;
use kernel::bind::{BindContext, plan};
use kernel::plan::{Plan, Text};
use kernel::values::{ParamValues, TextValues};
use sql::SqlMode;
use sql::fingerprint::Fingerprint;

const BATCHES: u32 = 200;
const ROUNDS: u32 = 2_000;

/// Rounds and batches.
fn effort() -> (u32, u32) {
    let given = std::env::args().nth(1).and_then(|text| text.parse().ok());
    given.map_or((ROUNDS, BATCHES), |rounds| (rounds, 1))
}

/// What a hit of the plan cache costs, what a miss costs, or both.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Hit,
    Miss,
    Both,
}

fn part() -> Part {
    match std::env::args().nth(2).as_deref() {
        Some("hit") => Part::Hit,
        Some("miss") => Part::Miss,
        _ => Part::Both,
    }
}

fn main() {
    let fixture = Fixture::new();
    for text in [
        "SELECT c FROM sbtest1 WHERE id=4711",
        "UPDATE sbtest1 SET k=k+1 WHERE id=4711",
        "SELECT name FROM country WHERE id=4711",
    ] {
        measure(&fixture, text);
    }
}

fn measure(fixture: &Fixture, text: &str) {
    let mode = SqlMode::default();
    let statement = sql::parse(text.as_bytes(), mode).expect("the text is a statement");
    let mut fingerprint = Fingerprint::default();
    fingerprint.scan(text.as_bytes(), mode);
    let context = BindContext {
        database: fixture.snapshot.databases.get("shop").map(|database| &**database),
        is_in_system_database: false,
        snapshot: &fixture.snapshot,
        sql_mode: mode,
        temporary_tables: &[],
    };
    let plan = plan(text.as_bytes(), &statement, &fingerprint.literals, &context)
        .expect("the tables exist");
    println!("{text}");
    let part = part();
    if part != Part::Miss {
        measure_hit(text, mode, &plan, &mut fingerprint);
    }
    if part != Part::Hit {
        report("parse and bind", || {
            let statement = sql::parse(black_box(text.as_bytes()), mode);
            let statement = statement.expect("the text is a statement");
            let literals = &fingerprint.literals;
            let _ = black_box(kernel::bind::plan(text.as_bytes(), &statement, literals, &context));
        });
    }
}

fn measure_hit(text: &str, mode: SqlMode, plan: &Plan, fingerprint: &mut Fingerprint) {
    report("fingerprint", || fingerprint.scan(black_box(text.as_bytes()), mode));
    let mut out = Vec::with_capacity(256);
    let literals = &fingerprint.literals;
    let values = TextValues { text: text.as_bytes(), literals, mode, is_utf8: true };
    report("route", || {
        let _ = black_box(plan.route(black_box(&values)));
    });
    let units = plan.route(&values).expect("the value has a place");
    report("rewrite", || {
        out.clear();
        let text = Text { bytes: text.as_bytes(), literals, values: &values };
        plan.single.render(black_box(text), &units[0], &mut out);
        black_box(&out);
    });
    let params = [eval::Value::Int(4711)];
    let params = ParamValues { params: &params, is_utf8: true };
    report("route of a parameter", || {
        let _ = black_box(plan.route(black_box(&params)));
    });
}

/// The fastest of several batches: what else the machine does only makes it slower.
fn report(what: &str, mut work: impl FnMut()) {
    let mut best = f64::INFINITY;
    let (rounds, batches) = effort();
    for _ in 0..batches {
        let start = Instant::now();
        for _ in 0..rounds {
            work();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(rounds));
    }
    println!("  {what:<22}{best:8.1} ns");
}
