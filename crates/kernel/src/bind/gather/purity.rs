//! Which expressions mean the same wherever and whenever they are evaluated.

use sql::ast::{ColumnName, Expr, ExprKind};

/// Functions of their arguments alone.
///
/// # Source
/// MySQL manual, "Built-In Function and Operator Reference"; MariaDB has them with the same meaning.
const PURE: &[&str] = &[
    "ABS",
    "ASCII",
    "BIN",
    "BIT_LENGTH",
    "CEIL",
    "CEILING",
    "CHAR_LENGTH",
    "CHARACTER_LENGTH",
    "COALESCE",
    "CONCAT",
    "CONCAT_WS",
    "CRC32",
    "DATE",
    "DATEDIFF",
    "DATE_ADD",
    "DATE_SUB",
    "DAY",
    "DAYOFMONTH",
    "DAYOFWEEK",
    "DAYOFYEAR",
    "ELT",
    "EXTRACT",
    "FIELD",
    "FIND_IN_SET",
    "FLOOR",
    "GREATEST",
    "HEX",
    "HOUR",
    "IF",
    "IFNULL",
    "INSTR",
    "ISNULL",
    "JSON_CONTAINS",
    "JSON_EXTRACT",
    "JSON_UNQUOTE",
    "LAST_DAY",
    "LCASE",
    "LEAST",
    "LEFT",
    "LENGTH",
    "LOCATE",
    "LOWER",
    "LPAD",
    "LTRIM",
    "MD5",
    "MICROSECOND",
    "MID",
    "MINUTE",
    "MOD",
    "MONTH",
    "NULLIF",
    "OCTET_LENGTH",
    "ORD",
    "POSITION",
    "POW",
    "POWER",
    "QUARTER",
    "REPEAT",
    "REPLACE",
    "REVERSE",
    "RIGHT",
    "ROUND",
    "RPAD",
    "RTRIM",
    "SECOND",
    "SHA1",
    "SHA2",
    "SIGN",
    "SQRT",
    "STRCMP",
    "SUBSTR",
    "SUBSTRING",
    "SUBSTRING_INDEX",
    "TIMESTAMPDIFF",
    "TO_DAYS",
    "TRIM",
    "TRUNCATE",
    "UCASE",
    "UNHEX",
    "UPPER",
    "WEEKDAY",
    "YEAR",
];

/// True for an expression of columns, literals and parameters that has the same value at any time on
/// any server; adds its columns.
pub(super) fn is_pure<'e>(expr: &'e Expr, columns: &mut Vec<&'e ColumnName>) -> bool {
    let mut all = |exprs: &mut dyn Iterator<Item = &'e Expr>| {
        let mut is_pure_so_far = true;
        for expr in exprs {
            is_pure_so_far &= is_pure(expr, columns);
        }
        is_pure_so_far
    };
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Param(_) => true,
        ExprKind::Column(column) => {
            columns.push(column);
            true
        }
        ExprKind::Unary(_, inner)
        | ExprKind::Nested(inner)
        | ExprKind::Is { expr: inner, .. }
        | ExprKind::Cast { expr: inner, .. }
        | ExprKind::ConvertUsing { expr: inner, .. }
        | ExprKind::Collate { expr: inner, .. }
        | ExprKind::Interval { expr: inner, .. } => is_pure(inner, columns),
        ExprKind::Binary(left, _, right) => all(&mut [&**left, &**right].into_iter()),
        ExprKind::InList { expr, list, .. } => all(&mut std::iter::once(&**expr).chain(list)),
        ExprKind::Between { expr, low, high, .. } => {
            all(&mut [&**expr, &**low, &**high].into_iter())
        }
        ExprKind::Like { expr, pattern, escape, .. } => {
            all(&mut [&**expr, &**pattern].into_iter().chain(escape.as_deref()))
        }
        ExprKind::Regexp { expr, pattern, .. } => all(&mut [&**expr, &**pattern].into_iter()),
        ExprKind::Row(items) => all(&mut items.iter()),
        ExprKind::Case { operand, branches, otherwise } => {
            let branches = branches.iter().flat_map(|(when, then)| [when, then]);
            all(&mut operand.as_deref().into_iter().chain(branches).chain(otherwise.as_deref()))
        }
        ExprKind::Function(function) => {
            let name = function.name.value.as_str();
            function.schema.is_none()
                && function.is_complete
                && !function.is_windowed
                && PURE.iter().any(|pure| pure.eq_ignore_ascii_case(name))
                && all(&mut function.args.iter())
        }
        ExprKind::UserVariable(_)
        | ExprKind::SystemVariable(_)
        | ExprKind::Default
        | ExprKind::InSubquery { .. }
        | ExprKind::Exists(_)
        | ExprKind::Subquery(_)
        | ExprKind::Quantified { .. }
        | ExprKind::Match { .. }
        | ExprKind::Assign { .. } => false,
    }
}
