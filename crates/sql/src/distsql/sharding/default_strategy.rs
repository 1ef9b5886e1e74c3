//! Statements about the strategies of tables that have none of their own.

use super::table_rule::strategy;
use crate::TokenStream;
use crate::ast::{DistSql, StrategyLevel};
use crate::distsql::Parsed;
use crate::distsql::clause::{from_database, if_exists, if_not_exists};

fn create(stream: &mut TokenStream<'_>, level: StrategyLevel) -> Parsed {
    let if_not_exists = if_not_exists(stream);
    let strategy = strategy(stream)?;
    Ok(DistSql::CreateDefaultShardingStrategy { level, if_not_exists, strategy })
}

pub(in crate::distsql) fn create_database(stream: &mut TokenStream<'_>) -> Parsed {
    create(stream, StrategyLevel::Database)
}

pub(in crate::distsql) fn create_table(stream: &mut TokenStream<'_>) -> Parsed {
    create(stream, StrategyLevel::Table)
}

pub(in crate::distsql) fn alter_database(stream: &mut TokenStream<'_>) -> Parsed {
    let strategy = strategy(stream)?;
    Ok(DistSql::AlterDefaultShardingStrategy { level: StrategyLevel::Database, strategy })
}

pub(in crate::distsql) fn alter_table(stream: &mut TokenStream<'_>) -> Parsed {
    let strategy = strategy(stream)?;
    Ok(DistSql::AlterDefaultShardingStrategy { level: StrategyLevel::Table, strategy })
}

pub(in crate::distsql) fn drop_database(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    Ok(DistSql::DropDefaultShardingStrategy { level: StrategyLevel::Database, if_exists })
}

pub(in crate::distsql) fn drop_table(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    Ok(DistSql::DropDefaultShardingStrategy { level: StrategyLevel::Table, if_exists })
}

pub(in crate::distsql) fn show(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowDefaultShardingStrategy { database: from_database(stream)? })
}
