//! Which column a name means.

use sql::ast::{
    ColumnName, Expr, ExprKind, JoinKind, Query, QueryBody, SelectItem, TableName, TableRef,
};

use super::{Column, Scope};
use crate::bind::survey::{Member, MemberKind};
use crate::bind::value::unwrapped;
use crate::model::ColumnMetadata;

/// What a name means among the members of FROM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bind) enum Look {
    /// This column.
    Column(Column),
    /// A column of a derived table that is no column of a table.
    Computed,
    /// Nothing.
    Absent,
    /// Cannot be told: a member's columns are not known.
    Unknown,
}

impl Scope<'_> {
    /// The column that a name means in a block; blocks around it are looked at where it means
    /// nothing there.
    pub(in crate::bind) fn resolve(&self, block: usize, name: &ColumnName) -> Option<Column> {
        let mut next = Some(block);
        while let Some(block) = next.and_then(|block| self.survey.blocks.get(block)) {
            match self.look_at(&block.members, name) {
                Look::Column(column) => return Some(column),
                Look::Computed | Look::Unknown => return None,
                Look::Absent => next = block.parent,
            }
        }
        None
    }

    fn look_at(&self, members: &[Member<'_>], name: &ColumnName) -> Look {
        let column = &name.name.value;
        match &name.table {
            Some(table) => members
                .iter()
                .find(|member| member.alias == table.value)
                .map_or(Look::Absent, |member| self.look_in(member, column)),
            None => self.look_among(members, column),
        }
    }

    /// What a name means in the FROM of a block.
    pub(in crate::bind) fn look(&self, block: usize, name: &ColumnName) -> Look {
        self.look_at(&self.survey.blocks[block].members, name)
    }

    /// What an expression means, where it is a column.
    pub(in crate::bind) fn resolve_expr(&self, block: usize, expr: &Expr) -> Option<Column> {
        match &unwrapped(expr).kind {
            ExprKind::Column(name) => self.resolve(block, name),
            _ => None,
        }
    }

    /// The first member that has the column. A name that several have is an error, but for those
    /// of USING and NATURAL, of which the first stands for all.
    fn look_among(&self, members: &[Member<'_>], column: &str) -> Look {
        for member in members {
            match self.look_in(member, column) {
                Look::Absent => {}
                found => return found,
            }
        }
        Look::Absent
    }

    /// A column of a member of FROM.
    pub(super) fn look_in(&self, member: &Member<'_>, column: &str) -> Look {
        match member.kind {
            MemberKind::Other => Look::Unknown,
            MemberKind::Derived(query) => self.look_in_query(query, column),
            MemberKind::Table(place) => match self.tables.get(place).copied().flatten() {
                None => Look::Unknown,
                Some(table) => match table.find_column(column) {
                    Some((position, _)) => Look::Column(Column { place, position }),
                    None => Look::Absent,
                },
            },
        }
    }

    /// A column of the result of a query in parentheses.
    fn look_in_query(&self, query: &Query, column: &str) -> Look {
        let QueryBody::Select(select) = &query.body else { return Look::Unknown };
        let Some(block) = self.block_of(select) else { return Look::Unknown };
        for item in &select.items {
            let look = match item {
                SelectItem::Wildcard { table, .. } => {
                    let members = &self.survey.blocks[block].members;
                    match table {
                        None => self.look_among(members, column),
                        Some(table) => members
                            .iter()
                            .find(|member| member.alias == table.name.value)
                            .map_or(Look::Unknown, |member| self.look_in(member, column)),
                    }
                }
                SelectItem::Expr { expr, alias, .. } => {
                    let own = match &unwrapped(expr).kind {
                        ExprKind::Column(name) => Some(&name.name.value),
                        _ => None,
                    };
                    let label = alias.as_ref().map(|alias| &alias.value).or(own);
                    if !label.is_some_and(|label| label.eq_ignore_ascii_case(column)) {
                        continue;
                    }
                    self.resolve_expr(block, expr).map_or(Look::Computed, Look::Column)
                }
            };
            if look != Look::Absent {
                return look;
            }
        }
        Look::Absent
    }

    /// By which the first member that has a column is qualified.
    pub(in crate::bind) fn owner(&self, block: usize, name: &ColumnName) -> Option<&str> {
        let mut members = self.survey.blocks[block].members.iter();
        let owner =
            members.find(|member| self.look_in(member, &name.name.value) != Look::Absent)?;
        (!owner.alias.is_empty()).then_some(owner.alias)
    }

    /// The columns of `*` or `t.*`, each with its qualifier; `None` where they cannot be told.
    pub(in crate::bind) fn visible_columns(
        &self,
        block: usize,
        table: Option<&TableName>,
    ) -> Option<Vec<(&str, &str)>> {
        let block = &self.survey.blocks[block];
        if table.is_none() && block.from.iter().any(merges_columns) {
            return None;
        }
        let is_meant =
            |member: &&Member<'_>| table.is_none_or(|table| table.name.value == member.alias);
        let mut columns = Vec::new();
        for member in block.members.iter().filter(is_meant) {
            let MemberKind::Table(place) = member.kind else { return None };
            let table = self.tables.get(place).copied().flatten()?;
            let all = table.metadata.iter().flat_map(|metadata| &metadata.columns);
            let visible = all.filter(|column| !column.is_invisible);
            columns.extend(visible.map(|column| (member.alias, column.name.as_str())));
        }
        Some(columns)
    }

    /// The column of a member of FROM.
    pub(in crate::bind) fn column_of(
        &self,
        block: usize,
        alias: &str,
        name: &str,
    ) -> Option<Column> {
        let mut members = self.survey.blocks[block].members.iter();
        match self.look_in(members.find(|member| member.alias == alias)?, name) {
            Look::Column(column) => Some(column),
            _ => None,
        }
    }

    /// The metadata of a column.
    pub(in crate::bind) fn metadata(&self, column: Column) -> Option<&ColumnMetadata> {
        let table = self.tables.get(column.place).copied().flatten()?;
        table.metadata.as_ref()?.columns.get(column.position)
    }
}

/// USING and NATURAL show a column once that both sides have.
fn merges_columns(table: &TableRef) -> bool {
    match table {
        TableRef::Join(join) => {
            !join.using.is_empty()
                || !matches!(join.kind, JoinKind::Inner | JoinKind::Left | JoinKind::Right)
                || merges_columns(&join.left)
                || merges_columns(&join.right)
        }
        TableRef::Nested(tables, _) => tables.iter().any(merges_columns),
        _ => false,
    }
}
