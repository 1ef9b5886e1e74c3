//! Whether a replica may be read: pure, from one look after another.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::replication::gtid::GtidPosition;
use crate::replication::observation::{Channel, Observation};
use crate::replication::{Health, ReplicaLimits};

/// Positions of the primary that are remembered, to tell how old the first one is that a replica
/// lacks. At one look a second: two minutes.
const HISTORY: usize = 120;

/// Where the primary was when.
#[derive(Debug, Default)]
pub struct PrimaryHistory {
    positions: VecDeque<Seen>,
}

/// A position of the primary, with the beginning of the first and of the last look that showed it.
#[derive(Debug)]
struct Seen {
    first: Instant,
    last: Instant,
    position: GtidPosition,
}

impl PrimaryHistory {
    /// A look that began at `begun` has shown the primary at this position.
    pub fn note(&mut self, begun: Instant, position: &GtidPosition) {
        if let Some(newest) = self.positions.back_mut()
            && newest.position == *position
        {
            newest.last = begun;
            return;
        }
        if self.positions.len() == HISTORY {
            self.positions.pop_front();
        }
        self.positions.push_back(Seen { first: begun, last: begun, position: position.clone() });
    }

    /// Forgets all: there is another primary.
    pub fn clear(&mut self) {
        self.positions.clear();
    }

    /// How old the first position is that a server at `position` has not reached; zero when it has
    /// the last one. `None` before a primary was seen.
    pub fn lag(&self, now: Instant, position: &GtidPosition) -> Option<Duration> {
        self.positions.back()?;
        let missing = self.positions.get(self.reached(position));
        Some(missing.map(|seen| now.duration_since(seen.first)).unwrap_or_default())
    }

    /// A moment such that a server at `position` has everything the primary had acknowledged by
    /// then: the beginning of the last look at a position it has reached.
    pub fn fresh_as_of(&self, position: &GtidPosition) -> Option<Instant> {
        let newest = self.reached(position).checked_sub(1)?;
        self.positions.get(newest).map(|seen| seen.last)
    }

    /// How many of the positions a server at `position` has reached: they only grow.
    fn reached(&self, position: &GtidPosition) -> usize {
        self.positions.partition_point(|seen| position.contains(&seen.position))
    }
}

/// How a replica stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// It may be read.
    pub is_readable: bool,
    /// How far behind it is, where that is known.
    pub lag: Option<Duration>,
    /// It has what the primary had acknowledged by then, where that is known.
    pub fresh_as_of: Option<Instant>,
    /// Why it may not be read; empty otherwise.
    pub reason: String,
}

/// One replica over time.
#[derive(Debug, Default)]
pub struct Rotation {
    is_readable: bool,
    good_looks: u32,
}

impl Rotation {
    /// Judges one look. A replica leaves at the first bad look and comes back after several good
    /// ones, the first of them included: a server that fails now and then stays out.
    pub fn judge(
        &mut self,
        observation: Option<&Observation>,
        progress: Progress,
        limits: &ReplicaLimits,
    ) -> Verdict {
        let Progress { lag, fresh_as_of } = progress;
        match fault(observation, lag, limits) {
            Some(reason) => {
                *self = Self::default();
                Verdict { is_readable: false, lag, fresh_as_of, reason }
            }
            None => {
                self.good_looks = self.good_looks.saturating_add(1);
                self.is_readable |= self.good_looks >= limits.good_looks;
                let reason = match self.is_readable {
                    true => String::new(),
                    false => "good again, but not yet for long enough".to_owned(),
                };
                Verdict { is_readable: self.is_readable, lag, fresh_as_of, reason }
            }
        }
    }
}

/// Where a replica stands in the history of its primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// How far behind it is.
    pub lag: Option<Duration>,
    /// It has what the primary had acknowledged by then.
    pub fresh_as_of: Option<Instant>,
}

impl Progress {
    /// By the ids of its primary where both keep them, else as the replica says itself. Its own word
    /// alone is not enough where there is better: it knows nothing of changes that have not arrived.
    pub fn of(observation: &Observation, history: &PrimaryHistory, now: Instant) -> Self {
        let position = observation.position.as_ref();
        let by_ids = position.and_then(|position| history.lag(now, position));
        let own_word = observation.channels.iter().map(|channel| channel.behind_seconds);
        Self {
            lag: by_ids.or_else(|| own_word.max().flatten().map(Duration::from_secs)),
            fresh_as_of: position.and_then(|position| history.fresh_as_of(position)),
        }
    }
}

fn fault(
    observation: Option<&Observation>,
    lag: Option<Duration>,
    limits: &ReplicaLimits,
) -> Option<String> {
    let Some(observation) = observation else { return Some("cannot be reached".to_owned()) };
    if limits.health == Health::Connection {
        return None;
    }
    if observation.channels.is_empty() {
        return Some("does not replicate".to_owned());
    }
    if let Some(stopped) = observation.channels.iter().find(|channel| !channel.runs()) {
        return Some(stop_reason(stopped));
    }
    match lag {
        None => Some("does not say how far behind it is".to_owned()),
        Some(lag) if lag > limits.max_lag => {
            Some(format!("{} ms behind, more than {}", lag.as_millis(), limits.max_lag.as_millis()))
        }
        Some(_) => None,
    }
}

fn stop_reason(channel: &Channel) -> String {
    let what = match channel.receives {
        true => "does not apply changes",
        false => "does not receive changes",
    };
    match channel.error.is_empty() {
        true => what.to_owned(),
        false => format!("{what}: {}", channel.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sequence: u64) -> GtidPosition {
        GtidPosition::parse_mariadb(&format!("0-1-{sequence}")).unwrap()
    }

    fn replica(receives: bool, applies: bool, error: &str) -> Observation {
        let channel = Channel {
            source_host: "db".to_owned(),
            source_port: 3306,
            receives,
            applies,
            behind_seconds: applies.then_some(3),
            error: error.to_owned(),
        };
        Observation { is_read_only: true, position: None, channels: vec![channel] }
    }

    #[test]
    fn lag_is_the_age_of_the_first_position_that_is_missing() {
        let start = Instant::now();
        let at = |second| start + Duration::from_secs(second);
        let mut history = PrimaryHistory::default();
        assert_eq!(history.lag(at(0), &position(1)), None);
        for (second, sequence) in [(0, 5), (1, 5), (2, 9), (3, 12)] {
            history.note(at(second), &position(sequence));
        }
        for (sequence, expected) in [(4, 10), (5, 8), (8, 8), (9, 7), (11, 7), (12, 0), (20, 0)] {
            let lag = history.lag(at(10), &position(sequence)).unwrap();
            assert_eq!(lag, Duration::from_secs(expected), "{sequence}");
        }
        // A write acknowledged after the look that showed 5 for the last time may be the sixth.
        for (sequence, expected) in [(4, None), (5, Some(1)), (8, Some(1)), (9, Some(2)), (20, Some(3))] {
            assert_eq!(history.fresh_as_of(&position(sequence)), expected.map(at), "{sequence}");
        }
        for sequence in 100..1000 {
            history.note(at(sequence), &position(sequence));
        }
        assert_eq!(history.positions.len(), HISTORY);
    }

    #[test]
    fn ids_count_more_than_the_servers_own_word() {
        let start = Instant::now();
        let mut observation = replica(true, true, "");
        let mut history = PrimaryHistory::default();
        let later = start + Duration::from_secs(60);
        let progress = Progress::of(&observation, &history, later);
        assert_eq!(progress.lag, Some(Duration::from_secs(3)));
        assert_eq!(progress.fresh_as_of, None, "its own word proves nothing");
        history.note(start, &position(7));
        observation.position = Some(position(6));
        let progress = Progress::of(&observation, &history, later);
        assert_eq!(progress, Progress { lag: Some(Duration::from_secs(60)), fresh_as_of: None });
        observation.position = Some(position(7));
        let progress = Progress::of(&observation, &history, later);
        assert_eq!(progress, Progress { lag: Some(Duration::ZERO), fresh_as_of: Some(start) });
    }

    #[test]
    fn a_replica_leaves_at_once_and_comes_back_after_good_looks() {
        let limits = ReplicaLimits { good_looks: 3, ..ReplicaLimits::default() };
        let mut rotation = Rotation::default();
        let good = replica(true, true, "");
        let lag = Some(Duration::from_secs(3));
        let mut look = |seen: Option<&Observation>, lag| {
            rotation.judge(seen, Progress { lag, fresh_as_of: None }, &limits)
        };
        let readable: Vec<_> =
            (0..4).map(|_| look(Some(&good), lag).is_readable).collect();
        assert_eq!(readable, [false, false, true, true]);
        let faults = [
            (None, lag, "cannot be reached"),
            (Some(replica(false, true, "no route")), lag, "does not receive changes: no route"),
            (Some(replica(true, false, "")), None, "does not apply changes"),
            (Some(good.clone()), None, "does not say how far behind it is"),
            (Some(good.clone()), Some(Duration::from_secs(11)), "11000 ms behind"),
            (Some(Observation { channels: Vec::new(), ..good.clone() }), lag, "does not replicate"),
        ];
        for (seen, lag, reason) in faults {
            let verdict = look(seen.as_ref(), lag);
            assert!(!verdict.is_readable && verdict.reason.starts_with(reason), "{verdict:?}");
            assert!(!look(Some(&good), Some(Duration::ZERO)).is_readable, "{reason}");
        }
    }

    #[test]
    fn servers_that_share_data_otherwise_only_have_to_be_reached() {
        let limits = ReplicaLimits {
            good_looks: 1,
            health: Health::Connection,
            ..ReplicaLimits::default()
        };
        let alone = Observation { is_read_only: true, position: None, channels: Vec::new() };
        assert!(Rotation::default().judge(Some(&alone), Progress::default(), &limits).is_readable);
        assert!(!Rotation::default().judge(None, Progress::default(), &limits).is_readable);
    }
}
