//! Groups and aggregates, with exact bytes.

use super::super::super::{AggregateColumn, AggregateFunction};
use super::*;

fn aggregate(column: usize, function: AggregateFunction) -> AggregateColumn {
    AggregateColumn { column: ColumnPosition::Visible(column), function, is_distinct: false }
}

fn average(hidden: usize) -> AggregateFunction {
    AggregateFunction::Avg {
        sum: ColumnPosition::Hidden(hidden),
        count: ColumnPosition::Hidden(hidden + 1),
    }
}

fn decimal(decimals: u8) -> ColumnType {
    ColumnType::new(type_code::NEWDECIMAL, 0, 63, 20, decimals)
}

#[test]
fn groups_of_several_nodes_become_one() {
    let columns = [
        column(type_code::VAR_STRING),
        column(type_code::LONGLONG),
        decimal(2),
        column(type_code::LONG),
        decimal(6),
        decimal(2),
        column(type_code::LONGLONG),
    ];
    let merge = RowMerge {
        hidden: 2,
        group_by: Some(vec![key(0)]),
        aggregates: vec![
            aggregate(1, AggregateFunction::Count),
            aggregate(2, AggregateFunction::Sum),
            aggregate(3, AggregateFunction::Max(key(3))),
            aggregate(4, average(0)),
        ],
        ..RowMerge::default()
    };
    let some = |values: [&'static str; 7]| values.map(Some);
    let none = [None, Some("1"), None, None, None, None, Some("0")];
    let merged = merge_text(
        &merge,
        &columns,
        None,
        &[
            &[&none, &some(["a", "2", "1.50", "9", "0.750000", "1.50", "2"])],
            &[
                &none,
                &some(["a", "1", "-0.25", "10", "-0.250000", "-0.25", "1"]),
                &some(["b", "1", "5.00", "-3", "5.000000", "5.00", "1"]),
            ],
        ],
    );
    assert_eq!(
        merged,
        texts(&[
            &[None, Some("2"), None, None, None],
            &["a", "3", "1.25", "10", "0.416667"].map(Some),
            &["b", "1", "5.00", "-3", "5.000000"].map(Some),
        ])
    );
}

#[test]
fn aggregates_without_groups_give_exactly_one_row() {
    let unsigned = ColumnType { is_unsigned: true, ..column(type_code::LONGLONG) };
    let columns = [
        column(type_code::LONGLONG),
        decimal(0),
        column(type_code::LONG),
        unsigned,
        unsigned,
        unsigned,
        decimal(4),
        decimal(0),
        column(type_code::LONGLONG),
    ];
    let merge = RowMerge {
        hidden: 2,
        aggregates: vec![
            aggregate(0, AggregateFunction::Count),
            aggregate(1, AggregateFunction::Sum),
            aggregate(2, AggregateFunction::Min(key(2))),
            aggregate(3, AggregateFunction::BitAnd),
            aggregate(4, AggregateFunction::BitOr),
            aggregate(5, AggregateFunction::BitXor),
            aggregate(6, average(0)),
        ],
        ..RowMerge::default()
    };
    let all_ones = "18446744073709551615";
    let zero = ["0", "", "", all_ones, "0", "0", "", "", "0"];
    let empty = zero.map(|value| (!value.is_empty()).then_some(value));
    let nothing = texts(&[&[Some("0"), None, None, Some(all_ones), Some("0"), Some("0"), None]]);
    assert_eq!(merge_text(&merge, &columns, None, &[&[&empty], &[&empty]]), nothing);
    assert_eq!(merge_text(&merge, &columns, None, &[&[], &[]]), nothing);

    let node = ["2", "7", "3", "12", "12", "4", "3.5000", "7", "2"].map(Some);
    let other = ["1", "-9", "-9", "6", "6", "6", "-9.0000", "-9", "1"].map(Some);
    let merged = merge_text(&merge, &columns, None, &[&[&node], &[&empty], &[&other]]);
    let expected = ["3", "-2", "-9", "4", "14", "2", "-0.6667"].map(Some);
    assert_eq!(merged, texts(&[&expected]));
    assert_eq!(merge_text(&merge, &columns, Some((1, 1)), &[&[&node]]), Vec::<Vec<u8>>::new());
}

/// COUNT, SUM of an INT, SUM of a DOUBLE, MAX of a DATE, AVG; hidden SUM and COUNT. One node has no
/// value, so its SUM, MAX and AVG are NULL.
#[test]
fn binary_results_have_their_columns_encoding() {
    let columns = [
        column(type_code::LONGLONG),
        decimal(0),
        ColumnType::new(type_code::DOUBLE, 0, 63, 23, 31),
        column(type_code::DATE),
        decimal(4),
        decimal(0),
        column(type_code::LONGLONG),
    ];
    let merge = RowMerge {
        hidden: 2,
        aggregates: vec![
            aggregate(0, AggregateFunction::Count),
            aggregate(1, AggregateFunction::Sum),
            aggregate(2, AggregateFunction::Sum),
            aggregate(3, AggregateFunction::Max(key(3))),
            aggregate(4, average(0)),
        ],
        ..RowMerge::default()
    };
    let long = |value: u8| [value, 0, 0, 0, 0, 0, 0, 0];
    let full = [
        &[0, 0, 0][..],
        &long(3),
        b"\x017",
        &1.5f64.to_le_bytes(),
        b"\x04\xe8\x07\x05\x06",
        b"\x062.3333",
        b"\x017",
        &long(3),
    ]
    .concat();
    // Positions 1 to 5 are NULL: bits 3 to 7.
    let empty = [&[0, 0xf8, 0][..], &long(0), &long(0)].concat();
    let input = MergeInput {
        columns: &columns,
        format: RowFormat::Binary,
        streams: 3,
        values: &MergeValues::default(),
        context: &Context::default(),
        memory_limit_bytes: UNBOUNDED,
    };
    let streams = [vec![empty.clone()], vec![full.clone()], vec![full]];
    let merged = run(&mut Merger::new(&merge, &input).unwrap(), &streams, 1);
    let expected = [
        &[0, 0][..],
        &long(6),
        b"\x0214",
        &3f64.to_le_bytes(),
        b"\x04\xe8\x07\x05\x06",
        b"\x062.3333",
    ]
    .concat();
    assert_eq!(merged, [expected]);

    let streams = [vec![empty.clone()], vec![empty], vec![]];
    let merged = run(&mut Merger::new(&merge, &input).unwrap(), &streams, 1);
    assert_eq!(merged, [[&[0, 0x78][..], &long(0)].concat()]);
}

/// The value comes from the row whose hidden sort key wins, not from the larger bytes.
#[test]
fn the_largest_string_is_that_with_the_largest_sort_key() {
    let columns = [column(type_code::VAR_STRING); 2];
    let by_weight = SortKey {
        column: ColumnPosition::Hidden(0),
        compare: Comparison::SortKey { pad: b" ".to_vec() },
        is_descending: true,
    };
    let maximum = AggregateColumn {
        is_distinct: false,
        column: ColumnPosition::Visible(0),
        function: AggregateFunction::Max(by_weight),
    };
    let merge = RowMerge { hidden: 1, aggregates: vec![maximum], ..RowMerge::default() };
    let merged = merge_text(
        &merge,
        &columns,
        None,
        &[&[&[Some("a"), Some("A")]], &[&[Some("B"), Some("B")]], &[&[None, None]]],
    );
    assert_eq!(merged, texts(&[&[Some("B")]]));
}

/// `SELECT g, COUNT(DISTINCT x), SUM(DISTINCT x), AVG(DISTINCT x), COUNT(*) GROUP BY g`: the nodes
/// group by g and x; hidden are SUM, COUNT and x.
#[test]
fn distinct_values_count_once() {
    let columns = [
        column(type_code::LONG),
        column(type_code::LONGLONG),
        decimal(0),
        decimal(4),
        column(type_code::LONGLONG),
        decimal(0),
        column(type_code::LONGLONG),
        column(type_code::LONG),
    ];
    let x = SortKey { column: ColumnPosition::Hidden(2), ..key(0) };
    let distinct =
        |column, function| AggregateColumn { is_distinct: true, ..aggregate(column, function) };
    let mut merge = RowMerge {
        hidden: 3,
        order_by: vec![key(0)],
        group_by: Some(vec![key(0)]),
        within: vec![x],
        aggregates: vec![
            distinct(1, AggregateFunction::Count),
            distinct(2, AggregateFunction::Sum),
            distinct(3, average(0)),
            aggregate(4, AggregateFunction::Count),
        ],
        ..RowMerge::default()
    };
    let row = |g: &'static str, x: &'static str, rows: &'static str| {
        [g, "1", x, x, rows, x, "1", x].map(Some)
    };
    let null = |g: &'static str| [Some(g), Some("0"), None, None, Some("1"), None, Some("0"), None];
    let node: &[Row<'_>] = &[&null("1"), &row("1", "5", "2"), &row("1", "7", "1")];
    let other: &[Row<'_>] =
        &[&null("1"), &row("1", "2", "1"), &row("1", "5", "1"), &row("2", "5", "9")];
    let merged = merge_text(&merge, &columns, None, &[node, other]);
    let expected: &[Row<'_>] =
        &[&["1", "3", "14", "4.6667", "7"].map(Some), &["2", "1", "5", "5.0000", "9"].map(Some)];
    assert_eq!(merged, texts(expected));

    merge.group_by = None;
    merge.order_by = Vec::new();
    let merged = merge_text(&merge, &columns, None, &[&[], &[]]);
    assert_eq!(merged, texts(&[&[None, Some("0"), None, None, Some("0")]]));
}

#[test]
fn approximate_sums_print_as_doubles_do() {
    let columns = [
        ColumnType::new(type_code::DOUBLE, 0, 63, 23, 31),
        ColumnType::new(type_code::DOUBLE, 0, 63, 23, 2),
        ColumnType::new(type_code::DOUBLE, 0, 63, 23, 31),
        ColumnType::new(type_code::DOUBLE, 0, 63, 23, 31),
        column(type_code::LONGLONG),
    ];
    let merge = RowMerge {
        hidden: 2,
        aggregates: vec![
            aggregate(0, AggregateFunction::Sum),
            aggregate(1, AggregateFunction::Sum),
            aggregate(2, average(0)),
        ],
        ..RowMerge::default()
    };
    let merged = merge_text(
        &merge,
        &columns,
        None,
        &[
            &[&["0.1", "1.10", "0.1", "0.1", "1"].map(Some)],
            &[&["0.2", "2.20", "0.1", "0.2", "2"].map(Some)],
        ],
    );
    let expected = ["0.30000000000000004", "3.30", "0.10000000000000002"].map(Some);
    assert_eq!(merged, texts(&[&expected]));
}

#[test]
fn sums_that_do_not_fit_are_errors() {
    let columns = [column(type_code::LONGLONG)];
    let merge = RowMerge {
        aggregates: vec![aggregate(0, AggregateFunction::Count)],
        ..RowMerge::default()
    };
    let input = MergeInput {
        columns: &columns,
        format: RowFormat::Text,
        streams: 1,
        values: &MergeValues::default(),
        context: &Context::default(),
        memory_limit_bytes: UNBOUNDED,
    };
    let mut merger = Merger::new(&merge, &input).unwrap();
    let mut batch = RowBatch::default();
    batch.push_row(&text_row(&[Some("18446744073709551615")]));
    batch.push_row(&text_row(&[Some("1")]));
    merger.push(0, batch);
    assert_eq!(merger.step().unwrap_err().code, 1690);
}

#[test]
fn aggregates_of_strings_are_refused() {
    let columns = [column(type_code::VAR_STRING)];
    let input = MergeInput {
        columns: &columns,
        format: RowFormat::Text,
        streams: 1,
        values: &MergeValues::default(),
        context: &Context::default(),
        memory_limit_bytes: UNBOUNDED,
    };
    for function in [AggregateFunction::Sum, AggregateFunction::Count, AggregateFunction::BitAnd] {
        let aggregates = vec![aggregate(0, function)];
        let merge = RowMerge { aggregates, ..RowMerge::default() };
        assert_eq!(Merger::new(&merge, &input).unwrap_err().code, 30001);
    }
}
