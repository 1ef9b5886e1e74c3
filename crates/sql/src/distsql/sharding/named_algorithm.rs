//! Statements about algorithms, key generators and auditors by their names.

use crate::ast::{AlgorithmDefinition, AlgorithmRole, DistSql};
use crate::distsql::Parsed;
use crate::distsql::algorithm::algorithm;
use crate::distsql::clause::{
    from_database, if_exists, if_not_exists, in_parentheses, list, name, names,
};
use crate::{ParseError, TokenStream};

use AlgorithmRole::{Auditor, KeyGenerator, Sharding};

fn create(stream: &mut TokenStream<'_>, role: AlgorithmRole) -> Parsed {
    let if_not_exists = if_not_exists(stream);
    let algorithms = list(stream, named)?;
    Ok(DistSql::CreateShardingAlgorithm { role, if_not_exists, algorithms })
}

fn alter(stream: &mut TokenStream<'_>, role: AlgorithmRole) -> Parsed {
    Ok(DistSql::AlterShardingAlgorithm { role, algorithms: list(stream, named)? })
}

fn drop(stream: &mut TokenStream<'_>, role: AlgorithmRole) -> Parsed {
    let if_exists = if_exists(stream);
    Ok(DistSql::DropShardingAlgorithm { role, if_exists, names: names(stream)? })
}

fn show(stream: &mut TokenStream<'_>, role: AlgorithmRole, is_unused_only: bool) -> Parsed {
    let database = from_database(stream)?;
    Ok(DistSql::ShowShardingAlgorithms { role, is_unused_only, database })
}

/// `n (TYPE(..))`
fn named(stream: &mut TokenStream<'_>) -> Result<(String, AlgorithmDefinition), ParseError> {
    let name = name(stream)?;
    Ok((name, in_parentheses(stream, algorithm)?))
}

pub(in crate::distsql) fn create_sharding(stream: &mut TokenStream<'_>) -> Parsed {
    create(stream, Sharding)
}

pub(in crate::distsql) fn create_key_generator(stream: &mut TokenStream<'_>) -> Parsed {
    create(stream, KeyGenerator)
}

pub(in crate::distsql) fn create_auditor(stream: &mut TokenStream<'_>) -> Parsed {
    create(stream, Auditor)
}

pub(in crate::distsql) fn alter_sharding(stream: &mut TokenStream<'_>) -> Parsed {
    alter(stream, Sharding)
}

pub(in crate::distsql) fn alter_key_generator(stream: &mut TokenStream<'_>) -> Parsed {
    alter(stream, KeyGenerator)
}

pub(in crate::distsql) fn alter_auditor(stream: &mut TokenStream<'_>) -> Parsed {
    alter(stream, Auditor)
}

pub(in crate::distsql) fn drop_sharding(stream: &mut TokenStream<'_>) -> Parsed {
    drop(stream, Sharding)
}

pub(in crate::distsql) fn drop_key_generator(stream: &mut TokenStream<'_>) -> Parsed {
    drop(stream, KeyGenerator)
}

pub(in crate::distsql) fn drop_auditor(stream: &mut TokenStream<'_>) -> Parsed {
    drop(stream, Auditor)
}

pub(in crate::distsql) fn show_sharding(stream: &mut TokenStream<'_>) -> Parsed {
    show(stream, Sharding, false)
}

pub(in crate::distsql) fn show_key_generators(stream: &mut TokenStream<'_>) -> Parsed {
    show(stream, KeyGenerator, false)
}

pub(in crate::distsql) fn show_auditors(stream: &mut TokenStream<'_>) -> Parsed {
    show(stream, Auditor, false)
}

pub(in crate::distsql) fn show_unused_sharding(stream: &mut TokenStream<'_>) -> Parsed {
    show(stream, Sharding, true)
}

pub(in crate::distsql) fn show_unused_key_generators(stream: &mut TokenStream<'_>) -> Parsed {
    show(stream, KeyGenerator, true)
}

pub(in crate::distsql) fn show_unused_auditors(stream: &mut TokenStream<'_>) -> Parsed {
    show(stream, Auditor, true)
}

pub(in crate::distsql) fn show_sharding_plugins(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowShardingAlgorithmPlugins { role: Sharding })
}

pub(in crate::distsql) fn show_key_generator_plugins(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowShardingAlgorithmPlugins { role: KeyGenerator })
}
