//! `MOD`: the value modulo the number of shards, never negative.
//!
//! Source: inventory 2.2.

use kernel::error::StatementError;

use super::{KeyRange, Properties, ShardingAlgorithm, boolean, invalid, sharding_count};
use crate::column::Key;
use crate::node_set::NodeSet;

const NOT_AN_INTEGER: &str = "MOD places only numbers, or texts that are integers";

#[derive(Debug)]
struct Modulo {
    count: u32,
    /// Characters that are cut from the start and the end of the decimal text first.
    cut: Option<(usize, usize)>,
    /// Numbers in names are as long as the longest.
    is_padded: bool,
}

/// Checks the properties.
pub(super) fn build(properties: &Properties) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
    let offset = |name: &str| match properties.get(name).map(|text| text.trim().parse()) {
        None => Ok(0_usize),
        Some(Ok(offset)) => Ok(offset),
        Some(Err(_)) => Err(invalid("MOD", format!("'{name}' must be a whole number from 0"))),
    };
    let cut = (offset("start-offset")?, offset("stop-offset")?);
    Ok(Box::new(Modulo {
        count: sharding_count("MOD", properties)?,
        cut: (cut != (0, 0)).then_some(cut),
        is_padded: boolean("MOD", properties, "zero-padding")?,
    }))
}

impl Modulo {
    /// Numbers of more than 63 bits are cut to 64, as Java's `longValue` does.
    fn integer(&self, value: i128) -> u32 {
        (value as i64).rem_euclid(i64::from(self.count)) as u32
    }

    /// What is left of a text after the offsets.
    fn cut(&self, text: &[u8]) -> Result<u32, String> {
        let (start, stop) = self.cut.unwrap_or_default();
        let end = text.len().checked_sub(stop).filter(|end| *end > start);
        let kept = end.and_then(|end| text.get(start..end)).ok_or_else(|| {
            format!("the value is not longer than 'start-offset' {start} and 'stop-offset' {stop}")
        })?;
        self.text(kept).ok_or_else(|| NOT_AN_INTEGER.to_owned())
    }

    /// A text is read as a decimal integer of any length.
    fn text(&self, text: &[u8]) -> Option<u32> {
        let (is_negative, digits) = match text.split_first()? {
            (b'-', rest) => (true, rest),
            (b'+', rest) => (false, rest),
            _ => (false, text),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let count = u64::from(self.count);
        let rest =
            digits.iter().fold(0, |rest, digit| (rest * 10 + u64::from(digit - b'0')) % count);
        Some(if is_negative && rest != 0 { count - rest } else { rest } as u32)
    }
}

impl ShardingAlgorithm for Modulo {
    fn sharding_count(&self) -> u32 {
        self.count
    }

    fn place(&self, key: &Key<'_>) -> Result<u32, String> {
        match key {
            Key::Integer { value, .. } if self.cut.is_none() => Ok(self.integer(*value)),
            Key::Integer { value, .. } => self.cut(value.to_string().as_bytes()),
            Key::Text(text) if self.cut.is_none() => {
                self.text(text).ok_or_else(|| NOT_AN_INTEGER.to_owned())
            }
            Key::Text(text) => self.cut(text),
            Key::Decimal { unscaled, scale } if self.cut.is_none() => {
                Ok(self.integer(unscaled / 10_i128.pow(*scale)))
            }
            Key::Decimal { .. } | Key::Moment { .. } => Err(NOT_AN_INTEGER.to_owned()),
        }
    }

    fn find(&self, key: &Key<'_>, nodes: &mut NodeSet) {
        match self.place(key) {
            Ok(node) => nodes.insert(node),
            Err(_) => nodes.fill(),
        }
    }

    fn find_only(&self, key: &Key<'_>) -> Option<u32> {
        self.place(key).ok()
    }

    fn suffix_digits(&self) -> usize {
        if self.is_padded { (self.count - 1).max(1).ilog10() as usize + 1 } else { 1 }
    }

    fn find_range(&self, range: &KeyRange, nodes: &mut NodeSet) {
        if self.cut.is_some() {
            return nodes.fill();
        }
        let (KeyRange::Integers { lower, upper } | KeyRange::Numbers { lower, upper }) = *range
        else {
            return nodes.fill();
        };
        match upper.checked_sub(lower) {
            Some(width) if width < i128::from(self.count) - 1 => {
                for step in 0..=width {
                    nodes.insert(self.integer(lower + step));
                }
            }
            _ => nodes.fill(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(count: u32, key: &Key<'_>) -> Result<u32, String> {
        Modulo { count, cut: None, is_padded: false }.place(key)
    }

    #[test]
    fn integers() {
        for (count, value, node) in [
            (10, 0, 0),
            (10, 13, 3),
            (10, -1, 9),
            (10, -10, 0),
            (4, -7, 1),
            (1, 99, 0),
            (10, i128::from(i64::MAX), 7),
            (10, i128::from(i64::MIN), 2),
            // The bits of -1.
            (10, i128::from(u64::MAX), 9),
        ] {
            let key = Key::Integer { value, is_long: true };
            assert_eq!(place(count, &key), Ok(node), "{value} mod {count}");
        }
    }

    #[test]
    fn texts() {
        for (text, node) in [
            ("13", Some(3)),
            ("-1", Some(9)),
            ("-20", Some(0)),
            ("+7", Some(7)),
            ("00012", Some(2)),
            ("123456789012345678901234567890123456789012345678901234567", Some(7)),
            ("", None),
            ("-", None),
            ("1x", None),
            ("1.0", None),
        ] {
            let key = Key::Text(text.as_bytes().into());
            assert_eq!(place(10, &key).ok(), node, "{text}");
        }
    }

    #[test]
    fn ranges() {
        for (lower, upper, expected) in [
            (3, 5, vec![3, 4, 5]),
            (-1, 1, vec![0, 1, 9]),
            (0, 8, (0..9).collect()),
            (0, 9, (0..10).collect()),
            (i128::MIN, i128::MAX, (0..10).collect()),
        ] {
            let mut nodes = NodeSet::empty(10);
            Modulo { count: 10, cut: None, is_padded: false }
                .find_range(&KeyRange::Integers { lower, upper }, &mut nodes);
            let found = (0..10).filter(|node| nodes.contains(*node)).collect::<Vec<u32>>();
            assert_eq!(found, expected, "{lower}..={upper}");
        }
    }
}
