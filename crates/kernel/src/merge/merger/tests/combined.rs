//! What is made of aggregates: formulas, HAVING, texts, deviations, and groups that come in no order.

use eval::Value;
use sql::SqlMode;
use sql::ast::{Expr, QueryBody, SelectItem, StatementKind};

use super::super::super::{AggregateColumn, AggregateFunction, Formula, FormulaSlot, VarianceKind};
use super::*;
use crate::predicate::ValueRef;

fn hidden(index: usize) -> ColumnPosition {
    ColumnPosition::Hidden(index)
}

fn aggregate(column: ColumnPosition, function: AggregateFunction) -> AggregateColumn {
    AggregateColumn { column, function, is_distinct: false }
}

/// The expression with `` `0` `` for the first slot; `?` are the arguments.
fn formula(expr: &str, slots: &[ColumnPosition], arguments: usize) -> Formula {
    let text = format!("SELECT {expr}");
    let parsed = sql::parse(text.as_bytes(), SqlMode::default()).unwrap();
    let StatementKind::Query(query) = parsed.kind else { panic!("no query") };
    let QueryBody::Select(select) = query.body else { panic!("no SELECT") };
    let [SelectItem::Expr { expr, .. }] = select.items.as_slice() else { panic!("not one item") };
    let slot = |&column: &ColumnPosition| FormulaSlot {
        column,
        collation: "utf8mb4_general_ci".to_owned(),
    };
    let slots = slots.iter().map(slot).collect();
    let arguments = (0..arguments).map(|index| ValueRef::Param(index as u16)).collect();
    Formula { expr: Expr::clone(expr), slots, arguments }
}

fn run_with(
    merge: &RowMerge,
    columns: &[ColumnType],
    format: RowFormat,
    arguments: Vec<Value<'static>>,
    streams: &[Vec<Vec<u8>>],
) -> Result<Vec<Vec<u8>>, StatementError> {
    let input = MergeInput {
        columns,
        format,
        streams: streams.len(),
        values: &MergeValues { limit: None, arguments },
        context: &Context::default(),
        memory_limit_bytes: UNBOUNDED,
    };
    Ok(run(&mut Merger::new(merge, &input)?, streams, 2))
}

/// `SELECT g, SUM(x) / COUNT(*) .. GROUP BY g HAVING COUNT(*) > ?`, with SUM and COUNT hidden.
#[test]
fn formulas_are_computed_of_whole_groups() {
    let columns = [
        column(type_code::LONG),
        ColumnType::new(type_code::NEWDECIMAL, 0, 63, 20, 4),
        ColumnType::new(type_code::NEWDECIMAL, 0, 63, 20, 0),
        column(type_code::LONGLONG),
    ];
    let merge = RowMerge {
        hidden: 2,
        group_by: Some(vec![key(0)]),
        order_by: vec![SortKey { is_descending: true, ..key(1) }],
        aggregates: vec![
            aggregate(hidden(0), AggregateFunction::Sum),
            aggregate(hidden(1), AggregateFunction::Count),
        ],
        computed: vec![(
            ColumnPosition::Visible(1),
            formula("`0` / `1`", &[hidden(0), hidden(1)], 0),
        )],
        having: Some(formula("`0` > ?", &[hidden(1)], 1)),
        ..RowMerge::default()
    };
    let row = |values: [&'static str; 4]| text_row(&values.map(Some));
    let streams = [
        vec![row(["1", "9.0000", "9", "1"]), row(["2", "1.0000", "1", "1"])],
        vec![row(["1", "2.0000", "4", "2"]), row(["3", "0.5000", "1", "2"])],
        vec![row(["3", "9.0000", "9", "1"])],
    ];
    let merged = run_with(&merge, &columns, RowFormat::Text, vec![Value::Int(1)], &streams);
    let expected = [text_row(&[Some("1"), Some("4.3333")]), text_row(&[Some("3"), Some("3.3333")])];
    assert_eq!(merged.unwrap(), expected);
    let merged = run_with(&merge, &columns, RowFormat::Text, vec![Value::Int(3)], &streams);
    assert_eq!(merged.unwrap(), Vec::<Vec<u8>>::new());

    // The nodes say that the column is something else than the expression gives.
    let mut other = columns;
    other[1] = ColumnType::new(type_code::NEWDECIMAL, 0, 63, 20, 2);
    let refused = run_with(&merge, &other, RowFormat::Text, vec![Value::Int(1)], &streams);
    assert_eq!(refused.unwrap_err().code, 30001);
}

#[test]
fn formulas_read_and_write_binary_rows() {
    let columns = [
        column(type_code::LONGLONG),
        ColumnType::new(type_code::DATE, 0, 63, 10, 0),
        column(type_code::LONGLONG),
        ColumnType::new(type_code::DATE, 0, 63, 10, 0),
    ];
    let by_date = SortKey { column: hidden(1), ..key(0) };
    let merge = RowMerge {
        hidden: 2,
        aggregates: vec![
            aggregate(hidden(0), AggregateFunction::Count),
            aggregate(hidden(1), AggregateFunction::Max(by_date)),
        ],
        computed: vec![
            (ColumnPosition::Visible(0), formula("`0` + 1", &[hidden(0)], 0)),
            (ColumnPosition::Visible(1), formula("IFNULL(`0`, `0`)", &[hidden(1)], 0)),
        ],
        ..RowMerge::default()
    };
    let row = |count: u8, day: u8| {
        let mut row = vec![0, 0];
        row.extend_from_slice(&[9; 8]);
        row.extend_from_slice(&[0]);
        row.extend_from_slice(&[count, 0, 0, 0, 0, 0, 0, 0]);
        row.extend_from_slice(&[4, 0xe8, 7, 2, day]);
        row
    };
    let streams = [vec![row(3, 28)], vec![row(4, 29)]];
    let merged = run_with(&merge, &columns, RowFormat::Binary, Vec::new(), &streams).unwrap();
    let expected = [&[0, 0][..], &[8, 0, 0, 0, 0, 0, 0, 0], &[4, 0xe8, 7, 2, 29]].concat();
    assert_eq!(merged, [expected]);
}

#[test]
fn texts_are_joined_unless_a_server_would_cut_them() {
    let columns = [
        ColumnType::new(type_code::VAR_STRING, 0, 45, 100, 0),
        column(type_code::LONGLONG),
        column(type_code::LONGLONG),
    ];
    let function = AggregateFunction::GroupConcat {
        separator: b"; ".to_vec(),
        length: hidden(0),
        max_length: hidden(1),
    };
    let merge = RowMerge {
        hidden: 2,
        aggregates: vec![aggregate(ColumnPosition::Visible(0), function)],
        ..RowMerge::default()
    };
    let stream = |text, length, limit| vec![text_row(&[text, length, Some(limit)])];
    let run = |limit| {
        let nothing = stream(None, None, limit);
        let streams =
            [nothing, stream(Some("ab"), Some("2"), limit), stream(Some("c"), Some("1"), limit)];
        let input = MergeInput {
            columns: &columns,
            format: RowFormat::Text,
            streams: streams.len(),
            values: &limited(None),
            context: &Context::default(),
            memory_limit_bytes: UNBOUNDED,
        };
        let mut merger = Merger::new(&merge, &input).unwrap();
        for (at, rows) in streams.iter().enumerate() {
            let mut batch = RowBatch::default();
            rows.iter().for_each(|row| batch.push_row(row));
            merger.push(at, batch);
            merger.finish(at);
        }
        match merger.step() {
            Ok(Step::Row(row)) => Ok(row.to_vec()),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.code),
        }
    };
    assert_eq!(run("1024"), Ok(text_row(&[Some("ab; c")])));
    assert_eq!(run("9"), Ok(text_row(&[Some("ab; c")])));
    assert_eq!(run("8"), Err(1260));
}

#[test]
fn deviations_are_those_of_all_values() {
    let double = ColumnType::new(type_code::DOUBLE, 0, 63, 23, 31);
    let columns = [double, column(type_code::LONGLONG), double, double];
    let deviation = |kind| RowMerge {
        hidden: 3,
        aggregates: vec![aggregate(
            ColumnPosition::Visible(0),
            AggregateFunction::Variance {
                kind,
                count: hidden(0),
                mean: hidden(1),
                variance: hidden(2),
            },
        )],
        ..RowMerge::default()
    };
    // 2, 4 on one node, 4, 4, 5, 5, 7, 9 on another, nothing on a third.
    let streams = [
        vec![text_row(&[Some("1"), Some("2"), Some("3"), Some("1")])],
        vec![text_row(&[None, Some("0"), None, None])],
        vec![text_row(&[
            Some("1"),
            Some("6"),
            Some("5.666666666666667"),
            Some("3.2222222222222223"),
        ])],
    ];
    let value = |kind, streams: &[Vec<Vec<u8>>]| {
        let merged =
            run_with(&deviation(kind), &columns, RowFormat::Text, Vec::new(), streams).unwrap();
        let [row] = merged.as_slice() else { panic!("not one row") };
        (row[0] != 0xfb).then(|| std::str::from_utf8(&row[1..]).unwrap().parse::<f64>().unwrap())
    };
    for (kind, expected) in [
        (VarianceKind::Population, 4.0),
        (VarianceKind::PopulationDeviation, 2.0),
        (VarianceKind::Sample, 32.0 / 7.0),
        (VarianceKind::SampleDeviation, (32.0f64 / 7.0).sqrt()),
    ] {
        let found = value(kind, &streams).unwrap();
        assert!((found - expected).abs() < 1e-12, "{kind:?}: {found}");
    }
    let one = [vec![text_row(&[Some("0"), Some("1"), Some("3"), Some("0")])]];
    assert_eq!(value(VarianceKind::Population, &one), Some(0.0));
    assert_eq!(value(VarianceKind::Sample, &one), None);
}

/// Groups by texts whose collation the rows name, from streams in no order.
#[test]
fn groups_in_no_order_are_sorted_first() {
    let columns = [
        ColumnType::new(type_code::VAR_STRING, 0, 45, 40, 0),
        column(type_code::LONGLONG),
        ColumnType::new(type_code::VAR_STRING, 0, 63, 80, 0),
        ColumnType::new(type_code::VAR_STRING, 0, 45, 64, 0),
    ];
    let by_text = SortKey {
        compare: Comparison::ByValue { weights: hidden(0), collation: hidden(1) },
        ..key(0)
    };
    let merge = |is_unordered| RowMerge {
        hidden: 2,
        group_by: Some(vec![by_text.clone()]),
        is_unordered,
        aggregates: vec![aggregate(ColumnPosition::Visible(1), AggregateFunction::Count)],
        ..RowMerge::default()
    };
    let row = |text, count, weight, collation| {
        text_row(&[Some(text), Some(count), Some(weight), Some(collation)])
    };
    let general = "latin1_swedish_ci";
    let streams = [
        vec![row("b", "1", "B", general), row("a", "2", "A", general)],
        vec![row("A ", "4", "A ", general), row("c", "8", "C", general)],
    ];
    let merged = run_with(&merge(true), &columns, RowFormat::Text, Vec::new(), &streams).unwrap();
    let expected = [("a", "6"), ("b", "1"), ("c", "8")];
    assert_eq!(merged, expected.map(|(text, count)| text_row(&[Some(text), Some(count)])));

    // Keys that may be longer than a server sorts by.
    let mut long = columns;
    long[2].length = 1025;
    let merged = run_with(&merge(false), &long, RowFormat::Text, Vec::new(), &streams).unwrap();
    assert_eq!(merged.len(), 3);

    let strange = [vec![row("a", "1", "A", "utf8mb4_uca1400_as_cs")]];
    let input = MergeInput {
        columns: &columns,
        format: RowFormat::Text,
        streams: 1,
        values: &limited(None),
        context: &Context::default(),
        memory_limit_bytes: UNBOUNDED,
    };
    let mut merger = Merger::new(&merge(true), &input).unwrap();
    let mut batch = RowBatch::default();
    batch.push_row(&strange[0][0]);
    merger.push(0, batch);
    assert_eq!(merger.step().unwrap_err().code, 30001);
}
