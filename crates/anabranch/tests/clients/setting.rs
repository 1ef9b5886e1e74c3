//! The servers of these tests: for each kind of storage unit a server with two databases as units,
//! and a proxy in front. All tests share them; each has tables of its own.

use std::path::Path;
use std::sync::OnceLock;

use protocol::capability::Capabilities;
use testkit::{DatabaseServer, Proxy, ProxyOptions, ServerOptions, start_mariadb, start_mysql};

use crate::wire::Wire;

/// The limit the proxy is started with, and the servers: small enough to be reached.
pub const MAX_ALLOWED_PACKET: usize = 40 << 20;

/// One kind of server and the proxy in front of it.
pub struct Place {
    pub name: &'static str,
    pub is_mariadb: bool,
    pub server: DatabaseServer,
    pub proxy: Proxy,
}

impl Place {
    /// The proxy, in the logical database.
    pub fn connect(&self) -> Wire {
        self.connect_with(Capabilities::NONE)
    }

    pub fn connect_with(&self, extra: Capabilities) -> Wire {
        Wire::connect(self.proxy.address(), "clients", extra)
    }

    /// The server itself, in the database where tables without a rule are.
    pub fn direct(&self, extra: Capabilities) -> Wire {
        Wire::connect(self.server.address(), "unit_0", extra)
    }

    /// Makes a table that is sharded by `id` over both units.
    pub fn create_sharded(&self, table: &str, columns: &str) -> Wire {
        let mut client = self.connect();
        client.must(&format!(
            "CREATE SHARDING TABLE RULE {table} (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN=id, \
             TYPE(NAME=\"MOD\", PROPERTIES(\"sharding-count\"=4)))"
        ));
        client.must(&format!("CREATE TABLE {table} ({columns})"));
        client
    }

    fn build(server: DatabaseServer, is_mariadb: bool) -> Self {
        let options = ProxyOptions {
            files: vec![(
                "anabranch.yaml".to_owned(),
                format!("workers: 2\nlimits:\n  maxAllowedPacket: {MAX_ALLOWED_PACKET}\n"),
            )],
            arguments: Vec::new(),
        };
        let binary = Path::new(env!("CARGO_BIN_EXE_anabranch"));
        let proxy = Proxy::start(binary, &options).unwrap();
        let name = if is_mariadb { "MariaDB" } else { "MySQL" };
        let place = Self { name, is_mariadb, server, proxy };
        let mut client = Wire::connect(place.proxy.address(), "", Capabilities::NONE);
        client.must("CREATE DATABASE clients");
        client.must("USE clients");
        let port = place.server.port();
        let unit = |index: u8| {
            format!(
                "ds_{index} (HOST=\"127.0.0.1\", PORT={port}, DB=\"unit_{index}\", \
                 USER=\"test\", PASSWORD=\"test\")"
            )
        };
        client.must(&format!("REGISTER STORAGE UNIT {}, {}", unit(0), unit(1)));
        place
    }
}

/// MariaDB, and MySQL where there is one.
pub fn places() -> &'static [Place] {
    static PLACES: OnceLock<Vec<Place>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let options = ServerOptions {
            databases: vec!["unit_0".to_owned(), "unit_1".to_owned()],
            arguments: vec![
                format!("--max-allowed-packet={MAX_ALLOWED_PACKET}"),
                "--local-infile=1".to_owned(),
                "--innodb-log-file-size=64M".to_owned(),
            ],
            ..ServerOptions::default()
        };
        let mysql = start_mysql(&ServerOptions {
            arguments: options.arguments[..2].to_vec(),
            ..options.clone()
        });
        let mut places = vec![Place::build(start_mariadb(&options), true)];
        places.extend(mysql.map(|server| Place::build(server, false)));
        places
    })
}
