//! Private servers in scratch folders: database servers and other programs that a demo or a test
//! starts on free loopback ports and that never outlive the process that started them.
//!
//! **Invariant:** knows nothing of the proxy; blocking, no async runtime.

mod database;
mod port;
mod program;
mod scratch;
mod template;

pub use database::{DatabaseServer, ServerOptions};
pub use port::find_free_port;
pub use program::{Program, ProgramExit, Signal, is_process_running, send_signal};
pub use scratch::ScratchFolder;
pub use template::{Flavor, Template};

/// Why a private server could not be started or stopped.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// A program is not installed.
    #[error("`{program}` is not installed; {remedy}")]
    Missing {
        /// Its name.
        program: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A step of the operating system failed.
    #[error("{step}: {source}")]
    Io {
        /// What was being done.
        step: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A program ended or did not get ready in time.
    #[error("{program} {problem}; the end of its log:\n{log}")]
    Failed {
        /// Its name.
        program: String,
        /// What was wrong.
        problem: String,
        /// The last lines it wrote.
        log: String,
    },
}

impl SandboxError {
    fn io(step: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let step = step.into();
        move |source| Self::Io { step, source }
    }
}
