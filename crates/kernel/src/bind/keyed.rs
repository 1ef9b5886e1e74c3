//! UPDATE and DELETE that no node can do for itself, as their conditions read other nodes, or as ORDER
//! BY and LIMIT choose among the rows of several: the keys of their rows are read first, and the rows
//! changed by key.

use sql::Span;
use sql::ast::{Delete, Expr, ExprKind, OrderItem, TableFactor, TableRef, Update};

use super::Binder;
use super::broadcast::check_repeatable;
use super::survey::Survey;
use super::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::model::ColumnMetadata;
use crate::plan::{Effects, Plan, StatementClass, Target};
use crate::rewrite::{Draft, quoted};
use crate::transfer::{Transfer, TransferKind};

/// Errors that say that nodes cannot do it each for itself; others say that the statement is wrong.
const OF_PLACES: [u16; 3] = [20035, 20036, 30001];

/// A change of one table as written.
struct Keyed<'c> {
    kind: TransferKind,
    factor: &'c TableFactor,
    /// Where the assignments, or the table of a DELETE, end.
    rest_at: u32,
    where_: Option<&'c Expr>,
    order_by: &'c [OrderItem],
}

impl Binder<'_> {
    /// The plan of an UPDATE; one that its nodes cannot do is done by key, where it can be.
    pub(super) fn or_keyed_update(
        &self,
        update: &Update,
        direct: Result<Plan, StatementError>,
    ) -> Result<Plan, StatementError> {
        let (Some(last), [TableRef::Table(factor)], []) =
            (update.assignments.last(), update.tables.as_slice(), update.with.as_slice())
        else {
            return direct;
        };
        let mut survey = Survey::default();
        survey.assignments(&update.assignments);
        let is_broadcast = matches!(self.find_table(&factor.name), Ok(Found::Broadcast(_)));
        let is_varying = is_broadcast && check_repeatable(&survey).is_err();
        if survey.queries > 0 || is_varying || is_spread(&direct).is_none() {
            return direct;
        }
        let assigned: Vec<&str> =
            update.assignments.iter().map(|a| a.column.name.value.as_str()).collect();
        let keyed = Keyed {
            kind: TransferKind::Update,
            factor,
            rest_at: last.value.span.end,
            where_: update.where_.as_ref(),
            order_by: &update.order_by,
        };
        self.or_keyed(&keyed, survey, &assigned, direct)
    }

    /// The same of a DELETE.
    pub(super) fn or_keyed_delete(
        &self,
        delete: &Delete,
        direct: Result<Plan, StatementError>,
    ) -> Result<Plan, StatementError> {
        let is_plain =
            delete.targets.is_empty() && delete.with.is_empty() && delete.returning.is_none();
        let [TableRef::Table(factor)] = delete.from.as_slice() else { return direct };
        if !is_plain || is_spread(&direct).is_none() {
            return direct;
        }
        let keyed = Keyed {
            kind: TransferKind::Delete,
            factor,
            rest_at: factor.span.end,
            where_: delete.where_.as_ref(),
            order_by: &delete.order_by,
        };
        self.or_keyed(&keyed, Survey::default(), &[], direct)
    }

    fn or_keyed<'c>(
        &self,
        keyed: &Keyed<'c>,
        mut survey: Survey<'c>,
        assigned: &[&str],
        direct: Result<Plan, StatementError>,
    ) -> Result<Plan, StatementError> {
        survey.exprs(keyed.where_.into_iter());
        survey.exprs(keyed.order_by.iter().map(|item| &item.expr));
        let effects = std::mem::take(&mut survey.effects);
        let is_refused = effects.pins.is_some()
            || effects.sets_last_insert_id
            || !effects.assigns_user_variables.is_empty()
            || !self.hints.is_empty()
            || keyed.factor.has_partition
            || !survey.opaque.is_empty()
            || keyed.order_by.iter().any(|item| matches!(item.expr.kind, ExprKind::Literal(_)))
            || survey.tables.iter().any(|used| is_same(&used.name.name.value, keyed.factor));
        if is_refused {
            return direct;
        }
        let Some(keys) = self.keys_of(keyed.factor, assigned) else { return direct };
        let is_always = direct.is_err();
        let Some(transfer) = self.keyed_transfer(keyed, &keys, is_always) else { return direct };
        let mut plan = match direct {
            Ok(plan) => plan,
            Err(error) => self.unrouted(error, effects)?,
        };
        plan.transfer = Some(Box::new(transfer));
        Ok(plan)
    }

    /// A plan whose rows are read before it is known where they go.
    pub(super) fn unrouted(
        &self,
        error: StatementError,
        effects: Effects,
    ) -> Result<Plan, StatementError> {
        let (class, target) = (StatementClass::Write, Target::AnyUnit);
        let mut plan = self.single_plan(class, target, Draft::default(), effects)?;
        plan.multi = Err(error);
        Ok(plan)
    }

    /// The columns that tell the rows of a table from each other over all nodes; `None` where there
    /// are none, where the statement changes them, or where a value would not find its row again.
    fn keys_of(&self, factor: &TableFactor, assigned: &[&str]) -> Option<Vec<String>> {
        let (target, sharding) = match self.find_table(&factor.name).ok()? {
            Found::Sharded(target) => (target, self.sharding_columns(target)),
            Found::Broadcast(target) => (target, Vec::new()),
            _ => return None,
        };
        let metadata = target.table.metadata.as_ref()?;
        let mut keys = metadata.primary_key.clone();
        if keys.is_empty() {
            return None;
        }
        for column in sharding {
            if !keys.iter().any(|key| key.eq_ignore_ascii_case(&column)) {
                keys.push(column);
            }
        }
        let unique = metadata.unique_keys.iter().flatten().chain(&keys);
        let is_changed = unique
            .into_iter()
            .any(|key| assigned.iter().any(|column| column.eq_ignore_ascii_case(key)));
        let find = |key: &String| {
            metadata.columns.iter().find(|column| column.name.eq_ignore_ascii_case(key))
        };
        let are_exact = keys.iter().all(|key| find(key).is_some_and(is_exact));
        (are_exact && !is_changed).then_some(keys)
    }

    fn sharding_columns(&self, target: Sharded<'_>) -> Vec<String> {
        let stage = self.route_stage(target).ok();
        let columns = stage.and_then(|stage| stage.sharding_columns(&target.table.name));
        columns.into_iter().flatten().collect()
    }

    fn keyed_transfer(
        &self,
        keyed: &Keyed<'_>,
        keys: &[String],
        is_always: bool,
    ) -> Option<Transfer> {
        let text = |start: u32, end: u32| {
            std::str::from_utf8(Span::new(start, end).of(self.text)).ok().map(str::to_owned)
        };
        let factor = keyed.factor;
        let name = &factor.name.name.value;
        let alias = factor.alias.as_ref().map_or(name, |alias| &alias.value);
        let list = |table: &str| {
            let columns = keys.iter().map(|key| format!("{}.{}", quoted(table), quoted(key)));
            columns.collect::<Vec<_>>().join(", ")
        };
        let rest = text(keyed.rest_at, u32::try_from(self.text.len()).ok()?)?;
        let rest = rest.trim_end().trim_end_matches(';');
        let from = text(factor.span.start, factor.span.end)?;
        let query = format!("SELECT {} FROM {from}{rest} FOR UPDATE", list(alias));
        // The form of DELETE for one table knows no alias in older servers.
        let (before, table) = match keyed.kind {
            TransferKind::Delete => {
                let named = factor.name.span().of(self.text);
                let named = std::str::from_utf8(named).ok()?;
                (format!("{}{named}", text(0, factor.span.start)?), name)
            }
            TransferKind::Update | TransferKind::Insert => (text(0, keyed.rest_at)?, alias),
        };
        let columns = list(table);
        let columns = if keys.len() == 1 { columns } else { format!("({columns})") };
        Some(Transfer {
            kind: keyed.kind,
            is_always,
            table: name.clone(),
            query,
            before: format!("{before} WHERE {columns} IN ("),
            after: ")".to_owned(),
        })
    }
}

/// Says that a plan, or its absence, is one of several nodes.
fn is_spread(direct: &Result<Plan, StatementError>) -> Option<()> {
    let error = match direct {
        Ok(plan) if matches!(plan.target, Target::Nodes { .. }) => plan.multi.as_ref().err()?,
        Ok(_) => return None,
        Err(error) => error,
    };
    OF_PLACES.contains(&error.code).then_some(())
}

/// MySQL forbids sub-queries on the table that is changed.
fn is_same(name: &str, factor: &TableFactor) -> bool {
    name.eq_ignore_ascii_case(&factor.name.name.value)
}

/// Types whose values, written as text, equal themselves and nothing else.
fn is_exact(column: &ColumnMetadata) -> bool {
    let is_other = ["decimal", "date", "datetime"].contains(&column.data_type.as_str());
    !column.is_nullable && (column.is_integer() || column.is_string() || is_other)
}
