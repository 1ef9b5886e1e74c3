//! What happens when something breaks: storage units, clients, the proxy itself. Every test ends
//! with the proxy alive and nothing left behind: connections and sessions are counted.

#[path = "faults/hostile.rs"]
mod hostile;
#[path = "faults/process.rs"]
mod process;
#[path = "faults/setting.rs"]
mod setting;
#[path = "faults/units.rs"]
mod units;
