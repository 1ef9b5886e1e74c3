//! The immutable state a statement runs under.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::{Configuration, UserConfig};
use crate::feature::Feature;
use crate::model::{LogicalTable, StorageUnit, TableMetadata, UnitId};
use crate::replicas::UnitGroup;

/// Everything a statement needs to know, frozen. A statement takes it once and keeps it to its last
/// row.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Rises by one with every change. Part of the plan cache key.
    pub version: u64,
    /// What was persisted.
    pub configuration: Arc<Configuration>,
    /// By name. Names are compared exactly, as MySQL on Linux does.
    pub databases: BTreeMap<String, Arc<LogicalDatabase>>,
    /// Who may log in.
    pub users: Arc<[UserConfig]>,
    /// The id the next new unit gets, so that ids are never reused.
    pub next_unit_id: u32,
}

/// What was read from a storage unit when it was registered or refreshed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnitMetadata {
    /// `VERSION()` of the server, e.g. `8.0.36` or `10.11.6-MariaDB`.
    pub server_version: String,
    /// Its tables and views by name, the actual tables of rules among them.
    pub tables: BTreeMap<String, Arc<TableMetadata>>,
}

/// A database as the client sees it.
#[derive(Debug, Default)]
pub struct LogicalDatabase {
    /// Its name.
    pub name: Arc<str>,
    /// In order of registration, replicas among them.
    pub units: Vec<StorageUnit>,
    /// Units with replicas; empty for most databases.
    pub groups: Vec<Arc<UnitGroup>>,
    /// By name. Table names are compared exactly, as MySQL on Linux does.
    pub tables: HashMap<String, Arc<LogicalTable>>,
    /// In the order of the binary's list; only features with a rule here.
    pub features: Vec<Feature>,
    /// Where CREATE TABLE without a rule goes: the chosen unit, else the first one registered.
    pub default_unit: Option<UnitId>,
    /// What is known of each unit; a unit that could not be read yet is missing here.
    pub unit_metadata: HashMap<UnitId, Arc<UnitMetadata>>,
}

impl LogicalDatabase {
    /// A unit by its id.
    pub fn find_unit(&self, id: UnitId) -> Option<&StorageUnit> {
        self.units.iter().find(|unit| unit.id == id)
    }

    /// A unit by its name.
    pub fn find_unit_named(&self, name: &str) -> Option<&StorageUnit> {
        self.units.iter().find(|unit| &*unit.name == name)
    }

    /// The group whose primary this unit is.
    pub fn find_group(&self, primary: UnitId) -> Option<&Arc<UnitGroup>> {
        self.groups.iter().find(|group| group.primary == primary)
    }

    /// The units that are no replicas: each row of the database is in one of them.
    pub fn owners(&self) -> impl Iterator<Item = &StorageUnit> {
        self.units.iter().filter(move |unit| !self.is_replica(unit.id))
    }

    /// True for a unit that is read in the place of another.
    pub fn is_replica(&self, unit: UnitId) -> bool {
        self.groups.iter().any(|group| group.find_replica(unit).is_some())
    }

    /// A unit that rules and hints may name: its own name, or that of the group it is the primary of.
    pub fn find_nameable(&self, name: &str) -> Option<&StorageUnit> {
        let group = self.groups.iter().find(|group| &*group.name == name);
        group.map_or_else(|| self.find_unit_named(name), |group| self.find_unit(group.primary))
    }

    /// A table by its name.
    pub fn find_table(&self, name: &str) -> Option<&Arc<LogicalTable>> {
        self.tables.get(name)
    }
}
