//! Comparison: of what types two values compare, and how.

use std::cmp::Ordering;

use sql::ast::BinaryOp;

use super::collate::{TextOrder, aggregate};
use super::context::Context;
use super::datum::Datum;
use super::error::{EvalError, Unsupported};
use super::node::{Frame, Node, refuse};
use super::types::{Kind, Type};
use crate::Decimal;

/// How two values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Integers,
    Decimals,
    Doubles,
    Texts(TextOrder),
    /// Dates and moments, strings read as such.
    Moments,
    Times,
    /// One of them is always NULL.
    Nothing,
}

/// The rank of number types: a comparison is one of the higher.
fn rank(comparison: Comparison) -> u8 {
    match comparison {
        Comparison::Integers => 0,
        Comparison::Decimals => 1,
        _ => 2,
    }
}

fn numbers(kind: Kind) -> Comparison {
    match kind {
        Kind::Integer => Comparison::Integers,
        Kind::Decimal => Comparison::Decimals,
        _ => Comparison::Doubles,
    }
}

impl Comparison {
    /// Of two or more values that compare alike, as in BETWEEN.
    pub(crate) fn of(nodes: &[&Node], context: &Context) -> Result<Self, Unsupported> {
        let kinds = || nodes.iter().map(|node| node.ty.kind).filter(|&kind| kind != Kind::Null);
        if kinds().count() < 2 {
            return Ok(Self::Nothing);
        }
        if kinds().any(Kind::is_temporal) {
            return Self::of_temporal(nodes);
        }
        let is_text = |kind: Kind| kind == Kind::Text;
        if kinds().all(is_text) {
            return TextOrder::of(&aggregate(nodes.iter().copied(), context)?).map(Self::Texts);
        }
        let binary = nodes.iter().filter_map(|node| node.ty.collation.as_ref());
        if binary.into_iter().any(|collation| collation.is_binary()) {
            return Err(refuse("comparing byte strings with numbers"));
        }
        Ok(kinds().map(numbers).max_by_key(|&comparison| rank(comparison)).unwrap_or(Self::Nothing))
    }

    fn of_temporal(nodes: &[&Node]) -> Result<Self, Unsupported> {
        let kinds = || nodes.iter().map(|node| node.ty.kind).filter(|&kind| kind != Kind::Null);
        let is_text_literal = |node: &&Node| node.ty.kind != Kind::Text || node.literal().is_some();
        if !nodes.iter().all(is_text_literal) {
            return Err(refuse("comparing dates with strings that are not literals"));
        }
        if kinds().all(|kind| matches!(kind, Kind::Date | Kind::DateTime | Kind::Text)) {
            return Ok(Self::Moments);
        }
        if kinds().all(|kind| matches!(kind, Kind::Time | Kind::Text)) {
            return Ok(Self::Times);
        }
        Err(refuse("comparing dates or times with values of other types"))
    }

    /// `None` where one is NULL.
    pub(crate) fn compare(
        self,
        frame: &Frame<'_>,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Ordering>, EvalError> {
        macro_rules! both {
            ($method:ident) => {{
                let Some(left) = left.$method(frame)? else { return Ok(None) };
                let Some(right) = right.$method(frame)? else { return Ok(None) };
                (left, right)
            }};
        }
        Ok(Some(match self {
            Self::Nothing => return Ok(None),
            Self::Integers => {
                let (left, right) = both!(integer);
                left.cmp(&right)
            }
            Self::Decimals => {
                let decimal = |node: &Node| -> Result<Option<Decimal>, EvalError> {
                    let decimals = node.ty.numeric().decimals;
                    let value = node.decimal(frame)?;
                    Ok(value
                        .map(|one| if one.scale() > decimals { one.round(decimals) } else { one }))
                };
                let Some(left) = decimal(left)? else { return Ok(None) };
                let Some(right) = decimal(right)? else { return Ok(None) };
                left.cmp(&right)
            }
            Self::Doubles => {
                let (left, right) = both!(double);
                left.partial_cmp(&right).unwrap_or(Ordering::Equal)
            }
            Self::Texts(order) => {
                let (left, right) = both!(text);
                order.compare(&left, &right)?
            }
            Self::Moments => {
                let Some(left) = left.moment(frame)? else { return unreadable(left) };
                let Some(right) = right.moment(frame)? else { return unreadable(right) };
                left.cmp(&right)
            }
            Self::Times => {
                let (left, right) = both!(time);
                left.cmp(&right)
            }
        }))
    }
}

/// What servers make of a string that is no date, where a date is compared with it, differs.
fn unreadable(node: &Node) -> Result<Option<Ordering>, EvalError> {
    match node.literal() {
        Some(Datum::Text(_)) => Err(EvalError::unsupported("a string that is no date")),
        _ => Ok(None),
    }
}

/// True where the operator holds for values in this order.
fn holds(op: BinaryOp, order: Ordering) -> bool {
    match op {
        BinaryOp::Equal | BinaryOp::NullSafeEqual => order.is_eq(),
        BinaryOp::NotEqual => order.is_ne(),
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessOrEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// `left op right`.
pub(crate) fn compile(
    op: BinaryOp,
    left: Node,
    right: Node,
    context: &Context,
) -> Result<Node, Unsupported> {
    let operands = vec![left, right];
    let comparison = Comparison::of(&operands.iter().collect::<Vec<_>>(), context)?;
    let is_null_safe = op == BinaryOp::NullSafeEqual;
    Ok(Node::call(Type::INTEGER, operands, move |frame, nodes| {
        let order = comparison.compare(frame, &nodes[0], &nodes[1])?;
        if is_null_safe && order.is_none() {
            let is_null = |node: &Node| Ok::<_, EvalError>(node.evaluate(frame)? == Datum::Null);
            return Ok(Datum::truth(is_null(&nodes[0])? && is_null(&nodes[1])?));
        }
        Ok(Datum::of_truth(order.map(|order| holds(op, order))))
    }))
}

/// `value [NOT] BETWEEN low AND high`.
pub(crate) fn between(
    operands: Vec<Node>,
    is_negated: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let comparison = Comparison::of(&operands.iter().collect::<Vec<_>>(), context)?;
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
    let comparisons = with_first(&operands, context)?;
    Ok(Node::call(Type::INTEGER, operands, move |frame, nodes| {
        let mut found = Some(false);
        for (comparison, node) in comparisons.iter().zip(&nodes[1..]) {
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
            (comparison, _) => Ok(comparison),
        })
        .collect()
}
