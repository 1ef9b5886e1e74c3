//! Statements on broadcast tables only: read in one unit, changed in all.

use std::sync::Arc;

use super::Binder;
use super::survey::Survey;
use crate::error::StatementError;
use crate::merge::MergePlan;
use crate::model::DataNode;
use crate::plan::{MultiPlan, Plan, StatementClass, Target};
use crate::rewrite::Draft;

/// Functions whose value depends on the server or the moment.
const VARYING: &[&str] = &[
    "CONNECTION_ID",
    "CURDATE",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURTIME",
    "LASTVAL",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "NEXTVAL",
    "NOW",
    "RAND",
    "RANDOM_BYTES",
    "SYSDATE",
    "SYS_GUID",
    "UNIX_TIMESTAMP",
    "UTC_DATE",
    "UTC_TIME",
    "UTC_TIMESTAMP",
    "UUID",
    "UUID_SHORT",
];

impl Binder<'_> {
    /// A plan for a statement whose tables are all in each of these units, under their own names.
    pub(super) fn on_broadcast(
        &self,
        class: StatementClass,
        nodes: &Arc<[DataNode]>,
        draft: Draft,
        survey: Survey<'_>,
    ) -> Result<Plan, StatementError> {
        match class {
            StatementClass::Read => {
                let target = Target::AnyOf(nodes.clone());
                self.single_plan(class, target, draft, survey.effects)
            }
            // Who locks a row must meet who has locked it before.
            StatementClass::LockingRead => {
                let target = nodes.first().map_or(Target::AnyUnit, |node| Target::Unit(node.unit));
                self.single_plan(class, target, draft, survey.effects)
            }
            StatementClass::Write => {
                check_repeatable(&survey)?;
                self.everywhere(class, nodes, draft, survey, MergePlan::Same)
            }
            StatementClass::Ddl | StatementClass::Other => {
                self.everywhere(class, nodes, draft, survey, MergePlan::Summarize)
            }
        }
    }

    /// The same text on each node.
    fn everywhere(
        &self,
        class: StatementClass,
        nodes: &Arc<[DataNode]>,
        draft: Draft,
        survey: Survey<'_>,
        merge: MergePlan,
    ) -> Result<Plan, StatementError> {
        let template = draft.clone().finish(self.literals)?;
        let target = Target::AllNodes(nodes.clone());
        let mut plan = self.single_plan(class, target, draft, survey.effects)?;
        plan.multi = Ok(MultiPlan { template, merge });
        Ok(plan)
    }
}

/// Every unit must come to the same rows.
pub(super) fn check_repeatable(survey: &Survey<'_>) -> Result<(), StatementError> {
    let varying = survey.functions.iter().find(|(function, _)| {
        VARYING.iter().any(|name| name.eq_ignore_ascii_case(&function.name.value))
    });
    let what = match varying {
        Some((function, _)) => format!("{}()", function.name.value.to_ascii_uppercase()),
        None if !survey.effects.assigns_user_variables.is_empty() => {
            "the assignment of a user variable".to_owned()
        }
        None => return Ok(()),
    };
    let table = survey.tables.first().map_or("", |used| &used.name.name.value);
    Err(StatementError::unsupported(format!(
        "A change of broadcast table '{table}' with {what} is not supported: each storage unit \
         would compute another value; write the value itself"
    )))
}

/// LIMIT chooses rows, and not necessarily the same ones in each unit.
pub(super) fn limited(verb: &str, table: &str) -> StatementError {
    StatementError::new(
        20036,
        "44000",
        format!(
            "{verb} with LIMIT of broadcast table '{table}' is not supported: storage units could \
             choose different rows"
        ),
    )
}
