//! What the names in ORDER BY and GROUP BY mean.

use sql::ast::{ColumnName, Expr, ExprKind, Literal, SelectItem};

use super::SelectMerge;
use crate::bind::survey::Survey;
use crate::bind::value::unwrapped;
use crate::error::StatementError;
use crate::merge::ColumnPosition;

impl<'b> SelectMerge<'b> {
    /// What an entry of ORDER BY stands for: a position, an alias, or an expression on the table.
    /// MySQL looks for aliases before columns here.
    pub(super) fn order_target(
        &self,
        expr: &'b Expr,
    ) -> Result<(&'b Expr, Option<ColumnPosition>), StatementError> {
        if let Some(index) = position_of(expr) {
            return self.item_at(index, "order clause");
        }
        if let Some(column) = plain_name(expr)
            && let Some((index, item)) = self.find_alias(column)
        {
            return Ok((item, self.position(index)));
        }
        self.require_column(expr, "order clause")?;
        self.refuse_ambiguous_inside(expr)?;
        Ok((expr, self.find_item(expr)))
    }

    /// As [`SelectMerge::order_target`] for GROUP BY, where columns come before aliases.
    pub(super) fn group_target(
        &self,
        expr: &'b Expr,
    ) -> Result<(&'b Expr, Option<ColumnPosition>), StatementError> {
        if let Some(index) = position_of(expr) {
            return self.item_at(index, "group statement");
        }
        if let Some(column) = plain_name(expr)
            && self.subject.lacks(column)
            && let Some((index, item)) = self.find_alias(column)
        {
            return Ok((item, self.position(index)));
        }
        self.require_column(expr, "group statement")?;
        self.refuse_ambiguous_inside(expr)?;
        Ok((expr, self.find_item(expr)))
    }

    /// A column that is no alias must be one of the table.
    fn require_column(&self, expr: &Expr, clause: &str) -> Result<(), StatementError> {
        match &unwrapped(expr).kind {
            ExprKind::Column(column) if self.subject.lacks(column) => {
                let name = match &column.table {
                    Some(table) => format!("{}.{}", table.value, column.name.value),
                    None => column.name.value.clone(),
                };
                Err(StatementError::unknown_column(&name, clause))
            }
            _ => Ok(()),
        }
    }

    /// True where an expression stands in the select list, wildcards counted.
    pub(super) fn is_selected(&self, expr: &Expr) -> bool {
        let is_column = matches!(unwrapped(expr).kind, ExprKind::Column(_));
        let has_wildcard =
            self.select.items.iter().any(|item| matches!(item, SelectItem::Wildcard { .. }));
        self.find_item(expr).is_some() || (is_column && has_wildcard)
    }

    /// Where the item `index` stands in the result: unknown behind a wildcard.
    pub(super) fn position(&self, index: usize) -> Option<ColumnPosition> {
        let before = self.select.items.get(..index)?;
        let is_known = before.iter().all(|item| matches!(item, SelectItem::Expr { .. }));
        is_known.then_some(ColumnPosition::Visible(index))
    }

    fn item_at(
        &self,
        index: usize,
        clause: &str,
    ) -> Result<(&'b Expr, Option<ColumnPosition>), StatementError> {
        if self.select.items.iter().any(|item| matches!(item, SelectItem::Wildcard { .. })) {
            return Err(self.refuse("Ordering or grouping by a position together with *"));
        }
        match index.checked_sub(1).and_then(|index| self.select.items.get(index)) {
            Some(SelectItem::Expr { expr, .. }) => {
                Ok((expr, Some(ColumnPosition::Visible(index - 1))))
            }
            _ => Err(StatementError::unknown_column(&index.to_string(), clause)),
        }
    }

    /// The item with this alias.
    pub(super) fn find_alias(&self, name: &ColumnName) -> Option<(usize, &'b Expr)> {
        self.select.items.iter().enumerate().find_map(|(index, item)| match item {
            SelectItem::Expr { expr, alias: Some(alias), .. }
                if alias.value.eq_ignore_ascii_case(&name.name.value) =>
            {
                Some((index, expr))
            }
            _ => None,
        })
    }

    /// Where the same column stands in the select list.
    fn find_item(&self, expr: &Expr) -> Option<ColumnPosition> {
        let ExprKind::Column(wanted) = &unwrapped(expr).kind else { return None };
        let wanted = self.subject.find(wanted)?;
        self.select.items.iter().enumerate().find_map(|(index, item)| match item {
            SelectItem::Expr { expr, .. } => match &unwrapped(expr).kind {
                ExprKind::Column(column) if self.subject.find(column) == Some(wanted) => {
                    self.position(index)
                }
                _ => None,
            },
            SelectItem::Wildcard { .. } => None,
        })
    }

    /// Names inside an expression that are aliases of the select list and nothing else, with the
    /// items they stand for: where the expression is repeated they are not known.
    pub(super) fn aliases_inside<'e>(&self, expr: &'e Expr) -> Vec<(&'e ColumnName, &'b Expr)> {
        self.names_with_alias(expr)
            .into_iter()
            .filter(|(column, _)| self.subject.find(column).is_none())
            .collect()
    }

    /// # Errors
    /// A name is both a column and an alias of something else.
    fn refuse_ambiguous_inside(&self, expr: &Expr) -> Result<(), StatementError> {
        let mut names = self.names_with_alias(expr).into_iter();
        match names.find(|(column, _)| self.subject.find(column).is_some()) {
            Some((column, _)) => Err(self.refuse_alias(column)),
            None => Ok(()),
        }
    }

    /// # Errors
    /// A name inside the expression is an alias, which is known in its clause only.
    pub(super) fn refuse_aliases_inside(&self, expr: &Expr) -> Result<(), StatementError> {
        match self.names_with_alias(expr).first() {
            Some((column, _)) => Err(self.refuse_alias(column)),
            None => Ok(()),
        }
    }

    /// Names inside an expression that are aliases, of another column than theirs.
    fn names_with_alias<'e>(&self, expr: &'e Expr) -> Vec<(&'e ColumnName, &'b Expr)> {
        if plain_name(expr).is_some() {
            return Vec::new();
        }
        let mut survey = Survey::default();
        survey.expr(expr);
        let with_alias = |column: &'e ColumnName| {
            let (_, item) = self.find_alias(column).filter(|_| column.table.is_none())?;
            let means_column = match &unwrapped(item).kind {
                ExprKind::Column(other) => other.name.value == column.name.value,
                _ => false,
            };
            (!means_column).then_some((column, item))
        };
        survey.columns.into_iter().filter_map(with_alias).collect()
    }

    fn refuse_alias(&self, column: &ColumnName) -> StatementError {
        self.refuse(&format!(
            "Ordering or grouping by an expression on the alias `{}`",
            column.name.value
        ))
    }
}

/// `ORDER BY 2`.
pub(super) fn position_of(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        ExprKind::Literal(Literal::Number(digits)) => digits.parse().ok(),
        _ => None,
    }
}

/// A column without a qualifier.
fn plain_name(expr: &Expr) -> Option<&ColumnName> {
    match &unwrapped(expr).kind {
        ExprKind::Column(column) if column.table.is_none() => Some(column),
        _ => None,
    }
}
