//! `HASH_MOD`: Java's hash of the value, its absolute value modulo the number of shards.
//!
//! Source: inventory 2.2.

use kernel::error::StatementError;

use super::{KeyRange, Properties, ShardingAlgorithm, java_hash, sharding_count};
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

impl ShardingAlgorithm for HashMod {
    fn sharding_count(&self) -> u32 {
        self.count
    }

    fn place(&self, key: &Key<'_>) -> Result<u32, String> {
        match key {
            Key::Integer { value, is_long } => {
                Ok(self.node(java_hash::of_integer(*value, *is_long)))
            }
            Key::Text(text) => Ok(self.node(java_hash::of_text(text))),
            Key::Decimal { .. } | Key::Moment { .. } => Err("the hash of a decimal, a date or a \
                time is that of the text in which it was written, not of its value; shard by an \
                integer or a string column"
                .to_owned()),
        }
    }

    fn find(&self, key: &Key<'_>, nodes: &mut NodeSet) {
        match key {
            Key::Integer { value, .. } => {
                nodes.insert(self.node(java_hash::of_integer(*value, false)));
                // A negative number may have been placed as an Integer or as a Long, and one of
                // more than 63 bits as a BigInteger or as the Long with the same bits.
                if *value < 0 || i64::try_from(*value).is_err() {
                    nodes.insert(self.node(java_hash::of_long(*value as i64)));
                }
            }
            Key::Text(text) => nodes.insert(self.node(java_hash::of_text(text))),
            Key::Decimal { .. } | Key::Moment { .. } => nodes.fill(),
        }
    }

    fn find_only(&self, key: &Key<'_>) -> Option<u32> {
        match key {
            Key::Integer { value, .. } if !(0..=i128::from(i64::MAX)).contains(value) => None,
            Key::Integer { value, .. } => Some(self.node(java_hash::of_integer(*value, false))),
            Key::Text(text) => Some(self.node(java_hash::of_text(text))),
            Key::Decimal { .. } | Key::Moment { .. } => None,
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
        // As a BigInteger -32, as a Long 0.
        let mut nodes = NodeSet::empty(4);
        let largest = Key::Integer { value: i128::from(u64::MAX), is_long: true };
        algorithm.find(&largest, &mut nodes);
        assert!(nodes.contains(0) && nodes.len() == 1);
        assert_eq!(algorithm.find_only(&largest), None);
    }

    #[test]
    fn what_hashes_by_its_spelling_is_refused() {
        let algorithm = HashMod { count: 4 };
        for key in [
            Key::Decimal { unscaled: 15, scale: 1 },
            Key::Moment { micros: 0, precision: crate::column::Precision::Day },
        ] {
            let mut nodes = NodeSet::empty(4);
            algorithm.find(&key, &mut nodes);
            assert_eq!(nodes.len(), 4);
            assert!(algorithm.place(&key).is_err() && algorithm.find_only(&key).is_none());
        }
    }

    #[test]
    fn the_smallest_hash_has_an_absolute_value() {
        let algorithm = HashMod { count: 10 };
        assert_eq!(algorithm.place(&Key::Text(b"polygenelubricants".as_slice().into())), Ok(8));
    }
}
