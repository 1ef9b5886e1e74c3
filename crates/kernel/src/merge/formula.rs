//! Expressions on the columns of a group: HAVING, and what the select list makes of aggregates.

use eval::expression::{Context, EvalError, Expression, Row, Scope, Slot, Type, Unsupported};
use eval::{ColumnType, Decimal, Scalar, Value};
use sql::ast::{Expr, ExprKind};

use super::aggregate::RowShape;
use super::key::resolve_position;
use super::merger::MergeInput;
use super::number::{number_kind, write_number};
use super::row::{RowFormat, is_length_prefixed, read_string, write_string};
use super::temporal_text::{binary_of_text, text_of_binary};
use super::{Formula, RowMerge};
use crate::error::StatementError;

/// A formula of a result whose columns are known.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The column it gives; of no meaning for HAVING.
    pub(crate) target: usize,
    expression: Expression,
    /// The columns of its slots.
    columns: Vec<usize>,
    context: Context,
}

/// The encoded value of a column of the group; `None` is NULL.
pub(crate) type GroupColumns<'g> = dyn Fn(usize) -> Option<&'g [u8]> + 'g;

impl Compiled {
    /// The formulas of the columns, and that of HAVING.
    ///
    /// # Errors
    /// One of them cannot be computed for columns of these types.
    pub(crate) fn all(
        merge: &RowMerge,
        input: &MergeInput<'_>,
    ) -> Result<(Vec<Self>, Option<Self>), StatementError> {
        let mut arguments = input.values.arguments.as_slice();
        let hidden = merge.hidden.min(input.columns.len());
        let mut compile = |formula: &Formula| {
            let (own, rest) = arguments.split_at(formula.arguments.len().min(arguments.len()));
            arguments = rest;
            Self::compile(formula, own, input, hidden)
        };
        let mut computed = Vec::with_capacity(merge.computed.len());
        for (position, formula) in &merge.computed {
            let target = resolve_position(*position, input.columns, hidden)?;
            let compiled = Self { target, ..compile(formula)? };
            compiled.check_type(&input.columns[target])?;
            computed.push(compiled);
        }
        let having = merge.having.as_ref().map(compile).transpose()?;
        Ok((computed, having))
    }

    fn compile(
        formula: &Formula,
        arguments: &[Value<'static>],
        input: &MergeInput<'_>,
        hidden: usize,
    ) -> Result<Self, StatementError> {
        let mut columns = Vec::with_capacity(formula.slots.len());
        let mut types = Vec::with_capacity(formula.slots.len());
        for slot in &formula.slots {
            let column = resolve_position(slot.column, input.columns, hidden)?;
            let ty = Type::of_column(&input.columns[column], &slot.collation)
                .ok_or_else(|| refused(&Unsupported::new("a value of this type")))?;
            columns.push(column);
            types.push(ty);
        }
        let scope = Names { types: &types, arguments };
        let context = input.context.clone();
        let expression = eval::expression::compile(&formula.expr, &scope, &context)
            .map_err(|unsupported| refused(&unsupported))?;
        Ok(Self { target: 0, expression, columns, context })
    }

    /// The type of the column, as the nodes say it, must be that of the expression.
    fn check_type(&self, column: &ColumnType) -> Result<(), StatementError> {
        let own = self.expression.result_type();
        let collation = own.collation.as_ref().map_or("", |collation| &collation.name);
        let theirs = Type::of_column(column, collation);
        let is_same = theirs.is_some_and(|theirs| {
            theirs.kind == own.kind
                && theirs.is_unsigned == own.is_unsigned
                && (theirs.decimals == own.decimals || own.collation.is_some())
        });
        if is_same || own.kind == eval::expression::Kind::Null {
            return Ok(());
        }
        Err(refused(&Unsupported::new("an expression on aggregates whose type is not certain")))
    }

    /// Appends the encoded value to `out`; `false` for NULL.
    ///
    /// # Errors
    /// The server's own, or that the value is not certain.
    pub(crate) fn write(
        &self,
        shape: RowShape<'_>,
        group: &GroupColumns<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, StatementError> {
        let column = &shape.columns[self.target];
        let row = GroupRow { columns: &self.columns, shape, group };
        let (value, warnings) =
            self.expression.evaluate_counting(&row, &self.context).map_err(failed)?;
        check_silent(warnings)?;
        let number = match value {
            Value::Null => return Ok(false),
            Value::Int(value) => Scalar::Int(value),
            Value::UInt(value) => Scalar::from_u64(value),
            Value::Double(value) => Scalar::Double(value),
            Value::Decimal(text) => match Decimal::parse(text.as_bytes()) {
                Some(decimal) => Scalar::Decimal(decimal),
                None => return Err(refused(&Unsupported::new("a decimal of so many digits"))),
            },
            Value::Bytes(text) => {
                if shape.format == RowFormat::Binary && !is_length_prefixed(column.type_code) {
                    let binary = binary_of_text(column.type_code, &text)
                        .ok_or_else(|| refused(&Unsupported::new("a value of this type")))?;
                    out.extend_from_slice(&binary);
                } else {
                    write_string(&text, out);
                }
                return Ok(true);
            }
        };
        number_kind(column)?;
        write_number(number, column, shape.format, out);
        Ok(true)
    }

    /// Whether it is true of the group.
    ///
    /// # Errors
    /// The server's own, or that the value is not certain.
    pub(crate) fn holds(
        &self,
        shape: RowShape<'_>,
        group: &GroupColumns<'_>,
    ) -> Result<bool, StatementError> {
        let row = GroupRow { columns: &self.columns, shape, group };
        let (holds, warnings) = self.expression.holds(&row, &self.context).map_err(failed)?;
        check_silent(warnings)?;
        Ok(holds)
    }
}

/// What names mean: columns are slots, by their number.
struct Names<'a> {
    types: &'a [Type],
    arguments: &'a [Value<'static>],
}

impl Scope for Names<'_> {
    fn resolve(&self, expr: &Expr) -> Option<Slot> {
        let ExprKind::Column(column) = &expr.kind else { return None };
        let index: usize = column.name.value.parse().ok()?;
        Some(Slot { index, ty: self.types.get(index)?.clone() })
    }

    fn parameter(&self, index: u32) -> Option<Value<'_>> {
        self.arguments.get(index as usize).cloned()
    }
}

/// Whether an expression can be computed for slots of these types: with arguments of some type, and
/// without a warning for each row with those whose type is `known`.
///
/// # Errors
/// It cannot.
pub(crate) fn check(
    expr: &Expr,
    types: &[Type],
    samples: &[Value<'static>],
    known: &[Value<'static>],
) -> Result<(), Unsupported> {
    let compile = |arguments| {
        let scope = Names { types, arguments };
        eval::expression::compile(expr, &scope, &Context::default())
    };
    compile(samples)?;
    match compile(known).is_ok_and(|expression| expression.reads_texts_as_numbers()) {
        true => Err(Unsupported::new("a text that is read as a number")),
        false => Ok(()),
    }
}

/// How often a server warns depends on the way it goes: what would warn is not computed here.
fn check_silent(warnings: u32) -> Result<(), StatementError> {
    match warnings {
        0 => Ok(()),
        _ => Err(refused(&Unsupported::new("a value that a server warns of"))),
    }
}

/// The columns of a group as values.
struct GroupRow<'a, 'g> {
    columns: &'a [usize],
    shape: RowShape<'a>,
    group: &'a GroupColumns<'g>,
}

impl Row for GroupRow<'_, '_> {
    fn value(&self, slot: usize) -> Value<'_> {
        let Some(&column) = self.columns.get(slot) else { return Value::Null };
        let Some(encoded) = (self.group)(column) else { return Value::Null };
        let ty = &self.shape.columns[column];
        if self.shape.format == RowFormat::Text || is_length_prefixed(ty.type_code) {
            return Value::Bytes(read_string(encoded).into());
        }
        match number_kind(ty)
            .ok()
            .and_then(|kind| Scalar::from_binary(kind, ty.is_unsigned, encoded))
        {
            Some(Scalar::Int(value)) if ty.is_unsigned => Value::UInt(value.cast_unsigned()),
            Some(Scalar::Int(value)) => Value::Int(value),
            Some(Scalar::UInt(value)) => Value::UInt(value),
            Some(Scalar::Double(value)) => Value::Double(value),
            Some(Scalar::Decimal(_)) | None => {
                text_of_binary(ty, encoded).map_or(Value::Null, |text| Value::Bytes(text.into()))
            }
        }
    }
}

fn refused(unsupported: &Unsupported) -> StatementError {
    StatementError::unsupported(format!(
        "This statement over several storage units is not supported: {unsupported}"
    ))
}

fn failed(error: EvalError) -> StatementError {
    match error {
        EvalError::Server { code, state, message } => {
            StatementError::new(code, state, message.into_owned())
        }
        EvalError::Unsupported(unsupported) => refused(&unsupported),
    }
}
