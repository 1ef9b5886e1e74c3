//! CASE, IF, IFNULL, NULLIF, COALESCE: one of several values.

use std::cmp::Ordering;

use super::arithmetic::MAX_SCALE;
use super::collate::aggregate;
use super::compare::{Comparison, with_first};
use super::context::{Context, Flavour};
use super::datum::{Datum, Evaluated};
use super::error::{EvalError, Unsupported};
use super::functions::check_one_charset;
use super::node::{Frame, Node, refuse};
use super::types::{Coercibility, Collation, Kind, Type};
use crate::column_type::NOT_FIXED_DECIMALS;

/// The type that all the values have together.
pub(crate) fn common_type<'a>(
    nodes: impl IntoIterator<Item = &'a Node>,
    context: &Context,
) -> Result<Type, Unsupported> {
    let mut nodes: Vec<&Node> = nodes.into_iter().collect();
    let all = nodes.len();
    nodes.retain(|node| node.ty.kind != Kind::Null);
    let has_null = nodes.len() < all;
    let Some(first) = nodes.first() else { return Err(refuse("one of several NULLs")) };
    let decimals = nodes.iter().map(|node| node.ty.decimals).max().unwrap_or(0);
    let has = |kind: Kind| nodes.iter().any(|node| node.ty.kind == kind);
    let is_temporal = nodes.iter().any(|node| node.ty.kind.is_temporal());
    // Where such a value is taken for a number, it depends on which of them it is.
    if is_temporal && !nodes.iter().all(|node| node.ty.kind.is_temporal()) {
        return Err(refuse("one of a date and another value"));
    }
    if has(Kind::Time) && (has(Kind::Date) || has(Kind::DateTime)) {
        return Err(refuse("one of a time and a date"));
    }
    if has(Kind::Text) {
        return text_type(&nodes, context);
    }
    Ok(if is_temporal {
        match (has(Kind::DateTime), has(Kind::Date)) {
            (true, _) => Type::date_time(decimals),
            (false, true) => Type::DATE,
            _ => Type::time(decimals),
        }
    } else if has(Kind::Double) {
        let is_fixed = nodes.iter().all(|node| node.ty.is_fixed());
        Type::double(if is_fixed { decimals } else { NOT_FIXED_DECIMALS })
    } else if has(Kind::Decimal) {
        if decimals > MAX_SCALE {
            return Err(refuse("a decimal with so long a fraction"));
        }
        Type::decimal(decimals)
    } else {
        let is_unsigned = first.ty.is_unsigned;
        let is_mixed = nodes.iter().any(|node| node.ty.is_unsigned != is_unsigned);
        let is_narrow = nodes.iter().all(|node| node.ty.is_narrow);
        let is_wide = |node: &&Node| node.ty.is_unsigned && !node.ty.is_narrow;
        let is_null_wide = has_null && context.flavour == Flavour::MariaDb;
        if (is_mixed || is_null_wide) && nodes.iter().any(is_wide) {
            return Ok(Type::decimal(0));
        }
        Type { is_narrow, ..Type::integer(is_unsigned && !is_mixed) }
    })
}

fn text_type(nodes: &[&Node], context: &Context) -> Result<Type, Unsupported> {
    let collation = aggregate(nodes.iter().copied(), context)?;
    // Numbers among byte strings have a character set of their own.
    if collation.is_binary() && nodes.iter().any(|node| node.ty.kind != Kind::Text) {
        return Err(refuse("one of a byte string and a number"));
    }
    let coercibility = collation.coercibility.min(Coercibility::Coercible);
    Ok(Type::text(Collation { coercibility, ..collation }))
}

/// The value of a node as one of the type.
pub(crate) fn converted(frame: &Frame<'_>, node: &Node, ty: &Type) -> Evaluated {
    let datum = node.evaluate(frame)?;
    if datum == Datum::Null {
        return Ok(datum);
    }
    match (ty.kind, node.ty.kind) {
        (Kind::Text, Kind::Text) => Ok(datum),
        (Kind::Text, _) => {
            datum.check_text()?;
            let text = datum.into_text(&node.ty, frame.context.flavour);
            Ok(text.map_or(Datum::Null, Datum::Text))
        }
        (Kind::Integer, Kind::Integer) if ty.is_unsigned == node.ty.is_unsigned => Ok(datum),
        (Kind::Integer, _) => match node.integer(frame)? {
            Some(value) => Datum::integer(value, ty.is_unsigned)
                .map_err(|_| EvalError::unsupported("a number beyond the range of BIGINT")),
            None => Ok(Datum::Null),
        },
        (Kind::Decimal, _) => {
            let decimal = node.decimal(frame)?;
            Ok(decimal.map_or(Datum::Null, Datum::Decimal))
        }
        (Kind::Double, _) => Ok(node.double(frame)?.map_or(Datum::Null, Datum::Double)),
        _ => Ok(datum),
    }
}

/// `COALESCE`, `IFNULL`.
pub(crate) fn coalesce(nodes: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = common_type(&nodes, context)?;
    let target = ty.clone();
    Ok(Node::call(ty, nodes, move |frame, nodes| {
        for node in nodes {
            match converted(frame, node, &target)? {
                Datum::Null => {}
                Datum::Decimal(value) => return frame.scaled(Some(value), target.decimals),
                datum => return Ok(datum),
            }
        }
        Ok(Datum::Null)
    }))
}

/// `IF`.
pub(crate) fn choose(nodes: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = common_type(&nodes[1..], context)?;
    let target = ty.clone();
    Ok(Node::call(ty, nodes, move |frame, nodes| {
        let chosen = if nodes[0].truth(frame)? == Some(true) { &nodes[1] } else { &nodes[2] };
        converted(frame, chosen, &target)
    }))
}

/// `NULLIF`.
pub(crate) fn null_if(nodes: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    check_one_charset(&nodes)?;
    let is_same = |of: fn(&Type) -> bool| of(&nodes[0].ty) == of(&nodes[1].ty);
    if nodes[0].ty.kind != nodes[1].ty.kind || !is_same(|ty| ty.is_unsigned) {
        return Err(refuse("NULLIF of values of different types"));
    }
    let comparison = Comparison::of(&[&nodes[0], &nodes[1]], context)?;
    let ty = nodes[0].ty.clone();
    Ok(Node::call(ty, nodes, move |frame, nodes| {
        match comparison.compare(frame, &nodes[0], &nodes[1])? {
            Some(Ordering::Equal) => Ok(Datum::Null),
            _ => nodes[0].evaluate(frame),
        }
    }))
}

/// `CASE [operand] WHEN .. THEN .. [ELSE ..] END`.
pub(crate) fn case(
    operand: Option<Node>,
    branches: Vec<(Node, Node)>,
    otherwise: Option<Node>,
    context: &Context,
) -> Result<Node, Unsupported> {
    let count = branches.len();
    let (mut tests, mut values): (Vec<Node>, Vec<Node>) = branches.into_iter().unzip();
    values.extend(otherwise);
    let ty = common_type(&values, context)?;
    let comparisons = match operand {
        Some(operand) => {
            tests.insert(0, operand);
            Some(with_first(&tests, context)?)
        }
        None => None,
    };
    let first_value = tests.len();
    tests.append(&mut values);
    let target = ty.clone();
    Ok(Node::call(ty, tests, move |frame, nodes| {
        for branch in 0..count {
            let is_met = match &comparisons {
                Some(comparisons) => {
                    comparisons[branch].check_signs(frame, &nodes[0], &nodes[branch + 1])?;
                    comparisons[branch]
                        .compare(frame, &nodes[0], &nodes[branch + 1])?
                        .is_some_and(Ordering::is_eq)
                }
                None => nodes[branch].truth(frame)? == Some(true),
            };
            if is_met {
                return converted(frame, &nodes[first_value + branch], &target);
            }
        }
        match nodes.get(first_value + count) {
            Some(otherwise) => converted(frame, otherwise, &target),
            None => Ok(Datum::Null),
        }
    }))
}
