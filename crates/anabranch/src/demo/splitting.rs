//! The read/write splitting scenario: a primary and its replica, which really replicate, behind one
//! proxy; the guide's chapter from the storage units to the table.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use comfy_table::Table;
use sandbox::{DatabaseServer, Flavor, ScratchFolder, ServerOptions, Template};

use super::client::Client;
use super::interrupt::Interrupt;
use super::sysbench::{Sysbench, SysbenchFigures, Target};
use super::{progress, report, stage};
use crate::Failure;
use crate::cli::DemoArguments;

const UNITS: [&str; 2] = ["write_ds", "read_ds"];
/// The logical database of the guide.
const DATABASE: &str = "sphereex_demo";
/// How far behind the replica may be after the rows were loaded.
const REPLICATION_LIMIT: Duration = Duration::from_secs(600);
/// What the guide measured: name, transactions and queries a second, 95th percentile in ms.
///
/// # Source
/// The performance guide, chapter "Read/write splitting": 200 threads, 1 000 000 rows, two hosts.
const GUIDE: [(&str, f64, f64, f64); 2] = [
    ("guide: DBPlusEngine-Proxy", 3_485.0, 55_775.0, 164.45),
    ("guide: MySQL, direct", 1_995.0, 31_925.0, 282.25),
];

/// Plays the scenario.
pub(crate) fn run(arguments: &DemoArguments, interrupt: &Interrupt) -> Result<ExitCode, Failure> {
    let folder = ScratchFolder::build("anabranch-demo-")?;
    println!("Everything lives in {} and goes at the end.", folder.path().display());
    println!("Starting a private MariaDB primary and its replica:");
    let servers = start_servers(folder.path(), interrupt)?;
    let direct = |server: &DatabaseServer| Client {
        port: server.port(),
        user: "root",
        password: "root",
        database: "test",
    };
    let (primary, replica) = (direct(&servers[0]), direct(&servers[1]));
    replicate(&primary, &replica)?;
    let (proxy, port) = stage::start_proxy(folder.path())?;

    println!("\nRules, by DistSQL:");
    let admin = Client { port, user: "root", password: "root", database: "" };
    for statement in statements([primary.port, replica.port]) {
        println!("{statement};");
        admin.run(&statement)?;
        interrupt.check()?;
    }

    let target = |port, database| Target { port, user: "root", password: "root", database };
    let split = Sysbench::new(target(port, DATABASE), arguments, folder.path())
        .with_option("--auto_inc=off");
    println!("\nsysbench through Anabranch:");
    for step in ["cleanup", "prepare"] {
        println!("  {}", split.command_line(step));
    }
    split.run("cleanup", interrupt)?;
    progress::while_loading(arguments.table_size, &[&primary], || split.run("prepare", interrupt))?;
    // A table that the replica does not have yet would be an error, not a figure.
    wait_for(&replica, &primary, interrupt)?;
    let figures = run_sysbench(&split, arguments, interrupt)?;
    wait_for(&replica, &primary, interrupt)?;
    let alone = Sysbench::new(target(primary.port, "test"), arguments, folder.path())
        .with_option("--auto_inc=off");
    println!("\nsysbench directly to the primary:");
    let direct_figures = run_sysbench(&alone, arguments, interrupt)?;
    wait_for(&replica, &primary, interrupt)?;

    println!(
        "\noltp_read_write, {} rows, {} threads, {} s (one machine; the guide had two hosts):",
        arguments.table_size, arguments.threads, arguments.time
    );
    println!("{}", table(&figures, &direct_figures));
    let is_clean = [figures, direct_figures].iter().all(|f| f.errors + f.reconnects == 0);
    if arguments.keep {
        stage::keep(folder, proxy, servers, port, DATABASE)?;
    }
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_sysbench(
    sysbench: &Sysbench,
    arguments: &DemoArguments,
    interrupt: &Interrupt,
) -> Result<SysbenchFigures, Failure> {
    println!("  {}", sysbench.command_line("run"));
    let output =
        progress::while_running(arguments.time, || sysbench.run("run", interrupt))?;
    SysbenchFigures::parse(&output)
        .ok_or_else(|| format!("sysbench's output has no figures:\n{output}").into())
}

/// Two servers with a binary log and the users of the guide.
fn start_servers(folder: &Path, interrupt: &Interrupt) -> Result<Vec<DatabaseServer>, Failure> {
    let template = Template::build(Flavor::MariaDb, folder)?;
    let user = |name: &str| (name.to_owned(), name.to_owned());
    let start = |(id, name): (usize, &&str)| {
        interrupt.check()?;
        let options = ServerOptions {
            parent: folder.to_owned(),
            databases: vec!["test".to_owned()],
            users: vec![user("test"), user("root")],
            arguments: vec![
                format!("--server-id={id}"),
                // Behind the sandbox's own options, which turn it off.
                "--log-bin=binlog".to_owned(),
                "--relay-log=relay".to_owned(),
                "--innodb-buffer-pool-size=256M".to_owned(),
            ],
            ..ServerOptions::default()
        };
        let server = DatabaseServer::start(&template, &options)?;
        println!("  {name}  {}", server.address());
        Ok(server)
    };
    (1..).zip(&UNITS).map(start).collect()
}

/// Makes one server the replica of another one. What both did at their start is the same, and done
/// only where it is missing: the replica can run it again.
fn replicate(primary: &Client, replica: &Client) -> Result<(), Failure> {
    replica.run(&format!(
        "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={}, MASTER_USER='test', \
         MASTER_PASSWORD='test', MASTER_USE_GTID=slave_pos; START SLAVE",
        primary.port
    ))?;
    Ok(())
}

/// Waits until the replica has run everything that the primary has.
fn wait_for(replica: &Client, primary: &Client, interrupt: &Interrupt) -> Result<(), Failure> {
    let position = primary.run("SELECT @@gtid_binlog_pos")?;
    let end = Instant::now() + REPLICATION_LIMIT;
    while Instant::now() < end {
        interrupt.check()?;
        let wait = format!("SELECT MASTER_GTID_WAIT('{}', 1)", position.trim());
        if replica.run(&wait)?.trim() == "0" {
            return Ok(());
        }
    }
    Err("the replica does not follow its primary".into())
}

/// The chapter's statements, hosts and ports aside.
fn statements(ports: [u16; 2]) -> Vec<String> {
    let unit = |(name, port): (&&str, u16)| {
        format!(
            "{name} (\n    HOST=\"127.0.0.1\",\n    PORT={port},\n    DB=\"test\",\n    \
             USER=\"test\",\n    PASSWORD=\"test\"\n)"
        )
    };
    let units: Vec<String> = UNITS.iter().zip(ports).map(unit).collect();
    vec![
        format!("DROP DATABASE IF EXISTS {DATABASE}"),
        format!("CREATE DATABASE IF NOT EXISTS {DATABASE}"),
        format!("USE {DATABASE};\nREGISTER STORAGE UNIT {}", units.join(", ")),
        format!(
            "USE {DATABASE};\nCREATE READWRITE_SPLITTING RULE readwrite_ds (\n\
             WRITE_STORAGE_UNIT=write_ds,\nREAD_STORAGE_UNITS(read_ds),\n\
             TYPE(NAME=\"FIXED_REPLICA_RANDOM\")\n)"
        ),
    ]
}

fn table(split: &SysbenchFigures, direct: &SysbenchFigures) -> Table {
    let mut table = report::table(&["", "TPS", "QPS", "p95 ms", "errors"]);
    for (name, figures) in [("Anabranch, primary and replica", split), ("MariaDB, direct", direct)] {
        table.add_row([
            name.to_owned(),
            format!("{:.0}", figures.transactions_per_second),
            format!("{:.0}", figures.queries_per_second),
            format!("{:.2}", figures.p95_ms),
            (figures.errors + figures.reconnects).to_string(),
        ]);
    }
    for (name, transactions, queries, p95_ms) in GUIDE {
        table.add_row([
            name.to_owned(),
            format!("{transactions:.0}"),
            format!("{queries:.0}"),
            format!("{p95_ms:.2}"),
            "0".to_owned(),
        ]);
    }
    report::align_right(&mut table, 1..=4);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapter_is_as_printed() {
        let all = statements([13_308, 13_309]);
        assert!(all[2].contains("PORT=13309"), "{all:?}");
        let rule = "CREATE READWRITE_SPLITTING RULE readwrite_ds (\nWRITE_STORAGE_UNIT=write_ds,\n\
                    READ_STORAGE_UNITS(read_ds),\nTYPE(NAME=\"FIXED_REPLICA_RANDOM\")\n)";
        assert!(all[3].ends_with(rule), "{}", all[3]);
    }
}
