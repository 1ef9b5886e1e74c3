//! BETWEEN and IN, and CASE's comparisons: one value beside several.

use std::cmp::Ordering;

use super::collate::aggregate;
use super::compare::{Comparison, is_number};
use super::context::Context;
use super::datum::Datum;
use super::error::{EvalError, Unsupported};
use super::node::{Frame, Node, refuse};
use super::numeral;
use super::text_order::TextOrder;
use super::types::{Kind, Type};

/// `value [NOT] BETWEEN low AND high`.
pub(crate) fn between(
    operands: Vec<Node>,
    is_negated: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let texts = operands.iter().filter(|node| node.ty.kind == Kind::Text).count();
    let is_mixed = texts > 0 && operands.iter().any(|node| is_number(node.ty.kind));
    if is_mixed && operands[0].ty.kind == Kind::Text {
        return Err(refuse("a string between numbers"));
    }
    let comparison = Comparison::of(&operands.iter().collect::<Vec<_>>(), context)?.listed();
    Ok(Node::call(Type::INTEGER, operands, move |frame, nodes| {
        let low = comparison.compare(frame, &nodes[0], &nodes[1])?.map(Ordering::is_ge);
        let high = comparison.compare(frame, &nodes[0], &nodes[2])?.map(Ordering::is_le);
        let within = match (low, high) {
            (Some(low), Some(high)) => Some(low && high),
            (Some(false), None) | (None, Some(false)) => Some(false),
            _ => None,
        };
        Ok(Datum::of_truth(within.map(|within| within != is_negated)))
    }))
}

/// `value [NOT] IN (..)`; the value is the first operand.
pub(crate) fn in_list(
    operands: Vec<Node>,
    is_negated: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let is_fraction = |node: &Node| match node.literal() {
        Some(Datum::Text(text)) => !text.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    let is_computed = |node: &Node| {
        node.ty.kind == Kind::Double && node.is_constant() && node.literal().is_none()
    };
    let is_unlike = |node: &Node| is_fraction(node) || is_computed(node);
    let is_no_number = |node: &Node| match node.literal() {
        Some(Datum::Text(text)) => !numeral::double(text).is_whole,
        _ => false,
    };
    let is_wrong = match operands[0].ty.kind {
        Kind::Integer => operands[1..].iter().any(is_unlike),
        kind => is_number(kind) && operands[1..].iter().any(is_no_number),
    };
    if is_wrong {
        return Err(refuse("a number among values that are none"));
    }
    let comparisons = with_first(&operands, context)?;
    Ok(Node::call(Type::INTEGER, operands, move |frame, nodes| {
        let mut found = Some(false);
        if nodes[0].evaluate(frame)? == Datum::Null {
            check_errors(frame, &nodes[1..])?;
        }
        for (comparison, node) in comparisons.iter().zip(&nodes[1..]) {
            comparison.check_signs(frame, &nodes[0], node)?;
            match comparison.compare(frame, &nodes[0], node)? {
                Some(Ordering::Equal) => {
                    found = Some(true);
                    break;
                }
                Some(_) => {}
                None => found = None,
            }
        }
        Ok(Datum::of_truth(found.map(|found| found != is_negated)))
    }))
}

/// Where the value is NULL, the list may be evaluated or not.
fn check_errors(frame: &Frame<'_>, list: &[Node]) -> Result<(), EvalError> {
    match list.iter().all(|node| node.evaluate(frame).is_ok()) {
        true => Ok(()),
        false => Err(EvalError::unsupported("an error in the list of IN")),
    }
}

/// How the first operand compares with each of the others: strings by the collation of all.
pub(crate) fn with_first(
    operands: &[Node],
    context: &Context,
) -> Result<Vec<Comparison>, Unsupported> {
    let texts = || operands.iter().filter(|node| node.ty.kind == Kind::Text);
    let order = match texts().count() {
        0 | 1 => None,
        _ => Some(aggregate(texts(), context)?),
    };
    operands[1..]
        .iter()
        .map(|node| match (Comparison::of(&[&operands[0], node], context)?, &order) {
            (Comparison::Texts(_), Some(order)) => TextOrder::of(order).map(Comparison::Texts),
            (comparison, _) => Ok(comparison.listed()),
        })
        .collect()
}
