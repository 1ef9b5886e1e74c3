//! Literals and parameters.

use sql::ast::Literal;

use super::context::Context;
use super::datum::Datum;
use super::error::Unsupported;
use super::moment::{Moment, parse_time};
use super::node::{Node, refuse};
use super::types::{Coercibility, Type};
use crate::{Decimal, Value};

/// Digits behind the point of the seconds.
fn fraction_digits(text: &str) -> u8 {
    text.rsplit_once('.').map_or(0, |(_, fraction)| fraction.len().min(6) as u8)
}

pub(crate) fn compile(literal: &Literal, context: &Context) -> Result<Node, Unsupported> {
    match literal {
        Literal::Null => Ok(Node::constant(Datum::Null, Type::NULL)),
        Literal::Bool(value) => Ok(Node::constant(Datum::truth(*value), Type::INTEGER)),
        Literal::Number(text) => number(text),
        Literal::String { value, introducer } => string(value, introducer.as_deref(), context),
        Literal::Hex(bytes) | Literal::Bit(bytes) => {
            Ok(Node::constant(Datum::Text(bytes.clone()), binary()))
        }
        Literal::Temporal { keyword, value } => temporal(keyword, value),
        Literal::Plain(_) => Err(refuse("a literal that stands in the text only")),
    }
}

fn binary() -> Type {
    Type::text_of("binary", Coercibility::Coercible)
}

fn number(text: &str) -> Result<Node, Unsupported> {
    let unsupported = || refuse("a number of so many digits");
    if text.contains(['e', 'E']) {
        let value: f64 = text.parse().map_err(|_| unsupported())?;
        return match value.is_finite() {
            true => Ok(Node::constant(Datum::Double(value), Type::DOUBLE)),
            false => Err(unsupported()),
        };
    }
    if !text.contains('.') {
        if let Ok(value) = text.parse::<i64>() {
            let is_narrow = i32::try_from(value).is_ok();
            let ty = Type { is_narrow, ..Type::INTEGER };
            return Ok(Node::constant(Datum::Int(value), ty));
        }
        if let Ok(value) = text.parse::<u64>() {
            return Ok(Node::constant(Datum::UInt(value), Type::UNSIGNED));
        }
    }
    let value = Decimal::parse(text.as_bytes())
        .filter(|value| value.is_showable() && value.scale() <= super::arithmetic::MAX_SCALE)
        .ok_or_else(unsupported)?;
    Ok(Node::constant(Datum::Decimal(value), Type::decimal(value.scale())))
}

fn string(value: &[u8], introducer: Option<&str>, context: &Context) -> Result<Node, Unsupported> {
    let ty = match introducer.map(|name| name.trim_start_matches('_').to_ascii_lowercase()) {
        None => Type::text_of(&context.collation, Coercibility::Coercible),
        Some(charset) if charset == "binary" => binary(),
        Some(charset) if context.collation.starts_with(&format!("{charset}_")) => {
            // The character set's default collation, which is a setting of the server.
            return Err(refuse("a string with an introducer"));
        }
        Some(_) => return Err(refuse("a string with an introducer")),
    };
    if !ty.collation.as_ref().is_some_and(|collation| collation.keeps_bytes()) {
        return Err(refuse("a string in this character set"));
    }
    let is_readable = introducer.is_some() || std::str::from_utf8(value).is_ok();
    match is_readable {
        true => Ok(Node::constant(Datum::Text(value.to_vec()), ty)),
        false => Err(refuse("a string that is not in its character set")),
    }
}

fn temporal(keyword: &str, value: &str) -> Result<Node, Unsupported> {
    let bytes = value.as_bytes();
    let decimals = fraction_digits(value);
    let read = match keyword {
        "DATE" => Moment::parse(bytes)
            .filter(|_| bytes.len() == 10)
            .map(|moment| (Datum::Moment(moment), Type::DATE, moment)),
        "TIMESTAMP" => Moment::parse(bytes)
            .filter(|_| bytes.len() > 10)
            .map(|moment| (Datum::Moment(moment), Type::date_time(decimals), moment)),
        _ => {
            let micros = parse_time(bytes).ok_or_else(|| refuse("a time in an unusual form"))?;
            return Ok(Node::constant(Datum::Time(micros), Type::time(decimals)));
        }
    };
    match read {
        // Zeros in dates are for `sql_mode` to allow.
        Some((datum, ty, moment)) if moment.is_whole() => Ok(Node::constant(datum, ty)),
        _ => Err(refuse("a date in an unusual form")),
    }
}

/// A constant of this value, as a literal would give it.
pub(crate) fn of_value(value: &Value<'_>, context: &Context) -> Result<Node, Unsupported> {
    let ty = match value {
        Value::Null => Type::NULL,
        Value::Int(_) => Type::INTEGER,
        Value::UInt(_) => Type::UNSIGNED,
        Value::Double(_) => Type::DOUBLE,
        Value::Decimal(text) => return number_of_decimal(text),
        Value::Bytes(bytes) => return string(bytes, None, context),
    };
    match Datum::of_value(value, &ty) {
        Ok(datum) => Ok(Node::constant(datum, ty)),
        Err(_) => Err(refuse("this parameter")),
    }
}

fn number_of_decimal(text: &str) -> Result<Node, Unsupported> {
    let value =
        Decimal::parse(text.as_bytes()).ok_or_else(|| refuse("a number of so many digits"))?;
    Ok(Node::constant(Datum::Decimal(value), Type::decimal(value.scale())))
}
