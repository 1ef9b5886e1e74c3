//! Values that the comments of a statement give to HINT strategies.
//!
//! Source: inventory 3.8.

use sql::ast::{Hint, StrategyLevel};

use crate::column::Key;

/// The values for one table and level: those that name the table, else those that name none.
pub(super) fn values(hints: &[Hint], table: &str, level: StrategyLevel) -> Vec<Key<'static>> {
    let of_table = hints.iter().filter(|hint| {
        let qualified = hint.key.rsplit_once('.');
        qualified.is_some_and(|(name, key)| {
            name.trim().eq_ignore_ascii_case(table) && is_key(key, level)
        })
    });
    let of_table = of_table.map(key).collect::<Vec<_>>();
    if !of_table.is_empty() {
        return of_table;
    }
    hints.iter().filter(|hint| is_key(&hint.key, level)).map(key).collect()
}

fn is_key(key: &str, level: StrategyLevel) -> bool {
    let names = match level {
        StrategyLevel::Database => ["SHARDING_DATABASE_VALUE", "shardingDatabaseValue"],
        StrategyLevel::Table => ["SHARDING_TABLE_VALUE", "shardingTableValue"],
    };
    names.iter().any(|name| name.eq_ignore_ascii_case(key.trim()))
}

/// Integers are numbers, everything else is text.
fn key(hint: &Hint) -> Key<'static> {
    match hint.value.parse::<i128>() {
        Ok(value) => Key::Integer { value, is_long: i32::try_from(value).is_err() },
        Err(_) => Key::Text(hint.value.clone().into_bytes().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sql::Span;

    #[test]
    fn the_table_is_asked_before_the_rest() {
        let hint = |key: &str, value: &str| Hint {
            key: key.to_owned(),
            value: value.to_owned(),
            span: Span { start: 0, end: 0 },
        };
        let hints = [
            hint("sharding_table_value", "1"),
            hint("SHARDING_TABLE_VALUE", "x"),
            hint("t_order.SHARDING_TABLE_VALUE", "7000000000"),
            hint("shardingDatabaseValue", "-5"),
        ];
        let integer = |value, is_long| Key::Integer { value, is_long };
        let text = Key::Text(b"x".as_slice().into());
        let table = |name| values(&hints, name, StrategyLevel::Table);
        assert_eq!(table("t_order"), [integer(7_000_000_000, true)]);
        assert_eq!(table("other"), [integer(1, false), text]);
        assert_eq!(values(&hints, "t_order", StrategyLevel::Database), [integer(-5, false)]);
        assert_eq!(values(&hints[..3], "t_order", StrategyLevel::Database), []);
    }
}
