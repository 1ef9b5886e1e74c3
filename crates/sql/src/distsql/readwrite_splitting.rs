//! Statements about read/write splitting.

use super::Parsed;
use super::algorithm::algorithm_behind_type;
use super::clause::{
    equal_bool, equal_name, equal_value, from_database, if_exists, if_not_exists, in_parentheses,
    list, name, names, once,
};
use crate::ast::{
    AlgorithmDefinition, DistSql, ReadwriteSplittingDefinition, ReadwriteSplittingHint,
};
use crate::{ParseError, TokenKind, TokenStream};

pub(super) fn create(stream: &mut TokenStream<'_>) -> Parsed {
    let if_not_exists = if_not_exists(stream);
    let rules = list(stream, rule)?;
    Ok(DistSql::CreateReadwriteSplittingRule { if_not_exists, rules })
}

/// `g (..), ..` or `[g] ENABLE|DISABLE unit [FROM db]`.
pub(super) fn alter(stream: &mut TokenStream<'_>) -> Parsed {
    if at_switch(stream) {
        return switch(stream, None);
    }
    let first = name(stream)?;
    if at_switch(stream) {
        return switch(stream, Some(first));
    }
    let mut rules = vec![rule_behind_name(stream, first)?];
    while stream.eat(TokenKind::Comma) {
        rules.push(rule(stream)?);
    }
    Ok(DistSql::AlterReadwriteSplittingRule { rules })
}

fn at_switch(stream: &TokenStream<'_>) -> bool {
    let is_word = stream.at_word("ENABLE") || stream.at_word("DISABLE");
    is_word && stream.peek_kind() != TokenKind::LeftParen
}

fn switch(stream: &mut TokenStream<'_>, rule: Option<String>) -> Parsed {
    let is_enabled = stream.eat_word("ENABLE");
    if !is_enabled {
        stream.expect_word("DISABLE")?;
    }
    let unit = name(stream)?;
    let database = from_database(stream)?;
    Ok(DistSql::SwitchReplica { rule, unit, is_enabled, database })
}

pub(super) fn drop(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    Ok(DistSql::DropReadwriteSplittingRule { if_exists, names: names(stream)? })
}

pub(super) fn show_all(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowReadwriteSplittingRules { name: None, database: from_database(stream)? })
}

pub(super) fn show_one(stream: &mut TokenStream<'_>) -> Parsed {
    let name = Some(name(stream)?);
    Ok(DistSql::ShowReadwriteSplittingRules { name, database: from_database(stream)? })
}

pub(super) fn show_status(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowReplicaStatus { name: None, database: from_database(stream)? })
}

pub(super) fn show_status_of(stream: &mut TokenStream<'_>) -> Parsed {
    let name = Some(name(stream)?);
    Ok(DistSql::ShowReplicaStatus { name, database: from_database(stream)? })
}

pub(super) fn count(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::CountReadwriteSplittingRule { database: from_database(stream)? })
}

pub(super) fn show_plugins(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ShowLoadBalancerPlugins)
}

/// `= auto` or `= write`.
pub(super) fn set_hint(stream: &mut TokenStream<'_>) -> Parsed {
    stream.expect(TokenKind::Equal)?;
    let to_primary = stream.eat_word("WRITE");
    if !to_primary {
        stream.expect_word("AUTO")?;
    }
    Ok(DistSql::ReadwriteSplittingHint(ReadwriteSplittingHint::Set { to_primary }))
}

pub(super) fn show_hint(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ReadwriteSplittingHint(ReadwriteSplittingHint::Show))
}

pub(super) fn clear_hint(_: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::ReadwriteSplittingHint(ReadwriteSplittingHint::Clear))
}

/// What is written between the parentheses of a rule.
#[derive(Default)]
struct Parts {
    write: Option<String>,
    reads: Option<Vec<String>>,
    strategy: Option<String>,
    balancer: Option<AlgorithmDefinition>,
    discovery: Option<String>,
    queries_write: Option<bool>,
}

fn rule(stream: &mut TokenStream<'_>) -> Result<ReadwriteSplittingDefinition, ParseError> {
    let name = name(stream)?;
    rule_behind_name(stream, name)
}

fn rule_behind_name(
    stream: &mut TokenStream<'_>,
    name: String,
) -> Result<ReadwriteSplittingDefinition, ParseError> {
    let start = stream.span().start;
    let mut parts = Parts::default();
    in_parentheses(stream, |stream| {
        part(stream, &mut parts)?;
        while stream.eat(TokenKind::Comma) {
            part(stream, &mut parts)?;
        }
        Ok(())
    })?;
    let is_complete = match &parts.discovery {
        Some(_) => parts.write.is_none() && parts.reads.is_none(),
        None => parts.write.is_some() && parts.reads.is_some() && parts.queries_write.is_none(),
    };
    if !is_complete {
        let message = "A readwrite-splitting rule needs WRITE_STORAGE_UNIT and READ_STORAGE_UNITS";
        return Err(ParseError::message(stream.text(), start, message));
    }
    Ok(ReadwriteSplittingDefinition {
        name,
        write_unit: parts.write.unwrap_or_default(),
        read_units: parts.reads.unwrap_or_default(),
        discovery: parts.discovery,
        transactional_reads: parts.strategy,
        load_balancer: parts.balancer,
    })
}

fn part(stream: &mut TokenStream<'_>, parts: &mut Parts) -> Result<(), ParseError> {
    let word = stream.token_text().to_ascii_uppercase();
    match word.as_slice() {
        b"WRITE_STORAGE_UNIT" | b"WRITE_RESOURCE" => once(stream, &mut parts.write, equal_name),
        b"READ_STORAGE_UNITS" | b"READ_RESOURCES" => {
            once(stream, &mut parts.reads, |stream| in_parentheses(stream, names))
        }
        b"TRANSACTIONAL_READ_QUERY_STRATEGY" => once(stream, &mut parts.strategy, equal_value),
        b"TYPE" => once(stream, &mut parts.balancer, algorithm_behind_type),
        b"AUTO_AWARE_RESOURCE" => once(stream, &mut parts.discovery, equal_name),
        b"WRITE_DATA_SOURCE_QUERY_ENABLED" => once(stream, &mut parts.queries_write, equal_bool),
        _ => Err(stream.error()),
    }
}
