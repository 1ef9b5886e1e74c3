//! One walk over a statement: which tables, columns and functions it names, where, and what it does
//! to the session.

mod expr;

use sql::Span;
use sql::ast::{
    ColumnName, CommonTable, Expr, Function, Ident, Query, QueryBody, Select, SelectItem,
    SetOperator, TableFactor, TableName, TableRef,
};

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
    /// Conditions that all rows of a block satisfy; see [`TableUse::block`].
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
    /// Names of the common tables that are visible now.
    visible: Vec<&'a str>,
    /// The locking clause of the query at hand.
    lock: Option<Span>,
}

/// One place at which a table is named.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableUse<'a> {
    /// The name.
    pub name: &'a TableName,
    /// In FROM: with its alias.
    pub factor: Option<&'a TableFactor>,
    /// The block whose FROM it stands in.
    pub block: Option<usize>,
}

/// A SELECT, or the part of another statement that reads tables.
#[derive(Debug, Clone, Default)]
pub(super) struct Block<'a> {
    /// Conditions of which each holds for every row of the block.
    pub conditions: Vec<&'a Expr>,
    /// How many members FROM has.
    pub members: usize,
    /// Its FROM clause.
    pub from: &'a [TableRef],
    /// WHERE.
    pub where_: Option<&'a Expr>,
    /// The SELECT, where it is one.
    pub select: Option<&'a Select>,
    /// The locking clause of its query.
    pub lock: Option<Span>,
}

impl TableUse<'_> {
    /// The name by which columns are qualified.
    pub(super) fn alias(&self) -> &str {
        self.factor
            .and_then(|factor| factor.alias.as_ref())
            .map_or(&self.name.name.value, |alias| &alias.value)
    }
}

impl<'a> Survey<'a> {
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
            self.query(&table.query);
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

    /// A query with everything in it.
    pub(super) fn query(&mut self, query: &'a Query) {
        self.queries += 1;
        let outer = self.visible.len();
        let lock = std::mem::replace(&mut self.lock, query.lock);
        self.locks.extend(query.lock);
        self.common_tables(&query.with, query.is_recursive);
        self.body(&query.body);
        self.lock = lock;
        for item in &query.order_by {
            self.expr(&item.expr);
        }
        if let Some(limit) = &query.limit {
            self.exprs(limit.offset.iter());
            self.expr(&limit.count);
        }
        self.is_locking |= query.lock.is_some();
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
                    let block = self.block(Block { members: 1, ..Block::default() });
                    self.tables.push(TableUse { name, factor: None, block: Some(block) });
                }
            }
        }
    }

    fn select(&mut self, select: &'a Select) {
        self.effects.calculates_found_rows |= select.calc_found_rows.is_some();
        for item in &select.items {
            match item {
                SelectItem::Wildcard { table, .. } => self.wildcards.extend(table),
                SelectItem::Expr { expr, .. } => self.expr(expr),
            }
        }
        let conditions = select.where_.iter().collect();
        let block = self.from(&select.from, conditions);
        self.blocks[block].select = Some(select);
        self.exprs(select.where_.iter());
        self.exprs(select.group_by.iter().map(|item| &item.expr));
        self.exprs(select.having.iter());
        self.has_windows |= select.has_window_clause;
        for (_, window) in &select.windows {
            self.window(window);
        }
    }

    /// The tables of a FROM clause, in a block with these conditions.
    pub(super) fn from(&mut self, from: &'a [TableRef], conditions: Vec<&'a Expr>) -> usize {
        let where_ = conditions.first().copied();
        let block = self.block(Block { conditions, from, where_, ..Block::default() });
        for table in from {
            self.table_ref(table, block, true);
        }
        block
    }

    fn block(&mut self, block: Block<'a>) -> usize {
        self.blocks.push(Block { lock: self.lock, ..block });
        self.blocks.len() - 1
    }

    /// `is_inner`: no outer join stands between this table and the block, so that the conditions of
    /// its joins hold for every row.
    fn table_ref(&mut self, table: &'a TableRef, block: usize, is_inner: bool) {
        use sql::ast::JoinKind;
        if !matches!(table, TableRef::Join(_) | TableRef::Nested(..)) {
            self.blocks[block].members += 1;
        }
        match table {
            TableRef::Table(factor) => {
                if !self.is_common(&factor.name) {
                    self.tables.push(TableUse {
                        name: &factor.name,
                        factor: Some(factor),
                        block: Some(block),
                    });
                }
            }
            TableRef::Derived { query, .. } => self.query(query),
            TableRef::Join(join) => {
                let is_inner =
                    is_inner && matches!(join.kind, JoinKind::Inner | JoinKind::NaturalInner);
                self.table_ref(&join.left, block, is_inner);
                self.table_ref(&join.right, block, is_inner);
                if let Some(on) = &join.on {
                    self.expr(on);
                    if is_inner {
                        self.blocks[block].conditions.push(on);
                    }
                }
            }
            TableRef::Nested(tables, _) => {
                for table in tables {
                    self.table_ref(table, block, is_inner);
                }
            }
            TableRef::Function { span, .. } => self.opaque.push(*span),
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
