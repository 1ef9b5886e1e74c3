//! One table of CREATE or ALTER SHARDING TABLE RULE.

use crate::ast::{
    AlgorithmDefinition, ShardingLayout, ShardingTableRuleDefinition, StrategyDefinition,
};
use crate::distsql::algorithm::{algorithm, algorithm_behind_type};
use crate::distsql::clause::{
    equal_bool, equal_name, equal_value, in_parentheses, list, name, once, string,
};
use crate::{ParseError, TokenKind, TokenStream, row_expression};

/// What is written between the parentheses of a rule.
#[derive(Default)]
struct Parts {
    units: Option<Vec<String>>,
    column: Option<String>,
    algorithm: Option<AlgorithmDefinition>,
    data_nodes: Option<Vec<String>>,
    database_strategy: Option<StrategyDefinition>,
    table_strategy: Option<StrategyDefinition>,
    key_generator: Option<(String, AlgorithmDefinition)>,
    audit: Option<(Vec<AlgorithmDefinition>, bool)>,
}

/// Reads `table (..)`.
pub(super) fn table_rule(
    stream: &mut TokenStream<'_>,
) -> Result<ShardingTableRuleDefinition, ParseError> {
    let table = name(stream)?;
    let start = stream.span().start;
    let mut parts = Parts::default();
    in_parentheses(stream, |stream| {
        part(stream, &mut parts)?;
        while stream.eat(TokenKind::Comma) {
            part(stream, &mut parts)?;
        }
        Ok(())
    })?;
    build(table, parts).ok_or_else(|| {
        let message = "A sharding table rule needs STORAGE_UNITS, SHARDING_COLUMN and TYPE, or \
                       DATANODES with strategies";
        ParseError::message(stream.text(), start, message)
    })
}

fn part(stream: &mut TokenStream<'_>, parts: &mut Parts) -> Result<(), ParseError> {
    let word = stream.token_text().to_ascii_uppercase();
    match word.as_slice() {
        b"STORAGE_UNITS" | b"RESOURCES" => once(stream, &mut parts.units, units),
        b"SHARDING_COLUMN" => once(stream, &mut parts.column, equal_name),
        b"TYPE" => once(stream, &mut parts.algorithm, algorithm_behind_type),
        b"DATANODES" => once(stream, &mut parts.data_nodes, |stream| {
            in_parentheses(stream, |stream| list(stream, string))
        }),
        b"DATABASE_STRATEGY" => once(stream, &mut parts.database_strategy, strategy),
        b"TABLE_STRATEGY" => once(stream, &mut parts.table_strategy, strategy),
        b"KEY_GENERATE_STRATEGY" => once(stream, &mut parts.key_generator, key_generator),
        b"AUDIT_STRATEGY" => once(stream, &mut parts.audit, audit),
        _ => Err(stream.error()),
    }
}

fn build(table: String, parts: Parts) -> Option<ShardingTableRuleDefinition> {
    let layout = match parts {
        Parts {
            units: Some(units),
            column: Some(column),
            algorithm: Some(algorithm),
            data_nodes: None,
            database_strategy: None,
            table_strategy: None,
            ..
        } => ShardingLayout::Auto { units, column, algorithm },
        Parts {
            data_nodes: Some(data_nodes),
            database_strategy,
            table_strategy,
            units: None,
            column: None,
            algorithm: None,
            ..
        } => ShardingLayout::Explicit { data_nodes, database_strategy, table_strategy },
        _ => return None,
    };
    Some(ShardingTableRuleDefinition {
        table,
        layout,
        key_generator: parts.key_generator,
        audit: parts.audit,
    })
}

/// `(a, "ds_${0..3}", ..)`, row expressions expanded.
fn units(stream: &mut TokenStream<'_>) -> Result<Vec<String>, ParseError> {
    let units = in_parentheses(stream, |stream| {
        list(stream, |stream| {
            if !stream.at(TokenKind::String) {
                return Ok(vec![name(stream)?]);
            }
            let start = stream.span().start;
            let expression = string(stream)?;
            row_expression::expand(&expression)
                .map_err(|error| ParseError::message(stream.text(), start, &error.to_string()))
        })
    })?;
    Ok(units.into_iter().flatten().collect())
}

/// `(TYPE=.. [, SHARDING_COLUMN(S)=..] [, SHARDING_ALGORITHM(..)])`
pub(super) fn strategy(stream: &mut TokenStream<'_>) -> Result<StrategyDefinition, ParseError> {
    in_parentheses(stream, |stream| {
        stream.expect_word("TYPE")?;
        let kind = equal_value(stream)?.to_ascii_uppercase();
        let mut columns = Vec::new();
        let mut found = None;
        while stream.eat(TokenKind::Comma) {
            let word = stream.token_text().to_ascii_uppercase();
            match word.as_slice() {
                b"SHARDING_COLUMN" if columns.is_empty() => {
                    stream.advance();
                    columns.push(equal_name(stream)?);
                }
                b"SHARDING_COLUMNS" if columns.is_empty() => {
                    stream.advance();
                    columns.push(equal_name(stream)?);
                    while is_before_column(stream) {
                        stream.advance();
                        columns.push(name(stream)?);
                    }
                }
                b"SHARDING_ALGORITHM" => {
                    once(stream, &mut found, |stream| in_parentheses(stream, algorithm))?;
                }
                _ => return Err(stream.error()),
            }
        }
        Ok(StrategyDefinition { kind, columns, algorithm: found })
    })
}

/// At a comma behind which one more column stands, and not `SHARDING_ALGORITHM(..)`.
fn is_before_column(stream: &TokenStream<'_>) -> bool {
    stream.at(TokenKind::Comma) && stream.peek(2).0.kind != TokenKind::LeftParen
}

/// `(COLUMN=.., TYPE(..))`
fn key_generator(
    stream: &mut TokenStream<'_>,
) -> Result<(String, AlgorithmDefinition), ParseError> {
    in_parentheses(stream, |stream| {
        stream.expect_word("COLUMN")?;
        let column = equal_name(stream)?;
        stream.expect(TokenKind::Comma)?;
        Ok((column, algorithm(stream)?))
    })
}

/// `(TYPE(..), .., ALLOW_HINT_DISABLE=..)`, each TYPE perhaps in parentheses of its own.
fn audit(stream: &mut TokenStream<'_>) -> Result<(Vec<AlgorithmDefinition>, bool), ParseError> {
    in_parentheses(stream, |stream| {
        let mut auditors = Vec::new();
        while !stream.eat_word("ALLOW_HINT_DISABLE") {
            auditors.push(if stream.at(TokenKind::LeftParen) {
                in_parentheses(stream, algorithm)?
            } else {
                algorithm(stream)?
            });
            stream.expect(TokenKind::Comma)?;
        }
        Ok((auditors, equal_bool(stream)?))
    })
}
