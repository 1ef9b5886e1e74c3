//! Functions that make strings of strings, and their lengths.

use super::{count, own_text, text_type};
use crate::expression::characters::Unit;
use crate::expression::context::{Context, Flavour};
use crate::expression::datum::{Datum, Evaluated};
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::node::{Frame, Node, refuse};
use crate::expression::types::{Kind, Type};

/// A string, or NULL with a warning where it is too long.
pub(super) fn limited(
    frame: &Frame<'_>,
    length: usize,
    make: impl FnOnce() -> Vec<u8>,
) -> Evaluated {
    if length > frame.context.max_allowed_packet {
        frame.warn();
        return Ok(Datum::Null);
    }
    Ok(Datum::Text(make()))
}

fn type_of_parts(args: &[Node], context: &Context) -> Result<Type, Unsupported> {
    let is_known = |node: &&Node| node.ty.kind != Kind::Null;
    match args.iter().any(|node| is_known(&node)) {
        true => text_type(args.iter().filter(is_known), context),
        false => Err(refuse("a string function of NULL")),
    }
}

/// `CONCAT`, `||`.
pub(crate) fn concat(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = type_of_parts(&args, context)?;
    Ok(Node::call(ty, args, |frame, nodes| {
        let mut whole = Vec::new();
        for node in nodes {
            let Some(mut part) = node.text(frame)? else { return Ok(Datum::Null) };
            if whole.len() + part.len() > frame.context.max_allowed_packet {
                frame.warn();
                return Ok(Datum::Null);
            }
            whole.append(&mut part);
        }
        Ok(Datum::Text(whole))
    }))
}

/// `CONCAT_WS`.
pub(super) fn concat_with(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = type_of_parts(&args, context)?;
    Ok(Node::call(ty, args, |frame, nodes| {
        let Some(separator) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let mut whole = Vec::new();
        let mut is_first = true;
        for node in &nodes[1..] {
            let Some(mut part) = node.text(frame)? else { continue };
            if whole.len() + separator.len() + part.len() > frame.context.max_allowed_packet {
                frame.warn();
                return Ok(Datum::Null);
            }
            if !is_first {
                whole.extend_from_slice(&separator);
            }
            is_first = false;
            whole.append(&mut part);
        }
        Ok(Datum::Text(whole))
    }))
}

/// `UPPER`, `LOWER`.
pub(super) fn change_case(
    args: Vec<Node>,
    is_upper: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let ty = text_type(&args, context)?;
    let unit = Unit::of(&ty);
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        if unit == Unit::Byte {
            return Ok(Datum::Text(text));
        }
        let text = String::from_utf8(text)
            .map_err(|_| EvalError::unsupported("a string that is not in its character set"))?;
        let changed: Option<String> =
            text.chars().map(|letter| in_case(letter, is_upper)).collect();
        match changed {
            Some(changed) => Ok(Datum::Text(changed.into_bytes())),
            None => Err(EvalError::unsupported("the case of these characters")),
        }
    }))
}

/// A letter in upper or lower case, for scripts whose letters all servers change alike.
fn in_case(letter: char, is_upper: bool) -> Option<char> {
    let is_sure = match letter {
        '\u{0}'..='\u{7f}' => true,
        'µ' | 'ÿ' => false,
        '\u{80}'..='\u{ff}' => true,
        // Cyrillic letters, and scripts without case.
        '\u{410}'..='\u{44f}' | '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' => true,
        _ => false,
    };
    if !is_sure {
        return None;
    }
    let mut changed: (Option<char>, Option<char>) = (None, None);
    if is_upper {
        let mut letters = letter.to_uppercase();
        changed = (letters.next(), letters.next());
    } else {
        let mut letters = letter.to_lowercase();
        changed.0 = letters.next();
    }
    match changed {
        (Some(changed), None) => Some(changed),
        // ß has no upper case of one letter.
        _ => Some(letter),
    }
}

/// `REVERSE`.
pub(super) fn reverse(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type(&args, context)?;
    let unit = Unit::of(&ty);
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        Ok(Datum::Text(unit.reversed(&text)?))
    }))
}

/// `REPLACE`: byte by byte, whatever the collation.
pub(super) fn replace(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type(&args, context)?;
    Ok(Node::call(ty, args, |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(from) = nodes[1].text(frame)? else { return Ok(Datum::Null) };
        let Some(to) = nodes[2].text(frame)? else {
            return replaced_by_null(frame, &text, &from);
        };
        if from.is_empty() {
            return Ok(Datum::Text(text));
        }
        let mut whole = Vec::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let is_found = text[at..].starts_with(&from);
            let part = if is_found { &to[..] } else { &text[at..=at] };
            whole.extend_from_slice(part);
            at += if is_found { from.len() } else { 1 };
            if whole.len() > frame.context.max_allowed_packet {
                frame.warn();
                return Ok(Datum::Null);
            }
        }
        Ok(Datum::Text(whole))
    }))
}

/// MariaDB may look at what stands in place only where it finds something.
fn replaced_by_null(frame: &Frame<'_>, text: &[u8], from: &[u8]) -> Evaluated {
    let is_found = !from.is_empty() && text.windows(from.len()).any(|part| part == from);
    let is_sure = frame.context.flavour == Flavour::MySql && !text.is_empty();
    match is_found || (is_sure && !from.is_empty()) {
        true => Ok(Datum::Null),
        false => Err(EvalError::unsupported("NULL in place of nothing")),
    }
}

/// `REPEAT`.
pub(super) fn repeat(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type(&args[..1], context)?;
    Ok(Node::call(ty, args, |frame, nodes| {
        let Some(text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(times) = count(frame, &nodes[1])? else { return Ok(Datum::Null) };
        let times = usize::try_from(times).unwrap_or(0);
        limited(frame, text.len().saturating_mul(times), || text.repeat(times))
    }))
}

/// `SPACE`.
pub(super) fn space(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    Ok(Node::call(own_text(context), args, |frame, nodes| {
        let Some(times) = count(frame, &nodes[0])? else { return Ok(Datum::Null) };
        let times = usize::try_from(times).unwrap_or(0);
        limited(frame, times, || vec![b' '; times])
    }))
}

/// `LPAD`, `RPAD`.
pub(super) fn pad(args: Vec<Node>, is_left: bool, context: &Context) -> Result<Node, Unsupported> {
    let ty = text_type([&args[0], &args[2]], context)?;
    let is_number = args[0].ty.kind != Kind::Text;
    let unit = Unit::of(&ty);
    Ok(Node::call(ty, args, move |frame, nodes| {
        let Some(mut text) = nodes[0].text(frame)? else { return Ok(Datum::Null) };
        let Some(length) = count(frame, &nodes[1])? else { return Ok(Datum::Null) };
        let Some(filling) = nodes[2].text(frame)? else { return Ok(Datum::Null) };
        let Ok(length) = usize::try_from(length) else { return Ok(Datum::Null) };
        let own = unit.count(&text)?;
        if length <= own {
            text.truncate(unit.offset(&text, length)?);
            return Ok(Datum::Text(text));
        }
        if is_number && !filling.is_ascii() {
            return Err(EvalError::unsupported("filling up a number with other characters"));
        }
        if filling.is_empty() {
            return Err(EvalError::unsupported("filling up with nothing"));
        }
        let missing = length - own;
        if missing > frame.context.max_allowed_packet {
            frame.warn();
            return Ok(Datum::Null);
        }
        let per_filling = unit.count(&filling)?;
        let mut padding = filling.repeat(missing / per_filling);
        padding.extend_from_slice(&filling[..unit.offset(&filling, missing % per_filling)?]);
        limited(frame, text.len() + padding.len(), || match is_left {
            true => [padding, text].concat(),
            false => [text, padding].concat(),
        })
    }))
}

/// `LENGTH`, `BIT_LENGTH`.
pub(super) fn length(args: Vec<Node>, factor: i64) -> Result<Node, Unsupported> {
    Ok(Node::call(Type::COUNT, args, move |frame, nodes| {
        Ok(nodes[0].text(frame)?.map_or(Datum::Null, |text| Datum::Int(text.len() as i64 * factor)))
    }))
}

/// `CHAR_LENGTH`.
pub(super) fn char_length(args: Vec<Node>) -> Result<Node, Unsupported> {
    let unit = Unit::of(&args[0].ty);
    Ok(Node::call(Type::COUNT, args, move |frame, nodes| match nodes[0].text(frame)? {
        Some(text) => Ok(Datum::Int(unit.count(&text)? as i64)),
        None => Ok(Datum::Null),
    }))
}

/// `ASCII`.
pub(super) fn first_byte(args: Vec<Node>) -> Result<Node, Unsupported> {
    if args[0].ty.kind == Kind::Double {
        return Err(refuse("ASCII of a DOUBLE"));
    }
    Ok(Node::call(Type::COUNT, args, |frame, nodes| {
        let text = nodes[0].text(frame)?;
        Ok(text.map_or(Datum::Null, |text| {
            Datum::Int(text.first().map_or(0, |&byte| i64::from(byte)))
        }))
    }))
}
