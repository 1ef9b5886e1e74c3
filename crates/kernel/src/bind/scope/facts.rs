//! Which conditions hold for the rows of each place.
//!
//! A condition in WHERE holds for every row that matters, of whatever member of FROM it is: a row
//! that an outer join had to make up has NULL where it is asked, and fails. A condition in ON holds
//! for the rows of the side that an outer join fills with NULL, not for those of the other side; for
//! both sides of an inner join.

use sql::ast::{BinaryOp, Expr, ExprKind, Ident, Join, JoinKind, QueryBody, TableRef};

use super::{Column, Fact, FactId, Look, Scope};
use crate::bind::survey::{MemberKind, row_by_row};

/// One side of a join.
struct Side<'s> {
    /// Its members, from and to.
    members: (usize, usize),
    /// What holds for all of its rows.
    holds: Vec<FactId>,
    /// Members that may be filled with NULL, with what holds for their rows where they are not.
    filled: Vec<((usize, usize), Vec<FactId>)>,
    /// Names of USING, by which the first member that has the column is meant.
    merged: Vec<&'s str>,
}

impl Side<'_> {
    fn of(members: (usize, usize)) -> Self {
        Self { members, holds: Vec::new(), filled: Vec::new(), merged: Vec::new() }
    }
}

impl<'s> Scope<'s> {
    /// Gathers the facts of all blocks. A block comes before those inside of it.
    pub(super) fn gather(&mut self) {
        let survey = self.survey;
        let mut incoming: Vec<Vec<FactId>> = vec![Vec::new(); survey.blocks.len()];
        let mut around: Vec<Vec<FactId>> = vec![Vec::new(); survey.blocks.len()];
        for (index, block) in survey.blocks.iter().enumerate() {
            let mut own: Vec<Vec<FactId>> = vec![Vec::new(); block.members.len()];
            let mut next = 0;
            let mut whole = Side::of((0, 0));
            for table in block.from {
                let side = self.side(table, index, &mut next, &mut own);
                whole = join_inner(whole, side, &[], &mut own);
            }
            let mut base = std::mem::take(&mut incoming[index]);
            if let Some(parent) = block.parent.filter(|_| block.is_inside_where) {
                base.extend(&self.of_block[parent]);
            }
            if let Some(where_) = block.where_ {
                base.push(self.condition(where_, index));
            }
            if let Some(parent) = block.parent {
                for (outer, inner) in &block.links {
                    let outer = self.resolve_expr(parent, outer);
                    let pair = outer.zip(self.resolve_expr(index, inner));
                    base.extend(pair.map(|pair| self.equality(pair)));
                }
            }
            let outer = std::mem::take(&mut around[index]);
            for (member, mut facts) in block.members.iter().zip(own) {
                facts.extend(&base);
                match member.kind {
                    MemberKind::Table(place) => {
                        self.of_place[place] = facts;
                        self.around[place].clone_from(&outer);
                    }
                    MemberKind::Derived(query) => {
                        let inside = match &query.body {
                            QueryBody::Select(select) => self.block_of(select),
                            _ => None,
                        };
                        let Some(inside) = inside else { continue };
                        around[inside].clone_from(&outer);
                        if row_by_row(query).is_some() {
                            incoming[inside] = facts;
                        } else {
                            around[inside].extend(facts);
                        }
                    }
                    MemberKind::Other => {}
                }
            }
            whole.holds.extend(base);
            self.of_block[index] = whole.holds;
        }
    }

    fn condition(&mut self, expr: &'s Expr, block: usize) -> FactId {
        let mut equal = Vec::new();
        self.equal_columns(expr, block, &mut equal);
        self.facts.push(Fact { condition: Some((expr, block)), equal });
        self.facts.len() - 1
    }

    fn equality(&mut self, pair: (Column, Column)) -> FactId {
        self.facts.push(Fact { condition: None, equal: vec![pair] });
        self.facts.len() - 1
    }

    /// Pairs of columns that are equal where the condition is TRUE.
    fn equal_columns(&self, expr: &Expr, block: usize, equal: &mut Vec<(Column, Column)>) {
        match &expr.kind {
            ExprKind::Nested(inner) => self.equal_columns(inner, block, equal),
            ExprKind::Binary(left, BinaryOp::And, right) => {
                self.equal_columns(left, block, equal);
                self.equal_columns(right, block, equal);
            }
            ExprKind::Binary(left, BinaryOp::Equal, right) => {
                let pairs = match (&left.kind, &right.kind) {
                    (ExprKind::Row(left), ExprKind::Row(right)) if left.len() == right.len() => {
                        left.iter().zip(right).collect()
                    }
                    _ => vec![(&**left, &**right)],
                };
                for (left, right) in pairs {
                    let left = self.resolve_expr(block, left);
                    equal.extend(left.zip(self.resolve_expr(block, right)));
                }
            }
            _ => {}
        }
    }

    fn side(
        &mut self,
        table: &'s TableRef,
        block: usize,
        next: &mut usize,
        own: &mut [Vec<FactId>],
    ) -> Side<'s> {
        match table {
            TableRef::Table(_) | TableRef::Derived { .. } | TableRef::Function { .. } => {
                *next += 1;
                Side::of((*next - 1, *next))
            }
            TableRef::Nested(tables, _) => {
                let mut whole = Side::of((*next, *next));
                for table in tables {
                    let side = self.side(table, block, next, own);
                    whole = join_inner(whole, side, &[], own);
                }
                whole
            }
            TableRef::Join(join) => {
                let left = self.side(&join.left, block, next, own);
                let right = self.side(&join.right, block, next, own);
                let mut on = self.join_facts(join, block, &left, &right);
                self.add_asked(block, &left, &right, &mut on);
                let members = (left.members.0, right.members.1);
                let mut whole = match join.kind {
                    JoinKind::Inner | JoinKind::NaturalInner => join_inner(left, right, &on, own),
                    JoinKind::Left | JoinKind::NaturalLeft => join_outer(left, right, &on, own),
                    JoinKind::Right | JoinKind::NaturalRight => {
                        let whole = join_outer(right, left, &on, own);
                        return Side { members, merged: Vec::new(), ..whole };
                    }
                };
                whole.members = members;
                whole.merged.extend(join.using.iter().map(|name| name.value.as_str()));
                whole
            }
        }
    }

    /// Where a condition makes a column equal to one that may be filled with NULL, it is not filled
    /// in the rows for which the condition holds.
    fn add_asked(&self, block: usize, left: &Side<'_>, right: &Side<'_>, on: &mut Vec<FactId>) {
        let members = &self.survey.blocks[block].members;
        let asked = on.iter().filter_map(|id| self.facts.get(*id)).flat_map(|fact| &fact.equal);
        let asked = asked.flat_map(|(a, b)| [a.place, b.place]).collect::<Vec<_>>();
        for ((from, to), facts) in left.filled.iter().chain(&right.filled) {
            let is_asked = members[*from..*to].iter().any(|member| match member.kind {
                MemberKind::Table(place) => asked.contains(&place),
                _ => false,
            });
            if is_asked {
                on.extend(facts);
            }
        }
    }

    /// What the condition of a join says, in whatever way it is written.
    fn join_facts(
        &mut self,
        join: &'s Join,
        block: usize,
        left: &Side<'_>,
        right: &Side<'_>,
    ) -> Vec<FactId> {
        let mut facts = Vec::new();
        if let Some(on) = &join.on {
            facts.push(self.condition(on, block));
        }
        for name in &join.using {
            facts.extend(self.same_name(block, name, left, right));
        }
        let is_natural = matches!(
            join.kind,
            JoinKind::NaturalInner | JoinKind::NaturalLeft | JoinKind::NaturalRight
        );
        if is_natural {
            facts.extend(self.natural(block, left, right));
        }
        facts
    }

    /// USING: the column of this name on both sides.
    fn same_name(
        &mut self,
        block: usize,
        name: &Ident,
        left: &Side<'_>,
        right: &Side<'_>,
    ) -> Option<FactId> {
        let pair = self.only(block, &name.value, left).zip(self.only(block, &name.value, right))?;
        Some(self.equality(pair))
    }

    /// The column of a side, where one member only has it, or the first of those that USING has
    /// merged, and the columns of all members are known.
    fn only(&self, block: usize, name: &str, side: &Side<'_>) -> Option<Column> {
        let members = &self.survey.blocks[block].members[side.members.0..side.members.1];
        let mut found = None;
        for member in members {
            match (self.look_in(member, name), found) {
                (Look::Column(column), None) => found = Some(column),
                (Look::Absent, _) => {}
                (Look::Column(_), Some(_))
                    if side.merged.iter().any(|merged| merged.eq_ignore_ascii_case(name)) => {}
                _ => return None,
            }
        }
        found
    }

    /// NATURAL: all columns of both sides that have the same names.
    fn natural(&mut self, block: usize, left: &Side<'_>, right: &Side<'_>) -> Vec<FactId> {
        let survey = self.survey;
        let members = &survey.blocks[block].members[left.members.0..left.members.1];
        let mut names = Vec::new();
        for member in members {
            let MemberKind::Table(place) = member.kind else { return Vec::new() };
            let Some(table) = self.tables[place] else { return Vec::new() };
            names.extend(table.metadata.iter().flat_map(|found| &found.columns).map(|c| &c.name));
        }
        let pair = |name: &&String| self.only(block, name, left).zip(self.only(block, name, right));
        let pairs = names.into_iter().filter_map(|name| pair(&name)).collect::<Vec<_>>();
        pairs.into_iter().map(|pair| self.equality(pair)).collect()
    }
}

/// Both sides have what holds for the other, and the condition.
fn join_inner<'s>(
    left: Side<'s>,
    right: Side<'s>,
    on: &[FactId],
    own: &mut [Vec<FactId>],
) -> Side<'s> {
    add(own, left.members, &right.holds);
    add(own, right.members, &left.holds);
    let members = (left.members.0, right.members.1);
    add(own, members, on);
    let mut whole = left;
    whole.members = members;
    whole.holds.extend(right.holds);
    whole.filled.extend(right.filled);
    whole.holds.extend(on);
    whole
}

/// The side that may be filled with NULL has what holds for the other, and the condition.
fn join_outer<'s>(
    kept: Side<'s>,
    filled: Side<'s>,
    on: &[FactId],
    own: &mut [Vec<FactId>],
) -> Side<'s> {
    add(own, filled.members, &kept.holds);
    add(own, filled.members, on);
    let mut kept = kept;
    kept.filled.push((filled.members, [on, &filled.holds].concat()));
    kept.filled.extend(filled.filled);
    kept
}

fn add(own: &mut [Vec<FactId>], members: (usize, usize), facts: &[FactId]) {
    for member in own.iter_mut().take(members.1).skip(members.0) {
        member.extend(facts);
    }
}
