//! Routers for statements that read several places: all nodes that any of them needs.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::error::StatementError;
use crate::feature::Router;
use crate::model::{DataNode, UnitId};
use crate::plan::RouteSet;
use crate::predicate::ValueSource;

/// The nodes of tables whose nodes have the same numbers.
#[derive(Debug)]
pub(super) struct Union {
    /// One for each table.
    pub routers: Vec<Arc<dyn Router>>,
}

impl Router for Union {
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError> {
        for router in &self.routers {
            let mut found = RouteSet::default();
            router.route(values, &mut found)?;
            nodes.0.extend(found.0);
        }
        nodes.0.sort_unstable();
        nodes.0.dedup();
        Ok(())
    }

    fn reason(&self) -> String {
        let mut reasons = Vec::new();
        for router in &self.routers {
            let reason = router.reason();
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons.join("; ")
    }
}

/// Groups of tables, each with its own numbers of nodes: a node of the whole is one node of each.
/// The last number stands for what is not in one unit, together with any other.
#[derive(Debug)]
pub(super) struct Grid {
    /// The nodes of each group with the router of its tables; `None` for tables without a choice.
    pub groups: Vec<(Arc<[DataNode]>, Option<Arc<dyn Router>>)>,
    /// How many combinations there are.
    pub size: u32,
}

impl Grid {
    /// Most combinations of nodes.
    pub(super) const MOST: usize = 4096;

    /// The node of group `group` in the combination `number`.
    pub(super) fn digit(&self, number: usize, group: usize) -> usize {
        let below =
            self.groups[group + 1..].iter().map(|(nodes, _)| nodes.len()).product::<usize>();
        number / below.max(1) % self.groups[group].0.len().max(1)
    }

    /// The combination in which each group has its node in this unit, or one of those asked for.
    fn combine(&self, unit: UnitId, wanted: &[RouteSet]) -> Option<u32> {
        let mut number = 0;
        for ((nodes, _), wanted) in self.groups.iter().zip(wanted) {
            let in_unit = |node: &u32| nodes.get(*node as usize).is_some_and(|n| n.unit == unit);
            let digit = match wanted.0.as_slice() {
                [] => (0..nodes.len() as u32).find(in_unit)?,
                [one] => Some(*one).filter(in_unit)?,
                _ => return None,
            };
            number = number * nodes.len() as u32 + digit;
        }
        Some(number)
    }
}

impl Router for Grid {
    fn route(&self, values: &dyn ValueSource, nodes: &mut RouteSet) -> Result<(), StatementError> {
        let mut wanted: SmallVec<[RouteSet; 4]> = SmallVec::new();
        for (list, router) in &self.groups {
            let mut found = RouteSet::default();
            match router {
                Some(router) => router.route(values, &mut found)?,
                None => found.0.extend(0..list.len() as u32),
            }
            wanted.push(found);
        }
        // The units of the first group that is restricted; of any where none is.
        let (list, found) = self
            .groups
            .iter()
            .zip(&wanted)
            .find(|(_, found)| !found.0.is_empty())
            .map_or((&self.groups[0].0, None), |((list, _), found)| (list, found.0.first()));
        let number = match found {
            Some(node) => list.get(*node as usize).and_then(|n| self.combine(n.unit, &wanted)),
            None => list.iter().find_map(|node| self.combine(node.unit, &wanted)),
        };
        match number {
            Some(number) => nodes.0.push(number),
            None => nodes.0.extend([0, self.size]),
        }
        Ok(())
    }

    fn reason(&self) -> String {
        let reasons = self.groups.iter().filter_map(|(_, router)| Some(router.as_ref()?.reason()));
        reasons.collect::<Vec<_>>().join("; ")
    }
}
