//! REGISTER, ALTER, UNREGISTER and SHOW STORAGE UNIT, and their older spellings with RESOURCE.

use std::collections::BTreeMap;

use super::algorithm::properties_behind_word;
use super::clause::{
    equal_value, filter, from_database, if_exists, if_not_exists, in_parentheses, name, once,
};
use super::{Parsed, jdbc_url};
use crate::ast::{DistSql, Properties, StorageUnitDefinition};
use crate::{Keyword, ParseError, TokenKind, TokenStream};

pub(super) fn register(stream: &mut TokenStream<'_>) -> Parsed {
    let if_not_exists = if_not_exists(stream);
    Ok(DistSql::RegisterStorageUnit { if_not_exists, units: units(stream)? })
}

pub(super) fn alter(stream: &mut TokenStream<'_>) -> Parsed {
    Ok(DistSql::AlterStorageUnit { units: units(stream)? })
}

pub(super) fn unregister(stream: &mut TokenStream<'_>) -> Parsed {
    let if_exists = if_exists(stream);
    let mut names = vec![name(stream)?];
    while stream.eat(TokenKind::Comma) {
        names.push(name(stream)?);
    }
    let (ignore_single_tables, ignore_broadcast_tables) = ignored_tables(stream)?;
    Ok(DistSql::UnregisterStorageUnit {
        if_exists,
        names,
        ignore_single_tables,
        ignore_broadcast_tables,
    })
}

/// `[IGNORE SINGLE TABLES | IGNORE BROADCAST TABLES | IGNORE SINGLE, BROADCAST TABLES]`; whether
/// single tables are among them, and whether broadcast tables are.
fn ignored_tables(stream: &mut TokenStream<'_>) -> Result<(bool, bool), ParseError> {
    let (mut single, mut broadcast) = (false, false);
    if !stream.eat_keyword(Keyword::Ignore) {
        return Ok((single, broadcast));
    }
    loop {
        if stream.eat_word("SINGLE") {
            single = true;
        } else {
            stream.expect_word("BROADCAST")?;
            broadcast = true;
        }
        if !stream.eat(TokenKind::Comma) {
            stream.expect_word("TABLES")?;
            return Ok((single, broadcast));
        }
    }
}

pub(super) fn show(stream: &mut TokenStream<'_>) -> Parsed {
    let before = filter(stream)?;
    let mut usage_count = None;
    if stream.eat_keyword(Keyword::Where) {
        stream.expect_word("USAGE_COUNT")?;
        let error = stream.error();
        usage_count = Some(equal_value(stream)?.parse().map_err(|_| error)?);
    }
    Ok(DistSql::ShowStorageUnits { database: before.database, like: before.like, usage_count })
}

pub(super) fn show_rules_used(stream: &mut TokenStream<'_>) -> Parsed {
    let unit = name(stream)?;
    Ok(DistSql::ShowRulesUsedStorageUnit { unit, database: from_database(stream)? })
}

/// Units, then perhaps `CHECK_PRIVILEGES = ..`: what the statement needs is checked in any case.
fn units(stream: &mut TokenStream<'_>) -> Result<Vec<StorageUnitDefinition>, ParseError> {
    let mut units = vec![unit(stream)?];
    while stream.eat(TokenKind::Comma) {
        if stream.at_word("CHECK_PRIVILEGES") && stream.peek_kind() == TokenKind::Equal {
            stream.advance();
            stream.advance();
            super::clause::names(stream)?;
            break;
        }
        units.push(unit(stream)?);
    }
    Ok(units)
}

/// What is written between the parentheses of a unit.
#[derive(Default)]
struct Parts {
    host: Option<String>,
    port: Option<u16>,
    database: Option<String>,
    url: Option<jdbc_url::JdbcUrl>,
    user: Option<String>,
    password: Option<String>,
    properties: Option<Properties>,
}

fn unit(stream: &mut TokenStream<'_>) -> Result<StorageUnitDefinition, ParseError> {
    let unit = name(stream)?;
    let start = stream.span().start;
    let mut parts = Parts::default();
    in_parentheses(stream, |stream| {
        part(stream, &mut parts)?;
        while stream.eat(TokenKind::Comma) {
            part(stream, &mut parts)?;
        }
        Ok(())
    })?;
    build(unit, parts).map_err(|missing| ParseError::message(stream.text(), start, missing))
}

fn part(stream: &mut TokenStream<'_>, parts: &mut Parts) -> Result<(), ParseError> {
    let word = stream.token_text().to_ascii_uppercase();
    match word.as_slice() {
        b"HOST" => once(stream, &mut parts.host, equal_value),
        b"PORT" => once(stream, &mut parts.port, port),
        b"DB" => once(stream, &mut parts.database, equal_value),
        b"URL" => once(stream, &mut parts.url, url),
        b"USER" => once(stream, &mut parts.user, equal_value),
        b"PASSWORD" => once(stream, &mut parts.password, equal_value),
        b"PROPERTIES" => once(stream, &mut parts.properties, properties_behind_word),
        _ => Err(stream.error()),
    }
}

fn port(stream: &mut TokenStream<'_>) -> Result<u16, ParseError> {
    let start = stream.span().start;
    equal_value(stream)?.parse().ok().filter(|port| *port != 0).ok_or_else(|| {
        ParseError::message(stream.text(), start, "PORT must be a number from 1 to 65535")
    })
}

fn url(stream: &mut TokenStream<'_>) -> Result<jdbc_url::JdbcUrl, ParseError> {
    let start = stream.span().start;
    jdbc_url::parse(&equal_value(stream)?).ok_or_else(|| {
        let message = "URL must have the form jdbc:mysql://host:port/database?parameters";
        ParseError::message(stream.text(), start, message)
    })
}

fn build(name: String, parts: Parts) -> Result<StorageUnitDefinition, &'static str> {
    let (host, port, database, url_parameters) = match parts {
        Parts { host: None, port: None, database: None, url: Some(url), .. } => {
            (url.host, url.port, url.database, url.parameters)
        }
        Parts {
            host: Some(host), port: Some(port), database: Some(database), url: None, ..
        } => (host, port, database, BTreeMap::new()),
        _ => return Err("A storage unit needs HOST, PORT and DB, or URL instead of the three"),
    };
    Ok(StorageUnitDefinition {
        name,
        host,
        port,
        database,
        url_parameters,
        user: parts.user.ok_or("A storage unit needs USER")?,
        password: parts.password.unwrap_or_default(),
        properties: parts.properties.unwrap_or_default(),
    })
}
