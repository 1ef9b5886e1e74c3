//! Pools of backend connections: one a worker and unit, under one limit a unit.
//!
//! A worker's idle connections are its own, so that taking and giving back costs no lock. Only when
//! the unit's limit is reached do workers meet: a waiter stands in the unit's queue, whoever gives a
//! connection back sees the queue's length (one atomic load) and hands it over; a worker with idle
//! connections is woken to give one up. A plain connection moves by re-registering its socket with
//! the other runtime; nothing is reopened.

mod limit;
mod names;
mod worker_pool;

pub use limit::{PoolLimit, Slot};
pub use worker_pool::{PoolSet, PoolStatus, SharedLimits};
