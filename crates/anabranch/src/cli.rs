//! The command line.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A MySQL server to its clients, a MySQL client to its storage units.
#[derive(Debug, Parser)]
#[command(name = "anabranch", version, about)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve clients.
    Serve(ServeArguments),
    /// Say what is wrong with the configuration files.
    Check(CheckArguments),
    /// Show a scenario on private MariaDB servers, with figures.
    Demo(DemoArguments),
    /// Compare the cost with a direct connection and with HAProxy.
    Bench(BenchArguments),
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The folder with global.yaml and the other configuration files.
    #[arg(long, default_value = "conf", value_name = "DIR")]
    pub(crate) conf: PathBuf,
    /// The folder for the store and the logs.
    #[arg(long, default_value = "data", value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// The TCP port; 3307 where neither this nor the configuration says another.
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// The address to listen on.
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) bind: IpAddr,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The folder with global.yaml and the other configuration files.
    #[arg(long, default_value = "conf", value_name = "DIR")]
    pub(crate) conf: PathBuf,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// What to show.
    #[arg(long, value_enum, default_value = "sharding")]
    pub(crate) scenario: Scenario,
    /// Leave everything running at the end.
    #[arg(long)]
    pub(crate) keep: bool,
    /// Rows of sysbench's table.
    #[arg(long, default_value_t = 100_000, value_name = "ROWS",
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) table_size: u64,
    /// Clients of sysbench.
    #[arg(long, default_value_t = 16, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) threads: u32,
    /// Seconds that sysbench runs, through Anabranch and directly.
    #[arg(long, default_value_t = 10, value_name = "SECONDS",
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) time: u32,
}

/// What the demo can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// One table over four storage units.
    Sharding,
    /// Reads from replicas.
    ReadwriteSplitting,
    /// Encrypted columns.
    Encrypt,
    /// Test traffic to shadow databases.
    Shadow,
    /// Metrics, traces and logs.
    Probe,
    /// Encrypted files of a database server.
    Tde,
}

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Passed on to bench/compare.sh; see its --help.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn serve_has_the_documented_defaults() {
        let arguments = Arguments::parse_from(["anabranch", "serve"]);
        let Command::Serve(serve) = arguments.command else { panic!("not serve") };
        assert_eq!(serve.conf, PathBuf::from("conf"));
        assert_eq!(serve.data, PathBuf::from("data"));
        assert_eq!(serve.port, None);
        assert_eq!(serve.bind.to_string(), "127.0.0.1");
    }

    #[test]
    fn scenarios_are_spelled_as_documented() {
        for name in ["sharding", "readwrite-splitting", "encrypt", "shadow", "probe", "tde"] {
            assert!(Arguments::try_parse_from(["anabranch", "demo", "--scenario", name]).is_ok());
        }
    }
}
