//! Variables, metadata, compute nodes, and PREVIEW.

use super::Parsed;
use super::clause::{equal_name, equal_value, filter, name};
use crate::ast::DistSql;
use crate::quoting::text_at;
use crate::{Keyword, ParseError, ServerVersion, Span, SqlMode, TokenKind, TokenStream};

/// `[db] [FROM GOVERNANCE CENTER]`
pub(super) fn refresh_database(stream: &mut TokenStream<'_>) -> Parsed {
    let database = optional_name(stream)?;
    if stream.eat_keyword(Keyword::From) {
        stream.expect_word("GOVERNANCE")?;
        stream.expect_word("CENTER")?;
    }
    Ok(DistSql::RefreshMetadata { database, table: None })
}

/// `[t] [FROM STORAGE UNIT u [SCHEMA s]]`; reading more units than asked does no harm.
pub(super) fn refresh_table(stream: &mut TokenStream<'_>) -> Parsed {
    let table = optional_name(stream)?;
    if stream.eat_keyword(Keyword::From) {
        if !stream.eat_word("RESOURCE") {
            stream.expect_word("STORAGE")?;
            stream.expect_word("UNIT")?;
        }
        name(stream)?;
        if stream.eat_word("SCHEMA") {
            name(stream)?;
        }
    }
    Ok(DistSql::RefreshMetadata { database: None, table })
}

fn optional_name(stream: &mut TokenStream<'_>) -> Result<Option<String>, ParseError> {
    let is_absent = stream.at_keyword(Keyword::From)
        || matches!(stream.kind(), TokenKind::End | TokenKind::Semicolon);
    if is_absent { Ok(None) } else { name(stream).map(Some) }
}

pub(super) fn set_variable(stream: &mut TokenStream<'_>) -> Parsed {
    let name = name(stream)?;
    Ok(DistSql::SetDistVariable { name, value: equal_value(stream)? })
}

pub(super) fn show_variables(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowDistVariables { name: None, like: filter(stream)?.like })
}

/// `WHERE NAME = x`, before that `x`.
pub(super) fn show_variable(stream: &mut TokenStream<'_>) -> Parsed {
    let name = if stream.eat_keyword(Keyword::Where) {
        stream.expect_word("NAME")?;
        equal_name(stream)?
    } else {
        name(stream)?
    };
    Ok(DistSql::ShowDistVariables { name: Some(name), like: None })
}

/// `PREVIEW sql`.
pub(super) fn preview(stream: &mut TokenStream<'_>) -> Parsed {
    rest(stream, false)
}

/// `EXPLAIN ROUTE sql`: the phrase has the first word of the statement in it, since EXPLAIN of a
/// table `route` is MySQL's.
pub(super) fn explain_route(stream: &mut TokenStream<'_>) -> Parsed {
    let mode = SqlMode::default();
    let mut behind_route = TokenStream::new(stream.text(), mode, ServerVersion::Any);
    behind_route.advance();
    behind_route.advance();
    while !stream.at(TokenKind::End) {
        stream.advance();
    }
    rest(&mut behind_route, true)
}

/// All the rest of the text but a `;` at its end.
fn rest(stream: &mut TokenStream<'_>, with_reason: bool) -> Parsed {
    if matches!(stream.kind(), TokenKind::End | TokenKind::Semicolon) {
        return Err(stream.error());
    }
    let text = stream.text();
    let start = stream.previous_end() as usize;
    let rest = text[start..].trim_ascii();
    let rest = rest.strip_suffix(b";").unwrap_or(rest).trim_ascii_end();
    let start = start + text[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let span = Span::new(start as u32, (start + rest.len()) as u32);
    while !stream.at(TokenKind::End) {
        stream.advance();
    }
    Ok(DistSql::Preview { sql: text_at(text, span), span, with_reason })
}

pub(super) fn show_authority_rule(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowAuthorityRule)
}

pub(super) fn show_compute_nodes(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowComputeNodes { what: "NODES" })
}

pub(super) fn show_compute_node_info(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowComputeNodes { what: "INFO" })
}

pub(super) fn show_compute_node_mode(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowComputeNodes { what: "MODE" })
}
