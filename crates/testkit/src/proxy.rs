//! The proxy program under test.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sandbox::{Program, ProgramExit, SandboxError, ScratchFolder, Signal, find_free_port};

/// How long the proxy may take to get ready, and to stop.
const LIMIT: Duration = Duration::from_secs(60);

/// The users of the sample configuration.
const GLOBAL_YAML: &str = "\
authority:
  users:
    - user: root@%
      password: root
      admin: true
    - user: test@%
      password: test
  privilege:
    type: ALL_PERMITTED
";

/// How the proxy is started.
#[derive(Debug, Clone, Default)]
pub struct ProxyOptions {
    /// Files of the configuration folder, name and text; without `global.yaml` one is written
    /// with the users root/root and test/test.
    pub files: Vec<(String, String)>,
    /// Further arguments of `serve`.
    pub arguments: Vec<String>,
}

/// A running proxy. Dropping it kills it and removes its folder; so does the end of the process.
#[derive(Debug)]
pub struct Proxy {
    binary: PathBuf,
    arguments: Vec<String>,
    address: SocketAddr,
    program: Option<Program>,
    /// Last: it goes when the program has ended.
    folder: ScratchFolder,
}

impl Proxy {
    /// Starts `binary serve` on a free port with an empty store and waits for its ready line.
    ///
    /// # Errors
    /// When it ends early or is not ready in time; the error quotes its output.
    pub fn start(binary: &Path, options: &ProxyOptions) -> Result<Self, SandboxError> {
        let io = |step: &str| {
            let step = step.to_owned();
            move |source| SandboxError::Io { step, source }
        };
        let folder = ScratchFolder::build("anabranch-proxy-")?;
        let conf = folder.path().join("conf");
        std::fs::create_dir(&conf).map_err(io("making the configuration folder"))?;
        if !options.files.iter().any(|(name, _)| name == "global.yaml") {
            std::fs::write(conf.join("global.yaml"), GLOBAL_YAML)
                .map_err(io("writing global.yaml"))?;
        }
        for (name, text) in &options.files {
            std::fs::write(conf.join(name), text).map_err(io("writing a configuration file"))?;
        }
        let mut proxy = Self {
            binary: binary.to_owned(),
            folder,
            arguments: options.arguments.clone(),
            address: SocketAddr::from(([127, 0, 0, 1], find_free_port(0)?)),
            program: None,
        };
        proxy.launch()?;
        Ok(proxy)
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its process id, if it was not stopped.
    #[must_use]
    pub fn find_pid(&self) -> Option<u32> {
        self.program.as_ref().map(Program::pid)
    }

    /// Whether it runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.program.as_ref().is_some_and(Program::is_running)
    }

    /// The folder with `conf`, `data` and `output`.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What it has printed so far.
    #[must_use]
    pub fn output(&self) -> String {
        let bytes = std::fs::read(self.folder.path().join("output")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Ends it at once, as a crash does; [`restart`](Self::restart) works after it.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill(&mut self) -> Result<(), SandboxError> {
        if let Some(program) = self.program.take() {
            program.signal(Signal::Kill)?;
            program.stop(LIMIT)?;
        }
        Ok(())
    }

    /// Asks it to stop (`TERM`) and tells how it ended, `None` where it did not run.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub fn stop(&mut self) -> Result<Option<ProgramExit>, SandboxError> {
        self.program.take().map(|program| program.stop(LIMIT)).transpose()
    }

    /// Starts it again on the same port, configuration and store.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn restart(&mut self) -> Result<(), SandboxError> {
        self.stop()?;
        self.launch()
    }

    fn launch(&mut self) -> Result<(), SandboxError> {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        let mut command = vec![
            self.binary.display().to_string(),
            "serve".to_owned(),
            "--conf".to_owned(),
            path("conf"),
            "--data".to_owned(),
            path("data"),
            "--port".to_owned(),
            self.address.port().to_string(),
        ];
        command.extend(self.arguments.iter().cloned());
        let output = self.folder.path().join("output");
        let lines_before = ready_lines(&output);
        let program = Program::start(&command, &output, None)?;
        program.wait_until(LIMIT, || (ready_lines(&output) > lines_before).then_some(()))?;
        self.program = Some(program);
        Ok(())
    }
}

/// How many times `anabranch VERSION ready on ADDRESS:PORT` stands in the file.
fn ready_lines(output: &Path) -> usize {
    let text = std::fs::read_to_string(output).unwrap_or_default();
    text.lines()
        .filter(|line| line.starts_with("anabranch ") && line.contains(" ready on "))
        .count()
}
