//! What a statement defines, in the form that is stored; algorithms get their names here.
//!
//! Source of the names: inventory 1.3.

use kernel::error::StatementError;
use sql::ast::{
    AlgorithmDefinition, AlgorithmRole, ShardingLayout, ShardingTableRuleDefinition,
    StrategyDefinition,
};

use crate::config::{
    AlgorithmConfig, AuditConfig, KeyGenerateConfig, LayoutConfig, ShardingConfig, StrategyConfig,
    TableConfig,
};

/// The table of a rule; its algorithms are added to `sharding`.
pub(super) fn table(
    sharding: &mut ShardingConfig,
    rule: &ShardingTableRuleDefinition,
) -> Result<TableConfig, StatementError> {
    let table = rule.table.as_str();
    let layout = match &rule.layout {
        ShardingLayout::Auto { units, column, algorithm } => LayoutConfig::Auto {
            storage_units: units.clone(),
            sharding_column: column.clone(),
            algorithm: add(sharding, AlgorithmRole::Sharding, table, algorithm),
        },
        ShardingLayout::Explicit { data_nodes, database_strategy, table_strategy } => {
            let mut build = |level: &str, definition: &Option<StrategyDefinition>| {
                let definition = definition.as_ref();
                let start = format!("{table}_{level}");
                definition.map(|definition| strategy(sharding, &start, definition)).transpose()
            };
            LayoutConfig::Explicit {
                data_nodes: data_nodes.clone(),
                database_strategy: build("database", database_strategy)?,
                table_strategy: build("table", table_strategy)?,
            }
        }
    };
    let key_generate = rule.key_generator.as_ref().map(|(column, generator)| KeyGenerateConfig {
        column: column.clone(),
        generator: add(sharding, AlgorithmRole::KeyGenerator, table, generator),
    });
    let audit = rule.audit.as_ref().map(|(auditors, allow_hint_disable)| AuditConfig {
        auditors: (0..)
            .zip(auditors)
            .map(|(index, auditor)| {
                let name = format!("{table}_{}_{index}", auditor.name);
                add_named(sharding, AlgorithmRole::Auditor, &name, auditor)
            })
            .collect(),
        allow_hint_disable: *allow_hint_disable,
    });
    Ok(TableConfig { table: rule.table.clone(), layout, key_generate, audit })
}

/// A strategy; the name of its algorithm begins with `start`.
///
/// # Errors
/// A kind that does not exist, or columns that do not fit it (10200), no algorithm (10401).
pub(super) fn strategy(
    sharding: &mut ShardingConfig,
    start: &str,
    definition: &StrategyDefinition,
) -> Result<StrategyConfig, StatementError> {
    let wrong = |why: &str| StatementError::new(10200, "44000", format!("{start} strategy: {why}"));
    let columns = &definition.columns;
    match (definition.kind.as_str(), columns.len()) {
        ("NONE", _) => return Ok(StrategyConfig::None),
        ("STANDARD", 0 | 1) | ("HINT", 0) | ("COMPLEX", 1..) => {}
        ("STANDARD", _) => return Err(wrong("STANDARD takes one SHARDING_COLUMN")),
        ("COMPLEX", _) => return Err(wrong("COMPLEX needs SHARDING_COLUMNS")),
        ("HINT", _) => return Err(wrong("HINT takes no sharding column")),
        (other, _) => {
            let why = format!("'{other}' must be STANDARD, COMPLEX, HINT or NONE");
            return Err(wrong(&why));
        }
    }
    let algorithm = definition.algorithm.as_ref().ok_or_else(|| {
        let text = format!("{start} strategy: {} needs SHARDING_ALGORITHM", definition.kind);
        StatementError::new(10401, "44000", text)
    })?;
    let algorithm = add(sharding, AlgorithmRole::Sharding, start, algorithm);
    Ok(match definition.kind.as_str() {
        "STANDARD" => StrategyConfig::Standard { column: columns.first().cloned(), algorithm },
        "COMPLEX" => StrategyConfig::Complex { columns: columns.clone(), algorithm },
        _ => StrategyConfig::Hint { algorithm },
    })
}

/// Adds an algorithm as `<start>_<type>`; the name it got.
fn add(
    sharding: &mut ShardingConfig,
    role: AlgorithmRole,
    start: &str,
    definition: &AlgorithmDefinition,
) -> String {
    add_named(sharding, role, &format!("{start}_{}", definition.name), definition)
}

/// Adds an algorithm under a name in lower case, with a number behind it where another one has it.
fn add_named(
    sharding: &mut ShardingConfig,
    role: AlgorithmRole,
    name: &str,
    definition: &AlgorithmDefinition,
) -> String {
    let algorithm = algorithm(definition);
    let base = name.to_lowercase();
    let mut name = base.clone();
    let mut number = 2;
    while sharding.named(role).get(&name).is_some_and(|other| *other != algorithm) {
        name = format!("{base}_{number}");
        number += 1;
    }
    sharding.named_mut(role).insert(name.clone(), algorithm);
    name
}

/// An algorithm in the form that is stored.
pub(super) fn algorithm(definition: &AlgorithmDefinition) -> AlgorithmConfig {
    AlgorithmConfig {
        type_name: definition.name.clone(),
        properties: definition.properties.clone(),
    }
}
