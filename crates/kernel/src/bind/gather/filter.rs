//! Conditions that can be left to the nodes: each row they drop could not have a part in the answer.
//!
//! A condition of WHERE concerns a table that no outer join of its block fills with NULLs. One of ON
//! concerns both sides of an inner join and the inner side of an outer one.

use sql::Span;
use sql::ast::{BinaryOp, ColumnName, Expr, ExprKind, JoinKind, TableFactor, TableRef};

use super::{Place, purity};
use crate::bind::survey::Survey;
use crate::bind::value::unwrapped;

/// A member of a FROM clause.
#[derive(Clone, Copy)]
struct Leaf {
    /// Its place; `None` for derived and common tables.
    place: Option<usize>,
    /// An outer join within the part looked at can fill it with NULLs.
    is_filled: bool,
}

/// One FROM clause, and what in the conditions of its block concerns one place of it.
pub(super) struct Concerning<'b> {
    places: &'b [Place<'b>],
    /// All members of the clause.
    members: Vec<Leaf>,
    /// The place that is asked for.
    wanted: usize,
    /// Parts of conditions that each row of the place must satisfy to matter.
    parts: Vec<&'b Expr>,
}

/// `column = other column` of another place.
pub(super) struct Equality {
    /// The column of the place that is asked for.
    pub column: usize,
    /// The other place.
    pub place: usize,
    /// Its column.
    pub of: usize,
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

impl<'b> Concerning<'b> {
    /// What concerns the place `wanted`.
    pub(super) fn of(survey: &Survey<'b>, places: &'b [Place<'b>], wanted: usize) -> Self {
        let mut concerning = Self { places, members: Vec::new(), wanted, parts: Vec::new() };
        let block = places[wanted].used.block.and_then(|block| survey.blocks.get(block));
        let Some(block) = block else { return concerning };
        for table in block.from {
            concerning.members.extend(leaves(table, places));
        }
        for table in block.from {
            concerning.visit(table);
        }
        if let Some(where_) = block.where_ {
            let members = concerning.members.clone();
            concerning.add(where_, &members);
        }
        concerning
    }

    /// Where the conditions stand that name no other place, and mean the same on the nodes.
    pub(super) fn conditions(&self) -> Vec<Span> {
        let is_own = |part: &&&Expr| {
            let mut columns = Vec::new();
            purity::is_pure(part, &mut columns)
                && !columns.is_empty()
                && columns.iter().all(|column| {
                    self.resolve(column).is_some_and(|(place, _)| place == self.wanted)
                })
        };
        let mut spans: Vec<Span> = self.parts.iter().filter(is_own).map(|part| part.span).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    }

    /// Columns of the place that must equal one of another place.
    pub(super) fn equalities(&self) -> Vec<Equality> {
        let equality = |part: &&Expr| {
            let ExprKind::Binary(left, BinaryOp::Equal, right) = &part.kind else { return None };
            let sides = (&unwrapped(left).kind, &unwrapped(right).kind);
            let (ExprKind::Column(left), ExprKind::Column(right)) = sides else { return None };
            let (left, right) = (self.resolve(left)?, self.resolve(right)?);
            let (own, other) = if left.0 == self.wanted { (left, right) } else { (right, left) };
            (own.0 == self.wanted && other.0 != self.wanted).then_some(Equality {
                column: own.1,
                place: other.0,
                of: other.1,
            })
        };
        self.parts.iter().filter_map(equality).collect()
    }

    /// The conditions of the joins in `table`.
    fn visit(&mut self, table: &'b TableRef) {
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

    /// Takes over the parts of a condition that must hold for the rows of these members.
    fn add(&mut self, condition: &'b Expr, concerned: &[Leaf]) {
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
            _ => self.parts.push(condition),
        }
    }

    /// The place and column that a name can only mean; `None` when that cannot be told.
    fn resolve(&self, column: &ColumnName) -> Option<(usize, usize)> {
        let mut found = None;
        for leaf in &self.members {
            match (leaf.place, &column.table) {
                // Derived and common tables have columns that are not known here.
                (None, None) => return None,
                (None, Some(_)) => {}
                (Some(place), qualifier) => {
                    let own = &self.places[place];
                    let may_be = match qualifier {
                        Some(qualifier) => own.answers_to(qualifier),
                        None => own.find_column(&column.name.value).is_some(),
                    };
                    if may_be && found.replace(place).is_some() {
                        return None;
                    }
                }
            }
        }
        let place = found?;
        Some((place, self.places[place].find_column(&column.name.value)?))
    }
}
