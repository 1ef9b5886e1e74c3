//! `CREATE TABLE`.

use sql::ast::{CreateTable, IndexKind, TableName};

use super::{references, same_layout, system_definition};
use crate::bind::Binder;
use crate::bind::scene::{Mixed, Scene};
use crate::bind::survey::Survey;
use crate::bind::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::merge::MergePlan;
use crate::plan::{Plan, SpliceText, StatementClass, Target};
use crate::rewrite::Draft;

impl Binder<'_> {
    /// Plans a CREATE TABLE: on every node where a rule names the table; otherwise in the unit of
    /// the tables it refers to, or in the first one.
    pub(in crate::bind) fn create_table(
        &self,
        create: &CreateTable,
    ) -> Result<Plan, StatementError> {
        match self.find_table(&create.name)? {
            Found::Sharded(sharded) => self.create_sharded(create, sharded),
            Found::Broadcast(shared) => self.create_broadcast(create, shared),
            Found::System => Err(system_definition()),
            Found::Single { unit } | Found::Temporary(unit) => {
                self.create_single(create, Some(Target::Unit(unit)))
            }
            Found::Unknown => self.create_single(create, None),
        }
    }

    fn create_sharded(
        &self,
        create: &CreateTable,
        sharded: Sharded<'_>,
    ) -> Result<Plan, StatementError> {
        let table = &sharded.table.name;
        if create.is_temporary {
            return Err(StatementError::unsupported(format!(
                "A temporary table cannot have the name of sharded table '{table}'"
            )));
        }
        if create.query.is_some() {
            return Err(StatementError::unsupported(format!(
                "CREATE TABLE .. SELECT of sharded table '{table}' is not supported"
            )));
        }
        if sharded.table.metadata.is_some() && !create.if_not_exists && !create.or_replace {
            return Err(StatementError::new(
                1050,
                "42S01",
                format!("Table '{table}' already exists"),
            ));
        }
        if referenced(create).next().is_some() {
            return Err(references(table));
        }
        let mut draft = Draft::default();
        self.strip_database(&create.name, &mut draft);
        draft.replace(create.name.name.span, SpliceText::TableName(sharded.nodes.clone()));
        for index in &create.indexes {
            self.suffix_constraint(index, sharded.nodes, &mut draft);
        }
        match &create.like {
            Some(like) => self.like_sharded(like, sharded, &mut draft)?,
            None => self.require_sharding_columns(create, sharded)?,
        }
        let effects = crate::plan::Effects::default();
        self.every_node(sharded, draft, StatementClass::Ddl, MergePlan::Summarize, effects)
    }

    /// In every unit; what it refers to must be there, too.
    fn create_broadcast(
        &self,
        create: &CreateTable,
        shared: Sharded<'_>,
    ) -> Result<Plan, StatementError> {
        let table = &shared.table.name;
        if create.is_temporary || create.query.is_some() {
            return Err(StatementError::unsupported(format!(
                "CREATE TABLE of broadcast table '{table}' with TEMPORARY or SELECT is not supported"
            )));
        }
        if shared.table.metadata.is_some() && !create.if_not_exists && !create.or_replace {
            return Err(StatementError::new(
                1050,
                "42S01",
                format!("Table '{table}' already exists"),
            ));
        }
        let mut draft = Draft::default();
        self.strip_database(&create.name, &mut draft);
        for other in create.like.iter().chain(referenced(create)) {
            self.strip_database(other, &mut draft);
            let is_itself = other.name.value == **table;
            let is_there = match self.find_table(other)? {
                Found::Broadcast(other) => same_layout(other.nodes, shared.nodes),
                _ => false,
            };
            if !is_itself && !is_there {
                return Err(StatementError::unsupported(format!(
                    "Broadcast table '{table}' cannot refer to table '{}', which is not in every \
                     storage unit",
                    other.name.value
                )));
            }
        }
        let effects = crate::plan::Effects::default();
        self.every_node(shared, draft, StatementClass::Ddl, MergePlan::Summarize, effects)
    }

    /// LIKE another sharded table with the same layout, node by node.
    fn like_sharded(
        &self,
        like: &TableName,
        sharded: Sharded<'_>,
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        self.strip_database(like, draft);
        match self.find_table(like)? {
            Found::Sharded(other) if other.table.metadata.is_none() => {
                Err(self.unknown_table(like))
            }
            Found::Sharded(other) if same_layout(other.nodes, sharded.nodes) => {
                draft.replace(like.name.span, SpliceText::TableName(other.nodes.clone()));
                Ok(())
            }
            Found::Unknown => Err(self.unknown_table(like)),
            _ => Err(StatementError::unsupported(format!(
                "CREATE TABLE '{}' LIKE '{}' is not supported: they are not laid out over the same \
                 units",
                sharded.table.name, like.name.value
            ))),
        }
    }

    /// The table must have the columns that its rule names.
    fn require_sharding_columns(
        &self,
        create: &CreateTable,
        sharded: Sharded<'_>,
    ) -> Result<(), StatementError> {
        let stage = self.route_stage(sharded)?;
        for column in stage.sharding_columns(&sharded.table.name).unwrap_or_default() {
            let is_there = create
                .columns
                .iter()
                .any(|defined| defined.name.value.eq_ignore_ascii_case(&column));
            if !is_there {
                return Err(StatementError::new(
                    1072,
                    "42000",
                    format!(
                        "Table '{}' needs column '{column}', the sharding column of its rule",
                        sharded.table.name
                    ),
                ));
            }
        }
        Ok(())
    }

    fn create_single(
        &self,
        create: &CreateTable,
        known: Option<Target>,
    ) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        if let Some(query) = &create.query {
            survey.query(query);
        }
        for table in create.like.iter().chain(referenced(create)) {
            let is_itself = table.database == create.name.database
                && table.name.value == create.name.name.value;
            if !is_itself {
                survey.table(table);
            }
        }
        let target = match self.scene(&survey)? {
            Scene::Apart(apart) => return Err(apart),
            Scene::Broadcast(nodes) => match known {
                Some(Target::Unit(unit)) if nodes.iter().any(|node| node.unit == unit) => {
                    Target::Unit(unit)
                }
                Some(_) => return Err(elsewhere(&create.name)),
                None => self.default_among(&create.name, &nodes)?,
            },
            Scene::Sharded(sharded) | Scene::Mixed(Mixed { first: sharded, .. }) => {
                return Err(StatementError::unsupported(format!(
                    "CREATE TABLE '{}' from sharded table '{}' is not supported",
                    create.name.name.value, sharded.table.name
                )));
            }
            Scene::Unit(unit) => {
                if let Some(Target::Unit(other)) = known
                    && other != unit
                {
                    return Err(elsewhere(&create.name));
                }
                Target::Unit(unit)
            }
            _ => match known {
                Some(target) => target,
                None => self.default_target(&create.name)?,
            },
        };
        let mut draft = self.base_draft(&survey);
        self.strip_database(&create.name, &mut draft);
        for table in referenced(create) {
            self.strip_database(table, &mut draft);
        }
        let mut effects = survey.effects;
        if create.is_temporary {
            effects.pins = Some("temporary table");
            effects.creates_temporary_table = Some(create.name.name.value.clone());
        }
        self.single_plan(StatementClass::Ddl, target, draft, effects)
    }
}

fn elsewhere(name: &TableName) -> StatementError {
    StatementError::unsupported(format!(
        "Table '{}' exists in another storage unit than the tables it refers to",
        name.name.value
    ))
}

/// Tables that foreign keys refer to.
fn referenced(create: &CreateTable) -> impl Iterator<Item = &TableName> {
    let columns = create.columns.iter().filter_map(|column| column.references.as_ref());
    let indexes = create
        .indexes
        .iter()
        .filter(|index| index.kind == IndexKind::Foreign)
        .filter_map(|index| index.references.as_ref());
    columns.chain(indexes)
}
