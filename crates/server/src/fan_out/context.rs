//! What of the session the expressions on merged rows depend on.

use eval::expression::{Context, Flavour};
use kernel::error::StatementError;
use kernel::merge::RowMerge;
use storage::settings::ServerKind;

use crate::session::Session;

/// The context of the expressions of a merge; `kind` is that of the servers.
///
/// # Errors
/// The merge computes with texts, and rows come in a character set it cannot read.
pub(super) fn of(
    session: &Session,
    merge: &RowMerge,
    kind: Option<ServerKind>,
) -> Result<Context, StatementError> {
    let mut context = Context::default();
    if merge.computed.is_empty() && merge.having.is_none() {
        return Ok(context);
    }
    let variable = |name: &str| {
        let value = session.settings.variables.get(name);
        value.map(|value| value.trim_matches('\'').to_owned())
    };
    let is_utf8 = |name: &str| {
        variable(name).is_none_or(|charset| {
            ["utf8mb4", "utf8mb3", "utf8", "ascii"].contains(&charset.as_str())
        })
    };
    if !is_utf8("character_set_results") || !session.is_utf8() {
        return Err(StatementError::unsupported(
            "HAVING and expressions on aggregates over several storage units are computed in \
             utf8mb4 only: SET NAMES utf8mb4, or restrict the sharding column to one node",
        ));
    }
    if kind == Some(ServerKind::MariaDb) {
        context.flavour = Flavour::MariaDb;
    }
    if let Some(collation) = variable("collation_connection") {
        context.collation = collation.into();
    }
    if let Some(digits) = variable("div_precision_increment").and_then(|text| text.parse().ok()) {
        context.division_increment = digits;
    }
    if let Some(mode) = variable("sql_mode") {
        context = context.with_sql_mode(&mode);
    }
    Ok(context)
}
