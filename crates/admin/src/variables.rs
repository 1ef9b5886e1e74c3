//! SET DIST VARIABLE and SHOW DIST VARIABLES: the global properties, written with `_`.

use governance::pattern::matches_like;
use governance::properties::{PROPERTIES, find_property};
use kernel::error::StatementError;
use kernel::feature::TextTable;

use crate::{AdminContext, AdminOutcome};

/// Sets a property and keeps it.
///
/// # Errors
/// It is unknown (12010), or the value is not one it takes (12011).
pub(crate) fn set(
    context: &AdminContext<'_>,
    name: &str,
    value: &str,
) -> Result<AdminOutcome, StatementError> {
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "cached_connections" => return Err(bad_value(name, "nothing: it can only be shown")),
        "transaction_type" if value.eq_ignore_ascii_case("LOCAL") => return Ok(AdminOutcome::DONE),
        "transaction_type" => {
            return Err(StatementError::unsupported(
                "transaction_type takes LOCAL: other types are not supported yet",
            ));
        }
        _ => {}
    }
    let property = find_property(name).ok_or_else(|| unknown(name))?;
    let value = property.check(value).map_err(|expected| bad_value(name, &expected))?;
    context.governance.change("SET DIST VARIABLE", |draft| {
        draft.configuration.properties.insert(property.name.to_owned(), value);
        Ok(())
    })?;
    Ok(AdminOutcome::DONE)
}

/// Shows one variable, or those whose names match.
///
/// # Errors
/// The one is unknown (12010).
pub(crate) fn show(
    context: &AdminContext<'_>,
    name: Option<&str>,
    like: Option<&str>,
) -> Result<TextTable, StatementError> {
    let snapshot = context.governance.current();
    let properties = &snapshot.configuration.properties;
    let mut variables: Vec<(String, String)> = PROPERTIES
        .iter()
        .map(|property| (property.name.replace('-', "_"), property.value_in(properties).to_owned()))
        .collect();
    variables.push(("cached_connections".to_owned(), context.cached_connections.to_string()));
    variables.push(("transaction_type".to_owned(), "LOCAL".to_owned()));
    variables.sort();
    if let Some(name) = name {
        variables.retain(|(known, _)| known.eq_ignore_ascii_case(name));
        if variables.is_empty() {
            return Err(unknown(name));
        }
    }
    variables.retain(|(known, _)| like.is_none_or(|pattern| matches_like(pattern, known)));
    Ok(TextTable {
        columns: vec!["variable_name".to_owned(), "variable_value".to_owned()],
        rows: variables.into_iter().map(|(name, value)| vec![Some(name), Some(value)]).collect(),
    })
}

fn unknown(name: &str) -> StatementError {
    let text = format!("Unknown DIST VARIABLE '{name}': see SHOW DIST VARIABLES");
    StatementError::new(12010, "HY000", text)
}

fn bad_value(name: &str, expected: &str) -> StatementError {
    StatementError::new(12011, "HY000", format!("DIST VARIABLE '{name}' takes {expected}"))
}
