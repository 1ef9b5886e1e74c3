//! Inline expressions: `t_order_${order_id % 4}` with values of columns becomes a name.
//!
//! The arithmetic part of Groovy with its rules of promotion, and the methods of numbers and
//! strings that such expressions use. Nothing can be executed, assigned or looped; what is not
//! known is an error when the rule is made.

mod decimal;
mod evaluate;
mod lexer;
mod method;
mod node;
mod number;
mod parser;
mod text;
mod value;

#[cfg(test)]
mod tests;

use node::Node;
pub(super) use value::Value;

/// Longest expression, in bytes.
const MAX_BYTES: usize = 4096;
/// Longest text that evaluation may build, in bytes.
const MAX_TEXT_BYTES: usize = 4096;

/// A parsed expression. Variables are known by their position in the list given to
/// [`Expression::parse`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expression {
    parts: Vec<Part>,
}

/// A piece of the result.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// As it stands.
    Text(String),
    /// What the placeholder evaluates to.
    Placeholder(Node),
}

impl Expression {
    /// Reads an expression such as `ds_$->{user_id % 4}` over these variables.
    ///
    /// # Errors
    /// What is not closed, not known or too long; the text says which part.
    pub(super) fn parse(text: &str, variables: &[String]) -> Result<Self, String> {
        if text.len() > MAX_BYTES {
            return Err(format!("an expression may have at most {MAX_BYTES} bytes"));
        }
        let mut rest = strip_type(text.trim())?;
        let mut parts = Vec::new();
        while let Some(at) = rest.find('$') {
            push_text(&mut parts, &rest[..at])?;
            let after = &rest[at + 1..];
            rest = if let Some(inside) = after.strip_prefix("->{").or(after.strip_prefix('{')) {
                let (node, after) = parser::parse_placeholder(inside, variables)?;
                parts.push(Part::Placeholder(node));
                after
            } else {
                let end = after.find(|c: char| !c.is_alphanumeric() && c != '_');
                let (name, after) = after.split_at(end.unwrap_or(after.len()));
                parts.push(Part::Placeholder(parser::variable(name, variables)?));
                after
            };
        }
        push_text(&mut parts, rest)?;
        Ok(Self { parts })
    }

    /// True where the variable at this position is used.
    pub(super) fn uses(&self, variable: usize) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Text(_) => false,
            Part::Placeholder(node) => node.uses(variable),
        })
    }

    /// The name for these values, one for each variable.
    ///
    /// # Errors
    /// A division by zero, a position outside a string, a method that a value does not have.
    pub(super) fn evaluate(&self, values: &[Value]) -> Result<String, String> {
        let mut name = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => name.push_str(text),
                Part::Placeholder(node) => name.push_str(&node.evaluate(values)?.print()?),
            }
            if name.len() > MAX_TEXT_BYTES {
                return Err("the result is too long".to_owned());
            }
        }
        Ok(name)
    }

    /// The expression as text, without names of variables and without `prefix` at its beginning.
    pub(super) fn shape(&self, prefix: &str) -> String {
        let mut parts = self.parts.clone();
        if let Some(Part::Text(text)) = parts.first_mut()
            && let Some(rest) = text.strip_prefix(prefix)
        {
            *text = rest.to_owned();
        }
        format!("{parts:?}")
    }

    /// Where the expression is `text${variable % number}text`, as most are: its parts.
    pub(super) fn as_remainder(&self) -> Option<Remainder<'_>> {
        let (prefix, node, suffix) = match self.parts.as_slice() {
            [Part::Text(prefix), Part::Placeholder(node), Part::Text(suffix)] => {
                (prefix.as_str(), node, suffix.as_str())
            }
            [Part::Text(prefix), Part::Placeholder(node)] => (prefix.as_str(), node, ""),
            [Part::Placeholder(node), Part::Text(suffix)] => ("", node, suffix.as_str()),
            [Part::Placeholder(node)] => ("", node, ""),
            _ => return None,
        };
        let (variable, divisor) = node.as_remainder()?;
        Some(Remainder { prefix, variable, divisor, suffix })
    }
}

/// `prefix${variable % divisor}suffix`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Remainder<'a> {
    pub(super) prefix: &'a str,
    pub(super) variable: usize,
    pub(super) divisor: u32,
    pub(super) suffix: &'a str,
}

impl Remainder<'_> {
    /// The name for this remainder.
    pub(super) fn name(&self, rest: u32) -> String {
        format!("{}{rest}{}", self.prefix, self.suffix)
    }
}

/// `<GROOVY>` may stand before an expression; other types have no placeholders or other ones.
fn strip_type(text: &str) -> Result<&str, String> {
    let Some((kind, rest)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
        return Ok(text);
    };
    if kind.eq_ignore_ascii_case("GROOVY") {
        return Ok(rest);
    }
    Err(format!("expressions of type <{kind}> are not supported; write it with ${{}}"))
}

fn push_text(parts: &mut Vec<Part>, text: &str) -> Result<(), String> {
    if text.contains(['\\', '"', '\n']) {
        return Err("quotes, backslashes and line ends cannot stand outside ${}".to_owned());
    }
    if !text.is_empty() {
        parts.push(Part::Text(text.to_owned()));
    }
    Ok(())
}
