//! What the person at the terminal sees while something takes its time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::client::Client;
use crate::Failure;

/// How often the rows are counted.
const COUNT_INTERVAL: Duration = Duration::from_millis(500);
/// How often the bar moves with the clock.
const TICK: Duration = Duration::from_millis(100);

/// Runs `work` with a bar of the rows that have arrived on `servers`.
pub(crate) fn while_loading<T: Send>(
    rows: u64,
    servers: &[&Client],
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let bar = bar(rows, "  loading {bar:40} {human_pos}/{human_len} rows {elapsed}");
    with_bar(&bar, COUNT_INTERVAL, work, || {
        let counts = servers.iter().map(|server| server.count_rows("sbtest1"));
        // A count that fails now is one fewer step of the bar, no more.
        counts.map(|counts| counts.map_or(0, |counts| counts.rows)).sum()
    })
}

/// Runs `work` with a bar of the time that has gone.
pub(crate) fn while_running<T: Send>(
    seconds: u32,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let bar = bar(u64::from(seconds), "  running {bar:40} {pos}/{len} s");
    let start = Instant::now();
    with_bar(&bar, TICK, work, || start.elapsed().as_secs().min(u64::from(seconds)))
}

fn with_bar<T: Send>(
    bar: &ProgressBar,
    interval: Duration,
    work: impl FnOnce() -> Result<T, Failure> + Send,
    position: impl Fn() -> u64,
) -> Result<T, Failure> {
    let is_done = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work();
            is_done.store(true, Ordering::SeqCst);
            result
        });
        let mut next = Instant::now();
        while !is_done.load(Ordering::SeqCst) && !worker.is_finished() {
            if Instant::now() >= next && !bar.is_hidden() {
                bar.set_position(position());
                next = Instant::now() + interval;
            }
            std::thread::sleep(TICK);
        }
        worker.join().unwrap_or_else(|_| Err("the step ended unexpectedly".into()))
    });
    bar.finish_and_clear();
    result
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        // The template is one of the two above; without it the bar has its usual form.
        Err(_) => bar,
    }
}
