//! A plan made from one text serves every text of its fingerprint.

#![allow(clippy::unwrap_used, reason = "a broken expectation is a failed test")]

#[path = "golden/fixture.rs"]
#[allow(dead_code)]
mod fixture;

use fixture::Fixture;
use kernel::bind::{BindContext, plan};
use kernel::plan::{Plan, Text};
use kernel::values::TextValues;
use sql::SqlMode;
use sql::fingerprint::{Fingerprint, same_text};

fn scan(text: &str) -> Fingerprint {
    let mut fingerprint = Fingerprint::default();
    fingerprint.scan(text.as_bytes(), SqlMode::default());
    assert!(fingerprint.is_cacheable, "{text}");
    fingerprint
}

fn planned(fixture: &Fixture, text: &str) -> Plan {
    let statement = sql::parse(text.as_bytes(), SqlMode::default()).unwrap();
    let context = BindContext {
        database: Some(&fixture.snapshot.databases["shop"]),
        is_in_system_database: false,
        snapshot: &fixture.snapshot,
        sql_mode: SqlMode::default(),
        temporary_tables: &[],
    };
    plan(text.as_bytes(), &statement, &scan(text).literals, &context).unwrap()
}

/// What is sent for `text` by this plan.
fn sent(plan: &Plan, text: &str) -> Vec<String> {
    let literals = scan(text).literals;
    let mode = SqlMode::default();
    let values = TextValues { text: text.as_bytes(), literals: &literals, mode, is_utf8: true };
    let units = plan.route(&values).unwrap();
    let template = match units.as_slice() {
        [_] => &plan.single,
        _ => &plan.multi.as_ref().unwrap().template,
    };
    let render = |unit| {
        let mut out = Vec::new();
        let text = Text { bytes: text.as_bytes(), literals: &literals, values: &values };
        template.render(text, unit, &mut out);
        String::from_utf8(out).unwrap()
    };
    units.iter().map(render).collect()
}

#[test]
fn other_literals_are_spliced_at_their_own_places() {
    let fixture = Fixture::new();
    for (first, second) in [
        ("SELECT c FROM sbtest1 WHERE id=1", "SELECT c FROM sbtest1 WHERE id=123456"),
        (
            "SELECT /* a */ c FROM sbtest1 WHERE c = 'x' AND id = 1 AND sbtest1.k = 5 LIMIT 2, 3",
            "SELECT /* longer */ c FROM sbtest1 WHERE c = '' AND id = 77 AND sbtest1.k = 512 LIMIT 0, 33333",
        ),
        (
            "SELECT c FROM sbtest1 WHERE c > 'abc' ORDER BY c LIMIT 2, 3",
            "SELECT c FROM sbtest1 WHERE c > 'it''s longer' ORDER BY c LIMIT 1000, 30",
        ),
        (
            "INSERT INTO sbtest1 (id, c) VALUES (1, 'a'), (2, 'b'), (3, 'c') ON DUPLICATE KEY UPDATE k = 1",
            "INSERT INTO sbtest1 (id, c) VALUES (9, '(x), ('), (10, ''), (13, '...') ON DUPLICATE KEY UPDATE k = 100",
        ),
        (
            "DELETE FROM sbtest1 WHERE sbtest1.id IN (1, 2) AND sbtest1.c = 'x'",
            "DELETE FROM sbtest1 WHERE sbtest1.id IN (100, 200) AND sbtest1.c = 'xyz'",
        ),
        (
            "UPDATE shop.sbtest1 SET k = 1, shop.sbtest1.c = 'a' WHERE id = 5",
            "UPDATE shop.sbtest1 SET k = 11, shop.sbtest1.c = 'bb' WHERE id = 6",
        ),
    ] {
        let (a, b) = (scan(first), scan(second));
        assert!(
            same_text(first.as_bytes(), &a.literals, second.as_bytes(), &b.literals),
            "{first}"
        );
        let reused = planned(&fixture, first);
        assert_eq!(sent(&reused, second), sent(&planned(&fixture, second), second), "{second}");
        assert_eq!(sent(&reused, first), sent(&planned(&fixture, first), first), "{first}");
    }
}

#[test]
fn limits_must_be_whole_numbers() {
    let fixture = Fixture::new();
    let text = "SELECT c FROM sbtest1 LIMIT ?, ?";
    let statement = sql::parse(text.as_bytes(), SqlMode::default()).unwrap();
    let context = BindContext {
        database: Some(&fixture.snapshot.databases["shop"]),
        is_in_system_database: false,
        snapshot: &fixture.snapshot,
        sql_mode: SqlMode::default(),
        temporary_tables: &[],
    };
    let plan = plan(text.as_bytes(), &statement, &[], &context).unwrap();
    let route = |params: &[eval::Value<'_>]| {
        plan.route(&kernel::values::ParamValues { params, is_utf8: true })
            .map(|units| units.len())
            .map_err(|error| error.code)
    };
    use eval::Value;
    assert_eq!(route(&[Value::Int(1), Value::Bytes(b"5".as_slice().into())]), Ok(4));
    assert_eq!(route(&[Value::Int(-1), Value::Int(1)]), Err(1210));
    assert_eq!(route(&[Value::Int(1), Value::Null]), Err(1210));
}
