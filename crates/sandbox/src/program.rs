//! One program under supervision: started with its output in a file, ended when the value is
//! dropped, and ended too when the process that started it dies in any other way.
//!
//! A small shell stands between: it starts the program, tells its process id, and waits for one
//! word on its standard input. The end of that input (our death, or a drop) means "kill it and
//! remove its folder". The shell has not waited for the program before that, so the process id
//! cannot have been given to another one.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::SandboxError;

/// Arguments: the log file, a folder to remove at the end (or nothing), the program and its own.
const SUPERVISOR: &str = r#"
log=$1 folder=$2
shift 2
"$@" </dev/null >>"$log" 2>&1 &
program=$!
echo "$program"
# Nobody may be left to read the exit status; the folder is to go all the same.
trap '' PIPE
word=
read -r word || :
case $word in
keep) exit 0 ;;
stop) kill -s TERM "$program" 2>/dev/null ;;
*) kill -s KILL "$program" 2>/dev/null ;;
esac
wait "$program" 2>/dev/null
echo "$?" 2>/dev/null
[ -z "$word" ] && [ -n "$folder" ] || exit 0
# Programs that are ending at this moment may still write into it.
for attempt in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$folder" && break || sleep 0.2; done
"#;

/// How much of a log an error message quotes.
const LOG_LINES_QUOTED: usize = 15;

/// A signal to send to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ends it at once (`KILL`).
    Kill,
    /// Asks it to end (`TERM`).
    Terminate,
    /// Freezes it (`STOP`).
    Freeze,
    /// Lets a frozen one go on (`CONT`).
    Resume,
}

impl Signal {
    fn name(self) -> &'static str {
        match self {
            Self::Kill => "KILL",
            Self::Terminate => "TERM",
            Self::Freeze => "STOP",
            Self::Resume => "CONT",
        }
    }
}

/// Sends a signal to one process.
///
/// # Errors
/// When there is no such process, or it belongs to somebody else.
pub fn send_signal(pid: u32, signal: Signal) -> Result<(), SandboxError> {
    let status = Command::new("sh")
        .args(["-c", r#"kill -s "$1" "$2""#, "kill", signal.name(), &pid.to_string()])
        .stderr(Stdio::null())
        .status()
        .map_err(SandboxError::io("running kill"))?;
    if status.success() {
        return Ok(());
    }
    let error = std::io::Error::new(std::io::ErrorKind::NotFound, "no such process");
    Err(SandboxError::io(format!("sending {} to process {pid}", signal.name()))(error))
}

/// Whether a process exists and has not ended (a zombie has).
#[must_use]
pub fn is_process_running(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    // The state is the first field after the name, which is in parentheses and may contain some.
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramExit {
    /// The exit status as a shell tells it: 128 + the signal's number after a signal.
    pub status: i32,
    /// True where it did not end in time and was killed.
    pub was_killed: bool,
}

/// A running program; see the module's description for when it ends.
#[derive(Debug)]
pub struct Program {
    name: String,
    pid: u32,
    log: PathBuf,
    supervisor: Child,
    orders: Option<ChildStdin>,
    answers: Option<BufReader<ChildStdout>>,
}

impl Program {
    /// Starts `command` (program and arguments) with its output appended to `log`. `folder`, when
    /// given, is removed after the program has been killed by a drop or by our death.
    ///
    /// # Errors
    /// When no process can be made. A program that is not there shows as one that ends at once.
    pub fn start(
        command: &[String],
        log: &Path,
        folder: Option<&Path>,
    ) -> Result<Self, SandboxError> {
        let name = command.first().map_or_else(String::new, |path| {
            Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
        });
        let mut supervisor = Command::new("sh")
            .args(["-c", SUPERVISOR, "supervisor"])
            .arg(log)
            .arg(folder.unwrap_or(Path::new("")))
            .args(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Its own group: Ctrl-C reaches us alone, and we decide what ends.
            .process_group(0)
            .spawn()
            .map_err(SandboxError::io(format!("starting {name}")))?;
        let orders = supervisor.stdin.take();
        let mut answers = supervisor.stdout.take().map(BufReader::new);
        let pid = read_number(answers.as_mut())
            .and_then(|pid| u32::try_from(pid).ok())
            .ok_or_else(|| std::io::Error::other("the supervising shell said no process id"))
            .map_err(SandboxError::io(format!("starting {name}")))?;
        Ok(Self { name, pid, log: log.to_owned(), supervisor, orders, answers })
    }

    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it has not ended.
    #[must_use]
    pub fn is_running(&self) -> bool {
        is_process_running(self.pid)
    }

    /// The file with its output.
    #[must_use]
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// Sends it a signal.
    ///
    /// # Errors
    /// When it has ended.
    pub fn signal(&self, signal: Signal) -> Result<(), SandboxError> {
        send_signal(self.pid, signal)
    }

    /// Asks again and again until `ready` says something.
    ///
    /// # Errors
    /// When the program ends first or the time is over; the error quotes the log.
    pub fn wait_until<T>(
        &self,
        limit: Duration,
        mut ready: impl FnMut() -> Option<T>,
    ) -> Result<T, SandboxError> {
        let end = Instant::now() + limit;
        loop {
            if let Some(answer) = ready() {
                return Ok(answer);
            }
            if !self.is_running() {
                return Err(self.failure("ended while starting"));
            }
            if Instant::now() > end {
                return Err(self.failure(&format!("was not ready after {limit:?}")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks it to end (`TERM`), waits, and kills it when `limit` is over.
    ///
    /// # Errors
    /// When the supervising shell cannot be spoken to.
    pub fn stop(mut self, limit: Duration) -> Result<ProgramExit, SandboxError> {
        self.order("stop")?;
        let answers = self.answers.take();
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut answers = answers;
            // The receiver is gone only when the caller no longer wants to know.
            let _ = sender.send(read_number(answers.as_mut()));
        });
        let answer = receiver.recv_timeout(limit);
        let was_killed = answer.is_err();
        if was_killed {
            self.signal(Signal::Kill)?;
        }
        let status = match answer {
            Ok(status) => status,
            Err(_) => receiver.recv().unwrap_or(None),
        };
        let status = status.and_then(|number| i32::try_from(number).ok()).unwrap_or(-1);
        Ok(ProgramExit { status, was_killed })
    }

    /// Waits until it ends by itself, or kills it when `is_interrupted` says so.
    ///
    /// # Errors
    /// When the supervising shell cannot be spoken to.
    pub fn wait(self, is_interrupted: impl Fn() -> bool) -> Result<ProgramExit, SandboxError> {
        while self.is_running() {
            if is_interrupted() {
                self.signal(Signal::Kill)?;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        self.stop(Duration::from_secs(10))
    }

    /// Lets it run on alone: nothing of ours ends it any more.
    ///
    /// # Errors
    /// When the supervising shell cannot be spoken to.
    pub fn keep(mut self) -> Result<u32, SandboxError> {
        self.order("keep")?;
        Ok(self.pid)
    }

    /// An error about this program that quotes its log.
    #[must_use]
    pub fn failure(&self, problem: &str) -> SandboxError {
        let text = std::fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let log = lines[lines.len().saturating_sub(LOG_LINES_QUOTED)..].join("\n");
        SandboxError::Failed { program: self.name.clone(), problem: problem.to_owned(), log }
    }

    fn order(&mut self, word: &str) -> Result<(), SandboxError> {
        let Some(mut orders) = self.orders.take() else { return Ok(()) };
        writeln!(orders, "{word}").map_err(SandboxError::io(format!("telling {word}")))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.orders.take());
        // Nothing is left to tell anybody when even this fails.
        let _ = self.supervisor.wait();
    }
}

fn read_number(answers: Option<&mut BufReader<ChildStdout>>) -> Option<i64> {
    let mut line = String::new();
    answers?.read_line(&mut line).ok()?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests;
