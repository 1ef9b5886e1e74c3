//! Random data against a model that collects all rows, sorts, groups and cuts them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::super::row::{bitmap_len, null_bit, write_string};
use super::super::super::{AggregateColumn, AggregateFunction};
use super::*;

/// `None` is NULL.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Int(Option<i64>),
    Text(Option<String>),
}

fn encode(values: &[Value], format: RowFormat) -> Vec<u8> {
    let mut row = Vec::new();
    if format == RowFormat::Binary {
        row.resize(1 + bitmap_len(values.len()), 0);
    }
    for (position, value) in values.iter().enumerate() {
        match (value, format) {
            (Value::Int(None) | Value::Text(None), RowFormat::Text) => row.push(0xfb),
            (Value::Int(None) | Value::Text(None), RowFormat::Binary) => {
                let (byte, bit) = null_bit(position);
                row[byte] |= bit;
            }
            (Value::Text(Some(text)), _) => write_string(text.as_bytes(), &mut row),
            (Value::Int(Some(value)), RowFormat::Text) => {
                write_string(value.to_string().as_bytes(), &mut row);
            }
            (Value::Int(Some(value)), RowFormat::Binary) => row.extend(value.to_le_bytes()),
        }
    }
    row
}

fn compare_values(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => left.cmp(right),
        // Padded with spaces: none of the test strings has a byte below a space.
        (Value::Text(left), Value::Text(right)) => {
            let trimmed = |text: &Option<String>| {
                text.as_deref().map(|text| text.trim_end_matches(' ').to_owned())
            };
            trimmed(left).cmp(&trimmed(right))
        }
        _ => unreachable!("one column has one type"),
    }
}

/// Column and direction of each key.
type Order = Vec<(usize, bool)>;

fn compare_rows(order: &Order, left: &[Value], right: &[Value]) -> Ordering {
    order.iter().fold(Ordering::Equal, |so_far, &(column, is_descending)| {
        let order = compare_values(&left[column], &right[column]);
        so_far.then(if is_descending { order.reverse() } else { order })
    })
}

fn sort_keys(order: &Order, columns: &[ColumnType]) -> Vec<SortKey> {
    order
        .iter()
        .map(|&(column, is_descending)| {
            let compare = match columns[column].type_code {
                type_code::VAR_STRING => Comparison::SortKey { pad: b" ".to_vec() },
                _ => Comparison::ByType,
            };
            SortKey { column: ColumnPosition::Visible(column), compare, is_descending }
        })
        .collect()
}

fn cut(rows: Vec<Vec<Value>>, limit: Option<Limit>) -> Vec<Vec<Value>> {
    let Some(Limit { offset, count }) = limit else { return rows };
    rows.into_iter().skip(offset as usize).take(count as usize).collect()
}

fn any_int() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![Just(None), (-3i64..4).prop_map(Some), any::<i64>().prop_map(Some)]
}

fn any_text() -> impl Strategy<Value = Option<String>> {
    proptest::option::weighted(0.8, "[ab]{0,2} {0,2}")
}

fn any_format() -> impl Strategy<Value = RowFormat> {
    prop_oneof![Just(RowFormat::Text), Just(RowFormat::Binary)]
}

fn any_limit() -> impl Strategy<Value = Option<Limit>> {
    proptest::option::of((0u64..8, 0u64..20).prop_map(|(offset, count)| Limit { offset, count }))
}

/// Rows of an integer, a string and an integer.
fn any_streams() -> impl Strategy<Value = Vec<Vec<Vec<Value>>>> {
    let row = (any_int(), any_text(), any_int())
        .prop_map(|(a, b, c)| vec![Value::Int(a), Value::Text(b), Value::Int(c)]);
    vec(vec(row, 0..8), 1..6)
}

fn any_order() -> impl Strategy<Value = Order> {
    vec((0usize..3, any::<bool>()), 0..3)
}

const COLUMNS: [u8; 3] = [type_code::LONGLONG, type_code::VAR_STRING, type_code::LONGLONG];

fn merged(
    merge: &RowMerge,
    input: &MergeInput<'_>,
    streams: &[Vec<Vec<Value>>],
    batch_rows: usize,
) -> Vec<Vec<u8>> {
    let encoded: Vec<Vec<Vec<u8>>> = streams
        .iter()
        .map(|rows| rows.iter().map(|row| encode(row, input.format)).collect())
        .collect();
    run(&mut Merger::new(merge, input).unwrap(), &encoded, batch_rows)
}

proptest! {
    #[test]
    fn ordered_distinct_and_limited_rows(
        mut streams in any_streams(), order in any_order(), distinct in any::<bool>(),
        final_order in proptest::option::of(any_order()), hidden in 0usize..4,
        format in any_format(), limit in any_limit(), batch_rows in 1usize..5,
    ) {
        let columns = COLUMNS.map(column);
        streams.iter_mut().for_each(|rows| rows.sort_by(|a, b| compare_rows(&order, a, b)));
        let final_order = if distinct { final_order.unwrap_or_default() } else { order.clone() };
        let merge = RowMerge {
            hidden,
            order_by: sort_keys(&final_order, &columns),
            distinct: distinct.then(|| sort_keys(&order, &columns)),
            ..RowMerge::default()
        };
        let input = MergeInput {
            columns: &columns, format, streams: streams.len(), values: &limited(limit),
            context: &Context::default(),
            memory_limit_bytes: UNBOUNDED,
        };
        let merged = merged(&merge, &input, &streams, batch_rows);

        let mut expected = streams.concat();
        expected.sort_by(|a, b| compare_rows(&order, a, b));
        if distinct {
            expected.dedup_by(|next, kept| compare_rows(&order, next, kept).is_eq());
        }
        expected.sort_by(|a, b| compare_rows(&final_order, a, b));
        let visible = COLUMNS.len() - hidden.min(COLUMNS.len());
        let expected: Vec<_> =
            cut(expected, limit).iter().map(|row| encode(&row[..visible], format)).collect();
        prop_assert_eq!(merged, expected);
    }
}

/// What a node, or one server, answers to `SELECT a, COUNT(c), SUM(c), MIN(c), MAX(b), AVG(c)
/// GROUP BY a ORDER BY a`, with the hidden columns that a plan adds behind them.
fn grouped(rows: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut groups: BTreeMap<Option<i64>, Vec<&Vec<Value>>> = BTreeMap::new();
    for row in rows {
        let Value::Int(group) = row[0] else { unreachable!("the first column is an integer") };
        groups.entry(group).or_default().push(row);
    }
    groups.into_iter().map(|(group, rows)| group_row(group, &rows)).collect()
}

fn group_row(group: Option<i64>, rows: &[&Vec<Value>]) -> Vec<Value> {
    let numbers: Vec<i64> = rows
        .iter()
        .filter_map(|row| if let Value::Int(value) = row[2] { value } else { None })
        .collect();
    let sum: i128 = numbers.iter().map(|&value| i128::from(value)).sum();
    let count = numbers.len() as i64;
    let any = |value: i128, decimals| (count > 0).then(|| print(value, decimals));
    let largest = rows.iter().map(|row| &row[1]).reduce(|best, next| {
        if compare_values(next, best) == Ordering::Greater { next } else { best }
    });
    vec![
        Value::Int(group),
        Value::Int(Some(count)),
        Value::Text(any(sum, 0)),
        Value::Int(numbers.iter().copied().min()),
        largest.cloned().unwrap_or(Value::Text(None)),
        Value::Text(any(rounded_average(sum, count), 4)),
        Value::Text(any(sum, 0)),
        Value::Int(Some(count)),
        largest.cloned().unwrap_or(Value::Text(None)),
    ]
}

/// In ten-thousandths, rounded half away from zero.
fn rounded_average(sum: i128, count: i64) -> i128 {
    let count = i128::from(count.max(1));
    let magnitude = (sum.abs() * 20_000 + count) / (2 * count);
    magnitude * sum.signum()
}

fn print(value: i128, decimals: usize) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = format!("{:0width$}", value.unsigned_abs(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    if decimals == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

fn grouped_columns() -> [ColumnType; 9] {
    let decimal = |decimals| ColumnType::new(type_code::NEWDECIMAL, 0, 63, 65, decimals);
    [
        column(type_code::LONGLONG),
        column(type_code::LONGLONG),
        decimal(0),
        column(type_code::LONGLONG),
        column(type_code::VAR_STRING),
        decimal(4),
        decimal(0),
        column(type_code::LONGLONG),
        column(type_code::VAR_STRING),
    ]
}

fn grouped_merge() -> RowMerge {
    let at = |column, function| AggregateColumn {
        column: ColumnPosition::Visible(column),
        function,
        is_distinct: false,
    };
    let by_weight = SortKey {
        column: ColumnPosition::Hidden(2),
        compare: Comparison::SortKey { pad: b" ".to_vec() },
        is_descending: false,
    };
    let average =
        AggregateFunction::Avg { sum: ColumnPosition::Hidden(0), count: ColumnPosition::Hidden(1) };
    RowMerge {
        hidden: 3,
        group_by: Some(vec![key(0)]),
        aggregates: vec![
            at(1, AggregateFunction::Count),
            at(2, AggregateFunction::Sum),
            at(3, AggregateFunction::Min(key(3))),
            at(4, AggregateFunction::Max(by_weight)),
            at(5, average),
        ],
        ..RowMerge::default()
    }
}

proptest! {
    #[test]
    fn grouped_rows(
        streams in any_streams(), format in any_format(), limit in any_limit(),
        order in proptest::option::of(prop_oneof![Just(0), Just(1), Just(3)]),
        is_descending in any::<bool>(), batch_rows in 1usize..5,
    ) {
        let columns = grouped_columns();
        let order: Order = order.map(|column| (column, is_descending)).into_iter().collect();
        let merge = RowMerge { order_by: sort_keys(&order, &columns), ..grouped_merge() };
        let input = MergeInput {
            columns: &columns, format, streams: streams.len(), values: &limited(limit),
            context: &Context::default(),
            memory_limit_bytes: UNBOUNDED,
        };
        let answers: Vec<_> = streams.iter().map(|rows| grouped(rows)).collect();
        let merged = merged(&merge, &input, &answers, batch_rows);

        let mut expected = grouped(&streams.concat());
        expected.sort_by(|a, b| compare_rows(&order, a, b));
        let expected: Vec<_> =
            cut(expected, limit).iter().map(|row| encode(&row[..6], format)).collect();
        prop_assert_eq!(merged, expected);
    }

    /// Whatever bytes a storage unit sends: rows, or an error.
    #[test]
    fn garbage_is_refused(
        rows in vec(vec(any::<u8>(), 0..40), 0..6), format in any_format(),
        is_grouped in any::<bool>(),
    ) {
        let columns = grouped_columns();
        let merge = if is_grouped {
            grouped_merge()
        } else {
            RowMerge { order_by: vec![key(0), key(5)], hidden: 2, ..RowMerge::default() }
        };
        let input = MergeInput {
            columns: &columns, format, streams: 1, values: &limited(None),
            context: &Context::default(), memory_limit_bytes: 1000,
        };
        let mut merger = Merger::new(&merge, &input).unwrap();
        let mut batch = RowBatch::default();
        rows.iter().for_each(|row| batch.push_row(row));
        merger.push(0, batch);
        merger.finish(0);
        while let Ok(Step::Row(_)) = merger.step() {}
    }
}
