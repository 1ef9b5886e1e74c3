//! Targets by the end of their names.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::error::StatementError;

use super::super::pattern::Pattern;
use super::super::target::cannot_place;
use crate::node_set::NodeSet;

/// Names of targets, whose ends a pattern writes.
#[derive(Debug)]
pub(super) struct Suffixes {
    pattern: Pattern,
    names: Vec<Arc<str>>,
    /// By end, where all ends are equally long.
    by_end: Option<HashMap<String, Vec<u32>>>,
}

impl Suffixes {
    pub(super) fn new(pattern: Pattern, names: &[Arc<str>]) -> Self {
        let by_end = pattern.length().map(|length| {
            let mut by_end: HashMap<String, Vec<u32>> = HashMap::new();
            for (name, index) in names.iter().zip(0..) {
                let start = name.len().checked_sub(length);
                if let Some(end) = start.and_then(|start| name.get(start..)) {
                    by_end.entry(end.to_owned()).or_default().push(index);
                }
            }
            by_end
        });
        Self { pattern, names: names.to_vec(), by_end }
    }

    /// Adds the targets of the window that begins there.
    pub(super) fn find(&self, begin: i64, targets: &mut NodeSet) {
        self.each(&self.pattern.format(begin), |target| targets.insert(target));
    }

    /// The one target of the window that begins there.
    pub(super) fn only(&self, type_name: &str, begin: i64) -> Result<Option<u32>, StatementError> {
        let suffix = self.pattern.format(begin);
        let (mut only, mut count) = (None, 0);
        self.each(&suffix, |target| {
            only = Some(target);
            count += 1;
        });
        if count > 1 {
            return Err(cannot_place(
                type_name,
                &format!("{count} targets end with '{suffix}'; make the suffixes longer"),
            ));
        }
        Ok(only)
    }

    fn each(&self, suffix: &str, mut add: impl FnMut(u32)) {
        match &self.by_end {
            Some(by_end) => by_end.get(suffix).into_iter().flatten().copied().for_each(add),
            None => {
                for (name, index) in self.names.iter().zip(0..) {
                    if name.ends_with(suffix) {
                        add(index);
                    }
                }
            }
        }
    }
}
