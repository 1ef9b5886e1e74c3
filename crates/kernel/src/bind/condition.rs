//! WHERE as a [`Predicate`]: what it says about the columns of one table, with the values open.
//!
//! A row passes WHERE when the condition is TRUE; NULL does not pass. `accepts` describes the rows
//! for which an expression is TRUE, `rejects` those for which it is FALSE.

use sql::ast::{BinaryOp, Expr, ExprKind, IsTest, Literal, UnaryOp};

use super::Binder;
use super::scope::View;
use super::value::unwrapped;
use crate::predicate::{Predicate, ValueRef};

/// The rows of a place, and the block whose names are read.
#[derive(Debug, Clone, Copy)]
struct Seen<'v> {
    view: &'v View<'v>,
    block: usize,
}

impl Seen<'_> {
    /// What holds for each of the columns that have the value of `expr`.
    fn for_each(&self, expr: &Expr, predicate: impl Fn(usize) -> Predicate) -> Predicate {
        all_of(self.view.find(expr, self.block).into_iter().map(predicate).collect())
    }

    /// NULL is asked of the column itself: where another is NULL nothing is equal to it.
    fn is_null(&self, expr: &Expr) -> Predicate {
        self.view
            .find_own(expr, self.block)
            .map_or(Predicate::Any, |column| Predicate::IsNull { column })
    }

    fn is_column(&self, expr: &Expr) -> bool {
        !self.view.find(expr, self.block).is_empty()
    }
}

impl Binder<'_> {
    /// The rows for which all conditions are TRUE; each stands in a block.
    pub(super) fn predicate<'e>(
        &self,
        view: &View<'_>,
        conditions: impl Iterator<Item = (&'e Expr, usize)>,
    ) -> Predicate {
        all_of(conditions.map(|(expr, block)| self.accepts(Seen { view, block }, expr)).collect())
    }

    fn accepts(&self, seen: Seen<'_>, expr: &Expr) -> Predicate {
        match &expr.kind {
            ExprKind::Nested(inner) => self.accepts(seen, inner),
            ExprKind::Binary(left, BinaryOp::And, right) => {
                all_of(vec![self.accepts(seen, left), self.accepts(seen, right)])
            }
            ExprKind::Binary(left, BinaryOp::Or, right) => {
                any_of(vec![self.accepts(seen, left), self.accepts(seen, right)])
            }
            ExprKind::Binary(left, op, right) => self.comparison(seen, left, *op, right),
            ExprKind::Unary(UnaryOp::Not, inner) => self.rejects(seen, inner),
            ExprKind::Is { expr, negated: false, test } => match test {
                IsTest::Null | IsTest::Unknown => seen.is_null(expr),
                IsTest::True => self.accepts(seen, expr),
                IsTest::False => self.rejects(seen, expr),
            },
            ExprKind::InList { expr, negated: false, list } => self.in_list(seen, expr, list),
            ExprKind::Between { expr, negated: false, low, high } => {
                self.between(seen, expr, low, high)
            }
            ExprKind::Between { expr, negated: true, low, high } => any_of(vec![
                self.comparison(seen, expr, BinaryOp::Less, low),
                self.comparison(seen, expr, BinaryOp::Greater, high),
            ]),
            ExprKind::Literal(Literal::Null | Literal::Bool(false)) => Predicate::Never,
            _ => Predicate::Any,
        }
    }

    fn rejects(&self, seen: Seen<'_>, expr: &Expr) -> Predicate {
        match &expr.kind {
            ExprKind::Nested(inner) => self.rejects(seen, inner),
            ExprKind::Binary(left, BinaryOp::And, right) => {
                any_of(vec![self.rejects(seen, left), self.rejects(seen, right)])
            }
            ExprKind::Binary(left, BinaryOp::Or, right) => {
                all_of(vec![self.rejects(seen, left), self.rejects(seen, right)])
            }
            ExprKind::Binary(left, op, right) => {
                let opposite = match op {
                    BinaryOp::NotEqual => BinaryOp::Equal,
                    BinaryOp::Less => BinaryOp::GreaterOrEqual,
                    BinaryOp::LessOrEqual => BinaryOp::Greater,
                    BinaryOp::Greater => BinaryOp::LessOrEqual,
                    BinaryOp::GreaterOrEqual => BinaryOp::Less,
                    _ => return Predicate::Any,
                };
                self.comparison(seen, left, opposite, right)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.accepts(seen, inner),
            ExprKind::Is { expr, negated: true, test: IsTest::Null | IsTest::Unknown } => {
                seen.is_null(expr)
            }
            ExprKind::InList { expr, negated: true, list } => self.in_list(seen, expr, list),
            ExprKind::Between { expr, negated: true, low, high } => {
                self.between(seen, expr, low, high)
            }
            ExprKind::Between { expr, negated: false, low, high } => any_of(vec![
                self.comparison(seen, expr, BinaryOp::Less, low),
                self.comparison(seen, expr, BinaryOp::Greater, high),
            ]),
            ExprKind::Literal(Literal::Null | Literal::Bool(true)) => Predicate::Never,
            _ => Predicate::Any,
        }
    }

    fn between(&self, seen: Seen<'_>, expr: &Expr, low: &Expr, high: &Expr) -> Predicate {
        all_of(vec![
            self.comparison(seen, expr, BinaryOp::GreaterOrEqual, low),
            self.comparison(seen, expr, BinaryOp::LessOrEqual, high),
        ])
    }

    fn comparison(&self, seen: Seen<'_>, left: &Expr, op: BinaryOp, right: &Expr) -> Predicate {
        if let (ExprKind::Row(left), ExprKind::Row(right)) =
            (&unwrapped(left).kind, &unwrapped(right).kind)
            && op == BinaryOp::Equal
            && left.len() == right.len()
        {
            let parts = left.iter().zip(right);
            return all_of(parts.map(|(l, r)| self.comparison(seen, l, op, r)).collect());
        }
        let (column, value, op) = match (seen.is_column(left), seen.is_column(right)) {
            (true, false) => (left, right, op),
            (false, true) => (right, left, mirrored(op)),
            _ => return Predicate::Any,
        };
        let Some(value) = self.constant(value) else { return Predicate::Any };
        seen.for_each(column, |column| compare(column, op, value.clone()))
    }

    fn in_list(&self, seen: Seen<'_>, expr: &Expr, list: &[Expr]) -> Predicate {
        if let ExprKind::Row(columns) = &unwrapped(expr).kind {
            let parts = columns.iter().enumerate().map(|(index, column)| {
                let item = |row| match &unwrapped(row).kind {
                    ExprKind::Row(items) if items.len() == columns.len() => Some(&items[index]),
                    _ => None,
                };
                let items: Option<Vec<&Expr>> = list.iter().map(item).collect();
                items.map_or(Predicate::Any, |items| self.in_values(seen, column, &items))
            });
            return all_of(parts.collect());
        }
        self.in_values(seen, expr, &list.iter().collect::<Vec<_>>())
    }

    fn in_values(&self, seen: Seen<'_>, expr: &Expr, list: &[&Expr]) -> Predicate {
        if !seen.is_column(expr) {
            return Predicate::Any;
        }
        let values: Option<Vec<ValueRef>> = list.iter().map(|expr| self.constant(expr)).collect();
        let Some(values) = values else { return Predicate::Any };
        seen.for_each(expr, |column| match values.as_slice() {
            [value] => Predicate::Equal { column, value: value.clone() },
            _ => Predicate::In { column, values: values.clone() },
        })
    }
}

/// What a comparison of a column with a value says.
fn compare(column: usize, op: BinaryOp, value: ValueRef) -> Predicate {
    match op {
        BinaryOp::Equal => Predicate::Equal { column, value },
        BinaryOp::NullSafeEqual => match value {
            ValueRef::Const(eval::Value::Null) => Predicate::IsNull { column },
            // Whether it is NULL is known only when it runs.
            ValueRef::Param(_) => Predicate::Any,
            value => Predicate::Equal { column, value },
        },
        BinaryOp::Less => range(column, None, Some((value, false))),
        BinaryOp::LessOrEqual => range(column, None, Some((value, true))),
        BinaryOp::Greater => range(column, Some((value, false)), None),
        BinaryOp::GreaterOrEqual => range(column, Some((value, true)), None),
        _ => Predicate::Any,
    }
}

fn range(
    column: usize,
    lower: Option<(ValueRef, bool)>,
    upper: Option<(ValueRef, bool)>,
) -> Predicate {
    Predicate::Range { column, lower, upper }
}

/// `5 < a` is `a > 5`.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessOrEqual => BinaryOp::GreaterOrEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterOrEqual => BinaryOp::LessOrEqual,
        other => other,
    }
}

/// All hold; nested ones are flattened, and an upper bound joins a lower one of its column.
fn all_of(parts: Vec<Predicate>) -> Predicate {
    let mut kept: Vec<Predicate> = Vec::new();
    for part in parts {
        match part {
            Predicate::Any => {}
            Predicate::Never => return Predicate::Never,
            Predicate::And(inner) => {
                for part in inner {
                    join(&mut kept, part);
                }
            }
            part => join(&mut kept, part),
        }
    }
    match kept.len() {
        0 => Predicate::Any,
        1 => kept.remove(0),
        _ => Predicate::And(kept),
    }
}

fn join(kept: &mut Vec<Predicate>, part: Predicate) {
    if let Predicate::Range { column, lower, upper } = &part {
        for other in kept.iter_mut() {
            if let Predicate::Range { column: of, lower: low, upper: high } = other
                && of == column
                && (low.is_none() || lower.is_none())
                && (high.is_none() || upper.is_none())
            {
                *low = low.take().or_else(|| lower.clone());
                *high = high.take().or_else(|| upper.clone());
                return;
            }
        }
    }
    if !kept.contains(&part) {
        kept.push(part);
    }
}

/// At least one holds.
pub(super) fn any_of(parts: Vec<Predicate>) -> Predicate {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Predicate::Any => return Predicate::Any,
            Predicate::Never => {}
            Predicate::Or(inner) => {
                for part in inner {
                    if !kept.contains(&part) {
                        kept.push(part);
                    }
                }
            }
            part if kept.contains(&part) => {}
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Predicate::Never,
        1 => kept.remove(0),
        _ => Predicate::Or(kept),
    }
}
