//! ROUND, TRUNCATE, CEILING, FLOOR.

use crate::column_type::NOT_FIXED_DECIMALS;
use crate::decimal::Rounding;
use crate::expression::NoRow;
use crate::expression::arithmetic::{MAX_SCALE, check_operand};
use crate::expression::context::{Context, Flavour};
use crate::expression::datum::{Datum, Evaluated};
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::node::{Frame, Node, refuse};
use crate::expression::types::{Kind, Type};

/// `ROUND(x[, places])`, `TRUNCATE(x, places)`; the places are a constant.
pub(super) fn round(
    mut args: Vec<Node>,
    is_cut: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let places = match args.len() {
        2 => args.pop(),
        _ => None,
    };
    let Some(operand) = args.pop() else { return Err(refuse("ROUND of nothing")) };
    check_operand(&operand)?;
    let places = match places {
        None => 0,
        Some(places) => constant_places(&places, context)?,
    };
    let source = operand.ty.numeric();
    match source.kind {
        Kind::Double => Ok(round_double(operand, places, is_cut, context)),
        Kind::Decimal => {
            let longest = match context.flavour {
                Flavour::MySql => source.decimals,
                Flavour::MariaDb => MAX_SCALE,
            };
            let scale = places.clamp(0, i32::from(longest)) as u8;
            let rounding = if is_cut { Rounding::Truncate } else { Rounding::HalfUp };
            Ok(Node::call(Type::decimal(scale), vec![operand], move |frame, nodes| {
                match nodes[0].decimal(frame)? {
                    Some(value) => frame.scaled(value.round_at(places, rounding), scale),
                    None => Ok(Datum::Null),
                }
            }))
        }
        _ => {
            // MariaDB makes decimals of them.
            let is_long = operand.ty.is_unsigned || (places < 0 && !operand.ty.is_narrow);
            if is_long && context.flavour == Flavour::MariaDb {
                return Err(refuse("rounding of such an integer"));
            }
            Ok(round_integer(operand, places, is_cut))
        }
    }
}

fn constant_places(places: &Node, context: &Context) -> Result<i32, Unsupported> {
    let is_integer = places.ty.kind == Kind::Integer && places.is_constant();
    let frame = Frame { row: &NoRow, context, warnings: std::cell::Cell::new(0) };
    match is_integer.then(|| places.integer(&frame)) {
        Some(Ok(Some(places))) => Ok(places.clamp(-100, 100) as i32),
        _ => Err(refuse("rounding at a place that is no constant")),
    }
}

fn round_integer(operand: Node, places: i32, is_cut: bool) -> Node {
    let is_unsigned = operand.ty.is_unsigned;
    Node::call(Type::integer(is_unsigned), vec![operand], move |frame, nodes| {
        let Some(value) = nodes[0].integer(frame)? else { return Ok(Datum::Null) };
        if places >= 0 {
            return Datum::integer(value, is_unsigned);
        }
        let Some(unit) = 10i128.checked_pow(places.unsigned_abs()) else {
            return Datum::integer(0, is_unsigned);
        };
        let rest = value % unit;
        let cut = value - rest;
        let step = if rest.abs() * 2 >= unit && !is_cut { unit * value.signum() } else { 0 };
        Datum::integer(cut + step, is_unsigned)
            .map_err(|_| EvalError::unsupported("rounding beyond the range of BIGINT"))
    })
}

fn round_double(operand: Node, places: i32, is_cut: bool, context: &Context) -> Node {
    let decimals = match context.flavour {
        Flavour::MySql => NOT_FIXED_DECIMALS,
        Flavour::MariaDb => places.clamp(0, 31) as u8,
    };
    Node::call(Type::double(decimals), vec![operand], move |frame, nodes| {
        let Some(value) = nodes[0].double(frame)? else { return Ok(Datum::Null) };
        double_at(frame, value, places, is_cut)
    })
}

/// As the servers do it: scaled by a power of ten, made whole, scaled back.
fn double_at(frame: &Frame<'_>, value: f64, places: i32, is_cut: bool) -> Evaluated {
    if places.abs() > 22 {
        return Err(EvalError::unsupported("rounding a double at so far a place"));
    }
    let power = 10f64.powi(places.abs());
    let whole = |value: f64| if is_cut { value.trunc() } else { value.round_ties_even() };
    let rounded = match places < 0 {
        true => whole(value / power) * power,
        false if (value * power).is_infinite() => value,
        false => whole(value * power) / power,
    };
    frame.finite(rounded)
}

fn whole_double(context: &Context) -> Type {
    match context.flavour {
        Flavour::MySql => Type::DOUBLE,
        Flavour::MariaDb => Type::double(0),
    }
}

/// `CEILING`, `FLOOR`.
pub(super) fn to_whole(
    args: Vec<Node>,
    is_up: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    check_operand(&args[0])?;
    let source = args[0].ty.numeric();
    let rounding = if is_up { Rounding::Ceiling } else { Rounding::Floor };
    match source.kind {
        Kind::Double => {
            Ok(Node::call(whole_double(context), args, move |frame, nodes| {
                match nodes[0].double(frame)? {
                    Some(value) => frame.finite(if is_up { value.ceil() } else { value.floor() }),
                    None => Ok(Datum::Null),
                }
            }))
        }
        Kind::Decimal => Ok(Node::call(Type::INTEGER, args, move |frame, nodes| {
            let Some(value) = nodes[0].decimal(frame)? else { return Ok(Datum::Null) };
            let whole = value.to_integer(rounding).and_then(|whole| i64::try_from(whole).ok());
            whole
                .map(Datum::Int)
                .ok_or_else(|| EvalError::unsupported("rounding beyond the range of BIGINT"))
        })),
        _ => {
            let is_unsigned = source.is_unsigned;
            Ok(Node::call(Type::integer(is_unsigned), args, move |frame, nodes| {
                match nodes[0].integer(frame)? {
                    Some(value) => Datum::integer(value, is_unsigned),
                    None => Ok(Datum::Null),
                }
            }))
        }
    }
}
