//! Windows of equal length, one after the other: the steps of interval algorithms.

use crate::column::{Civil, DAY, SECOND};

/// How long a window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Microseconds.
    Micros(i64),
    /// Months of the calendar.
    Months(i64),
}

impl Step {
    /// A unit as Java's `ChronoUnit` is called, times an amount.
    pub(super) fn new(unit: &str, amount: i64) -> Option<Self> {
        if amount <= 0 || amount > i64::from(i32::MAX) {
            return None;
        }
        let step = match unit.to_ascii_lowercase().as_str() {
            "millis" => Self::Micros(1000),
            "seconds" => Self::Micros(SECOND),
            "minutes" => Self::Micros(60 * SECOND),
            "hours" => Self::Micros(3600 * SECOND),
            "halfdays" => Self::Micros(DAY / 2),
            "days" => Self::Micros(DAY),
            "weeks" => Self::Micros(7 * DAY),
            "months" => Self::Months(1),
            "years" => Self::Months(12),
            "decades" => Self::Months(120),
            "centuries" => Self::Months(1200),
            _ => return None,
        };
        match step {
            Self::Micros(length) => length.checked_mul(amount).map(Self::Micros),
            Self::Months(length) => length.checked_mul(amount).map(Self::Months),
        }
    }

    /// True where every step is of whole days.
    pub(super) fn is_of_days(self) -> bool {
        match self {
            Self::Micros(length) => length % DAY == 0,
            Self::Months(_) => true,
        }
    }
}

/// Windows from a first moment on; the last one begins at the latest at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timeline {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) step: Step,
}

impl Timeline {
    /// The number of the window in which a moment lies; `None` before the first and after the last.
    pub(super) fn window(&self, micros: i64) -> Option<i64> {
        if micros < self.start {
            return None;
        }
        let number = match self.step {
            Step::Micros(length) => micros.saturating_sub(self.start) / length,
            Step::Months(length) => {
                let (start, at) = (Civil::new(self.start), Civil::new(micros));
                let months = (at.year - start.year) * 12 + at.month - start.month;
                let is_before = (at.day, at.micros) < (start.day, start.micros);
                (months - i64::from(is_before)) / length
            }
        };
        (self.begin(number) <= self.end).then_some(number)
    }

    /// The number of the last window.
    pub(super) fn last(&self) -> Option<i64> {
        self.window(self.end)
    }

    /// Where a window begins.
    pub(super) fn begin(&self, number: i64) -> i64 {
        match self.step {
            Step::Micros(length) => self.start.saturating_add(length.saturating_mul(number)),
            Step::Months(length) => {
                Civil::new(self.start).plus_months(length.saturating_mul(number)).to_micros()
            }
        }
    }

    /// The first and the last window that a span of time touches.
    pub(super) fn touched(&self, lower: i64, upper: i64) -> Option<(i64, i64)> {
        let last = self.last()?;
        if upper < self.start || lower > upper {
            return None;
        }
        let first = self.window(lower.max(self.start))?;
        Some((first, self.window(upper).unwrap_or(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::parse_moment;

    fn moment(text: &str) -> i64 {
        parse_moment(text.as_bytes()).unwrap()
    }

    #[test]
    fn windows() {
        for (unit, amount, at, expected) in [
            ("DAYS", 1, "2024-01-10 00:00:00", Some(0)),
            ("Days", 1, "2024-01-10 23:59:59.999999", Some(0)),
            ("days", 1, "2024-01-11", Some(1)),
            ("days", 1, "2024-01-09 23:59:59", None),
            ("days", 2, "2024-01-13", Some(1)),
            ("weeks", 1, "2024-01-16 23:00:00", Some(0)),
            ("hours", 6, "2024-01-10 13:00:00", Some(2)),
            ("months", 1, "2024-02-09 23:59:59", Some(0)),
            ("months", 1, "2024-02-10", Some(1)),
            ("months", 3, "2025-01-10", Some(4)),
            ("years", 1, "2025-01-09", Some(0)),
            ("years", 1, "2026-06-01", Some(2)),
            // The last window begins at the latest at the end and is whole.
            ("years", 1, "2027-01-09", Some(2)),
            ("years", 1, "2027-01-10", None),
            ("years", 1, "2027-01-11", None),
        ] {
            let timeline = Timeline {
                start: moment("2024-01-10"),
                end: moment("2027-01-09"),
                step: Step::new(unit, amount).unwrap(),
            };
            let window = timeline.window(moment(at));
            assert_eq!(window, expected, "{amount} {unit}, {at}");
            if let Some(number) = window {
                assert!(
                    timeline.begin(number) <= moment(at) && timeline.begin(number + 1) > moment(at)
                );
            }
        }
        for (unit, amount) in [("days", 0), ("days", -1), ("eras", 1), ("", 1), ("nanos", 1)] {
            assert_eq!(Step::new(unit, amount), None, "{unit} {amount}");
        }
    }
}
