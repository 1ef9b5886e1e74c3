//! The evaluator beside the servers: every expression of `evaluator/expressions.txt`, and generated
//! ones, evaluated and asked for. The texts, the types and the errors must be the same.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

#[path = "evaluator/asked.rs"]
mod asked;
#[path = "evaluator/generated.rs"]
mod generated;
#[path = "evaluator/table.rs"]
mod table;

use std::net::SocketAddr;

use asked::{Comparison, Tally};
use eval::expression::Flavour;
use generated::Writer;
use testkit::{ServerOptions, start_mariadb, start_mysql};

/// Generated expressions of a run, and the seed where `ANABRANCH_SEED` names none.
const GENERATED: usize = 6000;
const DEFAULT_SEED: u64 = 20_260_101;

fn seed() -> u64 {
    std::env::var("ANABRANCH_SEED")
        .map_or(DEFAULT_SEED, |text| text.parse().expect("ANABRANCH_SEED is a number"))
}

fn count() -> usize {
    std::env::var("ANABRANCH_EXPRESSIONS")
        .map_or(GENERATED, |text| text.parse().expect("ANABRANCH_EXPRESSIONS is a number"))
}

fn options() -> ServerOptions {
    ServerOptions { databases: vec!["cases".to_owned()], ..ServerOptions::default() }
}

/// The hand-picked expressions: one a line; `#` begins a remark.
fn picked() -> Vec<String> {
    include_str!("evaluator/expressions.txt")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn written() -> Vec<String> {
    let mut writer = Writer::new(seed());
    (0..count()).map(|_| writer.expression()).collect()
}

async fn compare_all(comparison: &mut Comparison, texts: &[String]) -> Tally {
    let mut tally = Tally::default();
    for text in texts {
        comparison.compare(text, &mut tally).await;
    }
    tally
}

/// The hand-picked ones in each collation, the generated ones in the first.
async fn compare_with(address: SocketAddr, flavour: Flavour, collations: &[&str]) {
    for (number, collation) in collations.iter().enumerate() {
        let mut comparison = Comparison::begin(address, flavour, collation).await;
        let what = format!("hand-picked, {flavour:?}, {collation}");
        compare_all(&mut comparison, &picked()).await.check(&what, 5);
        let share = if number == 0 { 1 } else { 4 };
        let generated = &written()[..count() / share];
        let what = format!("generated, {flavour:?}, {collation}");
        compare_all(&mut comparison, generated).await.check(&what, 25);
    }
}

#[tokio::test]
async fn mariadb_gives_the_same() {
    let server = start_mariadb(&options());
    let collations = ["utf8mb4_general_ci", "utf8mb4_unicode_ci"];
    compare_with(server.address(), Flavour::MariaDb, &collations).await;
}

#[tokio::test]
async fn mysql_gives_the_same() {
    let Some(server) = start_mysql(&options()) else { return };
    let collations = ["utf8mb4_0900_ai_ci", "utf8mb4_general_ci"];
    compare_with(server.address(), Flavour::MySql, &collations).await;
}
