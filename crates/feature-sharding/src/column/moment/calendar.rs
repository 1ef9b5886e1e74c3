//! Days of the proleptic Gregorian calendar, as numbers and as year, month and day.

/// A second in microseconds.
pub(crate) const SECOND: i64 = 1_000_000;
/// A day in microseconds.
pub(crate) const DAY: i64 = 86_400 * SECOND;
/// Days of 400 years.
const ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// A moment as a calendar and a clock show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
    /// Year.
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    /// Microseconds since midnight.
    pub micros: i64,
}

impl Civil {
    /// The moment so many microseconds after 1970-01-01.
    pub fn new(micros: i64) -> Self {
        let days = micros.div_euclid(DAY) + EPOCH;
        let (era, day_of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Months are counted from March, so that the leap day is the last one.
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Self { year, month, day, micros: micros.rem_euclid(DAY) }
    }

    /// Microseconds after 1970-01-01.
    pub fn to_micros(self) -> i64 {
        number_of(self.year, self.month, self.day) * DAY + self.micros
    }

    /// So many months later; a day that the month lacks becomes its last one.
    #[must_use]
    pub fn plus_months(self, months: i64) -> Self {
        let total = self.year * 12 + self.month - 1 + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        Self { year, month, day: self.day.min(length(year, month)), ..self }
    }

    /// Hour, 0 to 23.
    pub fn hour(self) -> i64 {
        self.micros / (3600 * SECOND)
    }

    /// Minute, 0 to 59.
    pub fn minute(self) -> i64 {
        self.micros / (60 * SECOND) % 60
    }

    /// Second, 0 to 59.
    pub fn second(self) -> i64 {
        self.micros / SECOND % 60
    }
}

/// The number of a day since 1970-01-01; `None` where the calendar does not have it.
pub(super) fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_valid = (1..=12).contains(&month) && (1..=length(year, month)).contains(&day);
    is_valid.then(|| number_of(year, month, day))
}

fn number_of(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - EPOCH
}

/// Days of a month.
fn length(year: i64, month: i64) -> i64 {
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other() {
        let mut expected = days(-1, 12, 31).unwrap();
        for year in 0..=3000 {
            for month in 1..=12 {
                for day in 1..=length(year, month) {
                    expected += 1;
                    assert_eq!(days(year, month, day), Some(expected), "{year}-{month}-{day}");
                    let civil = Civil::new(expected * DAY + 5);
                    assert_eq!(civil, Civil { year, month, day, micros: 5 });
                    assert_eq!(civil.to_micros(), expected * DAY + 5);
                }
            }
        }
        assert_eq!(days(1970, 1, 1), Some(0));
        assert_eq!(days(2000, 3, 1), Some(11_017));
    }

    #[test]
    fn months_are_clamped() {
        let date = |year, month, day| Civil { year, month, day, micros: 7 };
        assert_eq!(date(2024, 1, 31).plus_months(1), date(2024, 2, 29));
        assert_eq!(date(2024, 2, 29).plus_months(12), date(2025, 2, 28));
        assert_eq!(date(2024, 11, 15).plus_months(3), date(2025, 2, 15));
        assert_eq!(date(2024, 1, 15).plus_months(-1), date(2023, 12, 15));
    }
}
