//! INSERT .. SELECT over rows that are not made where they belong: refused as one statement, it can
//! still be a query and an INSERT of the rows it gives.

use sql::Span;
use sql::ast::{Expr, ExprKind, Insert, Query};

use crate::bind::Binder;
use crate::bind::survey::Survey;
use crate::bind::tables::Found;
use crate::bind::value::unwrapped;
use crate::error::StatementError;
use crate::plan::{Effects, Plan, Target};
use crate::transfer::{Transfer, TransferKind};

/// Errors that say that nodes cannot do it each for itself; others say that the statement is wrong.
const OF_PLACES: [u16; 3] = [20034, 20038, 30001];

impl Binder<'_> {
    /// The plan of an INSERT .. SELECT; one that its nodes cannot do is done in two steps, where it
    /// can be.
    pub(super) fn or_transferred(
        &self,
        insert: &Insert,
        query: &Query,
        direct: Result<Plan, StatementError>,
    ) -> Result<Plan, StatementError> {
        match direct {
            Ok(mut plan) => {
                let is_spread = matches!(plan.target, Target::Nodes { .. });
                if let Err(error) = &plan.multi
                    && is_spread
                    && OF_PLACES.contains(&error.code)
                {
                    plan.transfer = self.transfer(insert, query, &plan.effects, false);
                }
                Ok(plan)
            }
            Err(error) if OF_PLACES.contains(&error.code) => {
                let mut survey = Survey::default();
                survey.insert(insert);
                let effects = std::mem::take(&mut survey.effects);
                let Some(transfer) = self.transfer(insert, query, &effects, true) else {
                    return Err(error);
                };
                let mut plan = self.unrouted(error, effects)?;
                plan.transfer = Some(transfer);
                Ok(plan)
            }
            Err(error) => Err(error),
        }
    }

    fn transfer(
        &self,
        insert: &Insert,
        query: &Query,
        effects: &Effects,
        is_always: bool,
    ) -> Option<Box<Transfer>> {
        let is_refused = insert.is_delayed
            || insert.returning.is_some()
            || query.into.is_some()
            || effects.pins.is_some()
            || effects.sets_last_insert_id
            || effects.calculates_found_rows
            || !effects.assigns_user_variables.is_empty()
            || !self.hints.is_empty()
            || !self.updates_by_target(insert);
        if is_refused {
            return None;
        }
        let text = |start: u32, end: u32| {
            std::str::from_utf8(Span::new(start, end).of(self.text)).ok().map(str::to_owned)
        };
        // Parentheses around the query have no place around rows.
        let between = text(insert.columns_span.end, query.span.start)?;
        if !between.trim().is_empty() {
            return None;
        }
        let after = text(query.span.end, u32::try_from(self.text.len()).ok()?)?;
        let after = after.trim_end().trim_end_matches(';');
        let is_clause = insert.on_duplicate.is_empty() == after.trim().is_empty();
        is_clause.then_some(())?;
        let before = text(0, insert.columns_span.end)?;
        Some(Box::new(Transfer {
            kind: TransferKind::Insert,
            is_always,
            table: insert.table.name.value.clone(),
            query: text(query.span.start, query.span.end)?,
            before: format!("{before} VALUES "),
            after: format!(" {after}"),
        }))
    }

    /// ON DUPLICATE KEY UPDATE has values of the new row and constants alone: the query's tables are gone
    /// when rows are inserted, and whether a column is one of theirs (or ambiguous, 1052) is not known.
    fn updates_by_target(&self, insert: &Insert) -> bool {
        if insert.on_duplicate.is_empty() {
            return true;
        }
        let is_here =
            matches!(self.find_table(&insert.table), Ok(Found::Sharded(_) | Found::Broadcast(_)));
        is_here && insert.on_duplicate.iter().all(|assignment| is_of_new_row(&assignment.value))
    }
}

/// `VALUES(c)`, a literal or a parameter.
fn is_of_new_row(value: &Expr) -> bool {
    match &unwrapped(value).kind {
        ExprKind::Literal(_) | ExprKind::Param(_) => true,
        ExprKind::Function(function) => {
            function.name.value.eq_ignore_ascii_case("VALUES")
                && matches!(function.args.as_slice(), [Expr { kind: ExprKind::Column(_), .. }])
        }
        _ => false,
    }
}
