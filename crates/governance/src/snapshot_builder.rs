//! Builds the next snapshot from a configuration and what was read of the units. Pure.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use kernel::config::{Configuration, DatabaseConfig, NamedUnit};
use kernel::error::StatementError;
use kernel::feature::{Feature, FeatureEntry};
use kernel::model::{
    DataNode, LogicalTable, Placement, StorageUnit, StorageUnitConfig, TableMetadata, UnitId,
};
use kernel::replicas::{UnitGroup, nameable_units};
use kernel::snapshot::{LogicalDatabase, Snapshot, UnitMetadata};

use crate::single_tables::{self, SingleRule};

/// What was newly read, by logical database and unit name.
pub type UnitReadings = BTreeMap<(String, String), Arc<UnitMetadata>>;

/// Builds the snapshot that follows `previous`.
///
/// A unit whose configuration is unchanged keeps its id and what was read of it; a database that is
/// unchanged is taken over as it is.
///
/// # Errors
/// A rule cannot be built, names a missing unit, or no feature of this build knows it.
pub fn build(
    configuration: Arc<Configuration>,
    readings: &UnitReadings,
    features: &'static [FeatureEntry],
    previous: Option<&Snapshot>,
) -> Result<Snapshot, StatementError> {
    let mut ids = UnitIds { next: previous.map_or(0, |snapshot| snapshot.next_unit_id) };
    let mut databases = BTreeMap::new();
    for (name, config) in &configuration.databases {
        let before = previous.and_then(|snapshot| snapshot.databases.get(name));
        let config_before =
            previous.and_then(|snapshot| snapshot.configuration.databases.get(name));
        let has_readings = readings.keys().any(|(database, _)| database == name);
        let database = match before {
            Some(before) if !has_readings && config_before == Some(config) => Arc::clone(before),
            _ => {
                let draft = DatabaseDraft { name, config, before: before.map(|before| &**before) };
                Arc::new(draft.build(readings, features, &mut ids)?)
            }
        };
        databases.insert(name.clone(), database);
    }
    Ok(Snapshot {
        version: previous.map_or(0, |snapshot| snapshot.version) + 1,
        users: configuration.users.clone().into(),
        configuration,
        databases,
        next_unit_id: ids.next,
    })
}

/// Hands out ids that were never used before.
struct UnitIds {
    next: u32,
}

impl UnitIds {
    fn next(&mut self) -> UnitId {
        let id = UnitId(self.next);
        self.next += 1;
        id
    }
}

/// One logical database in the making.
struct DatabaseDraft<'a> {
    name: &'a str,
    config: &'a DatabaseConfig,
    before: Option<&'a LogicalDatabase>,
}

impl DatabaseDraft<'_> {
    fn build(
        &self,
        readings: &UnitReadings,
        features: &'static [FeatureEntry],
        ids: &mut UnitIds,
    ) -> Result<LogicalDatabase, StatementError> {
        let units = self.build_units(ids)?;
        let unit_metadata = self.collect_metadata(&units, readings);
        let single_rule = SingleRule::from_rules(&self.config.rules)?;
        let groups = self.build_groups(&units, features)?;
        let nameable = nameable_units(&units, groups.iter());
        single_rule.check(&nameable)?;
        let features = self.build_features(&nameable, features)?;
        let tables = build_tables(&nameable, &unit_metadata, &single_rule, &features)?;
        let default_unit = match &single_rule.default_data_source {
            Some(name) => nameable.iter().find(|unit| &*unit.name == name),
            None => {
                let of_groups = groups.iter().flat_map(|group| &group.replicas);
                let replicas: HashSet<UnitId> = of_groups.map(|replica| replica.unit).collect();
                units.iter().find(|unit| !replicas.contains(&unit.id))
            }
        };
        Ok(LogicalDatabase {
            name: self.name.into(),
            default_unit: default_unit.map(|unit| unit.id),
            units,
            groups: groups.into_iter().map(Arc::new).collect(),
            tables,
            features,
            unit_metadata,
        })
    }

    fn build_units(&self, ids: &mut UnitIds) -> Result<Vec<StorageUnit>, StatementError> {
        let mut units: Vec<StorageUnit> = Vec::with_capacity(self.config.units.len());
        for NamedUnit { name, config } in &self.config.units {
            if units.iter().any(|unit| &*unit.name == name) {
                return Err(StatementError::new(
                    10104,
                    "42S01",
                    format!("Storage unit '{name}' is given twice in database '{}'", self.name),
                ));
            }
            let kept = self
                .before
                .and_then(|before| before.find_unit_named(name))
                .filter(|unit| *unit.config == *config);
            units.push(kept.cloned().unwrap_or_else(|| StorageUnit {
                id: ids.next(),
                name: name.as_str().into(),
                config: Arc::new(config.clone()),
            }));
        }
        Ok(units)
    }

    fn collect_metadata(
        &self,
        units: &[StorageUnit],
        readings: &UnitReadings,
    ) -> HashMap<UnitId, Arc<UnitMetadata>> {
        let of_unit = |unit: &StorageUnit| {
            let key = (self.name.to_owned(), unit.name.to_string());
            let read = readings.get(&key);
            let known = || self.before.and_then(|before| before.unit_metadata.get(&unit.id));
            read.or_else(known).map(|metadata| (unit.id, Arc::clone(metadata)))
        };
        units.iter().filter_map(of_unit).collect()
    }

    /// The groups of all rules. They are built before the features, whose rules name them.
    fn build_groups(
        &self,
        units: &[StorageUnit],
        entries: &'static [FeatureEntry],
    ) -> Result<Vec<UnitGroup>, StatementError> {
        let mut groups = Vec::new();
        for entry in entries {
            if let (Some(build), Some(rule)) = (entry.groups, self.config.rules.get(entry.rule_key))
            {
                groups.extend(build(rule, units)?);
            }
        }
        if let Some(before) = self.before {
            for group in &mut groups {
                group.keep_states(before);
            }
        }
        Ok(groups)
    }

    fn build_features(
        &self,
        units: &[StorageUnit],
        entries: &'static [FeatureEntry],
    ) -> Result<Vec<Feature>, StatementError> {
        for key in self.config.rules.keys() {
            if key != single_tables::RULE_KEY && !entries.iter().any(|e| e.rule_key == key) {
                return Err(StatementError::unsupported(format!(
                    "Database '{}' has a rule {key}, which is not supported yet",
                    self.name
                )));
            }
        }
        let with_rule =
            entries.iter().filter_map(|e| Some((e, self.config.rules.get(e.rule_key)?)));
        with_rule.map(|(entry, rule)| (entry.build)(rule, units)).collect()
    }
}

/// The tables of the features' catalogs, then the single tables.
fn build_tables(
    units: &[StorageUnit],
    unit_metadata: &HashMap<UnitId, Arc<UnitMetadata>>,
    single_rule: &SingleRule,
    features: &[Feature],
) -> Result<HashMap<String, Arc<LogicalTable>>, StatementError> {
    let mut tables = HashMap::new();
    let mut ruled: HashSet<(UnitId, Arc<str>)> = HashSet::new();
    for feature in features {
        let Some(catalog) = &feature.catalog else { continue };
        for (name, placement) in catalog.tables() {
            let nodes = placement.nodes();
            ruled.extend(nodes.iter().map(|node| (node.unit, Arc::clone(&node.actual_table))));
            let table = LogicalTable {
                name: Arc::clone(&name),
                metadata: nodes.iter().find_map(|node| find_metadata(unit_metadata, node)),
                placement,
            };
            if tables.insert(name.to_string(), Arc::new(table)).is_some() {
                return Err(StatementError::new(
                    10204,
                    "42S01",
                    format!("Table '{name}' has two rules: drop one of them"),
                ));
            }
        }
    }
    for (name, found) in find_single_tables(units, unit_metadata, &ruled) {
        if tables.contains_key(name) {
            continue;
        }
        if let Some(placement) = single_rule.place(name, &found) {
            let metadata = match &placement {
                Placement::Single(node) => find_metadata(unit_metadata, node),
                _ => found.first().and_then(|node| find_metadata(unit_metadata, node)),
            };
            let table = LogicalTable { name: name.into(), metadata, placement };
            tables.insert(name.to_owned(), Arc::new(table));
        }
    }
    Ok(tables)
}

fn find_metadata(
    unit_metadata: &HashMap<UnitId, Arc<UnitMetadata>>,
    node: &DataNode,
) -> Option<Arc<TableMetadata>> {
    unit_metadata.get(&node.unit)?.tables.get(&*node.actual_table).cloned()
}

/// Every table without a rule, with the units that have it, in order of registration.
fn find_single_tables<'m>(
    units: &[StorageUnit],
    unit_metadata: &'m HashMap<UnitId, Arc<UnitMetadata>>,
    ruled: &HashSet<(UnitId, Arc<str>)>,
) -> BTreeMap<&'m str, Vec<DataNode>> {
    let mut found: BTreeMap<&str, Vec<DataNode>> = BTreeMap::new();
    let mut ruled_addresses = HashSet::new();
    for unit in units {
        let of_unit = ruled.iter().filter(|(id, _)| *id == unit.id);
        ruled_addresses.extend(of_unit.map(|(_, table)| (address(&unit.config), &**table)));
    }
    let mut seen = HashSet::new();
    for unit in units {
        // Two units that lead to the same actual database have the same tables, not two of a name.
        if !seen.insert(address(&unit.config)) {
            continue;
        }
        let Some(metadata) = unit_metadata.get(&unit.id) else { continue };
        for name in metadata.tables.keys() {
            if ruled_addresses.contains(&(address(&unit.config), name.as_str())) {
                continue;
            }
            found.entry(name).or_default().push(DataNode {
                unit: unit.id,
                unit_name: Arc::clone(&unit.name),
                actual_table: name.as_str().into(),
            });
        }
    }
    found
}

fn address(config: &StorageUnitConfig) -> (&str, u16, &str) {
    (&config.host, config.port, &config.database)
}

#[cfg(test)]
pub(crate) mod tests;
