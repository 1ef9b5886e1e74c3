//! Whether every node can answer its part of a statement for itself, so that the parts together are
//! the whole.

use sql::ast::{Expr, Join, JoinKind, Query, QueryBody, Select, SelectItem, SetOperator, TableRef};

use super::Binder;
use super::scope::{Column, Equalities, Scope};
use super::survey::{MemberKind, Survey, row_by_row};
use super::tables::Sharded;

/// How the rows of a part of a statement lie over the nodes.
#[derive(Debug, Clone)]
pub(super) enum Spread {
    /// The same rows on every node.
    Same,
    /// Each row on one node: that of these places, by their sharding columns.
    Split(Vec<usize>),
}

/// Why nodes cannot answer for themselves, as the beginning of a sentence: "A sub-query".
pub(super) type Reason = String;

/// The statement that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Colocation<'c> {
    pub binder: &'c Binder<'c>,
    pub survey: &'c Survey<'c>,
    pub scope: &'c Scope<'c>,
}

impl Colocation<'_> {
    /// How the rows of a query lie. `around` are the places of the blocks in which it stands.
    ///
    /// # Errors
    /// They depend on rows of several nodes.
    pub(super) fn query(&self, query: &Query, around: &[usize]) -> Result<Spread, Reason> {
        if !query.with.is_empty() {
            return Err("WITH".to_owned());
        }
        if query.limit.is_some() {
            return Err("LIMIT in a part of the statement".to_owned());
        }
        let select = match &query.body {
            QueryBody::Select(select) => select,
            body => return self.body(body, around),
        };
        let spread = self.select(select, around)?;
        let Spread::Split(places) = &spread else { return Ok(spread) };
        if row_by_row(query).is_some() && select.distinct.is_none() {
            return Ok(spread);
        }
        if row_by_row(query).is_some() && !self.keeping_key(select, places).is_empty() {
            return Ok(spread);
        }
        let kept = self.grouping_by_key(select, places);
        if select.distinct.is_none() && !kept.is_empty() {
            return Ok(Spread::Split(kept));
        }
        Err("A derived table or part of a UNION that groups rows".to_owned())
    }

    fn body(&self, body: &QueryBody, around: &[usize]) -> Result<Spread, Reason> {
        match body {
            QueryBody::Select(select) => {
                let spread = self.select(select, around)?;
                let groups = select.distinct.is_some()
                    || !select.group_by.is_empty()
                    || select.having.is_some()
                    || select.has_window_clause
                    || super::survey::aggregates(select);
                match &spread {
                    Spread::Split(places)
                        if groups && self.grouping_by_key(select, places).is_empty() =>
                    {
                        Err("A part of a UNION that groups rows".to_owned())
                    }
                    _ => Ok(spread),
                }
            }
            QueryBody::SetOperation { left, operator, is_all, right } => {
                match (self.body(left, around)?, self.body(right, around)?) {
                    (Spread::Same, Spread::Same) => Ok(Spread::Same),
                    (Spread::Split(_), Spread::Split(_))
                        if *operator == SetOperator::Union && *is_all =>
                    {
                        Ok(Spread::Split(Vec::new()))
                    }
                    _ => Err("UNION".to_owned()),
                }
            }
            QueryBody::Nested(query) => self.query(query, around),
            QueryBody::Values(_) => Ok(Spread::Same),
            QueryBody::Table(_) => Err("TABLE (write SELECT * FROM)".to_owned()),
        }
    }

    /// How the rows of the FROM and WHERE of a SELECT lie.
    pub(super) fn select(&self, select: &Select, around: &[usize]) -> Result<Spread, Reason> {
        let block = self.scope.block_of(select).ok_or_else(|| "A sub-query".to_owned())?;
        self.block(block, around)
    }

    /// How the rows of a block lie, and whether its sub-queries find all of their rows where it
    /// does.
    pub(super) fn block(&self, block: usize, around: &[usize]) -> Result<Spread, Reason> {
        let mut spread = Spread::Same;
        let mut next = 0;
        for table in self.survey.blocks[block].from {
            let side = self.side(table, block, &mut next)?;
            spread = self.inner(spread, side)?;
        }
        let own = match &spread {
            Spread::Same => &[][..],
            Spread::Split(places) => places.as_slice(),
        };
        let around = [around, own].concat();
        let children = (block + 1..self.survey.blocks.len())
            .filter(|child| self.survey.blocks[*child].parent == Some(block));
        for child in children {
            let Spread::Split(inside) = self.block(child, &around)? else { continue };
            let equal = self.scope.equal_in_block(child);
            let is_joined = inside.iter().any(|a| around.iter().any(|b| self.meet(*a, *b, &equal)));
            if !is_joined {
                return Err(format!(
                    "A sub-query on '{}' that is not joined by the sharding columns",
                    self.names(&inside)
                ));
            }
        }
        Ok(spread)
    }

    fn side(&self, table: &TableRef, block: usize, next: &mut usize) -> Result<Spread, Reason> {
        match table {
            TableRef::Table(_) | TableRef::Derived { .. } | TableRef::Function { .. } => {
                let member = self.survey.blocks[block].members.get(*next);
                *next += 1;
                match member.map(|member| member.kind) {
                    Some(MemberKind::Table(place)) => Ok(match self.scope.sharded(place) {
                        Some(_) => Spread::Split(vec![place]),
                        None => Spread::Same,
                    }),
                    Some(MemberKind::Derived(query)) => self.query(query, &[]),
                    _ => Err("A derived table, common table or table function".to_owned()),
                }
            }
            TableRef::Nested(tables, _) => {
                let mut spread = Spread::Same;
                for table in tables {
                    let side = self.side(table, block, next)?;
                    spread = self.inner(spread, side)?;
                }
                Ok(spread)
            }
            TableRef::Join(join) => self.join(join, block, next),
        }
    }

    fn join(&self, join: &Join, block: usize, next: &mut usize) -> Result<Spread, Reason> {
        let left = self.side(&join.left, block, next)?;
        let right = self.side(&join.right, block, next)?;
        match join.kind {
            JoinKind::Inner | JoinKind::NaturalInner => self.inner(left, right),
            JoinKind::Left | JoinKind::NaturalLeft => self.outer(left, right),
            JoinKind::Right | JoinKind::NaturalRight => self.outer(right, left),
        }
    }

    fn inner(&self, left: Spread, right: Spread) -> Result<Spread, Reason> {
        let (mut left, right) = match (left, right) {
            (Spread::Same, other) | (other, Spread::Same) => return Ok(other),
            (Spread::Split(left), Spread::Split(right)) => (left, right),
        };
        let is_joined = left
            .iter()
            .any(|a| right.iter().any(|b| self.meet(*a, *b, &self.scope.equal_for_both(*a, *b))));
        if !is_joined {
            return Err(self.not_joined(&left, &right));
        }
        left.extend(right);
        Ok(Spread::Split(left))
    }

    /// `kept` keeps its rows, `filled` may be filled with NULL.
    fn outer(&self, kept: Spread, filled: Spread) -> Result<Spread, Reason> {
        let (mut kept, filled) = match (kept, filled) {
            (kept, Spread::Same) => return Ok(kept),
            (Spread::Same, Spread::Split(filled)) => {
                return Err(format!(
                    "An outer join that keeps rows which are on every node, with '{}',",
                    self.names(&filled)
                ));
            }
            (Spread::Split(kept), Spread::Split(filled)) => (kept, filled),
        };
        let is_joined = filled.iter().any(|b| {
            let equal = self.scope.equal_for(*b);
            kept.iter().any(|a| self.meet(*a, *b, &equal))
        });
        if !is_joined {
            return Err(self.not_joined(&kept, &filled));
        }
        kept.extend(filled);
        Ok(Spread::Split(kept))
    }

    /// Rows of both places that are combined are on the same node.
    fn meet(&self, left: usize, right: usize, equal: &Equalities) -> bool {
        let (Some(a), Some(b)) = (self.keys(left), self.keys(right)) else { return false };
        let (Some(left), Some(right)) = (self.scope.sharded(left), self.scope.sharded(right))
        else {
            return false;
        };
        a.len() == b.len()
            && a.iter().zip(&b).all(|(a, b)| equal.are_equal(*a, *b))
            && self
                .binder
                .route_stage(left)
                .is_ok_and(|stage| stage.are_bound(left.table, right.table))
    }

    /// The sharding columns of a place; `None` where no column places its rows.
    pub(super) fn keys(&self, place: usize) -> Option<Vec<Column>> {
        let sharded = self.scope.sharded(place)?;
        let stage = self.binder.route_stage(sharded).ok()?;
        let columns = stage.sharding_columns(&sharded.table.name)?;
        let position = |name: &String| {
            let (position, _) = sharded.table.find_column(name)?;
            Some(Column { place, position })
        };
        let keys = columns.iter().map(position).collect::<Option<Vec<_>>>()?;
        (!keys.is_empty()).then_some(keys)
    }

    /// The places of which all rows of a group are on one node.
    fn grouping_by_key(&self, select: &Select, places: &[usize]) -> Vec<usize> {
        if select.with_rollup || select.has_window_clause || self.survey.has_windows {
            return Vec::new();
        }
        self.holding_key(select, select.group_by.iter().map(|item| &item.expr), places)
    }

    /// The places of which rows that are equal in the select list are on one node.
    fn keeping_key(&self, select: &Select, places: &[usize]) -> Vec<usize> {
        let exprs = select.items.iter().filter_map(|item| match item {
            SelectItem::Expr { expr, .. } => Some(expr),
            SelectItem::Wildcard { .. } => None,
        });
        self.holding_key(select, exprs, places)
    }

    /// The places whose sharding columns are among these expressions.
    fn holding_key<'e>(
        &self,
        select: &Select,
        exprs: impl Iterator<Item = &'e Expr>,
        places: &[usize],
    ) -> Vec<usize> {
        let Some(block) = self.scope.block_of(select) else { return Vec::new() };
        let columns =
            exprs.filter_map(|expr| self.scope.resolve_expr(block, expr)).collect::<Vec<_>>();
        let equal = self.scope.equal_in_block(block);
        let is_held = |key: &Column| columns.iter().any(|column| equal.are_equal(*key, *column));
        let stays = |sharded: Sharded<'_>| {
            let stage = self.binder.route_stage(sharded);
            stage.is_ok_and(|stage| stage.are_bound(sharded.table, sharded.table))
        };
        let holds = |place: &usize| {
            self.scope.sharded(*place).is_some_and(stays)
                && self.keys(*place).is_some_and(|keys| keys.iter().all(is_held))
        };
        places.iter().copied().filter(holds).collect()
    }

    fn not_joined(&self, left: &[usize], right: &[usize]) -> Reason {
        format!(
            "A join of '{}' with '{}' that does not make their sharding columns equal",
            self.names(left),
            self.names(right)
        )
    }

    fn names(&self, places: &[usize]) -> String {
        let names = places.iter().filter_map(|place| self.survey.tables.get(*place));
        names.map(|used| used.alias()).collect::<Vec<_>>().join("', '")
    }
}
