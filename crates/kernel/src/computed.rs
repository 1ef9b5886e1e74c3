//! Values that are computed from literals and parameters when a statement runs.

use eval::Value;
use eval::expression::{Context, Flavour, Scope, Slot, fold};
use sql::ast::Expr;

use crate::predicate::{ValueRef, ValueSource};

/// An expression without columns. Its open literals are parameters of the expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// The expression.
    pub expr: Expr,
    /// What its parameters stand for.
    pub arguments: Vec<ValueRef>,
}

impl Computed {
    /// The value. Where it is not certain what a server would compute, a number that is none: it
    /// narrows nothing, and cannot be stored.
    pub fn evaluate<V: ValueSource + ?Sized>(&self, values: &V) -> Value<'static> {
        let arguments = self.arguments.iter().map(|argument| values.value(argument)).collect();
        let is_text = |value: &Value<'_>| matches!(value, Value::Bytes(text) if !text.is_ascii());
        let arguments: Vec<Value<'_>> = arguments;
        if !values.is_utf8() && arguments.iter().any(is_text) {
            return UNCERTAIN;
        }
        self.compute(&arguments).unwrap_or(UNCERTAIN)
    }

    /// The value that servers of both kinds agree on.
    pub fn compute(&self, arguments: &[Value<'_>]) -> Option<Value<'static>> {
        let scope = Arguments(arguments);
        let of = |flavour| fold(&self.expr, &scope, &Context { flavour, ..Context::default() });
        let value = of(Flavour::MySql)?;
        (of(Flavour::MariaDb).as_ref() == Some(&value)).then_some(value)
    }
}

const UNCERTAIN: Value<'static> = Value::Double(f64::NAN);

struct Arguments<'a>(&'a [Value<'a>]);

impl Scope for Arguments<'_> {
    fn resolve(&self, _expr: &Expr) -> Option<Slot> {
        None
    }

    fn parameter(&self, index: u32) -> Option<Value<'_>> {
        self.0.get(index as usize).map(|value| value.clone())
    }
}
