//! What kind of values an expression has, as far as their order depends on it.

use sql::ast::{BinaryOp, Expr, ExprKind, Function, Literal, UnaryOp};

use super::subject::Subject;
use crate::bind::value::unwrapped;
use crate::model::ColumnMetadata;

/// Kinds of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeyType {
    /// The same value in all rows.
    Constant,
    /// Numbers, all digits of which are sent.
    Number,
    /// FLOAT: fewer digits are sent than are compared.
    Float,
    /// DATE, DATETIME, TIME.
    Temporal,
    /// TIMESTAMP: sent in local time, compared in universal time.
    Timestamp,
    /// Byte strings.
    Binary,
    /// Character strings. `max_length` in characters where it is declared.
    Character { collation: String, max_length: Option<usize> },
    /// ENUM and SET: compared by number.
    Enum,
    /// BIT.
    Bit,
    /// Cannot be told.
    Unknown,
}

/// Functions whose result is a number.
const NUMERIC_FUNCTIONS: &[&str] = &[
    "ABS",
    "ACOS",
    "ASCII",
    "ASIN",
    "ATAN",
    "ATAN2",
    "AVG",
    "BIT_AND",
    "BIT_COUNT",
    "BIT_LENGTH",
    "BIT_OR",
    "BIT_XOR",
    "CEIL",
    "CEILING",
    "CHARACTER_LENGTH",
    "CHAR_LENGTH",
    "COS",
    "COT",
    "COUNT",
    "CRC32",
    "DATEDIFF",
    "DAY",
    "DAYOFMONTH",
    "DAYOFWEEK",
    "DAYOFYEAR",
    "DEGREES",
    "EXP",
    "EXTRACT",
    "FIELD",
    "FIND_IN_SET",
    "FLOOR",
    "HOUR",
    "INSTR",
    "ISNULL",
    "LENGTH",
    "LN",
    "LOCATE",
    "LOG",
    "LOG10",
    "LOG2",
    "MICROSECOND",
    "MINUTE",
    "MOD",
    "MONTH",
    "OCTET_LENGTH",
    "ORD",
    "PERIOD_DIFF",
    "PI",
    "POSITION",
    "POW",
    "POWER",
    "QUARTER",
    "RADIANS",
    "ROUND",
    "SECOND",
    "SIGN",
    "SIN",
    "SQRT",
    "STD",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "STRCMP",
    "SUM",
    "TAN",
    "TIME_TO_SEC",
    "TO_DAYS",
    "TO_SECONDS",
    "TRUNCATE",
    "UNIX_TIMESTAMP",
    "VARIANCE",
    "VAR_POP",
    "VAR_SAMP",
    "WEEK",
    "WEEKDAY",
    "WEEKOFYEAR",
    "YEAR",
    "YEARWEEK",
];
/// Functions whose result is a date, a time or both.
const TEMPORAL_FUNCTIONS: &[&str] =
    &["DATE", "FROM_DAYS", "LAST_DAY", "MAKEDATE", "MAKETIME", "SEC_TO_TIME"];
/// Functions of a string whose result has its collation.
const STRING_FUNCTIONS: &[&str] = &[
    "LCASE",
    "LEFT",
    "LOWER",
    "LTRIM",
    "MID",
    "REVERSE",
    "RIGHT",
    "RTRIM",
    "SUBSTR",
    "SUBSTRING",
    "TRIM",
    "UCASE",
    "UPPER",
];
/// Functions whose result is one of their arguments, from this one on.
const CHOICE_FUNCTIONS: &[(&str, usize)] =
    &[("COALESCE", 0), ("GREATEST", 0), ("IF", 1), ("IFNULL", 0), ("LEAST", 0)];

/// The kind of a column's values.
pub(super) fn of_column(column: &ColumnMetadata) -> KeyType {
    match column.data_type.as_str() {
        "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint" | "year"
        | "decimal" | "numeric" | "double" | "real" => KeyType::Number,
        "float" => KeyType::Float,
        "date" | "datetime" | "time" => KeyType::Temporal,
        "timestamp" => KeyType::Timestamp,
        "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" => KeyType::Binary,
        "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" => {
            let declared = column.column_type.split_once('(').and_then(|(_, rest)| {
                rest.split(')').next().and_then(|length| length.trim().parse().ok())
            });
            if column.collation.eq_ignore_ascii_case("binary") {
                return KeyType::Binary;
            }
            KeyType::Character { collation: column.collation.clone(), max_length: declared }
        }
        "enum" | "set" => KeyType::Enum,
        "bit" => KeyType::Bit,
        _ => KeyType::Unknown,
    }
}

/// The kind of an expression's values.
pub(super) fn of(subject: Subject<'_>, expr: &Expr) -> KeyType {
    let expr = unwrapped(expr);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Param(_) | ExprKind::SystemVariable(_) => {
            KeyType::Constant
        }
        ExprKind::Column(column) => subject.metadata(column).map_or(KeyType::Unknown, of_column),
        ExprKind::Unary(UnaryOp::Plus, inner) => of(subject, inner),
        ExprKind::Unary(..)
        | ExprKind::Is { .. }
        | ExprKind::InList { .. }
        | ExprKind::Between { .. }
        | ExprKind::Like { .. }
        | ExprKind::Regexp { .. }
        | ExprKind::Match { .. } => KeyType::Number,
        ExprKind::Binary(left, op, right) => of_binary(left, *op, right),
        ExprKind::Case { branches, otherwise, .. } => {
            let results = branches.iter().map(|(_, then)| then);
            of_choice(subject, results.chain(otherwise.iter().map(|otherwise| &**otherwise)))
        }
        ExprKind::Cast { type_text, .. } => of_cast(type_text),
        ExprKind::Collate { expr, collation } => {
            let max_length = match of(subject, expr) {
                KeyType::Character { max_length, .. } => max_length,
                _ => None,
            };
            KeyType::Character { collation: collation.clone(), max_length }
        }
        ExprKind::Function(function) => of_function(subject, function),
        _ => KeyType::Unknown,
    }
}

fn of_binary(left: &Expr, op: BinaryOp, right: &Expr) -> KeyType {
    let is_interval = |expr: &Expr| matches!(expr.kind, ExprKind::Interval { .. });
    match op {
        BinaryOp::Plus | BinaryOp::Minus if is_interval(left) || is_interval(right) => {
            KeyType::Unknown
        }
        BinaryOp::Concat | BinaryOp::JsonExtract | BinaryOp::JsonUnquote => KeyType::Unknown,
        _ => KeyType::Number,
    }
}

/// Numbers where all results are numbers.
fn of_choice<'e>(subject: Subject<'_>, mut results: impl Iterator<Item = &'e Expr>) -> KeyType {
    let is_number = |expr: &Expr| match &unwrapped(expr).kind {
        ExprKind::Literal(Literal::Number(_) | Literal::Null | Literal::Bool(_)) => true,
        _ => of(subject, expr) == KeyType::Number,
    };
    if results.all(is_number) { KeyType::Number } else { KeyType::Unknown }
}

fn of_cast(type_text: &str) -> KeyType {
    let word = type_text.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next();
    match word.map(str::to_ascii_uppercase).as_deref() {
        Some(
            "SIGNED" | "UNSIGNED" | "DECIMAL" | "DOUBLE" | "REAL" | "INTEGER" | "INT" | "YEAR",
        ) => KeyType::Number,
        Some("DATE" | "DATETIME" | "TIME") => KeyType::Temporal,
        Some("BINARY") => KeyType::Binary,
        _ => KeyType::Unknown,
    }
}

fn of_function(subject: Subject<'_>, function: &Function) -> KeyType {
    if function.schema.is_some() {
        return KeyType::Unknown;
    }
    let name = function.name.value.to_ascii_uppercase();
    let first = || function.args.first().map_or(KeyType::Unknown, |arg| of(subject, arg));
    let is_in = |list: &[&str]| list.contains(&name.as_str());
    if is_in(NUMERIC_FUNCTIONS) {
        return KeyType::Number;
    }
    if is_in(TEMPORAL_FUNCTIONS) {
        return KeyType::Temporal;
    }
    if is_in(STRING_FUNCTIONS) {
        let kind = first();
        return match kind {
            KeyType::Character { .. } | KeyType::Binary => kind,
            _ => KeyType::Unknown,
        };
    }
    if name == "MIN" || name == "MAX" {
        return match first() {
            // Compared as strings, unlike in ORDER BY.
            KeyType::Enum | KeyType::Bit => KeyType::Unknown,
            kind => kind,
        };
    }
    match CHOICE_FUNCTIONS.iter().find(|(choice, _)| *choice == name) {
        Some((_, from)) => of_choice(subject, function.args.iter().skip(*from)),
        None => KeyType::Unknown,
    }
}
