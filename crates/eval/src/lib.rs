//! Values with MySQL's semantics: comparison, collations, exact decimals, and the evaluator of
//! expressions.
//!
//! **Invariant:** does not know where rows come from; no I/O.

pub mod collation;
mod column_type;
mod decimal;
mod double;
pub mod expression;
mod scalar;
mod temporal;
mod value;

pub use column_type::{ColumnType, type_code};
pub use decimal::Decimal;
pub use double::write_double;
pub use scalar::{Scalar, ScalarKind, compare_padded};
pub use value::Value;
