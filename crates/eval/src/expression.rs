//! Expressions of the parser, evaluated as MySQL evaluates them: exactly, or refused.

mod arithmetic;
mod bits;
mod cast;
mod characters;
mod collate;
mod compare;
mod compile;
mod context;
mod control;
mod datum;
mod error;
mod functions;
mod like;
mod literal;
mod logic;
mod membership;
mod moment;
mod node;
mod numeral;
mod text_order;
mod types;

use std::cell::Cell;
use std::sync::Arc;

use sql::ast::Expr;

pub use context::{Context, Flavour};
pub use error::{EvalError, Unsupported};
pub use types::{Coercibility, Collation, Kind, Type};

use crate::{Decimal, Value};
use node::{Frame, Node};

/// What the names of an expression stand for.
pub trait Scope {
    /// Asked for each node of the tree, from the root down: where its value is in the row, if it is
    /// there, as that of a column or an aggregate is. What is below such a node is not looked at.
    fn resolve(&self, expr: &Expr) -> Option<Slot>;

    /// The value of a parameter, counted from 0.
    fn parameter(&self, _index: u32) -> Option<Value<'_>> {
        None
    }
}

/// A value of the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Its position, for [`Row::value`].
    pub index: usize,
    /// Its type.
    pub ty: Type,
}

/// Where the values of slots come from.
pub trait Row {
    /// The value of a slot. Its text will do for each type: [`Value::Bytes`] of what a text row has.
    fn value(&self, slot: usize) -> Value<'_>;
}

impl Row for [Value<'_>] {
    fn value(&self, slot: usize) -> Value<'_> {
        self.get(slot).cloned().unwrap_or(Value::Null)
    }
}

impl Row for Vec<Value<'_>> {
    fn value(&self, slot: usize) -> Value<'_> {
        self.as_slice().value(slot)
    }
}

/// For expressions without columns: no name stands for anything, a row has no values.
#[derive(Debug, Clone, Copy)]
pub struct NoColumns;

impl Scope for NoColumns {
    fn resolve(&self, _expr: &Expr) -> Option<Slot> {
        None
    }
}

/// The row of an expression without columns.
#[derive(Debug, Clone, Copy)]
pub struct NoRow;

impl Row for NoRow {
    fn value(&self, _slot: usize) -> Value<'_> {
        Value::Null
    }
}

/// An expression ready to be evaluated.
#[derive(Debug, Clone)]
pub struct Expression {
    root: Node,
}

/// Prepares an expression.
///
/// # Errors
/// [`Unsupported`] where the server's answer is not certain, whatever the values.
pub fn compile(
    expr: &Expr,
    scope: &dyn Scope,
    context: &Context,
) -> Result<Expression, Unsupported> {
    let root = compile::Compiler::new(scope, context).node(expr)?;
    Ok(Expression { root })
}

/// The value of an expression that needs no row. `None` where it needs one, where the answer is not
/// certain, and where the server answers with an error or a warning.
pub fn fold(expr: &Expr, scope: &dyn Scope, context: &Context) -> Option<Value<'static>> {
    let expression = compile(expr, scope, context).ok()?;
    if !expression.is_constant() {
        return None;
    }
    let frame = Frame { row: &NoRow, context, warnings: Cell::new(0) };
    let datum = expression.root.evaluate(&frame).ok()?;
    // What a server evaluates beside the value, it may warn of as well.
    expression.root.evaluate_all(&frame).ok()?;
    let value = datum.into_value(&expression.root.ty, context.flavour);
    (frame.warnings.get() == 0).then_some(value)
}

/// As [`fold`], where neither the server's kind nor the session's settings are known: the value that
/// they all give. Strings are not compared, as their collation is not known.
pub fn fold_anywhere(expr: &Expr, scope: &dyn Scope) -> Option<Value<'static>> {
    let mut settings = [Flavour::MySql, Flavour::MariaDb].into_iter().flat_map(|flavour| {
        [(4, false), (0, true)].map(|(division_increment, is_set)| Context {
            flavour,
            division_increment,
            no_unsigned_subtraction: is_set,
            no_backslash_escapes: is_set,
            collation: Arc::from("utf8mb4_any"),
            ..Context::default()
        })
    });
    let value = fold(expr, scope, &settings.next()?)?;
    let agrees = |context: Context| match (fold(expr, scope, &context), &value) {
        (Some(Value::Decimal(other)), Value::Decimal(value)) => {
            Decimal::parse(other.as_bytes()) == Decimal::parse(value.as_bytes())
        }
        (other, value) => other.as_ref() == Some(value),
    };
    settings.all(agrees).then_some(value)
}

impl Expression {
    /// The type of each value.
    pub fn result_type(&self) -> &Type {
        &self.root.ty
    }

    /// True where no part of it comes from a row.
    pub fn is_constant(&self) -> bool {
        self.root.is_constant()
    }

    /// The value for a row: decimals have the digits of the type, temporal values are text.
    ///
    /// # Errors
    /// The server's own, and [`EvalError::Unsupported`] where the answer for these values is not
    /// certain.
    pub fn evaluate(&self, row: &dyn Row, context: &Context) -> Result<Value<'static>, EvalError> {
        Ok(self.evaluate_counting(row, context)?.0)
    }

    /// As [`Self::evaluate`], with the number of warnings the server would have given.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn evaluate_counting(
        &self,
        row: &dyn Row,
        context: &Context,
    ) -> Result<(Value<'static>, u32), EvalError> {
        let frame = Frame { row, context, warnings: Cell::new(0) };
        let datum = self.root.evaluate(&frame)?;
        Ok((datum.into_value(&self.root.ty, context.flavour), frame.warnings.get()))
    }

    /// The value as a text row shows it; `None` is NULL.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn evaluate_text(
        &self,
        row: &dyn Row,
        context: &Context,
    ) -> Result<Option<Vec<u8>>, EvalError> {
        let frame = Frame { row, context, warnings: Cell::new(0) };
        Ok(self.root.evaluate(&frame)?.into_text(&self.root.ty, context.flavour))
    }

    /// True where the value is neither zero nor NULL, as WHERE and HAVING ask; with the number of
    /// warnings the server would have given.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn holds(&self, row: &dyn Row, context: &Context) -> Result<(bool, u32), EvalError> {
        let frame = Frame { row, context, warnings: Cell::new(0) };
        Ok((self.root.truth(&frame)? == Some(true), frame.warnings.get()))
    }

    /// True where texts seem to be read as numbers: most of them give a warning for each row.
    pub fn reads_texts_as_numbers(&self) -> bool {
        self.root.reads_texts_as_numbers()
    }
}

#[cfg(test)]
mod tests;
