//! What happens when something breaks: storage units, clients, the proxy itself. Every test ends
//! with the proxy alive and nothing left behind: connections and sessions are counted.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

#[path = "faults/hostile.rs"]
mod hostile;
#[path = "faults/process.rs"]
mod process;
#[path = "faults/setting.rs"]
mod setting;
#[path = "faults/units.rs"]
mod units;
