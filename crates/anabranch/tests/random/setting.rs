//! The world of the random statements: its tables over four units behind a proxy, and all of them
//! on one server.

use std::path::Path;

use testkit::{
    Client, DatabaseServer, Endpoint, Generator, Pair, Proxy, ProxyOptions, ServerOptions, Spread,
    Table, start_mariadbs, start_mysql,
};

const DATABASE: &str = "cases";
const UNITS: usize = 4;

/// `ANABRANCH_FUZZ_SERVER=mysql`: the servers are MySQL ones.
fn is_mysql() -> bool {
    std::env::var("ANABRANCH_FUZZ_SERVER").is_ok_and(|kind| kind == "mysql")
}

/// The servers.
pub(crate) struct Setting {
    units: Vec<DatabaseServer>,
    oracle: DatabaseServer,
    proxy: Proxy,
}

impl Setting {
    /// Starts everything; there are no tables yet.
    pub(crate) async fn start() -> Self {
        let options =
            ServerOptions { databases: vec![DATABASE.to_owned()], ..ServerOptions::default() };
        let mut units = match is_mysql() {
            true => (0..=UNITS)
                .map(|_| start_mysql(&options).expect("ANABRANCH_MYSQL_ROOT names a MySQL"))
                .collect(),
            false => start_mariadbs(UNITS + 1, &options),
        };
        let oracle = units.pop().unwrap();
        let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
        let proxy = Proxy::start(binary, &ProxyOptions::default()).unwrap();
        let setting = Self { units, oracle, proxy };
        let mut client = setting.client("");
        client.must(&format!("CREATE DATABASE {DATABASE}")).await;
        client.must(&format!("USE {DATABASE}")).await;
        let units = setting.units.iter().enumerate().map(|(index, unit)| {
            format!(
                "ds_{index} (HOST=\"127.0.0.1\", PORT={}, DB=\"{DATABASE}\", USER=\"test\", \
                 PASSWORD=\"test\")",
                unit.port()
            )
        });
        let units = units.collect::<Vec<_>>().join(", ");
        client.must(&format!("REGISTER STORAGE UNIT {units}")).await;
        setting
    }

    fn client(&self, database: &str) -> Client {
        Client::new(Endpoint::new(self.proxy.address(), "root", "root", database))
    }

    /// A pair of connections to the server with all the data and to the proxy.
    pub(crate) fn pair(&self) -> Pair {
        let pair = Pair::new(
            Endpoint::new(self.oracle.address(), "test", "test", DATABASE),
            Endpoint::new(self.proxy.address(), "root", "root", DATABASE),
        );
        Pair { ignores_plans: is_mysql(), ..pair }
    }

    /// Makes the tables of a generator anew, spread as it says, and fills them.
    pub(crate) async fn fill(&self, generator: &mut Generator) {
        let mut pair = self.pair();
        let mut are_rules_made = false;
        for table in generator.tables() {
            are_rules_made |= self.make(&mut pair, table).await;
        }
        if are_rules_made {
            pair.subject.must("CREATE SHARDING TABLE REFERENCE RULE f_ref (f_order, f_item)").await;
        }
        for statement in generator.first_rows() {
            pair.oracle.must(&statement).await;
            pair.subject.must(&statement).await;
        }
    }

    /// True when the table's rule was made by this.
    async fn make(&self, pair: &mut Pair, table: &Table) -> bool {
        let name = table.name;
        pair.oracle.must(&format!("DROP TABLE IF EXISTS {name}")).await;
        pair.oracle.must(&table.create()).await;
        let client = &mut pair.subject;
        let is_known = client
            .run(&format!("DROP TABLE {name}"), testkit::Protocol::Text)
            .await
            .iter()
            .all(|outcome| outcome.find_error_code().is_none());
        match &table.spread {
            Spread::Sharded { column, algorithm, count } if !is_known => {
                let rule = format!(
                    "CREATE SHARDING TABLE RULE {name} (STORAGE_UNITS(ds_0, ds_1, ds_2, ds_3), \
                     SHARDING_COLUMN={column}, TYPE(NAME=\"{algorithm}\", \
                     PROPERTIES(\"sharding-count\"={count})))"
                );
                client.must(&rule).await;
            }
            Spread::Broadcast if !is_known => {
                client.must(&format!("CREATE BROADCAST TABLE RULE {name}")).await;
            }
            Spread::Single(unit) => {
                let rule = format!("SET DEFAULT SINGLE TABLE STORAGE UNIT = ds_{unit}");
                client.must(&rule).await;
            }
            Spread::Sharded { .. } | Spread::Broadcast => {}
        }
        client.must(&table.create()).await;
        !is_known && matches!(table.spread, Spread::Sharded { .. })
    }
}
