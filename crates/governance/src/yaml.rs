//! The configuration folder: ShardingSphere's files of both generations, and `anabranch.yaml`.
//!
//! Nothing is skipped in silence: an unknown key, or a known one that asks for what is not there
//! yet, is an error with the file and the key.

mod authority;
mod database;
mod global;
mod replication_options;
mod scalar;
mod server_options;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kernel::config::{DatabaseConfig, UserConfig};
use kernel::feature::FeatureEntry;
use serde::de::DeserializeOwned;

pub use replication_options::{ReadOwnWrites, ReplicaHealth, ReplicationOptions};
pub use server_options::{BackendOptions, Limits, ServerOptions, TlsMode, TlsOptions};

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", file.display())]
pub struct ConfigError {
    /// The file or folder.
    pub file: PathBuf,
    /// The key at fault and what it takes.
    pub message: String,
}

/// Everything the folder says.
#[derive(Debug, Default)]
pub struct ConfigFiles {
    /// From `global.yaml` or `server.yaml`; empty when they name none.
    pub users: Vec<UserConfig>,
    /// Their `props`, checked.
    pub properties: BTreeMap<String, String>,
    /// From `database-*.yaml` and `config-*.yaml`, by the name of the logical database.
    pub databases: BTreeMap<String, DatabaseConfig>,
    /// From `anabranch.yaml`.
    pub options: ServerOptions,
}

impl ConfigFiles {
    /// Reads the folder. A folder without any of the files gives the defaults; other files in it
    /// are left alone.
    ///
    /// # Errors
    /// The folder or a file cannot be read, or a file is wrong.
    pub fn read(folder: &Path, features: &'static [FeatureEntry]) -> Result<Self, ConfigError> {
        let (files, errors) = Self::read_all(folder, features);
        errors.into_iter().next().map_or(Ok(files), Err)
    }

    /// Reads the folder as far as it can be read, and says what is wrong with each file.
    pub fn read_all(folder: &Path, features: &'static [FeatureEntry]) -> (Self, Vec<ConfigError>) {
        let mut files = Self::default();
        let names = match list(folder) {
            Ok(names) => names,
            Err(error) => return (files, vec![error]),
        };
        let mut errors = Vec::new();
        let is_global = |name: &&String| is_one_of(name, &["global.yaml", "server.yaml"]);
        if names.iter().filter(is_global).count() > 1 {
            errors.push(ConfigError {
                file: folder.to_owned(),
                message: "global.yaml and server.yaml are two generations of one file: keep one"
                    .to_owned(),
            });
        }
        for name in &names {
            errors.extend(files.read_file(folder, name, features).err());
        }
        (files, errors)
    }

    fn read_file(
        &mut self,
        folder: &Path,
        name: &str,
        features: &'static [FeatureEntry],
    ) -> Result<(), ConfigError> {
        let path = folder.join(name);
        if is_one_of(name, &["global.yaml", "server.yaml"]) {
            let global = global::read(&text_of(&path)?).map_err(at(&path))?;
            self.users = global.users;
            self.properties = global.properties;
        } else if name == "anabranch.yaml" {
            self.options = server_options::read(&text_of(&path)?, folder).map_err(at(&path))?;
        } else if is_database_file(name) {
            let read = database::read(&text_of(&path)?, features).map_err(at(&path))?;
            let Some((database, config)) = read else { return Ok(()) };
            if self.databases.insert(database.clone(), config).is_some() {
                let message = format!("databaseName: '{database}' is in another file, too");
                return Err(at(&path)(message));
            }
        }
        Ok(())
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.contains(&name)
}

fn is_database_file(name: &str) -> bool {
    let is_prefixed = name.starts_with("database-") || name.starts_with("config-");
    is_prefixed && (name.ends_with(".yaml") || name.ends_with(".yml"))
}

/// The names in a folder, sorted, so that errors come in the same order everywhere.
fn list(folder: &Path) -> Result<Vec<String>, ConfigError> {
    let failed = |error: std::io::Error| at(folder)(error.to_string());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        if let Ok(name) = entry.map_err(failed)?.file_name().into_string() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn text_of(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|error| at(path)(error.to_string()))
}

fn at(path: &Path) -> impl Fn(String) -> ConfigError + '_ {
    |message| ConfigError { file: path.to_owned(), message }
}

/// Reads a whole document; one of comments only is `None`.
fn parse<T: DeserializeOwned>(text: &str) -> Result<Option<T>, String> {
    yaml_serde::from_str::<Option<T>>(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
