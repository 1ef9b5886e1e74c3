//! What becomes of one statement, as text.

use std::fmt::Write as _;

use eval::Value;
use kernel::bind::{BindContext, plan};
use kernel::error::StatementError;
use kernel::feature::KeyKind;
use kernel::gather::GatherPlan;
use kernel::keys::{Keys, Need, WithKeys};
use kernel::merge::{
    AggregateFunction, ColumnPosition, Comparison, Formula, MergePlan, RowMerge, SortKey,
};
use kernel::plan::{Effects, Plan, RouteUnit, StatementClass, Target, Template, Text};
use kernel::predicate::{ValueRef, ValueSource};
use kernel::transfer::Transfer;
use kernel::values::{ParamValues, TextValues};
use sql::SqlMode;
use sql::fingerprint::{Fingerprint, LiteralSpan};

use super::fixture::Fixture;

/// The lines below a statement.
pub(crate) fn describe(fixture: &Fixture, statement: &str) -> String {
    if let Some((params, text)) = statement.strip_prefix('[').and_then(|s| s.split_once("] ")) {
        let params = params.split(',').map(|text| param(text.trim())).collect::<Vec<_>>();
        let values = ParamValues { params: &params, is_utf8: true };
        return outcome(fixture, text, &[], &values);
    }
    let mode = SqlMode::default();
    let mut fingerprint = Fingerprint::default();
    fingerprint.scan(statement.as_bytes(), mode);
    let literals = &fingerprint.literals;
    let values = TextValues { text: statement.as_bytes(), literals, mode, is_utf8: true };
    let open = outcome(fixture, statement, literals, &values);
    // As a prepared statement, its literals are constants; the answer is the same.
    let constant = outcome(fixture, statement, &[], &values);
    let routes = |text: &str| {
        text.lines()
            .filter(|line| !line.starts_with("merge") && !line.starts_with("plan"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(routes(&open), routes(&constant), "{statement}");
    open
}

fn param(text: &str) -> Value<'_> {
    match text.strip_prefix('\'') {
        Some(text) => Value::Bytes(text.trim_end_matches('\'').as_bytes().into()),
        None if text == "NULL" => Value::Null,
        None => Value::Int(text.parse().unwrap()),
    }
}

fn outcome(
    fixture: &Fixture,
    text: &str,
    literals: &[LiteralSpan],
    values: &dyn ValueSource,
) -> String {
    let mut lines = String::new();
    if let Err(error) = write(fixture, text, literals, values, &mut lines) {
        writeln!(lines, "error: {} ({}) {}", error.code, error.sqlstate, error.message).unwrap();
    }
    lines
}

fn write(
    fixture: &Fixture,
    text: &str,
    literals: &[LiteralSpan],
    values: &dyn ValueSource,
    lines: &mut String,
) -> Result<(), StatementError> {
    let mode = SqlMode::default();
    let statement = sql::parse(text.as_bytes(), mode)
        .map_err(|error| StatementError::syntax(format!("{error}")))?;
    let context = BindContext {
        database: Some(&fixture.snapshot.databases["shop"]),
        is_in_system_database: false,
        snapshot: &fixture.snapshot,
        sql_mode: mode,
        temporary_tables: &[("scratch".to_owned(), kernel::model::UnitId(1))],
    };
    let plan = plan(text.as_bytes(), &statement, literals, &context)?;
    write_effects(&plan, lines);
    let keys = keys(&plan, values)?;
    let with_keys = WithKeys { values, keys: &keys, as_params: plan.param_count > 0 };
    let values: &dyn ValueSource = &with_keys;
    let written = Text { bytes: text.as_bytes(), literals, values };
    if let Some(gather) = plan.gather.as_ref().filter(|gather| gather.is_always) {
        write_gather(gather, written, lines);
        return Ok(());
    }
    if let Some(transfer) = plan.transfer.as_ref().filter(|transfer| transfer.is_always) {
        write_transfer(transfer, lines);
        return Ok(());
    }
    let units = plan.route(values)?;
    if let (Some(transfer), true) = (&plan.transfer, units.len() > 1 && plan.multi.is_err()) {
        write_transfer(transfer, lines);
        return Ok(());
    }
    if let (Some(gather), true) = (&plan.gather, units.len() > 1 && plan.multi.is_err()) {
        write_gather(gather, written, lines);
        return Ok(());
    }
    let template = match units.as_slice() {
        [_] => &plan.single,
        _ => match &plan.multi {
            Ok(multi) => &multi.template,
            Err(error) => return Err(error.clone()),
        },
    };
    for unit in &units {
        let mut actual = Vec::new();
        let bytes = Text { bytes: text.as_bytes(), literals, values };
        template.render(bytes, unit, &mut actual);
        let actual = String::from_utf8(actual).unwrap();
        let params =
            template.kept_params(unit, plan.param_count, values).filter(|_| with_keys.as_params);
        let params = params.map_or(String::new(), |kept| format!(" params {:?}", kept.as_slice()));
        writeln!(lines, "{}: {actual}{params}", fixture.unit_name(unit.unit)).unwrap();
    }
    if units.len() > 1
        && let Ok(multi) = &plan.multi
    {
        writeln!(lines, "merge: {}", merge(&multi.merge)).unwrap();
    }
    Ok(())
}

/// The query that is read, and the statement that is made with its rows.
fn write_transfer(transfer: &Transfer, lines: &mut String) {
    writeln!(lines, "read: {}", transfer.query).unwrap();
    writeln!(lines, "change: {}..{}", transfer.before, transfer.after).unwrap();
}

/// In the order in which copies are filled: what they are, how they are read, and by which columns
/// of other copies they are narrowed; then the statement over them.
fn write_gather(gather: &GatherPlan, text: Text<'_>, lines: &mut String) {
    let nowhere = RouteUnit { unit: kernel::model::UnitId(0), node: 0, rows: Default::default() };
    let render = |template: &Template| {
        let mut written = Vec::new();
        template.render(text, &nowhere, &mut written);
        String::from_utf8(written).unwrap()
    };
    for index in &gather.order {
        let copy = &gather.copies[*index];
        writeln!(lines, "{}", copy.create).unwrap();
        writeln!(lines, "  {}{}", render(&copy.read), copy.lock).unwrap();
        for narrowing in &copy.narrowings {
            writeln!(lines, "  {} IN ({})", narrowing.column, narrowing.values).unwrap();
        }
    }
    writeln!(lines, "over copies: {}", render(&gather.statement)).unwrap();
}

/// Generated keys as the proxy could make them: numbers from 1001, words.
fn keys(plan: &Plan, values: &dyn ValueSource) -> Result<Keys, StatementError> {
    let mut columns = Vec::new();
    for column in &plan.keys {
        let needs = column.needs(values)?;
        let key = |(row, need): (usize, &Need)| {
            let value = match column.kind {
                KeyKind::Sequence | KeyKind::Snowflake { .. } => Value::Int(1001 + row as i64),
                KeyKind::Uuid | KeyKind::NanoId => {
                    Value::Bytes(format!("key_{row}").into_bytes().into())
                }
            };
            (*need == Need::Generated).then_some(value)
        };
        columns.push(needs.iter().enumerate().map(key).collect());
    }
    let keys = Keys { columns };
    Ok(if keys.is_empty() { Keys::default() } else { keys })
}

/// Class, target and effects on one line.
fn write_effects(plan: &Plan, lines: &mut String) {
    let target = match &plan.target {
        Target::Unit(_) => "one unit".to_owned(),
        Target::AnyUnit if plan.is_system => "system tables".to_owned(),
        Target::AnyUnit => "any unit".to_owned(),
        Target::Nodes { router, .. } => router.reason(),
        Target::Rows { rows, .. } => format!("{} rows", rows.len()),
        Target::AnyOf(nodes) => format!("any of {} nodes", nodes.len()),
        Target::AllNodes(nodes) => format!("all {} nodes", nodes.len()),
    };
    let class = match plan.class {
        StatementClass::Read => "read",
        StatementClass::LockingRead => "locking read",
        StatementClass::Write => "write",
        StatementClass::Ddl => "ddl",
        StatementClass::Other => "other",
    };
    write!(lines, "plan: {class}, {target}").unwrap();
    if plan.effects != Effects::default() {
        let shown = format!("{:?}", plan.effects);
        let shown = shown.trim_start_matches("Effects { ").trim_end_matches(" }");
        let notable = shown
            .split(", ")
            .filter(|part| {
                !part.ends_with("false") && !part.ends_with("[]") && !part.ends_with("None")
            })
            .collect::<Vec<_>>();
        write!(lines, ", {}", notable.join(", ")).unwrap();
    }
    lines.push('\n');
}

fn merge(plan: &MergePlan) -> String {
    match plan {
        MergePlan::Concatenate => "concatenate".to_owned(),
        MergePlan::Summarize => "summarize".to_owned(),
        MergePlan::Same => "same".to_owned(),
        MergePlan::Rows(rows) => merge_rows(rows),
    }
}

fn merge_rows(rows: &RowMerge) -> String {
    let mut parts = Vec::new();
    if let Some(keys) = &rows.group_by {
        parts.push(format!("group by {}", list(keys)));
    }
    if !rows.within.is_empty() {
        parts.push(format!("within {}", list(&rows.within)));
    }
    if rows.is_unordered {
        parts.push("unordered".to_owned());
    }
    if rows.counts_all {
        parts.push("count all".to_owned());
    }
    if let Some(keys) = &rows.distinct {
        parts.push(format!("distinct {}", list(keys)));
    }
    for aggregate in &rows.aggregates {
        let function = match &aggregate.function {
            AggregateFunction::Min(one) => format!("min by {}", key(one)),
            AggregateFunction::Max(one) => format!("max by {}", key(one)),
            AggregateFunction::Avg { sum, count } => {
                format!("avg of {} / {}", position(*sum), position(*count))
            }
            AggregateFunction::GroupConcat { separator, length, max_length } => format!(
                "concatenated by {:?}, {} <= {}",
                String::from_utf8_lossy(separator),
                position(*length),
                position(*max_length)
            ),
            AggregateFunction::Variance { kind, count, mean, variance } => {
                let [count, mean, variance] = [count, mean, variance].map(|at| position(*at));
                format!("{kind:?} of {count}, {mean}, {variance}").to_lowercase()
            }
            other => format!("{other:?}").to_lowercase(),
        };
        let distinct = if aggregate.is_distinct { " distinct" } else { "" };
        parts.push(format!("{} {function}{distinct}", position(aggregate.column)));
    }
    for (column, formula) in &rows.computed {
        parts.push(format!("{} = {}", position(*column), shown(formula)));
    }
    if let Some(formula) = &rows.having {
        parts.push(format!("having {}", shown(formula)));
    }
    if !rows.order_by.is_empty() {
        parts.push(format!("order by {}", list(&rows.order_by)));
    }
    if let Some((offset, count)) = &rows.limit {
        let offset = offset.as_ref().map_or(String::new(), |offset| format!("{}, ", value(offset)));
        parts.push(format!("limit {offset}{}", value(count)));
    }
    if rows.hidden > 0 {
        parts.push(format!("hide {}", rows.hidden));
    }
    parts.join("; ")
}

/// What a formula is about.
fn shown(formula: &Formula) -> String {
    let slots = formula.slots.iter().map(|slot| position(slot.column));
    let arguments = formula.arguments.iter().map(value);
    format!("formula of {}", slots.chain(arguments).collect::<Vec<_>>().join(", "))
}

fn list(keys: &[SortKey]) -> String {
    format!("({})", keys.iter().map(key).collect::<Vec<_>>().join(", "))
}

fn key(key: &SortKey) -> String {
    let pad = match &key.compare {
        Comparison::ByType => String::new(),
        Comparison::SortKey { pad } => format!(" weight pad {pad:02x?}"),
        Comparison::ByValue { weights, collation } => {
            format!(" or weight {} of {}", position(*weights), position(*collation))
        }
    };
    let direction = if key.is_descending { " desc" } else { "" };
    format!("{}{pad}{direction}", position(key.column))
}

fn position(column: ColumnPosition) -> String {
    match column {
        ColumnPosition::Visible(index) => format!("column {index}"),
        ColumnPosition::Hidden(index) => format!("hidden {index}"),
    }
}

fn value(value: &ValueRef) -> String {
    match value {
        ValueRef::Const(value) => format!("{value:?}"),
        ValueRef::Literal { index, .. } => format!("literal {index}"),
        ValueRef::Param(index) => format!("param {index}"),
        ValueRef::Computed(_) => "computed".to_owned(),
        ValueRef::Key { column, row, .. } => format!("key {column} of row {row}"),
    }
}
