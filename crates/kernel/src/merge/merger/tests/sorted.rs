//! Rows that come out in another order than the nodes send them.

use super::super::super::{AggregateColumn, AggregateFunction};
use super::*;

fn descending(column: usize) -> SortKey {
    SortKey { is_descending: true, ..key(column) }
}

/// Groups by column 0, counts in column 1, in the order of the count.
fn by_count() -> RowMerge {
    let function = AggregateFunction::Count;
    let count =
        AggregateColumn { column: ColumnPosition::Visible(1), function, is_distinct: false };
    RowMerge {
        order_by: vec![descending(1), key(0)],
        group_by: Some(vec![key(0)]),
        aggregates: vec![count],
        ..RowMerge::default()
    }
}

/// The top of all nodes is the top of none: group 2 is second everywhere.
#[test]
fn groups_are_ordered_by_their_merged_values() {
    let columns = [column(type_code::LONG), column(type_code::LONGLONG)];
    let streams: &[&[Row<'_>]] = &[
        &[&[Some("1"), Some("5")], &[Some("2"), Some("4")]],
        &[&[Some("2"), Some("4")], &[Some("3"), Some("5")]],
    ];
    let merged = merge_text(&by_count(), &columns, Some((0, 2)), streams);
    assert_eq!(merged, texts(&[&[Some("2"), Some("8")], &[Some("1"), Some("5")]]));
}

#[test]
fn an_order_that_the_nodes_keep_needs_no_memory() {
    let columns = [column(type_code::LONG), column(type_code::LONGLONG)];
    let mut merge = by_count();
    merge.order_by = vec![descending(0)];
    merge.group_by = Some(vec![descending(0)]);
    let input = MergeInput {
        columns: &columns,
        format: RowFormat::Text,
        streams: 1,
        values: &MergeValues::default(),
        context: &Context::default(),
        memory_limit_bytes: 0,
    };
    let rows = vec![text_row(&[Some("2"), Some("1")]), text_row(&[Some("1"), Some("1")])];
    let merged = run(&mut Merger::new(&merge, &input).unwrap(), std::slice::from_ref(&rows), 1);
    assert_eq!(merged, rows);
}

/// SELECT DISTINCT of a count: groups with equal counts are given once.
#[test]
fn groups_can_be_made_distinct() {
    let columns = [column(type_code::LONGLONG), column(type_code::LONG)];
    let count = AggregateColumn {
        column: ColumnPosition::Visible(0),
        function: AggregateFunction::Count,
        is_distinct: false,
    };
    let group = SortKey { column: ColumnPosition::Hidden(0), ..key(0) };
    let merge = RowMerge {
        hidden: 1,
        order_by: vec![descending(0)],
        group_by: Some(vec![group]),
        aggregates: vec![count],
        distinct: Some(vec![key(0)]),
        ..RowMerge::default()
    };
    let merged = merge_text(
        &merge,
        &columns,
        None,
        &[
            &[&[Some("1"), Some("7")], &[Some("3"), Some("8")]],
            &[&[Some("2"), Some("7")], &[Some("5"), Some("9")]],
        ],
    );
    assert_eq!(merged, texts(&[&[Some("5")], &[Some("3")]]));
}

#[test]
fn memory_is_bounded() {
    let columns = [column(type_code::LONG), column(type_code::LONGLONG)];
    let rows: Vec<_> = (0..4000)
        .map(|group| text_row(&[Some(&group.to_string()), Some(&(group % 1000).to_string())]))
        .collect();
    let run_limited = |limit: Option<Limit>| {
        let input = MergeInput {
            columns: &columns,
            format: RowFormat::Text,
            streams: 1,
            values: &limited(limit),
            context: &Context::default(),
            memory_limit_bytes: 400_000,
        };
        let mut merger = Merger::new(&by_count(), &input).unwrap();
        let mut batch = RowBatch::default();
        rows.iter().for_each(|row| batch.push_row(row));
        merger.push(0, batch);
        merger.finish(0);
        let mut merged = Vec::new();
        loop {
            match merger.step()? {
                Step::Row(row) => merged.push(row.to_vec()),
                _ => return Ok(merged),
            }
        }
    };
    let error: StatementError = run_limited(None).unwrap_err();
    assert_eq!((error.code, error.sqlstate), (1038, "HY001"));
    assert!(error.message.contains("merge-memory-limit-bytes (400000)"), "{}", error.message);

    let merged = run_limited(Some(Limit { offset: 1, count: 2 })).unwrap();
    assert_eq!(merged, texts(&[&[Some("1999"), Some("999")], &[Some("2999"), Some("999")]]));
}
