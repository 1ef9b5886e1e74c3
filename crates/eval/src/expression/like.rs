//! LIKE.

use super::characters::Unit;
use super::collate::aggregate;
use super::context::Context;
use super::datum::Datum;
use super::error::{EvalError, Unsupported};
use super::node::{Node, refuse};
use super::text_order::TextOrder;
use super::types::{Kind, Type};

/// One piece of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// `%`
    Any,
    /// `_`
    One,
    /// A character, or a byte.
    Exactly(char),
}

/// `value [NOT] LIKE pattern [ESCAPE escape]`.
pub(crate) fn compile(
    value: Node,
    pattern: Node,
    escape: Option<Node>,
    is_negated: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    if !matches!(value.ty.kind, Kind::Text | Kind::Null | Kind::Integer | Kind::Decimal) {
        return Err(refuse("LIKE on values of this type"));
    }
    let escape = escape_character(escape, context)?;
    let operands = vec![value, pattern];
    super::functions::check_one_charset(&operands)?;
    let collation = aggregate(&operands, context)?;
    let order = TextOrder::of(&collation)?;
    let unit = Unit::of(&Type::text(collation));
    Ok(Node::call(Type::INTEGER, operands, move |frame, nodes| {
        let Some(value) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(pattern) = nodes[1].text(frame)? else { return Ok(Datum::Null) };
        let value = letters(&order.folded(&value)?, unit)?;
        let pattern = pieces(&order.folded(&pattern)?, unit, escape)?;
        Ok(Datum::truth(matches(&value, &pattern) != is_negated))
    }))
}

/// `None`: there is no escape character.
fn escape_character(escape: Option<Node>, context: &Context) -> Result<Option<char>, Unsupported> {
    let Some(escape) = escape else {
        return Ok((!context.no_backslash_escapes).then_some('\\'));
    };
    match escape.literal() {
        Some(Datum::Text(text)) if text.len() == 1 && !text[0].is_ascii_alphabetic() => {
            Ok(text[0].is_ascii().then_some(char::from(text[0])))
        }
        _ => Err(refuse("this escape character of LIKE")),
    }
}

fn letters(text: &[u8], unit: Unit) -> Result<Vec<char>, EvalError> {
    match unit {
        Unit::Byte => Ok(text.iter().map(|&byte| char::from(byte)).collect()),
        Unit::Character => match std::str::from_utf8(text) {
            Ok(text) => Ok(text.chars().collect()),
            Err(_) => Err(EvalError::unsupported("a string that is not in its character set")),
        },
    }
}

fn pieces(pattern: &[u8], unit: Unit, escape: Option<char>) -> Result<Vec<Piece>, EvalError> {
    let mut pieces = Vec::with_capacity(pattern.len());
    let mut letters = letters(pattern, unit)?.into_iter();
    while let Some(letter) = letters.next() {
        pieces.push(match letter {
            // At the end of the pattern it stands for itself.
            _ if Some(letter) == escape => Piece::Exactly(letters.next().unwrap_or(letter)),
            '%' => Piece::Any,
            '_' => Piece::One,
            letter => Piece::Exactly(letter),
        });
    }
    Ok(pieces)
}

/// Goes back to the last `%` only, so the time is bounded by the product of the lengths.
fn matches(value: &[char], pattern: &[Piece]) -> bool {
    let (mut at, mut piece) = (0, 0);
    let mut last_any: Option<(usize, usize)> = None;
    while at < value.len() {
        let is_met = match pattern.get(piece) {
            Some(Piece::Any) => {
                last_any = Some((piece, at));
                piece += 1;
                continue;
            }
            Some(Piece::One) => true,
            Some(Piece::Exactly(letter)) => *letter == value[at],
            None => false,
        };
        if is_met {
            at += 1;
            piece += 1;
            continue;
        }
        let Some((any, from)) = last_any else { return false };
        last_any = Some((any, from + 1));
        at = from + 1;
        piece = any + 1;
    }
    pattern[piece..].iter().all(|piece| *piece == Piece::Any)
}
