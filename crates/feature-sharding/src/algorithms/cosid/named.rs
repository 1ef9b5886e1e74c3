//! Numbers whose targets are named beforehand.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::error::StatementError;

use super::super::target::missing_target;

/// For each number its name and target.
#[derive(Debug)]
pub(super) struct Named {
    entries: Vec<(String, Option<u32>)>,
    names: Vec<Arc<str>>,
}

impl Named {
    pub(super) fn new(entries: impl Iterator<Item = String>, names: &[Arc<str>]) -> Self {
        let positions: HashMap<&str, u32> = names.iter().map(AsRef::as_ref).zip(0..).collect();
        let entries = entries.map(|name| {
            let target = positions.get(name.as_str()).copied();
            (name, target)
        });
        Self { entries: entries.collect(), names: names.to_vec() }
    }

    /// The target of a number, where there is one.
    pub(super) fn target(&self, number: i64) -> Option<u32> {
        self.entries.get(usize::try_from(number).ok()?)?.1
    }

    /// The target of a number, or the error that it does not exist.
    pub(super) fn require(&self, number: i64) -> Result<u32, StatementError> {
        self.target(number).ok_or_else(|| {
            let entry = usize::try_from(number).ok().and_then(|number| self.entries.get(number));
            missing_target(entry.map_or("?", |entry| entry.0.as_str()), &self.names)
        })
    }
}
