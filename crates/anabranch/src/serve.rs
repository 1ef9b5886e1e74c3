//! `anabranch serve`: the server.

use std::process::ExitCode;

use crate::Failure;
use crate::cli::ServeArguments;

/// Runs the server until it is told to stop.
///
/// # Errors
/// When it cannot start.
pub(crate) fn run(arguments: &ServeArguments) -> Result<ExitCode, Failure> {
    let ServeArguments { conf, data, port, bind } = arguments;
    Err(format!("cannot serve {bind}:{port:?} from {} and {}", conf.display(), data.display())
        .into())
}
