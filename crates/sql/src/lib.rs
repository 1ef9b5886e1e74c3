//! SQL text → what it says: lexer, fingerprint, digest, and a parser whose tree leads back to the
//! text by byte spans. MySQL's dialect and DistSQL share the lexer.
//!
//! **Invariant:** knows nothing of rules, packets or I/O; same text and mode, same answer. No input
//! makes it panic, loop, or recurse without limit.

pub mod ast;
pub mod digest;
pub mod distsql;
mod error;
pub mod fingerprint;
mod hint;
mod keyword;
mod lexer;
mod mode;
mod parser;
pub mod quoting;
pub mod row_expression;
mod span;
mod split;
mod token;
mod token_stream;
mod version;

pub use error::{ParseError, ParseReason};
pub use keyword::Keyword;
pub use lexer::Lexer;
pub use mode::SqlMode;
pub use parser::{parse, parse_for};
pub use span::Span;
pub use split::{SplitStatements, split_statements};
pub use token::{LexError, Token, TokenKind};
pub use token_stream::TokenStream;
pub use version::ServerVersion;

/// How many levels of parentheses, function calls, operands and the like a statement may have; a
/// sub-query counts for three. Reading that many takes less than 1 MiB of stack, without
/// optimisation less than 2 MiB.
pub const MAX_DEPTH: u32 = 200;

/// How tall the tree of a statement may be, chains such as `a + b + ..` included. Chains of AND, OR
/// and UNION are built low, so they may be as long as the text allows.
pub const MAX_HEIGHT: u32 = 500;
