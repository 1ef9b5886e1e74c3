//! Random sub-queries, derived tables, common tables and UNIONs.

use super::{Generator, Kind, Table};
use crate::comparison::RowOrder;

impl Generator {
    fn number_of(&mut self, table: &Table) -> &'static str {
        let numbers = table.of_kind(|kind| matches!(kind, Kind::Int | Kind::UnsignedBigint));
        self.random.pick(&numbers).name
    }

    /// A statement with more than one query.
    pub(crate) fn nested(&mut self) -> (String, RowOrder) {
        let (outer, inner) = if self.random.chance(40) {
            (self.tables[0].clone(), self.tables[1].clone())
        } else {
            (self.any_table(), self.any_table())
        };
        match self.random.below(8) {
            0 | 1 => self.in_query(&outer, &inner),
            2 => self.exists(&outer, &inner),
            3 => self.scalar(&outer, &inner),
            4 => self.derived(&outer),
            5 => self.counted(&outer),
            6 => self.common(&outer),
            _ => self.union(&outer, &inner),
        }
    }

    fn ending(&mut self, table: &Table, alias: &str) -> (String, RowOrder) {
        if self.random.chance(40) {
            return (String::new(), RowOrder::Any);
        }
        let keys = table
            .primary_key()
            .split(", ")
            .map(|key| format!("{alias}.{key}"))
            .collect::<Vec<_>>()
            .join(", ");
        (format!(" ORDER BY {keys}{}", self.limit()), RowOrder::AsSent)
    }

    fn in_query(&mut self, outer: &Table, inner: &Table) -> (String, RowOrder) {
        let (a, b) = (self.number_of(outer), self.number_of(inner));
        let not = if self.random.chance(25) { " NOT" } else { "" };
        let condition = self.where_(inner, "");
        let (ending, order) = self.ending(outer, "o");
        let sql = format!(
            "SELECT o.* FROM {} o WHERE o.{a}{not} IN (SELECT {b} FROM {}{condition}){ending}",
            outer.name, inner.name
        );
        (sql, order)
    }

    fn exists(&mut self, outer: &Table, inner: &Table) -> (String, RowOrder) {
        let (a, b) = match (outer.name, inner.name) {
            ("f_order", "f_item") => ("id", "order_id"),
            _ => (self.number_of(outer), self.number_of(inner)),
        };
        let not = if self.random.chance(30) { "NOT " } else { "" };
        let more = self.predicate(inner, "i.", 1);
        let (ending, order) = self.ending(outer, "o");
        let sql = format!(
            "SELECT o.* FROM {} o WHERE {not}EXISTS (SELECT 1 FROM {} i WHERE i.{b} = o.{a} AND \
             ({more})){ending}",
            outer.name, inner.name
        );
        (sql, order)
    }

    fn scalar(&mut self, outer: &Table, inner: &Table) -> (String, RowOrder) {
        let (a, b) = (self.number_of(outer), self.number_of(inner));
        let key = outer.columns[0].name;
        let (ending, order) = self.ending(outer, "o");
        let sql = format!(
            "SELECT o.{key}, (SELECT COUNT(*) FROM {} i WHERE i.{b} = o.{a}) AS n FROM {} o{ending}",
            inner.name, outer.name
        );
        (sql, order)
    }

    fn derived(&mut self, table: &Table) -> (String, RowOrder) {
        let column = self.random.pick(&table.columns).clone();
        self.loosen(column.kind);
        let condition = self.where_(table, "");
        let name = column.name;
        let sql = format!(
            "SELECT d.k, d.n + 1 FROM (SELECT {name} AS k, COUNT(*) AS n FROM {}{condition} GROUP \
             BY {name}) d WHERE d.n > 1",
            table.name
        );
        (sql, RowOrder::Any)
    }

    /// What plug-ins for paging send.
    fn counted(&mut self, table: &Table) -> (String, RowOrder) {
        let column = self.random.pick(&table.columns).name;
        let condition = self.where_(table, "");
        let distinct = if self.random.chance(40) { "DISTINCT " } else { "" };
        let sql = format!(
            "SELECT COUNT(*) FROM (SELECT {distinct}{column} FROM {}{condition}) t",
            table.name
        );
        (sql, RowOrder::AsSent)
    }

    fn common(&mut self, table: &Table) -> (String, RowOrder) {
        let column = self.number_of(table);
        let condition = self.where_(table, "");
        let sql = format!(
            "WITH c AS (SELECT {column} AS v FROM {}{condition}) SELECT x.v, COUNT(*) FROM c x JOIN \
             c y ON x.v <= y.v GROUP BY x.v ORDER BY x.v",
            table.name
        );
        (sql, RowOrder::AsSent)
    }

    fn union(&mut self, first: &Table, second: &Table) -> (String, RowOrder) {
        let (a, b) = (self.number_of(first), self.number_of(second));
        let all = if self.random.chance(50) { " ALL" } else { "" };
        let (left, right) = (self.where_(first, ""), self.where_(second, ""));
        let sql = format!(
            "SELECT {a} AS v FROM {}{left} UNION{all} SELECT {b} FROM {}{right}",
            first.name, second.name
        );
        if self.random.chance(50) {
            return (sql, RowOrder::Any);
        }
        (format!("{sql} ORDER BY v{}", self.limit()), RowOrder::AsSent)
    }
}
