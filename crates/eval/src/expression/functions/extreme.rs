//! GREATEST, LEAST, INTERVAL.

use std::cmp::Ordering;

use crate::expression::compare::Comparison;
use crate::expression::context::Context;
use crate::expression::control::{common_type, converted};
use crate::expression::datum::Datum;
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::node::{Node, refuse};
use crate::expression::types::{Kind, Type};

/// `GREATEST`, `LEAST` of values of one kind: numbers, strings, dates or times.
pub(super) fn compile(
    args: Vec<Node>,
    is_greatest: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let is_number = |kind: Kind| matches!(kind, Kind::Integer | Kind::Decimal | Kind::Double);
    let first = args[0].ty.kind;
    let is_one_kind = match is_number(first) {
        true => args.iter().all(|node| is_number(node.ty.kind)),
        // Strings are compared as numbers where a number is asked for.
        false => first.is_temporal() && args.iter().all(|node| node.ty.kind == first),
    };
    let signs = args.iter().filter(|node| node.ty.is_unsigned).count();
    let is_mixed_integer = first == Kind::Integer && signs > 0 && signs < args.len();
    if !is_one_kind || is_mixed_integer {
        return Err(refuse("the greatest of values of different types"));
    }
    let ty = common_type(&args, context)?;
    let comparison = Comparison::of(&args.iter().collect::<Vec<_>>(), context)?;
    let wanted = if is_greatest { Ordering::Greater } else { Ordering::Less };
    let target = ty.clone();
    Ok(Node::call(ty, args, move |frame, nodes| {
        let mut best = &nodes[0];
        for node in &nodes[1..] {
            match comparison.compare(frame, node, best)? {
                Some(order) if order == wanted => best = node,
                Some(_) => {}
                None => return Ok(Datum::Null),
            }
        }
        match converted(frame, best, &target)? {
            Datum::Decimal(value) => frame.scaled(Some(value), target.decimals),
            datum => Ok(datum),
        }
    }))
}

/// `INTERVAL(n, a, b, ..)`: how many of the sorted numbers are not greater.
pub(super) fn interval(args: Vec<Node>) -> Result<Node, Unsupported> {
    if !args.iter().all(|node| node.ty.kind == Kind::Integer) {
        return Err(refuse("INTERVAL() of values that are no integers"));
    }
    let ty = Type::COUNT;
    Ok(Node::call(ty, args, |frame, nodes| {
        let Some(value) = nodes[0].integer(frame)? else { return Ok(Datum::Int(-1)) };
        let mut last = i128::MIN;
        for (number, node) in nodes[1..].iter().enumerate() {
            let Some(bound) = node.integer(frame)? else {
                return Err(EvalError::unsupported("INTERVAL() with NULL"));
            };
            if bound < last {
                return Err(EvalError::unsupported("INTERVAL() of unsorted numbers"));
            }
            last = bound;
            if value < bound {
                return Ok(Datum::Int(number as i64));
            }
        }
        Ok(Datum::Int(nodes.len() as i64 - 1))
    }))
}
