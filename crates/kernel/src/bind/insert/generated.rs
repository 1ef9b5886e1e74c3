//! Columns whose values are generated: which they are, and where their values go.

use std::sync::Arc;

use eval::Value;
use sql::ast::{Expr, ExprKind, Insert};

use super::{RowValues, Written, is_default};
use crate::bind::Binder;
use crate::bind::value::unwrapped;
use crate::error::StatementError;
use crate::feature::{KeyKind, RouteStage};
use crate::keys::{KeyColumn, RowKey, greatest};
use crate::model::{ColumnMetadata, LogicalTable};
use crate::plan::{KeyParam, KeySpan};
use crate::predicate::ValueRef;
use crate::rewrite::{Draft, position, quoted};

/// The generated columns of an INSERT.
#[derive(Debug, Default)]
pub(super) struct Generated {
    /// Each with what its rows say.
    pub(super) columns: Vec<KeyColumn>,
}

impl Generated {
    /// The number of a generated column.
    pub(super) fn find(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|key| key.column.eq_ignore_ascii_case(column))
    }

    /// What the column `key` has in a row.
    pub(super) fn value(&self, key: usize, row: usize) -> ValueRef {
        let given = match self.columns.get(key).and_then(|column| column.rows.get(row)) {
            Some(RowKey::Value(value)) => Some(Box::new(value.clone())),
            Some(RowKey::Lacking) | None => None,
        };
        ValueRef::Key { column: key as u16, row: row as u32, given }
    }
}

impl Binder<'_> {
    /// The columns of a table whose values are generated in this INSERT: the one of the rule's
    /// strategy, and the AUTO_INCREMENT one, as each node would count for itself.
    pub(super) fn generated(
        &self,
        written: &Written<'_>,
        (database, table): (Arc<str>, &LogicalTable),
        stage: Option<&dyn RouteStage>,
    ) -> Result<Generated, StatementError> {
        let mut generated = Generated::default();
        for mut key in self.table_keys((database, table), stage) {
            let at = written.find(&key.column);
            let lacks = |row: &RowValues<'_>| at.is_none_or(|at| is_default(row.at(at)));
            if !key.is_auto_increment && !written.rows.iter().any(lacks) {
                continue;
            }
            let row_key = |row: &RowValues<'_>| self.row_key(at.map(|at| row.at(at)), &key);
            key.rows = written.rows.iter().map(row_key).collect::<Result<_, _>>()?;
            generated.columns.push(key);
        }
        Ok(generated)
    }

    /// The generated columns of a table, without rows.
    pub(in crate::bind) fn table_keys(
        &self,
        (database, table): (Arc<str>, &LogicalTable),
        stage: Option<&dyn RouteStage>,
    ) -> Vec<KeyColumn> {
        let by_rule = stage.and_then(|stage| stage.generated_key(&table.name));
        let kind_of = |column: &ColumnMetadata| match &by_rule {
            Some(key) if key.column.eq_ignore_ascii_case(&column.name) => Some(key.kind.clone()),
            _ => column.is_auto_increment.then_some(KeyKind::Sequence),
        };
        let columns = table.metadata.iter().flat_map(|metadata| &metadata.columns);
        let key = |column: &ColumnMetadata| {
            Some(self.key_column(&database, table, column, kind_of(column)?))
        };
        columns.filter_map(key).collect()
    }

    fn key_column(
        &self,
        database: &Arc<str>,
        table: &LogicalTable,
        column: &ColumnMetadata,
        kind: KeyKind,
    ) -> KeyColumn {
        KeyColumn {
            database: Arc::clone(database),
            table: Arc::clone(&table.name),
            column: column.name.as_str().into(),
            kind,
            is_auto_increment: column.is_auto_increment,
            keeps_zero: self.context.sql_mode.no_auto_value_on_zero,
            max: greatest(column),
            rows: Vec::new(),
        }
    }

    /// What the rows say of a column that their unit counts; `None` where that cannot be told.
    pub(super) fn counted_rows(
        &self,
        written: &Written<'_>,
        (database, table): (Arc<str>, &LogicalTable),
        column: &ColumnMetadata,
    ) -> Option<KeyColumn> {
        let mut key = self.key_column(&database, table, column, KeyKind::Sequence);
        let at = written.find(&column.name);
        let row_key = |row: &RowValues<'_>| self.row_key(at.map(|at| row.at(at)), &key);
        key.rows = written.rows.iter().map(row_key).collect::<Result<_, _>>().ok()?;
        let is_any_given = key.rows.iter().any(|row| *row != RowKey::Lacking);
        is_any_given.then_some(key)
    }

    fn row_key(&self, value: Option<&Expr>, column: &KeyColumn) -> Result<RowKey, StatementError> {
        let Some(expr) = value.filter(|value| !is_default(value)) else {
            return Ok(RowKey::Lacking);
        };
        match self.value(expr) {
            Some(ValueRef::Const(Value::Null)) if column.is_auto_increment => Ok(RowKey::Lacking),
            Some(value) => Ok(RowKey::Value(value)),
            // Not known here, and of no concern: it is the row's own.
            None if !column.is_auto_increment => Ok(RowKey::Value(ValueRef::Const(Value::Null))),
            None if is_never_zero(expr) => Ok(RowKey::Value(ValueRef::Const(Value::Int(-1)))),
            None => Err(StatementError::unsupported(format!(
                "The value of AUTO_INCREMENT column '{}' of sharded table '{}' must be a number, a \
                 string, a parameter or NULL, not an expression",
                column.column, column.table
            ))),
        }
    }

    /// Names the generated columns that the statement does not.
    pub(super) fn add_key_columns(
        &self,
        insert: &Insert,
        written: &Written<'_>,
        generated: &Generated,
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        let added = || generated.columns.iter().filter(|key| written.find(&key.column).is_none());
        let is_set = matches!(insert.source, sql::ast::InsertSource::Set(_));
        if added().next().is_none() || is_set {
            return Ok(());
        }
        if insert.has_row_alias_columns {
            return Err(StatementError::unsupported(
                "INSERT .. AS alias (columns) without a value of the generated column is not \
                 supported: name the column and give it NULL",
            ));
        }
        let span = insert.columns_span;
        let names = added().map(|key| quoted(&key.column)).collect::<Vec<_>>().join(", ");
        match &insert.columns {
            Some(columns) => {
                let comma = if columns.is_empty() { "" } else { ", " };
                draft.insert(span.end.saturating_sub(1), format!("{comma}{names}"));
            }
            None => {
                let own = written.names.iter().map(|name| quoted(name) + ", ").collect::<String>();
                draft.insert(span.start, format!(" ({own}{names})"));
            }
        }
        Ok(())
    }

    /// Where the generated keys of a row go; those of columns the statement does not name go before
    /// the byte `end`.
    pub(super) fn key_spans(
        &self,
        generated: &Generated,
        written: &Written<'_>,
        row: usize,
        end: u32,
        params_before: &dyn Fn(u32) -> u16,
    ) -> Vec<KeySpan> {
        let values = written.rows[row];
        let mut spans = Vec::new();
        let mut has_values = values.len() > 0;
        for (index, key) in generated.columns.iter().enumerate() {
            let (start, end, before) = match written.find(&key.column) {
                Some(at) => (values.at(at).span.start, values.at(at).span.end, String::new()),
                None => {
                    let comma = if std::mem::replace(&mut has_values, true) { ", " } else { "" };
                    (end, end, format!("{comma}{}", self.set_name(written, key)))
                }
            };
            let param = match &key.rows[row] {
                RowKey::Lacking => KeyParam::Added(params_before(start)),
                RowKey::Value(_) if !key.is_auto_increment => continue,
                RowKey::Value(ValueRef::Param(param)) => KeyParam::Replaces(*param),
                RowKey::Value(ValueRef::Const(value)) if key.is_given(value) => continue,
                RowKey::Value(_) => KeyParam::Added(params_before(start)),
            };
            spans.push(KeySpan {
                column: index as u16,
                start: position(self.literals, start),
                end: position(self.literals, end),
                before,
                param,
            });
        }
        spans.sort_by_key(|span| (span.start.literals_before, span.start.offset));
        spans
    }

    /// In INSERT .. SET a value has its column before it.
    fn set_name(&self, written: &Written<'_>, key: &KeyColumn) -> String {
        if written.is_set { format!("{} = ", quoted(&key.column)) } else { String::new() }
    }
}

/// UUID_SHORT() is neither NULL nor 0, and no sequence comes to it.
fn is_never_zero(expr: &Expr) -> bool {
    let ExprKind::Function(function) = &unwrapped(expr).kind else { return false };
    function.name.value.eq_ignore_ascii_case("UUID_SHORT") && function.args.is_empty()
}
