//! A set of node positions as bits.

use kernel::plan::RouteSet;
use smallvec::{SmallVec, smallvec};

/// Node positions `0..count`. Up to 256 nodes need no allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSet {
    words: SmallVec<[u64; 4]>,
    count: u32,
}

impl NodeSet {
    /// None of `count` nodes.
    pub fn empty(count: u32) -> Self {
        Self { words: smallvec![0; count.div_ceil(64) as usize], count }
    }

    /// All of `count` nodes.
    pub fn full(count: u32) -> Self {
        let mut set = Self::empty(count);
        set.fill();
        set
    }

    /// How many nodes there are to choose from.
    pub fn capacity(&self) -> u32 {
        self.count
    }

    /// Adds a node; positions beyond the last are ignored.
    pub fn insert(&mut self, node: u32) {
        if node < self.count {
            self.words[(node / 64) as usize] |= 1 << (node % 64);
        }
    }

    /// Adds all nodes.
    pub fn fill(&mut self) {
        let rest = self.count % 64;
        for word in &mut self.words {
            *word = u64::MAX;
        }
        if rest != 0
            && let Some(last) = self.words.last_mut()
        {
            *last = (1 << rest) - 1;
        }
    }

    /// Keeps what is in both.
    pub fn intersect(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Adds what is in the other.
    pub fn unite(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// True when the node is in it.
    pub fn contains(&self, node: u32) -> bool {
        node < self.count && self.words[(node / 64) as usize] & (1 << (node % 64)) != 0
    }

    /// How many nodes are in it.
    pub fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// True when no node is in it.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Appends the nodes in ascending order.
    pub fn append_to(&self, route: &mut RouteSet) {
        for (index, word) in self.words.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                route.0.push(index as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(set: &NodeSet) -> Vec<u32> {
        let mut route = RouteSet::default();
        set.append_to(&mut route);
        route.0.to_vec()
    }

    #[test]
    fn full_sets_have_exactly_their_nodes() {
        for count in [1, 2, 63, 64, 65, 128, 300] {
            assert_eq!(list(&NodeSet::full(count)), (0..count).collect::<Vec<_>>());
            assert_eq!(NodeSet::full(count).len(), count);
        }
    }

    #[test]
    fn algebra() {
        let mut a = NodeSet::empty(100);
        a.insert(3);
        a.insert(70);
        a.insert(100);
        let mut b = NodeSet::empty(100);
        b.insert(70);
        b.insert(99);
        let mut both = a.clone();
        both.intersect(&b);
        assert_eq!(list(&both), [70]);
        a.unite(&b);
        assert_eq!(list(&a), [3, 70, 99]);
        assert!(a.contains(99) && !a.contains(98) && !a.contains(500));
    }
}
