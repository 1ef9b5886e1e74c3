//! Comparison: of what types two values compare, and how.

use std::cmp::Ordering;

use sql::ast::BinaryOp;

use super::collate::aggregate;
use super::context::{Context, Flavour};
use super::datum::Datum;
use super::error::{EvalError, Unsupported};
use super::moment::{Moment, parse_time};
use super::node::{Frame, Node, refuse};
use super::text_order::TextOrder;
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

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Decimal | Kind::Double)
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
        let are_read = |read: fn(&[u8]) -> bool| {
            nodes.iter().all(|node| match node.literal() {
                Some(Datum::Text(text)) => read(text),
                _ => true,
            })
        };
        if kinds().all(|kind| matches!(kind, Kind::Date | Kind::DateTime | Kind::Text)) {
            if !are_read(|text| Moment::parse(text).is_some()) {
                return Err(refuse("comparing a date with such a string"));
            }
            return Ok(Self::Moments);
        }
        if kinds().all(|kind| matches!(kind, Kind::Time | Kind::Text)) {
            if !are_read(|text| parse_time(text).is_some()) {
                return Err(refuse("comparing a time with such a string"));
            }
            return Ok(Self::Times);
        }
        Err(refuse("comparing dates or times with values of other types"))
    }

    /// CASE and IN of MySQL take -1 for 18446744073709551615.
    pub(crate) fn check_signs(
        self,
        frame: &Frame<'_>,
        left: &Node,
        right: &Node,
    ) -> Result<(), EvalError> {
        let is_mixed = left.ty.is_unsigned != right.ty.is_unsigned;
        let is_exact = matches!(self, Self::Integers | Self::Decimals);
        if !is_mixed || !is_exact || frame.context.flavour == Flavour::MariaDb {
            return Ok(());
        }
        match (left.integer(frame)?, right.integer(frame)?) {
            (Some(left), Some(right)) if left != right && left as u64 == right as u64 => {
                Err(EvalError::unsupported("a negative number beside an unsigned one"))
            }
            _ => Ok(()),
        }
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
                let decimals = fixed_decimals(left, right);
                let (left, right) = both!(double);
                check_distance(left, right, decimals)?;
                left.partial_cmp(&right).unwrap_or(Ordering::Equal)
            }
            Self::Texts(order) => {
                let (left, right) = both!(text);
                order.compare(&left, &right)?
            }
            Self::Moments => {
                let (left, right) = both!(moment);
                left.cmp(&right)
            }
            Self::Times => {
                let (left, right) = both!(time);
                left.cmp(&right)
            }
        }))
    }
}

/// The longest fixed fraction of the two.
fn fixed_decimals(left: &Node, right: &Node) -> Option<u8> {
    [left, right].iter().filter(|node| node.ty.is_fixed()).map(|node| node.ty.decimals).max()
}

/// Doubles of a fixed number of decimals are equal where their difference is smaller than those can
/// show; which ones have a fixed number is not certain.
fn check_distance(left: f64, right: f64, decimals: Option<u8>) -> Result<(), EvalError> {
    let is_near = |decimals: u8| (left - right).abs() <= 5.0 / 10f64.powi(i32::from(decimals) + 1);
    match left != right && decimals.is_some_and(is_near) {
        true => Err(EvalError::unsupported("comparing almost equal doubles")),
        false => Ok(()),
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
    let texts = operands.iter().filter(|node| node.ty.kind == Kind::Text).count();
    let is_mixed = texts > 0 && operands.iter().any(|node| is_number(node.ty.kind));
    if is_mixed && operands[0].ty.kind == Kind::Text {
        return Err(refuse("a string between numbers"));
    }
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
    let is_fraction = |node: &Node| match node.literal() {
        Some(Datum::Text(text)) => !text.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if operands[0].ty.kind == Kind::Integer && operands[1..].iter().any(is_fraction) {
        return Err(refuse("an integer among strings that are none"));
    }
    let comparisons = with_first(&operands, context)?;
    Ok(Node::call(Type::INTEGER, operands, move |frame, nodes| {
        let mut found = Some(false);
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
