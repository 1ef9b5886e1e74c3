//! What the scenario plays on: four database servers, one more for comparison, and the proxy.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sandbox::{
    DatabaseServer, Flavor, Program, ScratchFolder, ServerOptions, Template, find_free_port,
};

use super::client::{Client, TableCounts};
use super::interrupt::Interrupt;
use super::sysbench::Target;
use crate::Failure;

/// The names of the storage units.
pub(crate) const UNITS: [&str; 4] = ["ds_0", "ds_1", "ds_2", "ds_3"];
/// The port that ShardingSphere's proxy has, too.
const PREFERRED_PORT: u16 = 3307;
/// How long the proxy may take to get ready.
const READY_LIMIT: Duration = Duration::from_secs(60);
/// The configuration is the sample of the source tree.
const GLOBAL_YAML: &str = include_str!("../../../../conf/global.yaml");

/// Everything that runs. The order of the fields is the order in which it ends.
pub(crate) struct Stage {
    proxy: Program,
    proxy_port: u16,
    servers: Vec<DatabaseServer>,
    unit_clients: Vec<Client>,
    direct_client: Client,
    folder: ScratchFolder,
}

impl Stage {
    /// Starts it all.
    pub(crate) fn build(interrupt: &Interrupt) -> Result<Self, Failure> {
        let folder = ScratchFolder::build("anabranch-demo-")?;
        println!("Everything lives in {} and goes at the end.", folder.path().display());
        println!("Starting four private MariaDB servers, and one to compare with:");
        let servers = start_servers(folder.path(), interrupt)?;
        let clients: Vec<Client> =
            servers.iter().map(|server| direct_client(server.port())).collect();
        let (direct_client, unit_clients) = clients.split_last().ok_or("no server was started")?;
        let (proxy, proxy_port) = start_proxy(folder.path())?;
        Ok(Self {
            proxy,
            proxy_port,
            unit_clients: unit_clients.to_vec(),
            direct_client: direct_client.clone(),
            servers,
            folder,
        })
    }

    /// The scratch folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The ports of the four storage units.
    pub(crate) fn unit_ports(&self) -> Vec<u16> {
        self.unit_clients.iter().map(|client| client.port).collect()
    }

    /// The proxy for root.
    pub(crate) fn proxy_client(&self, database: &'static str) -> Client {
        Client { port: self.proxy_port, user: "root", password: "root", database }
    }

    /// The four storage units.
    pub(crate) fn units(&self) -> Vec<&Client> {
        self.unit_clients.iter().collect()
    }

    /// The server to compare with.
    pub(crate) fn direct(&self) -> &Client {
        &self.direct_client
    }

    /// The sharded table for sysbench.
    pub(crate) fn target_proxy(&self) -> Target {
        super::sharding_target(self.proxy_port)
    }

    /// The plain table for sysbench.
    pub(crate) fn target_direct(&self) -> Target {
        let Client { port, user, password, database } = self.direct_client;
        Target { port, user, password, database }
    }

    /// What each storage unit holds of sysbench's table.
    pub(crate) fn rows_by_unit(&self) -> Result<Vec<(&'static str, TableCounts)>, Failure> {
        let units = UNITS.iter().zip(&self.unit_clients);
        units.map(|(name, client)| Ok((*name, client.count_rows("sbtest1")?))).collect()
    }

    /// Lets everything run on and says how to use it and how to end it.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        println!("\nThe storage units, user and password test:");
        for (name, client) in UNITS.iter().zip(&self.unit_clients) {
            println!("  {name}  127.0.0.1:{}  database {}", client.port, client.database);
        }
        keep(self.folder, self.proxy, self.servers, self.proxy_port, "sharding_db")
    }
}

/// Lets programs run on and says how to use the proxy and how to end it all.
pub(super) fn keep(
    folder: ScratchFolder,
    proxy: Program,
    servers: Vec<DatabaseServer>,
    proxy_port: u16,
    database: &str,
) -> Result<(), Failure> {
    let mut pids = vec![proxy.keep()?];
    for server in servers {
        pids.push(server.keep()?.0);
    }
    let folder = folder.keep()?;
    let stop = write_stop_script(&folder, &pids)?;
    println!("\nEverything keeps running. Connect with");
    println!("  mysql -h127.0.0.1 -P{proxy_port} -uroot -proot {database}");
    println!("(or with `mariadb` in place of `mysql`).");
    println!("Stop it all and remove its files with\n  sh {}", stop.display());
    Ok(())
}

fn start_servers(folder: &Path, interrupt: &Interrupt) -> Result<Vec<DatabaseServer>, Failure> {
    let template = Template::build(Flavor::MariaDb, folder)?;
    let options = ServerOptions {
        parent: folder.to_owned(),
        databases: vec!["sbtest".to_owned()],
        arguments: vec!["--innodb-buffer-pool-size=256M".to_owned()],
        ..ServerOptions::default()
    };
    let names = UNITS.iter().copied().chain(["direct"]);
    names
        .map(|name| {
            interrupt.check()?;
            let server = DatabaseServer::start(&template, &options)?;
            println!("  {name}  {}", server.address());
            Ok(server)
        })
        .collect()
}

fn direct_client(port: u16) -> Client {
    Client { port, user: "test", password: "test", database: "sbtest" }
}

/// The proxy, with the sample configuration, and its port.
pub(super) fn start_proxy(folder: &Path) -> Result<(Program, u16), Failure> {
    let conf = folder.join("conf");
    std::fs::create_dir_all(&conf)?;
    std::fs::write(conf.join("global.yaml"), GLOBAL_YAML)?;
    let port = find_free_port(PREFERRED_PORT)?;
    let command = [
        std::env::current_exe()?.display().to_string(),
        "serve".to_owned(),
        format!("--conf={}", conf.display()),
        format!("--data={}", folder.join("data").display()),
        format!("--port={port}"),
    ];
    let output = folder.join("proxy.log");
    let proxy = Program::start(&command, &output, None)?;
    let ready = proxy.wait_until(READY_LIMIT, || {
        let text = std::fs::read_to_string(&output).ok()?;
        text.lines().find(|line| line.contains(" ready on ")).map(str::to_owned)
    })?;
    println!("{ready}");
    Ok((proxy, port))
}

/// A script that ends these processes and removes the folder with the script.
fn write_stop_script(folder: &Path, pids: &[u32]) -> Result<PathBuf, Failure> {
    let list: Vec<String> = pids.iter().map(u32::to_string).collect();
    let list = list.join(" ");
    let folder_text = folder.display();
    let script = format!(
        "#!/bin/sh\n# Ends what `anabranch demo --keep` left running.\n\
         for pid in {list}; do\n    \
         grep -q -e '{folder_text}' \"/proc/$pid/cmdline\" 2>/dev/null || continue\n    \
         kill \"$pid\"\n    \
         while kill -0 \"$pid\" 2>/dev/null; do sleep 0.1; done\n\
         done\nrm -rf '{folder_text}'\n"
    );
    let path = folder.join("stop");
    std::fs::write(&path, script)?;
    Ok(path)
}
