//! The immutable state a statement runs under.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::{Configuration, UserConfig};
use crate::feature::Feature;
use crate::model::{LogicalTable, StorageUnit, UnitId};

/// Everything a statement needs to know, frozen. A statement takes it once and keeps it to its last
/// row.
#[derive(Debug)]
pub struct Snapshot {
    /// Rises by one with every change. Part of the plan cache key.
    pub version: u64,
    /// What was persisted.
    pub configuration: Arc<Configuration>,
    /// By name. Names are compared exactly, as MySQL on Linux does.
    pub databases: BTreeMap<String, Arc<LogicalDatabase>>,
    /// Who may log in.
    pub users: Arc<[UserConfig]>,
}

/// A database as the client sees it.
#[derive(Debug)]
pub struct LogicalDatabase {
    /// Its name.
    pub name: Arc<str>,
    /// In order of registration.
    pub units: Vec<StorageUnit>,
    /// By name. Table names are compared exactly, as MySQL on Linux does.
    pub tables: HashMap<String, Arc<LogicalTable>>,
    /// In the order of the binary's list; only features with a rule here.
    pub features: Vec<Feature>,
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

    /// A table by its name.
    pub fn find_table(&self, name: &str) -> Option<&Arc<LogicalTable>> {
        self.tables.get(name)
    }
}
