//! Random values of each kind, as literals or parameters.

use mysql_async::Value;

use super::{Column, Generator, Kind};

/// Words with upper and lower case, accents, digits and trailing blanks: collations have work to do.
const WORDS: &[&str] =
    &["", "a", "A", "b", "B ", "ab", "Ab", "é", "E", "z", "10", "9", "a b", "it's", "a "];

impl Generator {
    /// A value for a column of a new or changed row.
    pub(crate) fn stored_value(&mut self, column: &Column) -> String {
        if column.is_nullable && self.random.chance(15) {
            return "NULL".to_owned();
        }
        self.literal(column.kind)
    }

    /// A value as text of SQL.
    pub(crate) fn literal(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Int => self.random.between(-20, 20).to_string(),
            Kind::UnsignedBigint if self.random.chance(10) => u64::MAX.to_string(),
            Kind::UnsignedBigint => self.random.below(30).to_string(),
            Kind::Text => format!("'{}'", self.random.pick(WORDS).replace('\'', "''")),
            Kind::Decimal => {
                let number = self.random.between(-9_999, 9_999);
                let sign = if number < 0 { "-" } else { "" };
                format!("{sign}{}.{:02}", number.abs() / 100, number.abs() % 100)
            }
            Kind::Datetime => {
                let (day, hour) = (1 + self.random.below(28), self.random.below(24));
                format!("'2024-02-{day:02} {hour:02}:30:00'")
            }
            Kind::Date => format!("'2024-02-{:02}'", 1 + self.random.below(28)),
            Kind::Double => format!("{}.5", self.random.between(-50, 50)),
        }
    }

    /// A value to compare with: a literal, or `?`.
    pub(crate) fn operand(&mut self, kind: Kind) -> String {
        let literal = self.literal(kind);
        self.as_operand(literal)
    }

    /// A literal, or a parameter with its value.
    pub(crate) fn as_operand(&mut self, literal: String) -> String {
        if !self.has_parameters || self.random.chance(40) {
            return literal;
        }
        let value = match literal.parse::<i64>() {
            Ok(number) => Value::Int(number),
            Err(_) => match literal.parse::<u64>() {
                Ok(number) => Value::UInt(number),
                Err(_) => {
                    let text = literal.trim_matches('\'').replace("''", "'");
                    Value::Bytes(text.into_bytes())
                }
            },
        };
        self.parameters.push(value);
        "?".to_owned()
    }
}
