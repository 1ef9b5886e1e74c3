//! The methods and functions that an expression may call.

use super::value::Value;

/// A method of a number or a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Abs,
    Contains,
    Div,
    Drop,
    EndsWith,
    HashCode,
    IndexOf,
    IntDiv,
    IntValue,
    IsEmpty,
    LastIndexOf,
    Length,
    LongValue,
    Minus,
    Mod,
    Multiply,
    PadLeft,
    PadRight,
    Plus,
    Replace,
    Reverse,
    Size,
    Split,
    StartsWith,
    Substring,
    Take,
    ToBigInteger,
    ToInteger,
    ToLong,
    ToLowerCase,
    ToString,
    ToUpperCase,
    Trim,
}

/// Name, least and greatest number of arguments.
const METHODS: &[(&str, Method, usize, usize)] = &[
    ("abs", Method::Abs, 0, 0),
    ("contains", Method::Contains, 1, 1),
    ("div", Method::Div, 1, 1),
    ("drop", Method::Drop, 1, 1),
    ("endsWith", Method::EndsWith, 1, 1),
    ("hashCode", Method::HashCode, 0, 0),
    ("indexOf", Method::IndexOf, 1, 1),
    ("intValue", Method::IntValue, 0, 0),
    ("intdiv", Method::IntDiv, 1, 1),
    ("isEmpty", Method::IsEmpty, 0, 0),
    ("lastIndexOf", Method::LastIndexOf, 1, 1),
    ("length", Method::Length, 0, 0),
    ("longValue", Method::LongValue, 0, 0),
    ("minus", Method::Minus, 1, 1),
    ("mod", Method::Mod, 1, 1),
    ("multiply", Method::Multiply, 1, 1),
    ("padLeft", Method::PadLeft, 1, 2),
    ("padRight", Method::PadRight, 1, 2),
    ("plus", Method::Plus, 1, 1),
    ("replace", Method::Replace, 2, 2),
    ("reverse", Method::Reverse, 0, 0),
    ("size", Method::Size, 0, 0),
    ("split", Method::Split, 1, 1),
    ("startsWith", Method::StartsWith, 1, 1),
    ("substring", Method::Substring, 1, 2),
    ("take", Method::Take, 1, 1),
    ("toBigInteger", Method::ToBigInteger, 0, 0),
    ("toInteger", Method::ToInteger, 0, 0),
    ("toLong", Method::ToLong, 0, 0),
    ("toLowerCase", Method::ToLowerCase, 0, 0),
    ("toString", Method::ToString, 0, 0),
    ("toUpperCase", Method::ToUpperCase, 0, 0),
    ("trim", Method::Trim, 0, 0),
];

impl Method {
    /// A method by its name.
    pub(super) fn find(name: &str, arguments: usize) -> Result<Self, String> {
        let entry = METHODS.iter().find(|entry| entry.0 == name).ok_or_else(|| {
            let known = METHODS.iter().map(|entry| entry.0).collect::<Vec<_>>().join(", ");
            format!("the method `{name}` is not supported in an expression; known are: {known}")
        })?;
        if (entry.2..=entry.3).contains(&arguments) {
            Ok(entry.1)
        } else {
            Err(format!("`{name}` with {arguments} arguments is not supported in an expression"))
        }
    }

    pub(super) fn name(self) -> &'static str {
        METHODS.iter().find(|entry| entry.1 == self).map_or("?", |entry| entry.0)
    }
}

/// A function of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    FloorMod,
    Format,
    HashCode,
    Max,
    Min,
    ToInt,
    ToLong,
    ToText,
}

/// Class, name, number of arguments (at least, for `format`).
const FUNCTIONS: &[(&str, &str, usize, Function)] = &[
    ("Integer", "parseInt", 1, Function::ToInt),
    ("Integer", "toString", 1, Function::ToText),
    ("Integer", "valueOf", 1, Function::ToInt),
    ("Long", "parseLong", 1, Function::ToLong),
    ("Long", "toString", 1, Function::ToText),
    ("Long", "valueOf", 1, Function::ToLong),
    ("Math", "abs", 1, Function::Abs),
    ("Math", "floorMod", 2, Function::FloorMod),
    ("Math", "max", 2, Function::Max),
    ("Math", "min", 2, Function::Min),
    ("Objects", "hashCode", 1, Function::HashCode),
    ("String", "format", 2, Function::Format),
    ("String", "valueOf", 1, Function::ToText),
];

impl Function {
    /// A function by its class and name.
    pub(super) fn find(class: &str, name: &str, arguments: usize) -> Result<Self, String> {
        let entry =
            FUNCTIONS.iter().find(|entry| (entry.0, entry.1, entry.2) == (class, name, arguments));
        entry.map(|entry| entry.3).ok_or_else(|| {
            format!("`{class}.{name}` with {arguments} arguments is not supported in an expression")
        })
    }
}

/// `Integer.MAX_VALUE` and the like.
pub(super) fn constant(class: &str, name: &str) -> Option<Value> {
    Some(match (class, name) {
        ("Integer", "MAX_VALUE") => Value::Int(i32::MAX),
        ("Integer", "MIN_VALUE") => Value::Int(i32::MIN),
        ("Long", "MAX_VALUE") => Value::Long(i64::MAX),
        ("Long", "MIN_VALUE") => Value::Long(i64::MIN),
        _ => return None,
    })
}
