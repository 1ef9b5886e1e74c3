//! How long a fingerprint and the comparison of a hit take, in nanoseconds.
//!
//! `cargo run --release -p sql --example scan_speed [ROUNDS]`; with ROUNDS one batch of so many.

use std::hint::black_box;
use std::time::Instant;

use sql::SqlMode;
use sql::fingerprint::{Fingerprint, same_text};

const ROUNDS: u32 = 200_000;
const BATCHES: u32 = 15;

/// Rounds and batches.
fn effort() -> (u32, u32) {
    let given = std::env::args().nth(1).and_then(|text| text.parse().ok());
    given.map_or((ROUNDS, BATCHES), |rounds| (rounds, 1))
}

fn main() {
    let filler = "12345678901-".repeat(10);
    let pad = "1234567890-".repeat(5);
    let insert = format!(
        "INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, 4993, '{}', '{}')",
        &filler[..119],
        &pad[..54]
    );
    let texts = [
        ("point select", "SELECT c FROM sbtest1 WHERE id=5031".to_owned()),
        (
            "range select",
            "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 50 AND 149 ORDER BY c".to_owned(),
        ),
        ("update", "UPDATE sbtest1 SET k=k+1 WHERE id=5031".to_owned()),
        ("insert", insert),
        ("begin", "BEGIN".to_owned()),
    ];
    for (name, text) in texts {
        let bytes = text.as_bytes();
        let mut plan = Fingerprint::default();
        plan.scan(bytes, SqlMode::default());
        assert!(plan.is_cacheable, "{name} must be cacheable");
        let mut fingerprint = Fingerprint::default();
        let scan = best_of(|| {
            fingerprint.scan(black_box(bytes), SqlMode::default());
            black_box(fingerprint.hash);
        });
        let compare = best_of(|| {
            black_box(same_text(bytes, &plan.literals, black_box(bytes), &fingerprint.literals));
        });
        println!("{name:13} {:4} bytes: scan {scan:6.1} ns, compare {compare:6.1} ns", bytes.len());
    }
}

/// Nanoseconds a call, in the best batch: what the machine's noise hides least.
fn best_of(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    let (rounds, batches) = effort();
    for _ in 0..batches {
        let start = Instant::now();
        for _ in 0..rounds {
            call();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(rounds));
    }
    best
}
