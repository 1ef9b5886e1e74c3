//! Expressions on aggregates: what of them the nodes compute, and what is left to do with the
//! merged groups.

use std::borrow::Cow;

use eval::Value;
use eval::expression::{Coercibility, Type};
use sql::ast::{ColumnName, Expr, ExprKind, Ident, SelectItem};
use sql::fingerprint::LiteralKind;

use super::SelectMerge;
use super::aggregate::{as_aggregate, contains_aggregate};
use super::key_type::{KeyType, of};
use crate::bind::survey::Survey;
use crate::bind::value::unwrapped;
use crate::error::StatementError;
use crate::merge::{AggregateColumn, ColumnPosition, Formula, FormulaSlot, check_formula};
use crate::predicate::ValueRef;

/// A formula while it is made.
#[derive(Default)]
struct Parts {
    slots: Vec<FormulaSlot>,
    types: Vec<Type>,
    arguments: Vec<ValueRef>,
}

/// Where the expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the select list or ORDER BY: names are columns of the table.
    Selected,
    /// In HAVING: names are columns of GROUP BY and of the select list.
    Having,
}

impl<'b> SelectMerge<'b> {
    /// What is to be computed of merged groups for an expression with aggregates.
    ///
    /// # Errors
    /// It is not certain what one server would answer.
    pub(super) fn formula(
        &mut self,
        expr: &'b Expr,
        place: Place,
        aggregates: &mut Vec<AggregateColumn>,
    ) -> Result<Formula, StatementError> {
        let mut parts = Parts::default();
        let tree = self.formula_node(expr, place, &mut parts, aggregates)?;
        let Parts { slots, types, arguments } = parts;
        let samples: Vec<Value<'static>> = arguments.iter().map(sample).collect();
        let known: Vec<Value<'static>> = arguments.iter().map(|value| self.known(value)).collect();
        check_formula(&tree, &types, &samples, &known).map_err(|unsupported| {
            self.refuse(&format!("{} ({})", self.shown(expr), unsupported.what))
        })?;
        Ok(Formula { expr: tree, slots, arguments })
    }

    /// A value of the type that the argument is known to have; NULL where it can be of any.
    fn known(&self, value: &ValueRef) -> Value<'static> {
        match value {
            ValueRef::Const(value) => value.clone(),
            ValueRef::Literal { index, .. } => {
                let literal = self.binder.literals.get(usize::from(*index));
                match literal.map(|literal| literal.kind) {
                    Some(LiteralKind::Integer | LiteralKind::Decimal) => sample(value),
                    Some(LiteralKind::Float) => Value::Double(1.0),
                    Some(LiteralKind::String) => Value::Bytes(Cow::Borrowed(b"1")),
                    _ => Value::Null,
                }
            }
            ValueRef::Param(_) | ValueRef::Key { .. } | ValueRef::Computed(_) => Value::Null,
        }
    }

    fn formula_node(
        &mut self,
        expr: &'b Expr,
        place: Place,
        parts: &mut Parts,
        aggregates: &mut Vec<AggregateColumn>,
    ) -> Result<Expr, StatementError> {
        if as_aggregate(expr).is_some() {
            let column = self.aggregate_position(expr, place, aggregates)?;
            return self.slot(expr, column, parts);
        }
        if let Some(argument) = self.argument(expr) {
            parts.arguments.push(argument);
            let index = parts.arguments.len() as u32 - 1;
            return Ok(Expr { kind: ExprKind::Param(index), span: expr.span });
        }
        if let ExprKind::Column(name) = &expr.kind {
            return match place {
                Place::Selected => self.row_value(expr, parts),
                Place::Having => self.having_name(expr, name, parts, aggregates),
            };
        }
        if place == Place::Selected && !contains_aggregate(expr) && has_columns(expr) {
            return self.row_value(expr, parts);
        }
        let mut mapped = |child: &'b Expr| self.formula_node(child, place, parts, aggregates);
        match map_children(expr, &mut mapped)? {
            Some(kind) => Ok(Expr { kind, span: expr.span }),
            None => Err(self.refuse(&self.shown(expr))),
        }
    }

    /// The column with this aggregate, which is added where there is none.
    pub(super) fn aggregate_position(
        &mut self,
        expr: &'b Expr,
        place: Place,
        aggregates: &mut Vec<AggregateColumn>,
    ) -> Result<ColumnPosition, StatementError> {
        let Some(function) = as_aggregate(expr) else { return Err(self.refuse(&self.shown(expr))) };
        if function.args.iter().any(contains_aggregate) {
            return Err(StatementError::new(1111, "HY000", "Invalid use of group function"));
        }
        if place == Place::Having {
            self.refuse_aliases_inside(expr)?;
        }
        let visible = self.select.items.iter().position(|item| match item {
            SelectItem::Expr { expr: other, .. } => {
                as_aggregate(other).is_some() && self.is_same(other, expr)
            }
            SelectItem::Wildcard { .. } => false,
        });
        if let Some(position) = visible.and_then(|index| self.position(index)) {
            return Ok(position);
        }
        let column = self.hide(expr, "", "")?;
        if !aggregates.iter().any(|aggregate| aggregate.column == column) {
            let aggregate = self.aggregate(expr, function, column)?;
            aggregates.push(aggregate);
        }
        Ok(column)
    }

    /// A value that any row of the group has; the nodes compute it.
    fn row_value(&mut self, expr: &'b Expr, parts: &mut Parts) -> Result<Expr, StatementError> {
        if self.select.group_by.is_empty() {
            return Err(self.refuse(&format!(
                "{} together with an aggregate, without GROUP BY,",
                self.shown(expr)
            )));
        }
        let visible = self.select.items.iter().position(|item| match item {
            SelectItem::Expr { expr: other, .. } => self.is_same(other, expr),
            SelectItem::Wildcard { .. } => false,
        });
        let column = match visible.and_then(|index| self.position(index)) {
            Some(position) => position,
            None => self.hide(expr, "", "")?,
        };
        self.slot(expr, column, parts)
    }

    /// A name in HAVING: a column of GROUP BY, or one of the select list.
    ///
    /// # Source
    /// MySQL 8.4 manual, SELECT statement, on names in HAVING.
    fn having_name(
        &mut self,
        expr: &'b Expr,
        name: &'b ColumnName,
        parts: &mut Parts,
        aggregates: &mut Vec<AggregateColumn>,
    ) -> Result<Expr, StatementError> {
        let select = self.select;
        let is_grouped = self.subject.find(name).is_some()
            && select.group_by.iter().any(|item| self.is_same(&item.expr, expr));
        let alias = if name.table.is_none() { self.find_alias(name) } else { None };
        match (is_grouped, alias) {
            (true, Some((_, item))) if !self.is_same(item, expr) => {
                Err(self.refuse(&format!("The ambiguous name {} in HAVING", self.shown(expr))))
            }
            (false, Some((index, item))) if !contains_aggregate(item) => {
                let position = self.position(index);
                let column = position.ok_or_else(|| self.refuse("An alias behind *"))?;
                self.slot(item, column, parts)
            }
            (false, Some((_, item))) => self.formula_node(item, Place::Selected, parts, aggregates),
            (true, _) => self.row_value(expr, parts),
            (false, None) if self.is_selected(expr) => self.row_value(expr, parts),
            (false, None) => Err(StatementError::unknown_column(&name.name.value, "having clause")),
        }
    }

    /// The column as a leaf of the formula.
    fn slot(
        &self,
        expr: &Expr,
        column: ColumnPosition,
        parts: &mut Parts,
    ) -> Result<Expr, StatementError> {
        let (ty, collation) = self.slot_type(expr).ok_or_else(|| {
            self.refuse(&format!("Computing with {}, whose type is not known,", self.shown(expr)))
        })?;
        let slot = FormulaSlot { column, collation };
        let index = parts.slots.iter().position(|known| *known == slot).unwrap_or_else(|| {
            parts.slots.push(slot);
            parts.types.push(ty);
            parts.slots.len() - 1
        });
        let name = Ident { value: index.to_string(), span: expr.span };
        let column = ColumnName { database: None, table: None, name };
        Ok(Expr { kind: ExprKind::Column(column), span: expr.span })
    }

    /// The type of a column as far as it is known before rows come, and its collation.
    fn slot_type(&self, expr: &Expr) -> Option<(Type, String)> {
        let text = |collation: &str| Type::text_of(collation, Coercibility::Implicit);
        Some(match of(self.subject, expr) {
            KeyType::Number => (Type::INTEGER, String::new()),
            KeyType::Temporal | KeyType::Timestamp => (Type::DATE, String::new()),
            KeyType::Binary => (text("binary"), "binary".to_owned()),
            KeyType::Character { collation, .. } => (text(&collation), collation),
            _ => return None,
        })
    }

    /// A parameter, or a literal that is not part of the plan.
    fn argument(&self, expr: &Expr) -> Option<ValueRef> {
        if !matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Param(_)) {
            return None;
        }
        let value = self.binder.value(expr)?;
        (!matches!(value, ValueRef::Const(_))).then_some(value)
    }

    /// Whether HAVING can be left to the nodes: it asks for nothing of a whole group.
    pub(super) fn is_having_of_rows(&self, having: &Expr) -> bool {
        let mut survey = Survey::default();
        survey.expr(having);
        let is_on_aggregate = |name: &&ColumnName| {
            name.table.is_none()
                && self.find_alias(name).is_some_and(|(_, item)| contains_aggregate(item))
        };
        !contains_aggregate(having) && !survey.columns.iter().any(is_on_aggregate)
    }
}

/// Any value of this kind, to see what can be computed.
fn sample(value: &ValueRef) -> Value<'static> {
    match value {
        ValueRef::Const(value) => value.clone(),
        ValueRef::Literal { .. }
        | ValueRef::Param(_)
        | ValueRef::Key { .. }
        | ValueRef::Computed(_) => Value::Decimal(Cow::Borrowed("1")),
    }
}

/// Whether it names columns.
pub(super) fn has_columns(expr: &Expr) -> bool {
    let mut survey = Survey::default();
    survey.expr(expr);
    !survey.columns.is_empty()
}

type Mapped<'m, 'e> = &'m mut dyn FnMut(&'e Expr) -> Result<Expr, StatementError>;

/// The same node with other children; `None` for nodes that are not computed here.
fn map_children<'e>(
    expr: &'e Expr,
    map: Mapped<'_, 'e>,
) -> Result<Option<ExprKind>, StatementError> {
    let mut boxed = |child: &'e Expr| map(child).map(Box::new);
    Ok(Some(match &expr.kind {
        ExprKind::Literal(literal) => ExprKind::Literal(literal.clone()),
        ExprKind::Nested(inner) => ExprKind::Nested(boxed(inner)?),
        ExprKind::Unary(op, inner) => ExprKind::Unary(*op, boxed(inner)?),
        ExprKind::Binary(left, op, right) => ExprKind::Binary(boxed(left)?, *op, boxed(right)?),
        ExprKind::Is { expr, negated, test } => {
            ExprKind::Is { expr: boxed(expr)?, negated: *negated, test: *test }
        }
        ExprKind::Between { expr, negated, low, high } => ExprKind::Between {
            expr: boxed(expr)?,
            negated: *negated,
            low: boxed(low)?,
            high: boxed(high)?,
        },
        ExprKind::InList { expr, negated, list } => ExprKind::InList {
            expr: boxed(expr)?,
            negated: *negated,
            list: list.iter().map(map).collect::<Result<_, _>>()?,
        },
        ExprKind::Like { expr, negated, pattern, escape: None } => ExprKind::Like {
            expr: boxed(expr)?,
            negated: *negated,
            pattern: boxed(pattern)?,
            escape: None,
        },
        ExprKind::Row(items) => ExprKind::Row(items.iter().map(map).collect::<Result<_, _>>()?),
        ExprKind::Cast { expr, type_text } => {
            ExprKind::Cast { expr: boxed(expr)?, type_text: type_text.clone() }
        }
        ExprKind::Collate { expr, collation } => {
            ExprKind::Collate { expr: boxed(expr)?, collation: collation.clone() }
        }
        ExprKind::Case { operand, branches, otherwise } => ExprKind::Case {
            operand: operand.as_deref().map(&mut boxed).transpose()?,
            branches: branches
                .iter()
                .map(|(when, then)| Ok((*boxed(when)?, *boxed(then)?)))
                .collect::<Result<_, StatementError>>()?,
            otherwise: otherwise.as_deref().map(boxed).transpose()?,
        },
        ExprKind::Interval { expr, unit } => {
            ExprKind::Interval { expr: boxed(expr)?, unit: unit.clone() }
        }
        ExprKind::Function(function) if is_plain(function) => {
            let mut function = function.clone();
            let originals = match &unwrapped(expr).kind {
                ExprKind::Function(original) => &original.args,
                _ => return Ok(None),
            };
            function.args = originals.iter().map(map).collect::<Result<_, _>>()?;
            ExprKind::Function(function)
        }
        _ => return Ok(None),
    }))
}

/// A call with arguments and nothing else.
fn is_plain(function: &sql::ast::Function) -> bool {
    function.schema.is_none()
        && !function.is_star
        && !function.is_distinct
        && function.order_by.is_empty()
        && !function.is_windowed
        && function.is_complete
}
