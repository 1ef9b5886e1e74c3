//! Columns that are added for merging and cut off before the client sees them.

use crate::merge::ColumnPosition;

/// The hidden columns in order.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    columns: Vec<String>,
}

impl Hidden {
    /// The position of a column with this text; it is added when it is not there.
    pub(super) fn add(&mut self, text: String) -> ColumnPosition {
        let known = self.columns.iter().position(|column| *column == text);
        ColumnPosition::Hidden(known.unwrap_or_else(|| {
            self.columns.push(text);
            self.columns.len() - 1
        }))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// What is added behind the select list.
    pub(super) fn text(&self) -> String {
        let columns = self.columns.iter().enumerate();
        columns.map(|(index, text)| format!(", {text} AS `__ab_{index}`")).collect()
    }
}
