//! Row expressions: `ds_${0..3}.t_$->{['a','b']}` → the names they stand for.
//!
//! The part of ShardingSphere's inline syntax that lists names: literal text, integer ranges and
//! lists. What needs an evaluator (arithmetic, methods) is refused.

mod placeholder;
#[cfg(test)]
mod tests;

use thiserror::Error;

/// More names than this are refused.
pub const MAX_ITEMS: usize = 65_536;
/// More text than this in all names together, in bytes, is refused.
pub const MAX_BYTES: usize = 4 << 20;

/// Why a row expression cannot be expanded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RowExpressionError {
    /// A `${` without its `}`, or a quote without its partner.
    #[error("the row expression `{0}` is not closed: every `${{` needs its `}}`")]
    Unclosed(String),
    /// Something inside `${}` that is neither a range nor a list.
    #[error(
        "the row expression `${{{0}}}` is not supported here: write a range such as `${{0..3}}` \
         or a list such as `${{['a','b']}}`"
    )]
    Unsupported(String),
    /// `<ESPRESSO>` and the like.
    #[error("the row expression type `<{0}>` is not supported: use GROOVY or LITERAL")]
    UnknownType(String),
    /// Two commas, or nothing at all.
    #[error("the row expression `{0}` has an empty item: write a name between the commas")]
    EmptyItem(String),
    /// It would give too much.
    #[error("a row expression may stand for at most {MAX_ITEMS} names: write a smaller range")]
    TooMany,
}

/// The names that `expression` stands for, in the order ShardingSphere gives them: items from left
/// to right, of several placeholders the left-most slowest.
///
/// # Errors
/// Expressions that are not closed, not supported, or too large.
pub fn expand(expression: &str) -> Result<Vec<String>, RowExpressionError> {
    let trimmed = expression.trim();
    let (kind, body) = split_type(trimmed);
    let is_literal = match kind.map(str::to_ascii_uppercase).as_deref() {
        None | Some("GROOVY") => false,
        Some("LITERAL") => true,
        Some(other) => return Err(RowExpressionError::UnknownType(other.to_owned())),
    };
    let mut names = Names::default();
    for item in split_items(body) {
        let item = item.trim();
        if item.is_empty() {
            return Err(RowExpressionError::EmptyItem(trimmed.to_owned()));
        }
        if is_literal {
            names.push(item.to_owned())?;
        } else {
            expand_item(item, &mut names)?;
        }
    }
    Ok(names.list)
}

/// What has been expanded so far, within the limits.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    bytes: usize,
}

impl Names {
    fn push(&mut self, name: String) -> Result<(), RowExpressionError> {
        self.bytes += name.len();
        if self.list.len() == MAX_ITEMS || self.bytes > MAX_BYTES {
            return Err(RowExpressionError::TooMany);
        }
        self.list.push(name);
        Ok(())
    }
}

/// `<TYPE>rest`.
fn split_type(expression: &str) -> (Option<&str>, &str) {
    match expression.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((kind, rest)) => (Some(kind), rest),
        None => (None, expression),
    }
}

/// Commas outside of `${}` separate items.
fn split_items(body: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < body.len() {
        let rest = &body[at..];
        if let Some(length) = placeholder::length(rest) {
            at += length;
        } else {
            if rest.starts_with(',') {
                items.push(&body[start..at]);
                start = at + 1;
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    items.push(&body[start..]);
    items
}

/// Literal text and placeholders, multiplied.
fn expand_item(item: &str, names: &mut Names) -> Result<(), RowExpressionError> {
    let mut products = Names { list: vec![String::new()], bytes: 0 };
    let mut rest = item;
    while let Some(start) = placeholder::find(rest) {
        let (values, length) = placeholder::values(&rest[start..])?;
        products = multiply(&products.list, &rest[..start], &values)?;
        rest = &rest[start + length..];
    }
    for product in products.list {
        names.push(product + rest)?;
    }
    Ok(())
}

fn multiply(heads: &[String], text: &str, values: &[String]) -> Result<Names, RowExpressionError> {
    let mut products = Names::default();
    for head in heads {
        for value in values {
            products.push(format!("{head}{text}{value}"))?;
        }
    }
    Ok(products)
}
