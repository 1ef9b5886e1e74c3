//! SQL text → what it says: lexer, fingerprint, digest, and a parser whose tree leads back to the
//! text by byte spans. MySQL's dialect and DistSQL share the lexer.
//!
//! **Invariant:** knows nothing of rules, packets or I/O; same text and mode, same answer. No input
//! makes it panic, loop, or recurse without limit.

pub mod ast;
pub mod fingerprint;
mod mode;
mod span;

pub use mode::SqlMode;
pub use span::Span;
