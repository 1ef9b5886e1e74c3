//! GROUP BY and aggregates over several nodes.

use sql::ast::{Expr, ExprKind, Function, SelectItem};

use super::aggregate::{as_aggregate, contains_aggregate};
use super::formula::{Place, has_columns};
use super::key::varies;
use super::key_type::{KeyType, of};
use super::{NodeOrder, SelectMerge};
use crate::bind::value::unwrapped;
use crate::error::StatementError;
use crate::merge::{ColumnPosition, RowMerge, SortKey};

/// One entry of GROUP BY.
struct GroupEntry<'b> {
    expr: &'b Expr,
    position: Option<ColumnPosition>,
    is_descending: bool,
}

impl<'b> SelectMerge<'b> {
    /// A SELECT with aggregates or GROUP BY.
    pub(super) fn grouped(&mut self) -> Result<(RowMerge, NodeOrder), StatementError> {
        let mut rows = RowMerge::default();
        let select = self.select;
        let mut has_constants = false;
        for (index, item) in select.items.iter().enumerate() {
            let SelectItem::Expr { expr, .. } = item else {
                if select.group_by.is_empty() {
                    return Err(self.refuse("* together with an aggregate"));
                }
                continue;
            };
            let position =
                || self.position(index).ok_or_else(|| self.refuse("An aggregate behind *"));
            match as_aggregate(expr) {
                // Any row of the group will do: that of the first one does.
                Some(function) if is_any_value(function) && !select.group_by.is_empty() => {}
                Some(function) if !function.args.iter().any(contains_aggregate) => {
                    let position = position()?;
                    rows.aggregates.push(self.aggregate(expr, function, position)?);
                }
                _ if contains_aggregate(expr) => {
                    let position = position()?;
                    let formula = self.formula(expr, Place::Selected, &mut rows.aggregates)?;
                    rows.computed.push((position, formula));
                }
                _ if select.group_by.is_empty() && !is_constant(expr) => {
                    return Err(self.refuse(&format!(
                        "{} together with an aggregate, without GROUP BY,",
                        self.shown(expr)
                    )));
                }
                _ => has_constants = true,
            }
        }
        if let Some(having) = &select.having
            && (select.group_by.is_empty() || !self.is_having_of_rows(having))
        {
            rows.having = Some(self.formula(having, Place::Having, &mut rows.aggregates)?);
        }
        if !select.group_by.is_empty() {
            return self.group_rows(rows);
        }
        if self.within.is_some() && has_constants {
            // Without any row there would be nothing to take the constant from.
            return Err(self.refuse("A constant together with an aggregate that has DISTINCT"));
        }
        rows.group_by = Some(Vec::new());
        // One row needs no order, but its parts do.
        Ok(self.ordered_within(rows, Vec::new()))
    }

    fn group_rows(&mut self, mut rows: RowMerge) -> Result<(RowMerge, NodeOrder), StatementError> {
        let mut entries = Vec::new();
        for item in &self.select.group_by {
            let (expr, position) = self.group_target(&item.expr)?;
            if contains_aggregate(expr) {
                return Err(self.refuse("GROUP BY on an aggregate"));
            }
            entries.push(GroupEntry { expr, position, is_descending: item.is_descending });
        }
        let mut keys: Vec<SortKey> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        // Keys that are in ORDER BY come first, in its order and direction.
        for item in &self.query.order_by {
            let (expr, position) = self.order_target(&item.expr)?;
            let entry = entries.iter().find(|entry| self.is_same(entry.expr, expr));
            match entry {
                Some(entry) => {
                    let key = self.entry_key(entry, item.is_descending)?;
                    rows.order_by.extend(key.clone());
                    let name = directed(self.expr_text(entry.expr)?, item.is_descending);
                    push_key(&mut keys, &mut names, key, name);
                }
                None => {
                    let key = self.order_key(expr, position, item.is_descending, &mut rows)?;
                    rows.order_by.extend(key);
                }
            }
        }
        for entry in &entries {
            let key = self.entry_key(entry, entry.is_descending)?;
            let name = directed(self.expr_text(entry.expr)?, entry.is_descending);
            push_key(&mut keys, &mut names, key, name);
        }
        if keys.is_empty() {
            return Err(self.refuse("GROUP BY on constants"));
        }
        if self.select.distinct.is_some() {
            rows.distinct = Some(self.distinct_groups(&entries)?);
        }
        rows.group_by = Some(keys);
        Ok(self.ordered_within(rows, names))
    }

    /// Rows of one group are ordered too, where that matters.
    fn ordered_within(&self, mut rows: RowMerge, mut names: Vec<String>) -> (RowMerge, NodeOrder) {
        for key in self.within.iter().flatten() {
            rows.within.push(key.key.clone());
            names.push(key.ordered());
        }
        if self.is_unordered {
            names.clear();
        }
        (rows, NodeOrder::Replaced(names))
    }

    /// Keys for all visible columns of groups.
    fn distinct_groups(
        &mut self,
        entries: &[GroupEntry<'b>],
    ) -> Result<Vec<SortKey>, StatementError> {
        let mut keys = Vec::new();
        for (index, expr) in self.visible_columns()?.into_iter().enumerate() {
            let entry = entries.iter().find(|entry| self.is_same(entry.expr, &expr));
            let key = match entry {
                Some(entry) => self.entry_key(entry, false)?,
                None if contains_aggregate(&expr) => {
                    self.combined_key(&expr, ColumnPosition::Visible(index), false)?
                }
                None => self.key(&expr, Some(ColumnPosition::Visible(index)), false)?,
            };
            keys.extend(key);
        }
        Ok(keys)
    }

    /// The key of a group. Columns are compared as they are; of other expressions, any of the
    /// group's values will do, which `MIN` gives without offending ONLY_FULL_GROUP_BY.
    fn entry_key(
        &mut self,
        entry: &GroupEntry<'b>,
        is_descending: bool,
    ) -> Result<Option<SortKey>, StatementError> {
        self.is_grouping = true;
        let key = self.group_key(entry.expr, entry.position, is_descending);
        self.is_grouping = false;
        key
    }

    /// A key of ORDER BY that is not one of the groups: an aggregate, or a value of any row.
    fn order_key(
        &mut self,
        expr: &'b Expr,
        position: Option<ColumnPosition>,
        is_descending: bool,
        rows: &mut RowMerge,
    ) -> Result<Option<SortKey>, StatementError> {
        if !contains_aggregate(expr) {
            return self.key(expr, position, is_descending);
        }
        let position = if as_aggregate(expr).is_some() {
            self.aggregate_position(expr, Place::Selected, &mut rows.aggregates)?
        } else if let Some(position) = position {
            position
        } else {
            let position = self.hide(expr, "", "")?;
            if !rows.computed.iter().any(|(known, _)| *known == position) {
                let formula = self.formula(expr, Place::Selected, &mut rows.aggregates)?;
                rows.computed.push((position, formula));
            }
            position
        };
        self.combined_key(expr, position, is_descending)
    }

    /// A key for the value of an expression with aggregates: it must compare by itself, as a sort
    /// key of the nodes would be that of a part of the group. MIN and MAX bring theirs.
    fn combined_key(
        &mut self,
        expr: &Expr,
        position: ColumnPosition,
        is_descending: bool,
    ) -> Result<Option<SortKey>, StatementError> {
        let is_extreme = as_aggregate(expr).is_some_and(|function| {
            ["MIN", "MAX"].iter().any(|name| function.name.value.eq_ignore_ascii_case(name))
        });
        let compares = matches!(of(self.subject, expr), KeyType::Number | KeyType::Temporal);
        if !is_extreme && !compares {
            return Err(self.refuse(&format!("Ordering or grouping by {}", self.shown(expr))));
        }
        self.key(expr, Some(position), is_descending)
    }

    /// Whether two expressions are written alike.
    pub(super) fn is_same(&self, a: &Expr, b: &Expr) -> bool {
        if std::ptr::eq(a, b) {
            return true;
        }
        match (&unwrapped(a).kind, &unwrapped(b).kind) {
            (ExprKind::Column(a), ExprKind::Column(b)) => {
                let (a, b) = (self.subject.find(a), self.subject.find(b));
                a.is_some() && a == b
            }
            _ => {
                let text = |expr: &Expr| self.expr_text(unwrapped(expr)).ok();
                text(a).is_some_and(|a| text(b).is_some_and(|b| a.eq_ignore_ascii_case(&b)))
            }
        }
    }
}

fn push_key(keys: &mut Vec<SortKey>, names: &mut Vec<String>, key: Option<SortKey>, name: String) {
    if let Some(key) = key
        && !keys.iter().any(|known| known.column == key.column)
    {
        keys.push(key);
        names.push(name);
    }
}

pub(super) fn directed(text: String, is_descending: bool) -> String {
    if is_descending { format!("{text} DESC") } else { text }
}

fn is_any_value(function: &Function) -> bool {
    function.name.value.eq_ignore_ascii_case("ANY_VALUE")
}

/// Whether it has one value in all rows.
fn is_constant(expr: &Expr) -> bool {
    matches!(unwrapped(expr).kind, ExprKind::Literal(_) | ExprKind::Param(_))
        || !(has_columns(expr) || varies(expr))
}
