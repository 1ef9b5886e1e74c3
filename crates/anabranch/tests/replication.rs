//! Groups of servers that really replicate: what the watcher sees of them, and what clients see.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

#[path = "replication/clients.rs"]
mod clients;
#[path = "replication/own_writes.rs"]
mod own_writes;
#[path = "replication/watched.rs"]
mod watched;
#[path = "replication/watching.rs"]
mod watching;
