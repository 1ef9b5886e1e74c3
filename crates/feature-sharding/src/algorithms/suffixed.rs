//! An algorithm that gives numbers, in a strategy: the number is the end of a target's name.

use std::collections::HashMap;

use kernel::error::StatementError;

use super::target::cannot_place;
use super::{Known, ShardingAlgorithm, TargetAlgorithm, Targets};
use crate::column::Key;
use crate::node_set::NodeSet;

#[derive(Debug)]
pub(super) struct Suffixed {
    type_name: &'static str,
    algorithm: Box<dyn ShardingAlgorithm>,
    /// The target of each shard, where it is among these targets.
    targets: Vec<Option<u32>>,
    shape: String,
}

impl Suffixed {
    /// `shape` is what is said of the algorithm to compare tables of a reference group.
    pub(super) fn new(
        type_name: &'static str,
        algorithm: Box<dyn ShardingAlgorithm>,
        targets: &Targets<'_>,
        shape: String,
    ) -> Self {
        let digits_min = algorithm.suffix_digits();
        let positions: HashMap<&str, u32> =
            targets.names.iter().map(AsRef::as_ref).zip(0..).collect();
        let target =
            |shard| positions.get(targets.suffix.name(shard, digits_min).as_str()).copied();
        let targets = (0..algorithm.sharding_count()).map(target).collect();
        Self { type_name, algorithm, targets, shape }
    }

    fn target(&self, shard: u32) -> Option<u32> {
        *self.targets.get(shard as usize)?
    }
}

impl TargetAlgorithm for Suffixed {
    fn place(&self, keys: &[Key<'_>]) -> Result<Option<u32>, StatementError> {
        let Some(key) = keys.first() else { return Ok(None) };
        let shard =
            self.algorithm.place(key).map_err(|reason| cannot_place(self.type_name, &reason))?;
        Ok(self.target(shard))
    }

    fn find(&self, known: &[Known<'_>], targets: &mut NodeSet) -> Result<(), StatementError> {
        let mut shards = NodeSet::empty(self.algorithm.sharding_count());
        match known.first() {
            Some(Known::Key(key)) => self.algorithm.find(key, &mut shards),
            Some(Known::Range(range)) => self.algorithm.find_range(range, &mut shards),
            Some(Known::Anything) | None => shards.fill(),
        }
        // All shards may mean that nothing is known; then targets that are no shard are asked too.
        if shards.len() == shards.capacity() {
            targets.fill();
            return Ok(());
        }
        for shard in (0..shards.capacity()).filter(|shard| shards.contains(*shard)) {
            if let Some(target) = self.target(shard) {
                targets.insert(target);
            }
        }
        Ok(())
    }

    fn find_only(&self, keys: &[Key<'_>]) -> Option<u32> {
        self.target(self.algorithm.find_only(keys.first()?)?)
    }

    fn shape(&self) -> String {
        self.shape.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Properties, StrategyKind, SuffixRule, build_target};
    use super::*;

    fn built(type_name: &str, count: &str, targets: &[&str]) -> Box<dyn TargetAlgorithm> {
        let names: Vec<Arc<str>> = targets.iter().map(|name| Arc::from(*name)).collect();
        let columns = ["id".to_owned()];
        let suffix = SuffixRule::new("t_order", targets.iter().copied());
        let targets =
            Targets { table: "t_order", columns: &columns, names: &names, suffix: &suffix };
        let properties = Properties::from([("sharding-count".to_owned(), count.to_owned())]);
        build_target(StrategyKind::Standard, type_name, &properties, &targets).unwrap()
    }

    #[test]
    fn the_number_is_the_end_of_the_name() {
        let key = |value| [Key::Integer { value, is_long: false }];
        let plain = built("MOD", "4", &["t_order_1", "t_order_3"]);
        for (value, target) in [(1, Some(0)), (3, Some(1)), (7, Some(1)), (2, None), (4, None)] {
            assert_eq!(plain.place(&key(value)), Ok(target), "{value}");
        }
        let padded = built("MOD", "12", &["t_order_00", "t_order_05", "t_order_11"]);
        for (value, target) in [(0, Some(0)), (5, Some(1)), (11, Some(2)), (6, None)] {
            assert_eq!(padded.place(&key(value)), Ok(target), "{value}");
        }
        let mut nodes = NodeSet::empty(3);
        padded.find(&[Known::Anything], &mut nodes).unwrap();
        assert_eq!(nodes.len(), 3);
    }

    #[test]
    fn prefixes() {
        for (table, names, prefix, digits) in [
            ("t_order", vec!["t_order_0", "t_order_10"], "t_order_", 1),
            ("t_order", vec!["t_order_00", "t_order_10"], "t_order_", 2),
            ("t2024", vec!["t20240", "t20241"], "t2024", 1),
            ("t_order", vec!["ds_0", "ds_1"], "ds_", 1),
            ("t_order", vec!["t_order"], "t_order", 0),
            ("t", vec![], "", 0),
        ] {
            let rule = SuffixRule::new(table, names.iter().copied());
            assert_eq!((rule.prefix.as_str(), rule.digits_min), (prefix, digits), "{names:?}");
        }
    }
}
