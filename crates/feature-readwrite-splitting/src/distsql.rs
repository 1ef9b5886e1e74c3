//! DistSQL about read/write splitting.

mod show;
#[cfg(test)]
mod tests;

use kernel::config::DatabaseConfig;
use kernel::error::StatementError;
use kernel::feature::{DistSqlContext, DistSqlOutcome};
use kernel::snapshot::LogicalDatabase;
use sql::ast::{DistSql, ReadwriteSplittingDefinition};

use crate::config::{BalancerConfig, GroupConfig, SplittingConfig};

/// Executes a statement of this feature; `None` for the statements of others.
pub(crate) fn execute(
    statement: &DistSql,
    context: &mut DistSqlContext<'_>,
) -> Option<Result<DistSqlOutcome, StatementError>> {
    Some(match statement {
        DistSql::CreateReadwriteSplittingRule { if_not_exists, rules } => {
            create(context.config, rules, *if_not_exists)
        }
        DistSql::AlterReadwriteSplittingRule { rules } => alter(context.config, rules),
        DistSql::DropReadwriteSplittingRule { if_exists, names } => {
            drop(context, names, *if_exists)
        }
        DistSql::SwitchReplica { rule, unit, is_enabled, .. } => {
            switch(context.config, rule.as_deref(), unit, *is_enabled)
        }
        other => return show::execute(other, context),
    })
}

fn create(
    config: &mut DatabaseConfig,
    rules: &[ReadwriteSplittingDefinition],
    if_not_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let mut splitting = SplittingConfig::of(config)?;
    let before = splitting.groups.len();
    for rule in rules {
        match splitting.find(&rule.name) {
            Some(_) if if_not_exists => {}
            Some(_) => {
                let text = format!("There is a readwrite-splitting rule '{}' already", rule.name);
                return Err(StatementError::new(10204, "42S01", text));
            }
            None => splitting.groups.push(group(rule)?),
        }
    }
    if splitting.groups.len() == before {
        return Ok(DistSqlOutcome::Unchanged);
    }
    splitting.store(config);
    Ok(DistSqlOutcome::Changed)
}

fn alter(
    config: &mut DatabaseConfig,
    rules: &[ReadwriteSplittingDefinition],
) -> Result<DistSqlOutcome, StatementError> {
    let mut splitting = SplittingConfig::of(config)?;
    for rule in rules {
        let known = splitting.groups.iter_mut().find(|group| group.name == rule.name);
        let known = known.ok_or_else(|| missing(&rule.name))?;
        let mut next = group(rule)?;
        // What was switched off stays so as long as the rule has it.
        next.disabled_units.clone_from(&known.disabled_units);
        next.disabled_units.retain(|unit| next.read_units.contains(unit));
        *known = next;
    }
    splitting.store(config);
    Ok(DistSqlOutcome::Changed)
}

/// What a statement defines, in the form that is stored. The snapshot's builder checks it.
fn group(rule: &ReadwriteSplittingDefinition) -> Result<GroupConfig, StatementError> {
    if let Some(discovery) = &rule.discovery {
        return Err(StatementError::unsupported(format!(
            "AUTO_AWARE_RESOURCE={discovery} needs database discovery, which is not supported: name \
             the units with WRITE_STORAGE_UNIT and READ_STORAGE_UNITS"
        )));
    }
    Ok(GroupConfig {
        name: rule.name.clone(),
        write_unit: rule.write_unit.clone(),
        read_units: rule.read_units.clone(),
        disabled_units: Vec::new(),
        transactional_reads: rule.transactional_reads.as_ref().map(|name| name.to_uppercase()),
        load_balancer: rule.load_balancer.as_ref().map(|balancer| BalancerConfig {
            type_name: balancer.name.clone(),
            properties: balancer.properties.clone(),
        }),
    })
}

fn drop(
    context: &mut DistSqlContext<'_>,
    names: &[String],
    if_exists: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let mut splitting = SplittingConfig::of(context.config)?;
    let before = splitting.groups.len();
    for name in names {
        if splitting.find(name).is_none() && !if_exists {
            return Err(missing(name));
        }
        if let Some(table) = table_of(context.current, name) {
            let text = format!(
                "Readwrite-splitting rule '{name}' is still used by table '{table}': change its \
                 rule first"
            );
            return Err(StatementError::new(10203, "44000", text));
        }
        splitting.groups.retain(|group| group.name != *name);
    }
    if splitting.groups.len() == before {
        return Ok(DistSqlOutcome::Unchanged);
    }
    splitting.store(context.config);
    Ok(DistSqlOutcome::Changed)
}

/// A table whose rule names the group.
fn table_of(database: &LogicalDatabase, group: &str) -> Option<String> {
    let stages = database.features.iter().filter_map(|feature| feature.catalog.as_ref());
    let mut tables = stages.flat_map(|catalog| catalog.tables());
    let uses = tables.find(|(_, placement)| {
        matches!(placement, kernel::model::Placement::Sharded(_))
            && placement.nodes().iter().any(|node| &*node.unit_name == group)
    });
    uses.map(|(table, _)| table.to_string())
}

/// Takes a replica out of the rotation, or back into it.
fn switch(
    config: &mut DatabaseConfig,
    rule: Option<&str>,
    unit: &str,
    is_enabled: bool,
) -> Result<DistSqlOutcome, StatementError> {
    let mut splitting = SplittingConfig::of(config)?;
    if let Some(name) = rule
        && splitting.find(name).is_none()
    {
        return Err(missing(name));
    }
    let is_asked = |group: &&mut GroupConfig| {
        rule.is_none_or(|name| name == group.name) && group.read_units.iter().any(|u| u == unit)
    };
    let group = splitting.groups.iter_mut().find(is_asked).ok_or_else(|| {
        let text = format!("Storage unit '{unit}' is no read unit of a readwrite-splitting rule");
        StatementError::new(20203, "42S02", text)
    })?;
    let is_disabled = group.disabled_units.iter().any(|other| other == unit);
    if is_disabled != is_enabled {
        return Ok(DistSqlOutcome::Unchanged);
    }
    if is_enabled {
        group.disabled_units.retain(|other| other != unit);
    } else if group.disabled_units.len() + 1 == group.read_units.len() {
        let text = format!("Storage unit '{unit}' is the last one that is read in '{}'", group.name);
        return Err(StatementError::new(10200, "44000", text));
    } else {
        group.disabled_units.push(unit.to_owned());
    }
    splitting.store(config);
    Ok(DistSqlOutcome::Changed)
}

/// There is no rule of this name (10202).
fn missing(name: &str) -> StatementError {
    StatementError::new(10202, "42S02", format!("There is no readwrite-splitting rule '{name}'"))
}
