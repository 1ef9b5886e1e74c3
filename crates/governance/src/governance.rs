//! The current snapshot and the one way to change it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use kernel::config::{Configuration, DatabaseConfig, UserConfig};
use kernel::error::StatementError;
use kernel::feature::FeatureEntry;
use kernel::snapshot::Snapshot;

use crate::sequences::{BLOCK, Filling, Sequences};
use crate::snapshot_builder::{self, UnitReadings};
use crate::store::{Store, StoreError};
use crate::users;
use crate::yaml::{ConfigError, ConfigFiles};

/// Why the governance of a node cannot start.
#[derive(Debug, thiserror::Error)]
pub enum GovernanceError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configuration files.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// What is configured cannot be built.
    #[error("the configuration cannot be used: {0}")]
    Build(#[from] StatementError),
}

/// Holds the current snapshot, and makes the next one current.
#[derive(Debug)]
pub struct Governance {
    store: Store,
    features: &'static [FeatureEntry],
    current: ArcSwap<Snapshot>,
    /// Held from reading the current snapshot to swapping in the next.
    changing: Mutex<()>,
    /// Held by whoever reads units and puts in what was read, so that an older reading never
    /// replaces a newer one.
    reading: tokio::sync::Mutex<()>,
    sequences: Sequences,
}

/// A change in the making.
#[derive(Debug)]
pub struct Draft {
    /// What the change starts from.
    pub previous: Arc<Snapshot>,
    /// Change this.
    pub configuration: Configuration,
    /// Units that were read anew.
    pub readings: UnitReadings,
}

impl Draft {
    /// The configuration of a logical database.
    ///
    /// # Errors
    /// There is none of this name (1049).
    pub fn require_database(&mut self, name: &str) -> Result<&mut DatabaseConfig, StatementError> {
        self.configuration
            .databases
            .get_mut(name)
            .ok_or_else(|| StatementError::unknown_database(name))
    }
}

/// A started governance.
#[derive(Debug)]
pub struct Opened {
    /// Ready, with the first snapshot; nothing was read of the units yet.
    pub governance: Governance,
    /// The password of the user `root` that was made because there was none. To be shown once.
    pub new_root_password: Option<String>,
}

impl Governance {
    /// Opens the store in `data` and puts the files over what is stored: users, when the files name
    /// any; each property; each database the files describe. Without any user, `root`@`%` is made
    /// with a random password.
    ///
    /// # Errors
    /// See [`GovernanceError`].
    pub fn open(
        data: &Path,
        features: &'static [FeatureEntry],
        files: &ConfigFiles,
    ) -> Result<Opened, GovernanceError> {
        Self::start(Store::open(data)?, features, files)
    }

    /// As [`Governance::open`] with a store in memory, for tests.
    ///
    /// # Errors
    /// See [`GovernanceError`].
    pub fn in_memory(
        features: &'static [FeatureEntry],
        files: &ConfigFiles,
    ) -> Result<Opened, GovernanceError> {
        Self::start(Store::in_memory()?, features, files)
    }

    fn start(
        store: Store,
        features: &'static [FeatureEntry],
        files: &ConfigFiles,
    ) -> Result<Opened, GovernanceError> {
        let stored = store.load()?;
        let mut configuration = stored.clone().unwrap_or_default();
        put_files_over(&mut configuration, files);
        let new_root_password = configuration.users.is_empty().then(users::random_password);
        if let Some(password) = &new_root_password {
            configuration.users.push(root_user(password));
        }
        let is_changed = stored.as_ref() != Some(&configuration);
        let snapshot =
            snapshot_builder::build(Arc::new(configuration), &UnitReadings::new(), features, None)?;
        if is_changed {
            store.store(&snapshot.configuration)?;
        }
        let governance = Self {
            store,
            features,
            current: ArcSwap::from_pointee(snapshot),
            changing: Mutex::new(()),
            reading: tokio::sync::Mutex::new(()),
            sequences: Sequences::default(),
        };
        Ok(Opened { governance, new_root_password })
    }

    /// The snapshot as it is now.
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// The pointer itself, for an [`arc_swap::Cache`] a worker.
    pub fn pointer(&self) -> &ArcSwap<Snapshot> {
        &self.current
    }

    /// The features of this build.
    pub fn features(&self) -> &'static [FeatureEntry] {
        self.features
    }

    /// Waits until nobody else reads units. Take it before reading and keep it until the change.
    pub async fn lock_readings(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.reading.lock().await
    }

    /// The numbers of AUTO_INCREMENT columns over all nodes.
    pub fn sequences(&self) -> &Sequences {
        &self.sequences
    }

    /// Reserves at least `count` more numbers, [`BLOCK`] as a rule, without holding the thread up.
    ///
    /// # Errors
    /// The store refuses (10100).
    pub async fn reserve(
        self: &Arc<Self>,
        filling: &Filling<'_>,
        count: u64,
    ) -> Result<(), StatementError> {
        let name = filling.name().to_owned();
        let (next, count) = (filling.next(), BLOCK.max(count.saturating_mul(4)));
        let reserved =
            self.in_store(move |store| store.reserve_numbers(&name, next, count)).await?;
        filling.reserved(reserved.start, reserved.end);
        Ok(())
    }

    /// Forgets how far a table has counted: it was emptied, or its counter was set.
    ///
    /// # Errors
    /// The store refuses (10100); numbers go on where they were.
    pub async fn restart_sequence(
        self: &Arc<Self>,
        database: &str,
        table: &str,
    ) -> Result<(), StatementError> {
        let sequence = self.sequences.find(database, table);
        let filling = sequence.lock().await;
        let name = filling.name().to_owned();
        self.in_store(move |store| store.forget_numbers(&name)).await?;
        filling.restart();
        Ok(())
    }

    /// Works on the store in a thread that may wait for the disk.
    async fn in_store<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StatementError> {
        let governance = Arc::clone(self);
        match tokio::task::spawn_blocking(move || work(&governance.store)).await {
            Ok(done) => done.map_err(|error| not_stored(&error)),
            Err(error) => Err(StatementError::new(10100, "HY000", error.to_string())),
        }
    }

    /// Changes the configuration: `edit` edits a draft, the next snapshot is built from it, stored
    /// and made current. Changes follow one another; a draft without a difference leaves the
    /// current snapshot in place. `what` names the change in the log.
    ///
    /// This writes to disk and blocks until it is there.
    ///
    /// # Errors
    /// That of `edit`, of building, or of the store (10100). The current snapshot stays.
    pub fn change<T>(
        &self,
        what: &str,
        edit: impl FnOnce(&mut Draft) -> Result<T, StatementError>,
    ) -> Result<T, StatementError> {
        let _guard = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let previous = self.current();
        let mut draft = Draft {
            configuration: (*previous.configuration).clone(),
            previous: Arc::clone(&previous),
            readings: UnitReadings::new(),
        };
        let outcome = edit(&mut draft)?;
        let is_reconfigured = draft.configuration != *previous.configuration;
        let readings = changed_readings(draft.readings, &previous);
        if !is_reconfigured && readings.is_empty() {
            return Ok(outcome);
        }
        let configuration = if is_reconfigured {
            Arc::new(draft.configuration)
        } else {
            Arc::clone(&previous.configuration)
        };
        let next =
            snapshot_builder::build(configuration, &readings, self.features, Some(&previous))?;
        if is_reconfigured {
            self.store.store(&next.configuration).map_err(|error| not_stored(&error))?;
        }
        let catalog_version = next.version;
        self.current.store(Arc::new(next));
        tracing::info!(catalog_version, what, "the catalog changed");
        Ok(outcome)
    }
}

/// Leaves out what says the same as is known.
fn changed_readings(mut readings: UnitReadings, previous: &Snapshot) -> UnitReadings {
    readings.retain(|(database, unit), read| {
        let database = previous.databases.get(database);
        let known = database
            .and_then(|database| database.unit_metadata.get(&database.find_unit_named(unit)?.id));
        known != Some(read)
    });
    readings
}

fn not_stored(error: &StoreError) -> StatementError {
    tracing::error!(%error, "the change could not be stored");
    StatementError::new(
        10100,
        "HY000",
        "The change could not be written to the store and was not made: see the log",
    )
}

fn put_files_over(configuration: &mut Configuration, files: &ConfigFiles) {
    if !files.users.is_empty() {
        configuration.users.clone_from(&files.users);
    }
    for (name, value) in &files.properties {
        configuration.properties.insert(name.clone(), value.clone());
    }
    for (name, database) in &files.databases {
        let before = configuration.databases.insert(name.clone(), database.clone());
        if before.is_some_and(|before| before != *database) {
            tracing::warn!(
                database = name,
                "the configuration file replaces what was stored of this database"
            );
        }
    }
}

fn root_user(password: &str) -> UserConfig {
    users::user_with_password("root", "%", password, None)
}

#[cfg(test)]
mod tests;
