//! Merging: ordered, grouped and against a simple model.

use eval::type_code;

use super::super::{ColumnPosition, Comparison};
use super::*;

mod combined;
mod grouped;
mod model;
mod sorted;

/// Values with this limit.
fn limited(limit: Option<Limit>) -> MergeValues {
    MergeValues { limit, ..MergeValues::default() }
}

const UNBOUNDED: usize = usize::MAX;

fn key(column: usize) -> SortKey {
    SortKey {
        column: ColumnPosition::Visible(column),
        compare: Comparison::ByType,
        is_descending: false,
    }
}

fn column(code: u8) -> ColumnType {
    ColumnType::new(code, 0, 63, 0, 0)
}

/// The values of a text row.
type Row<'a> = &'a [Option<&'a str>];

/// A text row of short values.
fn text_row(values: Row<'_>) -> Vec<u8> {
    let mut row = Vec::new();
    for value in values {
        match value {
            Some(value) => {
                row.push(value.len() as u8);
                row.extend_from_slice(value.as_bytes());
            }
            None => row.push(0xfb),
        }
    }
    row
}

/// Runs a merger over whole streams, in batches of `batch_rows`.
fn run(merger: &mut Merger, streams: &[Vec<Vec<u8>>], batch_rows: usize) -> Vec<Vec<u8>> {
    let mut rests: Vec<&[Vec<u8>]> = streams.iter().map(Vec::as_slice).collect();
    let mut merged = Vec::new();
    let mut spare = None;
    loop {
        match merger.step().unwrap() {
            Step::Done => return merged,
            Step::Row(row) => merged.push(row.to_vec()),
            Step::Needs(stream) if rests[stream].is_empty() => merger.finish(stream),
            Step::Needs(stream) => {
                assert!(merger.is_hungry(stream));
                let (rows, rest) = rests[stream].split_at(batch_rows.min(rests[stream].len()));
                rests[stream] = rest;
                let mut batch: RowBatch = spare.take().unwrap_or_default();
                batch.clear();
                rows.iter().for_each(|row| batch.push_row(row));
                spare = merger.push(stream, batch);
                assert!(!merger.is_hungry(stream));
            }
        }
    }
}

fn merge_text(
    merge: &RowMerge,
    columns: &[ColumnType],
    limit: Option<(u64, u64)>,
    streams: &[&[Row<'_>]],
) -> Vec<Vec<u8>> {
    let limit = limit.map(|(offset, count)| Limit { offset, count });
    let input = MergeInput {
        columns,
        format: RowFormat::Text,
        streams: streams.len(),
        values: &limited(limit),
        context: &Context::default(),
        memory_limit_bytes: UNBOUNDED,
    };
    let streams: Vec<Vec<Vec<u8>>> =
        streams.iter().map(|rows| rows.iter().map(|row| text_row(row)).collect()).collect();
    let whole = run(&mut Merger::new(merge, &input).unwrap(), &streams, usize::MAX);
    let single = run(&mut Merger::new(merge, &input).unwrap(), &streams, 1);
    assert_eq!(whole, single, "batches make no difference");
    whole
}

fn texts(rows: &[Row<'_>]) -> Vec<Vec<u8>> {
    rows.iter().map(|row| text_row(row)).collect()
}

#[test]
fn without_order_streams_follow_each_other() {
    let merged = merge_text(
        &RowMerge::default(),
        &[column(type_code::LONG)],
        None,
        &[&[&[Some("3")], &[Some("1")]], &[], &[&[Some("2")]]],
    );
    assert_eq!(merged, texts(&[&[Some("3")], &[Some("1")], &[Some("2")]]));
}

#[test]
fn null_comes_first_ascending_and_last_descending() {
    let columns = [column(type_code::LONG)];
    let ascending = RowMerge { order_by: vec![key(0)], ..RowMerge::default() };
    let merged =
        merge_text(&ascending, &columns, None, &[&[&[Some("9")], &[Some("10")]], &[&[None]]]);
    assert_eq!(merged, texts(&[&[None], &[Some("9")], &[Some("10")]]));

    let descending = SortKey { is_descending: true, ..key(0) };
    let descending = RowMerge { order_by: vec![descending], ..RowMerge::default() };
    let merged =
        merge_text(&descending, &columns, None, &[&[&[None]], &[&[Some("10")], &[Some("9")]]]);
    assert_eq!(merged, texts(&[&[Some("10")], &[Some("9")], &[None]]));
}

#[test]
fn equal_rows_come_in_the_order_of_their_streams() {
    let columns = [column(type_code::LONG), column(type_code::VAR_STRING)];
    let merge = RowMerge { order_by: vec![key(0)], ..RowMerge::default() };
    let merged = merge_text(
        &merge,
        &columns,
        None,
        &[
            &[&[Some("1"), Some("a")], &[Some("1"), Some("b")]],
            &[&[Some("1"), Some("c")]],
            &[&[Some("0"), Some("d")], &[Some("1"), Some("e")]],
        ],
    );
    let order: Vec<u8> = merged.iter().map(|row| row[row.len() - 1]).collect();
    assert_eq!(order, b"dabce");
}

#[test]
fn limit_skips_and_stops() {
    let columns = [column(type_code::LONG)];
    let merge = RowMerge { order_by: vec![key(0)], ..RowMerge::default() };
    let streams: &[&[Row<'_>]] = &[&[&[Some("1")], &[Some("3")]], &[&[Some("2")], &[Some("4")]]];
    let cases: [(u64, u64, &[Row<'_>]); 5] = [
        (0, 2, &[&[Some("1")], &[Some("2")]]),
        (1, 2, &[&[Some("2")], &[Some("3")]]),
        (3, u64::MAX, &[&[Some("4")]]),
        (9, 1, &[]),
        (0, 0, &[]),
    ];
    for (offset, count, expected) in cases {
        let merged = merge_text(&merge, &columns, Some((offset, count)), streams);
        assert_eq!(merged, texts(expected), "LIMIT {offset}, {count}");
    }
}

#[test]
fn hidden_columns_are_cut_off_text_rows() {
    let columns = [column(type_code::VAR_STRING), column(type_code::VAR_STRING)];
    let hidden = SortKey {
        column: ColumnPosition::Hidden(0),
        compare: Comparison::SortKey { pad: b" ".to_vec() },
        is_descending: false,
    };
    let merge = RowMerge { hidden: 1, order_by: vec![hidden], ..RowMerge::default() };
    let merged = merge_text(
        &merge,
        &columns,
        None,
        &[&[&[Some("b"), Some("B")]], &[&[Some("a"), Some("A")], &[None, Some("B\t")]]],
    );
    assert_eq!(merged, texts(&[&[Some("a")], &[None], &[Some("b")]]), "a tab comes before a space");
}

/// Seven visible columns need two bitmap bytes, six one: the bitmap gets shorter by a byte when
/// the hidden seventh goes, and loses its bit when it does not.
#[test]
fn hidden_columns_are_cut_off_binary_rows() {
    for (visible, null_bits) in [(6, [0x04u8, 0x03]), (5, [0x04, 0x02])] {
        let columns = vec![column(type_code::TINY); visible + if visible == 6 { 2 } else { 1 }];
        let hidden = columns.len() - visible;
        let bitmap = bitmap_bytes(columns.len());
        let mut row = vec![0];
        row.extend_from_slice(&null_bits[..bitmap]);
        if visible == 5 {
            row[1] = 0x84;
        }
        let nulls: u32 = row[1..=bitmap].iter().map(|byte| byte.count_ones()).sum();
        row.extend((0..columns.len() as u8 - nulls as u8).map(|value| value + 1));
        let merge = RowMerge { hidden, ..RowMerge::default() };
        let input = MergeInput {
            columns: &columns,
            format: RowFormat::Binary,
            streams: 1,
            values: &MergeValues::default(),
            context: &Context::default(),
            memory_limit_bytes: UNBOUNDED,
        };
        let merged = run(&mut Merger::new(&merge, &input).unwrap(), &[vec![row]], 1);
        let mut expected = vec![0, 0x04];
        expected.extend((0..visible as u8 - 1).map(|value| value + 1));
        assert_eq!(merged, [expected], "{visible} visible columns");
    }
}

fn bitmap_bytes(columns: usize) -> usize {
    (columns + 9) / 8
}

#[test]
fn distinct_rows_come_once() {
    let columns = [column(type_code::LONG)];
    let merge = RowMerge { distinct: Some(vec![key(0)]), ..RowMerge::default() };
    let merged = merge_text(
        &merge,
        &columns,
        Some((1, 2)),
        &[&[&[None], &[Some("1")], &[Some("2")]], &[&[None], &[Some("01")], &[Some("3")]]],
    );
    assert_eq!(merged, texts(&[&[Some("1")], &[Some("2")]]));
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let input = MergeInput {
        columns: &[ColumnType::new(type_code::VAR_STRING, 0, 45, 10, 0)],
        format: RowFormat::Text,
        streams: 1,
        values: &MergeValues::default(),
        context: &Context::default(),
        memory_limit_bytes: UNBOUNDED,
    };
    let by_string = RowMerge { order_by: vec![key(0)], ..RowMerge::default() };
    assert_eq!(Merger::new(&by_string, &input).unwrap_err().code, 30001);
    let by_missing = RowMerge { order_by: vec![key(1)], ..RowMerge::default() };
    assert_eq!(Merger::new(&by_missing, &input).unwrap_err().code, 1105);

    let columns = [column(type_code::LONG)];
    let input = MergeInput { columns: &columns, ..input };
    for row in [&b"\x01x"[..], b"\x05x", b""] {
        let mut merger = Merger::new(&by_string, &input).unwrap();
        let mut batch = RowBatch::default();
        batch.push_row(row);
        merger.push(0, batch);
        assert_eq!(merger.step().unwrap_err().code, 1835, "{row:?}");
    }
}
