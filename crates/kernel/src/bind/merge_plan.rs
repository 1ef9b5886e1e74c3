//! A SELECT over several nodes: what is added to its text so that the rows can be merged, and how.
//!
//! Keys that the client does not ask for are hidden columns behind the visible ones. Character
//! strings are compared by `WEIGHT_STRING`, which is how the server itself orders them.

mod aggregate;
mod formula;
mod group;
mod hidden;
mod key;
mod key_type;
mod limit;
mod resolve;
mod subject;
mod within;

use sql::Span;
use sql::ast::{Expr, Query, Select, SelectItem};

use super::Binder;
use super::query::over_nodes;
use super::scope::Scope;
use super::survey::Survey;
use super::tables::Sharded;
use crate::error::StatementError;
use crate::merge::{ColumnPosition, MergePlan, RowMerge, SortKey};
use crate::plan::{MultiPlan, SpliceText};
use crate::rewrite::Draft;
use hidden::Hidden;
use subject::Subject;
use within::WithinKey;

pub(super) use aggregate::is_aggregate;

/// What is known of the SELECT that is planned.
struct SelectMerge<'b> {
    binder: &'b Binder<'b>,
    query: &'b Query,
    select: &'b Select,
    sharded: Sharded<'b>,
    subject: Subject<'b>,
    /// The edits that do not depend on merging.
    draft: &'b Draft,
    hidden: Hidden,
    /// A key of a group is made: hidden expressions are written as aggregates.
    is_grouping: bool,
    /// What the nodes group by besides, for aggregates with DISTINCT or an order.
    within: Option<Vec<WithinKey>>,
    /// Keys may be longer than a server compares when it sorts: rows are sorted here.
    is_unordered: bool,
    /// Whether they are shows only when rows come.
    is_order_unsure: bool,
}

/// What the nodes are asked to order by.
enum NodeOrder {
    /// As written.
    AsWritten,
    /// As written, and then by these.
    Extended(Vec<String>),
    /// By these only.
    Replaced(Vec<String>),
}

impl Binder<'_> {
    /// Plans the merge of a plain SELECT.
    pub(super) fn merge_select(
        &self,
        query: &Query,
        select: &Select,
        scope: &Scope<'_>,
        sharded: Sharded<'_>,
        draft: &Draft,
    ) -> Result<MultiPlan, StatementError> {
        let survey = scope.survey();
        let block = scope.block_of(select).unwrap_or_default();
        let subject = Subject { scope, block };
        let mut merge = SelectMerge {
            binder: self,
            query,
            select,
            sharded,
            subject,
            draft,
            hidden: Hidden::default(),
            is_grouping: false,
            within: None,
            is_unordered: false,
            is_order_unsure: false,
        };
        let (rows, order) = merge.rows()?;
        merge.finish(rows, order, survey)
    }
}

impl SelectMerge<'_> {
    /// How rows are merged, and in which order the nodes send them.
    fn rows(&mut self) -> Result<(RowMerge, NodeOrder), StatementError> {
        if self.has_aggregates() || !self.select.group_by.is_empty() {
            return self.grouped();
        }
        let order_by = self.order_keys()?;
        if self.select.distinct.is_some() {
            let (keys, names) = self.distinct_keys(&order_by)?;
            let rows = RowMerge { order_by, distinct: Some(keys), ..RowMerge::default() };
            let order = if self.is_unordered {
                NodeOrder::Replaced(Vec::new())
            } else {
                NodeOrder::Extended(names)
            };
            return Ok((rows, order));
        }
        Ok((RowMerge { order_by, ..RowMerge::default() }, NodeOrder::AsWritten))
    }

    /// The keys of ORDER BY.
    fn order_keys(&mut self) -> Result<Vec<SortKey>, StatementError> {
        let mut keys = Vec::new();
        for item in &self.query.order_by {
            let (expr, position) = self.order_target(&item.expr)?;
            keys.extend(self.key(expr, position, item.is_descending)?);
        }
        Ok(keys)
    }

    /// Keys for all visible columns, those of ORDER BY first, and what the nodes order by besides.
    fn distinct_keys(
        &mut self,
        order_by: &[SortKey],
    ) -> Result<(Vec<SortKey>, Vec<String>), StatementError> {
        for item in &self.query.order_by {
            let (expr, position) = self.order_target(&item.expr)?;
            if position.is_none() && !self.is_selected(expr) {
                return Err(self.refuse("DISTINCT with ORDER BY on a column that is not selected"));
            }
        }
        let mut keys = order_by.to_vec();
        let mut names = Vec::new();
        for (index, expr) in self.visible_columns()?.into_iter().enumerate() {
            let position = Some(ColumnPosition::Visible(index));
            let Some(key) = self.group_key(&expr, position, false)? else { continue };
            if !keys.iter().any(|known| known.column == key.column) {
                keys.push(key);
                names.push((index + 1).to_string());
            }
        }
        Ok((keys, names))
    }

    /// The template and the merge.
    fn finish(
        self,
        mut rows: RowMerge,
        order: NodeOrder,
        survey: &Survey<'_>,
    ) -> Result<MultiPlan, StatementError> {
        let binder = self.binder;
        let mut draft = self.draft.clone();
        binder.alias_sharded(survey, &mut draft);
        binder.keep_labels(self.query, &mut draft);
        rows.hidden = self.hidden.len();
        rows.is_unordered = self.is_unordered;
        rows.counts_all = self.select.calc_found_rows.is_some();
        if let Some(word) = self.select.calc_found_rows {
            draft.remove(word);
        }
        if let (Some(_), Some(word)) = (&rows.group_by, self.select.distinct) {
            // The groups of a node differ; which of them are alike to the client shows after the merge.
            draft.remove(word);
        }
        if rows.hidden > 0 {
            draft.insert(self.select.items_end, self.hidden.text());
        }
        self.write_within(&mut draft);
        if rows.having.is_some()
            && let Some(span) = self.select.having_span
        {
            let params = limit::params_in(span, survey);
            draft.replace_with_params(span, params, SpliceText::Fixed(String::new()));
        }
        self.write_order(&order, survey, &mut draft);
        rows.limit = self.limit(self.pushes_limit(&rows), survey, &mut draft)?;
        let template = draft.finish(binder.literals)?;
        let is_plain = rows == RowMerge::default();
        let merge = if is_plain { MergePlan::Concatenate } else { MergePlan::Rows(Box::new(rows)) };
        Ok(MultiPlan { template, merge })
    }

    /// Writes the order that the nodes are asked for.
    fn write_order(&self, order: &NodeOrder, survey: &Survey<'_>, draft: &mut Draft) {
        let clause = self.order_clause();
        match order {
            NodeOrder::AsWritten => {}
            NodeOrder::Extended(names) if names.is_empty() => {}
            NodeOrder::Extended(names) if clause.is_none() => {
                draft.insert(self.query.order_by_at, format!(" ORDER BY {}", names.join(", ")));
            }
            NodeOrder::Extended(names) => {
                draft.insert(self.query.limit_at, format!(", {}", names.join(", ")));
            }
            NodeOrder::Replaced(names) => {
                let text = if names.is_empty() {
                    String::new()
                } else {
                    format!(" ORDER BY {}", names.join(", "))
                };
                let at = self.query.order_by_at;
                match clause {
                    Some(clause) => {
                        let params = limit::params_in(clause, survey);
                        draft.replace_with_params(clause, params, SpliceText::Fixed(text));
                    }
                    None => draft.insert(at, text),
                }
            }
        }
    }

    /// From the end of what stands before ORDER BY to the end of its last key.
    fn order_clause(&self) -> Option<Span> {
        let Query { order_by, order_by_at, limit_at, .. } = self.query;
        (!order_by.is_empty()).then(|| Span::new(*order_by_at, *limit_at))
    }

    /// Whether the rows that are wanted are among the first rows of the nodes.
    fn pushes_limit(&self, rows: &RowMerge) -> bool {
        let is_in_order = match &rows.group_by {
            None => true,
            Some(group_by) => {
                rows.distinct.is_none()
                    && rows.having.is_none()
                    && rows.within.is_empty()
                    && group_by.starts_with(&rows.order_by)
            }
        };
        let is_grouped = rows.group_by.is_some() || rows.distinct.is_some();
        let is_sure = !is_grouped || !(self.is_unordered || self.is_order_unsure);
        is_in_order && is_sure && !rows.counts_all
    }

    /// Columns of the result as expressions, wildcards expanded.
    fn visible_columns(&self) -> Result<Vec<Expr>, StatementError> {
        let mut columns = Vec::new();
        for item in &self.select.items {
            match item {
                SelectItem::Expr { expr, .. } => columns.push(expr.clone()),
                SelectItem::Wildcard { table, span } => {
                    columns.extend(self.table_columns(table.as_ref(), *span)?);
                }
            }
        }
        Ok(columns)
    }

    fn refuse(&self, what: &str) -> StatementError {
        over_nodes(self.sharded, what)
    }
}
