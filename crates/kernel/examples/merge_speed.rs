//! What merging costs: four streams of 25 rows with a key of 120 bytes, and groups of them.
//! `cargo run --release -p kernel --example merge_speed [ROUNDS]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use eval::expression::Context;
use eval::{ColumnType, type_code};
use kernel::error::StatementError;
use kernel::merge::{
    AggregateColumn, AggregateFunction, ColumnPosition, Comparison, MergeInput, MergeValues,
    Merger, RowBatch, RowFormat, RowMerge, SortKey, Step,
};

const STREAMS: usize = 4;
const ROWS: usize = 25;
const ROUNDS: u32 = 20_000;

fn main() -> Result<(), StatementError> {
    let columns = [
        ColumnType::new(type_code::LONG, 0, 63, 11, 0),
        ColumnType::new(type_code::VAR_STRING, 0, 63, 120, 0),
        ColumnType::new(type_code::LONGLONG, 0, 63, 20, 0),
    ];
    let by_key = SortKey {
        column: ColumnPosition::Visible(1),
        compare: Comparison::SortKey { pad: b" ".to_vec() },
        is_descending: false,
    };
    let ordered = RowMerge { order_by: vec![by_key.clone()], ..RowMerge::default() };
    let count = AggregateColumn {
        column: ColumnPosition::Visible(2),
        function: AggregateFunction::Count,
        is_distinct: false,
    };
    let grouped =
        RowMerge { group_by: Some(vec![by_key]), aggregates: vec![count], ..RowMerge::default() };
    let batches = batches();
    for (name, merge) in [("ordered", &ordered), ("grouped", &grouped)] {
        let input = MergeInput {
            columns: &columns,
            format: RowFormat::Text,
            streams: STREAMS,
            values: &MergeValues::default(),
            context: &Context::default(),
            memory_limit_bytes: 0,
        };
        let mut fastest = Duration::MAX;
        let mut out = Vec::new();
        let given = std::env::args().nth(1).and_then(|text| text.parse().ok());
        for _ in 0..given.unwrap_or(ROUNDS) {
            let mut queue = batches.clone();
            let start = Instant::now();
            out.clear();
            merge_all(merge, &input, &mut queue, &mut out)?;
            fastest = fastest.min(start.elapsed());
            black_box(&out);
        }
        println!("{name}: {STREAMS} × {ROWS} rows in {:.2} µs", fastest.as_secs_f64() * 1e6);
    }
    Ok(())
}

fn merge_all(
    merge: &RowMerge,
    input: &MergeInput<'_>,
    queue: &mut [RowBatch],
    out: &mut Vec<u8>,
) -> Result<(), StatementError> {
    let mut merger = Merger::new(merge, input)?;
    for (stream, batch) in queue.iter_mut().enumerate() {
        merger.push(stream, std::mem::take(batch));
        merger.finish(stream);
    }
    while let Step::Row(row) = merger.step()? {
        out.extend_from_slice(row);
    }
    Ok(())
}

/// The keys of all streams share their first 100 bytes, as those of similar texts do.
fn batches() -> Vec<RowBatch> {
    let batch = |stream| {
        let mut batch = RowBatch::default();
        for row in 0..ROWS {
            let key = format!("{:0100}{:020}", 7, row * STREAMS + stream);
            let mut payload = vec![2];
            payload.extend_from_slice(format!("{row:02}").as_bytes());
            payload.push(key.len() as u8);
            payload.extend_from_slice(key.as_bytes());
            payload.extend_from_slice(b"\x011");
            batch.push_row(&payload);
        }
        batch
    };
    (0..STREAMS).map(batch).collect()
}
