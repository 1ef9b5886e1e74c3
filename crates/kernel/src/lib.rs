//! The vocabulary and the pure stages: bind, route, rewrite, merge.
//!
//! Start with [`plan::Plan`]: what is known of a statement before its values are. The server makes
//! one in `bind`, routes its values, writes the text for each
//! route unit with a [`plan::Template`], and merges the rows with [`merge`].
//!
//! **Invariant:** no sockets, clock, files or randomness; no packets; no concrete feature.

pub mod bind;
pub mod computed;
pub mod config;
pub mod error;
pub mod feature;
pub mod gather;
pub mod keys;
pub mod load;
pub mod merge;
pub mod model;
pub mod plan;
pub mod predicate;
pub mod replicas;
mod rewrite;
pub mod route;
pub mod snapshot;
pub mod values;
