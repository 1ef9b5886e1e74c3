//! The session state that can be replayed on any backend connection: variables and user variables.
//!
//! Settings are interned: equal settings of different sessions are one object, so that the usual
//! check "does this connection already have them" is a pointer comparison.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a session has set, by name; values are SQL text ready for `SET name = value`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// What stands behind `SET NAMES`: a character set, with or without `COLLATE ..`; empty when
    /// nothing is known of it. It stands below the variables of [`CHARSET_VARIABLES`].
    pub names: String,
    /// System variables in lower case.
    pub variables: BTreeMap<String, String>,
    /// User variables in lower case, without `@`.
    pub user_variables: BTreeMap<String, String>,
}

/// The variables that `SET NAMES` sets, with the one that goes along with its collation.
pub const CHARSET_VARIABLES: [&str; 4] = [
    "character_set_client",
    "character_set_connection",
    "character_set_results",
    "collation_connection",
];

/// How a server spells what differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServerKind {
    /// Oracle MySQL and its relatives.
    MySql,
    /// MariaDB.
    MariaDb,
}

impl Settings {
    /// What a new backend connection has, by the handshake we make.
    pub fn baseline() -> Arc<Self> {
        static BASELINE: std::sync::OnceLock<Arc<Settings>> = std::sync::OnceLock::new();
        let make = || {
            let names = "utf8mb4 COLLATE utf8mb4_general_ci".to_owned();
            Self { names, ..Self::default() }.intern()
        };
        Arc::clone(BASELINE.get_or_init(make))
    }

    /// Takes over `NAMES ..`: the variables that it sets are no longer set on their own.
    pub fn set_names(&mut self, names: String) {
        self.names = names;
        self.variables.retain(|name, _| !is_charset_variable(name));
    }

    /// The character set of the client's text, where it is known.
    pub fn client_charset(&self) -> Option<&str> {
        let alone = self.variables.get("character_set_client").map(String::as_str);
        alone.or_else(|| self.names.split(' ').next().filter(|charset| !charset.is_empty()))
    }

    /// The one shared object equal to this.
    pub fn intern(self) -> Arc<Self> {
        static INTERNED: Mutex<Option<HashMap<Settings, Weak<Settings>>>> = Mutex::new(None);
        let mut guard = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        let interned = guard.get_or_insert_default();
        if let Some(found) = interned.get(&self).and_then(Weak::upgrade) {
            return found;
        }
        // Dead entries go when the table has grown by them; sessions hold the live ones.
        if interned.len() > 256 && interned.len().is_power_of_two() {
            interned.retain(|_, settings| settings.strong_count() > 0);
        }
        let settings = Arc::new(self.clone());
        interned.insert(self, Arc::downgrade(&settings));
        settings
    }

    /// The statement that turns a connection with settings `from` into one with these; `None` when
    /// nothing differs.
    pub fn difference(&self, from: &Self, server: ServerKind) -> Option<String> {
        let mut parts = Vec::new();
        let lost = |name: &&str| from.variables.contains_key(*name) && !self.has(name);
        // Only NAMES gives the results the collation that it names.
        let renames = self.names != from.names || CHARSET_VARIABLES.iter().any(lost);
        if renames && !self.names.is_empty() {
            parts.push(format!("NAMES {}", self.names));
        }
        for (name, value) in &self.variables {
            let is_undone = renames && is_charset_variable(name);
            if is_undone || from.variables.get(name) != Some(value) {
                parts.push(format!("{}={value}", spelling(name, server)));
            }
        }
        let is_gone = |name: &&String| {
            !self.has(name) && has_default(name) && !(renames && is_charset_variable(name))
        };
        for name in from.variables.keys().filter(is_gone) {
            parts.push(format!("{}=DEFAULT", spelling(name, server)));
        }
        for (name, value) in &self.user_variables {
            if from.user_variables.get(name) != Some(value) {
                parts.push(format!("@`{}`={value}", name.replace('`', "``")));
            }
        }
        for name in from.user_variables.keys() {
            if !self.user_variables.contains_key(name) {
                parts.push(format!("@`{}`=NULL", name.replace('`', "``")));
            }
        }
        (!parts.is_empty()).then(|| format!("SET {}", parts.join(", ")))
    }

    fn has(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }
}

fn is_charset_variable(name: &str) -> bool {
    CHARSET_VARIABLES.contains(&name)
}

/// Some variables only answer for the last statement: whoever reads them sets them before, and they
/// cannot be put back.
fn has_default(name: &str) -> bool {
    !matches!(name, "last_insert_id" | "identity" | "insert_id" | "rand_seed1" | "rand_seed2")
}

/// MariaDB 10.11 knows the isolation variables under their old names only.
fn spelling(name: &str, server: ServerKind) -> &str {
    match (server, name) {
        (ServerKind::MariaDb, "transaction_isolation") => "tx_isolation",
        (ServerKind::MariaDb, "transaction_read_only") => "tx_read_only",
        (ServerKind::MySql, "tx_isolation") => "transaction_isolation",
        (ServerKind::MySql, "tx_read_only") => "transaction_read_only",
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)], user: &[(&str, &str)]) -> Settings {
        let map = |list: &[(&str, &str)]| {
            list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
        };
        let names = String::new();
        Settings { names, variables: map(variables), user_variables: map(user) }
    }

    #[test]
    fn equal_settings_are_one_object() {
        let a = settings(&[("sql_mode", "''")], &[]).intern();
        let b = settings(&[("sql_mode", "''")], &[]).intern();
        assert!(Arc::ptr_eq(&a, &b));
    }

    #[test]
    fn the_difference_sets_changes_and_resets_the_rest() {
        let from = settings(&[("a", "1"), ("b", "2")], &[("x", "1")]);
        let to = settings(&[("b", "3"), ("tx_isolation", "'SERIALIZABLE'")], &[("y", "'q'")]);
        assert_eq!(
            to.difference(&from, ServerKind::MySql).unwrap(),
            "SET b=3, transaction_isolation='SERIALIZABLE', a=DEFAULT, @`y`='q', @`x`=NULL"
        );
        assert_eq!(to.difference(&to, ServerKind::MySql), None);
        let from = settings(&[("last_insert_id", "7")], &[]);
        assert_eq!(Settings::default().difference(&from, ServerKind::MariaDb), None);
    }

    #[test]
    fn names_go_first_and_undo_what_was_set_alone() {
        let named = |names: &str, variables: &[(&str, &str)]| {
            let mut settings = settings(variables, &[]);
            settings.names = names.to_owned();
            settings
        };
        let plain = named("utf8mb4", &[]);
        let german = named("latin1 COLLATE latin1_german1_ci", &[("sql_mode", "''")]);
        let kind = ServerKind::MySql;
        assert_eq!(
            german.difference(&plain, kind).unwrap(),
            "SET NAMES latin1 COLLATE latin1_german1_ci, sql_mode=''"
        );
        let raw = named("utf8mb4", &[("character_set_results", "NULL")]);
        assert_eq!(raw.difference(&plain, kind).unwrap(), "SET character_set_results=NULL");
        assert_eq!(plain.difference(&raw, kind).unwrap(), "SET NAMES utf8mb4");
        assert_eq!(
            raw.difference(&german, kind).unwrap(),
            "SET NAMES utf8mb4, character_set_results=NULL, sql_mode=DEFAULT"
        );
        assert_eq!(raw.client_charset(), Some("utf8mb4"));
        let mut back = raw;
        back.set_names("gbk".to_owned());
        assert_eq!((back.client_charset(), back.variables.len()), (Some("gbk"), 0));
    }
}
