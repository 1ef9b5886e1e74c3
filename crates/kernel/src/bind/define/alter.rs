//! `ALTER TABLE`.

use sql::ast::{AlterAction, AlterTable, ColumnDefinition, Ident, IndexKind, TableName};

use super::{references, renames};
use crate::bind::Binder;
use crate::bind::scene::Scene;
use crate::bind::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::plan::{Plan, SpliceText};
use crate::rewrite::Draft;

impl Binder<'_> {
    /// Plans an ALTER TABLE.
    pub(in crate::bind) fn alter_table(&self, alter: &AlterTable) -> Result<Plan, StatementError> {
        let is_sharded = matches!(self.find_table(&alter.name)?, Found::Sharded(_));
        if is_sharded {
            return self.define(&alter.name, |sharded, draft| {
                alter.actions.iter().try_for_each(|action| self.alter_node(action, sharded, draft))
            });
        }
        let plan = self.define(&alter.name, |_, _| Ok(()))?;
        self.alter_single(alter, plan)
    }

    /// Other tables that a single table's ALTER names must be in its unit.
    fn alter_single(&self, alter: &AlterTable, plan: Plan) -> Result<Plan, StatementError> {
        let mut draft = Draft::default();
        self.strip_database(&alter.name, &mut draft);
        let mut others: Vec<&TableName> = Vec::new();
        for action in &alter.actions {
            match action {
                AlterAction::Rename(name) => {
                    self.strip_database(name, &mut draft);
                    if let Found::Sharded(sharded) | Found::Broadcast(sharded) =
                        self.find_table(name)?
                    {
                        return Err(renames(&sharded.table.name));
                    }
                    if let Found::Broadcast(shared) = self.find_table(&alter.name)? {
                        return Err(renames(&shared.table.name));
                    }
                }
                AlterAction::ExchangePartition(name) => others.push(name),
                AlterAction::AddIndex(index) => others.extend(&index.references),
                AlterAction::AddColumn(column)
                | AlterAction::ModifyColumn(column)
                | AlterAction::ChangeColumn(_, column) => others.extend(&column.references),
                _ => {}
            }
        }
        let mut survey = crate::bind::survey::Survey::default();
        survey.table(&alter.name);
        for name in others {
            self.strip_database(name, &mut draft);
            survey.table(name);
        }
        match self.scene(&survey)? {
            Scene::Apart(apart) => Err(apart),
            Scene::Broadcast(_) => Ok(plan),
            _ => self.single_plan(plan.class, plan.target, draft, plan.effects),
        }
    }

    fn alter_node(
        &self,
        action: &AlterAction,
        sharded: Sharded<'_>,
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        let table = &sharded.table.name;
        match action {
            AlterAction::Rename(_) => Err(renames(table)),
            AlterAction::ExchangePartition(_) => Err(StatementError::unsupported(format!(
                "EXCHANGE PARTITION of sharded table '{table}' is not supported"
            ))),
            AlterAction::AddIndex(index) => {
                if index.kind == IndexKind::Foreign || index.references.is_some() {
                    return Err(references(table));
                }
                self.suffix_constraint(index, sharded.nodes, draft);
                Ok(())
            }
            AlterAction::DropIndex(IndexKind::Check, Some(name)) => {
                let with = SpliceText::Suffixed(name.value.clone(), sharded.nodes.clone());
                draft.replace(name.span, with);
                Ok(())
            }
            AlterAction::DropColumn(name) | AlterAction::RenameColumn(name, _) => {
                self.keep_column(name, sharded)
            }
            AlterAction::AddColumn(column) => no_reference(column, table),
            AlterAction::ModifyColumn(column) => {
                self.keep_column(&column.name, sharded)?;
                no_reference(column, table)
            }
            AlterAction::ChangeColumn(name, column) => {
                self.keep_column(name, sharded)?;
                no_reference(column, table)
            }
            AlterAction::AlterColumn(_)
            | AlterAction::DropIndex(..)
            | AlterAction::Partition(_)
            | AlterAction::Other(_) => Ok(()),
        }
    }

    /// Rows are where the sharding column's values have put them.
    fn keep_column(&self, name: &Ident, sharded: Sharded<'_>) -> Result<(), StatementError> {
        let table = &sharded.table.name;
        let columns = self.route_stage(sharded)?.sharding_columns(table).unwrap_or_default();
        if columns.iter().any(|column| column.eq_ignore_ascii_case(&name.value)) {
            return Err(StatementError::unsupported(format!(
                "Column '{}' of table '{table}' is its sharding column and cannot be changed: its \
                 rows would no longer be found",
                name.value
            )));
        }
        Ok(())
    }
}

fn no_reference(column: &ColumnDefinition, table: &str) -> Result<(), StatementError> {
    if column.references.is_some() { Err(references(table)) } else { Ok(()) }
}
