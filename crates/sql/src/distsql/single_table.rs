//! Statements about tables without a rule.

use super::Parsed;
use super::clause::{equal_name, filter, from_database, list, name, names};
use crate::ast::DistSql;
use crate::{ParseError, TokenKind, TokenStream};

pub(super) fn show_all(stream: &mut TokenStream<'_>) -> Parsed {
    let filter = filter(stream)?;
    Ok(DistSql::ShowSingleTables { like: filter.like, table: None, database: filter.database })
}

pub(super) fn show_one(stream: &mut TokenStream<'_>) -> Parsed {
    let table = Some(name(stream)?);
    Ok(DistSql::ShowSingleTables { like: None, table, database: from_database(stream)? })
}

pub(super) fn load(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::LoadSingleTable { items: list(stream, item)? })
}

/// `*.*`, `unit.*`, `unit.table`, with one more part for databases that have schemas.
fn item(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    let mut item = item_part(stream)?;
    while stream.eat(TokenKind::Dot) {
        item.push('.');
        item.push_str(&item_part(stream)?);
    }
    Ok(item)
}

fn item_part(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    if stream.eat(TokenKind::Star) { Ok("*".to_owned()) } else { name(stream) }
}

pub(super) fn unload(stream: &mut TokenStream<'_>) -> Parsed {
    let tables = if stream.eat(TokenKind::Star) { vec!["*".to_owned()] } else { names(stream)? };
    Ok(DistSql::UnloadSingleTable { tables })
}

pub(super) fn unload_all(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::UnloadSingleTable { tables: vec!["*".to_owned()] })
}

pub(super) fn set_default(stream: &mut TokenStream<'_>) -> Parsed {
    let is_random = stream.peek_kind() == TokenKind::Word;
    let unit = equal_name(stream)?;
    let is_random = is_random && unit.eq_ignore_ascii_case("RANDOM");
    Ok(DistSql::SetDefaultSingleTableStorageUnit { unit: (!is_random).then_some(unit) })
}

pub(super) fn show_default(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowDefaultSingleTableStorageUnit { database: from_database(stream)? })
}

pub(super) fn show_unloaded(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowUnloadedSingleTables { database: from_database(stream)? })
}

pub(super) fn count(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::CountSingleTable { database: from_database(stream)? })
}
