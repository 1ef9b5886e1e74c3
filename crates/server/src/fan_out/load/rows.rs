//! The lines of the file, each placed by its values.

use std::ops::Range;

use eval::Value;
use kernel::error::StatementError;
use kernel::keys::{KeyColumn, Need};
use kernel::load::{LineReader, LoadPlan, LoadSource};
use kernel::predicate::ValueRef;
use kernel::values::ParamValues;
use smallvec::SmallVec;

use super::Loading;
use super::file::ClientFile;
use crate::execute::Failure;
use crate::session::Session;

/// The generated values of a line, by key column; `None` where it has its own.
type LineKeys = SmallVec<[Option<Value<'static>>; 1]>;

/// Reads the file to its end and gives every line to its node.
pub(super) async fn read(
    session: &mut Session,
    loading: &mut Loading<'_>,
    file: &mut ClientFile,
) -> Result<(), Failure> {
    let load = loading.load;
    let most = session.worker.shared.options.limits.max_allowed_packet as usize;
    let mut reader = LineReader::new(load.format.clone(), most);
    let refs: Vec<ValueRef> =
        (0..load.sources.len()).map(|index| ValueRef::Param(index as u16)).collect();
    let (mut number, mut is_end) = (0u64, false);
    loop {
        while let Some(line) = reader.next_line(is_end).map_err(|_| too_long(most))? {
            number += 1;
            if number <= load.ignored_lines {
                continue;
            }
            let keys = keys_of(session, loading, &reader, number).await?;
            let node = node_of(load, &reader, &keys, &refs, number)?;
            send_line(session, loading, &reader, line, &keys, node).await?;
        }
        if is_end {
            return Ok(());
        }
        is_end = !file.read(session, &mut reader).await?;
    }
}

fn too_long(most: usize) -> StatementError {
    StatementError::new(
        1153,
        "08S01",
        format!("A line of the file is longer than maxAllowedPacket ({most} bytes)"),
    )
}

/// The error with the line it is about.
fn at_line(error: StatementError, number: u64) -> StatementError {
    StatementError { message: format!("{} (line {number} of the file)", error.message), ..error }
}

/// Makes the keys that a line lacks.
async fn keys_of(
    session: &mut Session,
    loading: &mut Loading<'_>,
    reader: &LineReader,
    number: u64,
) -> Result<LineKeys, Failure> {
    let mut keys = LineKeys::new();
    for (column, at) in &loading.load.keys {
        let need = need_of(column, *at, reader).map_err(|error| at_line(error, number))?;
        let (cached, plan) = (loading.cached, loading.plan);
        let made = crate::keys::make_one(session, cached, plan, column, need).await?;
        if let (Some(Value::Int(key)), true) = (&made, loading.first_key.is_none()) {
            loading.first_key = u64::try_from(*key).ok();
        }
        keys.push(made);
    }
    Ok(keys)
}

fn need_of(
    column: &KeyColumn,
    at: Option<usize>,
    reader: &LineReader,
) -> Result<Need, StatementError> {
    match at.and_then(|at| reader.fields().get(at)) {
        None => Ok(Need::Generated),
        Some(field) => column.need(&reader.value(*field)),
    }
}

fn node_of(
    load: &LoadPlan,
    reader: &LineReader,
    keys: &LineKeys,
    refs: &[ValueRef],
    number: u64,
) -> Result<u32, StatementError> {
    let field = |index: usize, column: &str| {
        let field = reader.fields().get(index).copied();
        field.map(|field| reader.value(field)).ok_or_else(|| {
            let text = format!("Row doesn't contain data for sharding column '{column}'");
            at_line(StatementError::new(1261, "01000", text), number)
        })
    };
    let values = load
        .sources
        .iter()
        .zip(&load.sharding_columns)
        .map(|(source, column)| match source {
            LoadSource::Field(index) => field(*index, column),
            LoadSource::Key(key) => match (&keys[*key], load.keys[*key].1) {
                (Some(made), _) => Ok(made.clone()),
                (None, Some(index)) => field(index, column),
                (None, None) => Ok(Value::Null),
            },
        })
        .collect::<Result<SmallVec<[Value<'_>; 2]>, _>>()?;
    let values = ParamValues { params: &values, is_utf8: load.is_utf8 };
    load.router.node_of(refs, &values).map_err(|error| at_line(error, number))
}

/// The line as it is, with the generated keys: those of fields it has in their place, others before
/// its first field. The last line of a file need not have its end, and stays the last.
async fn send_line(
    session: &mut Session,
    loading: &mut Loading<'_>,
    reader: &LineReader,
    line: Range<usize>,
    keys: &LineKeys,
    node: u32,
) -> Result<(), Failure> {
    let load = loading.load;
    let bytes = reader.line(&line);
    if keys.iter().all(Option::is_none) {
        return loading.add(session, node, bytes).await;
    }
    let mut edits: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    let mut first = Vec::new();
    for ((_, at), key) in load.keys.iter().zip(keys) {
        let Some(key) = key else { continue };
        let text = text_of(key);
        match at.and_then(|at| reader.fields().get(at)) {
            Some(field) => edits.push((reader.span(*field), text)),
            None => {
                first.extend_from_slice(&text);
                first.extend_from_slice(&load.format.field_end);
            }
        }
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut written = first;
    let mut from = line.start;
    for (span, text) in edits {
        written.extend_from_slice(reader.slice(from, span.start));
        written.extend_from_slice(&text);
        from = span.end;
    }
    written.extend_from_slice(reader.slice(from, line.end));
    loading.add(session, node, &written).await
}

fn text_of(value: &Value<'_>) -> Vec<u8> {
    match value {
        Value::Int(value) => value.to_string().into_bytes(),
        Value::UInt(value) => value.to_string().into_bytes(),
        Value::Bytes(text) => text.to_vec(),
        Value::Null | Value::Decimal(_) | Value::Double(_) => Vec::new(),
    }
}
