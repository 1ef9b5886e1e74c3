//! What SHOW and COUNT say of read/write splitting. Columns: inventory 1.9, the newer dialect.

use kernel::error::StatementError;
use kernel::feature::{DistSqlContext, DistSqlOutcome, TextTable};
use kernel::replicas::{Standing, TransactionalReads};
use sql::ast::DistSql;

use super::missing;
use crate::config::{GroupConfig, SplittingConfig};
use crate::load_balancers;
use crate::rule::transactional_reads;

/// The statements that show; `None` for those of other features.
pub(super) fn execute(
    statement: &DistSql,
    context: &DistSqlContext<'_>,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    let splitting = || SplittingConfig::of(context.config);
    let shown = match statement {
        DistSql::ShowReadwriteSplittingRules { name, .. } => {
            splitting().and_then(|splitting| rules(&splitting, name.as_deref()))
        }
        DistSql::ShowReplicaStatus { name, .. } => {
            splitting().and_then(|splitting| status(&splitting, context, name.as_deref()))
        }
        DistSql::CountReadwriteSplittingRule { .. } => {
            splitting().map(|splitting| count(&splitting, &context.current.name))
        }
        DistSql::ShowLoadBalancerPlugins => Ok(plugins()),
        _ => return None,
    };
    Some(shown.map(DistSqlOutcome::Rows))
}

fn table<const N: usize>(columns: [&str; N], rows: Vec<[String; N]>) -> TextTable {
    TextTable {
        columns: columns.map(str::to_owned).into(),
        rows: rows.into_iter().map(|row| row.map(Some).into()).collect(),
    }
}

/// All groups, or the one of this name.
fn asked<'c>(
    splitting: &'c SplittingConfig,
    name: Option<&str>,
) -> Result<Vec<&'c GroupConfig>, StatementError> {
    match name {
        None => Ok(splitting.groups.iter().collect()),
        Some(name) => splitting.find(name).map(|group| vec![group]).ok_or_else(|| missing(name)),
    }
}

fn rules(splitting: &SplittingConfig, name: Option<&str>) -> Result<TextTable, StatementError> {
    let mut rows = Vec::new();
    for group in asked(splitting, name)? {
        let strategy = match transactional_reads(group)? {
            TransactionalReads::Primary => "PRIMARY",
            TransactionalReads::Fixed => "FIXED",
            TransactionalReads::Dynamic => "DYNAMIC",
        };
        let balancer = group.load_balancer.as_ref();
        let properties = balancer.map(|balancer| &balancer.properties);
        let properties = properties.filter(|properties| !properties.is_empty());
        rows.push([
            group.name.clone(),
            group.write_unit.clone(),
            group.read_units.join(","),
            strategy.to_owned(),
            balancer.map(|balancer| balancer.type_name.clone()).unwrap_or_default(),
            properties.and_then(|map| serde_json::to_string(map).ok()).unwrap_or_default(),
        ]);
    }
    let columns = [
        "name",
        "write_storage_unit_name",
        "read_storage_unit_names",
        "transactional_read_query_strategy",
        "load_balancer_type",
        "load_balancer_props",
    ];
    Ok(table(columns, rows))
}

/// A unit that was switched off is DISABLED. What was found of it besides stands behind its status:
/// the reference has no column for it.
fn status(
    splitting: &SplittingConfig,
    context: &DistSqlContext<'_>,
    name: Option<&str>,
) -> Result<TextTable, StatementError> {
    let mut rows = Vec::new();
    for group in asked(splitting, name)? {
        for unit in &group.read_units {
            let built = context.current.groups.iter().flat_map(|group| &group.replicas);
            let standing = built
                .filter(|replica| *replica.name == **unit)
                .map(|replica| replica.state.standing())
                .next();
            let status = match standing {
                _ if group.disabled_units.contains(unit) => "DISABLED",
                Some(Standing::Lagging) => "ENABLED (lagging)",
                Some(Standing::Broken) => "ENABLED (broken)",
                Some(Standing::InRotation) | None => "ENABLED",
            };
            rows.push([unit.clone(), status.to_owned()]);
        }
    }
    Ok(table(["storage_unit", "status"], rows))
}

fn count(splitting: &SplittingConfig, database: &str) -> TextTable {
    let count = splitting.groups.len().to_string();
    let row = ["readwrite_splitting".to_owned(), database.to_owned(), count];
    table(["rule_name", "database", "count"], vec![row])
}

fn plugins() -> TextTable {
    let row = |entry: &load_balancers::Registration| {
        [entry.type_name.to_owned(), String::new(), entry.description.to_owned()]
    };
    let rows = load_balancers::ALL.iter().map(row).collect();
    table(["type", "type_aliases", "description"], rows)
}
