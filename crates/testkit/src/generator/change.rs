//! Random changes of rows.

use super::{Generator, Kind, Spread, Table};

impl Generator {
    /// A statement that changes a table, and the table.
    pub(crate) fn change(&mut self) -> (String, String) {
        let index = self.random.below(self.tables.len() as u64) as usize;
        let name = self.tables[index].name.to_owned();
        let sql = match self.random.below(10) {
            0 | 1 => {
                let rows = 1 + self.random.below(6);
                self.insert_rows(index, rows)
            }
            2 => Some(self.replace(index)),
            3 => Some(self.delete(index)),
            4 => Some(self.replace_from_query(index)),
            5 => Some(self.delete_first(index)),
            6 => Some(self.delete_by_query(index)),
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
        let mut sql =
            format!("UPDATE {} SET {} = {value} WHERE {condition}", table.name, column.name);
        if self.random.chance(30) {
            sql.push_str(&self.first_by_key(&table));
        }
        sql
    }

    /// An order without ties, and a limit.
    fn first_by_key(&mut self, table: &Table) -> String {
        let direction = if self.random.chance(50) { " DESC" } else { "" };
        format!(" ORDER BY {}{direction} LIMIT {}", table.primary_key(), 1 + self.random.below(4))
    }

    fn delete_first(&mut self, index: usize) -> String {
        let table = self.tables[index].clone();
        let condition = self.predicate(&table, "", 2);
        let first = self.first_by_key(&table);
        format!("DELETE FROM {} WHERE {condition}{first}", table.name)
    }

    /// Few rows, as what is deleted is not known to be.
    fn delete_by_query(&mut self, index: usize) -> String {
        let table = self.tables[index].clone();
        let other = self.random.below(self.tables.len() as u64) as usize;
        if other == index {
            return self.delete_first(index);
        }
        let other = self.tables[other].clone();
        let (key, read) = (table.columns[0].name, other.columns[0].name);
        let first = self.random.between(table.keys.0, table.keys.1);
        format!(
            "DELETE FROM {} WHERE {key} BETWEEN {first} AND {} AND {key} IN (SELECT {read} FROM {} \
             WHERE {})",
            table.name,
            first + 8,
            other.name,
            self.predicate(&other, "", 1)
        )
    }

    /// Rows with keys behind those of all others.
    fn replace_from_query(&mut self, index: usize) -> String {
        let table = self.tables[index].clone();
        if table.columns[0].kind != Kind::Int {
            return self.delete_first(index);
        }
        let (key, (low, high)) = (table.columns[0].name, table.keys);
        let first = self.random.between(low, high);
        let mut values = vec![format!("{key} + {}", high - low + 1)];
        values.extend(table.columns.iter().skip(1).map(|column| column.name.to_owned()));
        format!(
            "REPLACE INTO {} ({}) SELECT {} FROM {} WHERE {key} BETWEEN {first} AND {}",
            table.name,
            names(&table),
            values.join(", "),
            table.name,
            high.min(first + 5)
        )
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
