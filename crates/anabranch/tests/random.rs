//! Random statements through the proxy over four storage units and on one MariaDB with all the
//! data: the same answer, or a refusal that says why.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

#[path = "random/setting.rs"]
mod setting;

use std::time::{Duration, Instant};

use setting::Setting;
use testkit::{Class, Generator, RandomReport, run_random};

/// Seeds of the bounded run; `ANABRANCH_SEED` names another one.
const SEEDS: [u64; 3] = [1, 20_260_101, 987_654_321];
const STATEMENTS: usize = 700;
/// So many are enough to see what is wrong.
const MOST_DIFFERENCES: usize = 12;
/// Of every hundred SELECTs of one table fewer than this are refused.
const MOST_REFUSED: f64 = 0.05;

fn asked_seed() -> Option<u64> {
    let text = std::env::var("ANABRANCH_SEED").ok()?;
    Some(text.parse().expect("ANABRANCH_SEED is a number"))
}

async fn run(setting: &Setting, seed: u64) -> RandomReport {
    let mut generator = Generator::new(seed);
    setting.fill(&mut generator).await;
    let report =
        run_random(&mut setting.pair(), &mut generator, STATEMENTS, MOST_DIFFERENCES).await;
    println!("ANABRANCH_SEED={seed}\n{report}");
    report
}

fn check(report: &RandomReport, seed: u64) {
    assert!(report.differences.is_empty(), "ANABRANCH_SEED={seed}\n{report}");
    let share = report.refusal_share(Class::Plain);
    assert!(share < MOST_REFUSED, "ANABRANCH_SEED={seed}: {share} of plain SELECTs\n{report}");
}

#[tokio::test]
async fn answers_are_those_of_one_server() {
    let setting = Setting::start().await;
    let seeds = asked_seed().map_or(SEEDS.to_vec(), |seed| vec![seed]);
    let mut reports = Vec::new();
    for seed in seeds {
        reports.push((run(&setting, seed).await, seed));
    }
    reports.iter().for_each(|(report, seed)| check(report, *seed));
}

/// `just fuzz-oracle`: new seeds for as many minutes as `ANABRANCH_FUZZ_MINUTES` says.
#[tokio::test]
#[ignore = "runs as long as it is asked to"]
async fn answers_are_those_of_one_server_for_long() {
    let minutes = std::env::var("ANABRANCH_FUZZ_MINUTES").map_or(10, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let setting = Setting::start().await;
    let mut seed = asked_seed().unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |now| now.as_secs())
    });
    let (first, mut total) = (seed, RandomReport::default());
    while Instant::now() < end && total.differences.is_empty() {
        total.add(run(&setting, seed).await);
        seed += 1;
    }
    println!("Seeds {first} to {}, together:\n{total}", seed - 1);
    check(&total, seed - 1);
}
