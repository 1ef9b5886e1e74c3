//! The session state that can be replayed on any backend connection: variables and user variables.
//!
//! Settings are interned: equal settings of different sessions are one object, so that the usual
//! check "does this connection already have them" is a pointer comparison.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a session has set, by name; values are SQL text ready for `SET name = value`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// System variables in lower case.
    pub variables: BTreeMap<String, String>,
    /// User variables in lower case, without `@`.
    pub user_variables: BTreeMap<String, String>,
}

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
            let mut settings = Self::default();
            for (name, value) in [
                ("character_set_client", "utf8mb4"),
                ("character_set_results", "utf8mb4"),
                ("collation_connection", "utf8mb4_general_ci"),
            ] {
                settings.variables.insert(name.into(), value.into());
            }
            settings.intern()
        };
        Arc::clone(BASELINE.get_or_init(make))
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
        for (name, value) in &self.variables {
            if from.variables.get(name) != Some(value) {
                parts.push(format!("{}={value}", spelling(name, server)));
            }
        }
        let is_gone = |name: &&String| !self.variables.contains_key(*name) && has_default(name);
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
        Settings { variables: map(variables), user_variables: map(user) }
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
}
