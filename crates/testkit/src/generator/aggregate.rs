//! Random aggregates, with groups and without, with HAVING and expressions over them.

use super::{Generator, Kind, Table};
use crate::comparison::RowOrder;

impl Generator {
    /// An aggregate over the columns of a table; `qualifier` is empty or ends with a point.
    pub(crate) fn aggregate(&mut self, table: &Table, qualifier: &str) -> String {
        let column = self.random.pick(&table.columns).clone();
        let name = format!("{qualifier}{}", column.name);
        let is_exact = column.kind.is_exact_number();
        let is_number = is_exact || column.kind == Kind::Double;
        match self.random.below(12) {
            0 | 1 => "COUNT(*)".to_owned(),
            2 => format!("COUNT({name})"),
            3 => format!("COUNT(DISTINCT {name})"),
            4 | 5 => self.extreme("MIN", &name, column.kind),
            6 => self.extreme("MAX", &name, column.kind),
            7 | 8 if is_number => format!("SUM({name})"),
            9 if is_number => format!("AVG({name})"),
            10 if is_exact => format!("SUM(DISTINCT {name})"),
            11 if is_exact => format!("SUM({name} + 1)"),
            _ => format!("MAX({qualifier}{})", table.columns[0].name),
        }
    }

    fn extreme(&mut self, function: &str, name: &str, kind: Kind) -> String {
        // Of words that are equal but for their case either may be given.
        self.loosen(kind);
        format!("{function}({name})")
    }

    /// An expression over aggregates that are exact.
    fn computed(&mut self, table: &Table, qualifier: &str) -> String {
        let numbers = table.of_kind(Kind::is_exact_number);
        let column = format!("{qualifier}{}", self.random.pick(&numbers).name);
        match self.random.below(7) {
            0 => format!("SUM({column}) / COUNT(*)"),
            1 => format!("MAX({column}) - MIN({column})"),
            2 => format!("IFNULL(SUM({column}), 0) AS total"),
            3 => format!("ROUND(AVG({column}), 1)"),
            4 => "COUNT(*) * 2".to_owned(),
            5 => format!("COUNT(*) > COUNT({column})"),
            _ => "CASE WHEN COUNT(*) > 3 THEN 'many' ELSE 'few' END AS size".to_owned(),
        }
    }

    fn aggregate_item(&mut self, table: &Table, qualifier: &str) -> String {
        if self.random.chance(20) {
            self.computed(table, qualifier)
        } else {
            self.aggregate(table, qualifier)
        }
    }

    pub(crate) fn aggregated(&mut self, table: &Table) -> (String, RowOrder) {
        let (first, second) = (self.aggregate_item(table, ""), self.aggregate_item(table, ""));
        let condition = self.where_(table, "");
        let sql = format!("SELECT {first}, {second} AS y FROM {}{condition}", table.name);
        (sql, RowOrder::AsSent)
    }

    /// A condition on a group.
    pub(crate) fn having(&mut self, table: &Table, qualifier: &str) -> String {
        let numbers = table.of_kind(Kind::is_exact_number);
        let column = format!("{qualifier}{}", self.random.pick(&numbers).name);
        match self.random.below(5) {
            0 => " HAVING COUNT(*) > 1".to_owned(),
            1 => format!(" HAVING SUM({column}) > 5"),
            2 => format!(" HAVING MIN({column}) < MAX({column}) AND COUNT(*) < 9"),
            3 => " HAVING n <> 3".to_owned(),
            _ => format!(" HAVING AVG({column}) IS NOT NULL OR COUNT(*) = 1"),
        }
    }

    pub(crate) fn grouped(&mut self, table: &Table) -> (String, RowOrder) {
        let column = self.random.pick(&table.columns).clone();
        self.loosen(column.kind);
        let key = match (self.random.below(5), column.kind) {
            // Not of decimals: beside a DISTINCT aggregate MariaDB 10.11 takes the group of NULL for
            // that of the last value.
            (0, Kind::Int | Kind::UnsignedBigint) => format!("{} % 3", column.name),
            (0, Kind::Datetime | Kind::Date) => format!("DAY({})", column.name),
            _ => column.name.to_owned(),
        };
        let aggregate = self.aggregate_item(table, "").split(" AS ").next().map(str::to_owned);
        let aggregate = aggregate.unwrap_or_default();
        let condition = self.where_(table, "");
        let list = match self.random.below(3) {
            0 => format!("{aggregate} AS n, {key}"),
            1 => format!("{key}, COUNT(*), {aggregate} AS n"),
            _ => format!("{key}, {aggregate} AS n"),
        };
        let having = if self.random.chance(25) { self.having(table, "") } else { String::new() };
        let start = format!("SELECT {list} FROM {}{condition} GROUP BY {key}{having}", table.name);
        if self.random.chance(40) {
            return (start, RowOrder::Any);
        }
        let first =
            if self.random.chance(30) && !aggregate.contains("AVG") && column.kind != Kind::Text {
                "COUNT(*) DESC, "
            } else {
                ""
            };
        let sql = format!("{start} ORDER BY {first}{key}{}{}", self.direction(), self.limit());
        (sql, RowOrder::AsSent)
    }
}
