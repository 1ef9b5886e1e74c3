//! Bind: from a parsed statement and a snapshot to a [`Plan`].
//!
//! The kinds of statements have a file each: [`query`], [`insert`], [`change`] (UPDATE, DELETE),
//! [`define`] (DDL), [`inspect`] (SHOW, DESCRIBE, EXPLAIN, maintenance), [`other`]. All of them
//! first take a [`survey`] of the names in the statement, and find out where the named tables are
//! ([`tables`], [`scene`]). If everything is in one unit, the text is passed on with qualifiers
//! taken out ([`verbatim`]); the rest is about sharded tables. What a statement says of the rows it
//! needs of each is gathered in a [`scope`].

mod broadcast;
mod change;
mod colocate;
mod condition;
mod define;
mod gather;
mod hinted;
mod insert;
mod inspect;
mod load;
mod merge_plan;
mod other;
mod qualifier;
mod query;
mod scene;
mod scope;
mod site;
mod survey;
mod system;
mod tables;
mod together;
mod value;
mod verbatim;

use std::sync::Arc;

use sql::SqlMode;
use sql::ast::{Hint, Statement, StatementKind};
use sql::fingerprint::LiteralSpan;

use crate::error::StatementError;
use crate::feature::RouteStage;
use crate::model::{DataNode, UnitId};
use crate::plan::{Effects, MultiPlan, Plan, Relabel, RowNames, StatementClass, Target};
use crate::rewrite::Draft;
use crate::snapshot::{LogicalDatabase, Snapshot};
use tables::Sharded;

/// What a statement is bound against. All of it belongs to the key of a plan cache; a session with
/// temporary tables does not use the cache.
#[derive(Debug, Clone, Copy)]
pub struct BindContext<'a> {
    /// The current logical database.
    pub database: Option<&'a LogicalDatabase>,
    /// The database in use is one of the system (`USE information_schema`), so that names without
    /// a qualifier are its tables; `database` is `None` then.
    pub is_in_system_database: bool,
    /// Everything else.
    pub snapshot: &'a Snapshot,
    /// How the text was read.
    pub sql_mode: SqlMode,
    /// Temporary tables of the session and the units they are on; they hide other tables.
    pub temporary_tables: &'a [(String, UnitId)],
}

/// Plans a statement.
///
/// `literals` are those that the fingerprint took out of `text`; for a prepared statement the list
/// is empty, as its literals never change. `statement` was parsed from the same text.
///
/// # Errors
/// A name that does not exist, or a statement that cannot be answered as one server would.
pub fn plan(
    text: &[u8],
    statement: &Statement,
    literals: &[LiteralSpan],
    context: &BindContext<'_>,
) -> Result<Plan, StatementError> {
    let binder = Binder { text, literals, hints: &statement.hints, context };
    let mut plan = match binder.hinted(statement)? {
        Some(plan) => plan,
        None => {
            let mut plan = binder.plan_kind(&statement.kind)?;
            plan.reads_replicas = binder.reads_replicas(statement, &plan);
            plan
        }
    };
    plan.param_count = u16::try_from(statement.param_count).map_err(|_| {
        StatementError::new(1390, "HY000", "Prepared statement contains too many placeholders")
    })?;
    Ok(plan)
}

/// What every part of this stage needs.
#[derive(Debug, Clone, Copy)]
struct Binder<'a> {
    text: &'a [u8],
    literals: &'a [LiteralSpan],
    hints: &'a [Hint],
    context: &'a BindContext<'a>,
}

impl<'a> Binder<'a> {
    fn plan_kind(&self, kind: &StatementKind) -> Result<Plan, StatementError> {
        use StatementKind as Kind;
        match kind {
            Kind::Query(query) => self.query(query),
            Kind::Insert(insert) => self.insert(insert),
            Kind::Update(update) => self.update(update),
            Kind::Delete(delete) => self.delete(delete),
            Kind::LoadData(load) => self.load_data(load),
            Kind::Call(call) => self.call(call),
            Kind::Do(exprs) => self.do_exprs(exprs),
            Kind::CreateTable(create) => self.create_table(create),
            Kind::AlterTable(alter) => self.alter_table(alter),
            Kind::DropTable(drop) => self.drop_table(drop),
            Kind::TruncateTable(table) => self.truncate_table(table),
            Kind::RenameTable(pairs) => self.rename_table(pairs),
            Kind::CreateIndex(create) => self.create_index(create),
            Kind::DropIndex(drop) => self.drop_index(drop),
            Kind::CreateView(create) => self.create_view(create),
            Kind::DropView(drop) => self.drop_view(drop),
            Kind::LockTables(tables) => self.lock_tables(tables),
            Kind::Show(show) => self.show(show),
            Kind::Describe(describe) => self.describe(describe),
            Kind::Explain(explain) => self.explain(explain),
            Kind::TableMaintenance(maintenance) => self.table_maintenance(maintenance),
            Kind::Other(other) => self.other(other),
            Kind::CreateDatabase(_)
            | Kind::DropDatabase(_)
            | Kind::Begin(_)
            | Kind::Commit(_)
            | Kind::Rollback(_)
            | Kind::Savepoint(_)
            | Kind::RollbackTo(_)
            | Kind::ReleaseSavepoint(_)
            | Kind::Xa(_)
            | Kind::UnlockTables
            | Kind::Set(_)
            | Kind::Use(_)
            | Kind::Kill(_)
            | Kind::Prepare(_)
            | Kind::Execute(_)
            | Kind::Deallocate(_)
            | Kind::DistSql(_)
            | Kind::Empty => Err(StatementError::unsupported(
                "This statement concerns the session or the proxy and has no route",
            )),
        }
    }

    /// True for a statement that is a read for certain.
    fn reads_replicas(&self, statement: &Statement, plan: &Plan) -> bool {
        matches!(statement.kind, StatementKind::Query(_))
            && plan.class == StatementClass::Read
            && !plan.effects.needs_primary
            && !plan.is_system
            && self.context.temporary_tables.is_empty()
            && self.context.snapshot.databases.values().any(|database| !database.groups.is_empty())
            && !self.hints.iter().any(hinted::forces_primary)
    }

    /// The first unit of the database in use; without one, of any.
    fn first_unit(&self) -> Option<UnitId> {
        let first = |database: &LogicalDatabase| database.owners().next().map(|unit| unit.id);
        match self.context.database {
            Some(database) => first(database),
            None => self.context.snapshot.databases.values().find_map(|database| first(database)),
        }
    }

    /// A plan without several nodes.
    fn single_plan(
        &self,
        class: StatementClass,
        target: Target,
        draft: Draft,
        effects: Effects,
    ) -> Result<Plan, StatementError> {
        let relabel = match &target {
            Target::Unit(unit) => self.relabel_unit(*unit),
            Target::AnyOf(nodes) | Target::AllNodes(nodes) => {
                nodes.iter().find_map(|node| self.relabel_unit(node.unit))
            }
            _ => None,
        };
        Ok(Plan {
            class,
            target,
            single: draft.finish(self.literals)?,
            multi: Err(StatementError::unsupported("This statement runs on one storage unit only")),
            gather: None,
            relabel,
            effects,
            reads_replicas: false,
            is_system: false,
            row_names: RowNames::Same,
            keys: Vec::new(),
            counted: None,
            load: None,
            param_count: 0,
            first_unit: self.first_unit(),
        })
    }

    /// A plan on the nodes of a sharded table.
    fn sharded_plan(
        &self,
        sharded: Sharded<'_>,
        class: StatementClass,
        target: Target,
        draft: Draft,
        multi: Result<MultiPlan, StatementError>,
        effects: Effects,
    ) -> Result<Plan, StatementError> {
        Ok(Plan {
            class,
            target,
            single: draft.finish(self.literals)?,
            multi,
            gather: None,
            relabel: Some(Relabel {
                database: self.logical_name(sharded.nodes),
                tables: vec![(sharded.nodes.clone(), sharded.table.name.clone())],
            }),
            effects,
            reads_replicas: false,
            is_system: false,
            row_names: RowNames::Same,
            keys: Vec::new(),
            counted: None,
            load: None,
            param_count: 0,
            first_unit: self.first_unit(),
        })
    }

    /// Logical names for a unit whose database has another name.
    fn relabel_unit(&self, unit: UnitId) -> Option<Relabel> {
        let database = self.database_with(unit)?;
        let found = database.find_unit(unit)?;
        (found.config.database != *database.name)
            .then(|| Relabel { database: database.name.clone(), tables: Vec::new() })
    }

    /// The logical database of a unit.
    fn database_with(&self, unit: UnitId) -> Option<&'a LogicalDatabase> {
        let holds = |database: &&LogicalDatabase| database.find_unit(unit).is_some();
        self.context
            .database
            .filter(holds)
            .or_else(|| self.context.snapshot.databases.values().map(|d| &**d).find(holds))
    }

    fn logical_name(&self, nodes: &[DataNode]) -> Arc<str> {
        let database = nodes.first().and_then(|node| self.database_with(node.unit));
        database.map_or_else(|| "".into(), |database| database.name.clone())
    }

    /// The stage that routes a sharded table.
    fn route_stage(&self, sharded: Sharded<'_>) -> Result<&'a dyn RouteStage, StatementError> {
        let name = &*sharded.table.name;
        sharded
            .nodes
            .first()
            .and_then(|node| self.database_with(node.unit))
            .into_iter()
            .flat_map(|database| &database.features)
            .filter_map(|feature| feature.route.as_deref())
            .find(|stage| stage.sharding_columns(name).is_some())
            .ok_or_else(|| {
                StatementError::new(20001, "44000", format!("Table '{name}' has no sharding rule"))
            })
    }
}
