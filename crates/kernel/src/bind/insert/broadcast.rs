//! INSERT into broadcast tables: the same rows in every unit, generated values included.

use sql::ast::{Insert, InsertSource};

use super::Written;
use crate::bind::Binder;
use crate::bind::broadcast::check_repeatable;
use crate::bind::survey::Survey;
use crate::bind::tables::Sharded;
use crate::error::StatementError;
use crate::merge::MergePlan;
use crate::plan::{MultiPlan, Plan, StatementClass, Target};

impl Binder<'_> {
    /// Plans an INSERT whose tables are all in every unit.
    pub(super) fn broadcast_insert(
        &self,
        insert: &Insert,
        survey: Survey<'_>,
        shared: Sharded<'_>,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        check_repeatable(&survey)?;
        if let Some(returning) = insert.returning {
            self.check_unread(returning.of(self.text))?;
            return Err(StatementError::unsupported(format!(
                "RETURNING of broadcast table '{}' is not supported",
                shared.table.name
            )));
        }
        let mut draft = self.base_draft(&survey);
        let mut keys = Vec::new();
        if matches!(insert.source, InsertSource::Query(_)) {
            let names = self.inserted_names(insert, shared);
            let counted =
                super::table_columns(shared.table).find(|column| column.is_auto_increment);
            if let Some(column) = counted
                && !names.iter().any(|name| name.eq_ignore_ascii_case(&column.name))
            {
                return Err(StatementError::new(
                    20038,
                    "44000",
                    format!(
                        "INSERT .. SELECT into broadcast table '{}' does not generate values of \
                         its column '{}'",
                        shared.table.name, column.name
                    ),
                ));
            }
        } else {
            let written = Written::of(insert, shared.table);
            written.check_widths()?;
            let database = self.logical_name(shared.nodes);
            let generated = self.generated(&written, (database, shared.table), None)?;
            self.add_key_columns(insert, &written, &generated, &mut draft)?;
            self.splice_rows(insert, &written, &survey, &generated, &mut draft);
            keys = generated.columns;
        }
        let template = draft.clone().finish(self.literals)?;
        let target = Target::AllNodes(shared.nodes.clone());
        let mut plan = self.single_plan(StatementClass::Write, target, draft, survey.effects)?;
        plan.multi = Ok(MultiPlan { template, merge: MergePlan::Same });
        plan.keys = keys;
        Ok(plan)
    }
}
