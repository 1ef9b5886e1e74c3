//! A predicate reduced to what it says about one column.

use kernel::predicate::{Predicate, ValueRef};

/// What is known of the sharding column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// Nothing.
    All,
    /// No row can match.
    Nothing,
    Equal(ValueRef),
    In(Vec<ValueRef>),
    Range {
        lower: Option<(ValueRef, bool)>,
        upper: Option<(ValueRef, bool)>,
    },
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// True when every row that satisfies `predicate` satisfies something about one of the columns.
pub(super) fn restricts(predicate: &Predicate, columns: &[usize]) -> bool {
    match predicate {
        Predicate::Never => true,
        Predicate::Equal { column, .. }
        | Predicate::In { column, .. }
        | Predicate::Range { column, .. } => columns.contains(column),
        Predicate::And(parts) => parts.iter().any(|part| restricts(part, columns)),
        Predicate::Or(parts) => parts.iter().all(|part| restricts(part, columns)),
        Predicate::IsNull { .. } | Predicate::Any => false,
    }
}

impl Condition {
    /// Keeps what `predicate` says about `column`; what it says about others restricts nothing.
    pub(super) fn new(predicate: Predicate, column: usize) -> Self {
        match predicate {
            Predicate::Never => Self::Nothing,
            Predicate::Equal { column: of, value } if of == column => Self::Equal(value),
            Predicate::In { column: of, values } if of == column => Self::In(values),
            Predicate::Range { column: of, lower, upper } if of == column => {
                Self::Range { lower, upper }
            }
            Predicate::And(parts) => {
                let mut kept = Vec::new();
                for part in parts {
                    match Self::new(part, column) {
                        Self::All => {}
                        Self::Nothing => return Self::Nothing,
                        part => kept.push(part),
                    }
                }
                match kept.len() {
                    0 => Self::All,
                    1 => kept.remove(0),
                    _ => Self::And(kept),
                }
            }
            Predicate::Or(parts) => {
                let mut kept = Vec::new();
                for part in parts {
                    match Self::new(part, column) {
                        Self::All => return Self::All,
                        Self::Nothing => {}
                        part => kept.push(part),
                    }
                }
                match kept.len() {
                    0 => Self::Nothing,
                    1 => kept.remove(0),
                    _ => Self::Or(kept),
                }
            }
            // Rows without a value are not placed by it.
            Predicate::IsNull { .. }
            | Predicate::Any
            | Predicate::Equal { .. }
            | Predicate::In { .. }
            | Predicate::Range { .. } => Self::All,
        }
    }

    /// For people; open values are shown as `?`.
    pub(super) fn describe(&self, column: &str) -> String {
        let join = |parts: &[Self], word: &str| {
            let parts = parts.iter().map(|part| part.describe(column)).collect::<Vec<_>>();
            format!("({})", parts.join(word))
        };
        match self {
            Self::All => format!("no condition on {column}"),
            Self::Nothing => "no row can match".to_owned(),
            Self::Equal(_) => format!("{column} = ?"),
            Self::In(values) => format!("{column} IN ({} values)", values.len()),
            Self::Range { lower, upper } => {
                let lower = lower.as_ref().map(|(_, inside)| if *inside { ">=" } else { ">" });
                let upper = upper.as_ref().map(|(_, inside)| if *inside { "<=" } else { "<" });
                let ends = [lower, upper].into_iter().flatten();
                let ends = ends.map(|end| format!("{column} {end} ?")).collect::<Vec<_>>();
                if ends.is_empty() {
                    format!("no condition on {column}")
                } else {
                    ends.join(" AND ")
                }
            }
            Self::And(parts) => join(parts, " AND "),
            Self::Or(parts) => join(parts, " OR "),
        }
    }
}
