//! `LIKE` and simple `WHERE` of SHOW, over rows the proxy makes itself.

use std::cmp::Ordering;

use governance::pattern::matches_like;
use kernel::error::StatementError;
use kernel::feature::TextTable;
use sql::ast::{BinaryOp, Expr, ExprKind, IsTest, Literal, ShowFilter, UnaryOp};

/// Keeps the rows that a filter lets through. LIKE looks at the first column.
///
/// # Errors
/// An unknown column (1054), or a condition beyond comparisons of columns with constants (30001).
pub(crate) fn apply(
    table: &mut TextTable,
    filter: Option<&ShowFilter>,
) -> Result<(), StatementError> {
    match filter {
        None => {}
        Some(ShowFilter::Like(pattern)) => {
            let pattern = String::from_utf8_lossy(pattern);
            table.rows.retain(|row| {
                row.first().and_then(Option::as_deref).is_some_and(|t| matches_like(&pattern, t))
            });
        }
        Some(ShowFilter::Where(condition)) => {
            let mut kept = Vec::new();
            for row in std::mem::take(&mut table.rows) {
                let cells = Row { columns: &table.columns, cells: &row };
                if cells.truth(condition)? == Some(true) {
                    kept.push(row);
                }
            }
            table.rows = kept;
        }
    }
    Ok(())
}

struct Row<'a> {
    columns: &'a [String],
    cells: &'a [Option<String>],
}

/// True, false, or unknown.
type Truth = Option<bool>;

impl Row<'_> {
    /// The condition's truth. The parser limits how deep it is.
    fn truth(&self, condition: &Expr) -> Result<Truth, StatementError> {
        Ok(match &condition.kind {
            ExprKind::Nested(inner) => self.truth(inner)?,
            ExprKind::Unary(UnaryOp::Not, inner) => self.truth(inner)?.map(|truth| !truth),
            ExprKind::Binary(left, BinaryOp::And, right) => {
                match (self.truth(left)?, self.truth(right)?) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                }
            }
            ExprKind::Binary(left, BinaryOp::Or, right) => {
                match (self.truth(left)?, self.truth(right)?) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
            ExprKind::Binary(left, op, right) => self.comparison(left, *op, right)?,
            ExprKind::Like { expr, negated, pattern, escape: None } => {
                let (text, pattern) = (self.value(expr)?, self.value(pattern)?);
                let matched =
                    text.zip(pattern).map(|(text, pattern)| matches_like(&pattern, &text));
                matched.map(|matched| matched != *negated)
            }
            ExprKind::InList { expr, negated, list } => self.in_list(expr, list, *negated)?,
            ExprKind::Is { expr, negated, test: IsTest::Null } => {
                Some(self.value(expr)?.is_none() != *negated)
            }
            _ => return Err(too_complex()),
        })
    }

    fn comparison(&self, left: &Expr, op: BinaryOp, right: &Expr) -> Result<Truth, StatementError> {
        let holds: fn(Ordering) -> bool = match op {
            BinaryOp::Equal => Ordering::is_eq,
            BinaryOp::NotEqual => Ordering::is_ne,
            BinaryOp::Less => Ordering::is_lt,
            BinaryOp::LessOrEqual => Ordering::is_le,
            BinaryOp::Greater => Ordering::is_gt,
            BinaryOp::GreaterOrEqual => Ordering::is_ge,
            _ => return Err(too_complex()),
        };
        let (left, right) = (self.value(left)?, self.value(right)?);
        Ok(left.zip(right).map(|(left, right)| holds(compare(&left, &right))))
    }

    fn in_list(&self, expr: &Expr, list: &[Expr], negated: bool) -> Result<Truth, StatementError> {
        let Some(value) = self.value(expr)? else { return Ok(None) };
        let mut has_null = false;
        for item in list {
            match self.value(item)? {
                Some(item) if compare(&item, &value).is_eq() => return Ok(Some(!negated)),
                Some(_) => {}
                None => has_null = true,
            }
        }
        Ok(if has_null { None } else { Some(negated) })
    }

    fn value(&self, expr: &Expr) -> Result<Option<String>, StatementError> {
        match &expr.kind {
            ExprKind::Nested(inner) => self.value(inner),
            ExprKind::Literal(Literal::Null) => Ok(None),
            ExprKind::Literal(Literal::Number(text)) => Ok(Some(text.clone())),
            ExprKind::Literal(Literal::String { value, .. }) => {
                Ok(Some(String::from_utf8_lossy(value).into_owned()))
            }
            ExprKind::Column(column) => {
                let name = &column.name.value;
                let position = self.columns.iter().position(|c| c.eq_ignore_ascii_case(name));
                let position =
                    position.ok_or_else(|| StatementError::unknown_column(name, "where clause"))?;
                Ok(self.cells.get(position).cloned().flatten())
            }
            _ => Err(too_complex()),
        }
    }
}

/// As the case-insensitive collations of `information_schema` do, for ASCII.
fn compare(left: &str, right: &str) -> Ordering {
    left.to_ascii_lowercase().cmp(&right.to_ascii_lowercase())
}

fn too_complex() -> StatementError {
    StatementError::unsupported(
        "WHERE of SHOW takes comparisons of its columns with constants, LIKE, IN, AND, OR and NOT",
    )
}
