//! The nodes of a statement on sharded tables: which there are, how they are chosen, and which actual
//! table stands for each place on each of them.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Binder;
use super::condition::any_of;
use super::scene::{Mixed, Scene};
use super::scope::Scope;
use super::tables::Sharded;
use super::together::{Grid, Union};
use crate::error::StatementError;
use crate::feature::Router;
use crate::model::DataNode;
use crate::plan::{Plan, Target};
use crate::predicate::Predicate;

/// The nodes of a statement.
#[derive(Debug)]
pub(super) struct Site<'s> {
    /// The first sharded table.
    pub first: Sharded<'s>,
    /// The nodes.
    pub nodes: Arc<[DataNode]>,
    /// How they are chosen.
    pub router: Arc<dyn Router>,
    /// For each place of the statement, its node of the same number; `None` where the table is not
    /// sharded.
    pub places: Vec<Option<Arc<[DataNode]>>>,
    /// Why several nodes cannot run the statement, where that is known by the tables alone.
    pub apart: Option<StatementError>,
}

/// How the first place is routed, which is no table that is read.
#[derive(Debug)]
pub(super) struct Given {
    /// `None` where it goes with the others.
    pub router: Option<Arc<dyn Router>>,
}

impl<'a> Binder<'a> {
    /// The nodes of a statement on sharded tables.
    ///
    /// # Errors
    /// The tables are nowhere together, or an auditor or algorithm refuses the statement.
    pub(super) fn site<'s>(
        &self,
        scope: &Scope<'s>,
        scene: Scene<'s>,
        given: Option<&Given>,
    ) -> Result<Site<'s>, StatementError>
    where
        'a: 's,
    {
        match scene {
            Scene::Sharded(first) => {
                let nodes = |place| scope.sharded(place).map(|sharded| sharded.nodes.clone());
                let count = scope.survey().tables.len();
                Ok(Site {
                    first,
                    nodes: first.nodes.clone(),
                    router: self.router_of(scope, &|_| true, given)?,
                    places: (0..count).map(nodes).collect(),
                    apart: None,
                })
            }
            Scene::Mixed(mixed) => self.mixed_site(scope, mixed, given),
            Scene::Apart(apart) => Err(apart),
            Scene::Nowhere | Scene::System | Scene::Unit(_) | Scene::Broadcast(_) => {
                Err(StatementError::unsupported("This statement names no sharded table"))
            }
        }
    }

    fn mixed_site<'s>(
        &self,
        scope: &Scope<'s>,
        mixed: Mixed<'s>,
        given: Option<&Given>,
    ) -> Result<Site<'s>, StatementError> {
        let size = mixed.groups.iter().try_fold(1_usize, |size, group| {
            size.checked_mul(group.len()).filter(|size| *size <= Grid::MOST)
        });
        let Some(size) = size.filter(|size| *size > 0) else { return Err(mixed.apart) };
        let mut groups = Vec::new();
        for (index, nodes) in mixed.groups.iter().enumerate() {
            let is_inside = |place: usize| {
                mixed.group_of.get(place) == Some(&Some(index)) && scope.sharded(place).is_some()
            };
            let has_tables = (0..mixed.group_of.len()).any(is_inside);
            let router =
                has_tables.then(|| self.router_of(scope, &is_inside, given)).transpose()?;
            groups.push((nodes.clone(), router));
        }
        let grid = Grid { groups, size: size as u32 };
        let list = |group: usize, nodes: &[DataNode]| -> Arc<[DataNode]> {
            let numbers = (0..size).chain([0]);
            numbers.map(|number| nodes[grid.digit(number, group)].clone()).collect()
        };
        let places = mixed.group_of.iter().enumerate().map(|(place, group)| {
            let sharded = scope.sharded(place)?;
            Some(list((*group)?, sharded.nodes))
        });
        let places = places.collect();
        let nodes = list(0, &mixed.groups[0]);
        Ok(Site {
            first: mixed.first,
            nodes,
            router: Arc::new(grid),
            places,
            apart: Some(mixed.apart),
        })
    }

    /// The nodes that the places of a group need.
    fn router_of(
        &self,
        scope: &Scope<'_>,
        is_inside: &dyn Fn(usize) -> bool,
        given: Option<&Given>,
    ) -> Result<Arc<dyn Router>, StatementError> {
        let mut routers = Vec::new();
        let mut tables: SmallVec<[(Sharded<'_>, Vec<Predicate>); 2]> = SmallVec::new();
        for place in (0..scope.survey().tables.len()).filter(|place| is_inside(*place)) {
            let Some(sharded) = scope.sharded(place) else { continue };
            if let Some(given) = given.filter(|_| place == 0) {
                routers.extend(given.router.clone());
                continue;
            }
            let predicate = self.predicate(&scope.view(place), scope.conditions(place));
            let known = tables.iter_mut().find(|(t, _)| Arc::ptr_eq(t.table, sharded.table));
            match known {
                Some((_, predicates)) => predicates.push(predicate),
                None => tables.push((sharded, vec![predicate])),
            }
        }
        for (sharded, predicates) in tables {
            let stage = self.route_stage(sharded)?;
            let predicate = any_of(predicates);
            stage.audit(sharded.table, &predicate, self.hints)?;
            routers.push(stage.router(sharded.table, predicate, self.hints)?);
        }
        match <[_; 1]>::try_from(routers) {
            Ok([only]) => Ok(only),
            Err(routers) => Ok(Arc::new(Union { routers })),
        }
    }
}

impl Site<'_> {
    /// Where the statement goes.
    pub(super) fn target(&self) -> Target {
        Target::Nodes { nodes: self.nodes.clone(), router: self.router.clone() }
    }

    /// Gives the tables of the result their logical names.
    pub(super) fn relabel(&self, scope: &Scope<'_>, plan: &mut Plan) {
        let Some(relabel) = &mut plan.relabel else { return };
        for sharded in (0..self.places.len()).filter_map(|place| scope.sharded(place)) {
            if !relabel.tables.iter().any(|(_, name)| **name == *sharded.table.name) {
                relabel.tables.push((sharded.nodes.clone(), sharded.table.name.clone()));
            }
        }
    }
}
