//! Route: from the values of one execution to the units it goes to.

use eval::Value;
use smallvec::{SmallVec, smallvec};

use crate::error::StatementError;
use crate::feature::RowRouter;
use crate::merge::{Limit, MergePlan, MergeValues, RowMerge};
use crate::model::DataNode;
use crate::plan::{Plan, RouteSet, RouteUnit, Target};
use crate::predicate::{ValueRef, ValueSource};

/// The units of one execution, ascending by node. Nearly all have one, and the list is moved about: room
/// for more would be copied each time.
pub type RouteUnits = SmallVec<[RouteUnit; 1]>;

impl Plan {
    /// Where the statement goes with these values. Never empty.
    ///
    /// # Errors
    /// A value that cannot be placed, a LIMIT that is no number, or nowhere to go.
    pub fn route(&self, values: &dyn ValueSource) -> Result<RouteUnits, StatementError> {
        let units = self.find_units(values)?;
        if units.len() > 1
            && let Ok(multi) = &self.multi
        {
            multi.merge.values(values)?;
        }
        Ok(units)
    }

    fn find_units(&self, values: &dyn ValueSource) -> Result<RouteUnits, StatementError> {
        match &self.target {
            Target::Unit(unit) => {
                Ok(smallvec![RouteUnit { unit: *unit, node: 0, rows: SmallVec::new() }])
            }
            Target::AnyUnit => {
                let unit = self.first_unit.ok_or_else(no_unit)?;
                Ok(smallvec![RouteUnit { unit, node: 0, rows: SmallVec::new() }])
            }
            Target::AnyOf(nodes) => Ok(smallvec![route_unit(nodes, 0, SmallVec::new())?]),
            Target::Nodes { nodes, router } => {
                let mut route = RouteSet::default();
                router.route(values, &mut route)?;
                if route.0.is_empty() {
                    // No row can match: one node is asked, for the columns of the result.
                    route.0.push(0);
                }
                let mut units = RouteUnits::new();
                for node in route.0 {
                    units.push(route_unit(nodes, node, SmallVec::new())?);
                }
                Ok(units)
            }
            Target::Rows { nodes, router, rows } => {
                route_rows(nodes, router.as_ref(), rows, values)
            }
            Target::AllNodes(nodes) => (0..nodes.len() as u32)
                .map(|node| route_unit(nodes, node, SmallVec::new()))
                .collect(),
        }
    }
}

impl MergePlan {
    /// What of it depends on these values.
    ///
    /// # Errors
    /// A bound of LIMIT is not a whole number from 0 on (1210).
    pub fn values(&self, values: &dyn ValueSource) -> Result<MergeValues, StatementError> {
        let MergePlan::Rows(rows) = self else { return Ok(MergeValues::default()) };
        let formulas = rows.computed.iter().map(|(_, formula)| formula).chain(&rows.having);
        let arguments = formulas
            .flat_map(|formula| &formula.arguments)
            .map(|argument| values.value(argument).into_owned())
            .collect();
        Ok(MergeValues { limit: rows.limit(values)?, arguments })
    }
}

impl RowMerge {
    /// The bounds of LIMIT.
    fn limit(&self, values: &dyn ValueSource) -> Result<Option<Limit>, StatementError> {
        let Some((offset, count)) = &self.limit else { return Ok(None) };
        let bound = |value: &ValueRef| {
            whole_number(&values.value(value))
                .ok_or_else(|| StatementError::new(1210, "HY000", "Incorrect arguments to LIMIT"))
        };
        let offset = offset.as_ref().map_or(Ok(0), bound)?;
        Ok(Some(Limit { offset, count: bound(count)? }))
    }
}

/// A number from 0 on, also as a parameter in text form.
pub(crate) fn whole_number(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Int(value) => u64::try_from(*value).ok(),
        Value::UInt(value) => Some(*value),
        Value::Bytes(text) => std::str::from_utf8(text).ok()?.parse().ok(),
        Value::Null | Value::Decimal(_) | Value::Double(_) => None,
    }
}

fn route_unit(
    nodes: &[DataNode],
    node: u32,
    rows: SmallVec<[u32; 4]>,
) -> Result<RouteUnit, StatementError> {
    let unit = nodes.get(node as usize).ok_or_else(no_unit)?.unit;
    Ok(RouteUnit { unit, node, rows })
}

/// Each row to its node; a node that takes all rows has no list of them.
fn route_rows(
    nodes: &[DataNode],
    router: &dyn RowRouter,
    rows: &[SmallVec<[ValueRef; 1]>],
    values: &dyn ValueSource,
) -> Result<RouteUnits, StatementError> {
    if let [row] = rows {
        return Ok(smallvec![route_unit(nodes, router.node_of(row, values)?, SmallVec::new())?]);
    }
    let mut placed: SmallVec<[(u32, u32); 16]> = SmallVec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        placed.push((router.node_of(row, values)?, index as u32));
    }
    placed.sort_unstable();
    let mut units = RouteUnits::new();
    for (node, row) in placed {
        match units.last_mut() {
            Some(unit) if unit.node == node => unit.rows.push(row),
            _ => units.push(route_unit(nodes, node, smallvec![row])?),
        }
    }
    if let [unit] = units.as_mut_slice() {
        unit.rows.clear();
    }
    if units.is_empty() { Err(no_unit()) } else { Ok(units) }
}

fn no_unit() -> StatementError {
    StatementError::new(
        10101,
        "42S02",
        "There are no storage units in this database; register one with REGISTER STORAGE UNIT",
    )
}
