//! Storage units: connections, pools, health, statements of our own, TLS.
//!
//! **Invariant:** knows no rule and no client.

pub mod class;
pub mod command;
pub mod connect;
pub mod connection;
pub mod error;
pub mod pool;
pub mod probe;
pub mod replication;
pub mod settings;
pub mod statements;
pub mod stream;
mod tls;
