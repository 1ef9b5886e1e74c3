//! Rows that matter only where they fit to rows that were copied before: the values to which they
//! must be equal become a condition of their read, where there are few of them. The condition takes
//! part in routing, so that often only some nodes are asked.

use kernel::gather::{Copy, Narrowing};

use super::Loader;
use crate::execute::Failure;
use crate::session::Session;

/// Most values of one condition.
const MAX_VALUES: usize = 1000;

/// The conditions that narrow the read of a copy; `None` without any.
pub(super) async fn condition(
    session: &mut Session,
    copy: &Copy,
    loader: &mut Loader,
) -> Result<Option<String>, Failure> {
    let mut conditions = Vec::new();
    for narrowing in &copy.narrowings {
        if !narrowing.is_number && !session.is_utf8() {
            continue;
        }
        let text = format!("{} LIMIT {}", narrowing.values, MAX_VALUES + 1);
        let found = storage::command::query(&mut loader.connection, &text).await?;
        if found.rows.len() > MAX_VALUES {
            continue;
        }
        let values = found.rows.into_iter().filter_map(|row| row.into_iter().next()?);
        if let Some(list) = list(narrowing, values) {
            conditions.push(format!("{} IN ({list})", narrowing.column));
        }
    }
    Ok((!conditions.is_empty()).then(|| conditions.join(" AND ")))
}

/// The values as literals that mean the same in every `sql_mode`; `None` where one cannot.
fn list(narrowing: &Narrowing, values: impl Iterator<Item = Vec<u8>>) -> Option<String> {
    let mut literals = Vec::new();
    for value in values {
        let Ok(text) = String::from_utf8(value) else { return None };
        if narrowing.is_number {
            literals.push(text);
        } else if text.contains(['\\', '\0']) {
            return None;
        } else {
            literals.push(format!("'{}'", text.replace('\'', "''")));
        }
    }
    // No row can fit to none.
    Some(if literals.is_empty() { "NULL".to_owned() } else { literals.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_literals() {
        let narrowing = |is_number| Narrowing {
            column: "`a`".to_owned(),
            source: 0,
            values: String::new(),
            is_number,
        };
        let of = |is_number, values: &[&str]| {
            let values = values.iter().map(|value| value.as_bytes().to_vec());
            list(&narrowing(is_number), values)
        };
        assert_eq!(of(true, &["1", "-2"]).unwrap(), "1, -2");
        assert_eq!(of(false, &["it's", "b"]).unwrap(), "'it''s', 'b'");
        assert_eq!(of(true, &[]).unwrap(), "NULL");
        assert_eq!(of(false, &["a\\b"]), None);
    }
}
