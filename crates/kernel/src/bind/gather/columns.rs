//! Which columns of a place the statement can need.

use std::collections::BTreeSet;

use sql::ast::{BinaryOp, ColumnName, Expr, ExprKind, Join, JoinKind, SelectItem, TableRef};

use super::Place;
use crate::bind::survey::{Block, Survey};
use crate::bind::value::unwrapped;

/// Positions of the columns that are copied, ascending: those the statement names or may mean, and
/// the primary key, on which flags and the rules of GROUP BY depend.
pub(super) fn needed(survey: &Survey<'_>, place: &Place<'_>) -> BTreeSet<usize> {
    let columns = &place.metadata.columns;
    let is_opaque = !survey.opaque.is_empty();
    let reads_all = place.used.block.is_none_or(|block| reads_all(&survey.blocks[block]))
        || survey.wildcards.iter().any(|wildcard| place.answers_to(&wildcard.name));
    let mut needed: BTreeSet<usize> = (0..columns.len())
        .filter(|position| is_opaque || (reads_all && !columns[*position].is_invisible))
        .collect();
    needed.extend(survey.columns.iter().filter_map(|column| position(place, column)));
    needed.extend(using(survey).filter_map(|name| place.find_column(name)));
    needed.extend(place.metadata.primary_key.iter().filter_map(|name| place.find_column(name)));
    if needed.is_empty() {
        let first = columns.iter().position(|column| column.is_integer()).unwrap_or_default();
        needed.insert(first);
    }
    needed
}

/// Columns of a place that are compared for equality with other columns.
pub(super) fn joined(survey: &Survey<'_>, place: &Place<'_>) -> BTreeSet<usize> {
    let mut joined = BTreeSet::new();
    for block in &survey.blocks {
        let ons = joins(block).into_iter().filter_map(|join| join.on.as_ref());
        for condition in ons.chain(block.where_) {
            add_joined(condition, place, &mut joined);
        }
    }
    joined.extend(using(survey).filter_map(|name| place.find_column(name)));
    joined
}

/// The block reads columns that it does not name: by `*`, NATURAL, or `TABLE t`.
fn reads_all(block: &Block<'_>) -> bool {
    let is_star = |item: &SelectItem| matches!(item, SelectItem::Wildcard { table: None, .. });
    let is_natural = |join: &&Join| {
        matches!(join.kind, JoinKind::NaturalInner | JoinKind::NaturalLeft | JoinKind::NaturalRight)
    };
    block.select.is_none_or(|select| select.items.iter().any(is_star))
        || joins(block).iter().any(is_natural)
}

/// Names in USING.
fn using<'s>(survey: &'s Survey<'_>) -> impl Iterator<Item = &'s str> {
    let joins = survey.blocks.iter().flat_map(joins);
    joins.flat_map(|join| &join.using).map(|name| name.value.as_str())
}

/// The joins of a block's FROM.
fn joins<'a>(block: &Block<'a>) -> Vec<&'a Join> {
    let mut joins = Vec::new();
    let mut open: Vec<&'a TableRef> = block.from.iter().collect();
    while let Some(table) = open.pop() {
        match table {
            TableRef::Join(join) => {
                joins.push(&**join);
                open.extend([&join.left, &join.right]);
            }
            TableRef::Nested(tables, _) => open.extend(tables),
            TableRef::Table(_) | TableRef::Derived { .. } | TableRef::Function { .. } => {}
        }
    }
    joins
}

fn add_joined(expr: &Expr, place: &Place<'_>, joined: &mut BTreeSet<usize>) {
    match &unwrapped(expr).kind {
        ExprKind::Binary(left, BinaryOp::And, right) => {
            add_joined(left, place, joined);
            add_joined(right, place, joined);
        }
        ExprKind::Binary(left, BinaryOp::Equal | BinaryOp::NullSafeEqual, right) => {
            let sides = (&unwrapped(left).kind, &unwrapped(right).kind);
            if let (ExprKind::Column(left), ExprKind::Column(right)) = sides {
                joined.extend([left, right].into_iter().filter_map(|side| position(place, side)));
            }
        }
        _ => {}
    }
}

/// The position of a column that may be one of this place.
fn position(place: &Place<'_>, column: &ColumnName) -> Option<usize> {
    let may_be = column.table.as_ref().is_none_or(|qualifier| place.answers_to(qualifier));
    may_be.then(|| place.find_column(&column.name.value)).flatten()
}
