//! Every statement of `tests/oracle/*.sql` through the proxy over four storage
//! units and on one MariaDB with all the data: the answers must be the same.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use std::path::Path;

use testkit::{
    CaseFile, Client, DatabaseServer, Endpoint, Pair, Protocol, Proxy, ProxyOptions, RunOptions,
    ServerOptions, run_cases, start_mariadbs, start_mysql,
};

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

/// Four storage units behind a proxy, and one server beside them.
struct Setting {
    units: Vec<DatabaseServer>,
    oracle: DatabaseServer,
    proxy: Proxy,
}

impl Setting {
    async fn build() -> Self {
        let options =
            ServerOptions { databases: vec!["cases".to_owned()], ..ServerOptions::default() };
        Self::build_on(start_mariadbs(5, &options)).await
    }

    /// The last of the servers is the oracle.
    async fn build_on(mut units: Vec<DatabaseServer>) -> Self {
        let oracle = units.pop().unwrap();
        let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
        let proxy = Proxy::start(binary, &ProxyOptions::default()).unwrap();
        let setting = Self { units, oracle, proxy };
        setting.create_rules().await;
        setting
    }

    async fn create_rules(&self) {
        let mut client = Client::new(Endpoint::new(self.proxy.address(), "root", "root", ""));
        client.must("CREATE DATABASE cases").await;
        client.must("USE cases").await;
        let units: Vec<String> = self
            .units
            .iter()
            .enumerate()
            .map(|(index, unit)| {
                let port = unit.port();
                format!(
                    "ds_{index} (HOST=\"127.0.0.1\", PORT={port}, DB=\"cases\", USER=\"test\", \
                     PASSWORD=\"test\")"
                )
            })
            .collect();
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

    fn pair(&self) -> Pair {
        Pair::new(
            Endpoint::new(self.oracle.address(), "test", "test", "cases"),
            Endpoint::new(self.proxy.address(), "root", "root", "cases"),
        )
    }
}

async fn run_file(name: &str) {
    // Copies have other indexes than the tables, and so other plans.
    run_file_on(Setting::build().await, name, name.starts_with("gather")).await;
}

async fn run_file_on(setting: Setting, name: &str, ignores_plans: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let file = CaseFile::load(&folder.join(name)).unwrap();
    let mut failures = Vec::new();
    for protocol in [Protocol::Text, Protocol::Binary] {
        let mut pair = Pair { ignores_plans, ..setting.pair() };
        let options = RunOptions { protocol, subject_is_proxy: true };
        let report = run_cases(&mut pair, &file, options).await;
        println!("{name}, {protocol:?}: {} run, {} pending", report.run, report.pending);
        failures.extend(report.failures.iter().map(|failure| format!("{protocol:?} {failure}")));
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// One test a file, so that the failures of one hide no other.
macro_rules! files {
    ($($name:ident)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                run_file(concat!(stringify!($name), ".sql")).await;
            }
        )*

        /// A file without a test would prove nothing.
        #[test]
        fn every_file_has_its_test() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
            let tested = [$(concat!(stringify!($name), ".sql")),*];
            for file in CaseFile::load_folder(&folder).unwrap() {
                let name = file.path.file_name().unwrap().to_str().unwrap().to_owned();
                assert!(tested.contains(&name.as_str()), "{name} has no test in oracle.rs");
            }
        }
    };
}

files! {
    aggregate aggregate_distinct auto_increment ddl distinct explicit expression gather
    gather_session group group_distinct having joins insert limit order predicate prepared refused
    session single string_key transaction typed_key unsigned update
}

/// What depends most on the server: temporary tables, and the statements that run over them.
#[tokio::test]
async fn gather_on_mysql() {
    let options = ServerOptions { databases: vec!["cases".to_owned()], ..ServerOptions::default() };
    let servers: Option<Vec<_>> = (0..5).map(|_| start_mysql(&options)).collect();
    let Some(servers) = servers else {
        println!("passed over: ANABRANCH_MYSQL_ROOT is not set");
        return;
    };
    run_file_on(Setting::build_on(servers).await, "gather.sql", true).await;
}
