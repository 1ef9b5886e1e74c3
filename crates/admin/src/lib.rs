//! Executes DistSQL and what clients ask about logical databases.
//!
//! Start with [`execute`]. Statements of a feature go to the feature; what is read of storage units
//! comes from [`metadata`]; every change goes through [`governance::Governance::change`].
//!
//! **Invariant:** knows no feature by name, no packet and no client connection.

mod compute_nodes;
mod context;
mod databases;
mod feature_statements;
pub mod logical_show;
pub mod metadata;
mod row_filter;
mod single_tables;
mod storage_units;
mod variables;

use kernel::error::StatementError;
use kernel::feature::TextTable;
use sql::ast::DistSql;

pub use context::{AdminContext, NodeInfo};
pub use databases::{create_database, drop_database};

/// What a statement did.
#[derive(Debug, Clone, PartialEq)]
pub enum AdminOutcome {
    /// For an OK packet.
    Ok {
        /// Affected rows.
        affected: u64,
        /// What a client sees in SHOW WARNINGS: the statement had nothing to do.
        note: Option<StatementError>,
    },
    /// Rows to show.
    Rows(TextTable),
}

impl AdminOutcome {
    /// Done, nothing to count.
    pub(crate) const DONE: Self = Self::Ok { affected: 0, note: None };
}

/// Executes a DistSQL statement other than PREVIEW, which needs the road.
///
/// # Errors
/// The statement is not supported (30001), is refused by a check, or a storage unit cannot be read
/// (10110). Nothing was changed then.
pub async fn execute(
    statement: &DistSql,
    context: &AdminContext<'_>,
) -> Result<AdminOutcome, StatementError> {
    if context.in_transaction && changes_configuration(statement) {
        return Err(StatementError::unsupported(
            "DistSQL that changes something is not possible inside a transaction: COMMIT first",
        ));
    }
    match statement {
        DistSql::RegisterStorageUnit { if_not_exists, units } => {
            storage_units::register(context, units, *if_not_exists).await
        }
        DistSql::AlterStorageUnit { units } => storage_units::alter(context, units).await,
        DistSql::UnregisterStorageUnit { if_exists, names, .. } => {
            let ignored = storage_units::Ignored::of(statement);
            storage_units::unregister(context, names, *if_exists, ignored)
        }
        DistSql::RefreshMetadata { database, table } => {
            metadata::refresh(context, database.as_deref(), table.as_deref()).await
        }
        DistSql::LoadSingleTable { items } => single_tables::load(context, items),
        DistSql::UnloadSingleTable { tables } => single_tables::unload(context, tables),
        DistSql::SetDefaultSingleTableStorageUnit { unit } => {
            single_tables::set_default(context, unit.as_deref())
        }
        DistSql::SetDistVariable { name, value } => variables::set(context, name, value),
        DistSql::Unsupported { words } => {
            Err(StatementError::unsupported(format!("{words} is not supported yet")))
        }
        DistSql::Preview { .. } => {
            Err(StatementError::unsupported("PREVIEW is not possible here: send it on its own"))
        }
        other => match show(other, context) {
            Some(rows) => rows.map(AdminOutcome::Rows),
            None => feature_statements::execute(context, other),
        },
    }
}

/// The statements that show what is known here; `None` for those of a feature.
fn show(
    statement: &DistSql,
    context: &AdminContext<'_>,
) -> Option<Result<TextTable, StatementError>> {
    Some(match statement {
        DistSql::ShowStorageUnits { database, like, usage_count } => {
            storage_units::show(context, database.as_deref(), like.as_deref(), *usage_count)
        }
        DistSql::ShowRulesUsedStorageUnit { unit, database } => {
            storage_units::show_rules_used(context, unit, database.as_deref())
        }
        DistSql::ShowSingleTables { like, table, database } => {
            single_tables::show(context, like.as_deref(), table.as_deref(), database.as_deref())
        }
        DistSql::ShowUnloadedSingleTables { database } => {
            single_tables::show_unloaded(context, database.as_deref())
        }
        DistSql::CountSingleTable { database } => {
            single_tables::count(context, database.as_deref())
        }
        DistSql::ShowDefaultSingleTableStorageUnit { database } => {
            single_tables::show_default(context, database.as_deref())
        }
        DistSql::ShowDistVariables { name, like } => {
            variables::show(context, name.as_deref(), like.as_deref())
        }
        DistSql::ShowAuthorityRule => Ok(compute_nodes::show_authority_rule(context)),
        DistSql::ShowComputeNodes { what } => Ok(compute_nodes::show(context, what)),
        _ => return None,
    })
}

/// True for the statements that are refused inside a transaction.
fn changes_configuration(statement: &DistSql) -> bool {
    matches!(
        statement,
        DistSql::RegisterStorageUnit { .. }
            | DistSql::AlterStorageUnit { .. }
            | DistSql::UnregisterStorageUnit { .. }
            | DistSql::CreateShardingTableRule { .. }
            | DistSql::AlterShardingTableRule { .. }
            | DistSql::DropShardingTableRule { .. }
            | DistSql::CreateShardingTableReferenceRule { .. }
            | DistSql::AlterShardingTableReferenceRule { .. }
            | DistSql::DropShardingTableReferenceRule { .. }
            | DistSql::CreateDefaultShardingStrategy { .. }
            | DistSql::AlterDefaultShardingStrategy { .. }
            | DistSql::DropDefaultShardingStrategy { .. }
            | DistSql::CreateShardingAlgorithm { .. }
            | DistSql::AlterShardingAlgorithm { .. }
            | DistSql::DropShardingAlgorithm { .. }
            | DistSql::CreateBroadcastTableRule { .. }
            | DistSql::AlterBroadcastTableRule { .. }
            | DistSql::DropBroadcastTableRule { .. }
            | DistSql::CreateReadwriteSplittingRule { .. }
            | DistSql::AlterReadwriteSplittingRule { .. }
            | DistSql::DropReadwriteSplittingRule { .. }
            | DistSql::SwitchReplica { .. }
            | DistSql::LoadSingleTable { .. }
            | DistSql::UnloadSingleTable { .. }
            | DistSql::SetDefaultSingleTableStorageUnit { .. }
            | DistSql::SetDistVariable { .. }
    )
}

#[cfg(test)]
mod tests;
