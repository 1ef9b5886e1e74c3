//! CAST, CONVERT and COLLATE.

use super::arithmetic::{MAX_SCALE, check_operand};
use super::characters::Unit;
use super::collate::of_node;
use super::context::{Context, Flavour};
use super::datum::{Datum, Evaluated};
use super::error::{EvalError, Unsupported};
use super::moment::{DAY_MICROS, Moment};
use super::node::{Frame, Node, refuse};
use super::numeral;
use super::types::{Coercibility, Collation, Kind, Type};
use crate::Decimal;
use crate::decimal::Rounding;

/// `CAST(operand AS type)`.
pub(crate) fn compile(
    operand: Node,
    type_text: &str,
    context: &Context,
) -> Result<Node, Unsupported> {
    let unsupported = || refuse(format!("CAST AS {type_text}"));
    let text = type_text.trim().to_ascii_uppercase();
    let (name, lengths) = match text.split_once('(') {
        Some((name, rest)) => (name.trim(), rest.strip_suffix(')').ok_or_else(unsupported)?),
        None => (text.as_str(), ""),
    };
    let lengths = lengths
        .split(',')
        .filter(|length| !length.trim().is_empty())
        .map(|length| length.trim().parse::<usize>().map_err(|_| unsupported()))
        .collect::<Result<Vec<_>, _>>()?;
    match (name, lengths.as_slice()) {
        ("SIGNED" | "SIGNED INTEGER" | "SIGNED INT" | "INTEGER" | "INT", []) => {
            to_integer(operand, false)
        }
        ("UNSIGNED" | "UNSIGNED INTEGER" | "UNSIGNED INT", []) => to_integer(operand, true),
        ("DECIMAL" | "DEC" | "NUMERIC", []) => to_decimal(operand, 10, 0),
        ("DECIMAL" | "DEC" | "NUMERIC", &[digits]) => to_decimal(operand, digits, 0),
        ("DECIMAL" | "DEC" | "NUMERIC", &[digits, scale]) => to_decimal(operand, digits, scale),
        ("DOUBLE" | "DOUBLE PRECISION", []) => {
            check_operand(&operand)?;
            Ok(Node::call(Type::DOUBLE, vec![operand], |frame, nodes| {
                Ok(nodes[0].double(frame)?.map_or(Datum::Null, Datum::Double))
            }))
        }
        ("CHAR" | "CHARACTER" | "VARCHAR", lengths) if lengths.len() < 2 => {
            to_text(operand, lengths.first().copied(), context)
        }
        ("BINARY", lengths) if lengths.len() < 2 => to_bytes(operand, lengths.first().copied()),
        ("DATE", []) => Ok(to_date(operand)),
        ("DATETIME", []) => to_moment(operand, 0, context),
        ("DATETIME", &[decimals @ 0..=6]) => to_moment(operand, decimals as u8, context),
        ("TIME", []) => to_time(operand, 0),
        ("TIME", &[decimals @ 0..=6]) => to_time(operand, decimals as u8),
        _ => Err(unsupported()),
    }
}

fn to_integer(operand: Node, is_unsigned: bool) -> Result<Node, Unsupported> {
    check_operand(&operand)?;
    if operand.ty.kind.is_temporal() && operand.ty.decimals > 0 {
        return Err(refuse("CAST of fractional seconds"));
    }
    let kind = operand.ty.kind;
    Ok(Node::call(Type::integer(is_unsigned), vec![operand], move |frame, nodes| {
        let value = match kind {
            Kind::Text => match nodes[0].text(frame)? {
                None => None,
                Some(text) if text.iter().any(|byte| matches!(byte, b'e' | b'E')) => {
                    return Err(EvalError::unsupported("an exponent in a string as an integer"));
                }
                Some(text) => numeral::integer(&text).map(|read| frame.read(read)),
            },
            _ => nodes[0].integer(frame)?,
        };
        let Some(value) = value else { return Ok(Datum::Null) };
        let fits = match (kind, is_unsigned) {
            (Kind::Integer, _) => true,
            (_, true) => u64::try_from(value).is_ok(),
            (_, false) => i64::try_from(value).is_ok(),
        };
        if is_unsigned && value < 0 {
            frame.warn();
        }
        match (fits, is_unsigned) {
            (true, true) => Ok(Datum::UInt(value as u64)),
            (true, false) => Ok(Datum::Int(value as i64)),
            (false, _) => Err(EvalError::unsupported("a number beyond the range of BIGINT")),
        }
    }))
}

fn to_decimal(operand: Node, digits: usize, scale: usize) -> Result<Node, Unsupported> {
    check_operand(&operand)?;
    let digits = if digits == 0 { 10 } else { digits };
    if scale > usize::from(MAX_SCALE) || scale > digits || digits > 65 {
        return Err(refuse("a decimal of so many digits"));
    }
    let scale = scale as u8;
    let whole = digits - usize::from(scale);
    let mut nines = vec![b'9'; whole];
    nines.push(b'.');
    nines.resize(nines.len() + usize::from(scale), b'9');
    let largest = Decimal::parse(if digits == 0 { b"0" } else { &nines }).unwrap_or(Decimal::ZERO);
    Ok(Node::call(Type::decimal(scale), vec![operand], move |frame, nodes| {
        let Some(value) = nodes[0].decimal(frame)? else { return Ok(Datum::Null) };
        let rounded = value
            .round_at(i32::from(scale), Rounding::HalfUp)
            .ok_or_else(|| EvalError::unsupported("a decimal of so many digits"))?;
        if rounded.whole_digits() <= whole {
            return Ok(Datum::Decimal(rounded));
        }
        frame.warn();
        Ok(Datum::Decimal(if rounded.is_negative() { largest.negated() } else { largest }))
    }))
}

fn check_bytes(operand: &Node) -> Result<(), Unsupported> {
    match &operand.ty.collation {
        Some(collation) if !collation.keeps_bytes() => {
            Err(refuse(format!("strings in {}", collation.charset())))
        }
        _ => Ok(()),
    }
}

fn to_text(operand: Node, length: Option<usize>, context: &Context) -> Result<Node, Unsupported> {
    check_bytes(&operand)?;
    let from = of_node(&operand, context);
    let ty = Type::text(Collation {
        name: context.collation.clone(),
        coercibility: Coercibility::Implicit,
    });
    let unit = Unit::of(&ty);
    Ok(Node::call(ty, vec![operand], move |frame, nodes| {
        let Some(mut text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        if from.is_binary() && !text.is_ascii() {
            return Err(EvalError::unsupported("bytes as characters"));
        }
        if let Some(length) = length {
            let end = unit.offset(&text, length)?;
            if end < text.len() {
                frame.warn();
                text.truncate(end);
            }
        }
        Ok(Datum::Text(text))
    }))
}

fn to_bytes(operand: Node, length: Option<usize>) -> Result<Node, Unsupported> {
    check_bytes(&operand)?;
    let ty = Type::text_of("binary", Coercibility::Implicit);
    Ok(Node::call(ty, vec![operand], move |frame, nodes| {
        let Some(mut text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        if let Some(length) = length {
            if length > frame.context.max_allowed_packet {
                return Err(EvalError::unsupported("a byte string this long"));
            }
            if length < text.len() {
                frame.warn();
            }
            text.resize(length, 0);
        }
        Ok(Datum::Text(text))
    }))
}

fn to_date(operand: Node) -> Node {
    Node::call(Type::DATE, vec![operand], |frame, nodes| {
        Ok(match nodes[0].moment(frame)? {
            Some(moment) => Datum::Moment(Moment { micros: 0, ..moment }),
            None => Datum::Null,
        })
    })
}

fn to_moment(operand: Node, decimals: u8, context: &Context) -> Result<Node, Unsupported> {
    if context.has_special_mode {
        return Err(refuse("CAST AS DATETIME under this sql_mode"));
    }
    Ok(Node::call(Type::date_time(decimals), vec![operand], move |frame, nodes| {
        match nodes[0].moment(frame)? {
            Some(moment) => shortened(frame, moment, decimals),
            None => Ok(Datum::Null),
        }
    }))
}

/// With so many digits behind the seconds: MySQL rounds, MariaDB cuts.
fn shortened(frame: &Frame<'_>, moment: Moment, decimals: u8) -> Evaluated {
    let unit = 10i64.pow(u32::from(6 - decimals));
    let rest = moment.micros % unit;
    let cut = Moment { micros: moment.micros - rest, ..moment };
    if rest * 2 < unit || frame.context.flavour == Flavour::MariaDb {
        return Ok(Datum::Moment(cut));
    }
    let micros = cut.micros + unit;
    if micros < DAY_MICROS {
        return Ok(Datum::Moment(Moment { micros, ..cut }));
    }
    match moment.is_whole().then(|| Moment::from_total_micros(cut.total_micros() + unit)).flatten()
    {
        Some(next_day) => Ok(Datum::Moment(next_day)),
        None => Err(EvalError::unsupported("rounding up to the next day")),
    }
}

fn to_time(operand: Node, decimals: u8) -> Result<Node, Unsupported> {
    let unit = 10i64.pow(u32::from(6 - decimals));
    Ok(Node::call(Type::time(decimals), vec![operand], move |frame, nodes| {
        let Some(micros) = nodes[0].time(frame)? else { return Ok(Datum::Null) };
        match micros % unit {
            0 => Ok(Datum::Time(micros)),
            rest if frame.context.flavour == Flavour::MariaDb || rest.abs() * 2 < unit => {
                Ok(Datum::Time(micros - rest))
            }
            _ => Err(EvalError::unsupported("rounding a time")),
        }
    }))
}

/// `operand COLLATE name`.
pub(crate) fn collate(mut operand: Node, name: &str) -> Result<Node, Unsupported> {
    let wanted =
        Collation { name: name.to_ascii_lowercase().into(), coercibility: Coercibility::Explicit };
    let has_charset =
        operand.ty.collation.as_ref().is_some_and(|own| own.charset() == wanted.charset());
    if !has_charset {
        return Err(refuse(format!("COLLATE {name} here")));
    }
    operand.ty.collation = Some(wanted);
    Ok(operand)
}
