//! What the tests stand on: servers on free ports, a client that shows everything a server
//! answered, the comparison with one server that has all the data, the case runner and the random
//! statement generator.
//!
//! **Invariant:** talks to the proxy as any client does; knows none of its rooms.

mod case;
mod client;
mod comparison;
mod generator;
mod outcome;
mod pair;
mod proxy;
mod random;
mod random_run;
mod replication;
mod runner;
mod servers;

pub use case::{Case, CaseError, CaseFile, Expectation, Side};
pub use client::{Client, Endpoint, Protocol};
pub use comparison::{RowOrder, find_difference};
pub use generator::{Class, Closeness, Column, GeneratedStatement, Generator, Kind, Spread, Table};
pub use outcome::{ColumnShape, Outcome};
pub use pair::Pair;
pub use proxy::{Proxy, ProxyOptions};
pub use random::Random;
pub use random_run::{RandomReport, run_random};
pub use replication::ReplicatedServers;
pub use runner::{CaseFailure, CaseReport, RunOptions, run_cases};
pub use sandbox::{DatabaseServer, Flavor, ServerOptions, Signal};
pub use servers::{find_mysql_root, start_mariadb, start_mariadbs, start_mysql};
