//! One private database server: its own data folder, a free loopback port, no system service.

use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Flavor, Program, SandboxError, Signal, Template, find_free_port};

/// How long a server may take to answer. A loaded machine is slow.
const READY_LIMIT: Duration = Duration::from_secs(120);
/// How long a server may take to write its pages and end.
const STOP_LIMIT: Duration = Duration::from_secs(60);
/// How often another port is tried when one was taken between the choice and the start.
const START_ATTEMPTS: usize = 3;

/// What a server is to have.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The server's folder is made in this one.
    pub parent: PathBuf,
    /// Users with all rights from anywhere: name and password.
    pub users: Vec<(String, String)>,
    /// Databases to create.
    pub databases: Vec<String>,
    /// Further options of the server program.
    pub arguments: Vec<String>,
}

impl Default for ServerOptions {
    /// A folder for temporary files, user `test` with password `test`, no database.
    fn default() -> Self {
        Self {
            parent: std::env::temp_dir(),
            users: vec![("test".to_owned(), "test".to_owned())],
            databases: Vec::new(),
            arguments: Vec::new(),
        }
    }
}

/// A running database server. Dropping it kills it and removes its folder.
#[derive(Debug)]
pub struct DatabaseServer {
    flavor: Flavor,
    folder: PathBuf,
    port: u16,
    arguments: Vec<String>,
    program: Option<Program>,
}

impl DatabaseServer {
    /// Starts a server on a copy of `template` and waits until it greets.
    ///
    /// # Errors
    /// When it cannot be started; the error quotes its log.
    pub fn start(template: &Template, options: &ServerOptions) -> Result<Self, SandboxError> {
        let folder = make_folder(&template.flavor, &options.parent)?;
        template.copy_to(&folder.join("data"))?;
        std::fs::write(folder.join("init.sql"), initial_statements(options))
            .map_err(SandboxError::io("writing the initial statements of a server"))?;
        let mut server = Self {
            flavor: template.flavor.clone(),
            folder,
            port: 0,
            arguments: options.arguments.clone(),
            program: None,
        };
        let mut attempt = 1;
        loop {
            server.port = find_free_port(0)?;
            match server.launch() {
                Ok(()) => return Ok(server),
                Err(_) if attempt < START_ATTEMPTS && server.port_was_taken() => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// The TCP port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The process id of the server program, if it was not stopped.
    #[must_use]
    pub fn find_pid(&self) -> Option<u32> {
        self.program.as_ref().map(Program::pid)
    }

    /// Its folder: data, log, socket.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Which program it is.
    #[must_use]
    pub fn flavor(&self) -> &Flavor {
        &self.flavor
    }

    /// Sends a signal; [`Signal::Kill`] is a crash, after which [`restart`](Self::restart) works.
    ///
    /// # Errors
    /// When the server does not run.
    pub fn signal(&self, signal: Signal) -> Result<(), SandboxError> {
        match &self.program {
            Some(program) => program.signal(signal),
            None => Err(SandboxError::io("signalling a server")(std::io::Error::other(
                "the server is stopped",
            ))),
        }
    }

    /// Stops it cleanly and keeps its data.
    ///
    /// # Errors
    /// When it cannot be told to stop.
    pub fn stop(&mut self) -> Result<(), SandboxError> {
        if let Some(program) = self.program.take() {
            program.stop(STOP_LIMIT)?;
        }
        Ok(())
    }

    /// Starts it again on its data and its port, after a stop or a crash.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn restart(&mut self) -> Result<(), SandboxError> {
        self.stop()?;
        self.launch()
    }

    /// Lets the server run on alone and returns its process id and folder.
    ///
    /// # Errors
    /// When it is stopped or cannot be let go.
    pub fn keep(mut self) -> Result<(u32, PathBuf), SandboxError> {
        let program = self.program.take().ok_or_else(|| {
            SandboxError::io("keeping a server")(std::io::Error::other("the server is stopped"))
        })?;
        let folder = std::mem::take(&mut self.folder);
        Ok((program.keep()?, folder))
    }

    fn launch(&mut self) -> Result<(), SandboxError> {
        let mut command = self.flavor.server_command();
        let inside = |name: &str| self.flavor.inside(&self.folder.join(name)).display().to_string();
        command.extend([
            format!("--datadir={}", inside("data")),
            format!("--tmpdir={}", inside("data")),
            format!("--socket={}", inside("s")),
            format!("--pid-file={}", inside("pid")),
            format!("--init-file={}", inside("init.sql")),
            format!("--port={}", self.port),
            "--bind-address=127.0.0.1".to_owned(),
        ]);
        command.extend(defaults(&self.flavor).iter().map(|&option| option.to_owned()));
        command.extend(self.arguments.iter().cloned());
        let program = Program::start(&command, &self.folder.join("log"), Some(&self.folder))?;
        let address = self.address();
        let ready = program.wait_until(READY_LIMIT, || greets(address).then_some(()));
        // Kept even when it is not ready: its drop removes the folder.
        self.program = Some(program);
        ready
    }

    fn port_was_taken(&self) -> bool {
        let log = std::fs::read(self.folder.join("log")).unwrap_or_default();
        String::from_utf8_lossy(&log).contains("Address already in use")
    }
}

impl Drop for DatabaseServer {
    fn drop(&mut self) {
        drop(self.program.take());
        if !self.folder.as_os_str().is_empty() {
            // The supervisor has usually done it; nobody can be told where it fails.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

fn make_folder(flavor: &Flavor, parent: &Path) -> Result<PathBuf, SandboxError> {
    let parent = match flavor {
        Flavor::MariaDb => parent.to_owned(),
        Flavor::MySql { root } => root.join("srv"),
    };
    let folder = tempfile::Builder::new()
        .prefix("anabranch-db-")
        .permissions(std::fs::Permissions::from_mode(0o700))
        .tempdir_in(&parent)
        .map_err(SandboxError::io(format!("making a folder in {}", parent.display())))?;
    Ok(folder.keep())
}

/// Small and quick: these servers hold test data for minutes.
fn defaults(flavor: &Flavor) -> &'static [&'static str] {
    match flavor {
        Flavor::MariaDb => &[
            "--skip-log-bin",
            "--skip-name-resolve",
            "--character-set-server=utf8mb4",
            "--collation-server=utf8mb4_general_ci",
            "--innodb-buffer-pool-size=64M",
            "--innodb-log-file-size=8M",
            "--innodb-flush-log-at-trx-commit=0",
            "--performance-schema=OFF",
            "--max-connections=1000",
        ],
        Flavor::MySql { .. } => &[
            "--skip-log-bin",
            "--skip-name-resolve",
            "--innodb-buffer-pool-size=64M",
            "--innodb-flush-log-at-trx-commit=0",
            "--performance-schema=OFF",
            "--max-connections=1000",
        ],
    }
}

/// One statement a line, as `--init-file` wants them; run before the first connection is accepted.
fn initial_statements(options: &ServerOptions) -> String {
    // They are each server's own: those of a replica must not be in its history.
    let mut text = "SET sql_log_bin = 0;\n".to_owned();
    for database in &options.databases {
        text.push_str(&format!("CREATE DATABASE IF NOT EXISTS `{database}`;\n"));
    }
    for (user, password) in &options.users {
        for host in ["%", "localhost"] {
            text.push_str(&format!(
                "CREATE USER IF NOT EXISTS '{user}'@'{host}' IDENTIFIED BY '{password}';\n\
                 GRANT ALL ON *.* TO '{user}'@'{host}' WITH GRANT OPTION;\n"
            ));
        }
    }
    text
}

/// Whether a server sends protocol version 10 as the first byte of its first packet.
fn greets(address: SocketAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_secs(1)) else {
        return false;
    };
    let mut start = [0; 5];
    stream.set_read_timeout(Some(Duration::from_secs(5))).is_ok()
        && stream.read_exact(&mut start).is_ok()
        && start[4] == 10
}
