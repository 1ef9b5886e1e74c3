//! Values with MySQL's semantics: comparison, collations, exact decimals, aggregates; later the
//! expression evaluator and row operators.
//!
//! **Invariant:** does not know where rows come from; no I/O.

pub mod collation;
mod column_type;
mod decimal;
mod double;
mod scalar;
mod temporal;
mod value;

pub use column_type::{ColumnType, type_code};
pub use decimal::Decimal;
pub use double::write_double;
pub use scalar::{Scalar, ScalarKind, compare_padded};
pub use value::Value;
