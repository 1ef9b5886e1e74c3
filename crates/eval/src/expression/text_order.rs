//! The order of strings, for those whose order can be computed.

use std::cmp::Ordering;

use super::error::{EvalError, Unsupported};
use super::node::refuse;
use super::types::Collation;
use crate::collation::{CollationOrder, order_of};
use crate::compare_padded;

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
    /// By code, letters in upper case.
    UpperCase,
    /// By the primary weights of the Unicode collation algorithm, in this order.
    Weights(&'static [u8]),
}

/// The characters of ASCII in the order of their weights, versions 4.0.0 and 5.2.0.
///
/// # Source
/// `WEIGHT_STRING` of MariaDB 10.11.
const UCA_4: &[u8] = b" `^_-,;:!?.'\"()[]{}@*/\\&#%+<=>|~$0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// The same, versions 9.0.0 and 14.0.0.
const UCA_9: &[u8] = b" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

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
            "unicode_ci" | "unicode_520_ci" => (OrderKind::Weights(UCA_4), true),
            "unicode_nopad_ci" | "unicode_520_nopad_ci" => (OrderKind::Weights(UCA_4), false),
            "uca1400_ai_ci" => (OrderKind::Weights(UCA_9), true),
            "0900_ai_ci" | "uca1400_nopad_ai_ci" => (OrderKind::Weights(UCA_9), false),
            _ => return Err(refuse(format!("comparing by {name}"))),
        };
        match is_unicode {
            true => Ok(Self { kind, is_padded }),
            false => Err(refuse(format!("comparing by {name}"))),
        }
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
        if self.is_bytes() {
            return Ok(compare_padded(left, right, pad));
        }
        let (left, right) = (self.folded(left)?, self.folded(right)?);
        Ok(match self.kind {
            OrderKind::Weights(order) => {
                // A space comes first of all.
                compare_padded(&weights(&left, order)?, &weights(&right, order)?, &pad_weight(pad))
            }
            _ => compare_padded(&left, &right, pad),
        })
    }

    /// The string with everything made the same that is equal in this order, one byte a character
    /// unless the order is that of the bytes.
    pub(crate) fn folded(self, text: &[u8]) -> Result<Vec<u8>, EvalError> {
        let is_known = |byte: &u8| match self.kind {
            OrderKind::Bytes => true,
            OrderKind::UpperCase => byte.is_ascii(),
            OrderKind::Weights(_) => matches!(byte, b' '..=b'~'),
        };
        match text.iter().all(is_known) {
            true if self.is_bytes() => Ok(text.to_vec()),
            true => Ok(text.to_ascii_uppercase()),
            false => Err(EvalError::unsupported("comparing these characters by their collation")),
        }
    }
}

fn pad_weight(pad: &[u8]) -> Vec<u8> {
    pad.iter().map(|_| 0).collect()
}

/// Positions in the order; 0 is the space.
fn weights(text: &[u8], order: &[u8]) -> Result<Vec<u8>, EvalError> {
    text.iter()
        .map(|byte| order.iter().position(|one| one == byte).map(|at| at as u8))
        .collect::<Option<_>>()
        .ok_or_else(|| EvalError::unsupported("comparing these characters by their collation"))
}
