//! Answers without rows, added up.

/// What an OK packet says of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows that were changed, or found, by the connection's flags.
    pub affected_rows: u64,
    /// The first generated AUTO_INCREMENT value; 0 for none.
    pub last_insert_id: u64,
    /// Warnings.
    pub warnings: u16,
    /// E.g. `Rows matched: 1  Changed: 1  Warnings: 0`.
    pub info: String,
}

impl Summary {
    /// Adds the answer of another node. Numbers of the info text are added where both texts have
    /// the same words; otherwise the first text stays.
    pub fn add(&mut self, other: &Self) {
        self.affected_rows = self.affected_rows.saturating_add(other.affected_rows);
        if self.last_insert_id == 0 {
            self.last_insert_id = other.last_insert_id;
        }
        self.warnings = self.warnings.saturating_add(other.warnings);
        if self.info.is_empty() {
            self.info.clone_from(&other.info);
        } else if let Some(info) = add_numbers(&self.info, &other.info) {
            self.info = info;
        }
    }
}

impl Summary {
    /// What one server would count, where the nodes together counted some more than once.
    pub fn set_warnings(&mut self, warnings: u16) {
        const LABEL: &str = "Warnings: ";
        self.warnings = warnings;
        if let Some(at) = self.info.rfind(LABEL) {
            self.info.truncate(at + LABEL.len());
            self.info.push_str(&warnings.to_string());
        }
    }
}

/// The text with each of its numbers added to that of the other text; `None` when they differ in
/// more than numbers.
fn add_numbers(left: &str, right: &str) -> Option<String> {
    let mut sum = String::with_capacity(left.len() + 8);
    let (mut left, mut right) = (left, right);
    while !left.is_empty() || !right.is_empty() {
        let (left_word, left_rest) = split_at_number(left);
        let (right_word, right_rest) = split_at_number(right);
        if left_word != right_word {
            return None;
        }
        sum.push_str(left_word);
        let (left_number, right_number);
        (left_number, left) = split_number(left_rest);
        (right_number, right) = split_number(right_rest);
        if left_number.is_empty() && right_number.is_empty() {
            break;
        }
        let total = left_number.parse::<u64>().ok()?.checked_add(right_number.parse().ok()?)?;
        sum.push_str(&total.to_string());
    }
    Some(sum)
}

fn split_at_number(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len()))
}

fn split_number(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_added_up() {
        let answer = |affected_rows, last_insert_id, warnings, info: &str| Summary {
            affected_rows,
            last_insert_id,
            warnings,
            info: info.to_owned(),
        };
        let mut sum = Summary::default();
        sum.add(&answer(1, 0, 0, "Rows matched: 3  Changed: 1  Warnings: 0"));
        sum.add(&answer(9, 7, 2, "Rows matched: 9  Changed: 9  Warnings: 2"));
        sum.add(&answer(0, 5, u16::MAX, "Rows matched: 0  Changed: 0  Warnings: 0"));
        assert_eq!(sum, answer(10, 7, u16::MAX, "Rows matched: 12  Changed: 10  Warnings: 2"));
    }

    #[test]
    fn the_warnings_of_one_server_stand_in_both_places() {
        let info = "Records: 2  Duplicates: 2  Warnings: 2".to_owned();
        let mut summary = Summary { warnings: 2, info, ..Summary::default() };
        summary.set_warnings(1);
        assert_eq!(summary.warnings, 1);
        assert_eq!(summary.info, "Records: 2  Duplicates: 2  Warnings: 1");
    }

    #[test]
    fn texts_that_differ_are_not_added() {
        assert_eq!(add_numbers("Records: 1", "Rows: 1"), None);
        assert_eq!(add_numbers("Records: 1", "Records: "), None);
        assert_eq!(add_numbers("Records: 1", "Records: 99999999999999999999"), None);
        assert_eq!(add_numbers("1 2 x", "3 4 x").as_deref(), Some("4 6 x"));
    }
}
