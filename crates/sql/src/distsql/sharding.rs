//! Statements about sharded tables.

pub(super) mod default_strategy;
pub(super) mod named_algorithm;
pub(super) mod reference;
mod table_rule;

use super::Parsed;
use super::clause::{from_database, if_exists, if_not_exists, list, name, names};
use crate::ast::{AlgorithmRole, DistSql};
use crate::{Keyword, TokenKind, TokenStream};

pub(super) fn create(stream: &mut TokenStream<'_>) -> Parsed {
    let if_not_exists = if_not_exists(stream);
    let rules = list(stream, table_rule::table_rule)?;
    Ok(DistSql::CreateShardingTableRule { if_not_exists, rules })
}

pub(super) fn alter(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::AlterShardingTableRule { rules: list(stream, table_rule::table_rule)? })
}

pub(super) fn drop(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    Ok(DistSql::DropShardingTableRule { if_exists, tables: names(stream)? })
}

pub(super) fn show_rules(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowShardingTableRules { table: None, database: from_database(stream)? })
}

pub(super) fn show_rule(stream: &mut TokenStream<'_>) -> Parsed {
    let table = Some(name(stream)?);
    Ok(DistSql::ShowShardingTableRules { table, database: from_database(stream)? })
}

pub(super) fn show_nodes(stream: &mut TokenStream<'_>) -> Parsed {
    let has_table = !stream.at_keyword(Keyword::From)
        && !matches!(stream.kind(), TokenKind::End | TokenKind::Semicolon);
    let table = if has_table { Some(name(stream)?) } else { None };
    Ok(DistSql::ShowShardingTableNodes { table, database: from_database(stream)? })
}

pub(super) fn show_rules_used(stream: &mut TokenStream<'_>) -> Parsed {
    let role = if stream.eat_word("ALGORITHM") {
        AlgorithmRole::Sharding
    } else if stream.eat_word("AUDITOR") {
        AlgorithmRole::Auditor
    } else {
        stream.expect_word("KEY")?;
        stream.expect_word("GENERATOR")?;
        AlgorithmRole::KeyGenerator
    };
    let name = name(stream)?;
    let database = from_database(stream)?;
    Ok(DistSql::ShowShardingTableRulesUsed { role, name, database })
}

pub(super) fn count(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::CountShardingRule { database: from_database(stream)? })
}
