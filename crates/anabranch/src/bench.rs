//! `anabranch bench`: runs the comparison script of the source tree.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::Failure;
use crate::cli::BenchArguments;

/// Runs `bench/compare.sh` with this program as the one to measure.
///
/// # Errors
/// When the script is not near: it is part of the sources, not of the program.
pub(crate) fn run(arguments: &BenchArguments) -> Result<ExitCode, Failure> {
    let program = std::env::current_exe()?;
    let script = find_script(&program).ok_or(
        "bench/compare.sh is not in this folder; run `anabranch bench` in the source tree",
    )?;
    let status = Command::new(script)
        .arg("--program")
        .arg(program)
        .args(&arguments.arguments)
        .status()
        .map_err(|error| format!("running bench/compare.sh: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// In the current folder, or in one above the program (a target folder of the source tree).
fn find_script(program: &Path) -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    here.iter()
        .map(PathBuf::as_path)
        .chain(program.ancestors().skip(1))
        .map(|folder| folder.join("bench/compare.sh"))
        .find(|script| script.is_file())
}
