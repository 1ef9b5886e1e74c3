//! What a digest keeps of an optimizer hint.

use super::reader::symbol;
use super::token_list::DigestToken::{Fixed, Name, Verbatim};
use super::token_list::TokenList;
use crate::quoting::{text_at, unquote_identifier};
use crate::{Lexer, ServerVersion, SqlMode, TokenKind};

/// Reads what stands between `/*+` and `*/`.
pub(super) fn read(body: &[u8], mode: SqlMode, tokens: &mut TokenList) {
    let mut lexer = Lexer::new(body, mode, ServerVersion::Any);
    tokens.push(Fixed("/*+"));
    while !tokens.is_full() {
        let token = lexer.next_token();
        let text = token.span.of(body);
        match token.kind {
            TokenKind::End | TokenKind::Error(_) => break,
            TokenKind::Word if is_hint_word(text, lexer) => {
                tokens.push(Verbatim(text_at(body, token.span).to_ascii_uppercase()));
            }
            TokenKind::Word | TokenKind::QuotedIdent => {
                let name = unquote_identifier(text);
                let mut after = lexer;
                let block = after.next_token();
                // A table and its query block are one token when nothing stands between them.
                if block.kind == TokenKind::UserVariable && block.span.start == token.span.end {
                    lexer = after;
                    let block = unquote_identifier(&block.span.of(body)[1..]);
                    tokens.push(Verbatim(format!("`{name}`@`{block}`")));
                } else {
                    tokens.push(Name(name));
                }
            }
            TokenKind::UserVariable => {
                tokens.push(Verbatim(format!("@`{}`", unquote_identifier(&text[1..]))));
            }
            TokenKind::String
            | TokenKind::Integer
            | TokenKind::Decimal
            | TokenKind::Float
            | TokenKind::Hex
            | TokenKind::Bit => tokens.push_value(),
            TokenKind::RightParen => tokens.push_right_parenthesis(),
            kind => tokens.push(Fixed(symbol(kind))),
        }
    }
    tokens.push(Fixed("*/"));
}

/// The name of a hint, or of a strategy.
fn is_hint_word(word: &[u8], mut behind: Lexer<'_>) -> bool {
    const STRATEGIES: [&str; 6] =
        ["DUPSWEEDOUT", "FIRSTMATCH", "LOOSESCAN", "MATERIALIZATION", "INTOEXISTS", "SUBQUERY"];
    behind.next_token().kind == TokenKind::LeftParen
        || STRATEGIES.iter().any(|strategy| word.eq_ignore_ascii_case(strategy.as_bytes()))
}
