//! From an expression to the column that is compared for it.

use std::borrow::Cow;

use sql::Span;
use sql::ast::{ColumnName, Expr, ExprKind, Ident, TableName};
use sql::fingerprint::literals_in;

use super::SelectMerge;
use super::key_type::{KeyType, of};
use crate::bind::value::unwrapped;
use crate::error::StatementError;
use crate::merge::padding;
use crate::merge::{ColumnPosition, Comparison, SortKey};
use crate::plan::SpliceText;
use crate::rewrite::{Draft, quoted};

/// A server sorts by the first 1024 bytes of a string (`max_sort_length`); up to this many
/// characters, a sort key is not longer.
const MAX_GROUPED_CHARACTERS: usize = 255;

impl SelectMerge<'_> {
    /// A key for `expr`, which stands at `position` of the result if it stands there at all. `None`
    /// for an expression that is the same in all rows.
    ///
    /// # Errors
    /// The order of its values is not known.
    pub(super) fn key(
        &mut self,
        expr: &Expr,
        position: Option<ColumnPosition>,
        is_descending: bool,
    ) -> Result<Option<SortKey>, StatementError> {
        let kind = of(self.subject, expr);
        let by_type = |column| SortKey { column, compare: Comparison::ByType, is_descending };
        Ok(Some(match kind {
            KeyType::Constant => return Ok(None),
            KeyType::Number | KeyType::Temporal | KeyType::Binary => {
                let column = match position {
                    Some(position) => position,
                    None => self.hide(expr, "", "")?,
                };
                by_type(column)
            }
            KeyType::Float => by_type(self.hide(expr, "(", ") + 0e0")?),
            KeyType::Enum | KeyType::Bit => by_type(self.hide(expr, "(", ") + 0")?),
            KeyType::Timestamp => by_type(self.hide(expr, "UNIX_TIMESTAMP(", ")")?),
            KeyType::Character { collation, .. } => {
                let pad = padding(&collation).ok_or_else(|| {
                    self.refuse(&format!(
                        "Ordering or grouping by {}, whose collation is {collation},",
                        self.shown(expr)
                    ))
                })?;
                let column = self.hide(expr, "WEIGHT_STRING(", ")")?;
                SortKey {
                    column,
                    compare: Comparison::SortKey { pad: pad.to_vec() },
                    is_descending,
                }
            }
            KeyType::Unknown if !is_column(expr) => {
                let column = match position {
                    Some(position) => position,
                    None => self.hide(expr, "", "")?,
                };
                let weights = self.hide(expr, "WEIGHT_STRING(", ")")?;
                let collation = self.hide(expr, "COLLATION(", ")")?;
                let compare = Comparison::ByValue { weights, collation };
                SortKey { column, compare, is_descending }
            }
            KeyType::Unknown => {
                return Err(self.refuse(&format!(
                    "Ordering or grouping by {}, whose type is not known,",
                    self.shown(expr)
                )));
            }
        }))
    }

    /// As [`SelectMerge::key`], for rows that become one where their keys are equal: the nodes must
    /// then send equal keys one after the other, or the rows are sorted here.
    pub(super) fn group_key(
        &mut self,
        expr: &Expr,
        position: Option<ColumnPosition>,
        is_descending: bool,
    ) -> Result<Option<SortKey>, StatementError> {
        let is_long = match of(self.subject, expr) {
            KeyType::Character { max_length, .. } => {
                max_length.is_none_or(|length| length > MAX_GROUPED_CHARACTERS)
            }
            KeyType::Binary => !self.is_short_binary(expr),
            _ => false,
        };
        self.is_unordered |= is_long;
        self.is_order_unsure |= of(self.subject, expr) == KeyType::Unknown;
        self.key(expr, position, is_descending)
    }

    fn is_short_binary(&self, expr: &Expr) -> bool {
        let ExprKind::Column(column) = &unwrapped(expr).kind else { return false };
        self.subject.metadata(column).is_some_and(|column| {
            matches!(column.data_type.as_str(), "binary" | "varbinary")
                && column
                    .column_type
                    .split_once('(')
                    .and_then(|(_, rest)| rest.split(')').next()?.trim().parse::<usize>().ok())
                    .is_some_and(|length| length <= 1024)
        })
    }

    /// A hidden column with the expression between `before` and `after`.
    pub(super) fn hide(
        &mut self,
        expr: &Expr,
        before: &str,
        after: &str,
    ) -> Result<ColumnPosition, StatementError> {
        let text = self.expr_text(expr)?;
        let text = if self.is_grouping && !is_column(expr) { format!("MIN({text})") } else { text };
        Ok(self.hidden.add(format!("{before}{text}{after}")))
    }

    /// The text of an expression as it can be repeated elsewhere in the statement.
    ///
    /// # Errors
    /// It holds a parameter or an open literal, of which there is one value only.
    pub(super) fn expr_text(&self, expr: &Expr) -> Result<String, StatementError> {
        if let ExprKind::Column(column) = &unwrapped(expr).kind {
            return Ok(self.column_text(column));
        }
        let mut draft = Cow::Borrowed(self.draft);
        for (alias, item) in self.aliases_inside(expr) {
            let text = SpliceText::Fixed(format!("({})", self.written_text(self.draft, item)?));
            draft.to_mut().replace(alias.name.span, text);
        }
        self.written_text(&draft, expr)
    }

    fn written_text(&self, draft: &Draft, expr: &Expr) -> Result<String, StatementError> {
        let cannot = || {
            self.refuse(&format!(
                "Ordering, grouping or aggregating by {}, which holds a parameter or a value that \
                 changes,",
                self.shown(expr)
            ))
        };
        let literals = literals_in(self.binder.literals, expr.span);
        let has_literals = self.binder.literals.get(literals).is_some_and(|list| {
            list.iter().any(|literal| literal.kind != sql::fingerprint::LiteralKind::Comment)
        });
        if has_literals || varies(expr) {
            return Err(cannot());
        }
        draft.text_of(self.binder.text, expr.span).ok_or_else(cannot)
    }

    /// A column of the table with its qualifier, so that no alias is meant.
    fn column_text(&self, column: &ColumnName) -> String {
        match self.subject.qualifier(column) {
            Some(table) => format!("{}.{}", quoted(table), quoted(&column.name.value)),
            None => quoted(&column.name.value),
        }
    }

    /// An expression in an error.
    pub(super) fn shown(&self, expr: &Expr) -> String {
        if let ExprKind::Column(column) = &unwrapped(expr).kind {
            return quoted(&column.name.value);
        }
        String::from_utf8_lossy(expr.span.of(self.binder.text)).into_owned()
    }

    /// The columns of `*` or `t.*` as expressions.
    ///
    /// # Errors
    /// They cannot be told.
    pub(super) fn table_columns(
        &self,
        table: Option<&TableName>,
        span: Span,
    ) -> Result<Vec<Expr>, StatementError> {
        let ident = |value: &str| Ident { value: value.to_owned(), span };
        let columns = self
            .subject
            .columns(table)
            .ok_or_else(|| self.refuse("* of derived tables and of joins with USING"))?;
        let column = |(table, name): (&str, &str)| Expr {
            kind: ExprKind::Column(ColumnName {
                database: None,
                table: Some(ident(table)),
                name: ident(name),
            }),
            span,
        };
        Ok(columns.into_iter().map(column).collect())
    }
}

fn is_column(expr: &Expr) -> bool {
    matches!(unwrapped(expr).kind, ExprKind::Column(_))
}

/// Whether the expression gives another value when it is computed again, or has parameters.
pub(super) fn varies(expr: &Expr) -> bool {
    let mut survey = crate::bind::survey::Survey::default();
    survey.expr(expr);
    let is_random = |name: &str| {
        ["RAND", "UUID", "UUID_SHORT", "SLEEP", "SYSDATE", "NEXTVAL"]
            .iter()
            .any(|other| other.eq_ignore_ascii_case(name))
    };
    !survey.param_spans.is_empty()
        || survey.functions.iter().any(|(function, _)| is_random(&function.name.value))
        || !survey.effects.assigns_user_variables.is_empty()
}
