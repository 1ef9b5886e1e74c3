//! Functions that look for strings by their collation.

use std::cmp::Ordering;

use super::{check_one_charset, count, text_type};
use crate::expression::characters::Unit;
use crate::expression::collate::aggregate;
use crate::expression::compare::Comparison;
use crate::expression::context::{Context, Flavour};
use crate::expression::control::{common_type, converted};
use crate::expression::datum::Datum;
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::node::{Node, refuse};
use crate::expression::text_order::TextOrder;
use crate::expression::types::{Coercibility, Kind, Type};

/// `LOCATE(part, text[, position])`.
pub(super) fn locate(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type(&args[..2], context)?;
    let collation = aggregate(&args[..2], context)?;
    if collation.coercibility == Coercibility::Explicit {
        return Err(refuse("LOCATE by an explicit collation"));
    }
    let order = TextOrder::of(&collation)?;
    let is_at = args.len() == 3;
    let unit = Unit::of(&ty);
    Ok(Node::call(Type::COUNT, args, move |frame, nodes| {
        let Some(part) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(text) = nodes[1].text(frame)? else { return Ok(Datum::Null) };
        let start = match nodes.get(2) {
            Some(node) => match count(frame, node)? {
                Some(position) => position,
                None => return Ok(Datum::Null),
            },
            None => 1,
        };
        let all = unit.count(&text)?;
        let Some(skipped) = usize::try_from(start).ok().and_then(|start| start.checked_sub(1))
        else {
            return Ok(Datum::Int(0));
        };
        if skipped > all {
            return Ok(Datum::Int(0));
        }
        if part.is_empty() {
            if is_at && frame.context.flavour == Flavour::MariaDb {
                return Err(EvalError::unsupported("nothing at a position"));
            }
            return Ok(Datum::Int(start));
        }
        let (text, part) = (order.folded(&text)?, order.folded(&part)?);
        let from = unit.offset(&text, skipped)?;
        let found = text[from..].windows(part.len()).position(|one| one == part);
        Ok(Datum::Int(match found {
            Some(offset) => unit.count(&text[..from + offset])? as i64 + 1,
            None => 0,
        }))
    }))
}

/// `STRCMP`.
pub(super) fn compare(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    if !args.iter().all(|node| node.ty.kind == Kind::Text) {
        return Err(refuse("STRCMP of values that are no strings"));
    }
    check_one_charset(&args)?;
    let order = TextOrder::of(&aggregate(&args, context)?)?;
    Ok(Node::call(Type::COUNT, args, move |frame, nodes| {
        let Some(left) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(right) = nodes[1].text(frame)? else { return Ok(Datum::Null) };
        Ok(Datum::Int(match order.compare(&left, &right)? {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }))
    }))
}

/// `FIELD`: all as strings, all as integers, or all as doubles.
pub(super) fn field(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    check_one_charset(&args)?;
    let all = |kind: Kind| args.iter().all(|node| node.ty.kind == kind);
    let comparison = if all(Kind::Text) {
        Comparison::Texts(TextOrder::of(&aggregate(&args, context)?)?)
    } else if all(Kind::Integer) {
        Comparison::Integers
    } else {
        return Err(refuse("FIELD of values of different types"));
    };
    Ok(Node::call(Type::COUNT, args, move |frame, nodes| {
        for (number, node) in nodes.iter().enumerate().skip(1) {
            if comparison.compare(frame, &nodes[0], node)? == Some(Ordering::Equal) {
                return Ok(Datum::Int(number as i64));
            }
        }
        Ok(Datum::Int(0))
    }))
}

/// `ELT`.
pub(super) fn element(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    check_one_charset(&args[1..])?;
    let ty = common_type(&args[1..], context)?;
    if ty.kind != Kind::Text {
        return Err(refuse("ELT of values that are no strings"));
    }
    let target = ty.clone();
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(number) = count(frame, &nodes[0])? else { return Ok(Datum::Null) };
        match usize::try_from(number).ok().filter(|&number| number > 0) {
            Some(number) => match nodes.get(number) {
                Some(node) => converted(frame, node, &target),
                None => Ok(Datum::Null),
            },
            None => Ok(Datum::Null),
        }
    }))
}

/// `FIND_IN_SET`.
pub(super) fn find_in_set(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    check_one_charset(&args)?;
    let order = TextOrder::of(&aggregate(&args, context)?)?;
    Ok(Node::call(Type::COUNT, args, move |frame, nodes| {
        let Some(wanted) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(list) = nodes[1].text(frame)? else { return Ok(Datum::Null) };
        if list.is_empty() || wanted.contains(&b',') {
            return Ok(Datum::Int(0));
        }
        for (number, one) in list.split(|&byte| byte == b',').enumerate() {
            if order.compare(&wanted, one)? == Ordering::Equal {
                if wanted.len() != one.len() {
                    return Err(EvalError::unsupported("strings that padding makes equal"));
                }
                return Ok(Datum::Int(number as i64 + 1));
            }
        }
        Ok(Datum::Int(0))
    }))
}
