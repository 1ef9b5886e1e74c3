//! A value while it is computed with, and its conversions.

use crate::expression::context::Flavour;
use crate::expression::error::EvalError;
use crate::expression::moment::{Moment, clock_number, write_time};
use crate::expression::numeral;
use crate::expression::types::{Kind, Type};
use crate::{Decimal, Value, write_double};

/// A value of an expression. Which form it has, the type of the expression says; NULL may stand for
/// any of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Datum {
    Null,
    Int(i64),
    UInt(u64),
    Decimal(Decimal),
    Double(f64),
    Text(Vec<u8>),
    /// DATE and DATETIME.
    Moment(Moment),
    /// TIME, in microseconds.
    Time(i64),
}

pub(crate) type Evaluated = Result<Datum, EvalError>;

impl Datum {
    pub(crate) fn truth(value: bool) -> Self {
        Self::Int(i64::from(value))
    }

    /// A truth value; `None` is UNKNOWN.
    pub(crate) fn of_truth(value: Option<bool>) -> Self {
        value.map_or(Self::Null, Self::truth)
    }

    /// An integer of the type, or error 1690.
    pub(crate) fn integer(value: i128, is_unsigned: bool) -> Evaluated {
        if is_unsigned {
            u64::try_from(value)
                .map(Self::UInt)
                .map_err(|_| EvalError::out_of_range("BIGINT UNSIGNED"))
        } else {
            i64::try_from(value).map(Self::Int).map_err(|_| EvalError::out_of_range("BIGINT"))
        }
    }

    /// A finite double, or error 1690.
    pub(crate) fn double(value: f64) -> Evaluated {
        match value.is_finite() {
            true => Ok(Self::Double(value)),
            false => Err(EvalError::out_of_range("DOUBLE")),
        }
    }

    /// A decimal that can be shown.
    pub(crate) fn decimal(value: Option<Decimal>) -> Evaluated {
        value
            .filter(Decimal::is_showable)
            .map(Self::Decimal)
            .ok_or_else(|| EvalError::unsupported("a decimal of so many digits"))
    }

    /// Reads a value of a row as one of this type.
    pub(crate) fn of_value(value: &Value<'_>, ty: &Type) -> Evaluated {
        let unreadable = || EvalError::unsupported("a value that is not of its column's type");
        let read = match (value, ty.kind) {
            (Value::Null, _) => Some(Self::Null),
            (Value::Int(value), Kind::Integer) if ty.is_unsigned => {
                u64::try_from(*value).ok().map(Self::UInt)
            }
            (Value::Int(value), Kind::Integer) => Some(Self::Int(*value)),
            (Value::UInt(value), Kind::Integer) if ty.is_unsigned => Some(Self::UInt(*value)),
            (Value::UInt(value), Kind::Integer) => i64::try_from(*value).ok().map(Self::Int),
            (Value::Double(value), Kind::Double) => Some(Self::Double(*value)),
            (Value::Decimal(text), Kind::Decimal) => {
                Decimal::parse(text.as_bytes()).map(Self::Decimal)
            }
            (Value::Decimal(text), _) => Self::of_text(text.as_bytes(), ty),
            (Value::Bytes(text), _) => Self::of_text(text, ty),
            (Value::Int(value), Kind::Decimal) => Some(Self::Decimal(Decimal::from(*value))),
            (Value::UInt(value), Kind::Decimal) => Some(Self::Decimal(Decimal::from(*value))),
            (Value::Int(value), Kind::Double) => Some(Self::Double(*value as f64)),
            _ => None,
        };
        read.ok_or_else(unreadable)
    }

    fn of_text(text: &[u8], ty: &Type) -> Option<Self> {
        match ty.kind {
            Kind::Null => None,
            Kind::Integer => {
                let value: i128 = std::str::from_utf8(text).ok()?.parse().ok()?;
                Self::integer(value, ty.is_unsigned).ok()
            }
            Kind::Decimal => Decimal::parse(text).map(Self::Decimal),
            Kind::Double => {
                let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
                Self::double(value).ok()
            }
            Kind::Text => Some(Self::Text(text.to_vec())),
            Kind::Date | Kind::DateTime => Moment::parse(text).map(Self::Moment),
            Kind::Time => crate::expression::moment::parse_time(text).map(Self::Time),
        }
    }

    /// The value as the proxy's other rooms have it: decimals with the digits of the type, temporal
    /// values as text.
    pub(crate) fn into_value(self, ty: &Type, flavour: Flavour) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Int(value) => Value::Int(value),
            Self::UInt(value) => Value::UInt(value),
            Self::Double(value) => Value::Double(value),
            Self::Decimal(value) => {
                Value::Decimal(shown_decimal(value, ty, flavour).to_string().into())
            }
            Self::Text(text) => Value::Bytes(text.into()),
            Self::Moment(_) | Self::Time(_) => {
                Value::Bytes(self.into_text(ty, flavour).unwrap_or_default().into())
            }
        }
    }

    /// Great and small doubles are written with an exponent as part of a string, and without it as
    /// a value of their own.
    pub(crate) fn check_text(&self) -> Result<(), EvalError> {
        match self {
            Self::Double(value) if *value != 0.0 && !(1e-4..1e14).contains(&value.abs()) => {
                Err(EvalError::unsupported("the text of so great or small a double"))
            }
            _ => Ok(()),
        }
    }

    /// The text of the value as a result shows it; `None` of NULL.
    pub(crate) fn into_text(self, ty: &Type, flavour: Flavour) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        match self {
            Self::Null => return None,
            Self::Int(value) => return Some(value.to_string().into_bytes()),
            Self::UInt(value) => return Some(value.to_string().into_bytes()),
            Self::Decimal(value) => shown_decimal(value, ty, flavour).write(&mut out),
            Self::Double(value) => write_double(value, ty.decimals, &mut out),
            Self::Text(text) => return Some(text),
            Self::Moment(moment) if ty.kind == Kind::Date => moment.write_date(&mut out),
            Self::Moment(moment) => moment.write(ty.decimals, &mut out),
            Self::Time(micros) => write_time(micros, ty.decimals, &mut out),
        }
        Some(out)
    }

    /// The value as a double; `None` of NULL.
    pub(crate) fn to_double(&self, ty: &Type) -> Option<numeral::Read<f64>> {
        let exact = numeral::Read::exact;
        Some(match self {
            Self::Null => return None,
            Self::Int(value) => exact(*value as f64),
            Self::UInt(value) => exact(*value as f64),
            Self::Double(value) => exact(*value),
            Self::Decimal(value) => exact(value.to_string().parse().unwrap_or(f64::NAN)),
            Self::Text(text) => numeral::double(text),
            Self::Moment(_) | Self::Time(_) => {
                exact(self.temporal_decimal(ty)?.to_string().parse().unwrap_or(f64::NAN))
            }
        })
    }

    /// The value as a decimal; `None` of NULL, and `Some(None)` where it has too many digits.
    pub(crate) fn to_decimal(&self, ty: &Type) -> Option<Option<numeral::Read<Decimal>>> {
        let exact = |value| Some(numeral::Read::exact(value));
        Some(match self {
            Self::Null => return None,
            Self::Int(value) => exact(Decimal::from(*value)),
            Self::UInt(value) => exact(Decimal::from(*value)),
            Self::Double(value) => Decimal::from_double(*value).map(numeral::Read::exact),
            Self::Decimal(value) => exact(*value),
            Self::Text(text) => numeral::decimal(text),
            Self::Moment(_) | Self::Time(_) => self.temporal_decimal(ty).map(numeral::Read::exact),
        })
    }

    /// 20240506070809.120000 of a moment.
    fn temporal_decimal(&self, ty: &Type) -> Option<Decimal> {
        let (number, micros, is_negative) = match self {
            Self::Moment(moment) if ty.kind == Kind::Date => (moment.date_number(), 0, false),
            Self::Moment(moment) => (moment.number(), moment.micros % 1_000_000, false),
            Self::Time(micros) => (clock_number(*micros), micros.abs() % 1_000_000, *micros < 0),
            _ => return None,
        };
        let sign = if is_negative { "-" } else { "" };
        let decimal = Decimal::parse(format!("{sign}{number}.{micros:06}").as_bytes())?;
        Some(decimal.round(ty.decimals))
    }
}

/// A decimal with the digits that are shown: those of the type in MariaDB, its own in MySQL.
fn shown_decimal(value: Decimal, ty: &Type, flavour: Flavour) -> Decimal {
    match flavour {
        Flavour::MariaDb => value.round(ty.decimals),
        Flavour::MySql => value,
    }
}
