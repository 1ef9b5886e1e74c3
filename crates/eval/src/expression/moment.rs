//! Dates, moments and times of day: reading, writing, and the calendar.

use std::io::Write as _;

pub(crate) const DAY_MICROS: i64 = 86_400_000_000;
pub(crate) const SECOND_MICROS: i64 = 1_000_000;
/// 838:59:59, the longest TIME.
pub(crate) const MAX_TIME_MICROS: i64 = (838 * 3600 + 59 * 60 + 59) * SECOND_MICROS;
/// The number of 9999-12-31 in [`day_number`].
const MAX_DAY_NUMBER: i64 = 3_652_424;

const TAKES_ALL: &str = "a Vec takes all writes";

/// A date, perhaps with a time of day. Months and days may be zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) day: u8,
    /// Since midnight.
    pub(crate) micros: i64,
}

impl Moment {
    /// Reads the forms that all servers read alike: `2024-05-06`, perhaps with ` 07:08:09` (or a
    /// `T` before it), perhaps with a fraction of one to six digits. `None` for all others.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let (date, clock) = match text.iter().position(|byte| matches!(byte, b' ' | b'T')) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let (&[y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1], []) = date.split_first_chunk::<10>()?
        else {
            return None;
        };
        let year = digits(&[y0, y1, y2, y3])?;
        let month = digits(&[m0, m1])?;
        let day = digits(&[d0, d1])?;
        let micros = match clock {
            Some(clock) => clock_micros(clock, 2).filter(|&micros| micros < DAY_MICROS)?,
            None => 0,
        };
        let moment = Self { year: year as u16, month: month as u8, day: day as u8, micros };
        moment.is_valid().then_some(moment)
    }

    /// Month and day within the calendar, or zero.
    fn is_valid(&self) -> bool {
        self.month <= 12
            && (self.day <= 28
                || (self.month == 0 && self.day <= 31)
                || i64::from(self.day)
                    <= days_in_month(i64::from(self.year), i64::from(self.month)))
    }

    /// No part of the date is zero.
    pub(crate) fn is_whole(&self) -> bool {
        self.month > 0 && self.day > 0
    }

    /// The number of the day, as `TO_DAYS` counts.
    pub(crate) fn day_number(&self) -> i64 {
        day_number(i64::from(self.year), i64::from(self.month), i64::from(self.day))
    }

    /// Microseconds since day 0.
    pub(crate) fn total_micros(&self) -> i64 {
        self.day_number() * DAY_MICROS + self.micros
    }

    /// The moment so many microseconds after day 0; `None` outside of the years 0 to 9999.
    pub(crate) fn from_total_micros(total: i64) -> Option<Self> {
        let (days, micros) = (total.div_euclid(DAY_MICROS), total.rem_euclid(DAY_MICROS));
        Some(Self { micros, ..Self::from_day_number(days)? })
    }

    /// The date of a day's number; `None` outside of the years 0 to 9999.
    pub(crate) fn from_day_number(number: i64) -> Option<Self> {
        if !(366..=MAX_DAY_NUMBER).contains(&number) {
            return None;
        }
        let mut year = number * 100 / 36_525;
        while day_number(year, 1, 1) > number {
            year -= 1;
        }
        while day_number(year + 1, 1, 1) <= number {
            year += 1;
        }
        let mut rest = number - day_number(year, 1, 1);
        let mut month = 1;
        while rest >= days_in_month(year, month) {
            rest -= days_in_month(year, month);
            month += 1;
        }
        let day = rest as u8 + 1;
        Some(Self { year: year as u16, month: month as u8, day, micros: 0 })
    }

    /// `2024-05-06`.
    pub(crate) fn write_date(&self, out: &mut Vec<u8>) {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day).expect(TAKES_ALL);
    }

    /// `2024-05-06 07:08:09.12`.
    pub(crate) fn write(&self, decimals: u8, out: &mut Vec<u8>) {
        self.write_date(out);
        out.push(b' ');
        write_clock(self.micros, decimals, out);
    }

    /// 20240506.
    pub(crate) fn date_number(&self) -> i64 {
        i64::from(self.year) * 10_000 + i64::from(self.month) * 100 + i64::from(self.day)
    }

    /// 20240506070809.
    pub(crate) fn number(&self) -> i64 {
        self.date_number() * 1_000_000 + clock_number(self.micros)
    }
}

/// Reads `[-]hh:mm:ss[.ffffff]`, hours of two or three digits. `None` for all other forms.
pub(crate) fn parse_time(text: &[u8]) -> Option<i64> {
    let (is_negative, clock) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let hours = clock.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(2..=3).contains(&hours) {
        return None;
    }
    let micros = clock_micros(clock, hours)?;
    (micros <= MAX_TIME_MICROS).then_some(if is_negative { -micros } else { micros })
}

/// `hh:mm:ss[.ffffff]` with this many digits of hours.
fn clock_micros(clock: &[u8], hour_digits: usize) -> Option<i64> {
    let (hours, rest) = clock.split_at_checked(hour_digits)?;
    let (&[b':', m0, m1, b':', s0, s1], fraction) = rest.split_first_chunk::<6>()? else {
        return None;
    };
    let (minutes, seconds) = (digits(&[m0, m1])?, digits(&[s0, s1])?);
    if minutes > 59 || seconds > 59 {
        return None;
    }
    let micros = match fraction.split_first() {
        None => 0,
        Some((b'.', fraction)) if (1..=6).contains(&fraction.len()) => {
            digits(fraction)? * 10i64.pow(6 - fraction.len() as u32)
        }
        Some(_) => return None,
    };
    Some((digits(hours)? * 3600 + minutes * 60 + seconds) * SECOND_MICROS + micros)
}

/// `[-]hh:mm:ss[.ff]`.
pub(crate) fn write_time(micros: i64, decimals: u8, out: &mut Vec<u8>) {
    if micros < 0 {
        out.push(b'-');
    }
    write_clock(micros.abs(), decimals, out);
}

fn write_clock(micros: i64, decimals: u8, out: &mut Vec<u8>) {
    let seconds = micros / SECOND_MICROS;
    write!(out, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
        .expect(TAKES_ALL);
    let decimals = decimals.min(6);
    if decimals > 0 {
        let fraction = micros % SECOND_MICROS / 10i64.pow(u32::from(6 - decimals));
        write!(out, ".{fraction:0width$}", width = usize::from(decimals)).expect(TAKES_ALL);
    }
}

/// 70809 of 07:08:09, without sign.
pub(crate) fn clock_number(micros: i64) -> i64 {
    let seconds = micros.abs() / SECOND_MICROS;
    seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
    })
}

pub(crate) fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || (year % 400 == 0 && year != 0))
}

pub(crate) fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap_year(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since the year 0, as `TO_DAYS` counts them; of a date with zeros as well.
///
/// # Source
/// MySQL 8.4 manual, `TO_DAYS()`: 0000-01-01 is day 1, 1970-01-01 day 719528.
pub(crate) fn day_number(year: i64, month: i64, day: i64) -> i64 {
    if year == 0 && month == 0 {
        return 0;
    }
    let mut days = 365 * year + 31 * (month - 1) + day;
    let mut leap_base = year;
    if month <= 2 {
        leap_base -= 1;
    } else {
        days -= (month * 4 + 23) / 10;
    }
    days + leap_base / 4 - (leap_base / 100 + 1) * 3 / 4
}
