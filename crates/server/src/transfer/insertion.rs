//! The statement with the rows in it, in batches, each planned and routed like a client's own.

use std::sync::Arc;

use kernel::error::StatementError;
use kernel::keys::{Keys, WithKeys};
use kernel::merge::{MergePlan, MergeValues, Summary};
use kernel::plan::{Plan, Text};
use kernel::predicate::ValueSource;
use kernel::snapshot::Snapshot;
use kernel::transfer::{Transfer, TransferKind};

use super::Rows;
use crate::answer::Encoding;
use crate::execute::Failure;
use crate::fan_out::{self, Changed, FanOut, Part, PartCommand};
use crate::keys::Inserted;
use crate::plan_cache::{Body, CachedStatement};
use crate::session::{Diagnostics, Session, Warning};
use crate::statement;

/// Size of a batch, far below the smallest `max_allowed_packet` in use.
const BATCH_BYTES: usize = 512 * 1024;

/// What all batches did.
#[derive(Debug, Default)]
pub(super) struct Inserting {
    /// The answers, added up; the insert id is what the client is told.
    pub(super) summary: Summary,
    /// Rows that met others.
    duplicates: u64,
    /// As far as they are kept.
    pub(super) warnings: Vec<Warning>,
    /// LAST_INSERT_ID() after the statement, where it changes.
    pub(super) remembered: Option<u64>,
}

impl Inserting {
    /// Inserts all rows.
    pub(super) async fn insert(
        &mut self,
        session: &mut Session,
        snapshot: &Arc<Snapshot>,
        transfer: &Transfer,
        rows: &Rows,
    ) -> Result<(), Failure> {
        self.summary.info = nothing(transfer.kind).to_owned();
        if rows.len() == 0 && transfer.kind == TransferKind::Insert {
            check_width(session, snapshot, transfer, rows.columns())?;
        }
        let mut at = 0;
        while at < rows.len() {
            let mut text = transfer.before.clone().into_bytes();
            at = rows.put(at, BATCH_BYTES, &mut text)?.end;
            text.extend_from_slice(transfer.after.as_bytes());
            self.insert_batch(session, snapshot, &text).await?;
        }
        if transfer.kind == TransferKind::Insert {
            let (rows, warnings) = (rows.len(), self.summary.warnings);
            self.summary.info =
                format!("Records: {rows}  Duplicates: {}  Warnings: {warnings}", self.duplicates);
        }
        Ok(())
    }

    async fn insert_batch(
        &mut self,
        session: &mut Session,
        snapshot: &Arc<Snapshot>,
        text: &[u8],
    ) -> Result<(), Failure> {
        let cached = statement::plan_answered(session, snapshot, text)?;
        let Body::Routed(plan) = &cached.body else { return Err(super::changed().into()) };
        let needs = crate::keys::needs(plan, &statement::text_values(session, text, &[]))?;
        let keys = match plan.keys.is_empty() {
            true => Keys::default(),
            false => crate::keys::make(session, &cached, plan, needs).await?,
        };
        let changed = match parts(session, &cached, plan, text, &keys) {
            Ok((parts, merge)) => {
                let fan_out = FanOut {
                    class: plan.class,
                    merge,
                    values: MergeValues::default(),
                    relabel: None,
                    encoding: Encoding::Text,
                    parts,
                    rows: None,
                };
                fan_out::change(session, &fan_out).await
            }
            Err(error) => Err(error.into()),
        };
        let changed = changed.map(|changed| self.add(session, changed));
        crate::keys::settle(session, &changed);
        changed
    }

    /// Adds a batch's answer.
    fn add(&mut self, session: &Session, changed: Changed) {
        let Changed { summary, duplicates, warnings } = changed;
        let (own, affected) = (summary.last_insert_id, summary.affected_rows);
        let remembered = match &session.inserted {
            Some(inserted) => inserted.remembered(own, affected),
            None => Some(own).filter(|own| *own != 0),
        };
        // The first generated number of the statement; without any, what the last row was given.
        if self.remembered.is_none() {
            self.summary.last_insert_id = session.insert_id(own, affected);
            self.remembered = remembered;
        }
        let told = self.summary.last_insert_id;
        self.summary.add(&summary);
        self.summary.last_insert_id = told;
        self.duplicates += duplicates;
        let room = Diagnostics::MAX_WARNINGS.saturating_sub(self.warnings.len());
        self.warnings.extend(warnings.into_iter().take(room));
    }
}

/// What each unit is sent.
fn parts<'p>(
    session: &mut Session,
    cached: &CachedStatement,
    plan: &'p Plan,
    text: &[u8],
    keys: &Keys,
) -> Result<(Vec<Part>, &'p MergePlan), StatementError> {
    const SUMMARIZE: &MergePlan = &MergePlan::Summarize;
    let values = statement::text_values(session, text, &[]);
    let with_keys = WithKeys { values: &values, keys, as_params: false };
    let values: &dyn ValueSource = if keys.columns.is_empty() { &values } else { &with_keys };
    if let Some(column) = &plan.counted
        && column.are_all_given(values)
    {
        session.inserted = Some(Inserted::given());
    }
    let units = statement::route(session, cached, plan, values)?;
    let (template, merge) = match units.len() {
        1 => (&plan.single, SUMMARIZE),
        _ => {
            let multi = plan.multi.as_ref().map_err(Clone::clone)?;
            (&multi.template, &multi.merge)
        }
    };
    let written = Text { bytes: text, literals: &[], values };
    let mut parts = Vec::with_capacity(units.len());
    for unit in &units {
        let mut sql = Vec::new();
        template.render(written, unit, &mut sql);
        let unit = statement::find_unit(session, cached, unit)?.clone();
        parts.push(Part { unit, command: PartCommand::Query(sql) });
    }
    Ok((parts, merge))
}

/// What is said of a change before it has met a row.
///
/// # Source
/// MySQL manual, `mysql_info()`.
fn nothing(kind: TransferKind) -> &'static str {
    match kind {
        TransferKind::Update => "Rows matched: 0  Changed: 0  Warnings: 0",
        TransferKind::Insert | TransferKind::Delete => "",
    }
}

/// A statement that inserts nothing is refused where one with rows would be.
fn check_width(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    transfer: &Transfer,
    columns: usize,
) -> Result<(), StatementError> {
    let row = vec!["1"; columns].join(", ");
    let text = format!("{}({row}){}", transfer.before, transfer.after);
    statement::plan_answered(session, snapshot, text.as_bytes()).map(drop)
}
