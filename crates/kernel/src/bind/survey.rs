//! One walk over a statement: which tables, columns and functions it names, where, and what it does
//! to the session.

mod block;
mod expr;
mod pure_function;

use sql::Span;
use sql::ast::{
    ColumnName, CommonTable, Expr, ExprKind, Function, Ident, Query, QueryBody, Select, SelectItem,
    SetOperator, TableName, TableRef,
};

pub(super) use block::{Block, Member, MemberKind, TableUse, row_by_row};

use super::merge_plan::is_aggregate;
use super::value::unwrapped;
use crate::plan::Effects;

/// What a statement names. Common tables and `dual` are left out.
#[derive(Debug, Default)]
pub(super) struct Survey<'a> {
    /// Every place at which a table is named.
    pub tables: Vec<TableUse<'a>>,
    /// Tables in front of `.*`.
    pub wildcards: Vec<&'a TableName>,
    /// Every column.
    pub columns: Vec<&'a ColumnName>,
    /// Every function with where its call stands.
    pub functions: Vec<(&'a Function, Span)>,
    /// Every SELECT, and what of other statements reads tables; see [`TableUse::block`].
    pub blocks: Vec<Block<'a>>,
    /// What it does to the session.
    pub effects: Effects,
    /// Parts that are known by their text only.
    pub opaque: Vec<Span>,
    /// Where the parameters stand.
    pub param_spans: Vec<Span>,
    /// How many queries there are, sub-queries included.
    pub queries: usize,
    /// A query locks the rows it reads.
    pub is_locking: bool,
    /// The locking clauses.
    pub locks: Vec<Span>,
    /// Names of common tables where they are read, but for those in their own definitions.
    pub common_uses: Vec<&'a str>,
    /// It has MATCH .. AGAINST.
    pub has_match: bool,
    /// It has INTERSECT or EXCEPT, or windows.
    pub has_windows: bool,
    /// Sub-queries are not looked into.
    skips_queries: bool,
    /// Names of the common tables that are visible now.
    visible: Vec<&'a str>,
    /// The locking clause of the query at hand.
    lock: Option<Span>,
    /// The block whose expressions are walked, and whether they are inside of its WHERE or behind
    /// it.
    current: Option<(usize, bool)>,
}

impl<'a> Survey<'a> {
    /// One that does not look into sub-queries.
    pub(super) fn without_queries() -> Self {
        Self { skips_queries: true, ..Self::default() }
    }

    /// A table outside of FROM.
    pub(super) fn table(&mut self, name: &'a TableName) {
        self.tables.push(TableUse { name, factor: None, block: None });
    }

    /// Common tables of a statement that is not a query; they stay visible.
    pub(super) fn common_tables(&mut self, tables: &'a [CommonTable], is_recursive: bool) {
        for table in tables {
            if is_recursive {
                self.visible.push(&table.name.value);
            }
            let own = self.common_uses.len();
            self.outside(|survey| survey.query(&table.query));
            let name = table.name.value.as_str();
            let mut index = 0;
            self.common_uses.retain(|used| {
                index += 1;
                index <= own || !used.eq_ignore_ascii_case(name)
            });
            if !is_recursive {
                self.visible.push(&table.name.value);
            }
        }
    }

    /// Walks what can name no columns of the blocks around it.
    fn outside(&mut self, walk: impl FnOnce(&mut Self)) {
        let around = self.current.take();
        walk(self);
        self.current = around;
    }

    /// A query with everything in it.
    pub(super) fn query(&mut self, query: &'a Query) {
        self.queries += 1;
        if self.skips_queries {
            return;
        }
        let outer = self.visible.len();
        let lock = std::mem::replace(&mut self.lock, query.lock);
        self.locks.extend(query.lock);
        self.common_tables(&query.with, query.is_recursive);
        self.body(&query.body);
        self.lock = lock;
        self.outside(|survey| {
            survey.exprs(query.order_by.iter().map(|item| &item.expr));
            if let Some(limit) = &query.limit {
                survey.exprs(limit.offset.iter());
                survey.expr(&limit.count);
            }
        });
        self.is_locking |= query.lock.is_some();
        self.effects.needs_primary |= query.lock.is_some() || query.into.is_some();
        if let Some(into) = &query.into {
            self.effects
                .assigns_user_variables
                .extend(into.variables.iter().map(|name| name.to_ascii_lowercase()));
        }
        self.visible.truncate(outer);
    }

    fn body(&mut self, body: &'a QueryBody) {
        match body {
            QueryBody::Select(select) => self.select(select),
            QueryBody::SetOperation { left, operator, right, .. } => {
                self.has_windows |= *operator != SetOperator::Union;
                self.body(left);
                self.body(right);
            }
            QueryBody::Nested(query) => self.query(query),
            QueryBody::Values(rows) => self.exprs(rows.iter().flatten()),
            QueryBody::Table(name) => {
                if !self.is_common(name) {
                    let kind = MemberKind::Table(self.tables.len());
                    let members = vec![Member { alias: &name.name.value, kind }];
                    let block = self.block(Block { members, ..Block::default() });
                    self.tables.push(TableUse { name, factor: None, block: Some(block) });
                }
            }
        }
    }

    fn select(&mut self, select: &'a Select) {
        self.effects.calculates_found_rows |= select.calc_found_rows.is_some();
        self.effects.needs_primary |= select.calc_found_rows.is_some();
        let around = self.current;
        let block = self.from(&select.from, select.where_.as_ref());
        self.blocks[block].select = Some(select);
        for item in &select.items {
            match item {
                SelectItem::Wildcard { table, .. } => self.wildcards.extend(table),
                SelectItem::Expr { expr, .. } => self.expr(expr),
            }
        }
        self.exprs(select.where_.iter());
        self.exprs(select.group_by.iter().map(|item| &item.expr));
        self.exprs(select.having.iter());
        self.has_windows |= select.has_window_clause;
        for (_, window) in &select.windows {
            self.window(window);
        }
        self.current = around;
    }

    /// The tables of a FROM clause, in a block with this WHERE. Expressions that are walked from
    /// now on stand in this block.
    pub(super) fn from(&mut self, from: &'a [TableRef], where_: Option<&'a Expr>) -> usize {
        let block = self.block(Block { from, where_, ..Block::default() });
        for table in from {
            self.table_ref(table, block);
        }
        self.current = Some((block, true));
        block
    }

    fn block(&mut self, block: Block<'a>) -> usize {
        let parent = self.current.map(|(parent, _)| parent);
        let is_inside_where = self.current.is_some_and(|(_, is_inside)| is_inside);
        let lock = self.lock;
        self.blocks.push(Block { parent, is_inside_where, lock, ..block });
        self.blocks.len() - 1
    }

    fn table_ref(&mut self, table: &'a TableRef, block: usize) {
        let member = |alias, kind| Member { alias, kind };
        let named = |alias: &'a Option<Ident>| alias.as_ref().map_or("", |alias| &alias.value);
        match table {
            TableRef::Table(factor) => {
                let alias = factor.alias.as_ref().unwrap_or(&factor.name.name).value.as_str();
                if self.is_common(&factor.name) {
                    self.blocks[block].members.push(member(alias, MemberKind::Other));
                    return;
                }
                let kind = MemberKind::Table(self.tables.len());
                self.blocks[block].members.push(member(alias, kind));
                self.tables.push(TableUse {
                    name: &factor.name,
                    factor: Some(factor),
                    block: Some(block),
                });
            }
            TableRef::Derived { query, alias, span, .. } => {
                // A list of names behind the alias hides those of the query.
                let has_names = alias.as_ref().is_some_and(|alias| alias.span.end != span.end);
                let kind = if has_names { MemberKind::Other } else { MemberKind::Derived(query) };
                self.blocks[block].members.push(member(named(alias), kind));
                self.outside(|survey| survey.query(query));
            }
            TableRef::Join(join) => {
                self.table_ref(&join.left, block);
                self.table_ref(&join.right, block);
                if let Some(on) = &join.on {
                    let around = self.current.replace((block, false));
                    self.expr(on);
                    self.current = around;
                }
            }
            TableRef::Nested(tables, _) => {
                for table in tables {
                    self.table_ref(table, block);
                }
            }
            TableRef::Function { span, alias } => {
                self.blocks[block].members.push(member(named(alias), MemberKind::Other));
                self.effects.needs_primary = true;
                self.opaque.push(*span);
            }
        }
    }

    /// `outer IN (SELECT inner ..)`: of the rows of the sub-query only those matter that are equal.
    fn link(&mut self, outer: &'a Expr, query: &'a Query) {
        let Some(select) = row_by_row(query) else { return };
        let is_this = |block: &&mut Block<'a>| {
            block.select.is_some_and(|other| std::ptr::eq(other, select)) && block.parent.is_some()
        };
        let Some(block) = self.blocks.iter_mut().rev().find(is_this) else { return };
        let outer = match &unwrapped(outer).kind {
            ExprKind::Row(items) => items.iter().collect(),
            _ => vec![outer],
        };
        for (outer, item) in outer.into_iter().zip(&select.items) {
            let SelectItem::Expr { expr, .. } = item else { return };
            block.links.push((outer, expr));
        }
    }

    /// True for common tables and `dual`.
    fn is_common(&mut self, name: &'a TableName) -> bool {
        let Ident { value, .. } = &name.name;
        if name.database.is_some() {
            return false;
        }
        let is_visible = self.visible.iter().any(|visible| visible.eq_ignore_ascii_case(value));
        if is_visible {
            self.common_uses.push(value);
        }
        is_visible || value.eq_ignore_ascii_case("dual")
    }
}

/// The SELECT computes rows from several of its FROM: an aggregate or a window stands in its list.
pub(super) fn aggregates(select: &Select) -> bool {
    let mut survey = Survey::without_queries();
    for item in &select.items {
        if let SelectItem::Expr { expr, .. } = item {
            survey.expr(expr);
        }
    }
    survey.functions.iter().any(|(function, _)| function.is_windowed || is_aggregate(function))
}
