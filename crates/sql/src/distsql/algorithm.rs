//! `TYPE(NAME=.., PROPERTIES(..))`.

use super::clause::{equal_value, in_parentheses, list, name, string, value};
use crate::ast::{AlgorithmDefinition, Properties};
use crate::{ParseError, TokenKind, TokenStream};

/// Reads an algorithm.
pub(super) fn algorithm(stream: &mut TokenStream<'_>) -> Result<AlgorithmDefinition, ParseError> {
    stream.expect_word("TYPE")?;
    algorithm_behind_type(stream)
}

/// Reads `(NAME=.., PROPERTIES(..))`.
pub(super) fn algorithm_behind_type(
    stream: &mut TokenStream<'_>,
) -> Result<AlgorithmDefinition, ParseError> {
    in_parentheses(stream, |stream| {
        stream.expect_word("NAME")?;
        let name = equal_value(stream)?;
        let mut properties = Properties::new();
        if stream.eat(TokenKind::Comma) {
            stream.expect_word("PROPERTIES")?;
            properties = properties_behind_word(stream)?;
        }
        Ok(AlgorithmDefinition { name, properties })
    })
}

/// Reads `('key'=value, ..)`; of a key given twice the last value counts.
pub(super) fn properties_behind_word(
    stream: &mut TokenStream<'_>,
) -> Result<Properties, ParseError> {
    in_parentheses(stream, |stream| {
        if stream.at(TokenKind::RightParen) {
            return Ok(Properties::new());
        }
        let pairs = list(stream, |stream| {
            let key = if stream.at(TokenKind::String) { string(stream)? } else { name(stream)? };
            stream.expect(TokenKind::Equal)?;
            Ok((key, value(stream)?))
        })?;
        Ok(pairs.into_iter().collect())
    })
}
