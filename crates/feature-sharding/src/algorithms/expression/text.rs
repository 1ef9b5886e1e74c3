//! Methods of strings. Positions count UTF-16 units, as in Java.

use super::MAX_TEXT_BYTES;
use super::method::Method;
use super::value::Value;

const OUTSIDE: &str = "a position lies outside the string";

/// `text.method(arguments)`; `None` where strings do not have it.
pub(super) fn call(
    text: &str,
    method: Method,
    arguments: &[Value],
) -> Result<Option<Value>, String> {
    let first = || match arguments.first() {
        Some(Value::Text(text)) => Ok(text.as_str()),
        _ => Err(format!("{} needs a string", method.name())),
    };
    let position = |index: usize| arguments.get(index).map_or(Ok(0), Value::as_position);
    let found = |at: Option<usize>| match at {
        Some(at) => Value::Int(units(&text[..at]) as i32),
        None => Value::Int(-1),
    };
    Ok(Some(match method {
        Method::Contains => Value::Boolean(text.contains(first()?)),
        Method::EndsWith => Value::Boolean(text.ends_with(first()?)),
        Method::StartsWith => Value::Boolean(text.starts_with(first()?)),
        Method::IsEmpty => Value::Boolean(text.is_empty()),
        Method::Length | Method::Size => Value::Int(units(text) as i32),
        Method::IndexOf => found(text.find(first()?)),
        Method::LastIndexOf => found(text.rfind(first()?)),
        Method::Substring => {
            let end = if arguments.len() > 1 { position(1)? } else { units(text) as i64 };
            Value::Text(slice(text, position(0)?, end)?)
        }
        Method::Take => Value::Text(slice(text, 0, position(0)?.clamp(0, units(text) as i64))?),
        Method::Drop => {
            let length = units(text) as i64;
            Value::Text(slice(text, position(0)?.clamp(0, length), length)?)
        }
        Method::PadLeft | Method::PadRight => Value::Text(pad(text, method, arguments)?),
        Method::Replace => Value::Text(replace(text, arguments)?),
        Method::Reverse => Value::Text(text.chars().rev().collect()),
        Method::Split => Value::List(split(text, first()?)?),
        Method::Trim => Value::Text(text.trim_matches(|c: char| c <= ' ').to_owned()),
        Method::ToLowerCase => Value::Text(text.to_lowercase()),
        Method::ToUpperCase => Value::Text(text.to_uppercase()),
        Method::ToInteger => Value::Int(parse(text.trim_matches(|c: char| c <= ' '))?),
        Method::ToLong => Value::Long(parse(text.trim_matches(|c: char| c <= ' '))?),
        Method::ToBigInteger => Value::Big(parse(text.trim_matches(|c: char| c <= ' '))?),
        Method::Plus => {
            let argument = arguments.first().map_or(Ok(String::new()), Value::print)?;
            Value::Text(format!("{text}{argument}"))
        }
        _ => return Ok(None),
    }))
}

/// How many UTF-16 units.
pub(super) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// A decimal integer as Java reads it: one sign, then digits.
pub(super) fn parse<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is not a number of that type"))
}

/// The units `start..end`.
pub(super) fn slice(text: &str, start: i64, end: i64) -> Result<String, String> {
    let length = units(text);
    let inside = |position: i64| usize::try_from(position).ok().filter(|at| *at <= length);
    let (start, end) = (inside(start).ok_or(OUTSIDE)?, inside(end).ok_or(OUTSIDE)?);
    if start > end {
        return Err(OUTSIDE.to_owned());
    }
    if text.is_ascii() {
        return Ok(text[start..end].to_owned());
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[start..end])
        .map_err(|_| "a position lies inside a character".to_owned())
}

fn pad(text: &str, method: Method, arguments: &[Value]) -> Result<String, String> {
    let width = arguments.first().map_or(Ok(0), Value::as_position)?;
    let filler = match arguments.get(1) {
        None => " ",
        Some(Value::Text(filler)) if !filler.is_empty() => filler.as_str(),
        Some(_) => return Err(format!("{} needs a string to fill with", method.name())),
    };
    let width = usize::try_from(width).unwrap_or(0);
    if width > MAX_TEXT_BYTES {
        return Err("the width to fill to is too large".to_owned());
    }
    let missing = width.saturating_sub(units(text));
    let padding: String = filler.chars().cycle().take(missing).collect();
    Ok(if method == Method::PadLeft { padding + text } else { format!("{text}{padding}") })
}

fn replace(text: &str, arguments: &[Value]) -> Result<String, String> {
    match arguments {
        [Value::Text(from), Value::Text(to)] if !from.is_empty() => {
            let replaced = text.replace(from.as_str(), to);
            if replaced.len() > MAX_TEXT_BYTES.max(text.len()) {
                return Err("the result of replace is too long".to_owned());
            }
            Ok(replaced)
        }
        _ => Err("replace needs two strings, the first of them not empty".to_owned()),
    }
}

/// Java's `split` by a plain character: empty strings at the end are left out.
fn split(text: &str, separator: &str) -> Result<Vec<Value>, String> {
    let mut characters = separator.chars();
    let (Some(separator), None) = (characters.next(), characters.next()) else {
        return Err("split is supported at a single character".to_owned());
    };
    if "\\^$.|?*+()[]{}".contains(separator) {
        return Err(format!("split at '{separator}' is a regular expression, not supported"));
    }
    let mut items: Vec<&str> = text.split(separator).collect();
    while items.len() > 1 && items.last().is_some_and(|item| item.is_empty()) {
        items.pop();
    }
    Ok(items.into_iter().map(|item| Value::Text(item.to_owned())).collect())
}

/// `String.format` with `%d`, `%5d`, `%05d`, `%s` and `%%`, for one argument.
pub(super) fn format(pattern: &str, argument: &Value) -> Result<String, String> {
    let unsupported = || format!("the format '{pattern}' is not supported; write %s, %d or %0Nd");
    let mut result = String::new();
    let mut rest = pattern;
    let mut is_used = false;
    while let Some(at) = rest.find('%') {
        result.push_str(&rest[..at]);
        let directive = &rest[at + 1..];
        let end = directive.find(|c: char| !c.is_ascii_digit()).ok_or_else(unsupported)?;
        let (width, kind) = directive.split_at(end);
        match kind.chars().next() {
            Some('%') if width.is_empty() => result.push('%'),
            Some('s') if width.is_empty() && !is_used => result.push_str(&argument.print()?),
            Some('d') if !is_used => {
                let value = argument.as_integer().ok_or("%d needs an integer")?;
                let is_filled = width.starts_with('0');
                let width: usize = if width.is_empty() { 0 } else { parse(width)? };
                if width > MAX_TEXT_BYTES {
                    return Err(unsupported());
                }
                result.push_str(&match is_filled {
                    true => format!("{value:0width$}"),
                    false => format!("{value:width$}"),
                });
            }
            _ => return Err(unsupported()),
        }
        is_used |= !kind.starts_with('%');
        rest = &kind[1..];
    }
    result.push_str(rest);
    Ok(result)
}
