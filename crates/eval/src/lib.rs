//! Values with MySQL's semantics: comparison, collations, exact decimals, aggregates; later the
//! expression evaluator and row operators.
//!
//! **Invariant:** does not know where rows come from; no I/O.

mod value;

pub use value::Value;
