//! Functions that cut strings.

use super::{count, text_type};
use crate::expression::characters::Unit;
use crate::expression::context::Context;
use crate::expression::datum::Datum;
use crate::expression::error::Unsupported;
use crate::expression::node::{Node, refuse};
use crate::expression::types::Kind;

/// `LEFT`.
pub(super) fn left(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type(&args[..1], context)?;
    let unit = Unit::of(&ty);
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(mut text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(length) = count(frame, &nodes[1])? else { return Ok(Datum::Null) };
        text.truncate(unit.offset(&text, usize::try_from(length).unwrap_or(0))?);
        Ok(Datum::Text(text))
    }))
}

/// `RIGHT`.
pub(super) fn right(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type(&args[..1], context)?;
    let unit = Unit::of(&ty);
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(length) = count(frame, &nodes[1])? else { return Ok(Datum::Null) };
        let length = usize::try_from(length).unwrap_or(0);
        let skipped = unit.count(&text)?.saturating_sub(length);
        Ok(Datum::Text(text[unit.offset(&text, skipped)?..].to_vec()))
    }))
}

/// `SUBSTRING`, positions counted from 1, or from the end below zero.
pub(super) fn substring(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type(&args[..1], context)?;
    let unit = Unit::of(&ty);
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(position) = count(frame, &nodes[1])? else { return Ok(Datum::Null) };
        let length = match nodes.get(2) {
            Some(node) => match count(frame, node)? {
                Some(length) => usize::try_from(length).unwrap_or(0),
                None => return Ok(Datum::Null),
            },
            None => usize::MAX,
        };
        let all = unit.count(&text)?;
        let distance = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
        let start = match position {
            0 => return Ok(Datum::Text(Vec::new())),
            1.. => distance - 1,
            _ if distance > all => return Ok(Datum::Text(Vec::new())),
            _ => all - distance,
        };
        let from = unit.offset(&text, start)?;
        let rest = &text[from..];
        Ok(Datum::Text(rest[..unit.offset(rest, length)?].to_vec()))
    }))
}

/// `SUBSTRING_INDEX`: byte by byte, whatever the collation.
pub(super) fn before_delimiter(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    if args[0].ty.kind == Kind::Null {
        return Err(refuse("a part of NULL"));
    }
    let ty = text_type(&args[..2], context)?;
    Ok(Node::call(ty, args, |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(delimiter) = nodes[1].text(frame)? else { return Ok(Datum::Null) };
        let Some(wanted) = count(frame, &nodes[2])? else { return Ok(Datum::Null) };
        if delimiter.is_empty() || wanted == 0 {
            return Ok(Datum::Text(Vec::new()));
        }
        let times = usize::try_from(wanted.unsigned_abs()).unwrap_or(usize::MAX);
        Ok(Datum::Text(match wanted > 0 {
            true => {
                let end = occurrences(&text, &delimiter).nth(times - 1);
                text[..end.unwrap_or(text.len())].to_vec()
            }
            false => {
                let start = last_occurrence(&text, &delimiter, times);
                text[start..].to_vec()
            }
        }))
    }))
}

/// Where the delimiter begins, not overlapping.
fn occurrences<'a>(text: &'a [u8], delimiter: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let found = at + rest.windows(delimiter.len()).position(|part| part == delimiter)?;
        at = found + delimiter.len();
        Some(found)
    })
}

/// What follows the delimiter of this number, counted from the last one back.
fn last_occurrence(text: &[u8], delimiter: &[u8], times: usize) -> usize {
    let all = occurrences(text, delimiter).count();
    match all.checked_sub(times) {
        Some(before) => {
            occurrences(text, delimiter).nth(before).map_or(0, |found| found + delimiter.len())
        }
        None => 0,
    }
}

/// `TRIM`, `LTRIM`, `RTRIM`.
pub(super) fn trim(args: Vec<Node>, side: &str, context: &Context) -> Result<Node, Unsupported> {
    let (is_leading, is_trailing) = match side {
        "BOTH" => (true, true),
        "LEADING" => (true, false),
        "TRAILING" => (false, true),
        _ => return Err(refuse("this side of TRIM")),
    };
    let ty = text_type(&args, context)?;
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let what = match nodes.get(1) {
            Some(node) => match node.text(frame)? {
                Some(what) => what,
                None => return Ok(Datum::Null),
            },
            None => vec![b' '],
        };
        let mut rest = &text[..];
        if !what.is_empty() {
            while let Some(shorter) = rest.strip_prefix(&what[..]).filter(|_| is_leading) {
                rest = shorter;
            }
            while let Some(shorter) = rest.strip_suffix(&what[..]).filter(|_| is_trailing) {
                rest = shorter;
            }
        }
        Ok(Datum::Text(rest.to_vec()))
    }))
}
