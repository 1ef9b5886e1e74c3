//! Random conditions.

use super::{Column, Generator, Kind, Spread, Table};

impl Generator {
    /// ` WHERE ..` on the columns of a table, or nothing.
    pub(crate) fn where_(&mut self, table: &Table, qualifier: &str) -> String {
        if self.random.chance(75) {
            format!(" WHERE {}", self.predicate(table, qualifier, 3))
        } else {
            String::new()
        }
    }

    /// A condition at most `depth` levels deep; `qualifier` is empty or ends with a point.
    pub(crate) fn predicate(&mut self, table: &Table, qualifier: &str, depth: u32) -> String {
        if depth > 0 && self.random.chance(35) {
            let left = self.predicate(table, qualifier, depth - 1);
            let right = self.predicate(table, qualifier, depth - 1);
            return match self.random.below(6) {
                0 | 1 => format!("({left} OR {right})"),
                2 => format!("NOT ({left} AND {right})"),
                3 => format!("NOT ({left} OR {right})"),
                _ => format!("{left} AND {right}"),
            };
        }
        let is_about_key = self.random.chance(50);
        let column = match &table.spread {
            Spread::Sharded { column, .. } if is_about_key => {
                table.columns.iter().find(|other| other.name == *column).cloned()
            }
            _ => None,
        };
        let column = column.unwrap_or_else(|| self.random.pick(&table.columns).clone());
        self.condition(&column, qualifier, table)
    }

    /// A value that a key of the table can have.
    fn key_operand(&mut self, column: &Column, table: &Table) -> String {
        if matches!(column.kind, Kind::Int | Kind::UnsignedBigint) && self.random.chance(80) {
            let (low, high) = table.keys;
            let number = self.random.between(low, high).to_string();
            return self.as_operand(number);
        }
        self.operand(column.kind)
    }

    fn condition(&mut self, column: &Column, qualifier: &str, table: &Table) -> String {
        let name = format!("{qualifier}{}", column.name);
        let form = self.random.below(18);
        if form >= 15 {
            return self.condition_without_value(form, &name, column.kind);
        }
        let first = self.key_operand(column, table);
        let is_simple = match form {
            0..=3 => Some(format!("{name} = {first}")),
            4 => Some(format!("{name} > {first}")),
            5 => Some(format!("{name} <= {first}")),
            6 => Some(format!("{name} <> {first}")),
            7 => Some(format!("{first} = {name}")),
            8 => Some(format!("{name} <=> {first}")),
            9 => Some(format!("NOT {name} = {first}")),
            _ => None,
        };
        if let Some(text) = is_simple {
            return text;
        }
        let second = self.key_operand(column, table);
        match form {
            10 => format!("{name} IN ({first}, {second})"),
            11 => format!("{name} BETWEEN {first} AND {second}"),
            12 => format!("{name} NOT IN ({first}, {second})"),
            13 => format!("({name} >= {first} AND {name} < {second})"),
            _ => format!("({name} = {first} OR {name} <=> {second})"),
        }
    }

    fn condition_without_value(&mut self, form: u64, name: &str, kind: Kind) -> String {
        match form {
            15 => format!("{name} IS NULL"),
            16 if kind == Kind::Text => format!("{name} LIKE 'a%'"),
            16 if kind.is_exact_number() => format!("{name} < 15"),
            _ => format!("{name} IS NOT NULL"),
        }
    }
}
