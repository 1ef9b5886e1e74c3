//! The rules that the cases run under, on whatever servers.

use testkit::{Client, Endpoint, Proxy};

/// The sharded tables of the cases: name, sharding column, algorithm and its count.
const RULES: &[(&str, &str, &str, u32)] = &[
    ("t_mod", "id", "MOD", 4),
    ("t_user", "id", "MOD", 10),
    ("t_hash", "code", "HASH_MOD", 4),
    ("t_count", "id", "MOD", 4),
    ("t_entry", "owner", "MOD", 4),
    ("j_order", "id", "MOD", 4),
    ("j_item", "order_id", "MOD", 4),
    ("j_note", "id", "MOD", 4),
];

/// Rules over explicit data nodes, two units with two tables each.
const EXPLICIT: &[&str] = &[
    "t_pair (DATANODES('ds_${0..1}.t_pair_${0..1}'),
     DATABASE_STRATEGY(TYPE=STANDARD, SHARDING_COLUMN=user_id, SHARDING_ALGORITHM(
       TYPE(NAME=INLINE, PROPERTIES('algorithm-expression'='ds_${user_id % 2}')))),
     TABLE_STRATEGY(TYPE=STANDARD, SHARDING_COLUMN=order_id, SHARDING_ALGORITHM(
       TYPE(NAME=INLINE, PROPERTIES('algorithm-expression'='t_pair_${order_id % 2}')))))",
    "t_both (DATANODES('ds_${2..3}.t_both_${0..1}'),
     DATABASE_STRATEGY(TYPE=STANDARD, SHARDING_COLUMN=user_id, SHARDING_ALGORITHM(
       TYPE(NAME=INLINE, PROPERTIES('algorithm-expression'='ds_${user_id % 2 + 2}')))),
     TABLE_STRATEGY(TYPE=COMPLEX, SHARDING_COLUMNS=user_id, order_id, SHARDING_ALGORITHM(
       TYPE(NAME=COMPLEX_INLINE, PROPERTIES(
         'algorithm-expression'='t_both_${(user_id + order_id) % 2}')))))",
];

/// Tables whose sharding columns are decimals, dates and times.
const TYPED_RULES: &[(&str, &str, &str)] = &[
    ("t_price", "price", r#"NAME="BOUNDARY_RANGE", PROPERTIES("sharding-ranges"="-1,10,100")"#),
    ("t_decimal", "price", r#"NAME="MOD", PROPERTIES("sharding-count"=4)"#),
    (
        "t_volume",
        "id",
        r#"NAME="VOLUME_RANGE", PROPERTIES("range-lower"=0, "range-upper"=30, "sharding-volume"=10)"#,
    ),
    (
        "t_moment",
        "at",
        r#"NAME="AUTO_INTERVAL", PROPERTIES("datetime-lower"="2024-01-01 00:00:00",
           "datetime-upper"="2024-01-05 00:00:00", "sharding-seconds"=86400)"#,
    ),
    (
        "t_date",
        "at",
        r#"NAME="AUTO_INTERVAL", PROPERTIES("datetime-lower"="2024-01-01 00:00:00",
           "datetime-upper"="2024-01-05 00:00:00", "sharding-seconds"=86400)"#,
    ),
];

/// Creates the logical database `cases` over the units (port and database of each), with its rules.
pub(crate) async fn create_rules(proxy: &Proxy, units: Vec<(u16, String)>) {
    let mut client = Client::new(Endpoint::new(proxy.address(), "root", "root", ""));
    client.must("CREATE DATABASE cases").await;
    client.must("USE cases").await;
    let unit = |(index, (port, database)): (usize, (u16, String))| {
        format!(
            "ds_{index} (HOST=\"127.0.0.1\", PORT={port}, DB=\"{database}\", USER=\"test\", \
             PASSWORD=\"test\")"
        )
    };
    let units: Vec<String> = units.into_iter().enumerate().map(unit).collect();
    client.must(&format!("REGISTER STORAGE UNIT {}", units.join(", "))).await;
    for (table, column, algorithm, count) in RULES {
        let rule = format!(
            "CREATE SHARDING TABLE RULE {table} (STORAGE_UNITS(ds_0, ds_1, ds_2, ds_3), \
             SHARDING_COLUMN={column}, TYPE(NAME=\"{algorithm}\", \
             PROPERTIES(\"sharding-count\"={count})))"
        );
        client.must(&rule).await;
    }
    for (table, column, algorithm) in TYPED_RULES {
        let rule = format!(
            "CREATE SHARDING TABLE RULE {table} (STORAGE_UNITS(ds_0, ds_1, ds_2, ds_3), \
             SHARDING_COLUMN={column}, TYPE({algorithm}))"
        );
        client.must(&rule).await;
    }
    for rule in EXPLICIT {
        client.must(&format!("CREATE SHARDING TABLE RULE {rule}")).await;
    }
    client.must("CREATE SHARDING TABLE REFERENCE RULE j_ref (j_order, j_item, j_note)").await;
    client.must("CREATE BROADCAST TABLE RULE j_dict").await;
}
