//! Random literals and predicates.

use super::{COLUMNS, Generator, ID_LIMIT, Kind};

/// Words with upper and lower case, accents and digits: collation has work to do.
const WORDS: &[&str] = &["", "a", "A", "b", "ab", "Ab", "é", "z", "10", "9", "a b", "it''s"];

impl Generator {
    pub(crate) fn nullable_literal(&mut self, kind: Kind) -> String {
        if self.random.chance(15) { "NULL".to_owned() } else { self.literal(kind) }
    }

    pub(crate) fn literal(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Int => self.random.between(-20, 20).to_string(),
            Kind::UnsignedBigint if self.random.chance(10) => u64::MAX.to_string(),
            Kind::UnsignedBigint => self.random.below(30).to_string(),
            Kind::Text => format!("'{}'", self.random.pick(WORDS)),
            Kind::Decimal => {
                let number = self.random.between(-9_999, 9_999);
                let sign = if number < 0 { "-" } else { "" };
                format!("{sign}{}.{:02}", number.abs() / 100, number.abs() % 100)
            }
            Kind::Datetime => {
                let (day, hour) = (1 + self.random.below(28), self.random.below(24));
                format!("'2024-02-{day:02} {hour:02}:30:00'")
            }
        }
    }

    /// A condition at most `depth` levels deep.
    pub(crate) fn predicate(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.chance(40) {
            let (left, right) = (self.predicate(depth - 1), self.predicate(depth - 1));
            return match self.random.below(5) {
                0 | 1 => format!("({left} OR {right})"),
                2 => format!("NOT ({left} AND {right})"),
                _ => format!("{left} AND {right}"),
            };
        }
        if self.random.chance(60) { self.id_condition() } else { self.column_condition() }
    }

    fn id_condition(&mut self) -> String {
        let first = self.random.between(-ID_LIMIT, ID_LIMIT);
        let second = self.random.between(-ID_LIMIT, ID_LIMIT);
        let (low, high) = (first.min(second), first.max(second));
        match self.random.below(12) {
            0..=2 => format!("id = {first}"),
            3 => format!("{first} = id"),
            4 => format!("id IN ({first}, {second}, {})", self.random.between(-5, 5)),
            5 => format!("id BETWEEN {low} AND {high}"),
            6 => format!("id > {first}"),
            7 => format!("id <= {first}"),
            8 => format!("id <> {first}"),
            9 => format!("id = '{first}'"),
            10 => format!("id NOT IN ({first}, {second})"),
            _ => format!("id >= {low} AND id < {high}"),
        }
    }

    fn column_condition(&mut self) -> String {
        let (name, kind) = *self.random.pick(COLUMNS);
        match self.random.below(7) {
            0 => format!("{name} IS NULL"),
            1 => format!("{name} IS NOT NULL"),
            2 => format!("{name} = {}", self.literal(kind)),
            3 => format!("{name} < {}", self.literal(kind)),
            4 => format!("{name} >= {}", self.literal(kind)),
            5 => format!("{name} IN ({}, {})", self.literal(kind), self.literal(kind)),
            _ => format!("{name} BETWEEN {} AND {}", self.literal(kind), self.literal(kind)),
        }
    }
}
