//! The tokens of a digest, and how values and lists of them become one token.

use std::fmt::Write;

use super::MAX_DIGEST_LENGTH;

/// One token of a digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DigestToken {
    /// `?`
    Value,
    /// `?, ...`
    Values,
    /// `(?)`
    Single,
    /// `(?) /* , ... */`
    Singles,
    /// `(...)`
    Row,
    /// `(...) /* , ... */`
    Rows,
    /// `(...)` behind IN, of one value or more.
    InList,
    /// A key word or punctuation as shown.
    Fixed(&'static str),
    /// A name, shown in back quotes.
    Name(String),
    /// Shown as it is.
    Verbatim(String),
}

use DigestToken::{Fixed, InList, Name, Row, Rows, Single, Singles, Value, Values, Verbatim};

impl DigestToken {
    /// What it counts of [`MAX_DIGEST_LENGTH`].
    fn size(&self) -> usize {
        match self {
            Name(text) | Verbatim(text) => 4 + text.len(),
            _ => 2,
        }
    }
}

/// A growing list of tokens.
#[derive(Debug, Default)]
pub(super) struct TokenList {
    tokens: Vec<DigestToken>,
    size: usize,
    is_full: bool,
}

impl TokenList {
    /// True when a token found no place: nothing is taken any more.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The first token.
    pub(super) fn first(&self) -> Option<&DigestToken> {
        self.tokens.first()
    }

    /// The last token.
    pub(super) fn last(&self) -> Option<&DigestToken> {
        self.tokens.last()
    }

    /// The last token and the one before it.
    pub(super) fn last_two(&self) -> (Option<&DigestToken>, Option<&DigestToken>) {
        match self.tokens.as_slice() {
            [.., before, last] => (Some(before), Some(last)),
            [last] => (None, Some(last)),
            [] => (None, None),
        }
    }

    /// Appends a token as it is.
    pub(super) fn push(&mut self, token: DigestToken) {
        let size = token.size();
        if self.is_full || self.size + size > MAX_DIGEST_LENGTH {
            self.is_full = true;
            return;
        }
        self.size += size;
        self.tokens.push(token);
    }

    /// Appends a value; behind a value and a comma it becomes part of a list.
    pub(super) fn push_value(&mut self) {
        if self.ends_in_value_and_comma() {
            self.replace_last(2, Values);
        } else {
            self.push(Value);
        }
    }

    /// Appends a value that swallows the signs before it.
    pub(super) fn push_signed_value(&mut self) {
        while let (Some(before), Some(Fixed("-" | "+"))) = self.last_two() {
            if !starts_expression(before) {
                break;
            }
            self.replace_last(1, None);
        }
        self.push_value();
    }

    /// True behind `?,` or `?, ...,`.
    pub(super) fn ends_in_value_and_comma(&self) -> bool {
        matches!(self.last_two(), (Some(Value | Values), Some(Fixed(","))))
    }

    /// Takes away a `+` that means nothing.
    pub(super) fn drop_plus_behind_comma(&mut self) {
        if let (Some(Fixed(",")), Some(Fixed("+"))) = self.last_two() {
            self.replace_last(1, None);
        }
    }

    /// Appends `)`; parentheses that hold values only become one token.
    pub(super) fn push_right_parenthesis(&mut self) {
        let (one, many, token) = match self.tokens.as_slice() {
            [.., Fixed("IN"), Fixed("("), Value | Values] => return self.replace_last(2, InList),
            [.., Fixed("("), Value] => (Single, Singles, Single),
            [.., Fixed("("), Values] => (Row, Rows, Row),
            _ => return self.push(Fixed(")")),
        };
        self.replace_last(2, None);
        match self.tokens.as_slice() {
            [.., before, Fixed(",")] if *before == one || *before == many => {
                self.replace_last(2, many);
            }
            _ => self.push(token),
        }
    }

    /// Puts `token` (or nothing) in the place of the last `count` tokens.
    fn replace_last(&mut self, count: usize, token: impl Into<Option<DigestToken>>) {
        for token in self.tokens.drain(self.tokens.len().saturating_sub(count)..) {
            self.size -= token.size();
        }
        if let Some(token) = token.into() {
            self.push(token);
        }
    }

    /// All tokens as text. A `;` at the end is left out.
    pub(super) fn into_text(mut self) -> String {
        while self.last() == Some(&Fixed(";")) {
            self.tokens.pop();
        }
        let mut text = String::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let is_glued = index == 0 || matches!(self.tokens[index - 1], Fixed("@" | "@@"));
            if !is_glued {
                text.push(' ');
            }
            match token {
                Value => text.push('?'),
                Values => text.push_str("?, ..."),
                Single => text.push_str("(?)"),
                Singles => text.push_str("(?) /* , ... */"),
                Row | InList => text.push_str("(...)"),
                Rows => text.push_str("(...) /* , ... */"),
                Fixed(word) => text.push_str(word),
                Verbatim(word) => text.push_str(word),
                // Writing to a string does not fail.
                Name(name) => drop(write!(text, "`{name}`")),
            }
        }
        text
    }
}

/// Whether a sign behind this token belongs to the value behind the sign.
pub(super) fn starts_expression(token: &DigestToken) -> bool {
    let Fixed(word) = token else { return false };
    matches!(
        *word,
        "(" | ","
            | "="
            | "<=>"
            | "!="
            | "<"
            | "<="
            | ">"
            | ">="
            | "<<"
            | ">>"
            | "|"
            | "&"
            | "^"
            | "+"
            | "-"
            | "*"
            | "/"
            | "%"
            | "&&"
            | "||"
            | "DIV"
            | "MOD"
            | "AND"
            | "OR"
            | "XOR"
            | "NOT"
            | "BETWEEN"
            | "LIKE"
            | "RLIKE"
            | "CASE"
            | "WHEN"
            | "THEN"
            | "ELSE"
            | "SELECT"
            | "DEFAULT"
            | "INTERVAL"
            | "RETURN"
            | "IF"
            | "ELSEIF"
            | "WHILE"
            | "UNTIL"
            | "EVERY"
            | "AT"
            | "STARTS"
            | "ENDS"
    )
}
