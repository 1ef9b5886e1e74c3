//! A freshly initialised data folder, made once and copied for every server of its kind.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::SandboxError;

/// What to do where MariaDB is missing.
const MARIADB_REMEDY: &str = "install the Debian package mariadb-server-core";
/// What to do where the folder holds no MySQL.
const MYSQL_REMEDY: &str = "make the folder with scripts/mysql-root.sh";

/// Which program the database servers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flavor {
    /// MariaDB as installed on this machine.
    MariaDb,
    /// MySQL in a folder made by `scripts/mysql-root.sh`; needs root, as it is run by `chroot`.
    MySql {
        /// The folder.
        root: PathBuf,
    },
}

/// An initialised data folder to copy.
#[derive(Debug, Clone)]
pub struct Template {
    pub(crate) flavor: Flavor,
    pub(crate) folder: PathBuf,
}

impl Template {
    /// The template of this flavor and server version below `parent` (for MySQL below its root's
    /// `/srv`), made now where it is not there yet. Several processes may do this at once.
    ///
    /// # Errors
    /// When the server program is missing or cannot initialise a data folder.
    pub fn build(flavor: Flavor, parent: &Path) -> Result<Self, SandboxError> {
        let parent = match &flavor {
            Flavor::MariaDb => parent.to_owned(),
            Flavor::MySql { root } => root.join("srv"),
        };
        let folder = parent.join(format!("template-{}", version_of(&flavor)?));
        if folder.exists() {
            return Ok(Self { flavor, folder });
        }
        std::fs::create_dir_all(&parent)
            .map_err(SandboxError::io(format!("making the folder {}", parent.display())))?;
        let draft = tempfile::Builder::new()
            .prefix("template-draft-")
            .tempdir_in(&parent)
            .map_err(SandboxError::io("making a folder for a template"))?;
        let data = draft.path().join("data");
        initialise(&flavor, &data)?;
        match std::fs::rename(&data, &folder) {
            Ok(()) => {}
            // Another process was faster; its template is as good.
            Err(_) if folder.exists() => {}
            Err(error) => return Err(SandboxError::io("putting a template in place")(error)),
        }
        Ok(Self { flavor, folder })
    }

    pub(crate) fn copy_to(&self, data: &Path) -> Result<(), SandboxError> {
        let mut copy = Command::new("cp");
        copy.args(["-a", "--reflink=auto"]).arg(&self.folder).arg(data);
        run(copy, "copying the template data folder")?;
        // MySQL keeps the server's identity here, and makes another one where it is missing: servers
        // of one identity do not replicate from one another.
        match std::fs::remove_file(data.join("auto.cnf")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(SandboxError::io("removing the identity of a template")(error))
            }
            _ => Ok(()),
        }
    }
}

impl Flavor {
    /// The command that runs the server, up to its own arguments.
    pub(crate) fn server_command(&self) -> Vec<String> {
        match self {
            Self::MariaDb => vec!["mariadbd".into(), "--no-defaults".into(), "--user=root".into()],
            Self::MySql { root } => vec![
                "chroot".into(),
                root.display().to_string(),
                "/usr/sbin/mysqld".into(),
                "--no-defaults".into(),
                "--user=root".into(),
                "--mysqlx=OFF".into(),
                "--secure-file-priv=NULL".into(),
            ],
        }
    }

    /// A path as the server sees it.
    pub(crate) fn inside(&self, path: &Path) -> PathBuf {
        match self {
            Self::MariaDb => path.to_owned(),
            Self::MySql { root } => Path::new("/").join(path.strip_prefix(root).unwrap_or(path)),
        }
    }
}

fn version_of(flavor: &Flavor) -> Result<String, SandboxError> {
    let (mut command, program, remedy) = match flavor {
        Flavor::MariaDb => (Command::new("mariadbd"), "mariadbd", MARIADB_REMEDY),
        Flavor::MySql { root } => {
            let mut command = Command::new("chroot");
            command.arg(root).arg("/usr/sbin/mysqld");
            (command, "mysqld", MYSQL_REMEDY)
        }
    };
    let missing = || SandboxError::Missing { program: program.to_owned(), remedy };
    let output = command.arg("--version").output().map_err(|_| missing())?;
    if !output.status.success() {
        return Err(missing());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split("Ver ").nth(1).and_then(|rest| rest.split(' ').next());
    Ok(format!("{program}-{}", version.unwrap_or("unknown")))
}

fn initialise(flavor: &Flavor, data: &Path) -> Result<(), SandboxError> {
    let mut command = match flavor {
        Flavor::MariaDb => {
            let mut command = Command::new("mariadb-install-db");
            command
                .args(["--no-defaults", "--user=root", "--skip-test-db"])
                .args(["--auth-root-authentication-method=normal", "--innodb-log-file-size=8M"]);
            command
        }
        Flavor::MySql { .. } => {
            let words = flavor.server_command();
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).arg("--initialize-insecure");
            command
        }
    };
    command.arg(format!("--datadir={}", flavor.inside(data).display()));
    if *flavor == Flavor::MariaDb {
        // A server that starts removes the temporary tables it finds in its folder for them: in a
        // shared one, those of another server that is being made.
        command.arg(format!("--tmpdir={}", data.display()));
    }
    run(command, "initialising a data folder").map(drop)
}

fn run(mut command: Command, step: &str) -> Result<Output, SandboxError> {
    let output = command.output().map_err(SandboxError::io(step))?;
    if output.status.success() {
        return Ok(output);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    let mut log = String::from_utf8_lossy(&output.stdout).into_owned();
    log.push_str(&String::from_utf8_lossy(&output.stderr));
    Err(SandboxError::Failed { program, problem: format!("failed at {step}"), log })
}
