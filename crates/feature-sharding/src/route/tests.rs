//! Routing of values and conditions, with random ones against trying every node.

use std::borrow::Cow;
use std::collections::BTreeMap;

use eval::Value;
use kernel::model::{ColumnMetadata, DataNode, Placement, TableMetadata, UnitId};
use kernel::predicate::NoValues;
use proptest::prelude::*;

use super::*;
use crate::algorithms;

fn column(name: &str, column_type: &str) -> ColumnMetadata {
    ColumnMetadata {
        name: name.to_owned(),
        data_type: column_type.split(['(', ' ']).next().unwrap().to_owned(),
        column_type: column_type.to_owned(),
        collation: String::new(),
        is_nullable: true,
        is_auto_increment: false,
        has_default: false,
        is_invisible: false,
    }
}

fn router(algorithm: &str, count: u32, predicate: Predicate) -> ConditionRouter {
    let properties = BTreeMap::from([("sharding-count".to_owned(), count.to_string())]);
    let node = DataNode { unit: UnitId(0), unit_name: "ds".into(), actual_table: "t".into() };
    let algorithm: Arc<dyn ShardingAlgorithm> =
        algorithms::build(algorithm, &properties).unwrap().into();
    let rule = TableRule {
        table: "t".into(),
        columns: vec!["id".to_owned()],
        nodes: vec![node; count as usize].into(),
        placing: Placing::Shards(algorithm.clone()),
        is_canonical: false,
        generated_key: None,
        audit: None,
        shape: String::new(),
    };
    ConditionRouter {
        rule: Arc::new(rule),
        algorithm,
        column: ShardingColumn::new("t", &column("id", "int(11)"), false).unwrap(),
        condition: Condition::new(predicate, 0),
    }
}

fn route(algorithm: &str, count: u32, predicate: Predicate) -> Vec<u32> {
    let mut nodes = RouteSet::default();
    router(algorithm, count, predicate).route(&NoValues, &mut nodes).unwrap();
    nodes.0.to_vec()
}

fn int(value: i64) -> ValueRef {
    ValueRef::Const(Value::Int(value))
}

fn equal(value: i64) -> Predicate {
    Predicate::Equal { column: 0, value: int(value) }
}

fn range(lower: Option<(i64, bool)>, upper: Option<(i64, bool)>) -> Predicate {
    let bound = |bound: Option<(i64, bool)>| bound.map(|(value, inside)| (int(value), inside));
    Predicate::Range { column: 0, lower: bound(lower), upper: bound(upper) }
}

#[test]
fn conditions_choose_nodes() {
    let all = (0..10).collect::<Vec<_>>();
    let half = ValueRef::Const(Value::Decimal(Cow::Borrowed("1.5")));
    let null = ValueRef::Const(Value::Null);
    for (predicate, expected) in [
        (Predicate::Any, all.clone()),
        (Predicate::Never, vec![]),
        (equal(13), vec![3]),
        (equal(-1), vec![9]),
        (Predicate::Equal { column: 1, value: int(3) }, all.clone()),
        (Predicate::Equal { column: 0, value: half }, vec![]),
        (Predicate::Equal { column: 0, value: null.clone() }, vec![]),
        (Predicate::In { column: 0, values: vec![int(1), int(11), int(5), null] }, vec![1, 5]),
        (Predicate::And(vec![equal(1), equal(2)]), vec![]),
        (Predicate::And(vec![equal(1), equal(11)]), vec![1]),
        (Predicate::And(vec![Predicate::Any, equal(4)]), vec![4]),
        (Predicate::Or(vec![equal(1), equal(2)]), vec![1, 2]),
        (Predicate::Or(vec![equal(1), Predicate::Any]), all.clone()),
        (Predicate::Or(vec![equal(1), Predicate::Never]), vec![1]),
        (range(Some((18, true)), Some((21, false))), vec![0, 8, 9]),
        (range(Some((18, false)), Some((18, true))), vec![]),
        (range(Some((5, true)), None), all.clone()),
        (range(None, Some((5, true))), all.clone()),
        (range(Some((i64::from(i32::MAX), true)), None), vec![7]),
        (Predicate::IsNull { column: 0 }, all),
    ] {
        assert_eq!(route("MOD", 10, predicate.clone()), expected, "{predicate:?}");
    }
}

#[test]
fn hash_mod_reads_both_places_of_negative_integers() {
    assert_eq!(route("HASH_MOD", 4, equal(-1)), [0, 1]);
    assert_eq!(route("HASH_MOD", 4, equal(6)), [2]);
    assert_eq!(route("HASH_MOD", 4, range(Some((1, true)), Some((2, true)))), [0, 1, 2, 3]);
}

#[test]
fn reasons_are_for_people() {
    let predicate = Predicate::And(vec![
        equal(1),
        Predicate::Or(vec![equal(2), range(Some((1, false)), None)]),
    ]);
    assert_eq!(router("MOD", 2, predicate).reason(), "(id = ? AND (id = ? OR id > ?))");
    assert_eq!(router("MOD", 2, Predicate::Any).reason(), "no condition on id");
}

fn unit(name: &str) -> kernel::model::StorageUnit {
    kernel::model::StorageUnit {
        id: UnitId(1),
        name: name.into(),
        config: Arc::new(
            serde_json::from_value(serde_json::json!({
                "host": "127.0.0.1", "port": 1, "database": "d", "user": "u", "password": ""
            }))
            .unwrap(),
        ),
    }
}

#[test]
fn inserts_are_placed_by_the_type_of_the_column() {
    let metadata = |column_type: &str| TableMetadata {
        name: "t_0".to_owned(),
        is_view: false,
        columns: vec![column("id", column_type)],
        primary_key: vec![],
        unique_keys: vec![],
    };
    let config = serde_json::json!({"tables": [{
        "table": "t", "storage_units": ["ds_0"], "sharding_column": "ID",
        "algorithm": {"type": "HASH_MOD", "properties": {"sharding-count": "4"}}
    }]});
    let feature = crate::rule::build(&config, &[unit("ds_0")]).unwrap();
    let stage = feature.route.unwrap();
    let Placement::Sharded(nodes) = feature.catalog.unwrap().tables()[0].1.clone() else {
        panic!("a sharded table")
    };
    for (column_type, value, expected) in
        [("int(11)", -1, Ok(1)), ("bigint(20)", -1, Ok(0)), ("int(10) unsigned", -1, Err(1264))]
    {
        let table = LogicalTable {
            name: "t".into(),
            metadata: Some(Arc::new(metadata(column_type))),
            placement: Placement::Sharded(nodes.clone()),
        };
        let router = stage.row_router(&table, &[]).unwrap();
        let node = router.node_of(&[int(value)], &NoValues).map_err(|error| error.code);
        assert_eq!(node, expected, "{column_type} {value}");
    }
}

/// Predicates over small integers on columns 0 (the sharding column) and 1.
fn predicates() -> impl Strategy<Value = Predicate> {
    let value = || (-6_i64..20).prop_map(int);
    let bound = move || proptest::option::of((value(), any::<bool>()));
    let leaf = prop_oneof![
        Just(Predicate::Any),
        Just(Predicate::Never),
        (0_usize..2, value()).prop_map(|(column, value)| Predicate::Equal { column, value }),
        (0_usize..2, proptest::collection::vec(value(), 0..4))
            .prop_map(|(column, values)| Predicate::In { column, values }),
        (0_usize..2, bound(), bound()).prop_map(|(column, lower, upper)| Predicate::Range {
            column,
            lower,
            upper
        }),
    ];
    leaf.prop_recursive(3, 24, 4, |part| {
        prop_oneof![
            proptest::collection::vec(part.clone(), 0..4).prop_map(Predicate::And),
            proptest::collection::vec(part, 0..4).prop_map(Predicate::Or),
        ]
    })
}

/// Whether a row can satisfy the predicate.
fn matches(predicate: &Predicate, row: [i64; 2]) -> bool {
    let number = |value: &ValueRef| match value {
        ValueRef::Const(Value::Int(value)) => *value,
        other => panic!("not made by the strategy: {other:?}"),
    };
    match predicate {
        Predicate::Any | Predicate::IsNull { .. } => true,
        Predicate::Never => false,
        Predicate::And(parts) => parts.iter().all(|part| matches(part, row)),
        Predicate::Or(parts) => parts.iter().any(|part| matches(part, row)),
        Predicate::Equal { column, value } => row[*column] == number(value),
        Predicate::In { column, values } => {
            values.iter().any(|value| row[*column] == number(value))
        }
        Predicate::Range { column, lower, upper } => {
            let above = |(value, inside): &(ValueRef, bool)| {
                row[*column] > number(value) || (*inside && row[*column] == number(value))
            };
            let below = |(value, inside): &(ValueRef, bool)| {
                row[*column] < number(value) || (*inside && row[*column] == number(value))
            };
            lower.as_ref().is_none_or(above) && upper.as_ref().is_none_or(below)
        }
    }
}

proptest! {
    #[test]
    fn no_matching_row_is_lost(predicate in predicates(), count in 1_u32..9, is_hash in any::<bool>()) {
        let algorithm = if is_hash { "HASH_MOD" } else { "MOD" };
        let nodes = route(algorithm, count, predicate.clone());
        let properties = BTreeMap::from([("sharding-count".to_owned(), count.to_string())]);
        let placement = algorithms::build(algorithm, &properties).unwrap();
        for id in -8_i64..22 {
            for other in -8_i64..22 {
                if matches(&predicate, [id, other]) {
                    for is_long in [false, true] {
                        let key = crate::column::Key::Integer { value: i128::from(id), is_long };
                        let node = placement.place(&key).unwrap();
                        prop_assert!(nodes.contains(&node), "{id} is on {node}, asked are {nodes:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn tables_are_bound_where_equal_values_have_one_place() {
    let table = |name: &str, algorithm: &str| {
        serde_json::json!({
            "table": name, "storage_units": ["ds"], "sharding_column": "id",
            "algorithm": {"type": algorithm, "properties": {"sharding-count": "2"}},
        })
    };
    let mut config = serde_json::json!({
        "tables": [table("a", "HASH_MOD"), table("b", "HASH_MOD"), table("alone", "HASH_MOD")],
        "references": [{"name": "r", "tables": ["a", "b"]}],
    });
    let unit = unit("ds");
    let rule = |config: &serde_json::Value| {
        let config = crate::ShardingConfig::load(config).unwrap();
        ShardingRule::new(&config, std::slice::from_ref(&unit))
    };
    let built = rule(&config).unwrap();
    let logical = |name: &str, column_type: &str, collation: &str| {
        let mut id = column("id", column_type);
        id.collation = collation.to_owned();
        LogicalTable {
            name: name.into(),
            metadata: Some(Arc::new(TableMetadata {
                name: name.to_owned(),
                is_view: false,
                columns: vec![id],
                primary_key: vec![],
                unique_keys: vec![],
            })),
            placement: Placement::Sharded(built.find(name).unwrap().nodes.clone()),
        }
    };
    for (left, right, expected) in [
        (("a", "int(11)", ""), ("b", "int(11)", ""), true),
        (("a", "int(11)", ""), ("b", "smallint", ""), true),
        (("a", "int(11)", ""), ("b", "bigint(20)", ""), false),
        (("a", "int(11)", ""), ("a", "int(11)", ""), true),
        (("alone", "int(11)", ""), ("alone", "int(11)", ""), true),
        (("a", "int(11)", ""), ("alone", "int(11)", ""), false),
        (("a", "varchar(9)", "utf8mb4_bin"), ("b", "varchar(20)", "utf8mb4_bin"), true),
        (
            ("a", "varchar(9)", "utf8mb4_general_ci"),
            ("b", "varchar(9)", "utf8mb4_general_ci"),
            false,
        ),
    ] {
        let (left, right) = (logical(left.0, left.1, left.2), logical(right.0, right.1, right.2));
        assert_eq!(built.are_bound(&left, &right), expected, "{left:?} {right:?}");
    }
    config["tables"][1]["algorithm"]["type"] = serde_json::json!("MOD");
    assert_eq!(rule(&config).unwrap_err().code, 20010);
}
