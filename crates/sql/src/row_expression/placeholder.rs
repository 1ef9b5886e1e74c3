//! One `${..}` or `$->{..}`: where it is and which values it has.

use super::{MAX_ITEMS, RowExpressionError};

const OPENINGS: [&str; 2] = ["${", "$->{"];

/// Where the first placeholder of `text` begins.
pub(super) fn find(text: &str) -> Option<usize> {
    OPENINGS.iter().filter_map(|opening| text.find(opening)).min()
}

/// The length of the placeholder that `text` begins with, if it does and is closed.
pub(super) fn length(text: &str) -> Option<usize> {
    let opening = OPENINGS.iter().find(|opening| text.starts_with(**opening))?;
    closing(&text[opening.len()..]).map(|at| opening.len() + at + 1)
}

/// The values of the placeholder that `text` begins with, and its length.
pub(super) fn values(text: &str) -> Result<(Vec<String>, usize), RowExpressionError> {
    let unclosed = || RowExpressionError::Unclosed(text.to_owned());
    let length = length(text).ok_or_else(unclosed)?;
    let body = text[..length - 1].split_once('{').ok_or_else(unclosed)?.1;
    let values =
        evaluate(body.trim()).ok_or_else(|| RowExpressionError::Unsupported(body.to_owned()))?;
    if values.len() > MAX_ITEMS { Err(RowExpressionError::TooMany) } else { Ok((values, length)) }
}

/// The first `}` outside of quotes.
fn closing(body: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in body.bytes().enumerate() {
        match (quote, byte) {
            (None, b'}') => return Some(at),
            (None, b'\'' | b'"') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// A range, a list, or one value. One value too many stands for "too many".
fn evaluate(body: &str) -> Option<Vec<String>> {
    let Some(list) = body.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return range(body).or_else(|| Some(vec![scalar(body)?]));
    };
    let mut values = Vec::new();
    for element in elements(list) {
        match range(element) {
            Some(range) => values.extend(range),
            None => values.push(scalar(element)?),
        }
        if values.len() > MAX_ITEMS {
            break;
        }
    }
    Some(values)
}

/// The elements of a list; commas in quotes do not separate.
fn elements(list: &str) -> Vec<&str> {
    let mut elements = Vec::new();
    let mut quote = None;
    let mut start = 0;
    for (at, byte) in list.bytes().enumerate() {
        match (quote, byte) {
            (None, b',') => {
                elements.push(list[start..at].trim());
                start = at + 1;
            }
            (None, b'\'' | b'"') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    elements.push(list[start..].trim());
    elements
}

/// `0..3`; `3..0` counts down.
fn range(text: &str) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..")?;
    let first: i64 = first.trim().parse().ok()?;
    let last: i64 = last.trim().parse().ok()?;
    let count = first.abs_diff(last).min(MAX_ITEMS as u64) as i64;
    let step = if last < first { -1 } else { 1 };
    Some((0..=count).map(|offset| (first + offset * step).to_string()).collect())
}

/// `'a'`, `"a"`, `5`.
fn scalar(text: &str) -> Option<String> {
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            let is_plain = !inner.contains([quote, '\\', '$']);
            return is_plain.then(|| inner.to_owned());
        }
    }
    text.parse::<i64>().ok().map(|number| number.to_string())
}
