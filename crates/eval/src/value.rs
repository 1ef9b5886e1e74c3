//! One SQL value.

use std::borrow::Cow;

/// A value as the proxy computes with it. Strings are bytes in the connection's character set;
/// what they mean to a comparison, its [`crate`] collation says.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer, used where the value does not fit `Int` or the type is unsigned.
    UInt(u64),
    /// An exact decimal in its text form, e.g. `-12.50`: sign, digits, at most one point.
    Decimal(Cow<'a, str>),
    /// An approximate number.
    Double(f64),
    /// A character or binary string; also temporal values in their text form.
    Bytes(Cow<'a, [u8]>),
}

impl Value<'_> {
    /// The same value without borrowed parts.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Int(v) => Value::Int(v),
            Value::UInt(v) => Value::UInt(v),
            Value::Decimal(v) => Value::Decimal(Cow::Owned(v.into_owned())),
            Value::Double(v) => Value::Double(v),
            Value::Bytes(v) => Value::Bytes(Cow::Owned(v.into_owned())),
        }
    }
}
