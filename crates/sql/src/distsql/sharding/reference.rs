//! Statements about reference (binding) groups.

use crate::ast::{DistSql, ReferenceDefinition};
use crate::distsql::Parsed;
use crate::distsql::clause::{
    from_database, if_exists, if_not_exists, in_parentheses, list, name, names,
};
use crate::{ParseError, TokenKind, TokenStream};

pub(in crate::distsql) fn create(stream: &mut TokenStream<'_>) -> Parsed {
    let if_not_exists = if_not_exists(stream);
    let rules = list(stream, group)?;
    Ok(DistSql::CreateShardingTableReferenceRule { if_not_exists, rules })
}

pub(in crate::distsql) fn alter(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::AlterShardingTableReferenceRule { rules: list(stream, group)? })
}

pub(in crate::distsql) fn drop(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    Ok(DistSql::DropShardingTableReferenceRule { if_exists, names: names(stream)? })
}

pub(in crate::distsql) fn show_all(stream: &mut TokenStream<'_>) -> Parsed {
    let database = from_database(stream)?;
    Ok(DistSql::ShowShardingTableReferenceRules { name: None, database })
}

pub(in crate::distsql) fn show_one(stream: &mut TokenStream<'_>) -> Parsed {
    let name = Some(name(stream)?);
    Ok(DistSql::ShowShardingTableReferenceRules { name, database: from_database(stream)? })
}

/// `n (a, b)` or `(a, b)`.
fn group(stream: &mut TokenStream<'_>) -> Result<ReferenceDefinition, ParseError> {
    let name = if stream.at(TokenKind::LeftParen) { None } else { Some(name(stream)?) };
    Ok(ReferenceDefinition { name, tables: in_parentheses(stream, names)? })
}
