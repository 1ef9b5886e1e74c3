//! `HASH_MOD`: Java's hash of the value, its absolute value modulo the number of shards.
//!
//! Source: inventory 2.2 and the Java SE documentation of `hashCode` of Integer, Long, BigInteger
//! and String.

use kernel::error::StatementError;

use super::{KeyRange, Properties, ShardingAlgorithm, sharding_count};
use crate::column::Key;
use crate::node_set::NodeSet;

#[derive(Debug)]
struct HashMod {
    count: u32,
}

/// Checks the properties.
pub(super) fn build(properties: &Properties) -> Result<Box<dyn ShardingAlgorithm>, StatementError> {
    Ok(Box::new(HashMod { count: sharding_count("HASH_MOD", properties)? }))
}

impl HashMod {
    /// The absolute value is taken of the hash as a 64-bit number, so that it exists for all.
    fn node(&self, hash: i32) -> u32 {
        (i64::from(hash).unsigned_abs() % u64::from(self.count)) as u32
    }
}

/// `Long.hashCode`: the two halves combined.
fn long_hash(value: i64) -> i32 {
    (value ^ ((value as u64) >> 32) as i64) as i32
}

/// `Integer.hashCode` is the number itself; a number that needs more bits is a Long, and one that
/// needs more than 64 a BigInteger.
fn integer_hash(value: i128, is_long: bool) -> i32 {
    match (i32::try_from(value), i64::try_from(value)) {
        (Ok(value), _) if !is_long => value,
        (_, Ok(value)) => long_hash(value),
        _ => big_integer_hash(value),
    }
}

/// `BigInteger.hashCode`: 31-fold sum over the 32-bit words of the magnitude, times the sign.
fn big_integer_hash(value: i128) -> i32 {
    let magnitude = value.unsigned_abs();
    let mut hash = 0_i32;
    let mut has_started = false;
    for word in (0..4).rev().map(|index| (magnitude >> (32 * index)) as u32) {
        has_started |= word != 0;
        if has_started {
            hash = hash.wrapping_mul(31).wrapping_add(word as i32);
        }
    }
    if value < 0 { hash.wrapping_neg() } else { hash }
}

/// `String.hashCode` over UTF-16 units. Bytes that are not UTF-8 (binary columns) count as one
/// unit each.
fn text_hash(text: &[u8]) -> i32 {
    let step = |hash: i32, unit: i32| hash.wrapping_mul(31).wrapping_add(unit);
    if text.is_ascii() {
        return text.iter().fold(0, |hash, byte| step(hash, i32::from(*byte)));
    }
    match std::str::from_utf8(text) {
        Ok(text) => text.encode_utf16().fold(0, |hash, unit| step(hash, i32::from(unit))),
        Err(_) => text.iter().fold(0, |hash, byte| step(hash, i32::from(*byte))),
    }
}

impl ShardingAlgorithm for HashMod {
    fn sharding_count(&self) -> u32 {
        self.count
    }

    fn place(&self, key: &Key<'_>) -> Result<u32, String> {
        Ok(self.node(match key {
            Key::Integer { value, is_long } => integer_hash(*value, *is_long),
            Key::Text(text) => text_hash(text),
        }))
    }

    fn find(&self, key: &Key<'_>, nodes: &mut NodeSet) {
        match key {
            // A negative number may have been placed as an Integer or as a Long.
            Key::Integer { value, .. } => {
                nodes.insert(self.node(integer_hash(*value, false)));
                if *value < 0 {
                    nodes.insert(self.node(integer_hash(*value, true)));
                }
            }
            Key::Text(text) => nodes.insert(self.node(text_hash(text))),
        }
    }

    fn find_only(&self, key: &Key<'_>) -> Option<u32> {
        match key {
            Key::Integer { value, .. } if *value < 0 => None,
            Key::Integer { value, .. } => Some(self.node(integer_hash(*value, false))),
            Key::Text(text) => Some(self.node(text_hash(text))),
        }
    }

    fn find_range(&self, range: &KeyRange, nodes: &mut NodeSet) {
        match *range {
            KeyRange::Integers { lower, upper } if lower == upper => {
                self.find(&Key::Integer { value: lower, is_long: false }, nodes);
            }
            KeyRange::Integers { lower, upper } if lower > upper => {}
            _ => nodes.fill(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values printed by Java for the same expressions.
    #[test]
    fn hashes_are_those_of_java() {
        for (value, is_long, hash) in [
            (0, false, 0),
            (5, true, 5),
            (-1, false, -1),
            (-1, true, 0),
            (-2, true, 1),
            (i128::from(i32::MIN), false, i32::MIN),
            (i128::from(i32::MIN), true, i32::MAX),
            (1 << 31, false, i32::MIN),
            (1 << 32, true, 1),
            (i128::from(i64::MAX), true, i32::MIN),
            (i128::from(i64::MIN), true, i32::MIN),
            // new BigInteger("18446744073709551615").hashCode(): -1 * 31 + -1
            (i128::from(u64::MAX), true, -32),
            // new BigInteger("9223372036854775808").hashCode(): 31 * Integer.MIN_VALUE
            (1 << 63, true, i32::MIN),
        ] {
            assert_eq!(integer_hash(value, is_long), hash, "{value} {is_long}");
        }
        for (text, hash) in [
            ("", 0),
            ("a", 97),
            ("abc", 96_354),
            ("hello", 99_162_322),
            ("polygenelubricants", i32::MIN),
            ("é", 233),
            ("😀", 1_772_899),
        ] {
            assert_eq!(text_hash(text.as_bytes()), hash, "{text}");
        }
        assert_eq!(text_hash(&[0xff, 0x01]), 255 * 31 + 1);
    }

    #[test]
    fn both_candidates_of_a_negative_number_are_read() {
        let algorithm = HashMod { count: 4 };
        let mut nodes = NodeSet::empty(4);
        algorithm.find(&Key::Integer { value: -1, is_long: false }, &mut nodes);
        assert!(nodes.contains(1) && nodes.contains(0) && nodes.len() == 2);
        assert_eq!(algorithm.find_only(&Key::Integer { value: -1, is_long: true }), None);
        assert_eq!(algorithm.find_only(&Key::Integer { value: 7, is_long: true }), Some(3));
        let mut nodes = NodeSet::empty(4);
        algorithm.find(&Key::Integer { value: 7, is_long: true }, &mut nodes);
        assert!(nodes.contains(3) && nodes.len() == 1);
    }

    #[test]
    fn the_smallest_hash_has_an_absolute_value() {
        let algorithm = HashMod { count: 10 };
        assert_eq!(algorithm.place(&Key::Text(b"polygenelubricants".as_slice().into())), Ok(8));
    }
}
