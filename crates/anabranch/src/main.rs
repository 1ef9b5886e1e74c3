//! The program: `serve`, `demo`, `bench`, `check`.

mod bench;
mod check;
mod cli;
mod demo;
mod features;
mod serve;

use std::process::ExitCode;

use clap::Parser;

use cli::{Arguments, Command};

/// Fewer and cheaper than the system's where many small buffers come and go.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What ends the program early. Its text is for the person at the terminal.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("anabranch: {error}");
            ExitCode::FAILURE
        }
    }
}
