//! `INSERT` and `REPLACE`.

mod broadcast;
mod from_query;
mod generated;
mod transfer;

use std::sync::Arc;

use smallvec::SmallVec;
use sql::Span;
use sql::ast::{Assignment, Expr, ExprKind, Insert, InsertSource};

use generated::Generated;

use super::Binder;
use super::scene::Scene;
use super::survey::Survey;
use super::tables::{Found, Sharded};
use super::value::unwrapped;
use crate::error::StatementError;
use crate::keys::KeyColumn;
use crate::merge::MergePlan;
use crate::model::{ColumnMetadata, LogicalTable};
use crate::plan::{MultiPlan, Plan, RowSpan, SpliceText, StatementClass, Target};
use crate::predicate::ValueRef;
use crate::rewrite::{Draft, position};

/// The sharding values of each row.
type Rows = Vec<SmallVec<[ValueRef; 1]>>;

impl Binder<'_> {
    /// Plans an INSERT or REPLACE.
    pub(super) fn insert(&self, insert: &Insert) -> Result<Plan, StatementError> {
        let direct = self.insert_on_nodes(insert);
        match &insert.source {
            InsertSource::Query(query) => self.or_transferred(insert, query, direct),
            InsertSource::Values { .. } | InsertSource::Set(_) => direct,
        }
    }

    /// Plans one whose rows are made where they belong.
    fn insert_on_nodes(&self, insert: &Insert) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.insert(insert);
        let scene = self.scene(&survey)?;
        self.check_copies("INSERT", &scene, &survey, &[0])?;
        match (scene, &insert.source) {
            (scene @ (Scene::Sharded(_) | Scene::Mixed(_)), InsertSource::Query(query)) => {
                self.insert_from_query(insert, query, survey, scene)
            }
            (Scene::Sharded(_), _) if survey.queries > 0 => {
                Err(StatementError::unsupported(format!(
                    "INSERT into table '{}' with a sub-query on sharded tables is not supported",
                    insert.table.name.value
                )))
            }
            (Scene::Sharded(sharded), _) => self.sharded_insert(insert, survey, sharded),
            (Scene::Broadcast(_), _) => match self.find_table(&insert.table)? {
                Found::Broadcast(shared) => self.broadcast_insert(insert, survey, shared),
                _ => Err(self.unknown_table(&insert.table)),
            },
            (scene, _) => {
                let draft = self.base_draft(&survey);
                let mut plan = self.verbatim(StatementClass::Write, &scene, draft, survey)?;
                plan.counted = self.counted(insert);
                Ok(plan)
            }
        }
    }

    /// The AUTO_INCREMENT column of a table of one unit, where the rows may have numbers of their
    /// own.
    fn counted(&self, insert: &Insert) -> Option<KeyColumn> {
        let name = insert.table.name.value.as_str();
        if self.context.temporary_tables.iter().any(|(temporary, _)| temporary == name) {
            return None;
        }
        let database = self.database_of(&insert.table).ok()??;
        let table = database.find_table(name)?;
        let column = table.auto_increment()?;
        let written = Written::of(insert, table);
        if written.find(&column.name).is_none() || written.check_widths().is_err() {
            return None;
        }
        self.counted_rows(&written, (Arc::clone(&database.name), table), column)
    }

    fn sharded_insert(
        &self,
        insert: &Insert,
        survey: Survey<'_>,
        sharded: Sharded<'_>,
    ) -> Result<Plan, StatementError> {
        let table = &sharded.table.name;
        let refuse = |what: &str| {
            Err(StatementError::unsupported(format!(
                "INSERT into sharded table '{table}' with {what} is not supported yet"
            )))
        };
        if insert.is_delayed {
            return refuse("DELAYED");
        }
        self.check_opaque(&survey)?;
        if let Some(returning) = insert.returning {
            self.check_unread(returning.of(self.text))?;
        }
        let stage = self.route_stage(sharded)?;
        let sharding_columns = stage.sharding_columns(table).unwrap_or_default();
        self.check_on_duplicate(insert, sharded, &sharding_columns)?;
        let written = Written::of(insert, sharded.table);
        written.check_widths()?;
        let database = self.logical_name(sharded.nodes);
        let generated = self.generated(&written, (database, sharded.table), Some(stage))?;
        let rows = self.sharding_values(&written, sharded, &sharding_columns, &generated)?;
        let router = stage.row_router(sharded.table, self.hints)?;
        let mut draft = self.base_draft(&survey);
        self.name_sharded(&survey, sharded, &mut draft);
        self.add_key_columns(insert, &written, &generated, &mut draft)?;
        self.splice_rows(insert, &written, &survey, &generated, &mut draft);
        let merge = match insert.returning {
            Some(_) => MergePlan::Concatenate,
            None => MergePlan::Summarize,
        };
        let template = draft.clone().finish(self.literals)?;
        let multi = Ok(MultiPlan { template, merge });
        let target = Target::Rows { nodes: sharded.nodes.clone(), router, rows };
        let class = StatementClass::Write;
        let mut plan = self.sharded_plan(sharded, class, target, draft, multi, survey.effects)?;
        plan.keys = generated.columns;
        Ok(plan)
    }

    /// ON DUPLICATE KEY UPDATE may not move a row to another node.
    fn check_on_duplicate(
        &self,
        insert: &Insert,
        sharded: Sharded<'_>,
        sharding_columns: &[String],
    ) -> Result<(), StatementError> {
        for assignment in &insert.on_duplicate {
            let name = &assignment.column.name.value;
            let is_sharding =
                sharding_columns.iter().any(|column| column.eq_ignore_ascii_case(name));
            if is_sharding && !stays(assignment, insert) {
                return Err(StatementError::new(
                    20031,
                    "44000",
                    format!(
                        "ON DUPLICATE KEY UPDATE of sharding column '{name}' of table '{}' could \
                         move the row to another node",
                        sharded.table.name
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The sharding values of every row.
    fn sharding_values(
        &self,
        written: &Written<'_>,
        sharded: Sharded<'_>,
        sharding_columns: &[String],
        generated: &Generated,
    ) -> Result<Rows, StatementError> {
        let sources = sharding_columns
            .iter()
            .map(|column| {
                let key = generated.find(column).map(Source::Key);
                key.or_else(|| written.find(column).map(Source::Written))
                    .ok_or_else(|| missing_value(sharded, column))
            })
            .collect::<Result<SmallVec<[Source; 1]>, _>>()?;
        let mut result = Vec::with_capacity(written.rows.len());
        for (index, row) in written.rows.iter().enumerate() {
            let mut values = SmallVec::new();
            for (source, column) in sources.iter().zip(sharding_columns) {
                values.push(match source {
                    Source::Key(key) => generated.value(*key, index),
                    Source::Written(position) => {
                        self.row_value(row.at(*position), sharded, column)?
                    }
                });
            }
            result.push(values);
        }
        Ok(result)
    }

    fn row_value(
        &self,
        expr: &Expr,
        sharded: Sharded<'_>,
        column: &str,
    ) -> Result<ValueRef, StatementError> {
        if is_default(expr) {
            return Err(missing_value(sharded, column));
        }
        self.constant(expr).ok_or_else(|| {
            StatementError::unsupported(format!(
                "The value of sharding column '{column}' of table '{}' must be a number, a string, a \
                 parameter, or what is computed of them",
                sharded.table.name
            ))
        })
    }

    /// Rows can be chosen where there is more than one, and generated keys added to each.
    fn splice_rows(
        &self,
        insert: &Insert,
        written: &Written<'_>,
        survey: &Survey<'_>,
        generated: &Generated,
        draft: &mut Draft,
    ) {
        let mut params = survey.param_spans.iter().map(|param| param.start).collect::<Vec<_>>();
        params.sort_unstable();
        let before = |at: u32| params.partition_point(|param| *param < at) as u16;
        let range = |span: Span| (before(span.start), before(span.end));
        match &insert.source {
            InsertSource::Values { rows, span } => {
                if rows.len() < 2 && generated.columns.is_empty() {
                    return;
                }
                let spans = rows.iter().enumerate().map(|(index, row)| RowSpan {
                    start: position(self.literals, row.span.start),
                    end: position(self.literals, row.span.end),
                    params: range(row.span),
                    keys: self.key_spans(generated, written, index, row.span.end - 1, &before),
                });
                let with = SpliceText::Rows(spans.collect());
                draft.replace_with_params(*span, range(*span), with);
            }
            InsertSource::Set(assignments) if !generated.columns.is_empty() => {
                let (Some(first), Some(last)) = (assignments.first(), assignments.last()) else {
                    return;
                };
                let span = first.value.span.to(last.value.span);
                let keys = self.key_spans(generated, written, 0, span.end, &before);
                draft.replace_with_params(span, range(span), SpliceText::Keys(keys));
            }
            InsertSource::Set(_) | InsertSource::Query(_) => {}
        }
    }
}

/// Where a sharding value comes from.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// The value at this position of the row.
    Written(usize),
    /// The generated column of this number.
    Key(usize),
}

/// The values of one row, as written.
#[derive(Debug, Clone, Copy)]
enum RowValues<'i> {
    /// In parentheses.
    Listed(&'i [Expr]),
    /// Behind SET.
    Assigned(&'i [Assignment]),
}

impl<'i> RowValues<'i> {
    fn len(self) -> usize {
        match self {
            Self::Listed(values) => values.len(),
            Self::Assigned(assignments) => assignments.len(),
        }
    }

    /// The value at a position below [`Self::len`].
    fn at(self, position: usize) -> &'i Expr {
        match self {
            Self::Listed(values) => &values[position],
            Self::Assigned(assignments) => &assignments[position].value,
        }
    }
}

/// The columns and rows of an INSERT as written.
struct Written<'i> {
    /// The columns of the rows: those written, or all visible ones.
    names: Vec<&'i str>,
    /// The values of each row.
    rows: Vec<RowValues<'i>>,
    /// It is INSERT .. SET.
    is_set: bool,
}

impl<'i> Written<'i> {
    fn of(insert: &'i Insert, table: &'i LogicalTable) -> Self {
        match &insert.source {
            InsertSource::Set(assignments) => Self {
                names: assignments.iter().map(|a| a.column.name.value.as_str()).collect(),
                rows: vec![RowValues::Assigned(assignments)],
                is_set: true,
            },
            InsertSource::Values { rows, .. } => {
                let is_empty = rows.iter().all(|row| row.values.is_empty());
                let names = match &insert.columns {
                    Some(columns) => columns.iter().map(|c| c.name.value.as_str()).collect(),
                    // `VALUES ()` gives every column its default.
                    None if is_empty => Vec::new(),
                    None => table_columns(table)
                        .filter(|column| !column.is_invisible)
                        .map(|column| column.name.as_str())
                        .collect(),
                };
                let rows = rows.iter().map(|row| RowValues::Listed(&row.values)).collect();
                Self { names, rows, is_set: false }
            }
            InsertSource::Query(_) => Self { names: Vec::new(), rows: Vec::new(), is_set: false },
        }
    }

    fn find(&self, column: &str) -> Option<usize> {
        self.names.iter().position(|name| name.eq_ignore_ascii_case(column))
    }

    fn check_widths(&self) -> Result<(), StatementError> {
        match self.rows.iter().position(|row| row.len() != self.names.len()) {
            None => Ok(()),
            Some(row) => Err(StatementError::new(
                1136,
                "21S01",
                format!("Column count doesn't match value count at row {}", row + 1),
            )),
        }
    }
}

impl<'a> Survey<'a> {
    /// The names in an INSERT.
    fn insert(&mut self, insert: &'a Insert) {
        self.table(&insert.table);
        self.columns.extend(insert.columns.iter().flatten());
        match &insert.source {
            InsertSource::Values { rows, .. } => {
                self.exprs(rows.iter().flat_map(|row| &row.values));
            }
            InsertSource::Set(assignments) => self.assignments(assignments),
            InsertSource::Query(query) => self.query(query),
        }
        self.assignments(&insert.on_duplicate);
    }

    /// The names in a list of assignments.
    pub(super) fn assignments(&mut self, assignments: &'a [Assignment]) {
        for assignment in assignments {
            self.columns.push(&assignment.column);
            self.expr(&assignment.value);
        }
    }
}

pub(super) fn table_columns(table: &LogicalTable) -> impl Iterator<Item = &ColumnMetadata> {
    table.metadata.iter().flat_map(|metadata| &metadata.columns)
}

fn is_default(expr: &Expr) -> bool {
    match &unwrapped(expr).kind {
        ExprKind::Default => true,
        ExprKind::Function(function) => function.name.value.eq_ignore_ascii_case("DEFAULT"),
        _ => false,
    }
}

/// `c = VALUES(c)`, `c = LAST_INSERT_ID(c)`, `c = new.c` and `c = c` leave the row where it is: it was found on the node of
/// the new row.
fn stays(assignment: &Assignment, insert: &Insert) -> bool {
    let name = &assignment.column.name.value;
    match &unwrapped(&assignment.value).kind {
        ExprKind::Column(column) => {
            let is_known = column.table.as_ref().is_none_or(|table| {
                table.value == insert.table.name.value
                    || insert.row_alias.as_ref().is_some_and(|alias| alias.value == table.value)
            });
            is_known && column.name.value.eq_ignore_ascii_case(name)
        }
        ExprKind::Function(function) => {
            ["VALUES", "VALUE", "LAST_INSERT_ID"]
                .iter()
                .any(|f| f.eq_ignore_ascii_case(&function.name.value))
                && matches!(
                    function.args.as_slice(),
                    [Expr { kind: ExprKind::Column(column), .. }]
                        if column.name.value.eq_ignore_ascii_case(name)
                )
        }
        _ => false,
    }
}

/// A row without a value of a column that needs one.
fn missing_value(sharded: Sharded<'_>, column: &str) -> StatementError {
    StatementError::new(
        20020,
        "44000",
        format!(
            "Sharding column '{column}' of table '{}' needs a value in every row",
            sharded.table.name
        ),
    )
}
