//! SQL text → what it says: lexer, fingerprint, digest, and a parser whose tree leads back to the
//! text by byte spans. MySQL's dialect and DistSQL share the lexer.
//!
//! **Invariant:** knows nothing of rules, packets or I/O; same text and mode, same answer. No input
//! makes it panic, loop, or recurse without limit.

pub mod ast;
pub mod distsql;
mod error;
pub mod fingerprint;
mod keyword;
mod lexer;
mod mode;
pub mod quoting;
pub mod row_expression;
mod span;
mod token;
mod token_stream;
mod version;

pub use error::{ParseError, ParseReason};
pub use keyword::Keyword;
pub use lexer::Lexer;
pub use mode::SqlMode;
pub use span::Span;
pub use token::{LexError, Token, TokenKind};
pub use token_stream::TokenStream;
pub use version::ServerVersion;

/// How many levels of parentheses, sub-queries, function calls and the like a statement may have.
pub const MAX_DEPTH: u32 = 200;
