//! Names that mean the logical database or a logical table, and what stands for them on a unit.

use std::sync::Arc;

use sql::Span;
use sql::ast::{ColumnName, Ident, Query, QueryBody, Select, SelectItem, TableName};

use super::Binder;
use super::survey::Survey;
use super::tables::{Found, Sharded};
use crate::error::StatementError;
use crate::model::DataNode;
use crate::plan::SpliceText;
use crate::rewrite::{Draft, quoted};

/// How long MySQL lets the label of an unnamed expression be, in characters.
const MAX_LABEL: usize = 64;

impl Binder<'_> {
    /// The edits that every statement needs: `database.` in front of names is taken out (each unit
    /// has its own database in use), `DATABASE()` becomes the logical name.
    pub(super) fn base_draft(&self, survey: &Survey<'_>) -> Draft {
        let mut draft = Draft::default();
        for used in &survey.tables {
            self.strip_database(used.name, &mut draft);
        }
        for wildcard in &survey.wildcards {
            self.strip_database(wildcard, &mut draft);
        }
        for column in &survey.columns {
            if let (Some(database), Some(table)) = (&column.database, &column.table) {
                self.strip(database, table, &mut draft);
            }
        }
        for (function, span) in &survey.functions {
            if let Some(schema) = &function.schema {
                self.strip(schema, &function.name, &mut draft);
            }
            let name = function.name.value.as_str();
            let is_database =
                name.eq_ignore_ascii_case("DATABASE") || name.eq_ignore_ascii_case("SCHEMA");
            if is_database && function.args.is_empty() && function.schema.is_none() {
                let text = match self.context.database {
                    Some(database) => {
                        format!("'{}'", database.name.replace('\\', "\\\\").replace('\'', "''"))
                    }
                    None => "NULL".to_owned(),
                };
                draft.replace(*span, SpliceText::Fixed(text));
            }
        }
        draft
    }

    /// Takes the qualifier of a table out.
    pub(super) fn strip_database(&self, name: &TableName, draft: &mut Draft) {
        if let Some(database) = &name.database {
            self.strip(database, &name.name, draft);
        }
    }

    /// Takes `database.` out where it is a logical database.
    pub(super) fn strip(&self, database: &Ident, name: &Ident, draft: &mut Draft) {
        if self.context.snapshot.databases.contains_key(&database.value) {
            draft.remove(Span::new(database.span.start, name.span.start));
        }
    }

    /// Gives unnamed select items whose text was edited the label they would have had.
    pub(super) fn keep_labels(&self, query: &Query, draft: &mut Draft) {
        let mut body = &query.body;
        while let QueryBody::SetOperation { left, .. } = body {
            body = left;
        }
        match body {
            QueryBody::Select(select) => self.keep_select_labels(select, draft),
            QueryBody::Nested(query) => self.keep_labels(query, draft),
            _ => {}
        }
    }

    fn keep_select_labels(&self, select: &Select, draft: &mut Draft) {
        for item in &select.items {
            let SelectItem::Expr { expr, alias: None, span } = item else { continue };
            let is_column = matches!(expr.kind, sql::ast::ExprKind::Column(_));
            if is_column || !draft.touches(*span) {
                continue;
            }
            let label = String::from_utf8_lossy(span.of(self.text));
            let label = label.chars().take(MAX_LABEL).collect::<String>();
            draft.insert(span.end, format!(" AS {}", quoted(label.trim_end())));
        }
    }

    /// Puts actual tables in the place of sharded ones in FROM, under their logical names as
    /// aliases, so that qualified columns need no edit.
    pub(super) fn alias_sharded(&self, survey: &Survey<'_>, draft: &mut Draft) {
        let nodes = survey.tables.iter().map(|used| match self.find_table(used.name) {
            Ok(Found::Sharded(sharded)) => Some(sharded.nodes.clone()),
            _ => None,
        });
        self.alias_places(survey, &nodes.collect::<Vec<_>>(), draft);
    }

    /// As [`Binder::alias_sharded`], with the nodes of each place given.
    pub(super) fn alias_places(
        &self,
        survey: &Survey<'_>,
        nodes: &[Option<Arc<[DataNode]>>],
        draft: &mut Draft,
    ) {
        for (used, nodes) in survey.tables.iter().zip(nodes) {
            let Some(nodes) = nodes.clone() else { continue };
            let name = used.name.name.span;
            match used.factor {
                Some(factor) if factor.alias.is_none() => {
                    let alias = used.name.name.value.clone();
                    if factor.alias_at == name.end {
                        draft.replace(name, SpliceText::TableNameAs(nodes, alias));
                    } else {
                        draft.replace(name, SpliceText::TableName(nodes));
                        draft.insert(factor.alias_at, format!(" AS {}", quoted(&alias)));
                    }
                }
                _ => draft.replace(name, SpliceText::TableName(nodes)),
            }
        }
    }

    /// Puts the actual table in one place where it can have no alias, and in the qualifiers of these
    /// columns; actual tables with aliases in all others.
    ///
    /// # Errors
    /// Another place has the same name, so that it cannot be told which is meant by it.
    pub(super) fn name_place(
        &self,
        survey: &Survey<'_>,
        named: Option<usize>,
        places: &[Option<Arc<[DataNode]>>],
        columns: &[&ColumnName],
        draft: &mut Draft,
    ) -> Result<(), StatementError> {
        let mut others = places.to_vec();
        let Some((place, nodes)) =
            named.and_then(|place| Some((place, others.get_mut(place)?.take()?)))
        else {
            self.alias_places(survey, places, draft);
            return Ok(());
        };
        self.alias_places(survey, &others, draft);
        let used = &survey.tables[place];
        draft.replace(used.name.name.span, SpliceText::TableName(nodes.clone()));
        if used.factor.is_some_and(|factor| factor.alias.is_some()) {
            return Ok(());
        }
        let name = used.alias();
        let is_qualified =
            columns.iter().any(|column| column.table.as_ref().is_some_and(|t| t.value == name));
        if is_qualified && survey.tables.iter().filter(|other| other.alias() == name).count() > 1 {
            return Err(StatementError::unsupported(format!(
                "A change of sharded table '{name}' with another place of that name is not \
                 supported; give it an alias"
            )));
        }
        for column in columns {
            if let Some(table) = &column.table
                && table.value == name
            {
                draft.replace(table.span, SpliceText::TableName(nodes.clone()));
            }
        }
        Ok(())
    }

    /// Puts the actual table in the place of a sharded one where it can have no alias: in its name
    /// and in the qualifiers of columns.
    pub(super) fn name_sharded(
        &self,
        survey: &Survey<'_>,
        sharded: Sharded<'_>,
        draft: &mut Draft,
    ) {
        let has_alias = survey
            .tables
            .iter()
            .any(|used| used.factor.is_some_and(|factor| factor.alias.is_some()));
        for used in &survey.tables {
            draft.replace(used.name.name.span, SpliceText::TableName(sharded.nodes.clone()));
        }
        if has_alias {
            return;
        }
        for column in &survey.columns {
            if let Some(table) = &column.table
                && table.value == *sharded.table.name
            {
                draft.replace(table.span, SpliceText::TableName(sharded.nodes.clone()));
            }
        }
    }
}
