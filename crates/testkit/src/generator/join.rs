//! Random joins of two or three tables.

use super::{Generator, Kind, Table};
use crate::comparison::RowOrder;

const ALIASES: [&str; 3] = ["a1", "b1", "c1"];

impl Generator {
    fn number_column(&mut self, table: &Table) -> &'static str {
        let numbers = table.of_kind(|kind| matches!(kind, Kind::Int | Kind::UnsignedBigint));
        self.random.pick(&numbers).name
    }

    /// Two columns to join by; often those of the binding tables.
    fn join_columns(&mut self, left: &Table, right: &Table) -> (&'static str, &'static str) {
        match (left.name, right.name) {
            ("f_order", "f_item") if self.random.chance(80) => ("id", "order_id"),
            ("f_item", "f_order") if self.random.chance(80) => ("order_id", "id"),
            _ => (self.number_column(left), self.number_column(right)),
        }
    }

    fn pair(&mut self) -> (Table, Table) {
        if self.random.chance(40) {
            return (self.tables[0].clone(), self.tables[1].clone());
        }
        (self.any_table(), self.any_table())
    }

    /// A FROM clause of joined tables with the tables by alias.
    fn joined(&mut self) -> (String, Vec<(Table, &'static str)>) {
        let (first, second) = self.pair();
        let mut from = format!("{} {}", first.name, ALIASES[0]);
        let mut tables = vec![(first, ALIASES[0])];
        let mut others = vec![second];
        if self.random.chance(25) {
            others.push(self.any_table());
        }
        for (index, table) in others.into_iter().enumerate() {
            let alias = ALIASES[index + 1];
            let (left, left_alias) = self.random.pick(&tables).clone();
            let (a, b) = self.join_columns(&left, &table);
            const KINDS: [&str; 4] = ["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN"];
            let kind = *self.random.pick(&KINDS);
            let more = if self.random.chance(20) {
                format!(" AND {}", self.predicate(&table, &format!("{alias}."), 0))
            } else {
                String::new()
            };
            from = format!(
                "{from} {kind} {} {alias} ON {left_alias}.{a} = {alias}.{b}{more}",
                table.name
            );
            tables.push((table, alias));
        }
        (from, tables)
    }

    /// A SELECT that joins tables.
    pub(crate) fn join(&mut self) -> (String, RowOrder) {
        let (from, tables) = self.joined();
        let (table, alias) = self.random.pick(&tables).clone();
        let qualifier = format!("{alias}.");
        if self.random.chance(30) {
            return self.grouped_join(&from, &tables, &table, &qualifier);
        }
        let condition = self.where_(&table, &qualifier);
        let keys = tables
            .iter()
            .flat_map(|(table, alias)| {
                let keys = table.primary_key();
                keys.split(", ").map(|key| format!("{alias}.{key}")).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
            .join(", ");
        let list = if self.random.chance(25) {
            "*".to_owned()
        } else {
            let other = self.random.pick(&table.columns).name;
            format!("{keys}, {qualifier}{other} AS shown")
        };
        let start = format!("SELECT {list} FROM {from}{condition}");
        if self.random.chance(50) {
            return (start, RowOrder::Any);
        }
        (format!("{start} ORDER BY {keys}{}", self.limit()), RowOrder::AsSent)
    }

    fn grouped_join(
        &mut self,
        from: &str,
        tables: &[(Table, &'static str)],
        table: &Table,
        qualifier: &str,
    ) -> (String, RowOrder) {
        let (counted, counted_alias) = self.random.pick(tables).clone();
        let aggregate = self.aggregate(&counted, &format!("{counted_alias}."));
        if self.random.chance(40) {
            let condition = self.where_(table, qualifier);
            return (
                format!("SELECT COUNT(*), {aggregate} FROM {from}{condition}"),
                RowOrder::AsSent,
            );
        }
        let column = self.random.pick(&table.columns).clone();
        self.loosen(column.kind);
        let key = format!("{qualifier}{}", column.name);
        let condition = self.where_(table, qualifier);
        let start = format!("SELECT {key}, {aggregate} AS n FROM {from}{condition} GROUP BY {key}");
        if self.random.chance(50) {
            return (start, RowOrder::Any);
        }
        (format!("{start} ORDER BY {key}{}", self.limit()), RowOrder::AsSent)
    }
}
