//! Numbers written in other ways: HEX, BIN, OCT, FORMAT, CRC32.

use super::own_text;
use crate::decimal::Rounding;
use crate::expression::context::Context;
use crate::expression::datum::Datum;
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::node::{Node, refuse};
use crate::expression::types::{Coercibility, Kind, Type};

const HEX_DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// `HEX` of an integer or a string.
pub(super) fn hex(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let kind = args[0].ty.kind;
    if !matches!(kind, Kind::Integer | Kind::Text) {
        return Err(refuse("HEX of such a value"));
    }
    Ok(Node::call(own_text(context), args, move |frame, nodes| {
        if kind == Kind::Integer {
            let value = nodes[0].integer(frame)?;
            return Ok(value.map_or(Datum::Null, |value| {
                Datum::Text(format!("{:X}", value as u64).into_bytes())
            }));
        }
        let text = nodes[0].text(frame)?;
        Ok(text.map_or(Datum::Null, |text| {
            let digits = text
                .iter()
                .flat_map(|byte| [byte >> 4, byte & 15])
                .map(|digit| HEX_DIGITS[usize::from(digit)]);
            Datum::Text(digits.collect())
        }))
    }))
}

/// `UNHEX`: NULL where a digit is none.
pub(super) fn unhex(args: Vec<Node>) -> Result<Node, Unsupported> {
    let ty = Type::text_of("binary", Coercibility::Coercible);
    Ok(Node::call(ty, args, |frame, nodes| {
        let Some(mut digits) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        if !digits.len().is_multiple_of(2) {
            digits.insert(0, b'0');
        }
        let value = |digit: u8| char::from(digit).to_digit(16);
        let bytes: Option<Vec<u8>> = digits
            .chunks_exact(2)
            .map(|pair| Some((value(pair[0])? * 16 + value(pair[1])?) as u8))
            .collect();
        if bytes.is_none() {
            frame.warn();
        }
        Ok(bytes.map_or(Datum::Null, Datum::Text))
    }))
}

/// `BIN`, `OCT`.
pub(super) fn in_base(args: Vec<Node>, base: u32, context: &Context) -> Result<Node, Unsupported> {
    if args[0].ty.kind != Kind::Integer {
        return Err(refuse("a number base of such a value"));
    }
    Ok(Node::call(own_text(context), args, move |frame, nodes| {
        let value = nodes[0].integer(frame)?;
        Ok(value.map_or(Datum::Null, |value| {
            let value = value as u64;
            Datum::Text(if base == 2 { format!("{value:b}") } else { format!("{value:o}") }.into())
        }))
    }))
}

/// `CRC32`.
pub(super) fn crc32(args: Vec<Node>) -> Result<Node, Unsupported> {
    Ok(Node::call(Type::UNSIGNED, args, |frame, nodes| {
        Ok(nodes[0]
            .text(frame)?
            .map_or(Datum::Null, |text| Datum::UInt(u64::from(checksum(&text)))))
    }))
}

/// # Source
/// ISO 3309: the polynomial 0x04C11DB7, bits reversed.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}

/// `FORMAT(number, decimals)` of exact numbers.
pub(super) fn format(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    if !matches!(args[0].ty.kind, Kind::Integer | Kind::Decimal) {
        return Err(refuse("FORMAT of such a value"));
    }
    Ok(Node::call(own_text(context), args, |frame, nodes| {
        let Some(number) = nodes[0].decimal(frame)? else { return Ok(Datum::Null) };
        let Some(decimals) = nodes[1].integer(frame)? else { return Ok(Datum::Null) };
        let rounded = number
            .round_at(decimals.clamp(0, 30) as i32, Rounding::HalfUp)
            .ok_or_else(|| EvalError::unsupported("a decimal of so many digits"))?
            .to_string();
        let (whole, fraction) = match rounded.find('.') {
            Some(at) => rounded.split_at(at),
            None => (rounded.as_str(), ""),
        };
        let (sign, digits) = match whole.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", whole),
        };
        let mut grouped = sign.to_owned();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped.push_str(fraction);
        Ok(Datum::Text(grouped.into_bytes()))
    }))
}
