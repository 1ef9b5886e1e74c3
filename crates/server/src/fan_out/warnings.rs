//! Warnings of a statement on several nodes, as one server would give them.

use super::lanes::Lane;
use crate::execute::read_warnings;
use crate::session::Warning;

/// A constant that does not convert.
const ER_TRUNCATED_WRONG_VALUE: u16 = 1292;

/// What servers say of a statement's text, whatever rows it meets: deprecated syntax, functions,
/// character sets and collations.
///
/// # Source
/// MySQL Server Error Reference: ER_WARN_DEPRECATED_SYNTAX and its kin.
const OF_TEXT: [u16; 6] = [1287, 1681, 3005, 3719, 3720, 3778];

/// The warnings that are kept, and how many there are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Gathered {
    pub(super) kept: Vec<Warning>,
    pub(super) count: u64,
}

/// Fetches the warnings of all nodes before their connections serve others. What is said of the text
/// is said once.
pub(super) async fn gather(lanes: impl Iterator<Item = &mut Lane>) -> Gathered {
    let mut lists = Vec::new();
    let (mut count, mut parts) = (0, 0);
    for lane in lanes {
        parts += lane.parts.len() as u64;
        count += lane.warnings;
        if lane.warnings == 0 {
            lists.push(Vec::new());
        } else if !lane.ready.connection.is_busy {
            let mut list = Vec::new();
            read_warnings(&mut lane.ready.connection, &mut list).await;
            lists.push(list);
        }
    }
    merge(lists, count, parts)
}

fn merge(lists: Vec<Vec<Warning>>, count: u64, parts: u64) -> Gathered {
    let is_one_a_part = count == parts && lists.iter().all(|list| list.len() == 1);
    let is_said_everywhere = |warning: &Warning| {
        let is_of_text =
            OF_TEXT.contains(&warning.1) || warning.1 == ER_TRUNCATED_WRONG_VALUE && is_one_a_part;
        is_of_text && lists.iter().all(|list| list.contains(warning))
    };
    let mut merged = Gathered { kept: Vec::new(), count };
    for (index, list) in lists.iter().enumerate() {
        for warning in list {
            let is_repeated = is_said_everywhere(warning);
            if index > 0 && is_repeated {
                continue;
            }
            if is_repeated {
                merged.count = merged.count.saturating_sub(parts.saturating_sub(1));
            }
            if merged.kept.len() < crate::session::Diagnostics::MAX_WARNINGS {
                merged.kept.push(warning.clone());
            }
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(code: u16, text: &str) -> Warning {
        ("Warning".to_owned(), code, text.to_owned())
    }

    #[test]
    fn what_is_said_of_the_text_is_said_once() {
        let (old, zero) = (warning(1287, "old"), warning(1365, "Division by 0"));
        let lists = vec![vec![old.clone(), zero.clone()], vec![old.clone()], vec![old.clone()]];
        // Two parts ran on the last connection, which tells of the second only.
        let merged = merge(lists, 5, 4);
        assert_eq!(merged, Gathered { kept: vec![old.clone(), zero.clone()], count: 2 });
        let merged = merge(vec![vec![zero.clone()], vec![zero.clone()]], 2, 2);
        assert_eq!(merged, Gathered { kept: vec![zero.clone(), zero], count: 2 });
        let merged = merge(vec![vec![old.clone()], Vec::new()], 1, 2);
        assert_eq!(merged, Gathered { kept: vec![old], count: 1 });
    }

    #[test]
    fn a_constant_is_converted_once() {
        let wrong = warning(1292, "Truncated incorrect DOUBLE value: 'x'");
        let merged = merge(vec![vec![wrong.clone()]; 4], 4, 4);
        assert_eq!(merged, Gathered { kept: vec![wrong.clone()], count: 1 });
        let rows = vec![vec![wrong.clone(); 2], vec![wrong.clone()]];
        assert_eq!(merge(rows, 3, 2).count, 3);
    }
}
