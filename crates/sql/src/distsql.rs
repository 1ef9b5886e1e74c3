//! The DistSQL parser: the union of the dialects of ShardingSphere 5.2, 5.3 and 5.5.
//!
//! Names are any word, quoted or not; strings have either quote whatever the SQL mode; one `;` may
//! end a statement.

mod administration;
mod algorithm;
mod broadcast;
mod clause;
pub mod jdbc_url;
mod phrase;
mod readwrite_splitting;
mod sharding;
mod single_table;
mod storage_unit;
#[cfg(test)]
mod tests;

use crate::ast::DistSql;
use crate::{ParseError, ServerVersion, SqlMode, TokenKind, TokenStream};

/// What a reader of one statement gives; it starts behind the leading words.
type Parsed = Result<DistSql, ParseError>;

/// Reads a DistSQL statement; None when its leading words are those of no DistSQL statement.
pub fn parse(text: &[u8], mode: SqlMode) -> Option<Result<DistSql, ParseError>> {
    let mode = SqlMode { ansi_quotes: false, ..mode };
    let mut stream = TokenStream::new(text, mode, ServerVersion::Any);
    let (words, meaning) = phrase::find(&stream)?;
    let phrase::Meaning::Read(read) = meaning else {
        return match meaning {
            phrase::Meaning::Refused => Some(Ok(DistSql::Unsupported { words: words.to_owned() })),
            _ => None,
        };
    };
    for _ in words.split(' ') {
        stream.advance();
    }
    Some(read(&mut stream).and_then(|statement| {
        stream.eat(TokenKind::Semicolon);
        stream.expect(TokenKind::End)?;
        Ok(statement)
    }))
}
