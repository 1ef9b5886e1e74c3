//! `anabranch demo`: a scenario on private servers, from nothing to a table of figures.
//!
//! Everything it starts is supervised (`sandbox`): it goes when this process goes, however it
//! goes. Ctrl-C sets a flag that every wait looks at, so that the usual clean-up runs.

mod client;
mod interrupt;
mod progress;
mod report;
mod scenario;
mod splitting;
mod stage;
mod sysbench;

use std::process::ExitCode;

use clap::ValueEnum;

use crate::Failure;
use crate::cli::{DemoArguments, Scenario};
use interrupt::Interrupt;
use report::Report;
use stage::{Stage, UNITS};
use sysbench::{Sysbench, SysbenchFigures, Target};

/// The exit status a shell gives to a program ended by Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Runs the scenario and prints what it measured.
///
/// # Errors
/// When something is missing or does not work; also when sysbench counted an error.
pub(crate) fn run(arguments: &DemoArguments) -> Result<ExitCode, Failure> {
    let play = match arguments.scenario {
        Scenario::Sharding => run_sharding,
        Scenario::ReadwriteSplitting => splitting::run,
        other => {
            let name = other.to_possible_value();
            let name = name.as_ref().map_or("", |value| value.get_name());
            return Err(format!(
                "the scenario `{name}` comes with a later version; `sharding` and \
                 `readwrite-splitting` work"
            )
            .into());
        }
    };
    sysbench::require_installed()?;
    client::require_installed()?;
    let interrupt = Interrupt::watch()?;
    match play(arguments, &interrupt) {
        Err(_) if interrupt.is_set() => {
            eprintln!("Stopped; everything that was started is gone.");
            Ok(ExitCode::from(INTERRUPTED))
        }
        result => result,
    }
}

fn run_sharding(arguments: &DemoArguments, interrupt: &Interrupt) -> Result<ExitCode, Failure> {
    let stage = Stage::build(interrupt)?;
    println!("\nRules, by DistSQL:");
    let proxy = stage.proxy_client("");
    for statement in scenario::sharding_statements(&stage.unit_ports()) {
        println!("{statement};");
        proxy.run(&statement)?;
        interrupt.check()?;
    }
    proxy.run("USE sharding_db; SHOW SHARDING TABLE RULES")?;

    let sharded = Sysbench::new(stage.target_proxy(), arguments, stage.folder());
    let figures = measure("through Anabranch", &sharded, &stage.units(), arguments, interrupt)?;
    let rows = stage.rows_by_unit()?;
    let direct = Sysbench::new(stage.target_direct(), arguments, stage.folder());
    let direct_server = [stage.direct()];
    let direct_figures =
        measure("directly to one MariaDB", &direct, &direct_server, arguments, interrupt)?;

    let report = Report { figures, direct: direct_figures, rows };
    report.print(arguments);
    let is_clean = report.is_clean(arguments.table_size);
    if arguments.keep {
        stage.keep()?;
    }
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure(
    what: &str,
    sysbench: &Sysbench,
    servers: &[&client::Client],
    arguments: &DemoArguments,
    interrupt: &Interrupt,
) -> Result<SysbenchFigures, Failure> {
    println!("\nsysbench {what}:");
    println!("  {}", sysbench.command_line("cleanup"));
    sysbench.run("cleanup", interrupt)?;
    println!("  {}", sysbench.command_line("prepare"));
    progress::while_loading(arguments.table_size, servers, || sysbench.run("prepare", interrupt))?;
    println!("  {}", sysbench.command_line("run"));
    let output = progress::while_running(arguments.time, || sysbench.run("run", interrupt))?;
    SysbenchFigures::parse(&output)
        .ok_or_else(|| format!("sysbench's output has no figures:\n{output}").into())
}

/// How many servers hold the sharded table.
pub(crate) const UNIT_COUNT: usize = UNITS.len();

/// Where the sharded table is for sysbench.
pub(crate) fn sharding_target(port: u16) -> Target {
    Target { port, user: "root", password: "root", database: "sharding_db" }
}
