//! Where rules live: the embedded store, the configuration files, users, and the one function that
//! makes the next snapshot current.
//!
//! Start with [`Governance`]: it holds the current [`kernel::snapshot::Snapshot`] and changes it.
//! [`yaml`] reads the configuration folder, [`snapshot_builder`] is the pure part of a change.
//!
//! **Invariant:** no packets and no connections to storage units; what is read of them comes in as
//! [`kernel::snapshot::UnitMetadata`].

mod governance;
pub mod pattern;
pub mod properties;
pub mod sequences;
pub mod single_tables;
pub mod snapshot_builder;
pub mod store;
pub mod unit_config;
pub mod users;
pub mod yaml;

pub use governance::{Draft, Governance, GovernanceError, Opened};
