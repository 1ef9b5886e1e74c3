//! Hands a DistSQL statement to the feature whose it is.

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::{DistSqlContext, DistSqlOutcome, FeatureEntry};
use kernel::snapshot::LogicalDatabase;
use sql::ast::DistSql;

use crate::{AdminContext, AdminOutcome};

/// Asks the features in their order; the first one whose statement it is executes it.
///
/// # Errors
/// Of the feature, or no feature knows the statement (30001).
pub(crate) fn execute(
    context: &AdminContext<'_>,
    statement: &DistSql,
) -> Result<AdminOutcome, StatementError> {
    let features = context.governance.features();
    let outcome = match target(statement) {
        Target::Nothing => {
            let current = LogicalDatabase::default();
            ask(features, statement, &current, &mut DatabaseConfig::default())
        }
        Target::Database(named) => {
            let name = context.require_name(named)?;
            context.governance.change("rule", |draft| {
                let current = draft.previous.databases.get(name).cloned();
                let current = current.ok_or_else(|| StatementError::unknown_database(name))?;
                ask(features, statement, &current, draft.require_database(name)?)
            })
        }
    };
    match outcome? {
        DistSqlOutcome::Rows(rows) => Ok(AdminOutcome::Rows(rows)),
        DistSqlOutcome::Changed | DistSqlOutcome::Unchanged => Ok(AdminOutcome::DONE),
    }
}

fn ask(
    features: &'static [FeatureEntry],
    statement: &DistSql,
    current: &LogicalDatabase,
    config: &mut DatabaseConfig,
) -> Result<DistSqlOutcome, StatementError> {
    let mut edited = config.clone();
    let mut context = DistSqlContext { current, config: &mut edited };
    let outcome = features
        .iter()
        .find_map(|feature| (feature.distsql)(statement, &mut context))
        .unwrap_or_else(|| {
            Err(StatementError::unsupported("This DistSQL statement is not supported yet"))
        })?;
    if outcome == DistSqlOutcome::Changed {
        *config = edited;
    }
    Ok(outcome)
}

/// What a feature's statement is about.
enum Target<'s> {
    /// A database: the one it names, else the session's.
    Database(Option<&'s str>),
    /// No database, e.g. what algorithms there are.
    Nothing,
}

fn target(statement: &DistSql) -> Target<'_> {
    match statement {
        DistSql::ShowShardingAlgorithmPlugins { .. } | DistSql::ShowLoadBalancerPlugins => {
            Target::Nothing
        }
        DistSql::ShowShardingTableRules { database, .. }
        | DistSql::ShowShardingTableNodes { database, .. }
        | DistSql::ShowShardingTableRulesUsed { database, .. }
        | DistSql::ShowShardingTableReferenceRules { database, .. }
        | DistSql::ShowDefaultShardingStrategy { database }
        | DistSql::ShowShardingAlgorithms { database, .. }
        | DistSql::CountShardingRule { database }
        | DistSql::ShowBroadcastTableRules { database }
        | DistSql::ShowReadwriteSplittingRules { database, .. }
        | DistSql::ShowReplicaStatus { database, .. }
        | DistSql::SwitchReplica { database, .. }
        | DistSql::CountReadwriteSplittingRule { database }
        | DistSql::CountBroadcastRule { database } => Target::Database(database.as_deref()),
        _ => Target::Database(None),
    }
}
