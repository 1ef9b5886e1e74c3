//! Which crate may import which: the compiler forbids cycles, this forbids the rest.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// For each crate those it may import. A new edge is a decision: write an ADR and change this.
const ALLOWED: &[(&str, &[&str])] = &[
    ("protocol", &[]),
    ("sql", &[]),
    ("eval", &["sql"]),
    ("kernel", &["sql", "eval"]),
    ("telemetry", &["sql", "eval", "kernel"]),
    ("feature-broadcast", &["sql", "eval", "kernel"]),
    ("feature-readwrite-splitting", &["sql", "eval", "kernel"]),
    ("feature-sharding", &["sql", "eval", "kernel"]),
    ("storage", &["protocol", "sql", "eval", "kernel", "telemetry"]),
    ("governance", &["sql", "eval", "kernel", "telemetry"]),
    ("admin", &["sql", "eval", "kernel", "storage", "governance", "telemetry"]),
    (
        "server",
        &["protocol", "sql", "eval", "kernel", "storage", "governance", "telemetry", "admin"],
    ),
    (
        "anabranch",
        &[
            "protocol",
            "sql",
            "eval",
            "kernel",
            "feature-broadcast",
            "feature-readwrite-splitting",
            "feature-sharding",
            "storage",
            "governance",
            "telemetry",
            "admin",
            "server",
            "sandbox",
        ],
    ),
    // Private servers for the demo and the tests; knows nothing of the proxy.
    ("sandbox", &[]),
    // For tests alone; talks to the proxy as a client does.
    ("testkit", &["sandbox"]),
];

/// The pure rooms: no runtime, no sockets, no clock, no randomness come in through these.
const PURE: &[&str] = &[
    "protocol",
    "sql",
    "eval",
    "kernel",
    "feature-broadcast",
    "feature-readwrite-splitting",
    "feature-sharding",
];
const IMPURE_LIBRARIES: &[&str] =
    &["tokio", "mio", "socket2", "rand", "redb", "tracing", "rustls", "tokio-rustls", "libc"];

/// A dependency as `cargo metadata` tells it.
struct Edge {
    to: String,
    is_for_tests: bool,
    is_ours: bool,
}

fn edges() -> BTreeMap<String, Vec<Edge>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let edge = |dependency: &serde_json::Value| Edge {
        to: dependency["name"].as_str().unwrap().to_owned(),
        is_for_tests: dependency["kind"] == "dev",
        is_ours: !dependency["path"].is_null(),
    };
    let package = |package: &serde_json::Value| {
        let name = package["name"].as_str().unwrap().to_owned();
        (name, package["dependencies"].as_array().unwrap().iter().map(edge).collect())
    };
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

fn allowed(name: &str) -> &'static [&'static str] {
    let row = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name);
    row.unwrap_or_else(|| panic!("crate {name} is not in the table of allowed imports")).1
}

#[test]
fn imports_run_one_way() {
    let mut wrong = Vec::new();
    for (name, edges) in edges() {
        let allowed = allowed(&name);
        for edge in edges.iter().filter(|edge| edge.is_ours) {
            let is_test_kit = edge.is_for_tests && edge.to == "testkit" && name != "sandbox";
            if !is_test_kit && !allowed.contains(&edge.to.as_str()) {
                wrong.push(format!("{name} must not import {}", edge.to));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_binary_names_features() {
    for (name, edges) in edges() {
        let features = edges.iter().filter(|edge| edge.to.starts_with("feature-"));
        if name != "anabranch" {
            assert_eq!(features.count(), 0, "{name} imports a feature");
        }
    }
}

#[test]
fn pure_rooms_have_no_way_out() {
    for (name, edges) in edges() {
        if !PURE.contains(&name.as_str()) {
            continue;
        }
        for edge in edges.iter().filter(|edge| !edge.is_for_tests) {
            assert!(!IMPURE_LIBRARIES.contains(&edge.to.as_str()), "{name} imports {}", edge.to);
        }
    }
}
