//! The temporary table for the rows of a place: columns of the same types, so that every expression
//! over them has the same type, collation and value; the keys that decide what GROUP BY allows; and
//! an index for each column that is joined by.

use std::collections::BTreeSet;

use super::{Place, columns};
use crate::bind::survey::Survey;
use crate::gather::CopiedValue;
use crate::model::ColumnMetadata;
use crate::rewrite::quoted;

/// A copy and how its rows are read.
pub(super) struct Definition {
    /// `CREATE TEMPORARY TABLE ..`.
    pub create: String,
    /// `INSERT INTO .. VALUES `.
    pub insert: String,
    /// See [`crate::gather::Copy::relax`].
    pub relax: Option<String>,
    /// Expressions that give the values so that nothing is lost on the way.
    pub select_list: String,
    /// What those are.
    pub values: Vec<CopiedValue>,
}

/// Most indexes on joined columns.
const MAX_INDEXES: usize = 8;

/// Most bytes of an index's columns in InnoDB.
///
/// # Source
/// MySQL manual, "InnoDB Limits".
const MAX_KEY_BYTES: u64 = 3072;

/// The copy `name` with these columns of a place.
pub(super) fn define(
    name: &str,
    place: &Place<'_>,
    needed: &BTreeSet<usize>,
    survey: &Survey<'_>,
) -> Definition {
    let all = &place.metadata.columns;
    let copied: Vec<&ColumnMetadata> = needed.iter().map(|position| &all[*position]).collect();
    let keys = Keys::of(place, &copied, &columns::joined(survey, place));
    let mut parts: Vec<String> = copied.iter().map(|column| keys.column(column)).collect();
    parts.extend(keys.definitions());
    let names: Vec<String> = copied.iter().map(|column| quoted(&column.name)).collect();
    let (expressions, values) = copied.iter().map(|column| reading(column)).unzip();
    let expressions: Vec<String> = expressions;
    Definition {
        create: format!(
            "CREATE TEMPORARY TABLE {} ({}) ENGINE=InnoDB",
            quoted(name),
            parts.join(", ")
        ),
        insert: format!("INSERT INTO {} ({}) VALUES ", quoted(name), names.join(", ")),
        relax: keys.relax(name),
        select_list: expressions.join(", "),
        values,
    }
}

/// How a column is read, and what its text is then.
fn reading(column: &ColumnMetadata) -> (String, CopiedValue) {
    let name = quoted(&column.name);
    match column.data_type.as_str() {
        "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint" | "decimal"
        | "numeric" | "year" => (name, CopiedValue::Number),
        // The text of a FLOAT has fewer digits than its value.
        "float" | "double" | "real" => (format!("{name} * 1e0"), CopiedValue::Double),
        // Members by number: their letters may be lost in the connection's character set.
        "enum" | "set" => (format!("CAST({name} AS UNSIGNED)"), CopiedValue::Number),
        "timestamp" => (format!("UNIX_TIMESTAMP({name})"), CopiedValue::UnixTime),
        "bit" | "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob"
        | "vector" => (name, CopiedValue::Bytes),
        _ if is_geometry(column) => (name, CopiedValue::Bytes),
        _ => (name, CopiedValue::Text),
    }
}

fn is_geometry(column: &ColumnMetadata) -> bool {
    matches!(
        column.data_type.as_str(),
        "geometry"
            | "point"
            | "linestring"
            | "polygon"
            | "multipoint"
            | "multilinestring"
            | "multipolygon"
            | "geometrycollection"
            | "geomcollection"
    )
}

/// Bytes that a column takes in an index; `None` where it cannot be in one.
fn key_bytes(column: &ColumnMetadata) -> Option<u64> {
    let length = || {
        let (_, behind) = column.column_type.split_once('(')?;
        behind.split_once(')')?.0.trim().parse::<u64>().ok()
    };
    match column.data_type.as_str() {
        "char" | "varchar" => Some(length()? * 4),
        "binary" | "varbinary" => length(),
        "tinytext" | "text" | "mediumtext" | "longtext" | "tinyblob" | "blob" | "mediumblob"
        | "longblob" | "json" | "vector" => None,
        _ if is_geometry(column) => None,
        "decimal" | "numeric" => Some(32),
        _ => Some(16),
    }
}

/// The keys of a copy.
struct Keys {
    primary: Vec<String>,
    unique: Vec<Vec<String>>,
    plain: Vec<String>,
    /// The AUTO_INCREMENT column, where it is first in one of them.
    counted: Option<String>,
}

impl Keys {
    fn of(place: &Place<'_>, copied: &[&ColumnMetadata], joined: &BTreeSet<usize>) -> Self {
        let metadata = place.metadata;
        let fits = |key: &[String]| {
            let bytes = key.iter().map(|name| {
                let column = copied.iter().find(|c| c.name.eq_ignore_ascii_case(name));
                column.and_then(|column| key_bytes(column))
            });
            let sum = bytes.sum::<Option<u64>>();
            !key.is_empty() && sum.is_some_and(|sum| sum <= MAX_KEY_BYTES)
        };
        let primary =
            if fits(&metadata.primary_key) { metadata.primary_key.clone() } else { Vec::new() };
        let unique: Vec<Vec<String>> =
            metadata.unique_keys.iter().filter(|key| fits(key)).cloned().collect();
        let firsts: Vec<&String> =
            unique.iter().chain([&primary]).filter_map(|key| key.first()).collect();
        let plain = joined
            .iter()
            .map(|position| &metadata.columns[*position].name)
            .filter(|name| !firsts.contains(name) && fits(std::slice::from_ref(*name)))
            .take(MAX_INDEXES)
            .cloned()
            .collect();
        let counted = copied
            .iter()
            .find(|column| column.is_auto_increment && firsts.contains(&&column.name))
            .map(|column| column.name.clone());
        Self { primary, unique, plain, counted }
    }

    /// The definition of a column.
    fn column(&self, column: &ColumnMetadata) -> String {
        let mut text = format!("{} {}", quoted(&column.name), column.column_type);
        if !column.collation.is_empty() {
            text.push_str(&format!(" COLLATE {}", column.collation));
        }
        // An invisible column has to have a default.
        let is_nullable = column.is_nullable || column.is_invisible;
        text.push_str(if is_nullable { " NULL" } else { " NOT NULL" });
        if self.counted.as_ref() == Some(&column.name) {
            text.push_str(" AUTO_INCREMENT");
        }
        if column.is_invisible {
            text.push_str(" INVISIBLE");
        }
        text
    }

    fn definitions(&self) -> Vec<String> {
        let mut parts = Vec::new();
        if !self.primary.is_empty() {
            parts.push(format!("PRIMARY KEY ({})", list(&self.primary)));
        }
        for (index, key) in self.unique.iter().enumerate() {
            parts.push(format!("UNIQUE KEY `u{index}` ({})", list(key)));
        }
        for (index, name) in self.plain.iter().enumerate() {
            parts.push(format!("KEY `k{index}` ({})", quoted(name)));
        }
        parts
    }

    fn relax(&self, name: &str) -> Option<String> {
        let mut parts = Vec::new();
        if !self.primary.is_empty() {
            parts.push("DROP PRIMARY KEY".to_owned());
            parts.push(format!("ADD KEY `p` ({})", list(&self.primary)));
        }
        for (index, key) in self.unique.iter().enumerate() {
            parts.push(format!("DROP KEY `u{index}`"));
            parts.push(format!("ADD KEY `r{index}` ({})", list(key)));
        }
        (!parts.is_empty()).then(|| format!("ALTER TABLE {} {}", quoted(name), parts.join(", ")))
    }
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}
