//! What a statement says about columns, with its values still open.

use std::borrow::Cow;
use std::sync::Arc;

use eval::Value;

use crate::computed::Computed;

use crate::keys::KeyText;

/// A value that routing needs: known now, or a literal or parameter known when the statement runs.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueRef {
    /// Known from the plan's text (its literal is part of the fingerprint, or it is computed).
    Const(Value<'static>),
    /// The literal at this position of the fingerprint's list. `negated` when a minus sign stands
    /// before it.
    Literal { index: u16, negated: bool },
    /// The parameter at this position.
    Param(u16),
    /// The generated key of this column (of [`crate::plan::Plan::keys`]) and row of an INSERT; where
    /// none was generated, the value that the row has.
    Key { column: u16, row: u32, given: Option<Box<ValueRef>> },
    /// What is computed from literals and parameters.
    Computed(Arc<Computed>),
}

/// Gives the values of one execution.
pub trait ValueSource {
    /// The value, borrowed from the statement's text or packet where possible. A string literal is
    /// unescaped.
    fn value<'v>(&'v self, value: &'v ValueRef) -> Value<'v>;

    /// True where strings are UTF-8 (or ASCII); false for a connection with another character set,
    /// whose strings beyond ASCII cannot be placed.
    fn is_utf8(&self) -> bool {
        true
    }

    /// What is written where a row of an INSERT has a generated key.
    fn key(&self, _column: u16, _row: u32) -> KeyText<'_> {
        KeyText::Written
    }
}

/// The value that a row has itself, where no key was generated for it.
pub fn given<'v>(values: &'v dyn ValueSource, given: &'v Option<Box<ValueRef>>) -> Value<'v> {
    given.as_ref().map_or(Value::Null, |given| values.value(given))
}

/// Values for statements that have neither open literals nor parameters.
pub struct NoValues;

impl ValueSource for NoValues {
    fn value<'v>(&'v self, value: &'v ValueRef) -> Value<'v> {
        match value {
            ValueRef::Const(value) => borrowed(value),
            ValueRef::Literal { .. } | ValueRef::Param(_) => Value::Null,
            ValueRef::Key { given: own, .. } => given(self, own),
            ValueRef::Computed(computed) => computed.evaluate(self),
        }
    }
}

/// The same value without a copy of its text.
pub fn borrowed<'v>(value: &'v Value<'static>) -> Value<'v> {
    match value {
        Value::Null => Value::Null,
        Value::Int(value) => Value::Int(*value),
        Value::UInt(value) => Value::UInt(*value),
        Value::Double(value) => Value::Double(*value),
        Value::Decimal(text) => Value::Decimal(Cow::Borrowed(text)),
        Value::Bytes(text) => Value::Bytes(Cow::Borrowed(text)),
    }
}

/// A condition on the columns of one table: what rows can match at most. Where a part of the WHERE
/// clause says nothing certain, it is [`Predicate::Any`]; rows are never lost by it.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// Nothing certain: any row may match.
    Any,
    /// No row can match.
    Never,
    /// All hold. Ranges on one column are already joined into one [`Predicate::Range`].
    And(Vec<Predicate>),
    /// At least one holds.
    Or(Vec<Predicate>),
    /// `column = value` (also `<=>` with a value that is not NULL).
    Equal { column: usize, value: ValueRef },
    /// `column IN (values)`.
    In { column: usize, values: Vec<ValueRef> },
    /// A range; an absent bound is open. The flag says whether the bound itself belongs to it.
    Range { column: usize, lower: Option<(ValueRef, bool)>, upper: Option<(ValueRef, bool)> },
    /// `column IS NULL` (also `<=> NULL`).
    IsNull { column: usize },
}
