//! Random statements over a small world of tables, fixed by a seed.
//!
//! Every statement has one right answer, or says how far answers may differ ([`Closeness`]): a LIMIT
//! comes with an order that has no ties, or only the number of rows counts; where a group is shown by
//! one of several equal texts, texts are compared folded.

mod aggregate;
mod change;
mod join;
mod literal;
mod nested;
mod predicate;
mod query;
mod table;

use mysql_async::Value;

use crate::comparison::RowOrder;
use crate::random::Random;
pub use table::{Column, Kind, Spread, Table};

/// What kind of statement it is; refusals are counted for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A SELECT of one table: rows, DISTINCT, aggregates, groups.
    Plain,
    /// A SELECT that joins tables.
    Join,
    /// Sub-queries, derived tables, common tables, UNION.
    Nested,
    /// INSERT, REPLACE, UPDATE, DELETE.
    Change,
}

/// How near an answer has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closeness {
    /// The same values.
    Exact,
    /// Texts that a collation may take for equal count as equal.
    Folded,
    /// As many rows.
    Count,
}

/// A statement and how to look at its answer.
#[derive(Debug, Clone)]
pub struct GeneratedStatement {
    /// The statement.
    pub sql: String,
    /// Values of its `?`.
    pub parameters: Vec<Value>,
    /// What it is.
    pub class: Class,
    /// Whether the order of its rows is fixed.
    pub order: RowOrder,
    /// How near the answers have to be.
    pub closeness: Closeness,
    /// The table it changes.
    pub changes: Option<String>,
}

/// An endless source of statements.
#[derive(Debug)]
pub struct Generator {
    pub(crate) random: Random,
    tables: Vec<Table>,
    /// Literals in conditions may become parameters.
    has_parameters: bool,
    parameters: Vec<Value>,
    closeness: Closeness,
}

impl Generator {
    /// A generator; the same seed gives the same tables and statements.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let tables = table::world(&mut random);
        Self {
            random,
            tables,
            has_parameters: false,
            parameters: Vec::new(),
            closeness: Closeness::Exact,
        }
    }

    /// The tables of its world, to be made and spread before the first statement.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The first rows of every table, a statement or more each.
    pub fn first_rows(&mut self) -> Vec<String> {
        let mut statements = Vec::new();
        for index in 0..self.tables.len() {
            for _ in 0..4 {
                statements.push(self.insert_rows(index, 12));
            }
        }
        statements.into_iter().flatten().collect()
    }

    /// The next statement; with `has_parameters` some of its literals are parameters.
    pub fn next_statement(&mut self, has_parameters: bool) -> GeneratedStatement {
        self.has_parameters = has_parameters;
        self.parameters.clear();
        self.closeness = Closeness::Exact;
        let class = match self.random.below(20) {
            0..=9 => Class::Plain,
            10..=13 => Class::Join,
            14..=16 => Class::Nested,
            _ => Class::Change,
        };
        let mut changes = None;
        let (sql, order) = match class {
            Class::Plain => self.plain(),
            Class::Join => self.join(),
            Class::Nested => self.nested(),
            Class::Change => {
                let (sql, table) = self.change();
                changes = Some(table);
                (sql, RowOrder::Any)
            }
        };
        GeneratedStatement {
            sql,
            parameters: std::mem::take(&mut self.parameters),
            class,
            order,
            closeness: self.closeness,
            changes,
        }
    }

    /// From now on texts are compared folded, at least.
    fn loosen(&mut self, kind: Kind) {
        if kind == Kind::Text && self.closeness == Closeness::Exact {
            self.closeness = Closeness::Folded;
        }
    }
}

#[cfg(test)]
mod tests;
