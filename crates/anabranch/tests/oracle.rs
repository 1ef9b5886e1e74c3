//! Every statement of `tests/oracle/*.sql` through the proxy over four storage
//! units and on one MariaDB with all the data: the answers must be the same.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

#[path = "oracle/rules.rs"]
mod rules;

use std::path::Path;

use rules::create_rules;
use testkit::{
    CaseFile, DatabaseServer, Endpoint, Pair, Protocol, Proxy, ProxyOptions, RunOptions,
    ServerOptions, run_cases, start_mariadbs, start_mysql,
};

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
        let units = setting.units.iter().map(|unit| (unit.port(), "cases".to_owned()));
        create_rules(&setting.proxy, units.collect()).await;
        setting
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
