//! Random SELECT statements: plain, DISTINCT, aggregates with and without groups.

use super::{COLUMNS, GeneratedStatement, Generator, Kind};
use crate::comparison::RowOrder;

impl Generator {
    pub(crate) fn select(&mut self) -> GeneratedStatement {
        let (sql, order) = match self.random.below(10) {
            0 | 1 => self.grouped(),
            2 | 3 => (self.aggregated(), RowOrder::AsSent),
            4 => self.distinct(),
            _ => self.plain(),
        };
        GeneratedStatement { sql, order, is_write: false }
    }

    fn condition(&mut self) -> String {
        if self.random.chance(80) { format!(" WHERE {}", self.predicate(3)) } else { String::new() }
    }

    fn direction(&mut self) -> &'static str {
        const DIRECTIONS: &[&str] = &["", " ASC", " DESC"];
        let direction: &&'static str = self.random.pick(DIRECTIONS);
        direction
    }

    fn limit(&mut self) -> String {
        let (count, offset) = (self.random.below(12), self.random.below(8));
        match self.random.below(4) {
            0 => format!(" LIMIT {count}"),
            1 => format!(" LIMIT {offset}, {count}"),
            2 => format!(" LIMIT {count} OFFSET {offset}"),
            _ => String::new(),
        }
    }

    fn plain(&mut self) -> (String, RowOrder) {
        let list = match self.random.below(5) {
            0 => "*".to_owned(),
            1 => "id".to_owned(),
            2 => format!("id, {} AS x", self.random.pick(COLUMNS).0),
            3 => format!("{}, a + 1, id % 7", self.random.pick(COLUMNS).0),
            _ => format!("s, d, {}", self.random.pick(COLUMNS).0),
        };
        let (table, condition) = (self.table.clone(), self.condition());
        let start = format!("SELECT {list} FROM {table}{condition}");
        if self.random.chance(30) {
            return (start, RowOrder::Any);
        }
        let keys = match self.random.below(3) {
            0 => String::new(),
            _ => format!("{}{}, ", self.random.pick(COLUMNS).0, self.direction()),
        };
        // The primary key last: no ties.
        let sql = format!("{start} ORDER BY {keys}id{}{}", self.direction(), self.limit());
        (sql, RowOrder::AsSent)
    }

    fn distinct(&mut self) -> (String, RowOrder) {
        // Not the text column: equal words of different case may stand for each other.
        let (name, _) = *self.random.pick(&[COLUMNS[0], COLUMNS[1], COLUMNS[3], COLUMNS[4]]);
        let (table, condition) = (self.table.clone(), self.condition());
        let start = format!("SELECT DISTINCT {name} FROM {table}{condition}");
        if self.random.chance(40) {
            return (start, RowOrder::Any);
        }
        let sql = format!("{start} ORDER BY {name}{}{}", self.direction(), self.limit());
        (sql, RowOrder::AsSent)
    }

    fn aggregate(&mut self) -> String {
        let (name, kind) = *self.random.pick(COLUMNS);
        let is_number = matches!(kind, Kind::Int | Kind::UnsignedBigint | Kind::Decimal);
        // MIN and MAX of a text may give either of two words that are equal but for their case.
        let has_one_extreme = kind != Kind::Text;
        match self.random.below(6) {
            0 => "COUNT(*)".to_owned(),
            1 => format!("COUNT({name})"),
            2 if has_one_extreme => format!("MIN({name})"),
            3 if has_one_extreme => format!("MAX({name})"),
            4 if is_number => format!("SUM({name})"),
            5 if is_number => format!("AVG({name})"),
            _ => "MAX(id)".to_owned(),
        }
    }

    fn aggregated(&mut self) -> String {
        let (first, second) = (self.aggregate(), self.aggregate());
        let (table, condition) = (self.table.clone(), self.condition());
        format!("SELECT {first}, {second} AS y FROM {table}{condition}")
    }

    fn grouped(&mut self) -> (String, RowOrder) {
        // Not the text column, as for DISTINCT.
        const KEYS: &[&str] = &["a", "b", "d", "m"];
        let key = *self.random.pick(KEYS);
        let aggregate = self.aggregate();
        let (table, condition) = (self.table.clone(), self.condition());
        let list = match self.random.below(3) {
            0 => format!("{aggregate}, {key}"),
            1 => format!("{key} AS k, {aggregate} AS n"),
            _ => format!("{key}, {aggregate}"),
        };
        let start = format!("SELECT {list} FROM {table}{condition} GROUP BY {key}");
        if self.random.chance(40) {
            return (start, RowOrder::Any);
        }
        let sql = format!("{start} ORDER BY {key}{}{}", self.direction(), self.limit());
        (sql, RowOrder::AsSent)
    }
}
