//! SNOWFLAKE: 41 bits of milliseconds, 10 of the worker, 12 of a sequence.
//!
//! The state outlives every rule, so that a changed rule never gives a key twice.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kernel::error::StatementError;

/// 2016-11-01 00:00 at UTC+8, milliseconds. ShardingSphere takes the local time zone: keys of a
/// process further west are lower than ours of the same moment, so that a data set that moves
/// here meets greater keys only.
const EPOCH_MS: u64 = 1_477_929_600_000;

/// Sequence numbers of a millisecond.
const SEQUENCES: u16 = 1 << 12;

/// What one generator is given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) worker: u16,
    pub(crate) max_vibration_offset: u16,
    pub(crate) max_tolerated_setback_ms: u64,
}

/// The clock and sequence of every worker number.
#[derive(Debug, Default)]
pub(crate) struct Snowflakes {
    by_worker: Mutex<HashMap<u16, State>>,
}

#[derive(Debug, Default, Clone, Copy)]
struct State {
    last_ms: u64,
    sequence: u16,
    /// The first sequence number of the last millisecond; it moves on with each, so that keys of
    /// a quiet process are not all even.
    offset: u16,
}

/// What comes of a try.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Key(u64),
    /// Later, milliseconds.
    Wait(u64),
    /// The clock is too far behind, milliseconds.
    SetBack(u64),
}

impl State {
    fn step(&mut self, now_ms: u64, settings: Settings) -> Step {
        if now_ms < self.last_ms {
            let behind = self.last_ms - now_ms;
            let is_tolerated = behind <= settings.max_tolerated_setback_ms;
            return if is_tolerated { Step::Wait(behind) } else { Step::SetBack(behind) };
        }
        if now_ms == self.last_ms {
            if self.sequence + 1 >= SEQUENCES {
                return Step::Wait(1);
            }
            self.sequence += 1;
        } else {
            self.offset =
                if self.offset >= settings.max_vibration_offset { 0 } else { self.offset + 1 };
            self.sequence = self.offset;
            self.last_ms = now_ms;
        }
        let since_epoch = now_ms.saturating_sub(EPOCH_MS);
        let worker = u64::from(settings.worker & 0x3ff);
        Step::Key((since_epoch << 22) | (worker << 12) | u64::from(self.sequence))
    }
}

impl Snowflakes {
    /// The next keys, ascending. Waits for the clock without holding the thread up.
    ///
    /// # Errors
    /// The clock was set back further than is tolerated.
    pub(crate) async fn next(
        &self,
        settings: Settings,
        count: usize,
    ) -> Result<Vec<u64>, StatementError> {
        let mut keys = Vec::with_capacity(count);
        while keys.len() < count {
            match self.try_next(settings, now_ms()) {
                Step::Key(key) => keys.push(key),
                Step::Wait(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
                Step::SetBack(ms) => {
                    return Err(StatementError::new(
                        20070,
                        "HY000",
                        format!(
                            "The clock of this machine was set back by {ms} milliseconds, more \
                             than SNOWFLAKE tolerates \
                             (max-tolerate-time-difference-milliseconds): no keys until it has \
                             caught up"
                        ),
                    ));
                }
            }
        }
        Ok(keys)
    }

    fn try_next(&self, settings: Settings, now_ms: u64) -> Step {
        let mut by_worker = self.by_worker.lock().unwrap_or_else(PoisonError::into_inner);
        by_worker.entry(settings.worker).or_default().step(now_ms, settings)
    }
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings =
        Settings { worker: 5, max_vibration_offset: 1, max_tolerated_setback_ms: 10 };

    #[test]
    fn a_key_is_time_worker_and_sequence() {
        let mut state = State::default();
        let at = EPOCH_MS + 1000;
        let key = |ms: u64, sequence: u64| Step::Key((ms << 22) | (5 << 12) | sequence);
        assert_eq!(state.step(at, SETTINGS), key(1000, 1));
        assert_eq!(state.step(at, SETTINGS), key(1000, 2));
        assert_eq!(state.step(at + 1, SETTINGS), key(1001, 0), "the first number moves on");
        assert_eq!(state.step(at + 2, SETTINGS), key(1002, 1));
    }

    #[test]
    fn a_full_millisecond_waits_for_the_next() {
        let mut state = State::default();
        let at = EPOCH_MS + 1;
        let made = (0..SEQUENCES).map(|_| state.step(at, SETTINGS));
        assert_eq!(made.filter(|step| matches!(step, Step::Key(_))).count(), 4095);
        assert_eq!(state.step(at, SETTINGS), Step::Wait(1));
    }

    #[test]
    fn a_clock_set_back_never_gives_a_key_twice() {
        let mut state = State::default();
        let at = EPOCH_MS + 500;
        let first = state.step(at, SETTINGS);
        assert_eq!(state.step(at - 10, SETTINGS), Step::Wait(10));
        assert_eq!(state.step(at - 11, SETTINGS), Step::SetBack(11));
        assert_ne!(state.step(at, SETTINGS), first);
    }

    #[tokio::test]
    async fn many_keys_are_ascending() {
        let keys = Snowflakes::default().next(SETTINGS, 10_000).await.unwrap();
        assert!(keys.is_sorted_by(|a, b| a < b));
    }
}
