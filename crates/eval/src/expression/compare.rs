//! Comparison: of what types two values compare, and how.

use std::cmp::Ordering;

use sql::ast::BinaryOp;

use super::collate::aggregate;
use super::context::{Context, Flavour};
use super::datum::Datum;
use super::error::{EvalError, Unsupported};
use super::moment::{Moment, parse_time};
use super::node::{Frame, Node, both, refuse};
use super::text_order::TextOrder;
use super::types::{Kind, Type};
use crate::Decimal;

/// How two values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Integers,
    Decimals,
    /// Decimals in IN, CASE and BETWEEN, where it is not certain whether they are rounded first.
    ListedDecimals,
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
        Comparison::Decimals | Comparison::ListedDecimals => 1,
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

pub(crate) fn is_number(kind: Kind) -> bool {
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
        let is_made = |node: &&Node| {
            node.ty.kind == Kind::Text && node.is_constant() && node.literal().is_none()
        };
        if nodes.iter().any(is_made) {
            return Err(refuse("comparing a computed string with a number"));
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

    /// The same in a list.
    pub(crate) fn listed(self) -> Self {
        if self == Self::Decimals { Self::ListedDecimals } else { self }
    }

    /// CASE and IN of MySQL take -1 for 18446744073709551615.
    pub(crate) fn check_signs(
        self,
        frame: &Frame<'_>,
        left: &Node,
        right: &Node,
    ) -> Result<(), EvalError> {
        let is_mixed = left.ty.is_unsigned != right.ty.is_unsigned;
        let is_exact = matches!(self, Self::Integers | Self::ListedDecimals);
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
                match both(left, right, |node| node.$method(frame))? {
                    Some(pair) => pair,
                    None => return Ok(None),
                }
            }};
        }
        Ok(Some(match self {
            Self::Nothing => {
                both(left, right, |node| node.evaluate(frame).map(Some))?;
                return Ok(None);
            }
            Self::Integers => {
                let (left, right) = both!(integer);
                left.cmp(&right)
            }
            Self::Decimals => match both(left, right, |node| shown_decimal(frame, node))? {
                Some((left, right)) => left.cmp(&right),
                None => return Ok(None),
            },
            Self::ListedDecimals => {
                let order = Self::Decimals.compare(frame, left, right)?;
                let (left, right) = both!(decimal);
                if order != Some(left.cmp(&right)) {
                    return Err(EvalError::unsupported("comparing decimals that are not rounded"));
                }
                left.cmp(&right)
            }
            Self::Doubles => {
                let decimals = fixed_decimals(left, right);
                let is_exact = [left, right].iter().any(|node| is_exact(node.ty.kind));
                let (left, right) = both!(double);
                check_distance(left, right, decimals)?;
                check_precision(left, right, is_exact)?;
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

/// With no more digits than its type has.
fn shown_decimal(frame: &Frame<'_>, node: &Node) -> Result<Option<Decimal>, EvalError> {
    let decimals = node.ty.numeric().decimals;
    let value = node.decimal(frame)?;
    Ok(value.map(|one| if one.scale() > decimals { one.round(decimals) } else { one }))
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

fn is_exact(kind: Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Decimal)
}

/// Exact numbers that are the same double may still be compared as what they are.
fn check_precision(left: f64, right: f64, is_exact: bool) -> Result<(), EvalError> {
    match is_exact && left == right && left.abs() >= 9_007_199_254_740_992.0 {
        true => Err(EvalError::unsupported("comparing so great numbers as doubles")),
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
