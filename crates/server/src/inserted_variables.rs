//! User variables that are values of an INSERT into a sharded table: the session knows them, and one
//! may be what places its row.

use kernel::model::Placement;
use kernel::snapshot::Snapshot;
use sql::Span;
use sql::ast::{ExprKind, Insert, InsertSource, Statement, StatementKind};

use crate::session::Session;

/// True for an INSERT into a sharded table that has user variables as values.
pub(crate) fn are_in(session: &Session, snapshot: &Snapshot, statement: &Statement) -> bool {
    let StatementKind::Insert(insert) = &statement.kind else { return false };
    if variables(insert).next().is_none() {
        return false;
    }
    let database = match &insert.table.database {
        Some(name) => snapshot.databases.get(&name.value).cloned(),
        None => session.find_database(snapshot),
    };
    let table = database.as_ref().and_then(|found| found.find_table(&insert.table.name.value));
    table.is_some_and(|table| matches!(table.placement, Placement::Sharded(_)))
}

/// The variables of an INSERT and what to write in their place.
pub(crate) fn edits(session: &Session, statement: &Statement) -> Vec<(Span, Vec<u8>)> {
    let StatementKind::Insert(insert) = &statement.kind else { return Vec::new() };
    variables(insert)
        .map(|(span, name)| {
            let known = session.settings.user_variables.get(&name.to_ascii_lowercase());
            let literal = known.map_or("NULL", String::as_str);
            (span, plain(literal, session.is_utf8()).into_bytes())
        })
        .collect()
}

fn variables(insert: &Insert) -> impl Iterator<Item = (Span, &str)> {
    let (rows, assignments) = match &insert.source {
        InsertSource::Values { rows, .. } => (rows.as_slice(), [].as_slice()),
        InsertSource::Set(assignments) => ([].as_slice(), assignments.as_slice()),
        InsertSource::Query(_) => ([].as_slice(), [].as_slice()),
    };
    let in_rows = rows.iter().flat_map(|row| &row.values);
    let values = in_rows.chain(assignments.iter().map(|assignment| &assignment.value));
    values.filter_map(|value| match &value.kind {
        ExprKind::UserVariable(name) => Some((value.span, name.as_str())),
        _ => None,
    })
}

/// A text as the session keeps it (`_utf8mb4 x'..' COLLATE ..`) as a plain string, where it can be
/// written as one: then it can place a row. As a value of a column it means the same.
fn plain(literal: &str, is_utf8: bool) -> String {
    let text = || {
        let rest =
            literal.strip_prefix("_utf8mb4 x'").or_else(|| literal.strip_prefix("_utf8mb3 x'"))?;
        let (hex, _) = rest.split_once('\'')?;
        let digits: Vec<u8> =
            hex.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
        let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
        let text = String::from_utf8(bytes).ok()?;
        let is_plain = is_utf8 && !text.contains(['\\', '\'', '\0']);
        is_plain.then(|| format!("'{text}'"))
    };
    text().unwrap_or_else(|| literal.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_plain_where_they_can() {
        for (literal, is_utf8, expected) in [
            ("5", true, "5"),
            ("_utf8mb4 x'6162' COLLATE utf8mb4_bin", true, "'ab'"),
            ("_utf8mb4 x'C3A9' COLLATE utf8mb4_bin", true, "'\u{e9}'"),
            ("_utf8mb4 x'' COLLATE utf8mb4_bin", true, "''"),
            ("_utf8mb4 x'6162' COLLATE c", false, "_utf8mb4 x'6162' COLLATE c"),
            ("_utf8mb4 x'27' COLLATE c", true, "_utf8mb4 x'27' COLLATE c"),
            ("_latin1 x'61' COLLATE c", true, "_latin1 x'61' COLLATE c"),
            ("x'00'", true, "x'00'"),
        ] {
            assert_eq!(plain(literal, is_utf8), expected, "{literal}");
        }
    }
}
