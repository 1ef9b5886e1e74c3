//! Routing over explicit data nodes: which nodes, by columns and by hints.

use std::borrow::Cow;

use eval::Value;
use kernel::feature::RouteStage;
use kernel::model::{
    BackendTls, ColumnMetadata, LogicalTable, Placement, PoolConfig, Secret, StorageUnit,
    StorageUnitConfig, TableMetadata, UnitId,
};
use kernel::predicate::{NoValues, ValueRef};
use serde_json::json;
use sql::Span;

use super::*;
use crate::config::ShardingConfig;
use crate::rule::ShardingRule;

/// Two units with two tables each: nodes 0 and 1 in `ds_0`, 2 and 3 in `ds_1`.
fn rule(database: serde_json::Value, table: serde_json::Value) -> ShardingRule {
    let unit = |index: u32| StorageUnit {
        id: UnitId(index),
        name: format!("ds_{index}").into(),
        config: Arc::new(StorageUnitConfig {
            host: "127.0.0.1".to_owned(),
            port: 3306,
            database: format!("d{index}"),
            user: "u".to_owned(),
            password: Secret(String::new()),
            tls: BackendTls::Disabled,
            pool: PoolConfig::default(),
            other_properties: std::collections::BTreeMap::new(),
        }),
    };
    let inline = |kind: &str, text: &str| json!({"type": kind, "properties": {"algorithm-expression": text}});
    let config = json!({
        "tables": [{
            "table": "t", "data_nodes": ["ds_${0..1}.t_${0..1}"],
            "database_strategy": database, "table_strategy": table,
        }],
        "algorithms": {
            "by_user": inline("INLINE", "ds_${user_id % 2}"),
            "by_order": inline("INLINE", "t_${order_id % 2}"),
            "by_user_table": inline("INLINE", "t_${user_id % 2}"),
            "by_both": inline("COMPLEX_INLINE", "t_${(user_id + order_id) % 2}"),
            "unit_hint": inline("HINT_INLINE", "ds_${value % 2}"),
            "table_hint": inline("HINT_INLINE", "t_${value}"),
        },
    });
    let config = ShardingConfig::load(&config).unwrap();
    ShardingRule::new(&config, &[unit(0), unit(1)]).unwrap()
}

fn table(rule: &ShardingRule) -> LogicalTable {
    let column = |name: &str| ColumnMetadata {
        name: name.to_owned(),
        data_type: "int".to_owned(),
        column_type: "int(11)".to_owned(),
        collation: String::new(),
        is_nullable: true,
        is_auto_increment: false,
        has_default: false,
        is_invisible: false,
    };
    LogicalTable {
        name: "t".into(),
        metadata: Some(Arc::new(TableMetadata {
            name: "t_0".to_owned(),
            is_view: false,
            columns: ["id", "order_id", "user_id"].map(column).into(),
            primary_key: vec![],
            unique_keys: vec![],
        })),
        placement: Placement::Sharded(rule.find("t").unwrap().nodes.clone()),
    }
}

fn standard(column: &str, algorithm: &str) -> serde_json::Value {
    json!({"type": "standard", "column": column, "algorithm": algorithm})
}

fn usual() -> ShardingRule {
    rule(standard("user_id", "by_user"), standard("order_id", "by_order"))
}

const ORDER_ID: usize = 1;
const USER_ID: usize = 2;

fn int(value: i64) -> ValueRef {
    ValueRef::Const(Value::Int(value))
}

fn equal(column: usize, value: i64) -> Predicate {
    Predicate::Equal { column, value: int(value) }
}

fn hint(key: &str, value: &str) -> Hint {
    Hint { key: key.to_owned(), value: value.to_owned(), span: Span { start: 0, end: 0 } }
}

fn route(rule: &ShardingRule, predicate: Predicate, hints: &[Hint]) -> Result<Vec<u32>, u16> {
    let router = rule.router(&table(rule), predicate, hints).map_err(|error| error.code)?;
    let mut nodes = RouteSet::default();
    router.route(&NoValues, &mut nodes).map_err(|error| error.code)?;
    Ok(nodes.0.to_vec())
}

fn place(rule: &ShardingRule, row: &[ValueRef], hints: &[Hint]) -> Result<u32, u16> {
    let router = rule.row_router(&table(rule), hints).map_err(|error| error.code)?;
    router.node_of(row, &NoValues).map_err(|error| error.code)
}

#[test]
fn units_and_tables_are_chosen_apart() {
    let rule = usual();
    let all = vec![0, 1, 2, 3];
    let list = |column, values: &[i64]| Predicate::In {
        column,
        values: values.iter().map(|value| int(*value)).collect(),
    };
    let and = Predicate::And;
    let or = Predicate::Or;
    for (predicate, expected) in [
        (Predicate::Any, all.clone()),
        (Predicate::Never, vec![]),
        (equal(USER_ID, 5), vec![2, 3]),
        (equal(ORDER_ID, 4), vec![0, 2]),
        (equal(0, 4), all.clone()),
        (and(vec![equal(USER_ID, 5), equal(ORDER_ID, 4)]), vec![2]),
        (and(vec![equal(USER_ID, 5), equal(USER_ID, 4)]), vec![]),
        (and(vec![equal(USER_ID, 4), list(ORDER_ID, &[1, 3, 5])]), vec![1]),
        (and(vec![equal(USER_ID, 4), list(ORDER_ID, &[1, 2])]), vec![0, 1]),
        (
            or(vec![
                and(vec![equal(USER_ID, 0), equal(ORDER_ID, 0)]),
                and(vec![equal(USER_ID, 1), equal(ORDER_ID, 1)]),
            ]),
            vec![0, 3],
        ),
        (or(vec![equal(USER_ID, 1), equal(ORDER_ID, 1)]), vec![1, 2, 3]),
        (
            and(vec![equal(USER_ID, 1), or(vec![equal(ORDER_ID, 1), equal(ORDER_ID, 2)])]),
            vec![2, 3],
        ),
        (or(vec![equal(USER_ID, 1), Predicate::Any]), all.clone()),
        (Predicate::IsNull { column: USER_ID }, all.clone()),
        (
            Predicate::Equal {
                column: USER_ID,
                value: ValueRef::Const(Value::Decimal(Cow::Borrowed("1.5"))),
            },
            vec![],
        ),
        (
            Predicate::Equal {
                column: USER_ID,
                value: ValueRef::Const(Value::Bytes(Cow::Borrowed(b"1x"))),
            },
            all,
        ),
        // More alternatives than are told apart: a superset.
        (or((0..100).map(|value| equal(ORDER_ID, 2 * value)).collect()), vec![0, 1, 2, 3]),
    ] {
        assert_eq!(route(&rule, predicate.clone(), &[]), Ok(expected), "{predicate:?}");
    }
    let range = Predicate::Range { column: USER_ID, lower: Some((int(1), true)), upper: None };
    assert_eq!(route(&rule, range, &[]), Err(30001), "INLINE does not allow ranges unless told");
}

#[test]
fn rows_have_one_node() {
    let usual = usual();
    assert_eq!(usual.sharding_columns("t").unwrap(), ["user_id", "order_id"]);
    for (user, order, expected) in [(0, 0, 0), (0, 1, 1), (1, 0, 2), (7, 9, 3)] {
        assert_eq!(place(&usual, &[int(user), int(order)], &[]), Ok(expected));
    }
    let null = ValueRef::Const(Value::Null);
    assert_eq!(place(&usual, &[int(1), null], &[]), Err(20020));
    // -1 % 2 is -1 in such an expression.
    assert_eq!(place(&usual, &[int(-1), int(1)], &[]), Err(20051));
    let open = rule(standard("user_id", "by_user"), json!({"type": "none"}));
    assert_eq!(place(&open, &[int(1)], &[]), Err(20056));
    assert_eq!(route(&open, equal(USER_ID, 1), &[]), Ok(vec![2, 3]));
    let one = rule(standard("user_id", "by_user"), standard("user_id", "by_user_table"));
    assert_eq!(one.sharding_columns("t").unwrap(), ["user_id"]);
    assert_eq!(place(&one, &[int(5)], &[]), Ok(3));
    assert_eq!(route(&one, equal(USER_ID, 4), &[]), Ok(vec![0]));
}

#[test]
fn several_columns_at_once() {
    let complex = json!({
        "type": "complex", "columns": ["user_id", "order_id"], "algorithm": "by_both"
    });
    let rule = rule(standard("user_id", "by_user"), complex);
    let both = |user, order| Predicate::And(vec![equal(USER_ID, user), equal(ORDER_ID, order)]);
    assert_eq!(route(&rule, both(1, 1), &[]), Ok(vec![2]));
    assert_eq!(route(&rule, both(1, 2), &[]), Ok(vec![3]));
    assert_eq!(route(&rule, Predicate::Or(vec![both(0, 0), both(1, 2)]), &[]), Ok(vec![0, 3]));
    assert_eq!(route(&rule, equal(USER_ID, 1), &[]), Ok(vec![2, 3]));
    let lists = Predicate::And(vec![
        Predicate::In { column: USER_ID, values: vec![int(0), int(2)] },
        Predicate::In { column: ORDER_ID, values: vec![int(1), int(3)] },
    ]);
    assert_eq!(route(&rule, lists, &[]), Ok(vec![1]));
    assert_eq!(place(&rule, &[int(1), int(2)], &[]), Ok(3));
}

#[test]
fn hints_choose() {
    let by_hint = |algorithm: &str| json!({"type": "hint", "algorithm": algorithm});
    let rule = rule(by_hint("unit_hint"), by_hint("table_hint"));
    let unit = hint("SHARDING_DATABASE_VALUE", "3");
    let table_value = hint("t.shardingTableValue", "0");
    let other = hint("u.SHARDING_TABLE_VALUE", "1");
    let any = || Predicate::Any;
    assert_eq!(rule.sharding_columns("t").unwrap(), Vec::<String>::new());
    assert_eq!(route(&rule, any(), &[]), Ok(vec![0, 1, 2, 3]));
    assert_eq!(route(&rule, any(), std::slice::from_ref(&unit)), Ok(vec![2, 3]));
    assert_eq!(route(&rule, any(), &[unit.clone(), table_value.clone()]), Ok(vec![2]));
    assert_eq!(route(&rule, any(), &[unit.clone(), other.clone()]), Ok(vec![2, 3]));
    assert_eq!(place(&rule, &[], &[unit.clone(), table_value]), Ok(2));
    assert_eq!(place(&rule, &[], &[unit, other]), Err(20056));
}

#[test]
fn auditors_ask_for_a_condition() {
    let mut config = json!({
        "tables": [{
            "table": "t", "data_nodes": ["ds_0.t_0"],
            "table_strategy": standard("user_id", "a"),
            "audit": {"auditors": ["strict"], "allow_hint_disable": true},
        }],
        "algorithms": {"a": {"type": "INLINE", "properties": {
            "algorithm-expression": "t_${user_id % 1}"}}},
        "auditors": {"strict": {"type": "DML_SHARDING_CONDITIONS"}},
    });
    let units = usual_units();
    let build = |config: &serde_json::Value| {
        ShardingRule::new(&ShardingConfig::load(config).unwrap(), &units).unwrap()
    };
    let allowing = build(&config);
    config["tables"][0]["audit"]["allow_hint_disable"] = json!(false);
    let strict = build(&config);
    let off = [hint("DISABLE_AUDIT_NAMES", "other strict")];
    let audit = |rule: &ShardingRule, predicate: &Predicate, hints: &[Hint]| {
        rule.audit(&table(rule), predicate, hints).map_err(|error| error.code)
    };
    let either = Predicate::Or(vec![equal(USER_ID, 1), equal(ORDER_ID, 1)]);
    for (predicate, expected) in [
        (Predicate::Any, Err(20090)),
        (equal(ORDER_ID, 1), Err(20090)),
        (equal(USER_ID, 1), Ok(())),
        (either, Err(20090)),
        (Predicate::Never, Ok(())),
    ] {
        assert_eq!(audit(&allowing, &predicate, &[]), expected, "{predicate:?}");
        assert_eq!(audit(&allowing, &predicate, &off), Ok(()), "{predicate:?}");
        assert_eq!(audit(&strict, &predicate, &off), expected, "{predicate:?}");
    }
}

fn usual_units() -> Vec<StorageUnit> {
    vec![StorageUnit {
        id: UnitId(0),
        name: "ds_0".into(),
        config: Arc::new(StorageUnitConfig {
            host: "127.0.0.1".to_owned(),
            port: 3306,
            database: "d".to_owned(),
            user: "u".to_owned(),
            password: Secret(String::new()),
            tls: BackendTls::Disabled,
            pool: PoolConfig::default(),
            other_properties: std::collections::BTreeMap::new(),
        }),
    }]
}
