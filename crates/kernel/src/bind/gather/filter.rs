//! Conditions that can be left to the nodes: each row they drop could not have a part in the answer.
//!
//! A condition of WHERE concerns a table that no outer join of its block fills with NULLs. One of ON
//! concerns both sides of an inner join and the inner side of an outer one.

use sql::Span;
use sql::ast::{BinaryOp, ColumnName, Expr, ExprKind, JoinKind, TableFactor, TableRef};

use super::{Place, purity};
use crate::bind::survey::Survey;

/// A member of a FROM clause.
#[derive(Clone, Copy)]
struct Leaf {
    /// Its place; `None` for derived and common tables.
    place: Option<usize>,
    /// An outer join within the part looked at can fill it with NULLs.
    is_filled: bool,
}

/// One FROM clause.
struct Scope<'b> {
    places: &'b [Place<'b>],
    /// All its members.
    members: Vec<Leaf>,
    /// The place that is asked for.
    wanted: usize,
    found: Vec<Span>,
}

/// Where the conditions stand that the read of a place can have.
pub(super) fn conditions(survey: &Survey<'_>, places: &[Place<'_>], wanted: usize) -> Vec<Span> {
    let block = places[wanted].used.block.and_then(|block| survey.blocks.get(block));
    let Some(block) = block else { return Vec::new() };
    let mut scope = Scope { places, members: Vec::new(), wanted, found: Vec::new() };
    for table in block.from {
        scope.members.extend(leaves(table, places));
    }
    for table in block.from {
        scope.visit(table);
    }
    if let Some(filter) = block.where_ {
        let members = scope.members.clone();
        scope.add(filter, &members);
    }
    scope.found
}

fn leaves(table: &TableRef, places: &[Place<'_>]) -> Vec<Leaf> {
    match table {
        TableRef::Table(factor) => {
            vec![Leaf { place: place_of(factor, places), is_filled: false }]
        }
        TableRef::Derived { .. } | TableRef::Function { .. } => {
            vec![Leaf { place: None, is_filled: false }]
        }
        TableRef::Nested(tables, _) => {
            tables.iter().flat_map(|table| leaves(table, places)).collect()
        }
        TableRef::Join(join) => {
            let (mut left, mut right) = (leaves(&join.left, places), leaves(&join.right, places));
            let (fills_left, fills_right) = match join.kind {
                JoinKind::Inner | JoinKind::NaturalInner => (false, false),
                JoinKind::Left | JoinKind::NaturalLeft => (false, true),
                JoinKind::Right | JoinKind::NaturalRight => (true, false),
            };
            left.iter_mut().for_each(|leaf| leaf.is_filled |= fills_left);
            right.iter_mut().for_each(|leaf| leaf.is_filled |= fills_right);
            left.append(&mut right);
            left
        }
    }
}

fn place_of(factor: &TableFactor, places: &[Place<'_>]) -> Option<usize> {
    places.iter().position(|place| place.used.factor.is_some_and(|own| own.span == factor.span))
}

impl Scope<'_> {
    /// The conditions of the joins in `table`.
    fn visit(&mut self, table: &TableRef) {
        match table {
            TableRef::Nested(tables, _) => tables.iter().for_each(|table| self.visit(table)),
            TableRef::Join(join) => {
                self.visit(&join.left);
                self.visit(&join.right);
                let Some(on) = &join.on else { return };
                let mut concerned = Vec::new();
                if !matches!(join.kind, JoinKind::Left | JoinKind::NaturalLeft) {
                    concerned.extend(leaves(&join.left, self.places));
                }
                if !matches!(join.kind, JoinKind::Right | JoinKind::NaturalRight) {
                    concerned.extend(leaves(&join.right, self.places));
                }
                self.add(on, &concerned);
            }
            TableRef::Table(_) | TableRef::Derived { .. } | TableRef::Function { .. } => {}
        }
    }

    /// Takes over the parts of a condition that name columns of the wanted place only.
    fn add(&mut self, condition: &Expr, concerned: &[Leaf]) {
        let is_concerned = |leaf: &Leaf| leaf.place == Some(self.wanted) && !leaf.is_filled;
        if !concerned.iter().any(is_concerned) {
            return;
        }
        match &condition.kind {
            ExprKind::Binary(left, BinaryOp::And, right) => {
                self.add(left, concerned);
                self.add(right, concerned);
            }
            ExprKind::Nested(inner) => self.add(inner, concerned),
            _ => {
                let mut columns = Vec::new();
                let is_pure = purity::is_pure(condition, &mut columns);
                if is_pure
                    && !columns.is_empty()
                    && columns.iter().all(|column| self.is_wanted(column))
                {
                    self.found.push(condition.span);
                }
            }
        }
    }

    /// True when this column can only be one of the wanted place.
    fn is_wanted(&self, column: &ColumnName) -> bool {
        let place = &self.places[self.wanted];
        if place.find_column(&column.name.value).is_none() {
            return false;
        }
        let others = || self.members.iter().filter(|leaf| leaf.place != Some(self.wanted));
        let can_be = |leaf: &Leaf| {
            leaf.place.is_none_or(|other| match &column.table {
                Some(qualifier) => self.places[other].answers_to(qualifier),
                None => self.places[other].find_column(&column.name.value).is_some(),
            })
        };
        match &column.table {
            // A derived table of the same name would be an error of the statement.
            Some(qualifier) => {
                place.answers_to(qualifier)
                    && !others().any(|leaf| leaf.place.is_some() && can_be(leaf))
            }
            None => !others().any(can_be),
        }
    }
}
