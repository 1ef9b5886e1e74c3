//! Database servers for tests: MariaDB as installed, MySQL where a folder with one is named.

use std::path::PathBuf;

use sandbox::{DatabaseServer, Flavor, ServerOptions, Template};

/// Names the folder made by `scripts/mysql-root.sh`.
const MYSQL_ROOT_VARIABLE: &str = "ANABRANCH_MYSQL_ROOT";

/// One MariaDB server.
///
/// # Panics
/// When it cannot be started; the text says why. Tests need it.
#[must_use]
pub fn start_mariadb(options: &ServerOptions) -> DatabaseServer {
    start(Flavor::MariaDb, options)
}

/// `count` MariaDB servers, started at the same time.
///
/// # Panics
/// As [`start_mariadb`].
#[must_use]
pub fn start_mariadbs(count: usize, options: &ServerOptions) -> Vec<DatabaseServer> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(|| start_mariadb(options))).collect();
        threads
            .into_iter()
            .map(|thread| match thread.join() {
                Ok(server) => server,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    })
}

/// One MySQL server, where [`find_mysql_root`] finds one.
///
/// # Panics
/// When there is one and it cannot be started.
#[must_use]
pub fn start_mysql(options: &ServerOptions) -> Option<DatabaseServer> {
    find_mysql_root().map(|root| start(Flavor::MySql { root }, options))
}

/// The folder that `ANABRANCH_MYSQL_ROOT` names.
#[must_use]
pub fn find_mysql_root() -> Option<PathBuf> {
    std::env::var_os(MYSQL_ROOT_VARIABLE).filter(|root| !root.is_empty()).map(PathBuf::from)
}

fn start(flavor: Flavor, options: &ServerOptions) -> DatabaseServer {
    Template::build(flavor, &template_folder())
        .and_then(|template| DatabaseServer::start(&template, options))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Beside the test programs in the target folder, so that it is made once and goes with it.
fn template_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program
        .ancestors()
        .nth(2)
        .map_or_else(std::env::temp_dir, |profile| profile.join("database-templates"))
}
