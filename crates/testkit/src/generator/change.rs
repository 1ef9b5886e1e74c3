//! Random changes of rows.

use super::{Generator, Kind, Spread, Table};

impl Generator {
    /// A statement that changes a table, and the table.
    pub(crate) fn change(&mut self) -> (String, String) {
        let index = self.random.below(self.tables.len() as u64) as usize;
        let name = self.tables[index].name.to_owned();
        let sql = match self.random.below(6) {
            0 | 1 => {
                let rows = 1 + self.random.below(6);
                self.insert_rows(index, rows)
            }
            2 => Some(self.replace(index)),
            3 => Some(self.delete(index)),
            _ => None,
        };
        let sql = match sql {
            Some(sql) => sql,
            None => self.update(index),
        };
        (sql, name)
    }

    /// An INSERT of new rows; `None` when all keys are taken.
    pub(crate) fn insert_rows(&mut self, index: usize, rows: u64) -> Option<String> {
        let table = self.tables[index].clone();
        let mut tuples = Vec::new();
        for _ in 0..rows {
            let key = self.random.between(table.keys.0, table.keys.1);
            if self.tables[index].used.insert(key) {
                tuples.push(self.tuple(&table, key));
            }
        }
        (!tuples.is_empty()).then(|| {
            format!("INSERT INTO {} ({}) VALUES {}", table.name, names(&table), tuples.join(", "))
        })
    }

    fn tuple(&mut self, table: &Table, key: i64) -> String {
        let mut values = vec![key.to_string()];
        for column in table.columns.iter().skip(1) {
            values.push(self.stored_value(column));
        }
        format!("({})", values.join(", "))
    }

    /// A row that may replace another: where the whole key decides the node.
    fn replace(&mut self, index: usize) -> String {
        let table = self.tables[index].clone();
        let key = self.random.between(table.keys.0, table.keys.1);
        self.tables[index].used.insert(key);
        let tuple = self.tuple(&table, key);
        if self.random.chance(50) {
            return format!("REPLACE INTO {} ({}) VALUES {tuple}", table.name, names(&table));
        }
        let column = table.columns[table.columns.len() - 1].name;
        format!(
            "INSERT INTO {} ({}) VALUES {tuple} ON DUPLICATE KEY UPDATE {column} = \
             VALUES({column})",
            table.name,
            names(&table)
        )
    }

    fn update(&mut self, index: usize) -> String {
        let table = self.tables[index].clone();
        let keys = table.primary_key();
        let free = table
            .columns
            .iter()
            .filter(|column| !keys.split(", ").any(|key| key == column.name))
            .cloned()
            .collect::<Vec<_>>();
        let column = self.random.pick(&free).clone();
        let value = match column.kind {
            Kind::Decimal if self.random.chance(30) => format!("{} / 2", column.name),
            _ => self.stored_value(&column),
        };
        let condition = self.predicate(&table, "", 2);
        format!("UPDATE {} SET {} = {value} WHERE {condition}", table.name, column.name)
    }

    fn delete(&mut self, index: usize) -> String {
        let table = self.tables[index].clone();
        let (low, high) = table.keys;
        let first = self.random.between(low, high);
        let last = first + self.random.between(0, 6);
        // What is deleted may come again, but for keys of two columns, which stay taken.
        let is_one_column = match &table.spread {
            Spread::Sharded { column, .. } => *column == table.columns[0].name,
            Spread::Single(_) | Spread::Broadcast => true,
        };
        if is_one_column {
            self.tables[index].used.retain(|key| !(first..=last).contains(key));
        }
        let key = table.columns[0].name;
        format!("DELETE FROM {} WHERE {key} BETWEEN {first} AND {last}", table.name)
    }
}

fn names(table: &Table) -> String {
    table.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}
