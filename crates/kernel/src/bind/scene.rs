//! Where all tables of a statement are, and whether they are together.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Binder;
use super::define::same_layout;
use super::survey::{Survey, TableUse};
use super::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::model::{DataNode, UnitId};

/// Where all tables of a statement are.
#[derive(Debug)]
pub(super) enum Scene<'a> {
    /// It names none.
    Nowhere,
    /// Only system tables.
    System,
    /// All in this unit; broadcast tables may be among them.
    Unit(UnitId),
    /// Broadcast tables only: the nodes of one of them, in units that have all of them.
    Broadcast(Arc<[DataNode]>),
    /// This sharded table, and others whose node of the same number is in the same unit; broadcast
    /// tables may be among them.
    Sharded(Sharded<'a>),
    /// Tables that share a unit for some values of their sharding columns only.
    Mixed(Mixed<'a>),
    /// Tables that share no unit, and why.
    Apart(StatementError),
}

/// Groups of tables of which each has nodes of its own numbering.
#[derive(Debug)]
pub(super) struct Mixed<'a> {
    /// The first sharded table.
    pub first: Sharded<'a>,
    /// The nodes of each group; one node for tables that are not sharded.
    pub groups: SmallVec<[Arc<[DataNode]>; 4]>,
    /// For each place of the statement that names a table, its group; `None` for broadcast tables.
    pub group_of: Vec<Option<usize>>,
    /// Where they do not share a unit.
    pub apart: StatementError,
}

/// What is collected on the way.
#[derive(Default)]
struct Collected<'a> {
    has_system: bool,
    /// Units of single and temporary tables, with the name of a table in each.
    units: Vec<(UnitId, Arc<str>, String)>,
    broadcasts: Vec<Sharded<'a>>,
    /// The first table of each group.
    groups: Vec<Sharded<'a>>,
    places: Vec<Place>,
}

/// Where one place of the statement leads.
#[derive(Clone, Copy)]
enum Place {
    Anywhere,
    Group(usize),
    Unit,
}

impl<'a> Binder<'a> {
    /// Where all tables of a statement are.
    ///
    /// # Errors
    /// A table is unknown, of another logical database than the rest, or of the system while others
    /// are not.
    pub(super) fn scene(&self, survey: &Survey<'_>) -> Result<Scene<'a>, StatementError> {
        let mut collected = Collected::default();
        for used in &survey.tables {
            let found = self.require_existing(used)?;
            if let Some(first) = survey.tables.first() {
                self.same_database(first.name, used.name)?;
            }
            self.collect(used, found, &mut collected)?;
        }
        let has_others = collected.places.iter().any(|place| !matches!(place, Place::Anywhere))
            || !collected.broadcasts.is_empty();
        match (collected.has_system, has_others) {
            (true, true) => Err(apart(&names_of(survey), "one of them is a system table")),
            (true, false) => Ok(Scene::System),
            (false, true) => Ok(self.place(survey, collected)),
            (false, false) => Ok(Scene::Nowhere),
        }
    }

    fn require_existing(&self, used: &TableUse<'_>) -> Result<Found<'a>, StatementError> {
        match self.find_table(used.name)? {
            Found::Unknown => Err(self.unknown_table(used.name)),
            Found::Sharded(Sharded { table, .. }) | Found::Broadcast(Sharded { table, .. })
                if table.metadata.is_none() =>
            {
                Err(self.unknown_table(used.name))
            }
            found => Ok(found),
        }
    }

    fn collect(
        &self,
        used: &TableUse<'_>,
        found: Found<'a>,
        collected: &mut Collected<'a>,
    ) -> Result<(), StatementError> {
        let place = match found {
            Found::System | Found::Unknown => {
                collected.has_system = true;
                Place::Anywhere
            }
            Found::Broadcast(shared) => {
                collected.broadcasts.push(shared);
                Place::Anywhere
            }
            Found::Single { unit } | Found::Temporary(unit) => {
                if !collected.units.iter().any(|(known, ..)| *known == unit) {
                    let name = used.name.name.value.clone();
                    collected.units.push((unit, self.unit_name(unit), name));
                }
                Place::Unit
            }
            Found::Sharded(sharded) => {
                let mut known = None;
                for (index, group) in collected.groups.iter().enumerate() {
                    if self.are_aligned(*group, sharded)? {
                        known = Some(index);
                        break;
                    }
                }
                Place::Group(known.unwrap_or_else(|| {
                    collected.groups.push(sharded);
                    collected.groups.len() - 1
                }))
            }
        };
        collected.places.push(place);
        Ok(())
    }

    /// Nodes of the same number of both tables are in the same unit, by their rules.
    fn are_aligned(&self, left: Sharded<'a>, right: Sharded<'a>) -> Result<bool, StatementError> {
        if Arc::ptr_eq(left.table, right.table) {
            return Ok(true);
        }
        Ok(same_layout(left.nodes, right.nodes)
            && self.route_stage(left)?.are_bound(left.table, right.table))
    }

    fn unit_name(&self, unit: UnitId) -> Arc<str> {
        let database = self.database_with(unit).and_then(|database| database.find_unit(unit));
        database.map_or_else(|| "".into(), |found| found.name.clone())
    }

    fn place(&self, survey: &Survey<'_>, collected: Collected<'a>) -> Scene<'a> {
        let Collected { units, broadcasts, groups, places, .. } = collected;
        let lacks = |unit: UnitId| broadcasts.iter().find(|shared| !is_in(shared.nodes, unit));
        if let [(_, a_unit, a), (_, b_unit, b), ..] = units.as_slice() {
            let reason = format!("they are in different storage units ({a_unit}, {b_unit})");
            return Scene::Apart(apart(&[a.clone(), b.clone()], &reason));
        }
        let lacking = |unit: UnitId, shared: &Sharded<'_>| {
            let reason = format!(
                "broadcast table '{}' is not in storage unit '{}'",
                shared.table.name,
                self.unit_name(unit)
            );
            Scene::Apart(apart(&names_of(survey), &reason))
        };
        let [first, ..] = groups.as_slice() else {
            return match units.first() {
                Some((unit, ..)) => match lacks(*unit) {
                    Some(shared) => lacking(*unit, shared),
                    None => Scene::Unit(*unit),
                },
                None => shared_units(survey, &broadcasts),
            };
        };
        for node in groups.iter().flat_map(|group| group.nodes.iter()) {
            if let Some(shared) = lacks(node.unit) {
                return lacking(node.unit, shared);
            }
        }
        if groups.len() == 1 && units.is_empty() {
            return Scene::Sharded(*first);
        }
        let reason = match units.first() {
            Some((_, unit, name)) => format!(
                "table '{name}' is in storage unit '{unit}' only, and the rows of the others are \
                 not restricted to that unit by their sharding columns"
            ),
            None => "they are sharded independently of each other (no binding rule joins them), \
                     and their sharding columns are not restricted to one node each in the same \
                     storage unit"
                .to_owned(),
        };
        let lists = groups.iter().map(|group| group.nodes.clone());
        let single = units.first().map(|(unit, name, _)| -> Arc<[DataNode]> {
            let unit_name = name.clone();
            Arc::from([DataNode { unit: *unit, unit_name, actual_table: "".into() }])
        });
        let group_of = |place: &Place| match place {
            Place::Anywhere => None,
            Place::Group(index) => Some(*index),
            Place::Unit => Some(groups.len()),
        };
        Scene::Mixed(Mixed {
            first: *first,
            group_of: places.iter().map(group_of).collect(),
            apart: apart(&names_of(survey), &reason),
            groups: lists.chain(single).collect(),
        })
    }
}

/// Broadcast tables together: in the units that have all of them.
fn shared_units<'a>(survey: &Survey<'_>, broadcasts: &[Sharded<'a>]) -> Scene<'a> {
    let Some((first, others)) = broadcasts.split_first() else { return Scene::Nowhere };
    let has_all = |node: &&DataNode| others.iter().all(|other| is_in(other.nodes, node.unit));
    let nodes = first.nodes.iter().filter(has_all).cloned().collect::<Vec<_>>();
    if nodes.is_empty() {
        return Scene::Apart(apart(&names_of(survey), "no storage unit has all of them"));
    }
    Scene::Broadcast(if nodes.len() == first.nodes.len() {
        first.nodes.clone()
    } else {
        nodes.into()
    })
}

fn is_in(nodes: &[DataNode], unit: UnitId) -> bool {
    nodes.iter().any(|node| node.unit == unit)
}

/// Each table once, in the order of the statement.
pub(super) fn names_of(survey: &Survey<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for used in &survey.tables {
        if !names.contains(&used.name.name.value) {
            names.push(used.name.name.value.clone());
        }
    }
    names
}

/// Tables of one statement that are not together.
pub(super) fn apart(names: &[String], reason: &str) -> StatementError {
    let names = match names {
        [] => String::new(),
        [one] => format!("Table '{one}'"),
        [others @ .., last] => {
            let others = others.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>();
            format!("Tables {} and '{last}'", others.join(", "))
        }
    };
    StatementError::unsupported(format!("{names} cannot be used in one statement: {reason}"))
}
