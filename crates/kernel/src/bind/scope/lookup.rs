//! Which column a name means.

use sql::ast::{ColumnName, Expr, ExprKind, Query, SelectItem};

use super::{Column, Scope};
use crate::bind::survey::{Member, MemberKind, row_by_row};
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
            let column = &name.name.value;
            let look = match &name.table {
                Some(table) => block
                    .members
                    .iter()
                    .find(|member| member.alias == table.value)
                    .map_or(Look::Absent, |member| self.look_in(member, column)),
                None => self.look_among(&block.members, column),
            };
            match look {
                Look::Column(column) => return Some(column),
                Look::Computed | Look::Unknown => return None,
                Look::Absent => next = block.parent,
            }
        }
        None
    }

    /// What an expression means, where it is a column.
    pub(in crate::bind) fn resolve_expr(&self, block: usize, expr: &Expr) -> Option<Column> {
        match &unwrapped(expr).kind {
            ExprKind::Column(name) => self.resolve(block, name),
            _ => None,
        }
    }

    /// The first member that has the column. A name that several have is an error, but for those
    /// of USING and NATURAL, where all are equal wherever [`Scope::is_merged_left`] holds.
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
        let Some(select) = row_by_row(query) else { return Look::Unknown };
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

    /// The metadata of a column.
    pub(in crate::bind) fn metadata(&self, column: Column) -> Option<&ColumnMetadata> {
        let table = self.tables.get(column.place).copied().flatten()?;
        table.metadata.as_ref()?.columns.get(column.position)
    }
}
