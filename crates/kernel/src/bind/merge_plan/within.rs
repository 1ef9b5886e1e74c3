//! What the nodes group their rows by besides GROUP BY: the arguments of aggregates with DISTINCT,
//! of which equal ones on several nodes count once, and the order of GROUP_CONCAT.

use sql::ast::{Expr, Function};

use super::SelectMerge;
use super::resolve::position_of;
use crate::error::StatementError;
use crate::merge::SortKey;
use crate::rewrite::Draft;

/// One key, with its expression as it is written for the nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WithinKey {
    pub(super) key: SortKey,
    text: String,
}

impl WithinKey {
    /// As an entry of ORDER BY.
    pub(super) fn ordered(&self) -> String {
        super::group::directed(self.text.clone(), self.key.is_descending)
    }
}

impl SelectMerge<'_> {
    /// The arguments of an aggregate with DISTINCT become keys, or the keys of its ORDER BY.
    ///
    /// # Errors
    /// Another aggregate needs other keys.
    pub(super) fn need_within(
        &mut self,
        call: &Expr,
        function: &Function,
    ) -> Result<(), StatementError> {
        let mut wanted: Vec<(&Expr, bool)> = Vec::new();
        for item in &function.order_by {
            let expr = match position_of(&item.expr) {
                Some(position) => position
                    .checked_sub(1)
                    .and_then(|index| function.args.get(index))
                    .ok_or_else(|| self.refuse(&self.shown(call)))?,
                None => &item.expr,
            };
            wanted.push((expr, item.is_descending));
        }
        if function.is_distinct {
            let is_ordered_by_arguments = wanted
                .iter()
                .all(|(expr, _)| function.args.iter().any(|arg| self.is_same(arg, expr)));
            if !is_ordered_by_arguments {
                return Err(self.refuse(&self.shown(call)));
            }
            for argument in &function.args {
                if !wanted.iter().any(|(expr, _)| self.is_same(expr, argument)) {
                    wanted.push((argument, false));
                }
            }
        }
        let mut keys = Vec::new();
        for (expr, is_descending) in wanted {
            self.is_grouping = true;
            let key = self.group_key(expr, None, is_descending);
            self.is_grouping = false;
            // What is the same in all rows would need no key, but then the first node, which may
            // have no rows, would decide.
            let key = key?.ok_or_else(|| self.refuse(&self.shown(call)))?;
            keys.push(WithinKey { key, text: self.expr_text(expr)? });
        }
        match &self.within {
            Some(known) if *known != keys => Err(self.refuse(&format!(
                "{} together with an aggregate that has DISTINCT or ORDER BY on something else",
                self.shown(call)
            ))),
            _ => {
                self.within = Some(keys);
                Ok(())
            }
        }
    }

    /// Writes the keys into GROUP BY.
    pub(super) fn write_within(&self, draft: &mut Draft) {
        let Some(keys) = &self.within else { return };
        let texts: Vec<&str> = keys.iter().map(|key| key.text.as_str()).collect();
        let texts = texts.join(", ");
        match self.select.group_by_span {
            Some(span) => draft.insert(span.end, format!(", {texts}")),
            None => draft.insert(self.query.order_by_at, format!(" GROUP BY {texts}")),
        }
    }
}
