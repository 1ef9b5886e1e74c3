//! Random SELECTs of one table without groups.

use super::{Closeness, Generator, Kind, Table};
use crate::comparison::RowOrder;

impl Generator {
    pub(crate) fn any_table(&mut self) -> Table {
        self.random.pick(&self.tables).clone()
    }

    /// A SELECT of one table.
    pub(crate) fn plain(&mut self) -> (String, RowOrder) {
        let table = match self.random.below(10) {
            0 => self.any_table(),
            // Mostly what is spread.
            _ => self.tables[self.random.below(4) as usize].clone(),
        };
        match self.random.below(10) {
            0..=2 => self.grouped(&table),
            3 | 4 => self.aggregated(&table),
            5 => self.distinct(&table),
            _ => self.rows(&table),
        }
    }

    pub(crate) fn direction(&mut self) -> &'static str {
        const DIRECTIONS: &[&str] = &["", " ASC", " DESC"];
        let direction: &&'static str = self.random.pick(DIRECTIONS);
        direction
    }

    /// A LIMIT, or nothing.
    pub(crate) fn limit(&mut self) -> String {
        let (count, offset) = (self.random.below(12), self.random.below(8));
        match self.random.below(5) {
            0 => format!(" LIMIT {count}"),
            1 => format!(" LIMIT {offset}, {count}"),
            2 => format!(" LIMIT {count} OFFSET {offset}"),
            _ => String::new(),
        }
    }

    /// An item of a select list over the columns of a row.
    fn item(&mut self, table: &Table) -> String {
        let column = self.random.pick(&table.columns).clone();
        let name = column.name;
        match (self.random.below(8), column.kind) {
            (0, kind) if kind.is_exact_number() => format!("{name} + 1"),
            (0, Kind::Text) => format!("CONCAT({name}, '-')"),
            (1, Kind::Text) => format!("UPPER({name}) AS w"),
            (1, Kind::Datetime | Kind::Date) => format!("YEAR({name})"),
            (1, kind) if kind.is_exact_number() => format!("{name} * 2 AS twice"),
            (2, _) => format!("IFNULL({name}, 0) AS n"),
            (3, _) => format!("{name} IS NULL"),
            (4, _) => format!("CASE WHEN {name} IS NULL THEN 1 ELSE 2 END"),
            (5, _) => format!("{name} AS x"),
            _ => name.to_owned(),
        }
    }

    fn rows(&mut self, table: &Table) -> (String, RowOrder) {
        let list = match self.random.below(4) {
            0 => "*".to_owned(),
            1 => table.columns[0].name.to_owned(),
            _ => {
                let count = 1 + self.random.below(3);
                (0..count).map(|_| self.item(table)).collect::<Vec<_>>().join(", ")
            }
        };
        let condition = self.where_(table, "");
        let start = format!("SELECT {list} FROM {}{condition}", table.name);
        if self.random.chance(30) {
            return (start, RowOrder::Any);
        }
        if self.random.chance(10) {
            self.closeness = Closeness::Count;
            return (format!("{start}{}", self.limit()), RowOrder::Any);
        }
        let mut keys = Vec::new();
        for _ in 0..self.random.below(3) {
            let column = self.random.pick(&table.columns).clone();
            let key = match self.random.below(6) {
                0 if column.kind.is_exact_number() => format!("{} % 3", column.name),
                1 => format!("{} IS NULL", column.name),
                _ => column.name.to_owned(),
            };
            keys.push(format!("{key}{}", self.direction()));
        }
        // The primary key last: no ties.
        keys.push(table.primary_key());
        let sql = format!("{start} ORDER BY {}{}", keys.join(", "), self.limit());
        (sql, RowOrder::AsSent)
    }

    fn distinct(&mut self, table: &Table) -> (String, RowOrder) {
        let first = self.random.pick(&table.columns).clone();
        let second = self.random.pick(&table.columns).clone();
        self.loosen(first.kind);
        let mut list = first.name.to_owned();
        if self.random.chance(40) && second.name != first.name {
            self.loosen(second.kind);
            list = format!("{list}, {}", second.name);
        }
        let condition = self.where_(table, "");
        let start = format!("SELECT DISTINCT {list} FROM {}{condition}", table.name);
        if self.random.chance(40) {
            return (start, RowOrder::Any);
        }
        let sql = format!("{start} ORDER BY {list}{}", self.limit());
        (sql, RowOrder::AsSent)
    }
}
