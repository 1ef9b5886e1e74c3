//! The blocks of a statement: each SELECT, or the part of another statement that reads tables.

use sql::ast::{Expr, Query, QueryBody, Select, TableFactor, TableName, TableRef};

/// One place at which a table is named.
#[derive(Debug, Clone, Copy)]
pub(in crate::bind) struct TableUse<'a> {
    /// The name.
    pub name: &'a TableName,
    /// In FROM: with its alias.
    pub factor: Option<&'a TableFactor>,
    /// The block whose FROM it stands in.
    pub block: Option<usize>,
}

/// A SELECT, or the part of another statement that reads tables.
#[derive(Debug, Clone, Default)]
pub(in crate::bind) struct Block<'a> {
    /// The block whose columns it can name as well: it is a sub-query in an expression there.
    pub parent: Option<usize>,
    /// It stands where only those rows of the parent matter that satisfy the parent's WHERE.
    pub is_inside_where: bool,
    /// FROM.
    pub from: &'a [TableRef],
    /// WHERE.
    pub where_: Option<&'a Expr>,
    /// The SELECT, where it is one.
    pub select: Option<&'a Select>,
    /// The members of FROM, in the order of the text.
    pub members: Vec<Member<'a>>,
    /// `outer IN (SELECT inner ..)`: pairs of an expression of the parent and one of this block of
    /// which only equal ones matter.
    pub links: Vec<(&'a Expr, &'a Expr)>,
}

/// A member of FROM.
#[derive(Debug, Clone, Copy)]
pub(in crate::bind) struct Member<'a> {
    /// By which its columns are qualified; empty without a name.
    pub alias: &'a str,
    /// What it is.
    pub kind: MemberKind<'a>,
}

/// What a member of FROM is.
#[derive(Debug, Clone, Copy)]
pub(in crate::bind) enum MemberKind<'a> {
    /// This place of [`super::Survey::tables`].
    Table(usize),
    /// A query in parentheses.
    Derived(&'a Query),
    /// A common table, a table function, `dual`.
    Other,
}

impl TableUse<'_> {
    /// The name by which columns are qualified.
    pub(in crate::bind) fn alias(&self) -> &str {
        self.factor
            .and_then(|factor| factor.alias.as_ref())
            .map_or(&self.name.name.value, |alias| &alias.value)
    }
}

/// The SELECT of a query of which no rows are cut off, grouped or computed from others: each of its
/// rows stands for one row of its FROM.
pub(in crate::bind) fn row_by_row(query: &Query) -> Option<&Select> {
    let QueryBody::Select(select) = &query.body else { return None };
    let is_plain = query.with.is_empty()
        && query.limit.is_none()
        && query.into.is_none()
        && select.group_by.is_empty()
        && select.having.is_none()
        && !select.has_window_clause
        && select.calc_found_rows.is_none();
    (is_plain && !super::aggregates(select)).then_some(&**select)
}
