//! `anabranch check`: what is wrong with a configuration folder, without starting anything.

use std::process::ExitCode;

use governance::Governance;
use governance::yaml::ConfigFiles;

use crate::Failure;
use crate::cli::CheckArguments;
use crate::features::FEATURES;

/// Reads all files, builds what they describe, and prints what is wrong: a line each. No storage unit
/// is asked and nothing is stored.
pub(crate) fn run(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let (files, errors) = ConfigFiles::read_all(&arguments.conf, FEATURES);
    let mut problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
    if problems.is_empty() {
        let folder = arguments.conf.display();
        if let Err(error) = Governance::in_memory(FEATURES, &files) {
            problems.push(format!("{folder}: {error}"));
        }
        if let Err(error) = server::check_options(&files.options) {
            problems.push(format!("{folder}/anabranch.yaml: {error}"));
        }
    }
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let units: usize = files.databases.values().map(|database| database.units.len()).sum();
    println!(
        "{}: no errors; {} users, {} databases with {units} storage units",
        arguments.conf.display(),
        files.users.len(),
        files.databases.len()
    );
    Ok(ExitCode::SUCCESS)
}
