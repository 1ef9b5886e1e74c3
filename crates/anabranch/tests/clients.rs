//! The promises of the protocol, of prepared statements and of session state, on MariaDB and on
//! MySQL as storage units: what users of such proxies have reported as broken, report by report.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails where it panics")]
#![allow(unreachable_pub, reason = "the modules of one test program")]

#[path = "clients/generated_keys.rs"]
mod generated_keys;
#[path = "clients/own_servers.rs"]
mod own_servers;
#[path = "clients/packets.rs"]
mod packets;
#[path = "clients/prepared.rs"]
mod prepared;
#[path = "clients/programs.rs"]
mod programs;
#[path = "clients/session.rs"]
mod session;
#[path = "clients/session_values.rs"]
mod session_values;
#[path = "clients/setting.rs"]
mod setting;
#[path = "clients/show.rs"]
mod show;
#[path = "clients/verified_units.rs"]
mod verified_units;
#[path = "clients/wire.rs"]
mod wire;
#[path = "clients/without_units.rs"]
mod without_units;
