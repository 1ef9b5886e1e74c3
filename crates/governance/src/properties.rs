//! ShardingSphere's global properties: names, defaults, and what values they take.
//!
//! A property without a meaning here is still accepted and shown, so that an old configuration can
//! be used as it is.

use std::collections::BTreeMap;

/// What values a property takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyKind {
    /// `true` or `false`.
    Boolean,
    /// A whole number not below the bound.
    Integer {
        /// The lowest value.
        min: i64,
    },
    /// One of these words, in any case.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
}

/// One property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// As in the file, with `-`.
    pub name: &'static str,
    /// When nothing is set.
    pub default: &'static str,
    /// Takes effect at the next start only.
    pub needs_restart: bool,
    /// What values it takes.
    pub kind: PropertyKind,
}

const fn property(
    name: &'static str,
    default: &'static str,
    needs_restart: bool,
    kind: PropertyKind,
) -> Property {
    Property { name, default, needs_restart, kind }
}

const LEVELS: &[&str] = &["ERROR", "WARN", "INFO", "DEBUG", "TRACE"];
const FROM_ZERO: PropertyKind = PropertyKind::Integer { min: 0 };
const FROM_ONE: PropertyKind = PropertyKind::Integer { min: 1 };

/// Every property, sorted by name.
pub const PROPERTIES: &[Property] = &[
    property("agent-plugins-enabled", "true", false, PropertyKind::Boolean),
    property("cdc-server-port", "33071", true, FROM_ZERO),
    property("check-table-metadata-enabled", "false", false, PropertyKind::Boolean),
    property("kernel-executor-size", "0", true, FROM_ZERO),
    property("load-table-metadata-batch-size", "1000", false, FROM_ONE),
    property("max-connections-size-per-query", "1", false, FROM_ONE),
    property(
        "proxy-backend-driver-type",
        "JDBC",
        true,
        PropertyKind::Word(&["JDBC", "ExperimentalVertx"]),
    ),
    property(
        "proxy-backend-executor-suitable",
        "OLAP",
        false,
        PropertyKind::Word(&["OLAP", "OLTP"]),
    ),
    property("proxy-backend-query-fetch-size", "-1", false, PropertyKind::Integer { min: -1 }),
    property("proxy-default-port", "3307", true, FROM_ZERO),
    property(
        "proxy-frontend-database-protocol-type",
        "",
        false,
        PropertyKind::Word(&["", "MySQL", "MariaDB"]),
    ),
    property("proxy-frontend-executor-size", "0", true, FROM_ZERO),
    property("proxy-frontend-flush-threshold", "128", false, FROM_ONE),
    property("proxy-frontend-max-connections", "0", false, FROM_ZERO),
    property("proxy-frontend-ssl-cipher", "", true, PropertyKind::Text),
    property("proxy-frontend-ssl-enabled", "false", true, PropertyKind::Boolean),
    property("proxy-frontend-ssl-version", "TLSv1.2,TLSv1.3", true, PropertyKind::Text),
    property("proxy-hint-enabled", "false", false, PropertyKind::Boolean),
    property("proxy-instance-type", "Proxy", true, PropertyKind::Text),
    property("proxy-meta-data-collector-enabled", "false", false, PropertyKind::Boolean),
    property("proxy-metadata-collector-enabled", "false", true, PropertyKind::Boolean),
    property("proxy-mysql-default-version", "5.7.22", false, PropertyKind::Text),
    property("proxy-netty-backlog", "1024", false, FROM_ONE),
    property(
        "sql-federation-type",
        "NONE",
        false,
        PropertyKind::Word(&["NONE", "ORIGINAL", "ADVANCED"]),
    ),
    property("sql-show", "false", false, PropertyKind::Boolean),
    property("sql-simple", "false", false, PropertyKind::Boolean),
    property("system-log-level", "INFO", false, PropertyKind::Word(LEVELS)),
    property("system-schema-metadata-assembly-enabled", "true", true, PropertyKind::Boolean),
];

/// A property by its name, written with `-` or `_`, in any case.
pub fn find_property(name: &str) -> Option<&'static Property> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    PROPERTIES.iter().find(|property| property.name == name)
}

impl Property {
    /// The value in the spelling that is kept, or what values are possible.
    ///
    /// # Errors
    /// A text for the user: what the property takes.
    pub fn check(&self, value: &str) -> Result<String, String> {
        let value = value.trim();
        match self.kind {
            PropertyKind::Boolean => match value.to_ascii_lowercase().as_str() {
                word @ ("true" | "false") => Ok(word.to_owned()),
                _ => Err("true or false".to_owned()),
            },
            PropertyKind::Integer { min } => match value.parse::<i64>() {
                Ok(number) if number >= min && number <= i64::from(i32::MAX) => {
                    Ok(number.to_string())
                }
                _ => Err(format!("a whole number from {min} to {}", i32::MAX)),
            },
            PropertyKind::Word(words) => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(value))
                .map(|word| (*word).to_owned())
                .ok_or_else(|| format!("one of {}", words.join(", "))),
            PropertyKind::Text => Ok(value.to_owned()),
        }
    }

    /// What is set, else the default.
    pub fn value_in<'p>(&self, properties: &'p BTreeMap<String, String>) -> &'p str {
        properties.get(self.name).map_or(self.default, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_its_defaults_are_valid() {
        assert!(PROPERTIES.windows(2).all(|pair| pair[0].name < pair[1].name));
        for property in PROPERTIES {
            assert_eq!(property.check(property.default).as_deref(), Ok(property.default));
        }
    }

    #[test]
    fn both_spellings_find_a_property() {
        assert_eq!(find_property("SQL_SHOW").unwrap().name, "sql-show");
        assert_eq!(find_property("sql-show").unwrap().name, "sql-show");
        assert!(find_property("sql-shout").is_none());
    }

    #[test]
    fn values_are_checked() {
        let cases = [
            ("sql-show", "TRUE", Ok("true")),
            ("sql-show", "1", Err("true or false")),
            ("max-connections-size-per-query", "0", Err("a whole number from 1 to 2147483647")),
            ("proxy-backend-query-fetch-size", "-1", Ok("-1")),
            ("system-log-level", "warn", Ok("WARN")),
            ("system-log-level", "loud", Err("one of ERROR, WARN, INFO, DEBUG, TRACE")),
        ];
        for (name, value, expected) in cases {
            let checked = find_property(name).unwrap().check(value);
            assert_eq!(checked.as_deref().map_err(String::as_str), expected, "{name}={value}");
        }
    }
}
