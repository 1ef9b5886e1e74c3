//! An expression ready to be evaluated.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use super::context::{Context, Flavour};
use super::datum::{Datum, Evaluated};
use super::error::EvalError;
use super::moment::{self, Moment};
use super::numeral::{self, Read};
use super::types::{Kind, Type};
use super::{Row, Unsupported};
use crate::Decimal;
use crate::decimal::Rounding;

/// What one evaluation works with.
pub(crate) struct Frame<'a> {
    pub(crate) row: &'a dyn Row,
    pub(crate) context: &'a Context,
    /// Warnings the server would have counted.
    pub(crate) warnings: Cell<u32>,
}

/// Computes the value of a node from its operands.
pub(crate) type Step = Arc<dyn Fn(&Frame<'_>, &[Node]) -> Evaluated + Send + Sync>;

/// A node of the tree: its type and where its value comes from.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) ty: Type,
    pub(crate) kind: NodeKind,
}

/// Where a value comes from.
#[derive(Clone)]
pub(crate) enum NodeKind {
    /// Nowhere: it is the same in each row.
    Constant(Datum),
    /// The row.
    Slot(usize),
    /// Other nodes.
    Call { operands: Vec<Node>, step: Step },
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            NodeKind::Constant(datum) => write!(f, "{datum:?}"),
            NodeKind::Slot(slot) => write!(f, "slot {slot}"),
            NodeKind::Call { operands, .. } => {
                f.debug_list().entries(operands).finish()?;
                write!(f, ": {:?}", self.ty.kind)
            }
        }
    }
}

impl Node {
    pub(crate) fn constant(datum: Datum, ty: Type) -> Self {
        Self { ty, kind: NodeKind::Constant(datum) }
    }

    pub(crate) fn call(
        ty: Type,
        operands: Vec<Node>,
        step: impl Fn(&Frame<'_>, &[Node]) -> Evaluated + Send + Sync + 'static,
    ) -> Self {
        Self { ty, kind: NodeKind::Call { operands, step: Arc::new(step) } }
    }

    pub(crate) fn evaluate(&self, frame: &Frame<'_>) -> Evaluated {
        match &self.kind {
            NodeKind::Constant(datum) => Ok(datum.clone()),
            NodeKind::Slot(slot) => Datum::of_value(&frame.row.value(*slot), &self.ty),
            NodeKind::Call { operands, step } => step(frame, operands),
        }
    }

    /// Evaluates all that is below, needed or not.
    pub(crate) fn evaluate_all(&self, frame: &Frame<'_>) -> Result<(), EvalError> {
        if let NodeKind::Call { operands, .. } = &self.kind {
            for operand in operands {
                operand.evaluate_all(frame)?;
            }
            self.evaluate(frame)?;
        }
        Ok(())
    }

    /// The same value in each row: no part of it comes from one.
    pub(crate) fn is_constant(&self) -> bool {
        match &self.kind {
            NodeKind::Constant(_) => true,
            NodeKind::Slot(_) => false,
            NodeKind::Call { operands, .. } => operands.iter().all(Self::is_constant),
        }
    }

    /// Some part of it is a number made of a text beside other values. Constants do not count: whether
    /// they are numbers throughout is seen when they are read.
    pub(crate) fn reads_texts_as_numbers(&self) -> bool {
        let NodeKind::Call { operands, .. } = &self.kind else { return false };
        let is_number = |ty: &Type| matches!(ty.kind, Kind::Integer | Kind::Decimal | Kind::Double);
        let is_read = |node: &Self| node.ty.kind == Kind::Text && !node.is_constant();
        let is_mixed = operands.iter().any(is_read) && operands.iter().any(|o| is_number(&o.ty));
        is_mixed && is_number(&self.ty) || operands.iter().any(Self::reads_texts_as_numbers)
    }

    /// A literal, not something computed.
    pub(crate) fn literal(&self) -> Option<&Datum> {
        match &self.kind {
            NodeKind::Constant(datum) => Some(datum),
            _ => None,
        }
    }

    /// True, false or UNKNOWN.
    pub(crate) fn truth(&self, frame: &Frame<'_>) -> Result<Option<bool>, EvalError> {
        Ok(match self.evaluate(frame)? {
            Datum::Null => None,
            Datum::Int(value) => Some(value != 0),
            Datum::UInt(value) => Some(value != 0),
            Datum::Decimal(value) => Some(!value.is_zero()),
            Datum::Double(value) => Some(value != 0.0),
            Datum::Text(text) => Some(frame.read(numeral::double(&text)) != 0.0),
            Datum::Moment(_) | Datum::Time(_) => {
                return Err(EvalError::unsupported("a date or time as a condition"));
            }
        })
    }

    pub(crate) fn double(&self, frame: &Frame<'_>) -> Result<Option<f64>, EvalError> {
        let datum = self.evaluate(frame)?;
        Ok(datum.to_double(&self.ty).map(|read| frame.read(read)))
    }

    pub(crate) fn decimal(&self, frame: &Frame<'_>) -> Result<Option<Decimal>, EvalError> {
        let too_long = || EvalError::unsupported("a decimal of so many digits");
        match self.evaluate(frame)?.to_decimal(&self.ty) {
            None => Ok(None),
            Some(read) => Ok(Some(frame.read(read.ok_or_else(too_long)?))),
        }
    }

    /// The value as a whole number: decimals are rounded, doubles to the nearest even one, strings
    /// end where their digits do.
    pub(crate) fn integer(&self, frame: &Frame<'_>) -> Result<Option<i128>, EvalError> {
        let out_of_range = || EvalError::unsupported("a number beyond the range of BIGINT");
        let datum = self.evaluate(frame)?;
        let value = match &datum {
            Datum::Null => return Ok(None),
            Datum::Int(value) => i128::from(*value),
            Datum::UInt(value) => i128::from(*value),
            Datum::Double(value) if value.abs() < 9.2e18 => value.round_ties_even() as i128,
            Datum::Double(_) => return Err(out_of_range()),
            Datum::Text(text) => {
                let read = numeral::integer(text).ok_or_else(out_of_range)?;
                if !read.is_whole && text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
                    return Err(EvalError::unsupported("a fraction in a string as an integer"));
                }
                frame.read(read)
            }
            Datum::Decimal(value) => value.to_integer(Rounding::HalfUp).ok_or_else(out_of_range)?,
            Datum::Moment(_) | Datum::Time(_) => {
                let decimal = datum.to_decimal(&self.ty).flatten().ok_or_else(out_of_range)?;
                decimal.value.to_integer(Rounding::HalfUp).ok_or_else(out_of_range)?
            }
        };
        let fits = value >= i128::from(i64::MIN) && value <= i128::from(u64::MAX);
        fits.then_some(Some(value)).ok_or_else(out_of_range)
    }

    /// The value as its text.
    pub(crate) fn text(&self, frame: &Frame<'_>) -> Result<Option<Vec<u8>>, EvalError> {
        let datum = self.evaluate(frame)?;
        datum.check_text()?;
        Ok(datum.into_text(&self.ty, frame.context.flavour))
    }

    /// The value as a date with a time of day; strings that are none are NULL with a warning.
    pub(crate) fn moment(&self, frame: &Frame<'_>) -> Result<Option<Moment>, EvalError> {
        match self.evaluate(frame)? {
            Datum::Null => Ok(None),
            Datum::Moment(moment) => Ok(Some(moment)),
            Datum::Text(text) => match Moment::parse(&text) {
                Some(moment) => Ok(Some(moment)),
                None if text.first().is_some_and(u8::is_ascii_alphabetic) => {
                    frame.warn();
                    Ok(None)
                }
                None => Err(EvalError::unsupported("a date in an unusual form")),
            },
            Datum::Time(_) => Err(EvalError::unsupported("a time as a date")),
            _ => Err(EvalError::unsupported("a number as a date")),
        }
    }

    /// The value as a TIME.
    pub(crate) fn time(&self, frame: &Frame<'_>) -> Result<Option<i64>, EvalError> {
        match self.evaluate(frame)? {
            Datum::Null => Ok(None),
            Datum::Time(micros) => Ok(Some(micros)),
            Datum::Moment(moment) if self.ty.kind == Kind::DateTime => Ok(Some(moment.micros)),
            Datum::Text(text) => match moment::parse_time(&text) {
                Some(micros) => Ok(Some(micros)),
                None => Err(EvalError::unsupported("a time in an unusual form")),
            },
            _ => Err(EvalError::unsupported("this value as a time")),
        }
    }
}

impl Frame<'_> {
    pub(crate) fn warn(&self) {
        self.warnings.set(self.warnings.get().saturating_add(1));
    }

    /// A finite double, or error 1690. MariaDB has no negative zero.
    pub(crate) fn finite(&self, value: f64) -> Evaluated {
        let is_plain_zero = value == 0.0 && self.context.flavour == Flavour::MariaDb;
        Datum::double(if is_plain_zero { 0.0 } else { value })
    }

    /// A decimal with the digits of its type: MySQL fills them up at once, MariaDB where they are
    /// shown.
    pub(crate) fn scaled(&self, value: Option<Decimal>, scale: u8) -> Evaluated {
        match self.context.flavour {
            Flavour::MySql => Datum::decimal(value.map(|value| value.round(scale))),
            Flavour::MariaDb => Datum::decimal(value),
        }
    }

    /// The number, with the warning of one that something follows.
    pub(crate) fn read<T>(&self, read: Read<T>) -> T {
        if !read.is_whole {
            self.warn();
        }
        read.value
    }
}

/// Two operands; `None` where one is NULL. The second one is read in any case, as it may have
/// warnings; whether its error counts beside a NULL is not certain.
pub(crate) fn both<T>(
    left: &Node,
    right: &Node,
    read: impl Fn(&Node) -> Result<Option<T>, EvalError>,
) -> Result<Option<(T, T)>, EvalError> {
    let Some(left) = read(left)? else {
        return match read(right) {
            Ok(_) => Ok(None),
            Err(_) => Err(EvalError::unsupported("an error beside NULL")),
        };
    };
    Ok(read(right)?.map(|right| (left, right)))
}

/// Refuses values that mean something else in other places.
pub(crate) fn refuse(what: impl Into<std::borrow::Cow<'static, str>>) -> Unsupported {
    Unsupported::new(what)
}
