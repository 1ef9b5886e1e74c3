//! Supervision with `sleep` and `sh` as the programs.

use super::*;

fn words(command: &[&str]) -> Vec<String> {
    command.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn a_drop_kills_and_removes_the_folder() {
    let folder = tempfile::tempdir().unwrap().keep();
    let log = folder.join("log");
    let program = Program::start(&words(&["sleep", "1000"]), &log, Some(&folder)).unwrap();
    let pid = program.pid();
    assert!(is_process_running(pid));
    drop(program);
    assert!(!is_process_running(pid));
    assert!(!folder.exists());
}

#[test]
fn stop_tells_the_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script = "trap 'exit 7' TERM; echo up; while :; do sleep 0.05; done";
    let program = Program::start(&words(&["sh", "-c", script]), &log, None).unwrap();
    program
        .wait_until(Duration::from_secs(20), || {
            std::fs::read_to_string(&log).ok().filter(|text| text.contains("up"))
        })
        .unwrap();
    let exit = program.stop(Duration::from_secs(20)).unwrap();
    assert_eq!(exit, ProgramExit { status: 7, was_killed: false });
}

#[test]
fn stop_kills_what_does_not_listen() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script = "trap '' TERM; echo up; while :; do sleep 0.05; done";
    let program = Program::start(&words(&["sh", "-c", script]), &log, None).unwrap();
    program
        .wait_until(Duration::from_secs(20), || {
            std::fs::read_to_string(&log).ok().filter(|text| text.contains("up"))
        })
        .unwrap();
    let exit = program.stop(Duration::from_millis(200)).unwrap();
    assert_eq!(exit, ProgramExit { status: 137, was_killed: true });
}

#[test]
fn an_early_end_quotes_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let program =
        Program::start(&words(&["sh", "-c", "echo no luck; exit 3"]), &log, None).unwrap();
    let error = program.wait_until(Duration::from_secs(20), || None::<()>).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("ended while starting") && text.contains("no luck"), "{text}");
}

#[test]
fn a_kept_program_outlives_the_value() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let program = Program::start(&words(&["sleep", "1000"]), &log, Some(folder.path())).unwrap();
    let pid = program.keep().unwrap();
    assert!(is_process_running(pid));
    assert!(folder.path().exists());
    send_signal(pid, Signal::Kill).unwrap();
}

/// Names the folder to the process that the test below kills.
const FOLDER_VARIABLE: &str = "ANABRANCH_SANDBOX_TEST_FOLDER";

/// Not a test of its own: what the next test runs in a process of its own.
#[test]
#[ignore = "run by the_death_of_the_parent_ends_and_removes_everything"]
fn a_parent_that_is_killed() {
    let folder = std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from).unwrap();
    let log = folder.join("log");
    let program = Program::start(&words(&["sleep", "1000"]), &log, Some(&folder)).unwrap();
    std::fs::write(folder.join("draft"), program.pid().to_string()).unwrap();
    std::fs::rename(folder.join("draft"), folder.join("pid")).unwrap();
    program.wait(|| false).unwrap();
}

#[test]
fn the_death_of_the_parent_ends_and_removes_everything() {
    let folder = tempfile::tempdir().unwrap().keep();
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "program::tests::a_parent_that_is_killed", "--ignored"])
        .env(FOLDER_VARIABLE, &folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    let mut pid = None;
    while pid.is_none() && Instant::now() < end {
        pid = std::fs::read_to_string(folder.join("pid")).ok();
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid: u32 = pid.unwrap().parse().unwrap();
    parent.kill().unwrap();
    parent.wait().unwrap();
    while folder.exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!folder.exists());
    assert!(!is_process_running(pid));
}
