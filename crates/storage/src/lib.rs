//! Storage units: connections, pools, health, fan-out execution, row streams, transactions.
//!
//! **Invariant:** knows no rule and no client.

pub mod probe;
