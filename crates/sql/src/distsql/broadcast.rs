//! Statements about broadcast tables.

use super::Parsed;
use super::clause::{from_database, if_exists, if_not_exists, in_parentheses, names};
use crate::ast::DistSql;
use crate::{ParseError, TokenKind, TokenStream};

pub(super) fn create(stream: &mut TokenStream<'_>) -> Parsed {
    let if_not_exists = if_not_exists(stream);
    Ok(DistSql::CreateBroadcastTableRule { if_not_exists, tables: tables(stream)? })
}

pub(super) fn alter(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::AlterBroadcastTableRule { tables: tables(stream)? })
}

pub(super) fn drop(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    Ok(DistSql::DropBroadcastTableRule { if_exists, tables: tables(stream)? })
}

/// Without tables it drops all of them.
pub(super) fn drop_older(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    let is_all = matches!(stream.kind(), TokenKind::End | TokenKind::Semicolon);
    let tables = if is_all { Vec::new() } else { tables(stream)? };
    Ok(DistSql::DropBroadcastTableRule { if_exists, tables })
}

/// `a, b` or `(a, b)`.
fn tables(stream: &mut TokenStream<'_>) -> Result<Vec<String>, ParseError> {
    if stream.at(TokenKind::LeftParen) { in_parentheses(stream, names) } else { names(stream) }
}

pub(super) fn show(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowBroadcastTableRules { database: from_database(stream)? })
}

pub(super) fn count(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::CountBroadcastRule { database: from_database(stream)? })
}
