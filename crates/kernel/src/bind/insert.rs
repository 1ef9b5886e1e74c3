//! `INSERT` and `REPLACE`.

mod given_router;

use std::sync::Arc;

use smallvec::SmallVec;
use sql::Span;
use sql::ast::{Assignment, Expr, ExprKind, Insert, InsertRow, InsertSource, Literal};

use given_router::{GivenRouter, needs_number};

use super::Binder;
use super::scene::Scene;
use super::survey::Survey;
use super::tables::Sharded;
use super::value::unwrapped;
use crate::error::StatementError;
use crate::merge::MergePlan;
use crate::model::ColumnMetadata;
use crate::plan::{MultiPlan, Plan, RowSpan, SpliceText, StatementClass, Target};
use crate::predicate::ValueRef;
use crate::rewrite::{Draft, position};

/// The sharding values of each row.
type Rows = Vec<SmallVec<[ValueRef; 1]>>;

impl Binder<'_> {
    /// Plans an INSERT or REPLACE.
    pub(super) fn insert(&self, insert: &Insert) -> Result<Plan, StatementError> {
        let mut survey = Survey::default();
        survey.insert(insert);
        match self.scene(&survey)? {
            Scene::Sharded(sharded) => self.sharded_insert(insert, survey, sharded),
            scene => {
                let draft = self.base_draft(&survey);
                self.verbatim(StatementClass::Write, &scene, draft, survey)
            }
        }
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
        if matches!(insert.source, InsertSource::Query(_)) {
            return refuse("SELECT");
        }
        if survey.queries > 0 {
            return refuse("a sub-query");
        }
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
        let rows = self.sharding_values(insert, sharded, &sharding_columns)?;
        let router = stage.row_router(sharded.table, self.hints)?;
        let router = Arc::new(GivenRouter {
            router,
            sharding_columns: sharding_columns.len(),
            generated: generated_value(sharded, &sharding_columns),
            table: sharded.table.name.clone(),
        });
        let mut draft = self.base_draft(&survey);
        self.name_sharded(&survey, sharded, &mut draft);
        self.splice_rows(insert, &survey, &mut draft);
        let merge = match insert.returning {
            Some(_) => MergePlan::Concatenate,
            None => MergePlan::Summarize,
        };
        let template = draft.clone().finish(self.literals)?;
        let multi = Ok(MultiPlan { template, merge });
        let target = Target::Rows { nodes: sharded.nodes.clone(), router, rows };
        self.sharded_plan(sharded, StatementClass::Write, target, draft, multi, survey.effects)
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
        insert: &Insert,
        sharded: Sharded<'_>,
        sharding_columns: &[String],
    ) -> Result<Rows, StatementError> {
        match &insert.source {
            InsertSource::Set(assignments) => {
                let names = assignments.iter().map(|a| a.column.name.value.as_str()).collect();
                let values = assignments.iter().map(|assignment| &assignment.value).collect();
                self.rows_of(sharded, sharding_columns, &names, &[values])
            }
            InsertSource::Values { rows, .. } => {
                let names = insert_columns(insert, sharded);
                let values = rows.iter().map(|row| row.values.iter().collect()).collect::<Vec<_>>();
                self.rows_of(sharded, sharding_columns, &names, &values)
            }
            InsertSource::Query(_) => Ok(Vec::new()),
        }
    }

    fn rows_of(
        &self,
        sharded: Sharded<'_>,
        sharding_columns: &[String],
        names: &Vec<&str>,
        rows: &[Vec<&Expr>],
    ) -> Result<Rows, StatementError> {
        let find = |column: &str| names.iter().position(|name| name.eq_ignore_ascii_case(column));
        let positions = sharding_columns
            .iter()
            .map(|column| find(column).ok_or_else(|| missing_value(sharded, column)))
            .collect::<Result<SmallVec<[usize; 1]>, _>>()?;
        check_generated(sharded, names, rows)?;
        let generated = auto_increment(sharded).and_then(|column| find(&column.name));
        let generated = generated.filter(|position| !positions.contains(position));
        let mut result = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            if row.len() != names.len() {
                return Err(StatementError::new(
                    1136,
                    "21S01",
                    format!("Column count doesn't match value count at row {}", index + 1),
                ));
            }
            let mut values = positions
                .iter()
                .zip(sharding_columns)
                .map(|(position, column)| self.row_value(row[*position], sharded, column))
                .collect::<Result<SmallVec<[ValueRef; 1]>, _>>()?;
            // Behind the sharding values, what must not be left to the node to generate.
            if let Some(position) = generated {
                values.extend(self.value(row[position]));
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
        self.value(expr).ok_or_else(|| {
            StatementError::unsupported(format!(
                "The value of sharding column '{column}' of table '{}' must be a number, a string \
                 or a parameter, not an expression",
                sharded.table.name
            ))
        })
    }

    /// Rows can be chosen where there is more than one.
    fn splice_rows(&self, insert: &Insert, survey: &Survey<'_>, draft: &mut Draft) {
        let InsertSource::Values { rows, span } = &insert.source else { return };
        if rows.len() < 2 {
            return;
        }
        let mut params = survey.param_spans.iter().map(|param| param.start).collect::<Vec<_>>();
        params.sort_unstable();
        let before = |at: u32| params.partition_point(|param| *param < at) as u16;
        let range = |span: Span| (before(span.start), before(span.end));
        let row_span = |row: &InsertRow| RowSpan {
            start: position(self.literals, row.span.start),
            end: position(self.literals, row.span.end),
            params: range(row.span),
        };
        let with = SpliceText::Rows(rows.iter().map(row_span).collect());
        draft.replace_with_params(*span, range(*span), with);
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

/// The columns of the rows: those written, or all visible ones.
fn insert_columns<'i>(insert: &'i Insert, sharded: Sharded<'i>) -> Vec<&'i str> {
    match &insert.columns {
        Some(columns) => columns.iter().map(|column| column.name.value.as_str()).collect(),
        None => table_columns(sharded)
            .filter(|column| !column.is_invisible)
            .map(|column| column.name.as_str())
            .collect(),
    }
}

fn table_columns(sharded: Sharded<'_>) -> impl Iterator<Item = &ColumnMetadata> {
    sharded.table.metadata.iter().flat_map(|metadata| &metadata.columns)
}

/// The column whose values the server generates.
fn auto_increment(sharded: Sharded<'_>) -> Option<&ColumnMetadata> {
    table_columns(sharded).find(|column| column.is_auto_increment)
}

/// Where the value of the AUTO_INCREMENT column stands among the values of a row, and its name.
fn generated_value(sharded: Sharded<'_>, sharding_columns: &[String]) -> Option<(usize, String)> {
    let name = auto_increment(sharded)?.name.clone();
    let position = sharding_columns.iter().position(|column| column.eq_ignore_ascii_case(&name));
    Some((position.unwrap_or(sharding_columns.len()), name))
}

/// Each node counts its AUTO_INCREMENT values for itself: two rows could get one number.
fn check_generated(
    sharded: Sharded<'_>,
    names: &[&str],
    rows: &[Vec<&Expr>],
) -> Result<(), StatementError> {
    let Some(column) = auto_increment(sharded) else { return Ok(()) };
    let position = names.iter().position(|name| name.eq_ignore_ascii_case(&column.name));
    let lacks = |row: &Vec<&Expr>| match position.and_then(|position| row.get(position)) {
        None => true,
        Some(expr) => {
            is_default(expr) || matches!(unwrapped(expr).kind, ExprKind::Literal(Literal::Null))
        }
    };
    if rows.iter().any(lacks) { Err(missing_value(sharded, &column.name)) } else { Ok(()) }
}

fn is_default(expr: &Expr) -> bool {
    match &unwrapped(expr).kind {
        ExprKind::Default => true,
        ExprKind::Function(function) => function.name.value.eq_ignore_ascii_case("DEFAULT"),
        _ => false,
    }
}

/// `c = VALUES(c)`, `c = new.c` and `c = c` leave the row where it is: it was found on the node of
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
            ["VALUES", "VALUE"].iter().any(|f| f.eq_ignore_ascii_case(&function.name.value))
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
    let table = &sharded.table.name;
    let is_auto_increment =
        sharded.table.find_column(column).is_some_and(|(_, metadata)| metadata.is_auto_increment);
    if is_auto_increment {
        return needs_number(table, column);
    }
    StatementError::new(
        20020,
        "44000",
        format!("Sharding column '{column}' of table '{table}' needs a value in every row"),
    )
}
