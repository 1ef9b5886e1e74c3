//! The embedded store of a standalone node: one file, one value, replaced as a whole.
//!
//! A stored configuration survives a crash of the process and of the machine; a write that was cut
//! off leaves the one before it.

use std::fs::{DirBuilder, OpenOptions};
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use kernel::config::Configuration;
use redb::backends::FileBackend;
use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, StorageBackend, TableDefinition,
    TableError,
};
use serde::{Deserialize, Serialize};

/// The file's name in the data folder.
pub const FILE_NAME: &str = "anabranch.redb";

/// What this build writes. It reads this and nothing newer.
const FORMAT: u32 = 1;

/// The library's page cache. One value is read once and written seldom.
const CACHE_BYTES: usize = 1 << 20;

const TABLE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("configuration");
const KEY: &str = "current";

/// By table, the first number that is not reserved.
const SEQUENCES: TableDefinition<'_, &str, u64> = TableDefinition::new("sequences");

/// What the value holds.
#[derive(Serialize, Deserialize)]
struct Stored<C> {
    format: u32,
    configuration: C,
}

/// Read before the rest, whose shape it decides.
#[derive(Deserialize)]
struct StoredFormat {
    format: u32,
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it.
    #[error(
        "{0} is in use by another process: stop the other server or give this one its own --data"
    )]
    Locked(PathBuf),
    /// The file is not a store, or damaged.
    #[error(
        "{path} cannot be read as a store ({reason}): restore it from a backup or move it away"
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Written by a later release.
    #[error("{path} has format {found}, this release reads up to {FORMAT}: use the newer release")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The folder or file cannot be created, read or written.
    #[error("{path}: {reason}")]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

/// The open store. Only one process can have it open.
#[derive(Debug)]
pub struct Store {
    database: Database,
    path: PathBuf,
}

impl Store {
    /// Opens the store in a folder, making both when missing. Only the owner may read the file: it
    /// holds the passwords of storage units.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let unusable = |path: &Path, error: std::io::Error| StoreError::Unusable {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| unusable(folder, error))?;
        let path = folder.join(FILE_NAME);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(|error| unusable(&path, error))?;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))
            .map_err(|error| unusable(&path, error))?;
        // The library checks its pages with assertions in places: a damaged file is an error here.
        match catch_unwind(AssertUnwindSafe(|| create(FileBackend::new(file)?))) {
            Ok(Ok(database)) => Ok(Self { database, path }),
            Ok(Err(error)) => Err(open_error(path, &error)),
            Err(_) => Err(StoreError::Corrupt { path, reason: "its pages are damaged".to_owned() }),
        }
    }

    /// A store that lives in memory only, for tests.
    ///
    /// # Errors
    /// As [`Store::open`]; not expected.
    pub fn in_memory() -> Result<Self, StoreError> {
        let path = PathBuf::from("memory");
        let backend = redb::backends::InMemoryBackend::new();
        match create(backend) {
            Ok(database) => Ok(Self { database, path }),
            Err(error) => Err(open_error(path, &error)),
        }
    }

    /// What was stored last; `None` in a new store.
    ///
    /// # Errors
    /// The file is damaged or of a newer format.
    pub fn load(&self) -> Result<Option<Configuration>, StoreError> {
        let read = catch_unwind(AssertUnwindSafe(|| self.read_value()))
            .map_err(|_| self.corrupt("its pages are damaged"))?;
        let Some(bytes) = read? else {
            return Ok(None);
        };
        let StoredFormat { format } =
            serde_json::from_slice(&bytes).map_err(|error| self.corrupt(&error.to_string()))?;
        if format > FORMAT {
            return Err(StoreError::Newer { path: self.path.clone(), found: format });
        }
        let stored: Stored<Configuration> =
            serde_json::from_slice(&bytes).map_err(|error| self.corrupt(&error.to_string()))?;
        Ok(Some(stored.configuration))
    }

    /// Replaces what is stored. On return it is on disk.
    ///
    /// # Errors
    /// The disk refuses; what was stored before is still there.
    pub fn store(&self, configuration: &Configuration) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(&Stored { format: FORMAT, configuration })
            .map_err(|error| self.unusable(&error.to_string()))?;
        let write = || -> Result<(), redb::Error> {
            let transaction = self.database.begin_write()?;
            transaction.open_table(TABLE)?.insert(KEY, bytes.as_slice())?;
            transaction.commit()?;
            Ok(())
        };
        write().map_err(|error| self.unusable(&error.to_string()))
    }

    /// Reserves `count` numbers, behind those that are reserved and not below `next`. The range given
    /// back starts at the first number that was never reserved and ends with the new reservation,
    /// which is on disk.
    ///
    /// # Errors
    /// The disk refuses, or there are no more numbers.
    pub fn reserve_numbers(
        &self,
        name: &str,
        next: u64,
        count: u64,
    ) -> Result<Range<u64>, StoreError> {
        let write = || -> Result<Option<Range<u64>>, redb::Error> {
            let transaction = self.database.begin_write()?;
            let mut reserved = None;
            {
                let mut table = transaction.open_table(SEQUENCES)?;
                let start = table.get(name)?.map_or(next, |known| known.value().max(next));
                // The greatest number of all is given out, too.
                let end = start.saturating_add(count);
                if end > start {
                    table.insert(name, end)?;
                    reserved = Some(start..end);
                }
            }
            transaction.commit()?;
            Ok(reserved)
        };
        let reserved = write().map_err(|error| self.unusable(&error.to_string()))?;
        reserved.ok_or_else(|| self.unusable("the numbers of this table are used up"))
    }

    /// Forgets what is reserved under a name.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn forget_numbers(&self, name: &str) -> Result<(), StoreError> {
        let write = || -> Result<(), redb::Error> {
            let transaction = self.database.begin_write()?;
            transaction.open_table(SEQUENCES)?.remove(name)?;
            transaction.commit()?;
            Ok(())
        };
        write().map_err(|error| self.unusable(&error.to_string()))
    }

    fn read_value(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let corrupt = |error: redb::Error| self.corrupt(&error.to_string());
        let transaction = self.database.begin_read().map_err(|error| corrupt(error.into()))?;
        let table = match transaction.open_table(TABLE) {
            Ok(table) => table,
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            Err(error) => return Err(corrupt(error.into())),
        };
        let value = table.get(KEY).map_err(|error| corrupt(error.into()))?;
        Ok(value.map(|value| value.value().to_vec()))
    }

    fn corrupt(&self, reason: &str) -> StoreError {
        StoreError::Corrupt { path: self.path.clone(), reason: reason.to_owned() }
    }

    fn unusable(&self, reason: &str) -> StoreError {
        StoreError::Unusable { path: self.path.clone(), reason: reason.to_owned() }
    }
}

fn create(backend: impl StorageBackend) -> Result<Database, DatabaseError> {
    Database::builder().set_cache_size(CACHE_BYTES).create_with_backend(backend)
}

fn open_error(path: PathBuf, error: &DatabaseError) -> StoreError {
    match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::Locked(path),
        other => StoreError::Corrupt { path, reason: other.to_string() },
    }
}

#[cfg(test)]
mod tests;
