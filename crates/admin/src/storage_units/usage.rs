//! Which tables use a storage unit.

use kernel::model::{Placement, UnitId};
use kernel::snapshot::LogicalDatabase;

/// The groups of units it belongs to, and the tables of rules with a data node in it: feature and
/// name, in the order of the rules; broadcast tables only when asked for.
pub(super) fn rules_of(
    database: &LogicalDatabase,
    unit: UnitId,
    with_broadcast: bool,
) -> Vec<(String, String)> {
    let mut uses = Vec::new();
    for group in &database.groups {
        if group.primary == unit || group.find_replica(unit).is_some() {
            uses.push((group.feature.to_owned(), group.name.to_string()));
        }
    }
    for feature in &database.features {
        let Some(catalog) = &feature.catalog else { continue };
        for (table, placement) in catalog.tables() {
            if !with_broadcast && matches!(placement, Placement::Broadcast(_)) {
                continue;
            }
            if placement.nodes().iter().any(|node| node.unit == unit) {
                uses.push((feature.name.to_owned(), table.to_string()));
            }
        }
    }
    uses
}

/// The single tables in the unit, sorted.
pub(super) fn single_tables_of(database: &LogicalDatabase, unit: UnitId) -> Vec<(String, String)> {
    let mut uses: Vec<_> = database
        .tables
        .values()
        .filter(|table| match &table.placement {
            Placement::Single(node) => node.unit == unit,
            Placement::Ambiguous(nodes) => nodes.iter().any(|node| node.unit == unit),
            Placement::Sharded(_) | Placement::Broadcast(_) => false,
        })
        .map(|table| ("single".to_owned(), table.name.to_string()))
        .collect();
    uses.sort();
    uses
}
