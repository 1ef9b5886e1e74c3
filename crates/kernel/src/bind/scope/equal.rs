//! Columns that conditions make equal.

use super::{Column, FactId, Scope};
use crate::model::ColumnMetadata;

/// Classes of columns of which all have the same value.
#[derive(Debug, Default)]
pub(in crate::bind) struct Equalities {
    classes: Vec<Vec<Column>>,
}

impl Equalities {
    /// The columns that are equal to this one, itself among them where there are others.
    pub(in crate::bind) fn with(&self, column: Column) -> &[Column] {
        self.classes.iter().find(|class| class.contains(&column)).map_or(&[], Vec::as_slice)
    }

    /// True where both have the same value.
    pub(in crate::bind) fn are_equal(&self, left: Column, right: Column) -> bool {
        left == right || self.with(left).contains(&right)
    }

    fn join(&mut self, left: Column, right: Column) {
        let mut joined = vec![left, right];
        self.classes.retain_mut(|class| {
            let is_touched = class.contains(&left) || class.contains(&right);
            if is_touched {
                joined.append(class);
            }
            !is_touched
        });
        joined.sort_unstable();
        joined.dedup();
        self.classes.push(joined);
    }
}

impl Scope<'_> {
    /// What these facts make equal.
    pub(super) fn equalities(&self, facts: &[FactId]) -> Equalities {
        let mut equal = Equalities::default();
        for (left, right) in
            facts.iter().filter_map(|id| self.facts.get(*id)).flat_map(|f| &f.equal)
        {
            if self.compare_alike(*left, *right) {
                equal.join(*left, *right);
            }
        }
        equal
    }

    /// What holds for the rows of both places makes equal.
    pub(in crate::bind) fn equal_for_both(&self, left: usize, right: usize) -> Equalities {
        let all = |place: usize| [&self.of_place[place][..], &self.around[place][..]].concat();
        let right = all(right);
        let both = all(left).into_iter().filter(|id| right.contains(id)).collect::<Vec<_>>();
        self.equalities(&both)
    }

    /// What holds for the rows of a place makes equal.
    pub(in crate::bind) fn equal_for(&self, place: usize) -> Equalities {
        self.equalities(&[&self.of_place[place][..], &self.around[place][..]].concat())
    }

    /// What holds for all rows of a block makes equal.
    pub(in crate::bind) fn equal_in_block(&self, block: usize) -> Equalities {
        self.equalities(&self.of_block[block])
    }

    /// Both are compared with each other and with any value in the same way, so that what is true of
    /// the value of one is true of that of the other.
    fn compare_alike(&self, left: Column, right: Column) -> bool {
        let (Some(left), Some(right)) = (self.metadata(left), self.metadata(right)) else {
            return false;
        };
        let is_whole = |column: &ColumnMetadata| column.is_integer() && column.data_type != "year";
        let is_text = |column: &ColumnMetadata| {
            column.data_type.contains("char") || column.data_type.contains("text")
        };
        if is_whole(left) && is_whole(right) {
            return true;
        }
        if is_text(left) && is_text(right) {
            return !left.collation.is_empty() && left.collation == right.collation;
        }
        let is_plain =
            matches!(left.data_type.as_str(), "date" | "datetime" | "year" | "varbinary");
        is_plain && left.data_type == right.data_type
    }
}
