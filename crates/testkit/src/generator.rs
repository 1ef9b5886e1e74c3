//! Random statements inside the supported grammar, fixed by a seed.
//!
//! One table with a sharding column and a column of each common type. Every statement has one
//! right answer: a LIMIT comes with an order that has no ties, and a write cannot fail half way.

mod query;
mod value;

use crate::comparison::RowOrder;
use crate::random::Random;

/// The columns besides `id`, and what values they take.
pub(crate) const COLUMNS: &[(&str, Kind)] = &[
    ("a", Kind::Int),
    ("b", Kind::UnsignedBigint),
    ("s", Kind::Text),
    ("d", Kind::Decimal),
    ("m", Kind::Datetime),
];

/// Values stay between plus and minus this, so that predicates meet them.
pub(crate) const ID_LIMIT: i64 = 60;

/// The type of a generated column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    UnsignedBigint,
    Text,
    Decimal,
    Datetime,
}

/// A statement and how to look at its answer.
#[derive(Debug, Clone)]
pub struct GeneratedStatement {
    /// The statement.
    pub sql: String,
    /// Whether the order of its rows is fixed.
    pub order: RowOrder,
    /// Whether it changes the table.
    pub is_write: bool,
}

/// An endless source of statements on one table.
#[derive(Debug)]
pub struct Generator {
    pub(crate) random: Random,
    pub(crate) table: String,
    used_ids: Vec<i64>,
}

impl Generator {
    /// A generator for a table of this name; the same seed gives the same statements.
    #[must_use]
    pub fn new(seed: u64, table: &str) -> Self {
        Self { random: Random::new(seed), table: table.to_owned(), used_ids: Vec::new() }
    }

    /// The statement that makes the table. The sharding column is `id`.
    #[must_use]
    pub fn create_table(&self) -> String {
        format!(
            "CREATE TABLE {} (id BIGINT NOT NULL PRIMARY KEY, a INT, b BIGINT UNSIGNED, \
             s VARCHAR(20), d DECIMAL(12,3), m DATETIME)",
            self.table
        )
    }

    /// The next statement.
    pub fn next_statement(&mut self) -> GeneratedStatement {
        if self.used_ids.is_empty() {
            return self.insert(8);
        }
        match self.random.below(10) {
            0 | 1 => {
                let rows = 1 + self.random.below(6);
                self.insert(rows)
            }
            2 => self.update(),
            3 if self.random.chance(60) => self.delete(),
            _ => self.select(),
        }
    }

    fn insert(&mut self, rows: u64) -> GeneratedStatement {
        let mut tuples = Vec::new();
        for _ in 0..rows {
            let id = self.random.between(-ID_LIMIT, ID_LIMIT);
            if self.used_ids.contains(&id) {
                continue;
            }
            self.used_ids.push(id);
            let mut values = vec![id.to_string()];
            for &(_, kind) in COLUMNS {
                values.push(self.nullable_literal(kind));
            }
            tuples.push(format!("({})", values.join(", ")));
        }
        if tuples.is_empty() {
            return self.select();
        }
        let names = COLUMNS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let table = &self.table;
        let sql = format!("INSERT INTO {table} (id, {names}) VALUES {}", tuples.join(", "));
        GeneratedStatement { sql, order: RowOrder::Any, is_write: true }
    }

    fn update(&mut self) -> GeneratedStatement {
        let (name, kind) = *self.random.pick(COLUMNS);
        let value = self.nullable_literal(kind);
        let predicate = self.predicate(2);
        let sql = format!("UPDATE {} SET {name} = {value} WHERE {predicate}", self.table);
        GeneratedStatement { sql, order: RowOrder::Any, is_write: true }
    }

    fn delete(&mut self) -> GeneratedStatement {
        let low = self.random.between(-ID_LIMIT, ID_LIMIT);
        let high = low + self.random.between(0, 10);
        // What is deleted may come again.
        self.used_ids.retain(|id| !(low..=high).contains(id));
        let sql = format!("DELETE FROM {} WHERE id BETWEEN {low} AND {high}", self.table);
        GeneratedStatement { sql, order: RowOrder::Any, is_write: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_statements() {
        let list = |seed| {
            let mut generator = Generator::new(seed, "t");
            (0..200).map(|_| generator.next_statement().sql).collect::<Vec<_>>()
        };
        assert_eq!(list(1), list(1));
        assert_ne!(list(1), list(2));
    }

    #[test]
    fn a_limit_never_stands_on_ties() {
        let mut generator = Generator::new(3, "t");
        for _ in 0..2000 {
            let statement = generator.next_statement();
            if statement.sql.contains(" LIMIT ") {
                assert_eq!(statement.order, RowOrder::AsSent, "{}", statement.sql);
            }
        }
    }
}
