//! Which collation a comparison has, and the order it gives.

use std::cmp::Ordering;
use std::sync::Arc;

use super::context::Context;
use super::error::{EvalError, Unsupported};
use super::node::{Node, refuse};
use super::types::{Coercibility, Collation, Kind};
use crate::collation::{CollationOrder, order_of};
use crate::compare_padded;

/// The collation of a value where it stands among strings.
pub(crate) fn of_node(node: &Node, context: &Context) -> Collation {
    match (&node.ty.collation, node.ty.kind) {
        (Some(collation), _) => collation.clone(),
        (None, Kind::Null) => {
            Collation { name: Arc::from("binary"), coercibility: Coercibility::Ignorable }
        }
        (None, _) => {
            Collation { name: context.collation.clone(), coercibility: Coercibility::Numeric }
        }
    }
}

/// The collation that the strings of an operation have together.
///
/// # Source
/// MySQL 8.4 manual, "Collation Coercibility in Expressions".
pub(crate) fn aggregate<'a>(
    nodes: impl IntoIterator<Item = &'a Node>,
    context: &Context,
) -> Result<Collation, Unsupported> {
    let mut nodes = nodes.into_iter().map(|node| of_node(node, context));
    let Some(first) = nodes.next() else {
        return Ok(Collation {
            name: context.collation.clone(),
            coercibility: Coercibility::Coercible,
        });
    };
    nodes.try_fold(first, join)
}

fn join(left: Collation, right: Collation) -> Result<Collation, Unsupported> {
    let mixed = || refuse("a mix of collations");
    if left.coercibility == Coercibility::Ignorable {
        return Ok(right);
    }
    if right.coercibility == Coercibility::Ignorable || left == right {
        return Ok(left);
    }
    if left.charset() == right.charset() {
        return match left.coercibility.cmp(&right.coercibility) {
            Ordering::Less => Ok(left),
            Ordering::Greater => Ok(right),
            Ordering::Equal if left.name == right.name => Ok(left),
            Ordering::Equal if left.coercibility == Coercibility::Explicit => Err(mixed()),
            Ordering::Equal if left.name.ends_with("_bin") => Ok(left),
            Ordering::Equal if right.name.ends_with("_bin") => Ok(right),
            Ordering::Equal => Err(mixed()),
        };
    }
    if left.is_binary() && left.coercibility <= right.coercibility {
        return Ok(left);
    }
    if right.is_binary() && right.coercibility <= left.coercibility {
        return Ok(right);
    }
    if left.is_binary() || right.is_binary() {
        return Err(mixed());
    }
    // A literal is converted to the other's character set, where it can be.
    let (stronger, weaker) =
        if left.coercibility <= right.coercibility { (left, right) } else { (right, left) };
    let is_literal = weaker.coercibility >= Coercibility::Coercible;
    if is_literal && stronger.coercibility < weaker.coercibility && stronger.keeps_bytes() {
        return Ok(stronger);
    }
    Err(mixed())
}

/// An order of strings that can be computed, at least for some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextOrder {
    kind: OrderKind,
    is_padded: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrderKind {
    /// By bytes.
    Bytes,
    /// By code, letters in upper case; other characters than those of ASCII have rules of their own.
    UpperCase,
    /// By the Unicode collation algorithm's primary weights.
    Weights,
}

impl TextOrder {
    pub(crate) fn of(collation: &Collation) -> Result<Self, Unsupported> {
        let name = &*collation.name;
        if let CollationOrder::Bytes { pad_space } = order_of(name) {
            return Ok(Self { kind: OrderKind::Bytes, is_padded: pad_space });
        }
        let is_unicode = matches!(collation.charset(), "utf8mb4" | "utf8mb3");
        let rules = name.split_once('_').map_or("", |(_, rules)| rules);
        let (kind, is_padded) = match rules {
            "general_ci" => (OrderKind::UpperCase, true),
            "general_nopad_ci" => (OrderKind::UpperCase, false),
            "unicode_ci" | "unicode_520_ci" | "uca1400_ai_ci" => (OrderKind::Weights, true),
            "unicode_nopad_ci" | "unicode_520_nopad_ci" | "0900_ai_ci" | "uca1400_nopad_ai_ci" => {
                (OrderKind::Weights, false)
            }
            _ => return Err(refuse(format!("comparing by {name}"))),
        };
        if !is_unicode {
            return Err(refuse(format!("comparing by {name}")));
        }
        Ok(Self { kind, is_padded })
    }

    /// By bytes: nothing is equal but what is the same.
    pub(crate) fn is_bytes(self) -> bool {
        self.kind == OrderKind::Bytes
    }

    pub(crate) fn compare(self, left: &[u8], right: &[u8]) -> Result<Ordering, EvalError> {
        let pad: &[u8] = if self.is_padded { b" " } else { b"" };
        if left == right {
            return Ok(Ordering::Equal);
        }
        Ok(match self.kind {
            OrderKind::Bytes => compare_padded(left, right, pad),
            OrderKind::UpperCase => compare_padded(&self.folded(left)?, &self.folded(right)?, pad),
            // Space, digits, letters: their codes are in the order of their weights.
            OrderKind::Weights => compare_padded(&self.folded(left)?, &self.folded(right)?, pad),
        })
    }

    /// The string with everything made the same that is equal in this order.
    pub(crate) fn folded(self, text: &[u8]) -> Result<Vec<u8>, EvalError> {
        let is_known = |byte: &u8| match self.kind {
            OrderKind::Bytes => true,
            OrderKind::UpperCase => byte.is_ascii(),
            OrderKind::Weights => byte.is_ascii_alphanumeric() || *byte == b' ',
        };
        match text.iter().all(is_known) {
            true if self.is_bytes() => Ok(text.to_vec()),
            true => Ok(text.to_ascii_uppercase()),
            false => Err(EvalError::unsupported("comparing these characters by their collation")),
        }
    }
}
