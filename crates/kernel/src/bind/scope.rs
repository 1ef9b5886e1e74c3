//! What is known of the tables of a statement before its values are: which column a name means, and
//! which conditions hold for the rows of each place that names a table.

mod equal;
mod facts;
mod lookup;

use std::sync::Arc;

use smallvec::SmallVec;
use sql::ast::{Expr, ExprKind, Select};

use super::Binder;
use super::survey::Survey;
use super::tables::{Found, Sharded};
use super::value::unwrapped;
use crate::error::StatementError;
use crate::model::LogicalTable;

pub(super) use equal::Equalities;
pub(super) use lookup::Look;

/// A column of one place that names a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Column {
    /// Which of [`Survey::tables`].
    pub place: usize,
    /// Its position in the table.
    pub position: usize,
}

/// A condition that is known to be TRUE.
#[derive(Debug)]
struct Fact<'s> {
    /// The condition and the block in which its names are looked up; `None` for an equality that is
    /// written in another way (USING, IN).
    condition: Option<(&'s Expr, usize)>,
    /// The columns that it makes equal.
    equal: Vec<(Column, Column)>,
}

/// The number of a [`Fact`].
type FactId = usize;

/// What is known of the tables of a statement.
#[derive(Debug)]
pub(super) struct Scope<'s> {
    survey: &'s Survey<'s>,
    /// For each place, the table, where it is none of the system or of the session.
    tables: Vec<Option<&'s Arc<LogicalTable>>>,
    /// For each place, the sharded table.
    sharded: Vec<Option<Sharded<'s>>>,
    facts: Vec<Fact<'s>>,
    /// For each place, what holds for every combination of rows in which a row of it matters.
    of_place: Vec<Vec<FactId>>,
    /// For each place inside of a derived table that groups or limits rows, what holds for the rows
    /// of that table where they matter.
    around: Vec<Vec<FactId>>,
    /// For each block, what holds for all of its rows.
    of_block: Vec<Vec<FactId>>,
}

impl<'a> Binder<'a> {
    /// Gathers what is known.
    pub(super) fn scope<'s>(&self, survey: &'s Survey<'s>) -> Result<Scope<'s>, StatementError>
    where
        'a: 's,
    {
        let mut scope = Scope {
            survey,
            tables: Vec::with_capacity(survey.tables.len()),
            sharded: Vec::with_capacity(survey.tables.len()),
            facts: Vec::new(),
            of_place: vec![Vec::new(); survey.tables.len()],
            around: vec![Vec::new(); survey.tables.len()],
            of_block: vec![Vec::new(); survey.blocks.len()],
        };
        for used in &survey.tables {
            let found = self.find_table(used.name)?;
            scope.sharded.push(match found {
                Found::Sharded(sharded) => Some(sharded),
                _ => None,
            });
            let is_stored = !matches!(found, Found::Temporary(_) | Found::System | Found::Unknown);
            let table = match self.database_of(used.name)? {
                Some(database) if is_stored => database.find_table(&used.name.name.value),
                _ => None,
            };
            scope.tables.push(table.filter(|table| table.metadata.is_some()));
        }
        scope.gather();
        Ok(scope)
    }
}

impl<'s> Scope<'s> {
    /// The sharded table of a place.
    pub(super) fn sharded(&self, place: usize) -> Option<Sharded<'s>> {
        self.sharded.get(place).copied().flatten()
    }

    /// The statement.
    pub(super) fn survey(&self) -> &'s Survey<'s> {
        self.survey
    }

    /// The block of a SELECT.
    pub(super) fn block_of(&self, select: &Select) -> Option<usize> {
        let is_this = |other: &Select| std::ptr::eq(other, select);
        self.survey.blocks.iter().position(|block| block.select.is_some_and(is_this))
    }

    /// The conditions on the rows of a place, each with the block in which its names are looked up.
    pub(super) fn conditions(&self, place: usize) -> impl Iterator<Item = (&'s Expr, usize)> {
        let facts = self.of_place.get(place).into_iter().flatten();
        facts.filter_map(|id| self.facts.get(*id)?.condition)
    }

    /// How the rows of a place are seen.
    pub(super) fn view(&self, place: usize) -> View<'_> {
        let facts = self.of_place.get(place).map_or(&[][..], Vec::as_slice);
        View { scope: self, place, equal: self.equalities(facts) }
    }
}

/// The columns of one place, and those of others that are known to be equal to them.
#[derive(Debug)]
pub(super) struct View<'v> {
    scope: &'v Scope<'v>,
    place: usize,
    equal: Equalities,
}

impl View<'_> {
    /// The columns of the place that have the value of this expression, where it is a column.
    pub(super) fn find(&self, expr: &Expr, block: usize) -> SmallVec<[usize; 2]> {
        let ExprKind::Column(name) = &unwrapped(expr).kind else { return SmallVec::new() };
        let Some(column) = self.scope.resolve(block, name) else { return SmallVec::new() };
        let mut found = SmallVec::new();
        if column.place == self.place {
            found.push(column.position);
        }
        for other in self.equal.with(column) {
            if other.place == self.place && !found.contains(&other.position) {
                found.push(other.position);
            }
        }
        found
    }

    /// The column of the place, where the expression is one of its own.
    pub(super) fn find_own(&self, expr: &Expr, block: usize) -> Option<usize> {
        let ExprKind::Column(name) = &unwrapped(expr).kind else { return None };
        let column = self.scope.resolve(block, name)?;
        (column.place == self.place).then_some(column.position)
    }
}
